"""The command line: what it accepts, what it says, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
import trio

from core.errors import HostlessError
from core.games import GAMES
from core.table import RulesError
from p2p.base.errors import PeerError
from p2p.session.commands import Command, JoinTable, OpenTable, Resume, Watch
from p2p.session.news import Accused, Notice
from tests.ui.fakes import PracticePort, some_ad, some_seats
from ui.__main__ import _DID_NOT_HOLD, _DONE, INTERRUPTED, WRONG_USAGE, main
from ui.commandline.surface import make_parser
from ui.commands import bot, person, tables
from ui.commands.variants import chosen_options
from ui.language.text import LANGUAGE_NAMES, load
from ui.replay.recording import record
from ui.terminal.charset import is_plain_locale

ROOT = Path(__file__).parents[2]
COMMANDS = ("learn carta", "play carta", "open carta", "tables", "join", "watch", "bot",
            "resume", "audit FILE",
            "replay FILE", "referee carta", "arena carta --players a,b --games 1", "bench",
            "serve", "doctor")  # fmt: skip
KNOWN = {line.split()[0] for line in COMMANDS}


def run_ui(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ui", *arguments], cwd=ROOT, input=given, capture_output=True,
        text=True, timeout=60, check=False, env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip


@pytest.fixture
def sat_down(monkeypatch: pytest.MonkeyPatch) -> list[Command | None]:
    """What the front end would have been started with."""
    firsts: list[Command | None] = []

    def sit(args: Namespace, first: Command | None) -> int:
        firsts.append(first)
        return _DONE

    for name in ("learn", "play", "open", "join", "watch", "resume", "screen"):
        monkeypatch.setattr(import_module(f"ui.commands.{name}"), "sit", sit)
    return firsts


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_known_takes_what_is_taken_everywhere_and_has_a_module(line: str) -> None:
    everywhere = ["--home", "h", "--as", "ada", "--lang", "ko", "--plain", "--seed", "1"]
    args = make_parser().parse_args([*line.split(), *everywhere])
    assert (args.home, args.name_as, args.lang, args.seed) == (Path("h"), "ada", "ko", "1")
    assert callable(import_module(f"ui.commands.{args.command}").run)
    before = make_parser().parse_args([*everywhere, *line.split()])
    assert before.home == Path("h")


def test_a_name_that_is_given_is_kept_where_there_is_none_yet(tmp_path: Path) -> None:
    def started(*arguments: str) -> str:
        args = make_parser().parse_args(["--home", str(tmp_path), *arguments])
        person.keep_first_choices(args)
        return person.name_of(args)

    assert started("--as", "ada") == "ada" == started()
    assert started("--as", "bert") == "bert", "for this once"
    assert started() == "ada"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_command_and_option_says_what_it_is_for_in_every_language(code: str) -> None:
    parser = make_parser(load(code))
    (commands,) = [each for each in parser._actions if each.dest == "command"]
    assert isinstance(commands.choices, dict) and commands.choices.keys() == KNOWN
    for each in (parser, *commands.choices.values()):
        assert all(action.help for action in each._actions), each.prog
        assert each.format_help().startswith(load(code)("usage.usage"))


def test_the_help_of_play_lists_every_game_with_its_options_and_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", "--help"]) == _DONE
    said = capsys.readouterr().out
    for game in GAMES.values():
        assert f"{game.slug}  " in said
        for option in game.options:
            assert f"  {option.key}={str(option.values[0]).lower()}" in said


@pytest.mark.parametrize(
    ("line", "near"),
    [("play crta", "carta"), ("plya carta", "play"), ("play carta --levl sharp", "--level"),
     ("play carta --level shrp", "sharp"), ("play carta --option dael=draft", "deal"),
     ("play carta --option deal=drift", "draft"), ("dominion", "play dominion")],
)  # fmt: skip
def test_what_was_likely_meant_is_asked(
    line: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == WRONG_USAGE
    assert f"did you mean {near}?" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["--name X", "--plain --name=X open carta"])
def test_an_option_before_its_command_is_said_to_belong_after_it(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == WRONG_USAGE
    assert "--name is an option of open, and stands after it" in capsys.readouterr().err
    assert main(["open", "carta", "--name", "X", "--bogus"]) == WRONG_USAGE
    assert "unrecognized arguments: --bogus" in capsys.readouterr().err


def test_complaints_are_in_the_language_that_was_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["play", "--lang", "ko"]) == main(["--lang=ko", "play"]) == WRONG_USAGE
    first, second = capsys.readouterr().err.splitlines()
    assert first == second and first.endswith(load("ko")("usage.see", prog="hostless play"))


def test_no_command_is_the_screen(sat_down: list[Command | None]) -> None:
    assert main([]) == _DONE
    assert sat_down == [None]


def test_play_fills_every_other_seat_with_bots(sat_down: list[Command | None]) -> None:
    assert main(["play", "carta", "--seats", "4", "--option", "deal=draft", "team=true"]) == _DONE
    options = {"deal": "draft", "team": True}
    assert sat_down == [OpenTable("carta", 4, 3, "steady", options, is_local=True)]


def test_open_join_and_resume_say_what_they_want(
    sat_down: list[Command | None], tmp_path: Path
) -> None:
    assert main(["open", "carta", "--seats", "3", "--bots", "1", "--name", " the  den "]) == _DONE
    assert main(["join", "amber"]) == _DONE
    assert main(["join"]) == _DONE
    assert main(["watch", "amber"]) == _DONE
    assert main(["resume", "x.hostless", "--at", "10.0.0.7:1", "--at", "[fe80::1%eth0]:2"]) == _DONE
    opened = OpenTable("carta", 3, 1, "steady", {}, "the den")
    joined = [JoinTable("amber"), JoinTable(""), Watch("amber")]
    at = ("10.0.0.7:1", "[fe80::1%eth0]:2")
    assert sat_down == [opened, *joined, Resume(Path("x.hostless"), at)]
    assert main(["--home", str(tmp_path), "resume"]) == _DID_NOT_HOLD


@pytest.mark.parametrize(
    "line",
    ["play chess", "play carta --seats 9", "play carta --option deal=poker", "dance",
     "open carta --bots 7", "open carta --password p", "play carta --option team",
     "tables --wait soon", "audit", "open carta --port 0", "join --port high",
     "resume --at nowhere", "replay f --play-on 1 --json", "replay f --play-on 1 --review 1"],
)  # fmt: skip
def test_wrong_usage_is_one_clear_line_and_exit_code_two(
    line: str, capsys: pytest.CaptureFixture[str], sat_down: list[Command | None]
) -> None:
    assert main(line.split()) == WRONG_USAGE
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("hostless")
    assert sat_down == []


def test_what_cannot_be_done_is_one_line_and_exit_code_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["audit", str(tmp_path / "none.hostless")]) == _DID_NOT_HOLD
    (tmp_path / "torn.hostless").write_bytes(b"not a game")
    assert main(["replay", str(tmp_path / "torn.hostless")]) == _DID_NOT_HOLD
    assert len(capsys.readouterr().err.strip().splitlines()) == 2


def test_an_unwritable_home_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    home = tmp_path / "file" / "home"
    assert main(["--home", str(home), "--plain", "play", "carta"]) == _DID_NOT_HOLD
    said = capsys.readouterr().err
    assert "--home" in said
    assert len(said.strip().splitlines()) == 1


def test_an_interruption_is_130_also_from_inside_a_nursery(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(args: Namespace, first: Command | None) -> int:
        async def run() -> None:
            async with trio.open_nursery():
                raise KeyboardInterrupt

        trio.run(run)
        return _DONE

    monkeypatch.setattr("ui.commands.screen.sit", interrupted)
    assert main([]) == INTERRUPTED


def test_an_error_from_inside_a_nursery_is_still_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(args: Namespace, first: Command | None) -> int:
        async def run() -> None:
            async with trio.open_nursery():
                raise HostlessError("the cable is out", "plug it in")

        trio.run(run)
        return _DONE

    monkeypatch.setattr("ui.commands.screen.sit", failing)
    assert main([]) == _DID_NOT_HOLD
    assert capsys.readouterr().err == "hostless: the cable is out; plug it in\n"


@pytest.mark.slow
def test_whoever_stops_reading_is_told_nothing_also_from_inside_a_nursery(tmp_path: Path) -> None:
    """As `hostless --plain play carta | head -1`."""
    asked = ("--plain", "--home", str(tmp_path), "play", "carta", "--option", "deal=basic")
    player = subprocess.Popen(
        [sys.executable, "-m", "ui", *asked], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with player:
        assert player.stdout and player.stderr
        assert player.stdout.readline()
        player.stdout.close()  # And what is said as the cards are dealt finds nobody.
        said = player.stderr.read()
        assert player.wait() == _DID_NOT_HOLD
    assert "fault" not in said and "Error" not in said, said


def test_a_bug_is_not_swallowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is admitted in sentences; where there is no log to keep its traceback, that is printed."""

    def broken(args: Namespace, first: Command | None) -> int:
        raise AssertionError("ours")

    monkeypatch.setattr("ui.commands.screen.sit", broken)
    assert main([]) == _DID_NOT_HOLD
    assert "AssertionError: ours" in capsys.readouterr().err


