"""Candidates that race against the policy's move: same deals, common random numbers."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

import pytest

from ai.games.dominion import DominionKnowledge
from ai.levels import SearchSettings, decide
from ai.search.knowledge import Knowledge
from ai.search.search import Decision, Weakness, search
from ai.search.transitions import CommonShuffles
from core.chance import Chance
from core.determinization import determinize
from core.game import Game, complete_options
from core.games.dominion import GAME as DOMINION
from core.requests import Action
from core.table import Observation, Table
from tests.ai.positions import Position, positions, real_choices
from tests.ai.race import GOAL, RACE, hand, row

GOLDEN = "25a3e816be53c0d5"
KNOWLEDGE = DominionKnowledge(DOMINION)
FACES = [0, 1, 1, 2, 2, 2, 3, 3]
ORDERS = 24  # Of four different cards.
UNEVEN = 60  # Chi-square of 23 degrees of freedom is above this once in 30,000 times.


class Racing(Knowledge):
    """Races in the race: the policy is the last move, and everybody plays at random."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.expansion_visits = 10**6

    def policy(self, table: Table, player: int, observation: Observation) -> Action:
        return self.game.legal_actions(table, player, observation)[-1]

    def candidates(self, table: Table, player: int, observation: Observation) -> list[Action]:
        return self.game.legal_actions(table, player, observation)[::-1]


def twice(table: Table, player: int, observation: Observation) -> list[Action]:
    """Every card can be played in two ways, and the way makes no difference."""
    actions = RACE.legal_actions(table, player, observation)
    return [each._replace(number=way) for each in actions for way in (0, 1) if each.cards] or (
        actions
    )


TWINS = replace(RACE, legal_actions=twice)


def think(position: Position, knowledge: Knowledge, iterations: int, seed: int = 7) -> Decision:
    _, table, _, seat = position
    return search(
        *(knowledge, table, position.observation, seat),
        seed=seed,
        iterations=iterations,
    )


def choices_of_dominion(seed: int) -> list[Position]:
    """Positions in which search has something to think about."""
    found = real_choices(positions(DOMINION, 2, seed))
    return [
        each
        for each in found
        if len(KNOWLEDGE.candidates(each.table, each.seat, each.observation)) > 1
    ]


# ---- luck ----


def shuffled(luck: CommonShuffles, faces: list[int], zone: int = 0) -> list[int]:
    """These faces, laid into a zone of a race and shuffled there."""
    table = RACE.setup(2, complete_options(RACE, 2, {}))
    pile = table.lay_out(zone, faces)
    deal = table.face[:]
    luck.shuffle(table, deal, pile)
    return [deal[card] for card in pile]


def test_a_shuffle_keeps_the_cards_and_the_same_luck_gives_the_same_order(seed: int) -> None:
    order = shuffled(CommonShuffles(seed), FACES)
    assert sorted(order) == sorted(FACES)
    assert shuffled(CommonShuffles(seed), FACES[::-1]) == order
    assert len({tuple(shuffled(CommonShuffles(number), FACES)) for number in range(50)}) > 40


def test_one_card_more_leaves_the_others_in_their_order() -> None:
    for number in range(50):
        order = shuffled(CommonShuffles(number), [*FACES, 4])
        order.remove(4)
        assert order == shuffled(CommonShuffles(number), FACES)


def test_every_shuffle_in_a_zone_is_another_and_no_other_zone_changes_it() -> None:
    luck, alone = CommonShuffles(3), CommonShuffles(3)
    first, second = shuffled(luck, FACES), shuffled(luck, FACES)
    assert first != second
    assert shuffled(alone, FACES) == first
    assert shuffled(alone, FACES, zone=hand(1)) not in (first, second)
    assert shuffled(alone, [4, 4, 1], zone=row(0))
    assert shuffled(alone, FACES) == second


def test_every_order_is_as_likely_as_any_other() -> None:
    count = 100 * ORDERS
    seen = Counter(tuple(shuffled(CommonShuffles(number), [0, 1, 2, 3])) for number in range(count))
    assert len(seen) == ORDERS
    mean = count / ORDERS
    assert sum((each - mean) ** 2 / mean for each in seen.values()) < UNEVEN


def test_two_equal_cards_are_as_likely_to_lie_together_as_apart() -> None:
    count = 3_000
    seen = Counter(tuple(shuffled(CommonShuffles(number), [0, 0, 1, 2])) for number in range(count))
    mean = count / 12
    assert sum((each - mean) ** 2 / mean for each in seen.values()) < UNEVEN
    assert len(seen) == 12


