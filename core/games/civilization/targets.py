"""What events and resource abilities can be aimed at (3.1, 3.3), as numbers to choose from.

A figure or great person is square + 256 * (kind + 3 * owner), kind 0 an army, 1 a scout, 2 a
person; a building or place is its square; a seat, an own city, a wonder is its number.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.board import (
    CITY_MARK,
    DESERT,
    DISASTER,
    FIRST_BUILDING,
    FOREST,
    MOUNTAIN,
    NEIGHBOURS,
    PERSON_MARK,
    WATER,
    WONDER_MARK,
    terrain_at,
)
from core.games.civilization.faces import EVENT_KEYS, FIRST_WONDER, event
from core.games.civilization.figures import city_at, room_on
from core.games.civilization.layout import (
    ARMIES,
    CITIES,
    CITY_AT,
    FIGURE,
    FIGURES,
    FORCES,
    FROZEN,
    GOVERNMENT,
    GROUND,
    GROUP,
    GUARD,
    LEFT,
    MARK,
    MOVE_AT,
    MOVE_FROM,
    MOVER,
    OBSOLETE,
    REFUSED,
    RESTING,
    SQUARES,
    WALLS,
    WONDER_AT,
    WONDER_MARKET,
)
from core.games.civilization.learning import learnable
from core.games.civilization.printed import EVENT_KINDS, WONDERS
from core.games.civilization.wealth import (
    ANARCHY,
    UNITED_NATIONS,
    cities_of,
    figures_at,
    has_wonder,
    is_enemy_at,
    owner_at,
    resting,
    stacking,
)
from core.native import i64
from core.table import Table

ARMY_KIND: Final = 0
SCOUT_KIND: Final = 1
PERSON_KIND: Final = 2
CONSENT_BIT: Final = 7
DONE: Final = -1  # A second target that is not wanted.
UNIT_TARGET: Final = 100  # Monarchy: more than the numbers of wonders.
BUILDING_TARGET: Final = 256  # Gunpowder: a building on a square.

DEFECTION: Final = event("defection")
MASS_DEFECTION: Final = event("mass_defection")
WHOLESALE: Final = event("wholesale_defection")
DEFECTIONS: Final = (DEFECTION, MASS_DEFECTION, WHOLESALE)
BREAD: Final = event("bread_and_circuses")
JOUSTING: Final = event("jousting_tourney")
PRIMETIME: Final = event("primetime_tv")
GIFT_FROM_AFAR: Final = event("gift_from_afar")
DISASTER_EVENT: Final = event("disaster")
SHIFTS: Final = (event("disoriented"), event("lost"), event("out_of_position"))
DAYS: Final = (event("despot_day"), event("queen_day"), event("president_day"))
REVOLTS: Final = (event("revolt"), event("revolt_ii"))
IDEAS: Final = (event("exchange_of_ideas"), event("knowledge_shared"), event("think_tank"))
SABOTAGES: Final = (event("sabotage"), event("catastrophe"))
DROUGHT: Final = event("drought")
DEFORESTATION: Final = event("deforestation")
_PLAIN_DESERT: Final = (1 + DESERT, 1 + DESERT + 5 * DISASTER)


def others(table: Table, seat: int) -> list[int]:
    """The other seats, clockwise from the left neighbour."""
    players = table.layout.players
    return [(seat + step) % players for step in range(1, players)]


# ---- whose, and how far ----


def is_protected(table: Table, actor: int, owner: int) -> bool:
    """IW0, E47: what a working United Nations covers, unless its owner wants to be asked."""
    if owner in (-1, actor) or not has_wonder(table, owner, UNITED_NATIONS):
        return False
    asks = table.counters[GUARD[owner]] >> CONSENT_BIT & 1
    return not asks or bool(table.counters[REFUSED[actor]] >> owner & 1)


def within(table: Table, seat: int, reach: int) -> set[int]:
    """C97: face-up squares that many orthogonal steps from an own figure or city centre."""
    counters = table.counters
    if reach >= 99:
        return {at for at in range(SQUARES) if counters[GROUND + at]}
    own = [*counters[FIGURE[seat] : FIGURE[seat] + FIGURES],
           *counters[CITY_AT[seat] : CITY_AT[seat] + 3]]  # fmt: skip
    edge = [at - 1 for at in own if at]
    found = {*edge}
    for _ in range(reach):
        following = []
        for square in edge:
            for at in NEIGHBOURS[square]:
                if counters[GROUND + at] and at not in found:
                    found.add(at)
                    following.append(at)
        edge = following
    return found


def figures_on(table: Table, square: int) -> list[tuple[int, int, int]]:
    """Who has how many armies and scouts on a square, a moving group being where it is."""
    counters = table.counters
    owner, armies, scouts = resting(table, square)
    mover, group = counters[MOVER] - 1, counters[GROUP]
    have = {owner: (armies, scouts)}
    for place, sign in ((MOVE_FROM, -1), (MOVE_AT, 1)):
        if group and square == counters[place]:
            armies, scouts = have.get(mover, (0, 0))
            armies += sign * (group & (1 << ARMIES) - 1).bit_count()
            have[mover] = armies, scouts + sign * (group >> ARMIES).bit_count()
    return [(seat, *each) for seat, each in have.items() if each != (0, 0)]


def defectors(table: Table, actor: int, number: int, squares: set[int]) -> list[int]:
    """3.1: the figures on these squares that one of the Defection events can be aimed at."""
    counters, found = table.counters, []
    busy = {at for at in squares if counters[RESTING + at]}
    if counters[MOVER] and counters[MOVE_AT] in squares:
        busy.add(counters[MOVE_AT])
    for square in sorted(busy):
        for owner, armies, scouts in figures_on(table, square):
            if not is_protected(table, actor, owner):
                found += [square + 256 * 3 * owner] if armies else []
                found += [square + 256 * (1 + 3 * owner)] if scouts else []
    if number != DEFECTION:
        found += _persons(table, actor, squares)
    return sorted(found)


def _persons(table: Table, actor: int, squares: set[int]) -> list[int]:
    counters = table.counters
    return [
        square + 256 * (PERSON_KIND + 3 * owner_at(table, square))
        for square in sorted(squares)
        if PERSON_MARK <= counters[MARK + square] < CITY_MARK
        and not is_protected(table, actor, owner_at(table, square))
    ]


def second_figures(table: Table, actor: int, first: int) -> list[int]:
    """3.3: another figure of the same square, after the first one; E144."""
    code, square = divmod(first, 256)
    owner, kind = divmod(code, 3)
    if kind == PERSON_KIND:
        return []
    for seat, armies, scouts in figures_on(table, square):
        if seat == owner:
            left = [armies - (kind == ARMY_KIND), scouts - (kind == SCOUT_KIND)]
            return [square + 256 * (more + 3 * owner) for more in range(2) if left[more] > 0]
    return []


def buildings_in(table: Table, squares: list[int]) -> list[int]:
    """Squares with a building, or with the walls of a city (E48)."""
    counters, found = table.counters, []
    for square in squares:
        mark = counters[MARK + square]
        if FIRST_BUILDING <= mark < WONDER_MARK:
            found.append(square)
        elif mark >= CITY_MARK:
            seat, city = divmod(mark - CITY_MARK, 3)
            if counters[WALLS[seat] + city]:
                found.append(square)
    return found


def building_owner(table: Table, square: int) -> int:
    """The seat whose building or city is on a square."""
    city = city_at(table, square)
    return city // 3 if city >= 0 else owner_at(table, square)


def _building_targets(table: Table, actor: int, squares: list[int]) -> list[int]:
    found = buildings_in(table, squares)
    return [at for at in found if not is_protected(table, actor, building_owner(table, at))]


def _other_buildings(table: Table, actor: int) -> list[int]:
    found = _building_targets(table, actor, list(range(SQUARES)))
    return [at for at in found if building_owner(table, at) != actor]


def _dry_places(table: Table, actor: int, number: int) -> list[int]:
    """3.3: Drought and Deforestation; not where they would change nothing (C180)."""
    counters, found = table.counters, []
    for square in range(SQUARES):
        ground, mark = counters[GROUND + square], counters[MARK + square]
        if not ground or FIRST_BUILDING <= mark < PERSON_MARK or mark >= CITY_MARK:
            continue
        terrain = terrain_at(table, square)
        if number == DEFORESTATION:
            is_fit = terrain == FOREST
        else:
            is_fit = terrain != MOUNTAIN and ground not in _PLAIN_DESERT
        if is_fit and not is_protected(table, actor, owner_at(table, square)):
            found.append(square)
    return found


# ---- pushing figures about ----


def shift_ends(table: Table, square: int, steps: int) -> list[int]:
    """3.3, E77: where all figures of a square can be moved together by 1 to so many steps."""
    counters = table.counters
    owner, armies, scouts = resting(table, square)
    edge, found = {square}, {square}
    for _ in range(steps):
        edge = {at for on in edge for at in NEIGHBOURS[on] if _passes(table, at, owner)} - found
        found |= edge
    limit, fit = stacking(table, owner), []
    for at in sorted(found - {square}):
        _, more, others_there = resting(table, at)
        is_quiet = counters[MARK + at] < CITY_MARK
        if is_quiet and armies + scouts + more + others_there <= limit:
            fit.append(at)
    return fit


def _passes(table: Table, square: int, owner: int) -> bool:
    mark = table.counters[MARK + square]
    if terrain_at(table, square) in (-1, WATER) or 0 < mark < FIRST_BUILDING:
        return False
    if mark >= CITY_MARK and (mark - CITY_MARK) // 3 != owner:
        return False
    return not is_enemy_at(table, square, owner)


def _shift_targets(table: Table, actor: int, steps: int) -> list[int]:
    counters, found = table.counters, []
    for square in range(SQUARES):
        if not counters[RESTING + square]:
            continue
        owner = resting(table, square)[0]
        is_free = owner != actor and not is_protected(table, actor, owner)
        if is_free and shift_ends(table, square, steps):
            found.append(square)
    return found


# ---- events ----


def acting_cities(table: Table, seat: int) -> list[int]:
    """E52: own cities that can still act in this turn."""
    counters = table.counters
    first: i64 = CITY_AT[seat]
    left: i64 = LEFT[seat]
    return [city for city in range(CITIES) if counters[first + city] and counters[left + city]]


def event_targets(table: Table, seat: int, number: int) -> list[int]:
    """What an event can be aimed at first."""
    amount = EVENT_KINDS[number].amount
    if number in DEFECTIONS:
        return defectors(table, seat, number, within(table, seat, amount))
    if number in SABOTAGES:
        return _building_targets(table, seat, sorted(within(table, seat, amount)))
    if number == DISASTER_EVENT:
        return _other_buildings(table, seat)
    if number in (DROUGHT, DEFORESTATION):
        return _dry_places(table, seat, number)
    if number in SHIFTS:
        return _shift_targets(table, seat, amount)
    if number in DAYS:
        return acting_cities(table, seat)
    free = [each for each in others(table, seat) if not is_protected(table, seat, each)]
    if number in REVOLTS:  # E28
        return [each for each in free if table.counters[GOVERNMENT[each]] != ANARCHY]
    assert number in IDEAS, EVENT_KEYS[number]
    return [each for each in free if learnable(table, seat, each, amount)]


def second_event_targets(table: Table, seat: int, number: int, first: int) -> list[int]:
    """What an event can or must be aimed at besides; DONE where it need not."""
    if number in (MASS_DEFECTION, WHOLESALE):
        found = second_figures(table, seat, first)
        return [*found, DONE] if found else []
    if number == DISASTER_EVENT:
        found = [at for at in _other_buildings(table, seat) if at != first]
        return [*found, DONE] if found else []
    if number in SHIFTS:
        return shift_ends(table, first, EVENT_KINDS[number].amount)
    return []


def event_owners(table: Table, number: int, first: int, second: int) -> int:
    """The seats that an event is aimed at, as bits."""
    aims = [first, *([second] if second != DONE and number == DISASTER_EVENT else [])]
    return sum({1 << owner for aim in aims if (owner := _owner(table, number, aim)) >= 0})


def _owner(table: Table, number: int, aim: int) -> int:
    if number in DEFECTIONS:
        return aim // 256 // 3
    if number in SHIFTS:
        return resting(table, aim)[0]
    if number in SABOTAGES or number == DISASTER_EVENT:
        return building_owner(table, aim)
    if number in (DROUGHT, DEFORESTATION):
        return owner_at(table, aim)
    return aim if number in REVOLTS or number in IDEAS else -1


# ---- resource abilities ----


def _wonders(table: Table, eras: int) -> list[int]:
    """C158, C159: wonders on the map that work, or in the market, up to an era."""
    counters = table.counters
    market = {table.face[card] - FIRST_WONDER for card in table.zones[WONDER_MARKET]}
    return [
        at for at, wonder in enumerate(WONDERS)
        if wonder.era <= eras
        and (at in market or (counters[WONDER_AT + at] and not counters[OBSOLETE] >> at & 1))
    ]  # fmt: skip


def water_squares(table: Table, seat: int, square: int) -> list[int]:
    """3.1: the water to which Steam Power can bring all own figures of a square."""
    counters, count = table.counters, len(figures_at(table, seat, square))
    return [
        at for at in range(SQUARES)
        if at != square and terrain_at(table, at) == WATER and room_on(table, seat, at) >= count
        and counters[GROUND + at]
    ]  # fmt: skip


def power_targets(table: Table, seat: int, number: int) -> list[int] | None:
    """What a resource ability can be aimed at; None where nothing is named."""
    counters = table.counters
    if number in (powers.CONSTRUCTION, powers.BANKING):
        return acting_cities(table, seat)
    if number == powers.HORSEBACK_POWER:
        return others(table, seat)
    if number == powers.MONARCHY:
        rivals = [each for each in others(table, seat) if table.zones[FORCES[each]]]
        return [*_wonders(table, 0), *[UNIT_TARGET + each for each in rivals]]
    if number == powers.GUNPOWDER:
        found = buildings_in(table, list(range(SQUARES)))
        return [*_wonders(table, 1), *[BUILDING_TARGET + at for at in found]]
    if number == powers.STEAM:
        own = counters[FIGURE[seat] : FIGURE[seat] + FIGURES]
        squares = sorted({at - 1 for at in own if at})
        return [at for at in squares if water_squares(table, seat, at)]
    if number == powers.COMMUNISM:
        frozen = counters[FROZEN : FROZEN + 4]
        return [at for at in range(SQUARES) if counters[GROUND + at] and at + 1 not in frozen]
    if number == powers.ATOMIC_BOMB:
        players = table.layout.players
        return [3 * each + i for each in range(players) for i in cities_of(table, each) if i]
    return None


def power_owners(table: Table, number: int, aim: int) -> int:
    """The seats that a resource ability is aimed at, as bits."""
    owner = -1
    if number in (powers.MONARCHY, powers.GUNPOWDER):
        if aim >= BUILDING_TARGET:
            owner = building_owner(table, aim - BUILDING_TARGET)
        elif aim >= UNIT_TARGET:
            owner = aim - UNIT_TARGET
        elif table.counters[WONDER_AT + aim]:
            owner = owner_at(table, table.counters[WONDER_AT + aim] - 1)
    elif number == powers.ATOMIC_BOMB:
        owner = aim // 3
    elif number == powers.COMMUNISM:
        owner = resting(table, aim)[0]
    return 1 << owner if owner >= 0 else 0
