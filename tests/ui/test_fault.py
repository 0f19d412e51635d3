"""A fault of ours reaches a person as sentences, never as a traceback; that is in the log file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.errors import HostlessError
from core.games import find_game
from tests.packages import announcing
from tests.ui.driving import QUIET, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.people import PROMPT, Room
from ui.__main__ import main
from ui.app import HostlessApp
from ui.commands import bot, tables
from ui.language.text import load
from ui.process.diagnosis import log_path
from ui.process.fault import fault_texts, is_fault

BROKEN_NODE = """
import sys, p2p.table.node, ui.__main__
obey = p2p.table.node.Node.obey
async def fall_over(node, command):
    assert type(command).__name__ != "OpenTable", "two heads for one table"
    await obey(node, command)
p2p.table.node.Node.obey = fall_over
sys.exit(ui.__main__.main())
"""
BROKEN_SCREEN = """
import sys, ui.__main__, ui.screens.lobby
def fall_over(screen):
    assert False, "no such key"
ui.screens.lobby.LobbyScreen.action_open_table = fall_over
sys.exit(ui.__main__.main())
"""
DEAF_SCREEN = """
import sys, textual._xterm_parser, ui.__main__
feed = textual._xterm_parser.XTermParser.feed
def fall_over(parser, text):
    assert text != "!", "deaf to this key"
    return feed(parser, text)
textual._xterm_parser.XTermParser.feed = fall_over
sys.exit(ui.__main__.main())
"""
ENDED_WITH_ONE = "code 1"


def python(source: str, folder: Path) -> tuple[str, ...]:
    path = folder / "broken.py"
    path.write_text(source)
    return (sys.executable, "-P", str(path))


def test_a_fault_is_told_from_what_a_person_can_mend() -> None:
    assert is_fault(AssertionError("ours"))
    assert is_fault(ExceptionGroup("", [HostlessError("no cable"), KeyError("ours")]))
    assert not is_fault(ExceptionGroup("", [HostlessError("no cable")]))
    assert not is_fault(KeyboardInterrupt())


@pytest.mark.parametrize("code", ["en", "ko", "ja"])
def test_a_fault_says_what_happened_where_it_is_written_and_how_to_go_on(code: str) -> None:
    error = ExceptionGroup("", [HostlessError("no cable"), AssertionError("two heads\nmore")])
    text = "\n".join(fault_texts(load(code), error, Path("den")))
    assert "AssertionError: two heads\n" in text
    assert str(log_path(Path("den"))) in text
    assert "resume" in text


BROKEN_GAME = """
from core.games.carta import GAME as CARTA
from dataclasses import replace
def setup(seats, options):
    return [][seats]
GAME = replace(CARTA, slug="poker", setup=setup)
"""


def test_a_fault_while_a_game_of_somebody_else_is_asked_is_told_as_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with announcing(tmp_path, monkeypatch) as install:
        assert install(init=BROKEN_GAME) == []
        with pytest.raises(IndexError) as raised:
            find_game("poker").setup(2, {})
        theirs = fault_texts(load("en"), raised.value, Path("den"))
        ours = fault_texts(load("en"), AssertionError("two heads"), Path("den"))
    assert "the package poker_box" in theirs[0] and "maintains poker_box" in theirs[2]
    assert "of its own" in ours[0] and "maintains hostless" in ours[2]


@ui
async def test_a_node_that_falls_over_leaves_a_page_and_the_exit_code_1() -> None:
    app = HostlessApp(PracticePort(), QUIET, admit=lambda error: ["It stopped.", f"{error}"])
    async with app.run_test() as pilot:
        app.engine_crashed(AssertionError("two heads"))
        await shown(pilot, "two heads")
        assert "It stopped." in whole_text(app)
        await pilot.press("q")
    assert app.return_code == 1


def test_any_command_admits_a_fault_and_keeps_its_traceback_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fall_over(args: object) -> int:
        raise ZeroDivisionError("by a table of nobody")

    monkeypatch.setattr(tables, "run", fall_over)
    assert main(["tables", "--home", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "ZeroDivisionError: by a table of nobody" in said
    assert "Traceback" not in said
    assert "fall_over" in log_path(tmp_path).read_text("utf-8")


def test_a_bot_that_falls_over_ends_with_what_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last line is told at the table, and said how persons resume their game."""

    def fall_over(args: object) -> int:
        raise ZeroDivisionError("by a table of nobody")

    monkeypatch.setattr(bot, "run", fall_over)
    assert main(["bot", "ada", "--home", str(tmp_path), "--sponsor", "aa"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "hostless: What happened: ZeroDivisionError: by a table of nobody"
    ]


def test_a_fault_of_the_node_is_a_page_at_a_real_screen(room: Room, tmp_path: Path) -> None:
    ada = room.sit("ada", "open", "carta", "--lang", "en", program=python(BROKEN_NODE, tmp_path))
    ada.wait_for("because of a fault of its own", "two heads for one table", "q ends")
    ada.press("q")
    assert ada.end() == 1
    assert "Your games are kept" in ada.text()
    assert "fall_over" in log_path(room.home("ada")).read_text("utf-8")


def test_a_fault_of_the_node_is_lines_without_a_screen(room: Room, tmp_path: Path) -> None:
    program = python(BROKEN_NODE, tmp_path)
    ada = room.sit("ada", "open", "carta", "--plain", program=program)
    assert ada.end() == 1
    assert "two heads for one table" in ada.text()


def test_a_fault_of_a_screen_gives_the_terminal_back_with_sentences(
    room: Room, tmp_path: Path
) -> None:
    ada = room.sit("ada", program=python(BROKEN_SCREEN, tmp_path))
    ada.wait_for("Play Carta")
    ada.press("o")
    assert ada.end() == 1
    assert "no such key" in ada.text()
    assert "fall_over" in log_path(room.home("ada")).read_text("utf-8")


def test_a_fault_where_keys_are_heard_is_admitted_like_any_other(
    room: Room, tmp_path: Path
) -> None:
    ada = room.sit("ada", program=python(DEAF_SCREEN, tmp_path))
    ada.wait_for("Play Carta")
    ada.press("!")
    assert ada.end() == 1
    assert "AssertionError: deaf to this key" in ada.text()
    assert "fall_over" in log_path(room.home("ada")).read_text("utf-8")


def test_a_screen_that_nobody_would_see_is_refused_with_a_sentence(
    room: Room, tmp_path: Path
) -> None:
    ada, errors = room.open_shell("ada"), tmp_path / "errors"
    ada.type(f"{room.command('ada')} 2> {errors}; echo code $?; cat {errors}")
    assert "painted on standard error" in ada.wait_for(ENDED_WITH_ONE, "--plain", PROMPT)
