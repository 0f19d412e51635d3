"""What a seat has by what lies and stands on the map: technologies, limits, output, coins.

All of it is derived and nothing stored (section 10.2).
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.board import (
    AROUND,
    MARK_COMBAT,
    WATER,
    icons_at,
    resource_at,
    shows_coin,
    terrain_at,
)
from core.games.civilization.faces import civilization, government, tech, wonder
from core.games.civilization.layout import (
    ARMIES,
    CITY_AT,
    CIV,
    DIRECT,
    EXTRA,
    FIGURE,
    GOVERNMENT,
    MARK,
    OBSOLETE,
    OUTSKIRTS,
    PANAMA,
    READY,
    RESTING,
    SCOUT_AT,
    SCOUTS,
    SEAT_COUNTERS,
    SHEET_COINS,
    TASK_COINS,
    TECHS,
    TECHS_AT,
    TRADE,
    USED,
    WONDER_AT,
)
from core.games.civilization.printed import TECHNOLOGIES
from core.native import i64
from core.table import Table

TRADE_MAX: Final = 27  # C43
COINS_TO_WIN: Final = 15  # C173
TECH_LEVELS: Final = tuple([each.level for each in TECHNOLOGIES])
_WORD: Final = tuple([0 if level <= 2 else 1 for level in TECH_LEVELS])
_LOW: Final = 20  # How many technologies the first word has.
_BIT: Final = tuple([1 << (at if at < _LOW else at - _LOW) for at in range(len(TECH_LEVELS))])

ANIMAL_HUSBANDRY: Final = tech("animal_husbandry")
CODE_OF_LAWS: Final = tech("code_of_laws")
HORSEBACK: Final = tech("horseback_riding")
MASONRY: Final = tech("masonry")
NAVIGATION: Final = tech("navigation")
POTTERY: Final = tech("pottery")
CIVIL_SERVICE: Final = tech("civil_service")
DEMOCRACY: Final = tech("democracy")
ENGINEERING: Final = tech("engineering")
IRRIGATION: Final = tech("irrigation")
PRINTING_PRESS: Final = tech("printing_press")
SAILING: Final = tech("sailing")
BIOLOGY: Final = tech("biology")
MILITARY_SCIENCE: Final = tech("military_science")
STEAM_POWER: Final = tech("steam_power")
THEOLOGY: Final = tech("theology")
COMBUSTION: Final = tech("combustion")
COMPUTERS: Final = tech("computers")
FLIGHT: Final = tech("flight")
MASS_MEDIA: Final = tech("mass_media")
REPLACEABLE_PARTS: Final = tech("replaceable_parts")
RAILROAD: Final = tech("railroad")
SPACE_FLIGHT: Final = tech("space_flight")

DESPOTISM: Final = government("despotism")
ANARCHY: Final = government("anarchy")
REPUBLIC: Final = government("republic")
IS_DEMOCRACY: Final = government("democracy")
IS_COMMUNISM: Final = government("communism")
FEUDALISM: Final = government("feudalism")
IS_MONARCHY: Final = government("monarchy")
FUNDAMENTALISM: Final = government("fundamentalism")

AMERICA: Final = civilization("america")
CHINA: Final = civilization("china")
EGYPT: Final = civilization("egypt")
GERMANY: Final = civilization("germany")
ROME: Final = civilization("rome")
RUSSIA: Final = civilization("russia")

PANAMA_CANAL: Final = wonder("panama_canal")
PORCELAIN_TOWER: Final = wonder("porcelain_tower")
UNITED_NATIONS: Final = wonder("united_nations")


# ---- technologies and what follows from them ----


def knows(table: Table, seat: int, technology: int) -> bool:
    """Whether a seat has learned a technology."""
    return techs(table, seat) >> technology & 1 == 1


def techs(table: Table, seat: int) -> i64:
    """All technologies of a seat, as bits by their numbers."""
    counters, at = table.counters, TECHS_AT + SEAT_COUNTERS * seat
    low: i64 = counters[at]
    high: i64 = counters[at + 1]
    return low | high << _LOW


def set_known(table: Table, seat: int, technology: int) -> None:
    """A technology is learned; what follows from it is in `learning.py`."""
    table.counters[TECHS[seat] + _WORD[technology]] |= _BIT[technology]


def known(table: Table, seat: int) -> list[int]:
    """All technologies of a seat."""
    return numbers_of(techs(table, seat))


def numbers_of(have: i64) -> list[int]:
    """The technologies of which these are the bits."""
    return [at for at in range(len(TECHNOLOGIES)) if have >> at & 1]


_FASTER: Final = 1 << FLIGHT | 1 << STEAM_POWER | 1 << SAILING | 1 << HORSEBACK
_HIGHER: Final = 1 << REPLACEABLE_PARTS | 1 << BIOLOGY | 1 << PRINTING_PRESS | 1 << MASONRY
ON_WATER: Final = 1 << SAILING | 1 << STEAM_POWER | 1 << FLIGHT  # C95


def travel(table: Table, seat: int) -> int:
    """C90: the travel speed."""
    have = techs(table, seat)
    if not have & _FASTER:
        return 2
    if have >> FLIGHT & 1:
        return 6
    if have >> STEAM_POWER & 1:
        return 5
    return 4 if have >> SAILING & 1 else 3


def stacking(table: Table, seat: int) -> int:
    """C90: how many figures of a seat may rest in a square."""
    have = techs(table, seat)
    more = 1 if table.counters[CIV[seat]] == RUSSIA else 0
    if not have & _HIGHER:
        return 2 + more
    if have >> REPLACEABLE_PARTS & 1:
        return 6 + more
    if have >> BIOLOGY & 1:
        return 5 + more
    return (4 if have >> PRINTING_PRESS & 1 else 3) + more


def stops_on_water(table: Table, seat: int) -> bool:
    """C95: water is like land."""
    return techs(table, seat) & ON_WATER != 0


def crosses_water(table: Table, seat: int) -> bool:
    """C95: at least passing over water is allowed."""
    return knows(table, seat, NAVIGATION) or stops_on_water(table, seat)


_RANKS: Final = tuple([  # By unit type: the technologies that raise it, the highest first.
    tuple([
        (at, TECH_LEVELS[at])
        for at in range(len(TECHNOLOGIES) - 1, -1, -1) if TECHNOLOGIES[at].unit == kind
    ])
    for kind in ("infantry", "mounted", "artillery")
])  # fmt: skip
_RAISE: Final = tuple([sum([1 << at for at, _ in each]) for each in _RANKS])  # The same as bits.


def rank(table: Table, seat: int, unit_type: int) -> int:
    """C167: the rank of a unit type; that of aircraft is 1 with Flight, else 0."""
    if unit_type == 3:
        return int(knows(table, seat, FLIGHT))
    have = techs(table, seat)
    if have & _RAISE[unit_type]:  # For speed.
        for at, level in _RANKS[unit_type]:
            if have >> at & 1:
                return level
    return 1


def is_used(table: Table, seat: int, ability: int) -> bool:
    """C29: whether something that is once per turn has been used in this one."""
    return bool(table.counters[USED[seat]] >> ability & 1)


def set_used(table: Table, seat: int, ability: int) -> None:
    """C29: not again in this turn."""
    table.counters[USED[seat]] |= 1 << ability


# ---- figures and blockades ----


def resting(table: Table, square: int) -> tuple[int, int, int]:
    """C107: whose figures rest on a square, how many armies, how many scouts; -1: nobody's."""
    number = table.counters[RESTING + square] - 1
    if number < 0:
        return -1, 0, 0
    return number & 3, number >> 2 & 7, number >> 5


