"""What bots know of Civilization: whoever follows the plan is soon better off than others."""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from pathlib import Path

import pytest

import core.games.civilization.layout as c
from ai.games.civilization import CivilizationKnowledge, war
from ai.games.civilization.evaluation import seat_points
from ai.games.civilization.worths import LEARNED, Worths
from ai.search.knowledge import REWARD_ONE
from core.chance import Chance
from core.determinization import observation_of
from core.engine import apply_event, run_until_choice, start
from core.games.civilization import GAME
from core.requests import Action, Choice, Chosen, Opened, Over
from core.table import Observation, Table
from core.view import offers
from scripts.lab import learn_civilization
from scripts.lab.learn_civilization import step_of
from scripts.lab.learn_evaluation import loss
from scripts.lab.learn_evaluation import positions as lessons
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
            observation = observation_of(table, deal, seat)
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
    assert seat_points(table, planner) > seat_points(table, 1 - planner)
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


def test_the_last_steps_of_the_track_are_worth_more_than_the_first() -> None:
    stage = Stage().city(0, "2.2")
    worth = [seat_points(stage.set("seat0.track", steps).table, 0) for steps in (0, 3, 11, 14)]
    assert 0 < worth[1] - worth[0] < worth[3] - worth[2]


@pytest.mark.parametrize("seats", [2, 4])
def test_judgement_tells_who_wins_better_than_a_coin_does(seats: int) -> None:
    noted = [each for seed in range(12) for each in lessons("civilization", seats, seed)]
    assert loss(noted, lambda one: one.expected) < 0.96 * log2(seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_that_a_seat_has_counts_against_it(seats: int) -> None:
    """A step of the track did when that was learned from who had won: search would not go it."""
    stage = Stage(" ".join(["germany", "china", "rome", "egypt"][:seats])).city(0, "2.2")
    last = seat_points(stage.table, 0)
    for name in ("seat0.track", "seat0.sheet.coins", "seat0.culture", "seat0.trade"):
        more = seat_points(stage.set(name, 1 + stage.get(name)).table, 0)
        assert more >= last
        last = more


def chosen(stage: Stage, seat: int) -> str:
    """What the plan does, in the notation."""
    observation = observation_of(stage.table, stage.deal, seat)
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


def test_a_building_is_judged_by_what_it_covers() -> None:
    """A temple in the desert costs trade, and is laid where it costs none if it can be."""
    worth = []
    for ground in ("d.", "g."):
        stage = Stage().city(0, "2.2").city(1, "12.12").tech(0, "philosophy").has(0, trade=27)
        stage.ground(ground, "1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3", "3.3").phase("city")
        temple = stage.action("make temple 0", 0)
        worth.append(KNOWLEDGE.prior(stage.table, 0, [temple, temple], stage.deal)[0])
    assert worth[0] < worth[1]
    stage.ground("d.", "1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3")
    assert chosen(stage.do("make temple 0"), 0) == "site 3.3"


def test_nobody_attacks_a_capital_that_is_held_well() -> None:
    stage = Stage().city(0, "2.2").city(1, "12.12", walls=True).army(0, "10.12", 2)
    stage.holds(0, "infantry.1").holds(1, "infantry.3 mounted.3 artillery.3").phase("move")
    assert war.target(stage.table, 0, LEARNED.march_margin) < 0
    assert not chosen(stage.do("move 10.12 2+0"), 0).startswith("go 12.12")


def test_each_gets_what_it_can_use_for_what_it_cannot() -> None:
    stage = Stage("germany china rome").city(0, "2.2").city(1, "8.8").city(2, "13.13")
    stage.tech(0, "metalworking").tech(1, "currency").has(0, incense=1).has(1, iron=1)
    stage.phase("trade")
    while not stage.table.counters[c.HOW] and (said := chosen(stage, stage.asked)) != "end":
        stage.do(said)
    assert (stage.get("seat0.tokens.0"), stage.get("seat1.tokens.2")) == (1, 1)


# ---- battles ----


def battle(hand: str, enemies: str, *lines: str) -> Stage:
    """An army of seat 0 has attacked one of seat 1, whose first unit stands in front 1."""
    stage = Stage("germany russia").city(0, "1.1").city(1, "14.14")
    stage.army(0, "8.8").army(1, "9.8").holds(0, hand).holds(1, enemies).phase("move")
    return stage.do("move 8.8 1+0", "go 9.8", *lines)


@pytest.mark.parametrize(
    ("hand", "unit", "front"),
    [
        ("infantry.2 mounted.1", "infantry.2", "front 1"),  # It trumps, and the other dies first.
        (
            "artillery.2 infantry.2",
            "infantry.2",
            "front 1",
        ),  # The artillery would die, and not kill.
        ("artillery.1 mounted.1", "artillery.1", "new"),  # It would die for nothing.
    ],
)
def test_a_unit_is_sent_where_it_kills_and_lives(hand: str, unit: str, front: str) -> None:
    stage = battle(hand, "mounted.2 infantry.1", "1: play mounted.2", "1: new")
    if unit != hand.split()[0] or front == "front 1":
        assert chosen(stage, 0) == f"play {unit}"
    assert chosen(stage.do(f"0: play {unit}"), 0) == front


def test_iron_decides_whether_an_enemy_falls() -> None:
    """The same unit waits in a new front without it, and attacks with it."""
    stage = battle("infantry.1", "artillery.3 infantry.1", "1: play artillery.3", "1: new")
    assert chosen(stage.do("0: play infantry.1"), 0) == "new"
    armed = battle("mounted.1", "mounted.3", "1: play mounted.3", "1: new")
    assert chosen(armed.do("0: play mounted.1"), 0) == "new"
    assert chosen(armed.set("battle.iron", 1), 0) == "front 1"


# ---- governments, and what cities make ----


def test_a_better_government_is_taken_when_it_is_free_and_not_for_anarchy() -> None:
    stage = Stage("rome china").city(0, "2.2").city(1, "12.12").tech(0, "monarchy")
    stage.phase("start")
    assert "anarchy" in stage.texts(0) and chosen(stage, 0) != "anarchy"
    stage.set("seat0.fresh.monarchy", stage.get("turn"))
    assert chosen(stage, 0) == "government monarchy"


def test_units_are_wanted_while_there_are_few() -> None:
    worth = []
    many = "infantry.1 infantry.2 infantry.3 mounted.1 mounted.2 mounted.3 artillery.1 artillery.2"
    for forces in ("infantry.1", many):
        stage = Stage().city(0, "2.2").city(1, "12.12").has(0, trade=27).holds(0, forces)
        stage.phase("city")
        action = stage.action("make artillery 0", 0)
        worth.append(KNOWLEDGE.prior(stage.table, 0, [action, action], stage.deal)[0])
    assert worth[0] > worth[1]


# ---- learning ----


def test_the_numbers_of_the_program_are_those_that_a_plan_reads() -> None:
    """A number more or less would be forgotten, or missed in the middle of a game."""
    asked: set[str] = set()

    class Noting(dict[str, int]):
        def __getitem__(self, name: str) -> int:
            asked.add(name)
            return super().__getitem__(name)

    Worths(Noting(LEARNED.numbers))
    assert asked == {name for name in LEARNED.numbers if "." in name}
    assert all(step_of(name) >= 0 for name in LEARNED.numbers)


def test_numbers_move_to_the_side_of_who_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here whoever thinks more of arts wins, whatever else lots have changed."""

    def won(players: tuple[CivilizationKnowledge, CivilizationKnowledge], _: int, __: int) -> int:
        first, second = [player.worths.verbs["arts"] for player in players]
        return (first > second) - (first < second)

    monkeypatch.setattr(learn_civilization, "won_by_first", won)
    numbers = {name: float(number) for name, number in LEARNED.numbers.items()}
    before = dict(numbers)
    learn_civilization.learn(numbers, range(300), 1, tmp_path / "numbers.json")
    moved = {name: numbers[name] - before[name] for name in numbers}
    assert moved["arts"] == max(moved.values()) > 5
    assert moved["end"] == 0, "what others are compared with stays"


def test_a_plan_without_units_loses_to_the_one_of_the_program() -> None:
    mine, theirs = CivilizationKnowledge(GAME), CivilizationKnowledge(GAME)
    weak = {name: -50 if name.startswith("make.") else number
            for name, number in LEARNED.numbers.items()}  # fmt: skip
    learn_civilization.play_by(theirs, weak)
    deals = [(deal, side) for deal in range(2) for side in (0, 1)]
    leads = [learn_civilization.won_by_first((mine, theirs), *each) for each in deals]
    assert sum(leads) > 0
