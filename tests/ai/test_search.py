"""Search: repeatable, honest, within its budget, and never worse than the policy."""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal

import pytest

from ai.games import find_knowledge
from ai.search.knowledge import REWARD_ONE, Knowledge
from ai.search.search import STRONG, Decision, Weakness, search
from ai.search.tree import logarithm
from core.chance import Chance
from core.determinization import determinize
from core.engine import run_until_choice
from core.game import Game, complete_options
from core.games.carta import GAME as CARTA
from core.requests import Action, Over, to_act
from core.table import Observation, OptionValue, Table
from tests.ai.positions import Position, positions, real_choices
from tests.ai.race import GOAL, RACE

RACES: list[tuple[int, dict[str, OptionValue]]] = [
    (2, {}),
    (3, {}),
    (4, {}),
    (4, {"team": True}),
    (2, {"secret": True}),
    (4, {"secret": True, "team": True}),
]
GOLDEN = "d3a697abb6373a59"


def think(position: Position, iterations: int = 30, seed: int = 7) -> Decision:
    game, table, _, seat = position
    knowledge = Knowledge(game) if game is RACE else find_knowledge(game)
    return search(
        *(knowledge, table, position.observation, seat),
        seed=seed,
        iterations=iterations,
    )


def redealt(position: Position, seed: int) -> Position:
    """The same position with everything that the seat cannot see dealt anew."""
    deal = determinize(position.table, position.observation, Chance(seed))
    return position._replace(deal=deal)


@pytest.mark.parametrize("game", [RACE, CARTA])
def test_the_same_seed_gives_the_same_decision(game: Game, seed: int) -> None:
    for position in real_choices(positions(game, 2, seed), stride=9):
        assert think(position) == think(position)


def test_another_seed_may_give_another_decision() -> None:
    position = real_choices(positions(RACE, 2, 1))[2]
    assert len({think(position, seed=number) for number in range(8)}) > 1


@pytest.mark.parametrize(("seats", "options"), RACES)
def test_what_a_seat_cannot_see_does_not_change_what_it_does(
    seats: int, options: dict[str, OptionValue], seed: int
) -> None:
    for position in real_choices(positions(RACE, seats, seed, **options), stride=4):
        assert think(redealt(position, seed)) == think(position)


def test_what_a_seat_of_carta_cannot_see_does_not_change_what_it_does(seed: int) -> None:
    for position in real_choices(positions(CARTA, 3, seed, deal="draft"), stride=25):
        other = redealt(position, seed)
        assert other.deal != position.deal
        assert think(other) == think(position)


def test_a_bot_that_is_handed_foreign_cards_refuses_to_think() -> None:
    position = real_choices(positions(RACE, 2, 5))[0]
    with pytest.raises(AssertionError, match="has not seen"):
        search(
            *(Knowledge(position.game), position.table, position.deal, position.seat),
            seed=1,
            iterations=1,
        )


def test_thinking_leaves_table_and_eyes_as_they_were(seed: int) -> None:
    position = real_choices(positions(CARTA, 2, seed), stride=10)[1]
    before, observation = position.table.digest(), position.observation
    think(position)
    assert position.table.digest() == before
    assert position.observation == observation


def test_a_single_legal_action_is_taken_without_thinking(seed: int) -> None:
    forced = [each for each in positions(CARTA, 2, seed) if len(each.actions) == 1]
    decision = think(forced[0], iterations=1_000_000)
    assert (decision.action, decision.iterations) == (forced[0].actions[0], 0)


def test_every_legal_action_is_tried_even_on_the_smallest_budget(seed: int) -> None:
    for position in real_choices(positions(RACE, 3, seed)):
        decision = think(position, iterations=1)
        assert all(outlook.visits == 1 for outlook in decision.outlooks)
        assert [outlook.action for outlook in decision.outlooks] == position.actions


def test_search_stops_at_its_budget_or_when_all_others_are_clearly_worse(seed: int) -> None:
    for position in real_choices(positions(RACE, 2, seed)):
        decision = think(position, iterations=200)
        visits = [outlook.visits for outlook in decision.outlooks]
        assert sum(visits) == decision.iterations <= 200
        if decision.iterations <= 200 - len(visits):
            wins = {outlook.action: outlook.win_permille for outlook in decision.outlooks}
            assert all(
                wins[decision.action] > won for action, won in wins.items()
                if action != decision.action
            )  # fmt: skip


def test_of_the_candidates_half_are_left_after_every_round(seed: int) -> None:
    for position in real_choices(positions(RACE, 3, seed)):
        decision = think(position, iterations=300)
        visits = sorted(outlook.visits for outlook in decision.outlooks)
        if len(visits) > 2 and decision.iterations > 300 - len(visits):
            assert visits[0] < visits[-1] == visits[-2]


def test_the_expected_line_begins_with_the_decision(seed: int) -> None:
    position = real_choices(positions(RACE, 2, seed))[0]
    decision = think(position, iterations=200)
    observation = position.observation
    assert decision.line[0].player == position.seat
    assert decision.line[0].verb == decision.action.verb
    assert decision.line[0].faces == tuple(observation[card] for card in decision.action.cards)


class Last(Knowledge):
    """The policy's move is the last one."""

    def policy(self, table: Table, player: int, observation: Observation) -> Action:
        return self.game.legal_actions(table, player, observation)[-1]