def owner_at(table: Table, square: int) -> int:
    """The seat in whose outskirts a square lies, -1 for nobody."""
    city = table.counters[OUTSKIRTS + square] - 1
    return city // 3 if city >= 0 else -1


def is_enemy_at(table: Table, square: int, seat: int) -> bool:
    """C152: whether a figure of somebody else rests there."""
    number = table.counters[RESTING + square] - 1
    return number >= 0 and number & 3 != seat


def cities_of(table: Table, seat: int) -> list[int]:
    """The cities of a seat that stand, as 0 to 2; 0 is the capital."""
    counters = table.counters
    first: i64 = CITY_AT[seat]
    return [city for city in range(3) if counters[first + city]]


def city_limit(table: Table, seat: int) -> int:
    """C32: how many cities a seat may have."""
    return 3 if knows(table, seat, IRRIGATION) else 2


def sent(table: Table, seat: int) -> dict[int, int]:
    """C146: the squares with an own scout that gathers, and the city each is sent to (-1: none)."""
    counters, ready = table.counters, table.counters[READY[seat]]
    found: dict[int, int] = {}
    for scout in range(SCOUTS):
        if not ready >> scout & 1:
            continue
        square = counters[SCOUT_AT[seat] + scout] - 1
        if square < 0:
            continue
        aim = counters[DIRECT[seat] + scout]
        if aim > 0 and counters[CITY_AT[seat] + aim - 1]:
            found[square] = aim - 1
        elif aim < 0:
            found[square] = -1
        elif square not in found:  # Whoever joins another scout changes nothing.
            city = counters[OUTSKIRTS + square] - 1
            found[square] = city % 3 if city >= 0 and city // 3 == seat else 0
    return found


