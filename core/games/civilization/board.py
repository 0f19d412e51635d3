"""The map (C13, C97 to C100): squares, tiles and how they are turned, what a square shows.

A ground is 1 + terrain + 5 * symbol, so that 0 is no face-up square.  A mark is what lies on it: a
hut or village marker, a building, a wonder, a great person, or the centre of a city.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from core.games.civilization.faces import FIRST_TILE
from core.games.civilization.layout import GROUND, MAP, MARK, SQUARES, TILE_PILE
from core.games.civilization.printed import (
    BUILDINGS,
    HOME_SLOTS,
    NEUTRAL_SLOTS,
    NEUTRAL_TILES,
    OTHER_HOMES,
    OTHER_NEUTRAL,
    PERSONS,
    SYMBOLS,
    TERRAINS,
    WONDERS,
)
from core.table import Table

GRASSLAND: Final = 0
FOREST: Final = 1
MOUNTAIN: Final = 2
DESERT: Final = 3
WATER: Final = 4
TERRAIN_COUNT: Final = 5
GROUNDS: Final = 1 + TERRAIN_COUNT * len(SYMBOLS)
TERRAIN_OF: Final = (-1, *[(ground - 1) % 5 for ground in range(1, GROUNDS)])
_SYMBOL_OF: Final = (0, *[(ground - 1) // 5 for ground in range(1, GROUNDS)])
RESOURCE_OF: Final = tuple([at - 1 if 1 <= at <= 4 else -1 for at in _SYMBOL_OF])
DISASTER: Final = SYMBOLS.index("x")

HUT: Final = 1
VILLAGE_MARK: Final = 2
FIRST_BUILDING: Final = 3
WONDER_MARK: Final = 17  # Numbers are written out: a compiled rule then holds them.
PERSON_MARK: Final = 29
CITY_MARK: Final = 35  # And more by the number of the city.

_YIELD: Final = ((0, 0), (0, 2), (0, 1), (1, 0), (1, 0))  # Trade and production, by terrain.


def _ground_icons(ground: int) -> tuple[int, ...]:
    if not ground:
        return (0, 0, 0, 0)
    trade, production = _YIELD[TERRAIN_OF[ground]]
    symbol = SYMBOLS[_SYMBOL_OF[ground]]
    return (trade, production, int(symbol == "*"), int(symbol == "$"))


GROUND_ICONS: Final = tuple([_ground_icons(ground) for ground in range(GROUNDS)])
MARK_ICONS: Final[tuple[tuple[int, ...], ...]] = (  # From FIRST_BUILDING on.
    (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0),
    *[building.icons for building in BUILDINGS],
    *[(0, 0, wonder.culture, 0) for wonder in WONDERS],
    *[person.icons for person in PERSONS],
    *[(0, 0, 0, 0)] * 12,
)  # fmt: skip
MARK_COMBAT: Final[tuple[int, ...]] = (
    0, 0, 0,
    *[building.combat for building in BUILDINGS],
    *[0 for _ in WONDERS],
    *[person.combat for person in PERSONS],
    *[0] * 12,
)  # fmt: skip
_COIN_GROUNDS: Final = tuple([icons[3] > 0 for icons in GROUND_ICONS])
_COIN_MARKS: Final = tuple([icons[3] > 0 for icons in MARK_ICONS])

# ---- squares ----


def _near(square: int, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    y, x = divmod(square, 16)
    return tuple([
        16 * (y + down) + x + right
        for right, down in steps
        if 0 <= x + right < 16 and 0 <= y + down < 16
    ])  # fmt: skip


_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # North, east, south, west.
NEIGHBOURS: Final = tuple([_near(square, _STEPS) for square in range(SQUARES)])
AROUND: Final = tuple([
    _near(square, ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)))
    for square in range(SQUARES)
])  # fmt: skip
_BESIDE: Final = tuple([tuple([(*_near(square, (step,)), -1)[0] for step in _STEPS])
                        for square in range(SQUARES)])  # fmt: skip


def step_to(square: int, direction: int) -> int:
    """The square next to one in a direction; -1 beyond the edge."""
    return _BESIDE[square][direction]


def distance(one: int, other: int) -> int:
    """The steps from one square to another where nothing is in the way."""
    return abs(one % 16 - other % 16) + abs(one // 16 - other // 16)


def is_apart(one: int, other: int) -> bool:
    """C33e: at least three squares, diagonals counted."""
    return abs(one % 16 - other % 16) >= 3 or abs(one // 16 - other // 16) >= 3


# ---- slots ----


def _slot_map(slots: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    found = [-1] * SQUARES
    for at, (x, y) in enumerate(slots):
        for more in range(16):
            found[16 * (y + more // 4) + x + more % 4] = at
    return tuple(found)


_SLOT_OF: Final = tuple([_slot_map(slots) for slots in NEUTRAL_SLOTS])
_OTHER_SLOT_OF: Final = _slot_map(OTHER_NEUTRAL)


def slots_of(table: Table) -> tuple[int, ...]:
    """By square: the neutral slot it is in, or -1."""
    layout = table.layout
    is_other = layout.players == 2 and layout.options["homes2"] == "nw_se"
    return _OTHER_SLOT_OF if is_other else _SLOT_OF[layout.players]


def slot_corners(table: Table) -> tuple[tuple[int, int], ...]:
    """The top left squares of the neutral slots."""
    players = table.layout.players
    is_other = players == 2 and table.layout.options["homes2"] == "nw_se"
    return OTHER_NEUTRAL if is_other else NEUTRAL_SLOTS[players]


def is_unexplored(table: Table, square: int) -> bool:
    """C97: the square is part of a tile that lies face down."""
    return square >= 0 and not table.counters[GROUND + square] and slots_of(table)[square] >= 0


# ---- tiles ----


def turned(rows: tuple[str, ...], direction: int) -> list[list[str]]:
    """C99: the squares of a tile whose arrow points in a direction (0 north, clockwise)."""
    grid = [row.split() for row in rows]
    for _ in range(direction):
        grid = [list(column) for column in zip(*grid[::-1], strict=True)]
    return grid


def lay_tile(table: Table, corner: tuple[int, int], rows: tuple[str, ...], direction: int) -> None:
    """Lay a tile face up, with markers on its huts and villages (C100)."""
    counters, first = table.counters, 16 * corner[1] + corner[0]
    for more, ground, mark in _squares_of(rows, direction):
        counters[GROUND + first + more], counters[MARK + first + more] = ground, mark


@cache  # There are some hundred of them in all.
def _squares_of(rows: tuple[str, ...], direction: int) -> list[tuple[int, int, int]]:
    """The squares of a turned tile: how far on from its corner, the ground, the marker."""
    return [
        (16 * down + right,
         1 + TERRAINS.index(text[0]) + 5 * max(SYMBOLS.find(text[1]), 0),
         {"H": HUT, "V": VILLAGE_MARK}.get(text[1], 0))
        for down, row in enumerate(turned(rows, direction)) for right, text in enumerate(row)
    ]  # fmt: skip


def lay_homes(table: Table, tiles: list[tuple[str, ...]]) -> None:
    """C13: the home tiles of the seats, face up."""
    players = table.layout.players
    is_other = players == 2 and table.layout.options["homes2"] == "nw_se"
    slots = OTHER_HOMES if is_other else HOME_SLOTS[players]
    for (x, y, direction), rows in zip(slots, tiles, strict=True):
        lay_tile(table, (x, y), rows, direction)


def home_corner(table: Table, seat: int) -> tuple[int, int]:
    """Where the home tile of a seat lies."""
    players = table.layout.players
    is_other = players == 2 and table.layout.options["homes2"] == "nw_se"
    x, y, _ = (OTHER_HOMES if is_other else HOME_SLOTS[players])[seat]
    return x, y


def turn_up_tile(table: Table) -> int:
    """C98: the top tile of the pile goes to the map, to be revealed; which card it is."""
    card = table.zones[TILE_PILE][-1]
    table.move(card, TILE_PILE, MAP)
    return card


def lay_discovered(table: Table, card: int, square: int, direction: int) -> None:
    """C99, C100: the tile just revealed is laid where `square` is, turned that way."""
    rows = NEUTRAL_TILES[table.public_face(card) - FIRST_TILE]
    lay_tile(table, slot_corners(table)[slots_of(table)[square]], rows, direction)


# ---- looking at squares ----


def terrain_at(table: Table, square: int) -> int:
    """The terrain of a face-up square, -1 of any other."""
    return TERRAIN_OF[table.counters[GROUND + square]]


def shows_coin(table: Table, square: int) -> bool:
    """C139: whether what lies on a square, else its ground, has the icon of a coin."""
    mark = table.counters[MARK + square]
    if mark >= FIRST_BUILDING:
        return _COIN_MARKS[mark]
    return _COIN_GROUNDS[table.counters[GROUND + square]]


def icons_at(table: Table, square: int) -> tuple[int, ...]:
    """C52: trade, production, culture, coin of what lies on a square, else of its ground."""
    mark = table.counters[MARK + square]
    if mark >= FIRST_BUILDING:
        return MARK_ICONS[mark]
    return GROUND_ICONS[table.counters[GROUND + square]]


def resource_at(table: Table, square: int) -> int:
    """C81: the resource a square shows, -1 if it is covered or has none."""
    if table.counters[MARK + square] >= FIRST_BUILDING:
        return -1
    return RESOURCE_OF[table.counters[GROUND + square]]
