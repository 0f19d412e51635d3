"""Figures, cities and markers on the map: putting them there and taking them away.

Whatever is done here may change blockades, coins and limits, which are judged at rest (C155).
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.board import (
    AROUND,
    CITY_MARK,
    FIRST_BUILDING,
    PERSON_MARK,
    WATER,
    WONDER_MARK,
    terrain_at,
)
from core.games.civilization.faces import FIRST_PERSON, FIRST_WONDER
from core.games.civilization.frames import touch
from core.games.civilization.layout import (
    ARMIES,
    BOX,
    CITY_AT,
    CIV,
    DIRECT,
    EXTRA,
    FIGURE,
    FIGURES,
    GREAT_MAP,
    LEFT,
    MARK,
    MOVED,
    OUTSKIRTS,
    OWN_WONDERS,
    PANAMA,
    READY,
    RESTING,
    SCOUT_AT,
    SCOUTS,
    SEATS_MAX,
    SHEET,
    SHEET_COINS,
    SUPPLY,
    WALLS,
    WONDER_AT,
)
from core.games.civilization.printed import BUILDINGS
from core.games.civilization.wealth import (
    PANAMA_CANAL,
    RUSSIA,
    figures_at,
    is_enemy_at,
    may_rest,
    owner_at,
    resting,
    stacking,
)
from core.table import Table

SCOUT_UNIT: Final = 1 << 5  # In the counters of what rests on a square.
ARMY_UNIT: Final = 1 << 2

# ---- figures ----


def set_figure(table: Table, seat: int, figure: int, square: int) -> None:
    """Let a figure rest on a square; -1: it goes back to the supply."""
    counters = table.counters
    was = counters[FIGURE[seat] + figure] - 1
    unit = ARMY_UNIT if figure < ARMIES else SCOUT_UNIT
    if was >= 0:
        rest = counters[RESTING + was] - unit
        counters[RESTING + was] = rest if rest > SEATS_MAX else 0
    if square >= 0:
        counters[RESTING + square] = (counters[RESTING + square] or 1 + seat) + unit
    counters[FIGURE[seat] + figure] = square + 1
    if figure >= ARMIES and was != square:  # C146: the default counts again.
        counters[DIRECT[seat] + figure - ARMIES] = 0
        if square < 0 or was < 0:
            counters[READY[seat]] &= ~(1 << figure - ARMIES)  # C145
    if square < 0:
        counters[MOVED[seat]] &= ~(1 << figure)
    touch(table)


def remove_enemies(table: Table, seat: int, square: int) -> None:
    """C105, C125: figures of somebody else on a square go back to their supply."""
    owner = resting(table, square)[0]
    if owner not in (-1, seat):
        for figure in figures_at(table, owner, square):
            set_figure(table, owner, figure, -1)


def supply_army(table: Table, seat: int) -> int:
    """An army that is in the supply, -1 if there is none; the white one is Russia's (C19)."""
    count = ARMIES if table.counters[CIV[seat]] == RUSSIA else ARMIES - 1
    for army in range(count):
        if not table.counters[FIGURE[seat] + army]:
            return army
    return -1


def supply_scout(table: Table, seat: int) -> int:
    """A scout that is in the supply, -1 if there is none."""
    for scout in range(SCOUTS):
        if not table.counters[SCOUT_AT[seat] + scout]:
            return ARMIES + scout
    return -1


def supply_of(table: Table, seat: int, is_scout: bool) -> int:
    """A figure of a kind that is in the supply, or -1."""
    return supply_scout(table, seat) if is_scout else supply_army(table, seat)


def armies_on(table: Table, seat: int, square: int) -> list[int]:
    """The armies of a seat that rest on a square; the white one comes last (C124)."""
    counters = table.counters
    return [at for at in range(ARMIES) if counters[FIGURE[seat] + at] == square + 1]


def scouts_on(table: Table, seat: int, square: int) -> list[int]:
    """The scouts of a seat that rest on a square."""
    counters = table.counters
    return [at for at in range(ARMIES, FIGURES) if counters[FIGURE[seat] + at] == square + 1]


def room_on(table: Table, seat: int, square: int) -> int:
    """C94: how many more figures of a seat may rest on a square where it may rest at all."""
    mark = table.counters[MARK + square]
    if 0 < mark < FIRST_BUILDING or mark >= CITY_MARK or not may_rest(table, square, seat):
        return 0
    _, armies, scouts = resting(table, square)
    return max(stacking(table, seat) - armies - scouts, 0)


# ---- what lies in outskirts ----