def squares_of(table: Table, seat: int, city: int) -> list[int]:
    """C52: the squares that work for a city: its outskirts and what is sent to it."""
    counters = table.counters
    sends = sent(table, seat)
    found = []
    for square in AROUND[counters[CITY_AT[seat] + city] - 1]:
        number = counters[RESTING + square] - 1
        if number < 0 or (number & 3 == seat and sends.get(square, city) == city):
            found.append(square)
    for square, to in sends.items():
        if to == city and counters[OUTSKIRTS + square] != 1 + 3 * seat + city:
            found.append(square)
    return found


def output(table: Table, seat: int, city: int, good: int) -> int:
    """C52: how many icons of a kind (0 trade, 1 production, 2 culture) a city has."""
    total = 0
    for square in squares_of(table, seat, city):
        total += icons_at(table, square)[good]
    return total


def trade_income(table: Table, seat: int) -> int:
    """C43: the trade that a seat collects."""
    total = 0
    for city in cities_of(table, seat):
        total += output(table, seat, city, 0)
    form = table.counters[GOVERNMENT[seat]]
    if form == IS_DEMOCRACY:
        total += 2
    elif form == FUNDAMENTALISM:
        total -= 2
    return max(total, 0)


def gain_trade(table: Table, seat: int, amount: int) -> None:
    """C43: the dial stops at 27."""
    table.counters[TRADE[seat]] = min(table.counters[TRADE[seat]] + amount, TRADE_MAX)


def production(table: Table, seat: int, city: int) -> int:
    """C53, C55: the production of a city, with what governments and technologies add."""
    total = output(table, seat, city, 1) + table.counters[EXTRA[seat] + city]
    if table.counters[GOVERNMENT[seat]] == IS_COMMUNISM:
        total += 2
    if knows(table, seat, MILITARY_SCIENCE):
        total += coins(table, seat) // 3
    return total


def arts(table: Table, seat: int, city: int) -> int:
    """C70: the culture of a city that is devoted to the arts."""
    total = 1 + output(table, seat, city, 2)
    form = table.counters[GOVERNMENT[seat]]
    if form == IS_MONARCHY:
        total += 1
    elif form == IS_COMMUNISM and city == 0:
        total -= 1
    return max(total, 0)


def resources_of(table: Table, seat: int, city: int) -> i64:
    """C81, C82: the resources that a city could harvest, as bits, whatever the market has."""
    squares = squares_of(table, seat, city)
    if table.counters[GOVERNMENT[seat]] == FEUDALISM:
        squares += [at for each in cities_of(table, seat) for at in own_squares(table, seat, each)]
    shown: i64 = 0
    for at in squares:
        kind: i64 = resource_at(table, at)
        if kind >= 0:
            shown |= 1 << kind
    return shown


