"""What bots know of Civilization: whoever follows the plan is soon better off than others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import core.games.civilization.layout as c
from ai.games.civilization import CivilizationKnowledge, standing, war
from ai.knowledge import REWARD_ONE
from core.chance import Chance
from core.engine import apply_event, run_until_choice, start
from core.games.civilization import GAME
from core.imagine import blindfold
from core.requests import Action, Choice, Chosen, Opened, Over
from core.table import Observation, Table
from core.view import offers
from tests.core.games.civilization.stage import Stage

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
        assert action.verb != "guard"

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


def test_who_is_ruined_changes_nothing_between_the_others() -> None:
    """Of 90 points that one is ahead of the other as much is left, whoever else is there."""
    ratios = []
    for techs in ("", "pottery writing masonry currency philosophy irrigation chivalry monarchy"):
        stage = Stage("germany china russia").city(0, "2.2").city(1, "12.12").has(0, culture=20)
        first, second, third = KNOWLEDGE.evaluate(stage.tech(2, techs).table)
        ratios.append(first / second)
        assert first > second > 0 and third > 0
    assert ratios[0] == pytest.approx(ratios[1], rel=0.02)


@pytest.mark.parametrize("key", ["seat0.track", "seat0.sheet.coins"])
def test_the_last_steps_to_a_victory_are_worth_more_than_the_first(key: str) -> None:
    stage = Stage().city(0, "2.2")
    worth = [standing(stage.set(key, steps).table, 0) for steps in (0, 3, 11, 14)]
    assert 0 < worth[1] - worth[0] < worth[3] - worth[2]


def chosen(stage: Stage, seat: int) -> str:
    """What the plan does, in the notation."""
    observation = blindfold(stage.table, stage.deal, seat)
    action = KNOWLEDGE.policy(stage.table, seat, observation)
    offered = offers(GAME, stage.table, observation, seat)
    return next(offer.text for offer in offered if offer.action == action)


def test_armies_that_are_strong_enough_gather_and_take_the_capital() -> None:
    stage = Stage().city(0, "2.2").city(1, "12.12").tech(0, "masonry printing_press chivalry")
    stage.tech(0, "democracy mathematics").army(0, "10.12", 3)
    stage.holds(0, "infantry.3 mounted.3 artillery.3 infantry.3 mounted.3 artillery.3 infantry.2")
    stage.holds(1, "infantry.1").phase("move")
    assert chosen(stage, 0) == "move 10.12 3+0"
    assert chosen(stage.do("move 10.12 3+0"), 0) == "go 12.12"


def test_a_scout_goes_where_it_can_found_a_city_and_waits_there() -> None:
    """Not to the square that is farthest from home, 6.2, beside a hut."""
    stage = Stage().city(0, "2.2").city(1, "12.12").scout(0, "4.2").mark("hut", "7.2")
    stage.phase("move").do("move 4.2 0+1")
    assert chosen(stage, 0) in ("go 5.1", "go 5.2", "go 5.3")
    there = Stage().city(0, "2.2").city(1, "12.12").scout(0, "5.3").phase("move")
    assert chosen(there, 0) == "end"


@pytest.mark.parametrize(("ground", "is_better"), [("f.", False), ("g.", True)])
def test_a_building_is_judged_by_what_it_covers(ground: str, is_better: bool) -> None:
    """A temple in the woods costs as much production as it brings culture."""
    stage = Stage().city(0, "2.2").city(1, "12.12").tech(0, "philosophy").has(0, trade=27)
    stage.ground(ground, "1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3", "3.3").phase("city")
    observation = blindfold(stage.table, stage.deal, 0)
    both = [stage.action("make temple 0", 0), stage.action("arts 0", 0)]
    temple, art = KNOWLEDGE.prior(stage.table, 0, both, observation)
    assert (temple > art) == is_better


def test_nobody_attacks_a_capital_that_is_held_well() -> None:
    stage = Stage().city(0, "2.2").city(1, "12.12", walls=True).army(0, "10.12", 2)
    stage.holds(0, "infantry.1").holds(1, "infantry.3 mounted.3 artillery.3").phase("move")
    assert war.target(stage.table, 0) < 0
    assert not chosen(stage.do("move 10.12 2+0"), 0).startswith("go 12.12")


def test_each_gets_what_it_can_use_for_what_it_cannot() -> None:
    stage = Stage("germany china rome").city(0, "2.2").city(1, "8.8").city(2, "13.13")
    stage.tech(0, "metalworking").tech(1, "currency").has(0, incense=1).has(1, iron=1)
    stage.phase("trade")
    while not stage.table.counters[c.HOW] and (said := chosen(stage, stage.asked)) != "end":
        stage.do(said)
    assert (stage.get("seat0.tokens.0"), stage.get("seat1.tokens.2")) == (1, 1)
