"""What bots know of Civilization: whoever follows the plan is soon better off than others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import core.games.civilization.layout as c
from ai.games.civilization import CivilizationKnowledge, standing
from ai.knowledge import REWARD_ONE
from core.chance import Chance
from core.engine import apply_event, run_until_choice, start
from core.games.civilization import GAME
from core.imagine import blindfold
from core.requests import Action, Choice, Chosen, Opened, Over
from core.table import Observation, Table

KNOWLEDGE = CivilizationKnowledge(GAME)
CHOICES_MAX = 3000
Look = Callable[[Table, int, Observation, Action], None]


def play(seed: int, turns: int, planners: tuple[int, ...], look: Look) -> Table:
    """A game of two seats, of which some follow the plan and the others choose at random."""
    chance, table = Chance(seed), start(GAME, 2, {"max_turns": turns})
    deal = table.face[:]
    for _ in range(CHOICES_MAX):
        pending = run_until_choice(GAME, table, deal, chance)
        if isinstance(pending, Over):
            return table
        actions = []
        for seat in [pending.player] if isinstance(pending, Choice) else pending.players:
            observation = blindfold(table, deal, seat)
            if seat in planners:
                actions.append(KNOWLEDGE.policy(table, seat, observation))
                look(table, seat, observation, actions[-1])
            else:
                actions.append(chance.pick(GAME.legal_actions(table, seat, observation)))
        is_open = isinstance(pending, Choice)
        event = Chosen(actions[0]) if is_open else Opened(tuple(actions))
        apply_event(GAME, table, pending, event)
    raise AssertionError("the plan goes round in circles")


@pytest.mark.parametrize("planner", [0, 1])
def test_the_plan_is_ahead_of_chance_after_twelve_turns(planner: int) -> None:
    def look(table: Table, seat: int, observation: Observation, action: Action) -> None:
        assert action.verb not in ("offer", "guard")

    table = play(planner, 12, (planner,), look)
    assert standing(table, planner) > standing(table, 1 - planner)
    shares = KNOWLEDGE.evaluate(table)
    assert shares[planner] > shares[1 - planner] and sum(shares) <= REWARD_ONE


def test_two_who_follow_the_plan_come_to_an_end(seed: int) -> None:
    table = play(seed, 30, (0, 1), lambda *_: None)
    assert table.counters[c.HOW]


def test_few_candidates_are_tried_and_the_choice_of_the_plan_is_one_of_them() -> None:
    def look(table: Table, seat: int, observation: Observation, action: Action) -> None:
        tried = KNOWLEDGE.candidates(table, seat, observation)
        legal = GAME.legal_actions(table, seat, observation)
        assert len(tried) <= 8 and all(each in legal for each in tried)
        assert action in tried

    play(5, 6, (0,), look)
