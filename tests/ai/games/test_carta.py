"""What a bot is told about Carta."""

from __future__ import annotations

import pytest

from ai.games.carta import CartaKnowledge, progress
from ai.search.knowledge import REWARD_ONE
from ai.search.search import search
from ai.tournaments.arena import ArenaMatch, play_game
from core.chance import Chance
from core.determinization import determinize
from core.games.carta import GAME as CARTA
from core.games.carta.cards import (
    AREA,
    DECK,
    DEMOCRACY,
    ECONOMY,
    HAND,
    MARKED,
    MILITARY,
    PHASE,
    RELIGION,
    SCIENCE,
    TURN,
    USING_EFFECTS,
    UTOPIA,
)
from core.requests import Action
from core.table import OptionValue, Table
from tests.ai.positions import positions, real_choices

GAMES: list[tuple[int, dict[str, OptionValue]]] = [
    (2, {}),
    (3, {"deal": "draft"}),
    (4, {"team": True}),
]
KNOWLEDGE = CartaKnowledge(CARTA)


def laid_out(areas: list[list[int]]) -> Table:
    """A table with so many cards of every domain in the area of every seat."""
    position = next(positions(CARTA, len(areas), 1))
    table = position.table
    for zone in table.zones[1:]:
        table.zones[0] += zone
        zone.clear()
    for seat, counts in enumerate(areas):
        for domain, count in enumerate(counts):
            for _ in range(count):
                table.zones[AREA[seat] + domain].append(table.zones[0].pop())
    return table


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_the_policy_and_imagined_moves_are_legal(
    seats: int, options: dict[str, OptionValue], seed: int
) -> None:
    chance = Chance(seed)
    for game, table, deal, seat in positions(CARTA, seats, seed, **options):
        actions = game.legal_actions(table, seat, deal)
        faces = [(action.verb, [deal[card] for card in action.cards]) for action in actions]
        assert KNOWLEDGE.policy(table, seat, deal) in actions
        for _ in range(4):
            action = KNOWLEDGE.rollout_policy(table, seat, deal, chance)
            assert (action.verb, [deal[card] for card in action.cards]) in faces


@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_an_imagined_player_looks_at_no_cards_but_its_own(
    seats: int, options: dict[str, OptionValue], seed: int
) -> None:
    for position in real_choices(positions(CARTA, seats, seed, **options)):
        _, table, deal, seat = position
        other = determinize(table, position.observation, Chance(seed))
        policies = [
            KNOWLEDGE.policy(table, seat, each) for each in (deal, other, position.observation)
        ]
        assert policies[0] == policies[1] == policies[2]
        moves = [
            KNOWLEDGE.rollout_policy(table, seat, each, Chance(seed))
            for each in (deal, other, position.observation)
        ]
        assert moves[0] == moves[1] == moves[2]


def test_a_rush_player_plays_the_domain_it_has_most_of(seed: int) -> None:
    checked = 0
    for number in range(seed % 1000, seed % 1000 + 10):
        for position in real_choices(positions(CARTA, 2, number)):
            game, table, _, seat = position
            if game.phase(table) != "play":
                continue
            mine, observation = progress(table, seat), position.observation
            played = KNOWLEDGE.policy(table, seat, observation)
            best = max(mine[observation[action.cards[0]]] for action in position.actions)
            assert mine[observation[played.cards[0]]] == best
            checked += 1
    assert checked


def test_democracy_on_a_domain_sets_it_back() -> None:
    table = laid_out([[6, 0, 0, 2, 0, 0], [0] * 6])
    table.counters[MARKED[0] + MILITARY] = 5
    table.zones[DEMOCRACY[0]].append(table.zones[0].pop())
    assert progress(table, 0)[MILITARY] < progress(table, 0)[SCIENCE]


def test_the_side_that_is_nearer_to_hegemony_is_better_off() -> None:
    ahead, behind = KNOWLEDGE.evaluate(laid_out([[7, 0, 0, 0, 0, 0], [3, 3, 3, 0, 0, 0]]))
    assert ahead > behind


def test_with_an_empty_deck_majorities_decide_who_is_better_off() -> None:
    table = laid_out([[4, 0, 0, 0, 0, 0], [0, 3, 3, 3, 0, 0]])
    early = KNOWLEDGE.evaluate(table)
    table.zones[DECK].clear()
    late = KNOWLEDGE.evaluate(table)
    assert early[0] > early[1]
    assert late[1] > late[0]


@pytest.mark.parametrize(
    ("mine", "effect"),
    [
        ([0, 0, 0, 0, 0, 1], UTOPIA),  # Democracy sets the goal one higher.
        ([0, 0, 1, 0, 0, 0], ECONOMY),  # Embargo forbids the last card.
        ([2, 0, 0, 0, 0, 0], MILITARY),  # Attack takes a card away.
    ],
)
def test_the_policy_stops_a_rival_who_is_about_to_win(mine: list[int], effect: int) -> None:
    for rival, stops in ((7, True), (5, False)):
        table = laid_out([mine, [rival, 0, 0, 0, 0, 0]])
        table.counters[TURN], table.counters[PHASE] = 0, USING_EFFECTS
        action = KNOWLEDGE.policy(table, 0, table.face)
        assert action == (Action("use", (), 4 * effect + 3) if stops else Action("end"))
        assert KNOWLEDGE.rush(table, 0, table.face) == Action("end")
        decision = search(*(KNOWLEDGE, table, table.face, 0), seed=1, iterations=60)
        assert decision.action == action or not stops, "search finds it, too"


@pytest.mark.parametrize(
    ("mine", "hand", "effect"),
    [
        ([4, 0, 3, 0, 0, 0], [MILITARY, UTOPIA], 4 * ECONOMY + 1),
        ([4, 0, 5, 0, 0, 0], [ECONOMY, ECONOMY], 4 * ECONOMY + 2),
        ([4, 0, 0, 3, 0, 0], [MILITARY, UTOPIA], 4 * SCIENCE + 1),
        ([4, 0, 0, 0, 0, 0], [RELIGION, UTOPIA], 4 * MILITARY + 1),
        ([5, 0, 0, 0, 0, 0], [RELIGION, UTOPIA], 4 * MILITARY + 2),
        ([0, 4, 0, 1, 0, 0], [UTOPIA, UTOPIA], 4 * SCIENCE + 3),
        ([0, 2, 0, 1, 0, 0], [RELIGION, RELIGION], None),
    ],
)
def test_the_policy_uses_the_effects_that_bring_more_of_a_domain(
    mine: list[int], hand: list[int], effect: int | None
) -> None:
    table = laid_out([mine, [0] * 6])
    table.counters[TURN], table.counters[PHASE] = 0, USING_EFFECTS
    observation = table.face[:]
    for domain in hand:
        table.zones[HAND[0]].append(table.zones[DECK].pop())
        observation[table.zones[HAND[0]][-1]] = domain
    expected = Action("end") if effect is None else Action("use", (), effect)
    assert KNOWLEDGE.policy(table, 0, observation) == expected


def test_the_policy_beats_a_rush_player_that_knows_no_effects() -> None:
    results = [
        play_game(ArenaMatch("carta", players, number)).shares[players.index("plan")]
        for number in range(30)
        for players in (("plan", "rush"), ("rush", "plan"))
    ]
    assert sum(results) > 45_000  # 57,000 are to be expected.


def test_what_the_sides_can_expect_adds_up(seed: int) -> None:
    for seats in (2, 3, 4):
        for position in positions(CARTA, seats, seed):
            shares = KNOWLEDGE.evaluate(position.table)
            assert REWARD_ONE - seats <= sum(shares) <= REWARD_ONE
