"""A file of every verdict, frozen; each has an exit code of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.audit.grades import EXIT_CODES, Grade
from p2p.base.wire import encode, frame
from tests.p2p.beads import BEADS
from tests.p2p.frozen import CLAIMED_GAME, CONVICTED_GAME, GAME, LOST, RETURNED_GAME
from ui.__main__ import main


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def records(vector: Path) -> list[bytes]:
    """The frozen records of a game file."""
    return [bytes.fromhex(each) for each in json.loads(vector.read_text("utf-8"))["records"]]


def cut(vector: Path) -> list[bytes]:
    """The same, as if the machine had stopped."""
    return records(vector)[:-6]


def accusing(vector: Path) -> list[bytes]:
    """The same, with what a cheater has signed, which convicts it."""
    return [*records(vector), bytes.fromhex(json.loads(vector.read_text("utf-8"))["evidence"])]


def damaged(vector: Path) -> list[bytes]:
    """The same, with a record in it that nobody has signed."""
    return [*records(vector)[:9], frame(encode(["entry", bytes(300)])), *records(vector)[9:]]


FILES = [
    (records(GAME), Grade.COMPLETE),
    (cut(GAME), Grade.CUT),
    (cut(LOST), Grade.CUT),
    (records(LOST), Grade.CHANGED),
    (records(RETURNED_GAME), Grade.CHANGED),
    (records(CONVICTED_GAME), Grade.BROKEN),
    (records(CLAIMED_GAME), Grade.CUT),
    (accusing(CONVICTED_GAME), Grade.BROKEN),
    (damaged(GAME), Grade.BROKEN),
]


@pytest.mark.parametrize(("content", "grade"), FILES)
def test_a_file_has_the_grade_of_what_may_be_believed_of_it(
    content: list[bytes], grade: Grade, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.hostless"
    path.write_bytes(b"".join(content))
    assert audit_file(path).grade is grade
    assert main(["audit", str(path), "--json", "--bots", "0"]) == EXIT_CODES[grade]
    assert json.loads(capsys.readouterr().out)["grade"] == grade


def test_no_two_verdicts_have_one_exit_code_and_none_is_that_of_a_wrong_command() -> None:
    assert EXIT_CODES.keys() == set(Grade) and len(set(EXIT_CODES.values())) == len(Grade)
    assert 2 not in EXIT_CODES.values()


def test_m5_it_is_said_which_seats_agreed_that_one_was_gone(tmp_path: Path) -> None:
    path = tmp_path / "game.hostless"
    path.write_bytes(b"".join(records(LOST)))
    assert [verdict.agreed for verdict in audit_file(path).verdicts] == [(), (), (0, 1)]
