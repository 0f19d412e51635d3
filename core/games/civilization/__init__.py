"""Sid Meier's Civilization: The Board Game, base game with FAQ 2.0, 2 to 4 seats.

The code cites the rules by C, edge cases by E, decisions by D, as numbered in the specification the
game was built from.  What is printed on the components is in `printed.py` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, Mechanics, Option
from core.games.civilization import choices, ending, natives, notation, setup, story, turn
from core.games.civilization.course import PHASES
from core.games.civilization.faces import BACKS, FACES
from core.games.civilization.frames import (
    AFAR,
    ASKED_KINDS,
    ASKING,
    CITY,
    KIND,
    STAGE,
    TARGET,
    top,
)
from core.games.civilization.layout import PHASE, counter_names, places
from core.games.civilization.rules_text import RULES
from core.requests import Action, Card, Player, Request
from core.table import Layout, Observation, OptionValue, Table

OPTIONS = (
    Option("civs", ("random", "chosen")),  # C5
    Option("practice", (False, True)),  # 8.1
    Option("practice_end", (False, True)),
    Option("homes2", ("ne_sw", "nw_se"), players=(2,)),
    Option("max_turns", (60, 30, 12, 6)),  # D15
)


def new_table(players: int, options: Mapping[str, OptionValue]) -> Table:
    """C2: everything that is in the box, face up."""
    layout = Layout(players, FACES, places(players), counter_names(players), options)
    table = Table(layout)
    setup.lay_out(table)
    return table


def phase(table: Table) -> str:
    """The key of what is asked, else of the phase."""
    at = top(table)
    kind = table.counters[at + KIND]
    if kind == TARGET and table.counters[at + STAGE] == CITY:  # C144: not what is aimed at.
        kind = AFAR
    return ASKED_KINDS[kind] if kind >= ASKING else PHASES[table.counters[PHASE]]


def back(table: Table, card: Card) -> str:
    """What everybody sees on the back: a type, and of events and wonders the era."""
    return BACKS[card]


def advance(table: Table) -> Request | None:
    """Carry on, and report what has followed."""
    if table.told is None:  # Mostly nobody listens.
        return turn.advance(table)
    then = story.before(table)
    request = turn.advance(table)
    story.tell(table, then)
    return request


def apply(table: Table, player: Player, action: Action) -> None:
    """Do what a seat has chosen, and report what has followed."""
    if table.told is None:
        choices.apply(table, player, action)
        return
    then = story.before(table)
    choices.apply(table, player, action)
    story.tell(table, then)


class _Mechanics(Mechanics):
    def advance(self, table: Table) -> Request | None:
        return advance(table)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        return choices.legal_actions(table, player, observation)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        apply(table, player, action)


_MECHANICS: Final = _Mechanics()
GAME: Final = Game(
    slug="civilization",
    players=range(2, 5),
    faces=FACES,
    options=OPTIONS,
    rules=RULES,
    setup=new_table,
    advance=_MECHANICS.advance,
    legal_actions=_MECHANICS.legal_actions,
    apply=_MECHANICS.apply,
    claim=choices.claim,
    describe=notation.describe,
    scores=ending.scores,
    winners=ending.winners,
    phase=phase,
    back=back,
    acts_as=natives.acts_as,
    tells=story.TELLS,
    steering=story.STEERING,
)
