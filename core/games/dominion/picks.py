"""What may be picked when an effect asks for a card: one line for every question.

A pick names one card of a zone.  Whether a hidden card was one of those that may be picked is seen
by everybody when it is turned up: the `check` that follows refuses a wrong one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import core.games.dominion.cards as c
from core.requests import Card, Face, Player
from core.table import RulesError, Table


@dataclass(slots=True)
class Pick:
    """A verb; the zones by seat that a card goes from and to; the faces that may be picked."""

    verb: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    faces: tuple[Face, ...] = c.ALL
    is_shown: bool = False  # Everybody sees the card, wherever it goes.
    is_last: bool = False  # Only the topmost cards, as many as the counter says.
    kinds: int = field(init=False)  # The faces as bits.

    def __post_init__(self) -> None:
        self.kinds = c.kinds_in(self.faces)


PICKS: Final = {
    c.REACTING: (Pick("reveal", c.HAND, c.HAND, (c.MOAT,), is_shown=True),),
    c.DISCARDING: (Pick("discard", c.HAND, c.DISCARD),),
    c.CELLARING: (Pick("discard", c.HAND, c.DISCARD),),
    c.CHAPELING: (Pick("trash", c.HAND, c.TO_TRASH),),
    c.REMODELING: (Pick("trash", c.HAND, c.TO_TRASH),),
    c.MINING: (Pick("trash", c.HAND, c.TO_TRASH, c.TREASURES),),
    c.LENDING: (Pick("trash", c.HAND, c.TO_TRASH, (c.COPPER,)),),
    c.THRONING: (Pick("play", c.HAND, c.PLAY, c.ACTIONS_ALL),),
    c.TOPDECKING: (Pick("put", c.HAND, c.DECK),),
    c.HARBINGING: (Pick("put", c.LOOKING, c.DECK),),
    c.LIBRARYING: (
        Pick("keep", c.LOOKING, c.HAND),
        Pick("aside", c.LOOKING, c.SHOWN, c.ACTIONS_ALL),
    ),
    c.SENTRY_TRASHING: (Pick("trash", c.LOOKING, c.TO_TRASH),),
    c.SENTRY_DISCARDING: (Pick("discard", c.LOOKING, c.DISCARD),),
    c.SENTRY_ORDERING: (Pick("put", c.LOOKING, c.DECK),),
    c.BUREAUCRATING: (Pick("reveal", c.HAND, c.DECK, c.VICTORIES, is_shown=True),),
    c.BANDITING: (Pick("trash", c.SHOWN, c.TO_TRASH, (c.SILVER, c.GOLD)),),
    c.SPYING: (Pick("discard", c.SHOWN, c.DISCARD), Pick("put", c.SHOWN, c.DECK)),
    c.THIEVING: (Pick("trash", c.SHOWN, c.TO_TRASH, c.TREASURES),),
    c.THIEF_GAINING: (Pick("take", c.TO_TRASH, c.DISCARD, c.TREASURES, is_last=True),),
    c.VASSALING: (Pick("play", c.DISCARD, c.PLAY, c.ACTIONS_ALL, is_last=True),),
    c.TOPPING: (Pick("top", c.HAND, c.HAND),),
}
# What ends a question: `stop` after any number of picks, `pass` in place of the one.
DECLINES: Final = {
    c.REACTING: "pass",
    c.CELLARING: "stop",
    c.CHAPELING: "stop",
    c.MINING: "pass",
    c.LENDING: "pass",
    c.THRONING: "pass",
    c.HARBINGING: "pass",
    c.SENTRY_TRASHING: "stop",
    c.SENTRY_DISCARDING: "stop",
    c.BUREAUCRATING: "show",
    c.THIEF_GAINING: "stop",
    c.VASSALING: "pass",
}
# What another chooses for a card is told of its owner: the fact by the verb.
TOLD_BY_OWNER: Final = {
    c.SPYING: {"discard": "discarded", "put": "put"},
    c.THIEVING: {"trash": "trashed"},
}
_FIRST_EDITION_MUSTS: Final = (c.MINING, c.LENDING, c.THRONING)


def must_pick(table: Table) -> bool:
    """Whether declining says that there is nothing to pick: Bureaucrat, and the first edition."""
    phase = table.counters[c.PHASE]
    if phase in _FIRST_EDITION_MUSTS:
        return table.layout.options["edition"] == 1
    return phase == c.BUREAUCRATING


def ask(table: Table, phase: int, seat: Player, need: int = 1, whose: Player = c.NOBODY) -> None:
    """Let `seat` pick `need` cards (or up to as many) of its own, or of those of `whose`."""
    counters = table.counters
    counters[c.PHASE], counters[c.CHOOSER], counters[c.NEED] = phase, seat, need
    counters[c.WHOSE] = seat if whose == c.NOBODY else whose
    counters[c.PICKED] = c.NOBODY


def cards_to_pick(table: Table, pick: Pick) -> list[Card]:
    """The cards that a pick chooses from, whatever their faces."""
    counters = table.counters
    cards = table.zones[pick.source[counters[c.WHOSE]]]
    return cards[-counters[c.LAST] :] if pick.is_last else cards


def check(table: Table) -> None:
    """The card that was picked unseen has been turned up.

    Raises:
        RulesError: it is not one of those that could be picked.
    """
    counters = table.counters
    phase, counters[c.CHECK] = counters[c.CHECK], 0
    face = table.public_face(counters[c.PICKED])
    if face not in PICKS[phase][-1].faces:
        raise RulesError(f"{table.layout.faces[face]} is not a card that could be picked")
