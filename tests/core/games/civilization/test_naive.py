"""The second reading of the rules agrees with the first one at every step of random games."""

from __future__ import annotations

import pytest

from core.games.civilization import battles, choices
from core.games.civilization.frames import SEAT, top
from core.imagine import blindfold
from core.requests import Choice
from core.table import Table
from core.testing.worlds import OpenGame, any_setting
from tests.core.games.civilization.naive import Reading, asked, check_table
from tests.core.games.civilization.stage import GAME

GAMES = 6
SAMPLE = 7  # One choice in so many is compared.


@pytest.mark.parametrize("seed", range(GAMES))
def test_yields_coins_ways_battles_and_victories_are_the_same(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare, fights = battles._compare, []

    def compared(table: Table) -> None:
        expected = Reading(table).battle_winner()
        compare(table)
        assert table.counters[top(table) + SEAT] == expected
        fights.append(expected)

    monkeypatch.setattr(battles, "_compare", compared)
    players, options = any_setting(GAME, seed)
    world = OpenGame(GAME, players, {**options, "max_turns": 12}, seed)
    for pending in world.play():
        if world.choices % SAMPLE:
            continue
        check_table(world.table)
        if isinstance(pending, Choice) and asked(world.table) == "moving":
            observation = blindfold(world.table, world.deal, pending.player)
            actions = choices.legal_actions(world.table, pending.player, observation)
            ends = {action.number for action in actions if action.verb == "go"}
            assert ends == Reading(world.table).destinations()
    check_table(world.table)
    assert len(world.table.zones) == len(world.table.layout.places)
