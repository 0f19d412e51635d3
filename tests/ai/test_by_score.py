"""Bots in games that nobody has told them anything about: they go by the score of the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.games import find_knowledge
from ai.search.by_score import ByScore
from ai.search.knowledge import REWARD_ONE
from ai.search.score_profile import profile_of
from ai.search.search import search
from core.chance import Chance
from core.determinization import Determinizer, determinize
from core.engine import run_until_choice
from core.game import Game, highest
from core.requests import Choice, Over
from core.table import HIDDEN, Table
from tests.ai.positions import positions, real_choices
from tests.ai.race import RACE
from tests.gin_rummy import GIN_RUMMY, OVER, deadwood, greedy, hand
from tests.guide import LOW_HAND
from tests.toy import REALM
from tests.tricks import HAND_CARDS, PLAYED, SEATS, TRICK_BIDS


def silent(table: Table) -> tuple[int, ...]:
    """Nothing before the end of the hand."""
    return GIN_RUMMY.scores(table) if table.counters[2] else (0, 0)


def unable(table: Table) -> tuple[int, ...]:
    """An error before the end of the hand."""
    assert table.counters[0] == OVER
    return GIN_RUMMY.scores(table)


UNABLE = replace(GIN_RUMMY, scores=unable)
SILENT = replace(GIN_RUMMY, scores=silent, winners=lambda table: highest(silent(table)))


def think(game: Game, seed: int, stride: int = 9) -> list[object]:
    """What search finds in some positions of a random game, twice and with other hidden cards."""
    told: list[object] = []
    for position in real_choices(positions(game, game.players[0], seed), stride):
        deal = determinize(position.table, position.observation, Chance(seed))
        other = position._replace(deal=deal)
        found = [
            search(
                *(ByScore(game), each.table, each.observation, each.seat),
                seed=seed, iterations=12,
            )
            for each in (position, position, other)
        ]  # fmt: skip
        assert found[0] == found[1] == found[2]
        told += found
    return told


@pytest.mark.parametrize("game", [LOW_HAND, REALM, RACE, GIN_RUMMY, SILENT, TRICK_BIDS])
def test_a_decision_is_repeatable_and_depends_on_nothing_that_its_seat_cannot_see(
    game: Game, seed: int
) -> None:
    assert think(game, seed)


def test_a_game_without_knowledge_gets_that_of_its_score() -> None:
    assert type(find_knowledge(LOW_HAND)) is ByScore


def test_whether_a_score_says_something_before_the_end_is_found_out() -> None:
    assert profile_of(GIN_RUMMY, 2, ()).tells_early
    assert not profile_of(SILENT, 2, ()).tells_early
    assert not profile_of(UNABLE, 2, ()).tells_early


class Judge(ByScore):
    """Notes every unfinished game that it is asked about."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.judged: list[Table] = []

    def evaluate(self, table: Table) -> list[int]:
        self.judged.append(table)
        return super().evaluate(table)


def judged(game: Game, seats: int, seed: int) -> list[Table]:
    """Unfinished games that search imagines in some positions of a random game, where judged."""
    knowledge = Judge(game)
    for position in real_choices(positions(game, seats, seed), 9):
        search(
            *(knowledge, position.table, position.observation, position.seat),
            seed=seed, iterations=12,
        )  # fmt: skip
    return knowledge.judged


def test_whether_a_score_tells_one_move_from_another_is_found_out() -> None:
    assert profile_of(GIN_RUMMY, 2, ()).tells_moves
    assert not profile_of(TRICK_BIDS, SEATS, ()).tells_moves
    assert not profile_of(SILENT, 2, ()).tells_moves


def test_where_a_score_moves_after_a_round_an_imagined_game_is_judged_after_one(seed: int) -> None:
    found = judged(TRICK_BIDS, SEATS, seed)
    assert len(found) > 20
    assert not any(table.zones[PLAYED] for table in found)
    assert all(len(table.zones[2 + seat]) == HAND_CARDS for table in found for seat in range(SEATS))


