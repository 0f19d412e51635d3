"""Whole games: what is right at every choice of any variant, and that the checks can fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.engine import start
from core.games.renaissance.cards import OVER, PHASE, ROW_SYMBOLS, SPACES_AT, SUPPLY
from core.table import Table
from core.testing.worlds import OpenGame, any_setting
from tests.core.games.renaissance.checks import check_table
from tests.core.games.renaissance.stage import GAME

GAMES_IN_ALL = 60


@pytest.mark.parametrize("part", range(3))
def test_stones_events_and_rows_are_right_at_every_choice_of_any_variant(part: int) -> None:
    for seed in range(part, GAMES_IN_ALL, 3):
        players, options = any_setting(GAME, seed)
        print(f"seed {seed}: {players} seats, {options}")
        world = OpenGame(GAME, players, options, seed)
        for _ in world.play():
            check_table(world.table)
        check_table(world.table)


def _lose_a_stone(table: Table) -> None:
    table.counters[SUPPLY[0]] -= 1


def _place_beside_the_event(table: Table) -> None:
    table.counters[SUPPLY[0]] -= 1
    table.counters[SPACES_AT[2]] = 1


def _claim_a_row(table: Table) -> None:
    table.counters[ROW_SYMBOLS[1]] = 1


def _end_too_soon(table: Table) -> None:
    table.counters[PHASE] = OVER


@pytest.mark.parametrize(
    "spoil", [_lose_a_stone, _place_beside_the_event, _claim_a_row, _end_too_soon]
)
def test_the_checks_find_what_is_wrong(spoil: Callable[[Table], None]) -> None:
    table = start(GAME, 2, {})
    check_table(table)
    spoil(table)
    with pytest.raises(AssertionError):
        check_table(table)