def test_the_version_is_printed() -> None:
    done = run_ui("--version")
    assert done.returncode == _DONE
    assert done.stdout.startswith("hostless ")


def test_without_a_terminal_the_screen_says_what_to_do() -> None:
    done = run_ui()
    assert done.returncode == _DID_NOT_HOLD
    assert "--plain" in done.stderr


@pytest.mark.parametrize("is_terminal", [False, True])
def test_the_referee_says_at_a_terminal_how_to_begin(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Typed:
        """What somebody types, or a pipe."""

        buffer = io.BytesIO(b'play military\n{"do": "quit"}\n')

        def isatty(self) -> bool:
            return is_terminal

    monkeypatch.setattr("sys.stdin", Typed())
    assert main(["--lang", "en", "referee", "carta"]) == 0
    said = capsys.readouterr()
    begin = '{"do": "new", "game": "carta", "seats": 2}'
    assert (begin in said.err) == is_terminal and begin not in said.out
    assert "a line is one JSON object" in said.out


def test_the_referee_answers_on_standard_output() -> None:
    asked = '{"do":"new","game":"carta","seats":2,"seed":"s"}\nrubbish\n{"do":"quit"}\n'
    done = run_ui("referee", "carta", given=asked)
    answers = [json.loads(line) for line in done.stdout.splitlines()]  # No line is empty.
    assert [answer["ok"] for answer in answers] == [True, False, True]


def test_options_are_typed_by_the_game() -> None:
    assert chosen_options("carta", 2, [["strict_hand_limit=true"], ["coin=jp"]]) == {
        "strict_hand_limit": True,
        "coin": "jp",
    }
    with pytest.raises(RulesError, match="KEY=VALUE"):
        chosen_options("carta", 2, [["team"]])


def test_tables_are_listed_as_json_with_bytes_in_hexadecimal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def look(wait_s: float) -> object:
        return (some_ad(),)

    monkeypatch.setattr(tables, "look", look)
    assert main(["tables", "--json", "--wait", "0"]) == _DONE
    value = json.loads(capsys.readouterr().out)
    assert (value["name"], value["taken"], value["opener"]) == ("amber-falcon-42", 2, "01" * 32)


def test_tables_that_cannot_be_joined_say_why_and_none_names_commands_not_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[object] = [replace(some_ad(), version=99), some_ad("den", taken=3)]

    async def look(wait_s: float) -> object:
        return tuple(seen)

    monkeypatch.setattr(tables, "look", look)
    assert main(["tables", "--lang", "en"]) == _DONE
    strange, full = capsys.readouterr().out.splitlines()
    assert "another version (99)" in strange
    assert "full" in full
    seen.clear()
    monkeypatch.setattr(tables, "is_alone", lambda: False)
    assert main(["tables", "--lang", "en"]) == _DONE
    said = capsys.readouterr().err
    assert "play carta" in said
    assert "Press" not in said


def test_a_bot_says_once_what_went_wrong(tmp_path: Path) -> None:
    done = run_ui("bot", "127.0.0.1:9", "--home", str(tmp_path))
    assert done.returncode == _DID_NOT_HOLD
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("hostless: nobody answers at 127.0.0.1:9: the machine is there")


def test_a_bot_names_a_cheater_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = bot._Log(load("en"))
    log.report(Notice("the table is busy", "choose once more"))
    log.report(Accused(1, "eve", "a false face"))
    said = ["hostless: the table is busy; choose once more", "hostless: eve: a false face"]
    assert capsys.readouterr().err.splitlines() == said
    assert log.has_said(ExceptionGroup("", [ExceptionGroup("", [PeerError(None, "a false face")])]))
    assert not log.has_said(ExceptionGroup("", [PeerError(None, "the table is busy too")]))


@pytest.mark.parametrize(
    ("environment", "is_utf8_mode", "is_plain"),
    [
        ({"LC_ALL": "C"}, True, True),
        ({"LC_ALL": "POSIX", "LANG": "ko_KR.UTF-8"}, True, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, True),  # As Python changes LANG=C.
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, False),  # As a person sets it.
        ({"LC_ALL": "C.UTF-8"}, False, False),
        ({"LC_CTYPE": "C.UTF-8"}, True, False),  # No locale at all.
        ({"LANG": "ja_JP.UTF-8"}, False, False),
        ({"LC_ALL": "C", "PYTHONUTF8": "1"}, True, False),
        ({}, False, False),
    ],
)
def test_the_locale_says_whether_the_terminal_knows_ascii_only(
    environment: dict[str, str], is_utf8_mode: bool, is_plain: bool
) -> None:
    assert is_plain_locale(environment, is_utf8_mode=is_utf8_mode) is is_plain


