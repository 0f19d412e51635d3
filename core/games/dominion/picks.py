"""What may be picked when an effect asks for a card: one line for every question.

A pick names one card of a zone.  Whether a hidden card was one of those that may be picked is seen
by everybody when it is turned up: the `check` that follows refuses a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.games.dominion.cards import (
    ACTIONS_ALL,
    ALL,
    BANDITING,
    BUREAUCRATING,
    CELLARING,
    CHAPELING,
    CHECK,
    CHOOSER,
    COPPER,
    DECK,
    DISCARD,
    DISCARDING,
    GOLD,
    HAND,
    HARBINGING,
    LAST,
    LENDING,
    LIBRARYING,
    LOOK,
    MINING,
    MOAT,
    NEED,
    NOBODY,
    PHASE,
    PICKED,
    PLAY,
    REACTING,
    REMODELING,
    SENTRY_DISCARDING,
    SENTRY_ORDERING,
    SENTRY_TRASHING,
    SHOWN,
    SILVER,
    SPYING,
    THIEF_GAINING,
    THIEVING,
    THRONING,
    TO_TRASH,
    TOPDECKING,
    TOPPING,
    TREASURES,
    VASSALING,
    VICTORIES,
    WHOSE,
)
from core.requests import Card, Face, Player
from core.table import RulesError, Table


@dataclass(frozen=True, slots=True)
class Pick:
    """A verb; the zones by seat that a card goes from and to; the faces that may be picked."""

    verb: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    faces: tuple[Face, ...] = ALL
    is_shown: bool = False  # Everybody sees the card, wherever it goes.
    is_last: bool = False  # Only the topmost cards, as many as the counter says.


PICKS: Final = {
    REACTING: (Pick("reveal", HAND, HAND, (MOAT,), is_shown=True),),
    DISCARDING: (Pick("discard", HAND, DISCARD),),
    CELLARING: (Pick("discard", HAND, DISCARD),),
    CHAPELING: (Pick("trash", HAND, TO_TRASH),),
    REMODELING: (Pick("trash", HAND, TO_TRASH),),
    MINING: (Pick("trash", HAND, TO_TRASH, TREASURES),),
    LENDING: (Pick("trash", HAND, TO_TRASH, (COPPER,)),),
    THRONING: (Pick("play", HAND, PLAY, ACTIONS_ALL),),
    TOPDECKING: (Pick("put", HAND, DECK),),
    HARBINGING: (Pick("put", LOOK, DECK),),
    LIBRARYING: (Pick("keep", LOOK, HAND), Pick("aside", LOOK, SHOWN, ACTIONS_ALL)),
    SENTRY_TRASHING: (Pick("trash", LOOK, TO_TRASH),),
    SENTRY_DISCARDING: (Pick("discard", LOOK, DISCARD),),
    SENTRY_ORDERING: (Pick("put", LOOK, DECK),),
    BUREAUCRATING: (Pick("reveal", HAND, DECK, VICTORIES, is_shown=True),),
    BANDITING: (Pick("trash", SHOWN, TO_TRASH, (SILVER, GOLD)),),
    SPYING: (Pick("discard", SHOWN, DISCARD), Pick("put", SHOWN, DECK)),
    THIEVING: (Pick("trash", SHOWN, TO_TRASH, TREASURES),),
    THIEF_GAINING: (Pick("take", TO_TRASH, DISCARD, TREASURES, is_last=True),),
    VASSALING: (Pick("play", DISCARD, PLAY, ACTIONS_ALL, is_last=True),),
    TOPPING: (Pick("top", HAND, HAND),),
}
# What ends a question: `stop` after any number of picks, `pass` in place of the one.
DECLINES: Final = {
    REACTING: "pass",
    CELLARING: "stop",
    CHAPELING: "stop",
    MINING: "pass",
    LENDING: "pass",
    THRONING: "pass",
    HARBINGING: "pass",
    SENTRY_TRASHING: "stop",
    SENTRY_DISCARDING: "stop",
    BUREAUCRATING: "show",
    THIEF_GAINING: "stop",
    VASSALING: "pass",
}
_FIRST_EDITION_MUSTS: Final = (MINING, LENDING, THRONING)


def must_pick(table: Table) -> bool:
    """Whether declining says that there is nothing to pick: Bureaucrat, and the first edition."""
    phase = table.counters[PHASE]
    if phase in _FIRST_EDITION_MUSTS:
        return table.layout.options["edition"] == 1
    return phase == BUREAUCRATING


def ask(table: Table, phase: int, seat: Player, need: int = 1, whose: Player = NOBODY) -> None:
    """Let `seat` pick `need` cards (or up to as many) of its own, or of those of `whose`."""
    counters = table.counters
    counters[PHASE], counters[CHOOSER], counters[NEED] = phase, seat, need
    counters[WHOSE] = seat if whose == NOBODY else whose
    counters[PICKED] = NOBODY


def cards_to_pick(table: Table, pick: Pick) -> Sequence[Card]:
    """The cards that a pick chooses from, whatever their faces."""
    counters = table.counters
    cards = table.zones[pick.source[counters[WHOSE]]]
    return cards[-counters[LAST] :] if pick.is_last else cards


def check(table: Table) -> None:
    """The card that was picked unseen has been turned up.

    Raises:
        RulesError: it is not one of those that could be picked.
    """
    counters = table.counters
    phase, counters[CHECK] = counters[CHECK], 0
    face = table.public_face(counters[PICKED])
    if face not in PICKS[phase][-1].faces:
        raise RulesError(f"{table.layout.faces[face]} is not a card that could be picked")
