"""Who can sit in a tournament, by name."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ai.games import find_knowledge
from ai.levels import LEVELS, decide
from ai.players import players as players_module
from ai.players.players import find_player
from ai.search.search import Decision
from core.chance import Chance
from core.games import GAMES, find_game
from core.table import RulesError
from tests.ai.positions import Position, positions, real_choices

CARTA = find_game("carta")


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The level and the iterations of every decision; each is made in haste."""
    asked: list[tuple[str, int]] = []

    def decide_in_haste(*place: Any) -> Decision:
        *seen, settings = place
        asked.append((settings.level, settings.iterations))
        return decide(*seen, settings._replace(iterations=2))

    monkeypatch.setattr(players_module, "decide", decide_in_haste)
    return asked


def choices(slug: str = "carta") -> list[Position]:
    return real_choices(positions(find_game(slug), 2, 7), stride=10)


def test_a_level_has_the_iterations_of_an_ordinary_machine_and_a_part_its_part(
    budgets: list[tuple[str, int]],
) -> None:
    _, table, _, seat = (position := choices()[0])
    names = [*LEVELS, "steady/10", "sharp/3", "gentle/999999", "sharp:77"]
    names += ["sharp+builder", "steady/10+attacker", "sharp:77+opportunist"]
    for name in names:
        find_player(CARTA, name)(table, position.observation, seat, 1)
    speed = find_knowledge(CARTA).speed
    whole = {name: level.iterations(speed) for name, level in LEVELS.items()}
    assert budgets == [
        *whole.items(),
        ("steady", whole["steady"] // 10),
        ("sharp", whole["sharp"] // 3),
        ("gentle", 1),
        ("sharp", 77),
        ("sharp+builder", whole["sharp"]),
        ("steady+attacker", whole["steady"] // 10),
        ("sharp+opportunist", 77),
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_every_fixed_player_of_a_game_plays_what_is_legal_and_always_the_same(slug: str) -> None:
    game = find_game(slug)
    for name in ("random", "greedy", "policy", *find_knowledge(game).strategies):
        player = find_player(game, name)
        for position in choices(slug)[:6]:
            _, table, _, seat = position
            chosen = player(table.copy(), position.observation, seat, 5)
            assert chosen in position.actions
            assert chosen == player(table.copy(), position.observation, seat, 5)


def test_the_policy_plays_the_plan_of_the_game_and_by_chance_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    knowledge, policy = find_knowledge(CARTA), find_player(CARTA, "policy")
    found = [(each, each.table, each.observation, each.seat) for each in choices()]
    for _, table, observation, seat in found:
        assert policy(table, observation, seat, 1) == knowledge.policy(table, seat, observation)
    monkeypatch.setattr(type(knowledge), "policy", lambda *_: None)
    aimless = find_player(CARTA, "policy")
    answers = {aimless(found[0][1], found[0][2], found[0][3], seed) for seed in range(20)}
    assert len(answers) > 1


@pytest.mark.parametrize(
    "name", ["deep", "search:0", "search:x", "search:", "search:9999999999999", "steady/0",
             "steady/", "steady/x", "steady:0", "rush/10", "", "steady+brutal", "random+builder"]
)  # fmt: skip
def test_nobody_by_that_name_is_refused_with_a_list(name: str) -> None:
    levels = "gentle, steady, sharp, strongest, LEVEL/N, LEVEL:N, search:N, plan:PLAN"
    with pytest.raises(RulesError, match=re.escape(f"no player is called {name!r}")) as refused:
        find_player(CARTA, name)
    assert f"; there are random, greedy, policy, rush, plan, {levels}" in str(refused.value)


@pytest.mark.parametrize("slug", ["carta", "renaissance", "civilization"])
def test_imagined_players_follow_the_policy_but_for_so_many_choices_at_random(
    slug: str, seed: int
) -> None:
    game = find_game(slug)
    knowledge, chance = find_knowledge(game), Chance(seed)
    found = real_choices(positions(game, 2, seed))[:120]

    def strays(once_in: int) -> int:
        knowledge.random_once_in = once_in
        policy = knowledge.policy
        return sum(
            knowledge.rollout_policy(table, seat, deal, chance) != policy(table, seat, deal)
            for _, table, deal, seat in found
        )

    assert strays(1 << 30) == 0 < strays(2) < strays(1)
