"""Learning a technology, in whatever way: room in the pyramid and what follows by itself."""

from __future__ import annotations

from typing import Final

from core.games.civilization.board import AROUND, FIRST_BUILDING
from core.games.civilization.faces import BUILDING_KEYS, government, tech
from core.games.civilization.frames import touch
from core.games.civilization.layout import CITY_AT, CIV, FRESH, GOVERNMENT, MARK, TECHS, TURN
from core.games.civilization.printed import BUILDINGS, CIVILIZATIONS, GOVERNMENTS, TECHNOLOGIES
from core.games.civilization.wealth import (
    ANARCHY,
    DESPOTISM,
    TECH_LEVELS,
    cities_of,
    known,
    knows,
    set_known,
    techs,
)
from core.table import Table

TRADE_NEEDED: Final = (0, 6, 11, 16, 21, 26)  # C161, by level.
_START: Final = tuple([tech(each.technology) for each in CIVILIZATIONS])
_START_FORM: Final = tuple([GOVERNMENTS.index(each.government) for each in CIVILIZATIONS])
_UNLOCKS: Final = tuple(
    [government(each.government) if each.government else -1 for each in TECHNOLOGIES]
)
_UNLOCKED_BY: Final = tuple(
    [_UNLOCKS.index(form) if form in _UNLOCKS else -1 for form in range(len(GOVERNMENTS))]
)
_BASIC: Final = tuple(
    [  # The upgraded building by the number of the basic one, or -1.
        at + 1 if at + 1 < len(BUILDINGS) and BUILDINGS[at + 1].family == each.family else -1
        for at, each in enumerate(BUILDINGS)
    ]
)
BUILDING_TECH: Final = tuple(
    [  # C61: the technology of a building.
        next(at for at, each in enumerate(TECHNOLOGIES) if key in each.buildings)
        for key in BUILDING_KEYS
    ]
)


def counts(table: Table, seat: int) -> list[int]:
    """C162: how many cards the pyramid has on each level; the start technology is on the first."""
    found = [0] * 6
    start = _START[table.counters[CIV[seat]]]
    for technology in known(table, seat):
        found[1 if technology == start else TECH_LEVELS[technology]] += 1
    return found


def has_room(table: Table, seat: int, technology: int) -> bool:
    """C162, C163, C166: whether a technology that the seat does not know has its place."""
    return not knows(table, seat, technology) and fits(counts(table, seat), technology)


def fits(have: list[int], technology: int) -> bool:
    """C162, C163: whether a pyramid with so many cards on each level has room for one more."""
    level = TECH_LEVELS[technology]
    if level == 1:
        return True
    return have[level] < have[level - 1] - 1  # Space Flight as well: 5, 4, 3 and 2 lie below it.


def learnable(table: Table, seat: int, teacher: int, level: int = 4) -> list[int]:
    """C129, C165: what a seat could learn of another seat, up to a printed level."""
    theirs = table.counters[TECHS[teacher] : TECHS[teacher] + 2]
    mine = table.counters[TECHS[seat] : TECHS[seat] + 2]
    if not (theirs[0] & ~mine[0] or theirs[1] & ~mine[1]):  # For speed.
        return []
    have = counts(table, seat)
    return [
        at for at in known(table, teacher)
        if TECH_LEVELS[at] <= level and not knows(table, seat, at) and fits(have, at)
    ]  # fmt: skip


def learn(table: Table, seat: int, technology: int) -> None:
    """C39, C69, C167: the technology works from now on."""
    counters = table.counters
    set_known(table, seat, technology)
    form = _UNLOCKS[technology]
    if form >= 0:
        counters[FRESH[seat] + form] = 1 + counters[TURN]
    for key in TECHNOLOGIES[technology].buildings:
        _upgrade(table, seat, BUILDING_KEYS.index(key))
    touch(table)


def _upgrade(table: Table, seat: int, better: int) -> None:
    """C69, C154: all own basic buildings of the kind are turned, blockaded ones too."""
    counters = table.counters
    if better == 0 or _BASIC[better - 1] != better:
        return
    for city in cities_of(table, seat):
        for square in AROUND[counters[CITY_AT[seat] + city] - 1]:
            if counters[MARK + square] == FIRST_BUILDING + better - 1:
                counters[MARK + square] = FIRST_BUILDING + better


def is_unlocked(table: Table, seat: int, form: int) -> bool:
    """C40: whether a seat may have a government at all."""
    if form in (DESPOTISM, _START_FORM[table.counters[CIV[seat]]]):
        return True
    return form != ANARCHY and knows(table, seat, _UNLOCKED_BY[form])


def is_fresh(table: Table, seat: int, form: int) -> bool:
    """C39: the direct change is possible in the turn after the unlocking."""
    return table.counters[FRESH[seat] + form] == table.counters[TURN] and (
        table.counters[GOVERNMENT[seat]] != form
    )


def buildable(table: Table, seat: int) -> list[int]:
    """C61, C69: the buildings a seat may build; the upgraded one instead of the basic one."""
    have, found = techs(table, seat), []
    for at in range(len(BUILDINGS)):
        better = _BASIC[at]
        if better >= 0 and have >> BUILDING_TECH[better] & 1:
            continue
        if have >> BUILDING_TECH[at] & 1:
            found.append(at)
    return found