class Indifferent(Last):
    """The same, and all games end alike."""

    def rewards(self, table: Table) -> list[int]:
        return [REWARD_ONE // 2] * table.layout.players


def test_a_patient_search_looks_at_replies_only_behind_what_it_has_visited_often(seed: int) -> None:
    game, table, _, seat, *_ = position = real_choices(positions(RACE, 2, seed))[0]
    patient = Knowledge(game)
    patient.expansion_visits = 100

    def line(iterations: int) -> int:
        found = search(
            *(patient, table, position.observation, seat),
            seed=seed, iterations=iterations,
        )  # fmt: skip
        return len(found.line)

    assert line(90) == 1 < line(900)


@pytest.mark.parametrize("iterations", [1, 5, 40])
def test_the_policys_move_stands_unless_another_is_better(iterations: int, seed: int) -> None:
    for position in real_choices(positions(RACE, 2, seed)):
        game, table, _, seat = position
        decision = search(
            *(Indifferent(game), table, position.observation, seat),
            seed=seed,
            iterations=iterations,
        )
        assert decision.action == position.actions[-1]


def test_the_more_a_game_doubts_the_seldomer_the_policys_move_is_left(seed: int) -> None:
    found = [each for deal in range(3) for each in real_choices(positions(RACE, 2, seed + deal))]
    bold, wary = Last(RACE), Last(RACE)
    bold.doubt, wary.doubt = 0, 10_000
    assert any(_leaves(bold, each, place) for place, each in enumerate(found))
    assert not any(_leaves(wary, each, place) for place, each in enumerate(found))
    weak = Weakness(mistakes=50)
    misjudged = [_leaves(wary, each, place, weak) for place, each in enumerate(found)]
    assert any(misjudged), "its mistakes would count for nothing"


def _leaves(
    knowledge: Knowledge, position: Position, seed: int, weakness: Weakness = STRONG
) -> bool:
    table, seat = position.table, position.seat
    decision = search(
        *(knowledge, table, position.observation, seat),
        seed=seed, iterations=60, weakness=weakness,
    )  # fmt: skip
    return decision.action != position.actions[-1]


def test_search_sees_a_victory_in_one_move() -> None:
    found = 0
    for number in range(60):
        for position in real_choices(positions(RACE, 2, number)):
            if position.table.counters[2]:
                continue
            points = RACE.scores(position.table)[position.seat]
            winning = [
                action
                for action in position.actions
                if points + position.observation[action.cards[0]] >= GOAL
            ]
            if len(winning) == 1:
                found += 1
                decision = think(position, iterations=60)
                chances = {each.action: each.win_permille for each in decision.outlooks}
                assert chances[winning[0]] == chances[decision.action] == 1000
    assert found > 10


def test_a_bot_does_not_rob_its_partner_of_the_lead() -> None:
    checked = 0
    for number in range(200):
        for position in positions(RACE, 4, number, team=True):
            scores = RACE.scores(position.table)
            partner = (position.seat + 2) % 4
            options = [action.number for action in position.actions if action.verb == "rob"]
            if partner in options and len(options) > 1 and scores[partner] > GOAL - 3:
                decision = think(position, iterations=150)
                chances = {each.action: each.win_permille for each in decision.outlooks}
                if max(chances.values()) < 1000:  # Otherwise the game is won either way.
                    checked += 1
                    assert decision.action.number != partner
    assert checked > 3


def play_race(seats: int, options: dict[str, OptionValue], seed: int, searcher: int) -> list[int]:
    """The shares of a race in which one side searches and the others play at random."""
    game, chance = RACE, Chance(seed)
    table = game.setup(seats, complete_options(game, seats, options))
    deal = table.face[:]
    while not isinstance(pending := run_until_choice(game, table, deal, chance), Over):
        asked = to_act(pending)
        answers = []
        for seat in asked:
            position = Position(game, table, deal, seat)
            if game.team(table, seat) == searcher:
                answers.append(think(position, 30, seed).action)
            else:
                answers.append(chance.pick(position.actions))
        for seat, action in zip(asked, answers, strict=True):
            game.apply(table, seat, action)
    return Knowledge(game).rewards(table)


@pytest.mark.parametrize(("seats", "options"), RACES)
def test_search_wins_more_than_its_share_of_any_race(
    seats: int, options: dict[str, OptionValue]
) -> None:
    sides = 2 if "team" in options else seats
    games, won = 60, 0
    for number in range(games):
        searcher = number % sides
        won += play_race(seats, options, number, searcher)[searcher]
    assert won / REWARD_ONE / games > 1 / sides


def test_the_logarithm_is_the_natural_one() -> None:
    for number in (1, 2, 3, 10, 4095, 4096, 5000, 1 << 20):
        assert logarithm(number) / (1 << 20) == pytest.approx(math.log(number), abs=1e-3)


def test_no_logarithm_of_the_table_is_rounded_the_wrong_way() -> None:
    for number in range(1, 4096):
        assert logarithm(number) == int(Decimal(number).ln() * (1 << 20)), number


def test_decisions_are_the_same_on_every_platform_and_python() -> None:
    told = hashlib.sha256()
    for seats, options in RACES:
        for position in real_choices(positions(RACE, seats, 11, **options)):
            told.update(repr(think(position, iterations=50)).encode())
    assert told.hexdigest()[:16] == GOLDEN
