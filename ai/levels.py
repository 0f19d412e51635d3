"""Gentle, steady, sharp: how long a bot thinks, in iterations and never in seconds.

A budget in iterations makes a decision the same on every machine, so that it can be agreed at the
table and checked later.  A level is weaker because it has imagined less, not because it blunders on
purpose.  The budget grows with the number of legal actions, since every one wants its share, up to
a limit; what a move costs here is measured in docs/bots.md.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ai.knowledge.known import find_knowledge
from ai.search import Decision, search
from core.game import Game
from core.requests import Player
from core.table import Eyes, Table


class Level(NamedTuple):
    """How many iterations a bot spends on one choice."""

    name: str
    iterations_per_action: int
    iterations_max: int

    def budget(self, actions_count: int) -> int:
        """The iterations for a choice among so many legal actions.

        >>> Level("easy", 10, 60).budget(3), Level("easy", 10, 60).budget(30)
        (30, 60)
        """
        return min(self.iterations_per_action * actions_count, self.iterations_max)


LEVELS: Final = {
    level.name: level
    for level in (
        Level("gentle", 12, 60),
        Level("steady", 40, 240),
        Level("sharp", 300, 2400),
    )
}


def decide(
    game: Game, table: Table, eyes: Eyes, player: Player, *, seed: int, level: Level
) -> Decision:
    """What a bot of that level does: a pure function of what it is handed."""
    actions_count = len(game.legal_actions(table, player, eyes))
    return search(
        game,
        table,
        eyes,
        player,
        seed=seed,
        iterations=level.budget(actions_count),
        knowledge=find_knowledge(game),
    )
