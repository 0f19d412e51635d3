"""A busy machine: a bot says that it goes on with less, and the audit repeats just that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.levels import LEVELS, SearchSettings
from ai.search.search import Decision
from ai.seats.bot import BotPlayer
from ai.seats.bot_terms import Repeater, do_again, new_bot_terms
from ai.seats.brain import Brain
from ai.seats.time_management import SpeedEstimate
from core.bot_levels import PARTS
from core.game import Game
from core.games.carta import GAME as CARTA
from core.requests import Action, Player
from core.table import Observation, Table
from p2p.audit.findings import Decided
from p2p.base.roster import DecisionPoint
from p2p.game.equivalents import canonical
from tests.ai.positions import positions, real_choices
from tests.ai.race import RACE

BUDGET = 600


class Slow(Brain):
    """Thinks at once, says how long it would have taken, and notes by which part it was asked."""

    def __init__(self, iteration_s: float, done: int | None = None) -> None:
        self.iteration_s, self.done = iteration_s, done
        self.parts: list[int] = []

    async def decide_timed(
        self, game_slug: str, table: Table, observation: Observation, player: Player,
        settings: SearchSettings,
    ) -> tuple[Decision, float]:
        self.parts.append(settings.part)
        done = settings.iterations // settings.part if self.done is None else self.done
        action = CARTA.legal_actions(table, player, observation)[0]
        return Decision(action, done, (), ()), done * self.iteration_s


def turns(game: Game, seed: int, iterations: int = BUDGET) -> list[DecisionPoint]:
    """The choices of one random game, each as a bot is asked."""
    found = real_choices(positions(game, 2, seed), stride=4)
    terms = new_bot_terms("sharp", iterations)
    return [
        DecisionPoint(game, each.table, each.observation, each.seat, 0, seed + place, terms)
        for place, each in enumerate(found)
    ]


@pytest.mark.parametrize(
    ("slowness", "part"), [(0.5, 1), (1.0, 1), (1.1, 1), (2, 3), (3.2, 3), (9, 10), (99, 10)]
)
def test_the_largest_part_for_which_there_is_time_is_named(slowness: float, part: int) -> None:
    speed = SpeedEstimate(BUDGET, 1.0)
    for _ in range(4):
        speed.note(BUDGET // 2, slowness / 2)
    assert speed.part_in_time == part


def test_a_choice_that_takes_twice_as_long_is_enough() -> None:
    speed = SpeedEstimate(BUDGET, 1.0)
    assert speed.part_in_time == 1, "as it was measured"
    speed.note(BUDGET, 2.0)
    assert speed.part_in_time == 3


def test_one_choice_that_takes_a_little_longer_is_no_reason_to_hurry() -> None:
    """It would count for a whole turn, and a third of the budget is far less than is needed."""
    speed = SpeedEstimate(BUDGET, 1.0)
    speed.note(BUDGET, 1.25)
    assert speed.part_in_time == 1
    for _ in range(3):
        speed.note(BUDGET, 1.25)
    assert speed.part_in_time == 3, "but where all do, they are late"


def test_a_thought_that_is_over_at_once_says_little_of_the_machine() -> None:
    """What a search needs before its first deal is most of it."""
    speed = SpeedEstimate(BUDGET, 1.0)
    for _ in range(5):
        speed.note(4, 0.02)
    assert speed.part_in_time == 1
    speed.note(BUDGET, 9.0)
    speed.note(4, 0.02)
    assert speed.part_in_time > 1, "nor that it has time again"


def test_a_machine_that_has_time_again_is_believed_after_two_choices() -> None:
    speed = SpeedEstimate(BUDGET, 1.0)
    speed.note(BUDGET, 2.5)
    for _ in range(2):
        assert speed.part_in_time == 3
        speed.note(BUDGET // 3, 0.3)
    assert speed.part_in_time == 1


async def test_a_bot_goes_on_with_a_part_when_it_was_late_and_with_all_when_it_is_not(
    seed: int,
) -> None:
    turn, promise_s = turns(CARTA, seed)[0], LEVELS["sharp"].seconds
    brain = Slow(2 * promise_s / BUDGET)
    player = BotPlayer(brain, is_in_time=True)
    assert player.next_part == 1, "nothing is known yet"
    await player(turn)
    assert player.next_part == 3
    brain.iteration_s = promise_s / BUDGET
    for _ in range(2):
        await player(replace(turn, part=3))
    assert player.next_part == 1
    assert brain.parts == [1, 3, 3], "it does what the log says, not what it is about to say"


async def test_a_choice_without_a_thought_says_nothing_of_the_machine(seed: int) -> None:
    turn, promise_s = turns(CARTA, seed)[0], LEVELS["sharp"].seconds
    brain = Slow(9 * promise_s / BUDGET)
    player = BotPlayer(brain, is_in_time=True)
    await player(turn)
    brain.done = 0
    await player(turn)
    assert player.next_part == 10


async def test_only_the_players_of_a_promise_hurry(seed: int) -> None:
    brain = Slow(9.0)
    player = BotPlayer(brain)  # As for an open bot: the same on every machine.
    await player(turns(CARTA, seed)[0])
    assert player.next_part == 1


@pytest.mark.parametrize("part", PARTS)
def test_the_audit_finds_nothing_wrong_with_the_part_that_was_said(part: int, seed: int) -> None:
    repeater = Repeater(lambda: True)
    for turn in (replace(each, part=part) for each in turns(RACE, seed)):
        assert repeater(Decided(turn, do_again(turn), 0)) == ""


@pytest.mark.parametrize("part", PARTS)
def test_the_audit_finds_whatever_that_part_does_not_choose(part: int, seed: int) -> None:
    """What another part would have chosen is as wrong as anything else."""
    found = 0
    for turn in (replace(each, part=part) for each in turns(RACE, seed)):
        due = do_again(turn)
        legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        for each in (action for action in legal if _is_other(turn, action, due)):
            found += 1
            assert "its program chooses" in Repeater(lambda: True)(Decided(turn, each, 0))
    assert found, "there was something to forge"


def _is_other(turn: DecisionPoint, action: Action, due: Action) -> bool:
    def plain(each: Action) -> Action:
        return canonical(turn.game, turn.table, turn.observation, each)

    return plain(action) != plain(due)
