"""A busy machine: a bot thinks less to keep its promise, and the audit can repeat that."""

from __future__ import annotations

import pytest

from ai.bot import player_with
from ai.bot_terms import Repeater, do_again, new_bot_terms
from ai.brain import Brain, How
from ai.pace import PARTS, decide_in_time
from ai.search import Decision
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


class Slow:
    """A machine of some speed, with a clock of its own; notes what it was asked."""

    def __init__(self, iteration_s: float) -> None:
        self.iteration_s, self.time_s = iteration_s, 0.0
        self.parts: list[int] = []

    def clock(self) -> float:
        return self.time_s

    def decide(self, part: int) -> Decision:
        self.parts.append(part)
        self.time_s += BUDGET // part * self.iteration_s
        return Decision(Action("part", (), part), BUDGET // part, (), ())


class Asked(Brain):
    """Thinks at once, and notes how it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def decide(
        self, game_slug: str, table: Table, observation: Observation, player: Player, how: How
    ) -> Decision:
        self.asked.append("whole")
        return Decision(CARTA.legal_actions(table, player, observation)[0], 0, (), ())

    async def decide_in_time(
        self, game_slug: str, table: Table, observation: Observation, player: Player, how: How
    ) -> Decision:
        self.asked.append("in time")
        return Decision(CARTA.legal_actions(table, player, observation)[0], 0, (), ())


def turns(game: Game, seed: int, iterations: int = BUDGET) -> list[DecisionPoint]:
    """The choices of one random game, each as a bot is asked."""
    found = real_choices(positions(game, 2, seed), stride=4)
    terms = new_bot_terms("sharp", iterations)
    return [
        DecisionPoint(game, each.table, each.observation, each.seat, 0, seed + place, terms)
        for place, each in enumerate(found)
    ]


@pytest.mark.parametrize(
    ("slowness", "part", "at_most_s"), [(0.5, 1, 0.6), (1.0, 1, 1.2), (2, 3, 1.2), (9, 10, 0.9)]
)
def test_a_bot_does_the_largest_part_that_it_has_time_for(
    slowness: float, part: int, at_most_s: float
) -> None:
    machine = Slow(slowness / BUDGET)
    decision = decide_in_time(machine.decide, BUDGET, 1.0, machine.clock)
    assert decision.action.number == part
    assert machine.time_s <= at_most_s
    assert machine.parts == list(dict.fromkeys([PARTS[-1], part]))


def test_a_choice_without_a_thought_is_answered_at_once() -> None:
    asked = []

    def decide(part: int) -> Decision:
        asked.append(part)
        return Decision(Action("only"), 0, (), ())

    assert decide_in_time(decide, BUDGET, 1.0).action == Action("only")
    assert len(asked) == 1


@pytest.mark.parametrize("part", PARTS)
def test_the_audit_finds_nothing_wrong_with_a_part_of_the_budget(part: int, seed: int) -> None:
    repeater = Repeater(lambda: True)
    for turn in turns(RACE, seed):
        assert repeater(Decided(turn, do_again(turn, part), 0)) == ""


def test_the_audit_finds_what_no_part_of_the_budget_chooses(seed: int) -> None:
    found = 0
    for turn in turns(RACE, seed):
        due = {do_again(turn, part) for part in PARTS}
        legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        for each in (action for action in legal if _is_other(turn, action, due)):
            found += 1
            assert "its program chooses" in Repeater(lambda: True)(Decided(turn, each, 0))
    assert found, "there was something to forge"


async def test_only_the_players_of_a_promise_look_at_the_clock(seed: int) -> None:
    brain = Asked()
    turn = turns(CARTA, seed)[0]
    await player_with(brain, is_in_time=True)(turn)
    await player_with(brain)(turn)  # As for an open bot: the same on every machine.
    assert brain.asked == ["in time", "whole"]


def _is_other(turn: DecisionPoint, action: Action, due: set[Action]) -> bool:
    def plain(each: Action) -> Action:
        return canonical(turn.game, turn.table, turn.observation, each)

    return plain(action) not in {plain(each) for each in due}
