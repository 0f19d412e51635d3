"""A foreign program on a seat: what it is told, what it may answer, and who plays when it fails."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from ai.players.foreign_lines import chosen, hint_level, late_text
from core.errors import HostlessError
from core.games import find_game
from core.known_table import KnownTable
from core.requests import Action, Choice, Over
from p2p.base.roster import DecisionPoint
from p2p.session.news import Notice
from tests.foreign import BY_HINT, FIRST, program
from tests.limits import HANGS_S
from tests.p2p.nodes import HERE, people, sitting_down
from tests.ui.fakes import PracticePort
from ui.commands.foreign import ForeignPlayer, asked_value, foreign_player

ROOT = Path(__file__).parents[2]
DEAF = "import time\nwhile True: time.sleep(60)"


def a_turn() -> DecisionPoint:
    return PracticePort(seed=3).begin().turn()


@asynccontextmanager
async def seated(
    command: str, said: list[Notice], answer_s: float = 30.0
) -> AsyncIterator[ForeignPlayer]:
    with trio.fail_after(HANGS_S):
        async with foreign_player(
            command, said.append, level="gentle", answer_s=answer_s
        ) as player:
            yield player


# ---- a program that plays ----


async def test_a_program_is_asked_and_its_answer_played(tmp_path: Path) -> None:
    turn, said = a_turn(), list[Notice]()
    legal = turn.game.legal_actions(turn.table, 0, turn.observation)
    async with seated(program(tmp_path, FIRST), said) as player:
        assert await player.decide(turn) == legal[0]
        assert await player.decide(turn) == legal[0]
        assert not player.has_failed
    assert said == []


async def test_a_program_may_ask_for_a_hint_before_it_answers(tmp_path: Path) -> None:
    turn, said = a_turn(), list[Notice]()
    async with seated(program(tmp_path, BY_HINT), said) as player:
        action = await player.decide(turn)
        assert action in turn.game.legal_actions(turn.table, 0, turn.observation)
        assert not player.has_failed


def examples() -> list[str]:
    """The programs of the documentation that can run here."""
    node = shutil.which("node")
    return [f"{node} {ROOT / 'docs/guide/bot.mjs'}"] if node else []


@pytest.mark.parametrize("command", examples())
async def test_the_example_in_another_language_plays_a_whole_game(command: str) -> None:
    port, said = PracticePort(seed=4, players=2).begin(), list[Notice]()
    async with seated(f"{command} random", said) as player:
        while not isinstance(port.request, Over):
            port.answer(await player.decide(port.turn()))
    assert said == []


@pytest.mark.parametrize("command", examples())
async def test_the_example_in_another_language_plays_by_hints(command: str) -> None:
    turn, said = a_turn(), list[Notice]()
    async with seated(command, said) as player:
        assert await player.decide(turn) in turn.game.legal_actions(turn.table, 0, turn.observation)
    assert said == []


def is_a_result(line: str) -> bool:
    """Who has won, or that several have: the deal is another one each time."""
    return "WIN" in line.upper() or "VICTORY" in line.upper()


@pytest.mark.slow
async def test_a_program_plays_a_whole_game_at_a_table_as_a_peer_of_its_own(
    tmp_path: Path,
) -> None:
    (person,) = people(tmp_path, 1)
    seat = ("--command", program(tmp_path, FIRST), "--local", "--home", str(tmp_path / "bot"))
    async with sitting_down([person], seats=2):
        command = [sys.executable, "-m", "ui", "bot", f"{HERE}:{person.port}", *seat]
        done = await trio.run_process(
            command, cwd=ROOT, capture_stdout=True, capture_stderr=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
    begun, ended = done.stdout.decode().splitlines()
    assert " plays Carta Impera Victoria with " in begun and is_a_result(ended)
    assert person.has_finished


# ---- a program that fails ----


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "the program has ended"),
        ("raise SystemExit(3)", "the program has ended"),
        ("print('rubbish', flush=True); input(); input()", "did not answer in JSON: 'rubbish'"),
        ("print('{}', flush=True); input(); input()", "chose nothing that is legal: '{}'"),
        ("print('x' * 100_000, flush=True); input(); input()", "did not answer in JSON: 'xxx"),
        ('print(\'{"hint": "daft"}\', flush=True); input(); input()', "no level is called 'daft'"),
    ],
)
async def test_a_program_that_fails_is_one_line_and_a_bot_plays_on(
    tmp_path: Path, source: str, sentence: str
) -> None:
    turn, said = a_turn(), list[Notice]()
    legal = turn.game.legal_actions(turn.table, 0, turn.observation)
    async with seated(program(tmp_path, source), said) as player:
        assert await player.decide(turn) in legal
        assert player.has_failed
    assert len(said) == 1
    assert sentence in said[0].text
    assert "\n" not in said[0].text
    assert said[0].hint == "a gentle bot plays on in its seat"


async def test_a_program_that_is_late_is_ended_and_not_asked_again(tmp_path: Path) -> None:
    turn, said = a_turn(), list[Notice]()
    async with seated(program(tmp_path, DEAF), said, answer_s=0.2) as player:
        assert await player.decide(turn) in turn.game.legal_actions(turn.table, 0, turn.observation)
        assert await player._process.wait() != 0
        assert await player.decide(turn) in turn.game.legal_actions(turn.table, 0, turn.observation)
    assert [notice.text for notice in said] == [late_text(0.2)]


async def test_a_program_that_is_not_there_is_one_line() -> None:
    with pytest.raises(HostlessError, match="cannot start"):
        async with foreign_player("/nowhere/at-all", lambda notice: None):
            raise AssertionError("nothing to play with")


# ---- what is said ----


def test_it_is_told_what_its_seat_sees_and_nothing_else() -> None:
    asked = json.loads(json.dumps(asked_value(a_turn())))
    assert all(asked["view"]["zones"]["seat0.hand"])
    assert asked["view"]["zones"]["seat1.hand"] == [None, None, None]
    assert set(asked["view"]["zones"]["deck"]) == {None}
    assert asked["actions"][0]["text"].startswith("play ")
    assert asked["deadline_s"] > 0


@pytest.mark.parametrize("game", ["carta", "dominion"])
def test_its_view_is_the_one_that_the_referee_shows(game: str) -> None:
    port = PracticePort(seed=3, game=find_game(game)).begin()
    assert isinstance(port.request, Choice)
    known = KnownTable(port.game, port.table, port.deal, port.chance, (), port.request)
    assert asked_value(port.turn())["view"] == known.view_json(0, known.observation(0))


def test_an_answer_names_a_legal_action_by_its_text_or_its_parts() -> None:
    actions = [{"verb": "play", "cards": [17], "number": 0, "text": "play military"}]
    expected = Action("play", (17,), 0)
    assert chosen(actions, b'{"text": "play military"}') == expected
    assert chosen(actions, b'{"action": {"verb": "play", "cards": [17], "number": 0}}') == expected
    for rubbish in (b'{"text": "end"}', b"[]", b"\xff", b"[" * 100_000, b'{"action": {}}'):
        with pytest.raises(HostlessError, match="the program"):
            chosen(actions, rubbish)


def test_an_answer_that_asks_for_no_hint_asks_for_none() -> None:
    for answer in (b'{"text": "end"}', b'{"hint": 7}', b"[]", b"null"):
        assert hint_level(answer) is None
