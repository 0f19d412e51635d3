"""Sid Meier's Civilization: The Board Game, base game with FAQ 2.0, 2 to 4 seats.

The code cites the rules by C, edge cases by E, decisions by D, as numbered in the specification the
game was built from.  What is printed on the components is in `printed.py` alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.game import Option
from core.games.civilization import choices, ending, notation, setup, turn
from core.games.civilization.course import PHASES
from core.games.civilization.faces import BACKS, FACES
from core.games.civilization.frames import ASKING, KIND, KINDS, top
from core.games.civilization.layout import PHASE, counter_names, places
from core.games.civilization.text import RULES
from core.requests import Action, Card, Claim, Player, Request
from core.table import Eyes, Layout, OptionValue, Table

OPTIONS = (
    Option("civs", ("random", "chosen")),  # C5
    Option("practice", (False, True)),  # 8.1
    Option("practice_end", (False, True)),
    Option("homes2", ("ne-sw", "nw-se"), players=(2,)),
    Option("max_turns", (60, 30, 12, 6)),  # D15
)


class Civilization:
    """The rules of Civilization."""

    slug = "civilization"
    players = range(2, 5)
    faces: tuple[str, ...] = FACES
    options: tuple[Option, ...] = OPTIONS
    rules = RULES

    def setup(self, players: int, options: Mapping[str, OptionValue]) -> Table:
        """C2: everything that is in the box, face up."""
        layout = Layout(players, FACES, places(players), counter_names(players), options)
        table = Table(layout)
        setup.lay_out(table)
        return table

    def advance(self, table: Table) -> Request:
        """Carry on until something is needed from outside."""
        return turn.advance(table)

    def legal_actions(self, table: Table, player: Player, eyes: Eyes) -> list[Action]:
        """What `player` may do now."""
        return choices.legal_actions(table, player, eyes)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        """Do it, or raise RulesError when everybody can see that it is against the rules."""
        choices.apply(table, player, action)

    def claim(self, table: Table, player: Player, action: Action) -> Claim | None:
        """What an action says about a hidden card."""
        return choices.claim(table, player, action)

    def describe(self, table: Table, action: Action, eyes: Eyes) -> str:
        """The notation of an action."""
        return notation.describe(table, action, eyes)

    def scores(self, table: Table) -> tuple[int, ...]:
        """C178: 1 for the winner."""
        return ending.scores(table)

    def winners(self, table: Table) -> tuple[Player, ...]:
        """C178: the seat that won."""
        return ending.winners(table)

    def team(self, table: Table, player: Player) -> int:
        """Everybody plays alone."""
        return player

    def phase(self, table: Table) -> str:
        """The key of what is asked, else of the phase."""
        kind = table.counters[top(table) + KIND]
        return KINDS[kind] if kind >= ASKING else PHASES[table.counters[PHASE]]

    def back(self, table: Table, card: Card) -> str:
        """What everybody sees on the back: a type, and of events and wonders the era."""
        return BACKS[card]
