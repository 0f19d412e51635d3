"""What a question says: it names what can be done now, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.games.civilization.frames import ITEM, NOTE, top
from core.view import View
from ui.games.civilization.labels import squares_of
from ui.games.civilization.position import table_of, what_is_placed

_KEY: Final = "phase.civilization."
_COUNTED: Final[Mapping[str, int]] = {"loot": ITEM, "wound": NOTE, "heal": NOTE}
_MENUS: Final = ("start", "trade", "city", "move")
# By phase, what its question names, each with the verbs for it.
_NAMED_BY: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "start": {"found": frozenset(("found", "settle")),
              "change": frozenset(("government", "anarchy")), "play": frozenset(("event",))},
    "trade": {"offer": frozenset(("offer",))},
    "city": {"act": frozenset(("make", "free", "split", "arts", "harvest", "reap"))},
    "move": {"go": frozenset(("move",))},
    "person": {"place": frozenset(("place",)), "aside": frozenset(("sheet",))},
    "window": {"answer": frozenset(("answer",))},
    "front": {"attack": frozenset(("front",)), "new": frozenset(("new",))},
}  # fmt: skip


def ask(view: View) -> str:
    """The key of what to choose; which figure is placed in the set-up is said as well."""
    verbs = {offer.action.verb for offer in view.offers} - {"guard"}
    if view.phase == "fight" and verbs and "play" not in verbs:  # The unit stands already.
        return _KEY + ("fight_done" if verbs == {"end"} else "fight_played")
    if view.phase == "deal" and "done" not in verbs:
        return f"{_KEY}deal_empty"  # There is nothing to propose yet.
    if view.phase == "place_figure":
        is_scout = what_is_placed(view, table_of(view)) == "scout"
        return _KEY + ("place_scout" if is_scout else view.phase)
    if view.phase in _MENUS and verbs == {"end"}:
        return f"{_KEY}only_end"
    return _KEY + view.phase + _possible(view.phase, verbs)


def left(view: View) -> int:
    """How many points of loot, or wounds, are left; nothing of the kind elsewhere (C121, C126)."""
    if view.phase not in _COUNTED:
        return 0
    table = table_of(view)
    return table.counters[top(table) + _COUNTED[view.phase]]


def _possible(phase: str, verbs: set[str]) -> str:
    """What the key of a question ends with: nothing where all that it names is possible."""
    named = _NAMED_BY.get(phase, {})
    found = [kind for kind, does in named.items() if verbs & does]
    if not verbs or len(found) == len(named):
        return ""
    return "_" + ("_".join(found) or "other")


def ways(view: View) -> str:
    """How a square is typed; while figures move, what the numbers on the map are."""
    verbs = {offer.action.verb for offer in view.offers}
    if verbs & {"go", "via"}:
        return "civilization.ways_go"
    return "civilization.ways" if any(squares_of(each) for each in view.offers) else ""
