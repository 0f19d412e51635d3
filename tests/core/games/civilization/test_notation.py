"""The notation of actions: what a target is named depends on what is aimed at it."""

from __future__ import annotations

import pytest

from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_windows import three


def test_a_day_is_aimed_at_a_city_by_its_number() -> None:
    """3.3 despot_day."""
    stage = three().city(0, "5.5").holds(0, "despot_day").phase("city").do("event despot_day")
    assert stage.offered("target") == ["0", "1"]


@pytest.mark.parametrize("event", ["revolt", "exchange_of_ideas"])
def test_a_revolt_and_ideas_are_aimed_at_a_seat(event: str) -> None:
    """3.3 revolt, exchange_of_ideas."""
    stage = three().tech(0, "pottery").tech(1, "writing").tech(2, "masonry").holds(0, event)
    assert stage.phase("start").do(f"event {event}").offered("target") == ["seat1", "seat2"]


def test_the_atomic_bomb_is_aimed_at_a_city_of_a_seat() -> None:
    """3.1 atomic_theory, E127."""
    stage = base().city(0, "3.12").city(1, "8.8").tech(0, "atomic_theory")
    stage.army(0, "9.9").holds(0, "village.uranium").phase("move")
    stage.do("power atomic_theory:bomb village.uranium")
    assert stage.offered("target") == ["seat0.1", "seat1.1"]
