"""The bench of growth: its tables can be read, and its games are as long as it says."""

from __future__ import annotations

import math

import pytest

from core.games import GAMES
from scripts.bench import growth


def test_a_number_of_a_curve_has_the_digits_that_mean_something() -> None:
    values = (20_000, 1234.5, 75.83, 6.649, 0.0604, 0.0, math.nan)
    said = ["20,000", "1,234", "75.8", "6.65", "0.060", "0.00", "?"]
    assert [growth.shown(value) for value in values] == said


def test_every_curve_ends_with_the_cost_of_one_unit() -> None:
    for curve in growth.CURVES.values():
        assert " / " in curve.headings[-1], "a line is straight where this stays the same"


def test_the_curve_of_logs_is_of_games_that_are_as_long_as_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    growth.tell(growth.CURVES["logs"], growth.QUICK._replace(entries=(24,)))
    headings, _, row = capsys.readouterr().out.strip().splitlines()
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == headings.count("|") - 1
    assert abs(int(cells[0]) - 24) < growth.ROUND_ENTRIES
    assert "pile" not in GAMES
