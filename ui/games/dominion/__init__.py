"""Dominion on the screen: what the supply costs, what is left of a turn, what a card says.

board.py        the whole table; supply.py: its piles
owned.py        what everybody owns, counted
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from core.games.dominion.cards import (
    ACTION,
    ATTACK,
    BASIC_KINDS,
    CURSED,
    HAND,
    KEYS,
    KINDS,
    REACTION,
    TREASURE,
    VICTORY,
    Kind,
)
from core.games.dominion.kingdoms import kinds_of, named_kingdom
from core.narrate import Line
from core.table import OptionValue
from core.view import Offer, View
from ui.look import (
    FaceLook,
    Inked,
    Look,
    PileNote,
    Reason,
    Tally,
    Ware,
    only_offer,
    seat_of_turn,
)

if TYPE_CHECKING:
    from ui.language.text import Words

_CHAPTERS: Final = {"draft": "1", "action": "2", "buy": "2", "top": "2"}
# Phases that ask for one card after another, and whether for so many or for up to so many.
_COUNTED: Final = {
    "discard": True,
    "cellar": False,
    "chapel": False,
    "sentry trash": False,
    "sentry discard": False,
}
_AFTER_BUYING: Final = {"top", "clean up", "cleaned", "end"}  # Phases.
_SELDOM: Final = {"mine", "moneylender", "throne_room"}  # Their texts differ in the first edition.
_TYPES: Final = {
    TREASURE: "treasure",
    VICTORY: "victory",
    CURSED: "curse",
    ACTION: "action",
    ATTACK: "attack",
    REACTION: "reaction",
}
_BASIC: Final = ("copper", "silver", "gold", "curse", "estate", "duchy", "province")
_BY_KEY: Final = {kind.key: kind for kind in KINDS}


def _face(kind: Kind) -> FaceLook:
    """Treasures yellow, Victory cards green, Curses magenta, Attacks red, Moat blue."""
    colors = (
        (TREASURE, "bright_yellow"),
        (CURSED, "bright_magenta"),
        (ATTACK, "bright_red"),
        (REACTION, "bright_cyan"),
        (ACTION, ""),
    )
    color = next((color for types, color in colors if kind.types & types), "bright_green")
    worth = f"${kind.coins}" if kind.coins else f"◆{kind.points or ''}"
    return FaceLook(kind.key, "" if kind.types & ACTION else worth, color)


def wares(view: View) -> tuple[Ware, ...]:
    """The supply: basic piles first, then the kingdom by cost; before the draft, what is drafted.

    A pile is near if its cost can be paid once the Treasures of the hand are played, too.
    """
    slots = [view.counters[f"kingdom.{place}"] for place in range(10)]
    chosen = {KEYS[face] for face in slots if face >= 0}
    if view.phase == "draft":
        kinds = [KEYS[face] for face in kinds_of(view.options["edition"])]
        return tuple(_ware(view, key, is_chosen=key in chosen) for key in _by_cost(kinds))
    laid_out = {key for key in _BY_KEY if view.zones[f"supply.{key}"]} - set(_BASIC)
    return tuple(_ware(view, key) for key in (*_BASIC, *_by_cost(chosen or laid_out)))


def cost(face: str) -> int:
    """What a card costs."""
    return _BY_KEY[face].cost


def _by_cost(keys: list[str] | set[str]) -> list[str]:
    return sorted(keys, key=lambda key: (_BY_KEY[key].cost, key))


def _ware(view: View, key: str, *, is_chosen: bool = False) -> Ware:
    zone, price = f"supply.{key}", cost(key)
    height = len(view.zones[zone])
    buys = 0 if view.phase in _AFTER_BUYING else view.counters["buys"]
    is_mine = view.counters["turn"] == view.seat and buys > 0
    is_near = is_mine and price <= view.counters["coins"] + _coins_in_hand(view)
    is_near = bool(height) and is_near
    return Ware(zone, key, price, height, is_near, is_chosen, is_unwanted=key == "curse")


def _coins_in_hand(view: View) -> int:
    """What the Treasures of my hand give, while they can still be played."""
    is_late = bool(view.counters["bought"]) or view.phase in _AFTER_BUYING
    if view.counters["turn"] != view.seat or is_late:
        return 0
    hand = [card.face for card in view.zones[f"seat{view.seat}.hand"]]
    coins = sum(_BY_KEY[face].coins for face in hand if face)
    waits = "silver" in hand and not view.counters["silvers"]
    return coins + (view.counters["merchants"] if waits else 0)


def why_not(view: View, face: str) -> str:
    """Why a card of my hand cannot be played now; in other phases the question says it."""
    types = _BY_KEY[face].types if face in _BY_KEY else 0
    if view.phase not in ("action", "buy"):
        return ""
    if not types & (ACTION | TREASURE):
        return "why.never_played"
    if view.phase == "action":
        return "" if types & ACTION else "why.treasure_later"
    return "why.bought" if types & TREASURE else "why.action_over"


def why_no_ware(view: View, ware: Ware) -> Reason | None:
    """Why a pile gives nothing now."""
    if not ware.height:
        return Reason("why.pile_empty")
    if view.phase == "action":
        return Reason("why.pile_later")
    if view.phase == "gain":
        limit = view.counters["limit"]
        key = "why.pile_limit" if ware.cost > limit else "why.pile_treasure"
        return Reason(key, ware.cost, limit)
    if view.phase != "buy":
        return None
    if ware.is_near:
        return Reason("why.pile_treasures")
    return Reason("why.pile_cost", ware.cost, view.counters["coins"] + _coins_in_hand(view))


def tally(view: View) -> Tally | None:
    """Actions, Buys and coins of whoever has the turn; what I hold is added for me."""
    if view.is_over or view.phase == "draft" or view.counters["turn"] < 0:
        return None
    keys = ("actions", "buys", "coins")
    numbers = {key: view.counters[key] for key in keys} | {"more": _coins_in_hand(view)}
    return Tally(view.counters["turn"], numbers)


def also(view: View) -> dict[str, Offer]:
    """The key that plays all Treasures plays the only one, too."""
    plays = [offer for offer in view.offers if offer.action.verb in ("play", "treasures")]
    return {"t": plays[0]} if view.phase == "buy" and len(plays) == 1 else {}


def reflex(view: View) -> Offer | None:
    """A Moat is shown as soon as it is asked for: whoever has none answers as soon (D14)."""
    shown = [offer for offer in view.offers if offer.action.verb == "reveal"]
    return shown[0] if shown and view.phase == "react" else only_offer(view)


def ask(view: View) -> str:
    """What to do now; in the Buy phase, what is left; for a Spy, to whom; of a gain, where to."""
    verbs = {offer.action.verb for offer in view.offers}
    if "strike" in verbs:
        return "phase.dominion.veto"
    if view.phase == "gain" and view.counters["gain.to"] == HAND[view.counters["turn"]]:
        return "phase.dominion.gain hand"
    if view.phase == "spy" and view.counters["whose"] != view.seat:
        return "phase.dominion.spy other"
    if view.phase != "buy" or "play" in verbs:
        return f"phase.dominion.{view.phase}"
    return "phase.dominion.buy only" if "buy" in verbs else "ask.end"


def texts(options: Mapping[str, OptionValue], face: str) -> tuple[str, ...]:
    """The text of a card, as it is in the edition that is played."""
    if face not in _BY_KEY:
        return ()
    first = "_1" if options["edition"] == 1 and face in _SELDOM else ""
    return (f"text.{face}{first}",)


def kinds(face: str) -> tuple[str, ...]:
    """The types of a card."""
    types = _BY_KEY[face].types if face in _BY_KEY else 0
    return tuple(f"type.{name}" for bit, name in _TYPES.items() if types & bit)


def roll(line: Line) -> str:
    """The first roll says who begins; the second one, where there is one, is the kingdom."""
    return "line.lot" if line.entry else "line.begins"


def ways(view: View) -> str:
    """What the sign means on piles for which the Treasures of the hand would pay."""
    verbs = {offer.action.verb for offer in view.offers}
    coins = view.counters["coins"]
    is_marked = any(ware.is_near and (cost(ware.face) or 0) > coins for ware in wares(view))
    return "dominion.keys_near" if "treasures" in verbs and is_marked else ""


def ending(words: Words, view: View, names: Sequence[str]) -> str:
    """D16: what ended the game: the Provinces, or which piles have run out."""
    if not view.zones["supply.province"]:
        return words("end.provinces")
    gone = [ware.face for ware in wares(view) if not view.zones[ware.zone]]
    return words("end.piles", what=words.listed(words.name("face", face) for face in gone))


def chapter(view: View) -> str:
    """The chapter of the rules that matters now: set-up, a turn, the cards, or the end."""
    return "4" if view.is_over else _CHAPTERS.get(view.phase, "5")


def left(view: View) -> int:
    """How many cards an effect still asks for."""
    is_counted = _COUNTED.get(view.phase) or view.phase == "draft"
    return view.counters["need"] if is_counted else 0


def several(view: View) -> int:
    """How many cards may be picked at once, to be given one after the other."""
    return view.counters["need"] if view.phase in _COUNTED else 0


def preview(options: Mapping[str, OptionValue]) -> tuple[str, ...]:
    """The kingdom that options name; nothing where it is found in the game."""
    return tuple(_by_cost({KEYS[face] for face in named_kingdom(options)}))


_CARD_COLORS: Final = ("$c-yellow", "$c-blue", "$c-green")
EMBLEM: Final = (
    tuple(Inked("╭───╮", color) for color in _CARD_COLORS),
    tuple(map(Inked, ("│ $ │", "│ + │", "│ 6 │"), _CARD_COLORS)),
    tuple(Inked("╰───╯", color) for color in _CARD_COLORS),
)

assert set(_BASIC) == set(KEYS[:BASIC_KINDS]), "the supply begins with the basic cards"

LOOK: Final = Look(
    faces=tuple(map(_face, KINDS)),
    note=lambda view, seat, face: PileNote(),
    chapter=chapter,
    why_not=why_not,
    why_no_ware=why_no_ware,
    left=left,
    several=several,
    roll=roll,
    ask=ask,
    reflex=reflex,
    ending=ending,
    ways=ways,
    deeds=("buy",),
    routine=("drew",),
    told_by={
        "discard_spy": ("discarded",),
        "put_spy": ("put",),
        "trash_thief": ("trashed",),
    },
    told_with={"gain": ("taken",)},
    harmless=("put",),
    texts=texts,
    kinds=kinds,
    cost=cost,
    wares=wares,
    whose_turn=seat_of_turn,
    tally=tally,
    also=also,
    preview=preview,
    pack=("shown", "look", "play", "discard"),
    open_pile="trash",
    first=(("kingdom", "first_game"),),
    board=f"{__name__}.board",
    emblem=EMBLEM,
)
