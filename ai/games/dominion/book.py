"""The agendas that bots play by, and the well-known strategies they are measured against.

The book and its order were found by playing agendas against each other: first with every two kinds,
then in kingdoms by lot; those that begin it are engines of four kinds and more, which
`lab.py engines_dominion` looks for.  What wins in the kingdom at hand is looked for from there
(`finding.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ai.games.dominion.agenda import Agenda
from core.games.dominion.cards import BASIC_KINDS
from core.requests import Face

MONEY_AGENDA: Final = Agenda("gold silver")
SMITHY_AGENDA: Final = Agenda("gold smithy*1 silver*4 smithy*2 silver")
WITCH_AGENDA: Final = Agenda("witch*2 gold silver")
CHAPEL_AGENDA: Final = Agenda("chapel*1 gold laboratory market militia*1 silver")
BOOK: Final = tuple(
    Agenda(text)
    for text in (
        "witch*1 gold militia*1 chapel*1 village*10 moat*2 smithy*1 throne_room*2 silver",
        "bandit*1 laboratory*10 merchant*1 gold chapel*1 silver",
        "witch*1 gold militia*1 chapel*1 village*4 moat*2 silver",
        "witch*1 bandit*1 gold chapel*1 village*4 moat*2 silver",
        "witch*1 gold militia*1 chapel*1 village*2 laboratory*10 silver",
        "witch*1 gold militia*1 chapel*1 village*10 library*10 silver",
        "witch*1 bandit*1 gold chapel*1 village*2 library*10 silver",
        "witch*1 gold militia*1 chapel*1 village*4 market*10 silver",
        "witch*1 gold militia*1 chapel*1 village*4 smithy*3 silver",
        "witch*2 gold bureaucrat*2 gardens*10 silver",
        "witch*1 gold village*1 chapel*1 silver",
        "witch*2 gold moat*1 festival*10 silver",
        "witch*2 gold moat*1 sentry*10 silver",
        "witch*1 gold laboratory*2 chapel*1 silver",
        "witch*2 gold sentry*10 silver",
        "witch*2 gold moat*1 laboratory*10 silver",
        "bandit*1 witch*1 gold merchant*1 chapel*1 silver",
        "witch*2 gold militia*1 festival*10 silver",
        "witch*1 gold chapel*1 silver",
        "witch*2 gold moat*1 silver",
        "witch*2 gold festival*10 silver",
        "witch*2 gold market*10 silver",
        "witch*2 gold laboratory*10 silver",
        "witch*2 gold militia*1 silver",
        "witch*2 gold silver",
        "gold sentry*10 militia*1 poacher*10 silver",
        "sentry*2 gold market*10 militia*2 silver",
        "gold sentry*10 militia*2 silver",
        "sentry*2 bandit*1 gold laboratory*10 poacher*10 silver",
        "sentry*2 bandit*1 gold market*10 poacher*10 silver",
        "bandit*1 gold militia*1 poacher*10 gardens*10 silver",
        "gold bandit*1 smithy*1 market*10 silver",
        "gold bandit*1 smithy*1 laboratory*10 silver",
        "gold bureaucrat*1 laboratory*10 poacher*10 silver",
        "gold bandit*1 library*1 poacher*10 silver",
        "gold library*1 militia*1 festival*10 silver",
        "gold bandit*1 militia*1 poacher*10 silver",
        "gold bandit*1 smithy*1 sentry*10 silver",
        "gold bandit*1 smithy*1 festival*10 silver",
        "bandit*1 gold poacher*10 silver",
        "gold library*1 militia*1 market*10 silver",
        "gold library*1 smithy*1 festival*10 silver",
        "gold bandit*1 smithy*1 silver",
        "gold militia*1 library*1 poacher*10 silver",
        "gold bandit*1 militia*1 laboratory*10 silver",
        "gold laboratory*10 militia*2 silver",
        "gold bandit*1 militia*1 market*10 silver",
        "bandit*1 gold market*10 silver",
        "gold bureaucrat*1 council_room*1 silver",
        "thief*10 gold gardens*10 silver",
        "gold council_room*1 silver",
        "gold library*2 market*10 silver",
        "bandit*1 gold chapel*1 silver",
        "gold library*2 festival*10 silver",
        "gold library*3 silver",
        "gold sentry*10 smithy*1 silver",
        "gold market*10 militia*2 silver",
        "gold market*10 smithy*1 silver",
        "gold laboratory*10 bureaucrat*1 silver",
        "gold laboratory*10 smithy*1 silver",
        "bandit*1 gold bureaucrat*1 silver",
        "gold smithy*1 silver",
        "gold bandit*2 silver",
        "gold festival*10 militia*2 silver",
        "gold militia*2 silver",
        "gold sentry*10 bureaucrat*1 silver",
        "gold sentry*10 silver",
        "gold moat*1 silver",
        "gold laboratory*10 silver",
        "gold market*10 silver",
        "gold poacher*10 silver",
        "gold mine*1 silver",
        "gold bureaucrat*1 silver",
        "gold festival*10 silver",
        "gold woodcutter*1 silver",
        "gold moneylender*1 silver",
        "gold silver",
    )
)


# With one kind of Action at most: what people call Big Money with something.
PLANS: Final = tuple(
    agenda for agenda in BOOK if sum([face >= BASIC_KINDS for face in agenda.order]) <= 1
)


@cache
def agendas_for(kingdom: tuple[Face, ...]) -> tuple[Agenda, ...]:
    """The agendas of the book that a kingdom has all the kinds for, the strongest first."""
    return playable(BOOK, kingdom)


def agenda_for(kingdom: tuple[Face, ...]) -> Agenda:
    """The strongest of them."""
    return agendas_for(kingdom)[0]


@cache
def plan_for(kingdom: tuple[Face, ...]) -> Agenda:
    """The strongest agenda for a kingdom with one kind of Action at most."""
    return playable(PLANS, kingdom)[0]


def playable(agendas: Sequence[Agenda], kingdom: tuple[Face, ...]) -> tuple[Agenda, ...]:
    """Those of some agendas that a kingdom has all the kinds for, in their order."""
    kinds = {*range(BASIC_KINDS), *kingdom}
    return tuple([agenda for agenda in agendas if kinds.issuperset(agenda.order)])