# ---- the race ----


def outcomes(position: Position, iterations: int = 60) -> list[tuple[int, int]]:
    """Visits and chances of every legal action of a race."""
    decision = think(position, Racing(position.game), iterations)
    return [(each.visits, each.win_permille) for each in decision.outlooks]


def test_moves_with_the_same_consequences_win_equally_often(seed: int) -> None:
    found = [each for each in real_choices(positions(TWINS, 2, seed)) if each.actions[0].cards]
    assert found
    stayed_equally_long = 0
    for position in found:
        told = outcomes(position)
        for one, other in zip(told[::2], told[1::2], strict=True):
            if one[0] == other[0]:
                stayed_equally_long += 1
                assert one == other
    assert stayed_equally_long


def test_a_race_keeps_to_its_budget_and_tries_everything_at_least_once(seed: int) -> None:
    for position in real_choices(positions(RACE, 3, seed)):
        for iterations in (1, 50):
            decision = think(position, Racing(position.game), iterations)
            visits = [outlook.visits for outlook in decision.outlooks]
            assert min(visits) >= 1
            assert sum(visits) == decision.iterations <= max(iterations, len(visits))


def test_half_leave_after_a_round_and_the_policys_move_stays_to_the_end() -> None:
    left = 0
    for number in range(8):
        for position in real_choices(positions(TWINS, 2, number)):
            *others, plain = outcomes(position, 120)
            assert plain[0] >= max(visits for visits, _ in others)
            left += sum(visits < plain[0] for visits, _ in others)
    assert left > 10


def test_a_race_that_only_the_policys_move_can_win_is_over_early() -> None:
    over = 0
    for number in range(8):
        for position in real_choices(positions(RACE, 2, number)):
            decision = think(position, Racing(position.game), 200)
            if decision.iterations < 200 - len(position.actions):
                over += 1
                assert decision.action == position.actions[-1]
    assert over > 5


def test_the_policys_move_stands_unless_another_wins_more_on_the_same_deals() -> None:
    changed = 0
    for number in range(8):
        for position in real_choices(positions(RACE, 2, number)):
            decision = think(position, Racing(position.game), 100)
            wins = {each.action: each.win_permille for each in decision.outlooks}
            plain = position.actions[-1]
            assert wins[decision.action] >= wins[plain]
            changed += decision.action != plain
    assert changed > 3


def test_a_victory_in_one_move_is_seen_in_a_race() -> None:
    found = 0
    for number in range(40):
        for position in real_choices(positions(RACE, 2, number)):
            points = RACE.scores(position.table)[position.seat]
            wins = [
                action
                for action in position.actions
                if action.cards and points + position.observation[action.cards[0]] >= GOAL
            ]
            if len(wins) == 1:
                found += 1
                assert think(position, Racing(position.game), 60).action == wins[0]
    assert found > 10


def test_who_misjudges_moves_misjudges_each_in_its_own_way(seed: int) -> None:
    found = [each for each in real_choices(positions(TWINS, 2, seed)) if each.actions[0].cards]
    game, table, _, seat = position = found[0]
    decision = search(
        *(Racing(game), table, position.observation, seat), seed=seed, iterations=60,
        weakness=Weakness(mistakes=20),
    )  # fmt: skip
    told = [(each.visits, each.win_permille) for each in decision.outlooks]
    assert told[::2] != told[1::2]


# ---- Dominion ----


@pytest.mark.parametrize("level", ["gentle", "sharp"])
def test_a_decision_depends_on_nothing_that_its_seat_cannot_see(level: str, seed: int) -> None:
    for position in choices_of_dominion(seed)[::30][:3]:
        game, table, _, seat = position
        other = position._replace(deal=determinize(table, position.observation, Chance(seed)))
        first, again, redealt = [
            decide(game, table, each.observation, seat, SearchSettings(seed, level, 20))
            for each in (position, position, other)
        ]
        assert first == again == redealt


def test_decisions_in_dominion_are_the_same_on_every_platform_and_python() -> None:
    told = hashlib.sha256()
    for position in choices_of_dominion(11)[::10][:6]:
        told.update(repr(think(position, KNOWLEDGE, 24)).encode())
    assert told.hexdigest()[:16] == GOLDEN
