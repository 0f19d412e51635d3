"""How a game is called at every choice: by the methods of its own object, or by its functions."""

from __future__ import annotations

from dataclasses import replace

from core.engine import start
from core.games import OURS, find_game
from core.games.carta import GAME as CARTA
from core.requests import Action, Roll
from core.table import Observation, Table
from tests.toy import REALM


def test_methods_of_one_object_are_called_by_way_of_it() -> None:
    for slug in OURS:
        game = replace(find_game(slug), rules="")
        mechanics = game.mechanics
        assert (mechanics.advance, mechanics.apply) == (game.advance, game.apply), slug


def test_functions_are_called_as_they_are() -> None:
    table, twin = start(REALM, 2, {}), start(REALM, 2, {})
    mechanics = REALM.mechanics
    assert mechanics.advance(table) == REALM.advance(twin)
    assert table.digest() == twin.digest()


def test_a_function_that_was_replaced_is_called_and_not_the_method() -> None:
    def nothing(table: Table, player: int, observation: Observation) -> list[Action]:
        return []

    mechanics = replace(CARTA, legal_actions=nothing).mechanics
    table = start(CARTA, 2, {})
    assert mechanics.legal_actions(table, 0, table.face) == []
    mechanics.advance(table)
    assert mechanics.advance(table) == Roll(2)
