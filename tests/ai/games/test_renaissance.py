"""What a bot is told about Renaissance: positions in which each piece of it matters."""

from __future__ import annotations

from math import log2

import pytest

from ai.games.renaissance import RenaissanceKnowledge
from ai.search.knowledge import REWARD_ONE
from ai.search.search import search
from ai.tournaments.arena import ArenaMatch, play_game
from core.chance import Chance
from core.determinization import determinize
from core.games.renaissance import GAME as RENAISSANCE
from core.table import OptionValue
from scripts.lab.learn_evaluation import fitted, loss, shares_by
from scripts.lab.learn_evaluation import positions as lessons
from tests.ai.positions import positions
from tests.core.games.renaissance.stage import GAME, Stage

KNOWLEDGE = RenaissanceKnowledge(GAME)
LADDER = ["grey.4", "red.3", "black.5"]  # Religion and architecture; blue are a.4 to a.6.
GAMES: list[tuple[int, dict[str, OptionValue]]] = [(2, {}), (3, {}), (4, {"team": True})]


def chosen(stage: Stage) -> str:
    """What the policy does in this position, in notation."""
    seat, observation = stage.chooser, stage.observation()
    action = KNOWLEDGE.policy(stage.table, seat, observation)
    return GAME.describe(stage.table, action, observation)


def found(stage: Stage, seed: int) -> str:
    """What search does with few iterations, in notation."""
    seat, observation = stage.chooser, stage.observation()
    decision = search(*(KNOWLEDGE, stage.table, observation, seat), seed=seed, iterations=60)
    return GAME.describe(stage.table, decision.action, observation)


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_the_policy_and_imagined_moves_are_legal(
    seats: int, options: dict[str, OptionValue], seed: int
) -> None:
    chance = Chance(seed)
    for game, table, deal, seat in positions(RENAISSANCE, seats, seed, **options):
        actions = game.legal_actions(table, seat, deal)
        assert KNOWLEDGE.policy(table, seat, deal) in actions
        assert KNOWLEDGE.gather(table, seat, deal) in actions
        other = determinize(table, deal, chance)
        assert KNOWLEDGE.rollout_policy(table, seat, other, chance) in actions


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_judgement_gives_every_side_its_share_and_partners_the_same(
    seats: int, options: dict[str, OptionValue], seed: int
) -> None:
    for game, table, _, _ in positions(RENAISSANCE, seats, seed, **options):
        shares = KNOWLEDGE.evaluate(table)
        sides = {game.team(table, seat): shares[seat] for seat in range(seats)}
        assert all(shares[seat] == sides[game.team(table, seat)] for seat in range(seats))
        assert all(share >= 0 for share in shares)
        assert REWARD_ONE - seats <= sum(sides.values()) <= REWARD_ONE


@pytest.mark.parametrize("seats", [2, 4])
def test_judgement_tells_who_wins_better_than_a_coin_does(seats: int) -> None:
    """It was so sure of itself once that it took 1.3 bits where a coin takes one."""
    noted = [each for seed in range(60) for each in lessons("renaissance", seats, seed)]
    assert loss(noted, lambda one: one.expected) < 0.96 * log2(seats)


def test_what_is_fitted_to_games_tells_who_wins_them() -> None:
    noted = [each for seed in range(12) for each in lessons("renaissance", 2, seed)]
    numbers = fitted(noted)
    assert loss(noted, lambda one: shares_by(one.features, numbers)) < loss(noted, lambda _: (1, 1))
    assert numbers[0] > 0 and numbers[1] > 0, "a stone is worth something, and more in the end"


def test_it_fills_the_blue_spaces_where_it_has_more_symbols() -> None:
    rows = {"rows": [[" ".join(2 * ["architecture.blue architecture.red"])], []]}
    stage = Stage(events=LADDER, pieces={"a.4": 0, "a.5": 1}, cards=rows)
    assert chosen(stage) == found(stage, 1) == found(stage, 2) == "place a.6"


def test_it_does_not_fill_them_where_the_other_has_more() -> None:
    rows = {"rows": [[], ["architecture.blue architecture.red"]]}
    stage = Stage(events=LADDER, pieces={"a.4": 0, "a.5": 1}, cards=rows)
    assert chosen(stage) != "place a.6"


def test_it_does_not_leave_the_last_space_to_somebody_who_is_ahead() -> None:
    rows = {"rows": [[], ["architecture.blue architecture.red"]]}
    stage = Stage(events=LADDER, pieces={"a.4": 1}, cards=rows)
    assert chosen(stage) != "place a.5"


def test_it_fills_the_red_spaces_with_strong_characters_and_leaves_them_without() -> None:
    red = {"events": LADDER, "pieces": {"a.1": 0, "a.2": 1}}
    strong = Stage(**red, cards={"piles": ["person.4 person.3"]})
    assert chosen(strong) == "place a.3"
    weak = Stage(**red, cards={"piles": ["", "person.4 person.3"]})
    assert chosen(weak) != "place a.3"


def test_it_takes_the_symbol_that_the_open_events_show() -> None:
    cards = {"display": "architecture science exploration"}
    stage = Stage(events=["grey.4", "red.2", "black.3"], cards=cards).do("place a.1")
    assert chosen(stage) == "take culture.architecture"


def test_it_lays_down_what_it_holds_before_it_takes_more() -> None:
    cards = {"hands": ["architecture"], "display": "architecture.blue science"}
    stage = Stage(events=["grey.4", "red.2", "black.3"], cards=cards).do("place a.1")
    assert chosen(stage) == "lay culture.architecture"


def test_it_rotates_a_double_that_counts_for_the_events() -> None:
    cards = {"rows": [["architecture.double"]], "display": "science finance"}
    stage = Stage(events=["grey.4", "red.2", "black.3"], cards=cards).do("place a.1")
    assert chosen(stage) == "rotate architecture"


def test_it_names_the_symbol_of_which_it_has_most() -> None:
    rows = {"rows": [["religion", "architecture.blue architecture.red"]]}
    stage = Stage(events=LADDER, pieces={"a.4": 0, "a.5": 1}, cards=rows)
    assert chosen(stage.do("place a.6", "draw")) == "name architecture"


def test_a_duel_that_is_won_is_not_fed_and_one_that_is_lost_neither() -> None:
    red = {"events": ["black.2", "red.3", "black.5"], "pieces": {"a.2": 1}}
    stage = Stage(**red, cards={"piles": ["person.3 person.4"], "display": "finance"})
    stage.do("place a.3", "take culture.finance")
    assert chosen(stage) == "uncover"
    stage.do("uncover")
    assert chosen(stage) == "pass"
    lost = Stage(**red, cards={"piles": ["", "person.4"], "hands": ["person.science.1"]})
    assert chosen(lost.do("place a.3", "draw")) == "pass"


@pytest.mark.slow
def test_a_plain_player_with_the_plan_beats_random_play(seed: int) -> None:
    won = 0
    for number in range(10):
        players = ("plan", "random") if number % 2 else ("random", "plan")
        shares = play_game(ArenaMatch("renaissance", players, seed + number)).shares
        won += shares[players.index("plan")]
    assert won >= 7_000
