"""War, as a bot plans it: what a group can bring to a battle, whom it beats, where it gathers.

Hands are hidden, so everything is reckoned from what everybody sees: how many units a seat has,
their ranks, buildings, walls.
"""

from __future__ import annotations

from typing import Final

import core.games.civilization.layout as c
from core.games.civilization.board import distance
from core.games.civilization.wealth import battle_hand, combat_bonus, rank, stacking
from core.requests import Player
from core.table import Table

_BASE: Final = 20  # Tenths of strength of an average unit of rank 1.
_CITY, _CAPITAL, _WALLS = 60, 120, 40
_CITY_HAND: Final = 3
_ARMY_HAND: Final = 2
LAND_TYPES: Final = 3
_REACH: Final = 32  # No square is farther away.


def strength(table: Table, seat: Player, armies: int, *, is_city: bool = False) -> int:
    """Tenths of strength that a side can expect to bring: the units it may draw, and its bonus."""
    hand = battle_hand(table, seat) + _ARMY_HAND * max(armies - 1, 0)
    units = min(hand + (_CITY_HAND if is_city else 0), len(table.zones[c.FORCES[seat]]))
    ranks = 0
    for kind in range(LAND_TYPES):
        ranks += rank(table, seat, kind)
    return units * (_BASE + 10 * (ranks - LAND_TYPES) // LAND_TYPES) + 10 * combat_bonus(
        table, seat
    )


def defence(table: Table, city: int) -> int:
    """The same of whoever defends a city without armies in it."""
    seat, number = divmod(city, c.CITIES)
    walls = _WALLS if table.counters[c.WALLS[seat] + number] else 0
    own = _CITY if number else _CAPITAL
    return strength(table, seat, 0, is_city=True) + own + walls


def takes(table: Table, seat: Player, armies: int, city: int, margin: int) -> bool:
    """Whether so many armies can expect to take a city, with a margin in tenths of strength."""
    return strength(table, seat, armies) > defence(table, city) + margin


def target(table: Table, seat: Player, margin: int) -> int:
    """The square of the capital that the largest group of a seat could take; -1: there is none."""
    counters, limit = table.counters, min(stacking(table, seat), c.ARMIES - 1)
    best, found = 0, -1
    for rival in range(table.layout.players):
        square = counters[c.CITY_AT[rival]] - 1
        if rival == seat or square < 0:
            continue
        lead = strength(table, seat, limit) - defence(table, c.CITIES * rival) - margin
        if lead > best:
            best, found = lead, square
    return found


def is_threatened(table: Table, seat: Player, margin: int) -> bool:
    """Whether the largest group of a rival could take the capital of a seat."""
    for rival in range(table.layout.players):
        if rival == seat or not table.counters[c.CITY_AT[rival]]:
            continue
        limit = min(stacking(table, rival), c.ARMIES - 1)
        if takes(table, rival, limit, c.CITIES * seat, margin):
            return True
    return False


def units_wanted(table: Table, seat: Player) -> int:
    """As many as the largest group may draw."""
    return battle_hand(table, seat) + _ARMY_HAND * (stacking(table, seat) - 1)


def march(table: Table, seat: Player, square: int, aim: int, gather: int) -> int:
    """Armies gather on the way to a capital: near it, and where others are."""
    rest = table.counters[c.RESTING + square] - 1
    others = rest >> 2 & 7 if rest >= 0 and rest & 3 == seat else 0
    return _REACH - distance(square, aim) + gather * others