def own_squares(table: Table, seat: int, city: int) -> list[int]:
    """The outskirts of a city that are not blockaded (C152)."""
    center = table.counters[CITY_AT[seat] + city] - 1
    return [at for at in AROUND[center] if not is_enemy_at(table, at, seat)]


# ---- coins, limits ----


def coins(table: Table, seat: int) -> int:
    """C139: what the economy dial shows."""
    counters, total = table.counters, 0
    for city in range(3):
        center = counters[CITY_AT[seat] + city] - 1
        if center < 0:
            continue
        for square in AROUND[center]:
            if shows_coin(table, square) and not is_enemy_at(table, square, seat):
                total += 1
    first, second = counters[SCOUT_AT[seat]] - 1, counters[SCOUT_AT[seat] + 1] - 1
    total += _gathers_coin(table, seat, first)
    total += second != first and _gathers_coin(table, seat, second)
    have = techs(table, seat)
    total += (have >> CIVIL_SERVICE & 1) + (have >> RAILROAD & 1) + (have >> COMPUTERS & 1)
    total += counters[GOVERNMENT[seat]] == FEUDALISM
    total += counters[SHEET_COINS[seat]]
    for task in range(4):
        total += counters[TASK_COINS[seat] + task]
    if counters[PANAMA] and has_wonder(table, seat, PANAMA_CANAL):
        total += counters[PANAMA]
    return total


def _gathers_coin(table: Table, seat: int, square: int) -> bool:
    """C139: whether a scout on a square adds a coin that no city counts."""
    if square < 0 or not shows_coin(table, square):
        return False
    return owner_at(table, square) != seat


def has_wonder(table: Table, seat: int, number: int) -> bool:
    """C153, C158: whether a wonder works for a seat: not blockaded, not obsolete."""
    square = table.counters[WONDER_AT + number] - 1
    if square < 0 or owner_at(table, square) != seat or table.counters[OBSOLETE] >> number & 1:
        return False
    return not is_enemy_at(table, square, seat)


def hand_limit(table: Table, seat: int) -> int:
    """C75: how many event cards a seat may hold."""
    limit = 2 + sum([knows(table, seat, each) for each in (POTTERY, CIVIL_SERVICE, THEOLOGY)])
    if table.counters[GOVERNMENT[seat]] == IS_MONARCHY:
        limit += 1
    if knows(table, seat, COMPUTERS):
        limit += coins(table, seat) // 5
    return limit


def battle_hand(table: Table, seat: int) -> int:
    """C112: the units that a seat may draw for a battle, before armies and cities."""
    size = 3
    if table.counters[GOVERNMENT[seat]] == FUNDAMENTALISM:
        size += 1
    if knows(table, seat, COMPUTERS):
        size += coins(table, seat) // 5
    return size


def combat_bonus(table: Table, seat: int) -> int:
    """C114: what buildings and generals add, wherever they are; blockaded ones do not."""
    counters, total = table.counters, 0
    for city in cities_of(table, seat):
        for square in AROUND[counters[CITY_AT[seat] + city] - 1]:
            combat = MARK_COMBAT[counters[MARK + square]]
            if combat and not is_enemy_at(table, square, seat):
                total += combat
    return total


# ---- where figures may be ----


def may_rest(table: Table, square: int, seat: int) -> bool:
    """C94, C95, C106: a quiet square on which figures of a seat may rest, limits aside."""
    terrain = terrain_at(table, square)
    if terrain < 0 or (terrain == WATER and not stops_on_water(table, seat)):
        return False
    return not is_enemy_at(table, square, seat)


def figures_at(table: Table, seat: int, square: int) -> list[int]:
    """The figures of a seat that rest on a square; armies come first."""
    counters = table.counters
    if counters[RESTING + square] == 0:
        return []
    return [at for at in range(ARMIES + SCOUTS) if counters[FIGURE[seat] + at] == square + 1]
