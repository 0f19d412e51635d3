"""The evaluation of an unfinished game of Civilization: what each seat has, weighed, added up.

That is what it has towards the four victories, and what its cities and forces are good for.  The
weights were learned from who has won games of plans (`lab.py learn_evaluation civilization`).
"""

from __future__ import annotations

from typing import Final

import core.games.civilization.layout as c
from ai.games.civilization import war
from ai.games.civilization.plan import armies_of, scouts_of
from core.games.civilization.wealth import (
    TECH_LEVELS,
    arts,
    cities_of,
    coins,
    combat_bonus,
    known,
    output,
    rank,
    stacking,
    trade_income,
)
from core.requests import Player
from core.table import Table

TENTHS: Final = 10
# By the number of seats what each of `features` is worth, in tenths of a point.
_WEIGHTS: Final[tuple[tuple[int, ...], ...]] = (
    (),
    (),
    (0, 10, 18, 82, 0, 41, 136, 0, 56, 44, 82, 90, 4, 106, 102, 130, 117, 41, 65, 2, 1),
    (1, 6, 11, 148, 1, 29, 175, 0, 72, 13, 74, 2, 1, 44, 56, 139, 86, 147, 5, 2, 1),
    (0, 7, 29, 84, 0, 23, 97, 1, 66, 18, 61, 1, 57, 46, 85, 150, 126, 83, 6, 3, 0),
)


def seat_points(table: Table, seat: Player) -> int:
    """What a seat has, in points of `ai.search.softmax`."""
    learned, worth = _WEIGHTS[table.layout.players], 0
    for place, count in enumerate(features(table, seat)):
        worth += learned[place] * count
    return worth // TENTHS


def features(table: Table, seat: Player) -> list[int]:
    """What a seat has, each thing by itself: `_WEIGHTS` says what it counts.

    The track and the coins, which stand there once more squared, since a step is worth more the
    nearer the victory is; culture and trade; technologies, and their levels added up; what cities
    make, and how many there are; cards; units, their bonus and ranks; figures; what a group of
    armies is good for in an attack, and the capital in defence.
    """
    counters, zones = table.counters, table.zones
    track, money = counters[c.TRACK_AT[seat]], coins(table, seat)
    cities, levels = cities_of(table, seat), [TECH_LEVELS[each] for each in known(table, seat)]
    ranks = [rank(table, seat, kind) for kind in range(war.LAND_TYPES)]
    armies = min(stacking(table, seat), c.ARMIES - 1)
    return [
        track,
        track * track,
        counters[c.CULTURE[seat]],
        money,
        money * money,
        counters[c.TRADE[seat]],
        len(levels),
        sum(levels),
        trade_income(table, seat),
        len(cities),
        sum([output(table, seat, city, 1) for city in cities]),
        sum([arts(table, seat, city) for city in cities]),
        len(zones[c.EVENTS[seat]]),
        len(zones[c.TOKENS[seat]]),
        len(zones[c.FORCES[seat]]),
        combat_bonus(table, seat),
        sum(ranks),
        armies_of(table, seat),
        scouts_of(table, seat),
        war.strength(table, seat, armies),
        war.defence(table, c.CITIES * seat) if 0 in cities else 0,
    ]
