"""A foreign program on a seat: what it is told, and what its answers may be."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
import trio

from core.games import find_game
from core.requests import Action
from p2p.errors import HostlessError
from p2p.session import Turn
from tests.ui.fakes import PracticePort
from ui.foreign import asked_value, chosen, foreign_player

FIRST = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"text": json.loads(line)["actions"][0]["text"]}), flush=True)
"""


def a_turn() -> Turn:
    port = PracticePort(seed=3).begin()
    return Turn(find_game("carta"), port.table, port.eyes(0), 0, port.entry)


def program(folder: Path, source: str) -> str:
    path = folder / "program.py"
    path.write_text(source)
    return shlex.join([sys.executable, str(path)])


async def test_a_program_is_asked_and_its_answer_played(tmp_path: Path) -> None:
    turn = a_turn()
    legal = turn.game.legal_actions(turn.table, 0, turn.eyes)
    with trio.fail_after(20):
        async with foreign_player(program(tmp_path, FIRST)) as player:
            assert await player.decide(turn) == legal[0]
            assert await player.decide(turn) == legal[0]


def test_it_is_told_what_its_seat_sees_and_nothing_else() -> None:
    asked = json.loads(json.dumps(asked_value(a_turn())))
    assert all(asked["view"]["zones"]["seat0.hand"])
    assert asked["view"]["zones"]["seat1.hand"] == [None, None, None]
    assert set(asked["view"]["zones"]["deck"]) == {None}
    assert asked["actions"][0]["text"].startswith("play ")


@pytest.mark.parametrize(
    "source",
    ["", "print('rubbish', flush=True); input(); input()", "print('{}', flush=True); input()"],
)
async def test_a_program_that_ends_or_talks_rubbish_is_one_line(
    tmp_path: Path, source: str
) -> None:
    with trio.fail_after(20):
        async with foreign_player(program(tmp_path, source)) as player:
            with pytest.raises(HostlessError, match="the program"):
                await player.decide(a_turn())


async def test_a_program_that_is_not_there_is_one_line() -> None:
    with pytest.raises(HostlessError, match="cannot start"):
        async with foreign_player("/nowhere/at-all"):
            raise AssertionError("nothing to play with")


def test_an_answer_names_a_legal_action_by_its_text_or_its_parts() -> None:
    actions = [{"verb": "play", "cards": [17], "number": 0, "text": "play military"}]
    expected = Action("play", (17,), 0)
    assert chosen(actions, b'{"text": "play military"}') == expected
    assert chosen(actions, b'{"action": {"verb": "play", "cards": [17], "number": 0}}') == expected
    for rubbish in (b'{"text": "end"}', b"[]", b"\xff", b"[" * 100_000, b'{"action": {}}'):
        with pytest.raises(HostlessError, match="the program"):
            chosen(actions, rubbish)
