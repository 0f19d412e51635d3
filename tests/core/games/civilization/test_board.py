"""What the map is made of: squares, tiles, icons; tables that are made once hold what they say."""

from __future__ import annotations

from core.games.civilization import board
from core.games.civilization.board import AROUND, GROUND_ICONS, NEIGHBOURS, step_to
from core.games.civilization.printed import NEUTRAL_SLOTS, SYMBOLS, TERRAINS
from tests.core.games.civilization.stage import Stage, at


def test_a_square_has_neighbours_from_north_to_west_and_none_beyond_the_edge() -> None:
    """C90, C13: diagonals are near, and no neighbours."""
    assert NEIGHBOURS[at("5.5")] == (at("5.4"), at("6.5"), at("5.6"), at("4.5"))
    assert NEIGHBOURS[at("0.0")] == (at("1.0"), at("0.1"))
    assert NEIGHBOURS[at("15.15")] == (at("15.14"), at("14.15"))
    assert AROUND[at("15.0")] == (at("14.0"), at("14.1"), at("15.1"))
    assert [step_to(at("0.0"), direction) for direction in range(4)] == [-1, 1, 16, -1]
    for square in range(256):
        assert board._near(square, board._STEPS) == NEIGHBOURS[square]


def test_icons_are_those_of_the_terrain_and_of_the_symbol() -> None:
    """C52, C97: forest 2 production, mountain 1, desert and water 1 trade; face down nothing."""
    trade = {"d": 1, "w": 1}
    production = {"f": 2, "m": 1}
    for ground, icons in enumerate(GROUND_ICONS):
        symbol, terrain = divmod(ground - 1, len(TERRAINS))
        key = TERRAINS[terrain]
        expected = (trade.get(key, 0), production.get(key, 0), SYMBOLS[symbol] == "*",
                    SYMBOLS[symbol] == "$") if ground else (0, 0, 0, 0)  # fmt: skip
        assert icons == board._ground_icons(ground) == expected


def test_every_square_of_a_neutral_slot_belongs_to_it() -> None:
    """C13: sixteen squares each, and no others."""
    for seats in (2, 3, 4):
        slots = NEUTRAL_SLOTS[seats]
        found = board._slot_map(slots)
        assert found == board._SLOT_OF[seats]
        for slot, (x, y) in enumerate(slots):
            assert [found[16 * (y + down) + x + right]
                    for down in range(4) for right in range(4)] == [slot] * 16  # fmt: skip
        assert found.count(-1) == 256 - 16 * len(slots)


def test_nothing_is_unexplored_beyond_the_map() -> None:
    """C97: -1 is no square, not the last one."""
    stage = Stage("germany china").ground("??", "15.15")
    assert not board.is_unexplored(stage.table, -1)
