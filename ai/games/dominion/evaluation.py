"""The evaluation of an unfinished game of Dominion: who is ahead, and by how much.

A logistic regression on 56,598 turns of 4,000 games between agendas of all kinds: points count what
they are; every Province that is left makes the better deck worth more.  A deck is as good as its
cards are on average, so that land and Copper weigh down a small deck more than a large one.
"""

from __future__ import annotations

from typing import Final

import core.games.dominion.cards as c
from ai.search.knowledge import REWARD_ONE
from core.games.dominion.scoring import owned, points
from core.requests import Player
from core.table import Table

# In tenths of a point for every Province that is left, in a deck of nothing but this card.
_QUALITY: Final = {
    c.COPPER: -20, c.SILVER: -2, c.GOLD: 48, c.ESTATE: -47, c.DUCHY: -107, c.PROVINCE: -91,
    c.CURSE: -70, c.WITCH: 95, c.BANDIT: 49, c.MILITIA: 21, c.COUNCIL_ROOM: 17, c.MOAT: 10,
    c.LIBRARY: 7, c.BUREAUCRAT: 0, c.SMITHY: 0, c.MARKET: -1, c.SENTRY: -2, c.FESTIVAL: -8,
    c.POACHER: -11, c.LABORATORY: -17, c.SPY: -23, c.MINE: -27, c.MERCHANT: -34, c.MONEYLENDER: -34,
    c.CHAPEL: -42, c.VILLAGE: -47,
}  # fmt: skip
_OTHER_QUALITY: Final = -30
_QUALITIES: Final = [_QUALITY.get(face, _OTHER_QUALITY) for face in range(len(c.POINTS))]
_TENTHS: Final = 10
_TURN: Final = 11  # What it is worth to have the turn, in tenths of a point.
_DOUBLING: Final = 29  # Whoever is ahead by so much is twice as likely to win.
_EIGHTHS: Final = (1024, 1117, 1218, 1328, 1448, 1579, 1722, 1878)  # 2 ** (n / 8), times 1024.
_DOUBLINGS_MAX: Final = 16


def shares(table: Table) -> list[int]:
    """What each seat can expect of the victory, in parts of REWARD_ONE."""
    worth = [_seat_points(table, seat) for seat in range(table.layout.players)]
    turn = table.counters[c.TURN]
    if turn >= 0:
        worth[turn] += _TURN
    most = max(worth)
    weights = []
    for each in worth:
        behind = min((most - each) * 8 // _DOUBLING, 8 * _DOUBLINGS_MAX)
        up = 8 * _DOUBLINGS_MAX - behind
        weights.append(_EIGHTHS[up % 8] << up // 8)
    whole = sum(weights)
    return [REWARD_ONE * weight // whole for weight in weights]


def _seat_points(table: Table, seat: Player) -> int:
    """Points, and what the deck may still bring, in tenths of a point."""
    counts = owned(table, seat)
    quality, cards = 0, 0
    for face, count in enumerate(counts):
        quality += count * _QUALITIES[face]
        cards += count
    # The regression was made with two seats and 8 Provinces: what is left is shared by all.
    left = len(table.zones[c.PROVINCE]) * 2 // table.layout.players
    return _TENTHS * points(table, seat) + left * quality // max(cards, 1)
