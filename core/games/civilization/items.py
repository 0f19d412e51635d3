"""What a city can make (C53 to C69): items, their costs, and where they may be placed.

An item is a number: 0 an army, 1 a scout, from 2 a unit by type, from 6 a building, 20 walls, from
30 a wonder; from 60 a resource that is harvested.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.board import (
    AROUND,
    FIRST_BUILDING,
    PERSON_MARK,
    TERRAIN_OF,
    WATER,
    WONDER_MARK,
    terrain_at,
)
from core.games.civilization.faces import (
    BUILDING_KEYS,
    FIRST_WONDER,
    WONDER_KEYS,
    tech,
    wonder,
)
from core.games.civilization.figures import (
    ARMY_UNIT,
    SCOUT_UNIT,
    may_build_on,
    room_on,
    supply_army,
    supply_of,
    supply_scout,
)
from core.games.civilization.layout import (
    CITY_AT,
    CIV,
    FIGURE,
    GROUND,
    MARK,
    MARKET,
    RESTING,
    SUPPLY,
    TRADE,
    UNIT_DECK,
    WALLS,
    WONDER_MARKET,
)
from core.games.civilization.learning import buildable
from core.games.civilization.printed import (
    AIRCRAFT_COST,
    BUILDINGS,
    RESOURCES,
    TERRAINS,
    UNIT_COSTS,
    UNIT_TYPES,
    WALLS_COST,
    WONDERS,
)
from core.games.civilization.wealth import (
    AMERICA,
    EGYPT,
    ENGINEERING,
    MASONRY,
    has_wonder,
    is_enemy_at,
    is_used,
    knows,
    production,
    rank,
    resources_of,
    stops_on_water,
)
from core.table import Table

ARMY: Final = 0
SCOUT: Final = 1
FIRST_UNIT: Final = 2
FIRST_BUILDING_ITEM: Final = 6
WALLS_ITEM: Final = 20
FIRST_WONDER_ITEM: Final = 30
ARTS: Final = 50
HARVEST: Final = 60
ANGKOR_WAT: Final = wonder("angkor_wat")
ITEM_KEYS: Final[dict[int, str]] = {
    ARMY: "army", SCOUT: "scout", WALLS_ITEM: "walls",
    **{FIRST_UNIT + at: key for at, key in enumerate(UNIT_TYPES)},
    **{FIRST_BUILDING_ITEM + at: key for at, key in enumerate(BUILDING_KEYS)},
    **{FIRST_WONDER_ITEM + at: key for at, key in enumerate(WONDER_KEYS)},
    **{HARVEST + at: key for at, key in enumerate(RESOURCES)},
}  # fmt: skip
_FITS: Final = tuple([  # By building and ground: whether its terrain is one for the building.
    tuple([TERRAINS[terrain] in building.terrains for terrain in TERRAIN_OF])
    for building in BUILDINGS
])  # fmt: skip
_LOWER: Final = tuple([tech(each.technology) if each.technology else -1 for each in WONDERS])
_MARKS: Final = FIRST_BUILDING - FIRST_BUILDING_ITEM

# ---- costs ----


def cost(table: Table, seat: int, item: int) -> int:
    """C57, C59, C61, C64, C67: the production that an item takes."""
    if item < FIRST_UNIT:
        return 6 if item else 4
    if item < FIRST_BUILDING_ITEM:
        kind = item - FIRST_UNIT
        return AIRCRAFT_COST if kind == 3 else UNIT_COSTS[rank(table, seat, kind)]
    if item < WALLS_ITEM:
        return BUILDINGS[item - FIRST_BUILDING_ITEM].cost
    if item == WALLS_ITEM:
        return WALLS_COST
    at = item - FIRST_WONDER_ITEM
    is_lower = _LOWER[at] >= 0 and knows(table, seat, _LOWER[at])
    return WONDERS[at].lower_cost if is_lower else WONDERS[at].cost


def trade_for(table: Table, seat: int, missing: int) -> int:
    """C54: the trade that missing production costs: 3 for 1, for America 3 for 2."""
    if missing <= 0:
        return 0
    rate = 2 if table.counters[CIV[seat]] == AMERICA else 1
    return 3 * -(-missing // rate)


def budget(table: Table, seat: int, city: int) -> int:
    """C53, C54: the production of a city and what all the trade of the seat adds to it."""
    rate = 2 if table.counters[CIV[seat]] == AMERICA else 1
    return production(table, seat, city) + table.counters[TRADE[seat]] // 3 * rate


# ---- places ----


def is_sited(item: int) -> bool:
    """Whether an item is placed on a square."""
    return (
        item < FIRST_UNIT
        or FIRST_BUILDING_ITEM <= item < WALLS_ITEM
        or (FIRST_WONDER_ITEM <= item < ARTS)
    )


def sites(table: Table, seat: int, city: int, item: int) -> list[int]:
    """Where an item of a city may be placed."""
    around = AROUND[table.counters[CITY_AT[seat] + city] - 1]
    if item < FIRST_UNIT:
        return [at for at in around if _takes_figure(table, seat, item, at)]
    if item < WALLS_ITEM:
        return _building_sites(table, seat, around, item - FIRST_BUILDING_ITEM)
    free = [at for at in around if may_build_on(table, at, seat)]
    standing = [at for at in around if _is_wonder(table, at)]
    return [at for at in free if not standing or at in standing]  # C64, C68


def _takes_figure(table: Table, seat: int, item: int, square: int) -> bool:
    """C57, C58: room for it, or for an army a blockading enemy to fight."""
    if item == ARMY and is_enemy_at(table, square, seat):
        return terrain_at(table, square) != WATER or stops_on_water(table, seat)
    return room_on(table, seat, square) > 0


def _building_sites(table: Table, seat: int, around: tuple[int, ...], kind: int) -> list[int]:
    """C61, C62, C68: fitting terrain, no blockade, one limited building in a city."""
    counters, building = table.counters, BUILDINGS[kind]
    if not counters[SUPPLY + building.family]:
        return []
    limited = [at for at in around if _is_limited(table, at)] if building.is_limited else []
    fits = _FITS[kind]
    return [
        at for at in around
        if fits[counters[GROUND + at]]
        and not is_enemy_at(table, at, seat)
        and counters[MARK + at] != FIRST_BUILDING + kind
        and (not limited or at in limited)
    ]  # fmt: skip


def _is_limited(table: Table, square: int) -> bool:
    mark = table.counters[MARK + square]
    return FIRST_BUILDING <= mark < WONDER_MARK and BUILDINGS[mark - FIRST_BUILDING].is_limited


def _is_wonder(table: Table, square: int) -> bool:
    return WONDER_MARK <= table.counters[MARK + square] < PERSON_MARK


# ---- what can be made ----


def stock(table: Table, seat: int) -> list[int]:
    """Items that there are, whatever they cost and wherever they could stand."""
    found = [ARMY] if supply_army(table, seat) >= 0 else []
    found += [SCOUT] if supply_scout(table, seat) >= 0 else []
    for kind in range(4):
        if table.zones[UNIT_DECK + kind] and rank(table, seat, kind):
            found.append(FIRST_UNIT + kind)
    found += [FIRST_BUILDING_ITEM + at for at in buildable(table, seat)]
    if knows(table, seat, MASONRY):
        found.append(WALLS_ITEM)
    market = sorted([table.face[card] for card in table.zones[WONDER_MARKET]])
    return found + [FIRST_WONDER_ITEM + face - FIRST_WONDER for face in market]


def is_placeable(table: Table, seat: int, city: int, item: int) -> bool:
    """Whether an item has a place in a city."""
    if item == WALLS_ITEM:
        return not table.counters[WALLS[seat] + city]
    if item < FIRST_UNIT:  # For speed.
        for at in AROUND[table.counters[CITY_AT[seat] + city] - 1]:
            if _takes_figure(table, seat, item, at):
                return True  # Nearly always the first.
        return False
    return not is_sited(item) or bool(sites(table, seat, city, item))


def makeable(table: Table, seat: int, city: int) -> list[int]:
    """C53: the items that a city can make now."""
    purse = budget(table, seat, city)
    return [
        item for item in stock(table, seat)
        if cost(table, seat, item) <= purse and is_placeable(table, seat, city, item)
    ]  # fmt: skip


def builds_free(table: Table, seat: int) -> bool:
    """3.6: Egypt can still build something for nothing in this turn."""
    return table.counters[CIV[seat]] == EGYPT and not is_used(table, seat, powers.EGYPT_BUILDING)


def free_buildings(table: Table, seat: int, city: int) -> list[int]:
    """3.6: what Egypt builds for nothing: an unlocked building, or walls."""
    items = [FIRST_BUILDING_ITEM + at for at in buildable(table, seat)]
    items += [WALLS_ITEM] if knows(table, seat, MASONRY) else []
    return [item for item in items if is_placeable(table, seat, city, item)]


def may_split(table: Table, seat: int) -> bool:
    """C56: a city can still make two items in this turn."""
    return knows(table, seat, ENGINEERING) and not is_used(table, seat, powers.ENGINEERING_SPLIT)


def split_items(table: Table, seat: int, city: int) -> list[int]:
    """C56: items besides which the city could make another one."""
    purse = budget(table, seat, city)
    prices = [(item, cost(table, seat, item)) for item in stock(table, seat)]
    found = []
    for item, price in prices:
        fit = [each for each, other in prices if other <= purse - price]
        if fit and is_placeable(table, seat, city, item):
            site = sites(table, seat, city, item)[0] if is_sited(item) else -1
            if _has_second(table, seat, city, (item, site), fit):
                found.append(item)
    return found


def _has_second(table: Table, seat: int, city: int, first: tuple[int, int], fit: list[int]) -> bool:
    """C56: whether one of the items that can be paid for has a place besides a first one."""
    saved = table.counters[:]
    _pretend(table, seat, first)
    has = any(_fits_beside(table, seat, city, first, each) for each in fit)
    table.counters[:] = saved
    return has


def second_items(table: Table, seat: int, city: int, first: tuple[int, int]) -> list[int]:
    """C56: what the rest of the production makes besides a first item on its site."""
    left = budget(table, seat, city) - cost(table, seat, first[0])
    fit = [each for each in stock(table, seat) if cost(table, seat, each) <= left]
    saved = table.counters[:]
    _pretend(table, seat, first)
    fit = [each for each in fit if _fits_beside(table, seat, city, first, each)]
    table.counters[:] = saved
    return fit


def _fits_beside(table: Table, seat: int, city: int, first: tuple[int, int], item: int) -> bool:
    """C56: whether there is an item, and a place for it, while the first one stands on its site."""
    if not is_left(table, seat, item, first[0]):
        return False
    if first[1] < 0 or item < FIRST_UNIT or not is_sited(item):
        return is_placeable(table, seat, city, item)
    return any(at != first[1] for at in sites(table, seat, city, item))


def second_sites(
    table: Table, seat: int, city: int, first: tuple[int, int], item: int
) -> list[int]:
    """C56: where the second item may be placed, the first one being placed."""
    saved = table.counters[:]
    _pretend(table, seat, first)
    found = sites(table, seat, city, item)
    table.counters[:] = saved
    return [at for at in found if item < FIRST_UNIT or first[0] < FIRST_UNIT or at != first[1]]


def is_left(table: Table, seat: int, item: int, first: int) -> bool:
    """Whether there is one more of an item when the first one has been taken."""
    if item in (ARMY, SCOUT):
        return supply_of(table, seat, item == SCOUT) >= 0
    if FIRST_UNIT <= item < FIRST_BUILDING_ITEM:
        return len(table.zones[UNIT_DECK + item - FIRST_UNIT]) > (item == first)
    return item != first or item < WALLS_ITEM


def _pretend(table: Table, seat: int, first: tuple[int, int]) -> None:
    """Put the first item where it shall be, as far as the counters go."""
    counters = table.counters
    item, site = first
    if item in (ARMY, SCOUT):
        counters[FIGURE[seat] + supply_of(table, seat, item == SCOUT)] = site + 1
        unit = SCOUT_UNIT if item == SCOUT else ARMY_UNIT
        counters[RESTING + site] = (counters[RESTING + site] or 1 + seat) + unit
    elif is_sited(item):
        old = counters[MARK + site]
        if FIRST_BUILDING <= old < WONDER_MARK:  # C68: it goes back to the market.
            counters[SUPPLY + BUILDINGS[old - FIRST_BUILDING].family] += 1
        if item < WALLS_ITEM:
            counters[SUPPLY + BUILDINGS[item - FIRST_BUILDING_ITEM].family] -= 1
            counters[MARK + site] = item + _MARKS
        else:
            counters[MARK + site] = WONDER_MARK + item - FIRST_WONDER_ITEM


# ---- harvest ----


def harvestable(table: Table, seat: int, city: int) -> list[int]:
    """C81 to C83: resources that the city shows and the market has."""
    shown = resources_of(table, seat, city)
    return [kind for kind in range(4) if shown >> kind & 1 and table.counters[MARKET + kind]]


def double_harvests(table: Table, seat: int, city: int) -> list[int]:
    """C82: pairs as kind + 8 * second kind, with Angkor Wat."""
    if is_used(table, seat, powers.ANGKOR_HARVEST) or not has_wonder(table, seat, ANGKOR_WAT):
        return []
    kinds, market = harvestable(table, seat, city), table.counters[MARKET : MARKET + 4]
    return [
        one + 8 * two for one in kinds for two in kinds
        if one < two or (one == two and market[one] > 1)
    ]  # fmt: skip