def clear_mark(table: Table, square: int) -> None:
    """C68, C131, C179: what lies on an own square goes where it belongs.

    Buildings return to the market, a wonder leaves the game, a great person goes to the sheet.
    """
    counters = table.counters
    mark = counters[MARK + square]
    if mark < FIRST_BUILDING or mark >= CITY_MARK:
        return
    seat = owner_at(table, square)
    counters[MARK + square] = 0
    if mark >= PERSON_MARK:
        table.move(person_card(table, mark), GREAT_MAP, SHEET[seat])
    elif mark >= WONDER_MARK:
        _remove_wonder(table, seat, mark - WONDER_MARK)
    else:
        counters[SUPPLY + BUILDINGS[mark - FIRST_BUILDING].family] += 1
    touch(table)


def person_card(table: Table, mark: int) -> int:
    """A card on the map that shows the great person of a mark."""
    face = FIRST_PERSON + mark - PERSON_MARK
    return next(card for card in table.zones[GREAT_MAP] if table.face[card] == face)


def kill_person(table: Table, square: int) -> None:
    """C80: a great person on the map goes to the box."""
    table.move(person_card(table, table.counters[MARK + square]), GREAT_MAP, BOX)
    table.counters[MARK + square] = 0
    touch(table)


def _remove_wonder(table: Table, seat: int, wonder: int) -> None:
    counters = table.counters
    counters[WONDER_AT + wonder] = 0
    if wonder == PANAMA_CANAL:  # 3.4: its tokens move to the sheet.
        counters[SHEET_COINS[seat]] += counters[PANAMA]
        counters[PANAMA] = 0
    for card in table.zones[OWN_WONDERS[seat]]:
        if table.face[card] == FIRST_WONDER + wonder:
            table.move(card, OWN_WONDERS[seat], BOX)
            break


def put_mark(table: Table, square: int, mark: int) -> None:
    """C68: put something on an own square; what lay there goes first."""
    clear_mark(table, square)
    table.counters[MARK + square] = mark
    if WONDER_MARK <= mark < PERSON_MARK:
        table.counters[WONDER_AT + mark - WONDER_MARK] = square + 1
    touch(table)


# ---- cities ----


def put_city(table: Table, seat: int, square: int) -> int:
    """C35: a city marker without walls; gives which city of the seat it is."""
    counters = table.counters
    city = next(i for i in range(3) if not counters[CITY_AT[seat] + i])
    counters[CITY_AT[seat] + city] = square + 1
    counters[MARK + square] = CITY_MARK + 3 * seat + city
    for at in AROUND[square]:
        counters[OUTSKIRTS + at] = 1 + 3 * seat + city
    touch(table)
    return city


def take_city(table: Table, city: int) -> int:
    """C131: a city marker returns to its owner; gives the square where it was.

    What lies in its outskirts has gone before; squares sent there send nothing now (C146).
    """
    counters = table.counters
    seat, number = divmod(city, 3)
    square = counters[CITY_AT[seat] + number] - 1
    for scout in range(SCOUTS):
        at = counters[SCOUT_AT[seat] + scout] - 1
        aim = counters[DIRECT[seat] + scout]
        home = counters[OUTSKIRTS + at] - 1 if at >= 0 else -1
        if aim == 1 + number or (aim == 0 and home == city):
            counters[DIRECT[seat] + scout] = -1
    counters[CITY_AT[seat] + number] = counters[WALLS[seat] + number] = 0
    counters[LEFT[seat] + number] = counters[EXTRA[seat] + number] = 0
    counters[MARK + square] = 0
    for at in AROUND[square]:
        counters[OUTSKIRTS + at] = 0
    touch(table)
    return square


def city_at(table: Table, square: int) -> int:
    """The city whose centre is on a square, -1 if there is none."""
    mark = table.counters[MARK + square]
    return mark - CITY_MARK if mark >= CITY_MARK else -1


def place_person(table: Table, square: int, card: int, source: int) -> None:
    """C79: a great person comes onto an own square."""
    face = table.public_face(card)
    clear_mark(table, square)
    table.move(card, source, GREAT_MAP)
    table.counters[MARK + square] = PERSON_MARK + face - FIRST_PERSON
    touch(table)


def person_squares(table: Table, seat: int) -> list[int]:
    """C79: where a great person of a seat may be placed."""
    counters = table.counters
    return [
        square
        for i in range(3)
        if counters[CITY_AT[seat] + i]
        for square in AROUND[counters[CITY_AT[seat] + i] - 1]
        if may_build_on(table, square, seat)
    ]


def may_build_on(table: Table, square: int, seat: int) -> bool:
    """C58, C64, C79: dry land of own outskirts without a blockade."""
    return terrain_at(table, square) != WATER and not is_enemy_at(table, square, seat)
