"""Bots that every machine at a table computes: on what terms."""

from __future__ import annotations

import pytest

from ai.levels import LEVELS
from ai.seats.bot_terms import new_bot_terms
from ai.seats.open_bot import measure_here
from core.bot_levels import ITERATIONS_MAX


@pytest.mark.parametrize("level", LEVELS)
async def test_whoever_opens_a_table_measures_its_own_machine_for_them(level: str) -> None:
    found = await measure_here(new_bot_terms(level), "carta", 2)
    assert found.level == level
    assert 0 < found.iterations <= ITERATIONS_MAX


async def test_a_number_that_is_named_is_not_measured() -> None:
    wanted = new_bot_terms("steady", 77)
    assert await measure_here(wanted, "carta", 2) == wanted