def test_where_a_score_says_nothing_before_the_end_imagined_games_are_played_to_it(
    seed: int,
) -> None:
    assert judged(GIN_RUMMY, 2, seed)
    assert not judged(SILENT, 2, seed)


def test_the_shares_of_a_game_add_up_and_the_larger_victory_is_worth_more() -> None:
    knowledge, found = ByScore(GIN_RUMMY), []
    for number in range(12):
        table, chance = GIN_RUMMY.setup(2, {}), Chance(number)
        deal = table.face[:]
        while not isinstance(pending := run_until_choice(GIN_RUMMY, table, deal, chance), Over):
            assert isinstance(pending, Choice)
            GIN_RUMMY.apply(table, pending.player, greedy(table, deal, pending.player, 0))
        shares, scores = knowledge.rewards(table), GIN_RUMMY.scores(table)
        assert abs(sum(shares) - REWARD_ONE) <= 2
        found.append((abs(scores[0] - scores[1]), max(shares)))
    found.sort()
    assert [share for _, share in found] == sorted(share for _, share in found)
    assert found[0][1] < found[-1][1]


def test_the_policy_discards_what_leaves_the_least_deadwood(seed: int) -> None:
    knowledge, checked = ByScore(GIN_RUMMY), 0
    for position in real_choices(positions(GIN_RUMMY, 2, seed)):
        actions = position.actions
        if all(action.verb == "discard" for action in actions):
            held, seen = position.table.zones[hand(position.seat)], position.observation
            left = {
                action: deadwood(seen[card] for card in held if card not in action.cards)
                for action in actions
            }
            plain = knowledge.policy(position.table, position.seat, seen)
            assert left[plain or actions[0]] == min(left.values())
            checked += 1
    assert checked > 3


def test_of_many_moves_those_are_thought_about_that_look_best_at_once(seed: int) -> None:
    knowledge, cut = ByScore(GIN_RUMMY), 0
    for position in real_choices(positions(GIN_RUMMY, 2, seed)):
        table, seat, seen = position.table, position.seat, position.observation
        actions = position.actions
        candidates = knowledge.candidates(table, seat, seen)
        worth = dict(zip(actions, knowledge.prior(table, seat, actions, seen), strict=True))
        left = [worth[action] for action in actions if action not in candidates]
        assert candidates == [action for action in actions if action in candidates]
        assert len(candidates) >= min(6, len(actions))
        assert not left or max(left) < min(worth[action] for action in candidates)
        assert knowledge.policy(table, seat, seen) in [*candidates, None]
        cut += bool(left)
    assert cut > 3


def test_where_a_score_says_nothing_before_the_end_every_move_is_thought_about(seed: int) -> None:
    knowledge = ByScore(SILENT)
    for position in real_choices(positions(SILENT, 2, seed), 9):
        table, seat, seen = position.table, position.seat, position.observation
        assert knowledge.candidates(table, seat, seen) == position.actions


def test_rivals_are_imagined_with_better_hands_than_they_would_have_by_lot(seed: int) -> None:
    knowledge, chance, usual, guessed = ByScore(GIN_RUMMY), Chance(seed), 0, 0
    for position in real_choices(positions(GIN_RUMMY, 2, seed)):
        table, seat, seen = position.table, position.seat, position.observation
        rivals = table.zones[hand(1 - seat)]
        for _ in range(4):
            usual += deadwood(determinize(table, seen, chance)[card] for card in rivals)
            deal = knowledge.determinize(table, seat, Determinizer(table, seen), chance)
            guessed += deadwood(deal[card] for card in rivals)
            assert all(deal[card] == face for card, face in enumerate(seen) if face != HIDDEN)
    assert guessed * 10 < usual * 9


def test_where_a_score_says_nothing_before_the_end_every_hand_is_as_likely(seed: int) -> None:
    knowledge = ByScore(SILENT)
    for position in real_choices(positions(SILENT, 2, seed), 9):
        table, seat, seen = position.table, position.seat, position.observation
        determinizer = Determinizer(table, seen)
        deal = knowledge.determinize(table, seat, determinizer, Chance(1))
        assert deal == determinizer.sample(Chance(1))
