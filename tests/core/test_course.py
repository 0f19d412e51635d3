"""What random games call at every choice: the methods of a game's own object, or its functions."""

from __future__ import annotations

from dataclasses import replace

from core.course import course_of
from core.engine import start
from core.games.carta import GAME as CARTA
from core.requests import Action, Roll
from core.table import Observation, Table
from tests.toy import REALM


def test_methods_of_one_object_are_called_by_way_of_it() -> None:
    course = course_of(CARTA)
    assert (course.advance, course.apply) == (CARTA.advance, CARTA.apply)
    assert course is course_of(CARTA)


def test_functions_are_called_as_they_are() -> None:
    table, twin = start(REALM, 2, {}), start(REALM, 2, {})
    course = course_of(REALM)
    assert course.advance(table) == REALM.advance(twin)
    assert table.digest() == twin.digest()


def test_a_function_that_was_replaced_is_called_and_not_the_method() -> None:
    def nothing(table: Table, player: int, observation: Observation) -> list[Action]:
        return []

    course = course_of(replace(CARTA, legal_actions=nothing))
    table = start(CARTA, 2, {})
    assert course.legal_actions(table, 0, table.face) == []
    course.advance(table)
    assert course.advance(table) == Roll(2)
