"""Levels: a time for a choice, agreed upon as a number, and weaker by more than the time."""

from __future__ import annotations

import pytest

from ai.levels import LEVELS, Level, SearchSettings, decide, measure_speed
from ai.search.search import Decision
from core.bot_levels import ITERATIONS_MAX, LEVEL_NAMES
from core.game import Game
from core.games.carta import GAME as CARTA
from core.games.dominion import GAME as DOMINION
from core.table import RulesError
from tests.ai.positions import Position, positions, real_choices
from tests.ai.race import RACE


def ask(position: Position, level: str, iterations: int = 60, seed: int = 7) -> Decision:
    game, table, _, seat = position
    return decide(game, table, position.observation, seat, SearchSettings(seed, level, iterations))


def test_levels_are_named_from_the_weakest_to_the_strongest_and_think_longer() -> None:
    assert tuple(LEVELS) == LEVEL_NAMES, "what is agreed on is what bots can do"
    seconds = [level.seconds for level in LEVELS.values()]
    assert seconds == sorted(set(seconds))


def test_a_faster_machine_does_more_iterations_in_the_same_time() -> None:
    level = Level("any", 0.5)
    assert [level.iterations(speed) for speed in (20, 200, 24_691)] == [10, 100, 12_000]


@pytest.mark.parametrize("level", LEVELS.values())
def test_a_budget_has_two_digits_and_stays_within_its_limits(level: Level) -> None:
    assert level.iterations(1) == max(1, level.seconds)
    assert level.iterations(10**9) == ITERATIONS_MAX
    for speed in (3, 77, 4_159, 23_690):
        budget = level.iterations(speed)
        assert len(str(budget).rstrip("0")) <= 2
        assert budget == pytest.approx(level.seconds * speed, rel=0.06, abs=1)


@pytest.mark.parametrize("game", [CARTA, DOMINION, RACE])
def test_the_speed_of_any_game_can_be_measured(game: Game) -> None:
    assert measure_speed(game, 2, {}) > 10


def test_no_speed_is_measured_for_a_table_that_cannot_be() -> None:
    with pytest.raises(RulesError, match="2 to 4 seats"):
        measure_speed(CARTA, 7, {})


def test_a_bot_never_exceeds_its_budget(seed: int) -> None:
    for position in real_choices(positions(CARTA, 3, seed), stride=20):
        assert 0 < ask(position, "gentle", iterations=50).iterations <= 50


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_decision_on_every_level(level: str, seed: int) -> None:
    for position in real_choices(positions(RACE, 3, seed), stride=3):
        assert ask(position, level) == ask(position, level)


def test_gentle_misjudges_moves_steady_a_little_and_the_others_do_not(seed: int) -> None:
    chosen = {
        level: [ask(each, level).outlooks for each in real_choices(positions(CARTA, 2, seed), 16)]
        for level in LEVELS
    }
    assert chosen["gentle"] != chosen["steady"] != chosen["sharp"]
    assert chosen["sharp"] == chosen["strongest"]  # With the same number of iterations.
    errors = [level.weakness.mistakes for level in LEVELS.values()]
    assert errors == sorted(errors, reverse=True)


def test_in_a_game_that_bots_know_nothing_of_no_level_misjudges(seed: int) -> None:
    """Moves differ by so little there that a mistake would be all that is seen."""
    for each in real_choices(positions(RACE, 2, seed)):
        found = {level: ask(each, level).outlooks for level in LEVELS}
        assert found["gentle"] == found["steady"] == found["sharp"]


def test_gentle_looks_no_deeper_with_more_time(seed: int) -> None:
    position = real_choices(positions(CARTA, 2, seed))[0]
    for iterations in (50, 500):
        assert len(ask(position, "gentle", iterations).line) == 1
    assert len(ask(position, "steady", 500).line) > 1