def test_a_poor_terminal_gets_ascii_and_a_language_it_can_show(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    args = Namespace(home=tmp_path, lang="ko")
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.delenv("PYTHONUTF8", raising=False)
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert person.settings_of(args).is_ascii
    assert person.settings_of(args).language == "ko"
    monkeypatch.setenv("LC_ALL", "C")
    assert person.settings_of(args).language == "en"
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert not person.settings_of(args).is_ascii


def test_a_replay_is_told_in_words_and_in_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = PracticePort(seed=11).begin().play(6)
    recording = record("carta", some_seats(3), {}, port.history)
    monkeypatch.setattr("ui.commands.replay.read_recording", lambda path: recording)
    assert main(["replay", "x.hostless", "--plain"]) == _DONE
    assert "ada plays" in capsys.readouterr().out
    assert main(["replay", "x.hostless", "--json"]) == _DONE
    values = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(values) == len(port.history)


def test_a_table_that_nobody_opened_is_one_line_and_exit_code_one(tmp_path: Path) -> None:
    done = run_ui("join", "127.0.0.1:9", "--plain", "--home", str(tmp_path))
    assert done.returncode == _DID_NOT_HOLD
    assert done.stdout == ""
    said = done.stderr.strip().splitlines()
    assert len(said) == 1
    assert said[0].startswith("hostless: ")


def test_a_dumb_terminal_gets_lines_of_text_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Command | None] = []

    def translate_error(args: Namespace, first: Command | None) -> int:
        asked.append(first)
        return _DONE

    monkeypatch.setattr("ui.commands.sit.sit_in_lines", translate_error)
    monkeypatch.setenv("TERM", "dumb")
    assert main(["join", "den"]) == _DONE
    assert asked == [JoinTable("den")]


