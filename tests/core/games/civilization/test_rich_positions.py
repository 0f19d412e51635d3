"""Random games from positions in which everybody has nearly everything: rules that seldom meet."""

from __future__ import annotations

from itertools import islice

import pytest

from core.chance import Chance
from core.determinization import determinize, observation_of
from core.games.civilization.layout import HOW, PHASE
from core.requests import to_act
from core.testing.worlds import OpenGame, any_setting
from tests.core.games.civilization.naive import check_table
from tests.core.games.civilization.rich import enrich
from tests.core.games.civilization.stage import GAME

CHOICES = 500
CHECKED = 25  # One choice in so many.


@pytest.mark.parametrize("seed", range(12))
def test_random_games_from_rich_positions_keep_every_rule(seed: int) -> None:
    players, options = any_setting(GAME, seed)
    print(f"seed {seed}: {players} seats, {options}")
    world = OpenGame(GAME, players, {**options, "max_turns": 12}, 3 * seed)  # Not calm.
    is_rich = False
    for count, _ in enumerate(islice(world.play(), CHOICES)):
        if world.table.counters[PHASE] and not is_rich:
            enrich(world, Chance(seed))
            is_rich = True
        if is_rich and count % CHECKED == 0 and count > CHECKED:
            check_table(world.table)
    assert is_rich


@pytest.mark.parametrize("seed", range(6))
def test_imagined_deals_are_played_to_the_end(seed: int) -> None:
    """What a bot imagines is handed the whole deal: nothing is asked of the world but luck."""
    players, options = any_setting(GAME, seed)
    world = OpenGame(GAME, players, {**options, "max_turns": 6}, 3 * seed)
    for pending in world.play():
        if world.table.counters[PHASE] and world.choices > 40 and world.table.deal is None:
            observation = observation_of(world.table, world.deal, to_act(pending)[0])
            world.deal = determinize(world.table, observation, Chance(seed))
            world.table.deal = world.deal
    assert world.table.counters[HOW]
    assert not world.table.owed
