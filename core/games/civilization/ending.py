"""How a game ends (C171 to C178)."""

from __future__ import annotations

from core.games.civilization.layout import WINNER
from core.requests import Player
from core.table import Table


def scores(table: Table) -> tuple[int, ...]:
    """C178: 1 for the winner, 0 for all others."""
    return tuple([int(table.counters[WINNER] == seat) for seat in range(table.layout.players)])


def winners(table: Table) -> tuple[Player, ...]:
    """C178: one seat; a game without a winner (D15, 8.1) is level among all."""
    winner = table.counters[WINNER]
    return (winner,) if winner >= 0 else tuple(range(table.layout.players))