def test_a_machine_on_no_network_is_told_so_by_tables_and_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    sat_down: list[Command | None],
) -> None:  # fmt: skip
    """The tests have loopback alone."""

    async def look(wait_s: float) -> object:
        return ()

    monkeypatch.setattr(tables, "look", look)
    assert main(["tables", "--lang", "en"]) == main(["open", "carta", "--lang", "en"]) == _DONE
    assert capsys.readouterr().err.count("This machine is on no network") == 2
    monkeypatch.setattr(tables, "is_alone", lambda: False)
    assert main(["tables", "--lang", "en"]) == _DONE
    assert "No table was seen on this network" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["ten", "10", "0+5", "10+5000"])
def test_what_is_no_clock_is_said_to_be_none(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["open", "carta", "--clock", given]) == WRONG_USAGE
    assert f"a clock is MINUTES+SECONDS, as 10+5, or shown, not '{given}'" in (
        capsys.readouterr().err
    )


def test_a_time_of_grace_is_not_called_a_number_of_iterations(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["open", "carta", "--grace", "abc"]) == WRONG_USAGE
    said = capsys.readouterr().err.splitlines()[-1]
    assert "whole seconds" in said and "iterations" not in said


@pytest.mark.parametrize("wait", ["nan", "-1", "soon"])
def test_a_time_that_is_none_is_wrong_usage(wait: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "--wait", wait]) == WRONG_USAGE
    assert "number of seconds" in capsys.readouterr().err


def test_a_password_comes_from_the_environment_or_a_prompt_and_never_from_the_command_line(
    sat_down: list[Command | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTLESS_PASSWORD", "meadow")
    assert main(["open", "carta"]) == main(["open", "carta", "--password"]) == _DONE
    assert main(["join", "amber"]) == _DONE
    monkeypatch.delenv("HOSTLESS_PASSWORD")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    prompts = list[str]()
    monkeypatch.setattr("getpass.getpass", lambda prompt: prompts.append(prompt) or "typed")
    assert main(["join", "amber", "--password"]) == main(["join", "amber"]) == _DONE
    passwords = [getattr(command, "password", None) for command in sat_down]
    assert passwords == ["", "meadow", "meadow", "typed", ""]
    assert main(["join", "amber", "--password", "--lang", "ko"]) == _DONE
    assert prompts == ["Password of the table: ", load("ko")("lobby.password_title") + ": "]


@pytest.mark.parametrize("password", ["", "a\nb", "x" * 65])
def test_a_password_that_is_none_is_one_clear_line(
    password: str,
    sat_down: list[Command | None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody is there to type another one."""
    monkeypatch.setenv("HOSTLESS_PASSWORD", password)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    assert main(["open", "carta", "--password"]) == _DID_NOT_HOLD
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and "password" in said[0] and sat_down == []
