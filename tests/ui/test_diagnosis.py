"""The log file: what is in it, what never is, and that nothing depends on it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import HostlessError
from core.games import find_game
from p2p.log.secrets_file import SecretsFile
from p2p.session.news import Accused, Notice
from p2p.table.game_files import companion_home
from tests.p2p.nodes import has_entries, people, sitting_down
from ui.commandline.surface import make_parser
from ui.commands.companions import LOG_NAME, Launcher
from ui.language.text import load
from ui.process import diagnosis
from ui.process.diagnosis import keep_off_the_screen, log_path, logged, noting

ROOT = Path(__file__).parents[2]
WRITER = """
import logging, sys
from pathlib import Path
from ui.process import diagnosis
diagnosis.LOG_FILE_BYTES_MAX = 20_000
with diagnosis.logged(Path(sys.argv[1]), None, "test"):
    for number in range(400):
        logging.getLogger("hostless.test").info("%s %03d %s", sys.argv[2], number, "x" * 40)
"""


def test_bots_log_as_much_as_the_program_that_starts_them() -> None:
    errand = ["--resume", "game"]
    parse = make_parser(load("en")).parse_args
    spoken = Launcher(Path("den"), bytes(32), "debug").command(0, errand)
    silent = Launcher(Path("den"), bytes(32)).command(0, errand)
    start = spoken.index("ui") + 1
    assert parse(spoken[start:]).log_level == "debug"
    assert "--log-level" not in silent


async def test_what_a_bot_says_and_what_it_logs_are_two_files_that_do_not_grow_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "LOG_FILE_BYTES_MAX", 100)
    folder = companion_home(tmp_path, 0)
    folder.mkdir(parents=True)
    (folder / LOG_NAME).write_text("said earlier\n" * 10)
    reason = await Launcher(tmp_path, bytes([1] * 32), "debug").run(0, ["127.0.0.1:1"], "")
    said = (folder / LOG_NAME).read_text("utf-8")
    assert reason and reason in said, "it has found no table"
    assert "told: " in log_path(folder).read_text("utf-8") and "told: " not in said
    assert "said earlier" in (folder / f"{LOG_NAME}.1").read_text("utf-8")
    assert "said earlier" not in said


def lines_of(home: Path) -> list[str]:
    return log_path(home).read_text("utf-8").splitlines()


def test_the_log_says_what_began_what_was_told_and_how_it_ended(tmp_path: Path) -> None:
    with logged(tmp_path, None, "open"):
        tell = noting(lambda news: None)
        tell(Notice("nobody answers at den:1", "check the address"))
        tell(Accused(1, "eve", "a false face"))
        logging.getLogger("hostless.link").info("lost the link to %s", "grace")
        logging.getLogger("hostless.link").debug("too much for every day")
    said = "\n".join(lines_of(tmp_path))
    told = "told: nobody answers at den:1 check the address"
    for part in ("begins: open", told, "accused: seat 1, eve: a false face", "lost the link to"):
        assert part in said
    assert said.endswith("ends")
    assert "every day" not in said
    assert not logging.getLogger().handlers or "SharedLogFile" not in str(logging.root.handlers)


def test_a_fault_of_ours_is_noted_with_its_place_and_a_sentence_without(tmp_path: Path) -> None:
    with pytest.raises(HostlessError), logged(tmp_path, None, "join"):
        raise ExceptionGroup("", [HostlessError("the cable is out")]).exceptions[0]
    assert "Traceback" not in "\n".join(lines_of(tmp_path))
    with pytest.raises(AssertionError), logged(tmp_path, None, "join"):
        raise AssertionError("ours")
    assert any("test_diagnosis.py" in line for line in lines_of(tmp_path))


def test_a_level_is_for_standard_error_too_until_a_screen_paints_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger("hostless.link")
    with logged(tmp_path, "debug", "play"):
        log.debug("before the screen")
        keep_off_the_screen()
        log.debug("behind the screen")
    said = capsys.readouterr().err
    assert "before the screen" in said and "behind the screen" not in said
    assert any("behind the screen" in line for line in lines_of(tmp_path))


def test_a_stranger_writes_no_lines_and_no_escapes_into_the_log(tmp_path: Path) -> None:
    with logged(tmp_path, None, "open"):
        logging.getLogger("hostless.link").warning("refused: %s", "eve\nends\x1b[2J 군사")
    (line,) = [line for line in lines_of(tmp_path) if "eve" in line]
    assert line.endswith(r"refused: eve\nends\x1b[2J 군사")


def test_only_its_owner_reads_the_log(tmp_path: Path) -> None:
    with logged(tmp_path, None, "open"):
        pass
    assert os.name == "nt" or log_path(tmp_path).stat().st_mode & 0o077 == 0


def test_nothing_is_made_where_there_is_no_home_and_nothing_said_is_lost_when_it_comes(
    tmp_path: Path,
) -> None:
    home = tmp_path / "later"
    with logged(home, None, "audit"):
        pass
    assert not home.exists()
    with logged(home, None, "open"):
        home.mkdir()
    assert any("begins: open" in line for line in lines_of(home))


def test_a_log_that_cannot_be_written_disturbs_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log_path(tmp_path).mkdir()
    with logged(tmp_path, None, "open"):
        logging.getLogger("hostless.link").warning("lost")
    with logged(tmp_path / "hostless.log" / "file", None, "open"):
        logging.getLogger("hostless.link").warning("lost")
    assert capsys.readouterr().err == ""


def test_several_programs_of_one_home_turn_the_file_over_together(tmp_path: Path) -> None:
    """Lines are whole, the newest are there, and no file is turned over before it is full."""
    programs = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name], cwd=ROOT)
        for name in ("ada", "grace", "mary")
    ]
    assert [program.wait(60) for program in programs] == [0, 0, 0]
    older = sorted(tmp_path.glob("hostless.log.*"))
    assert [path.name for path in older] == ["hostless.log.1", "hostless.log.2", "hostless.log.3"]
    for path in older:
        assert 15_000 < path.stat().st_size <= 20_400
    written = [line for path in (*older, log_path(tmp_path)) for line in
               path.read_text("utf-8").splitlines()]  # fmt: skip
    assert all(line.startswith("20") for line in written)


async def test_the_log_of_a_game_holds_no_key_no_seed_and_no_face(tmp_path: Path) -> None:
    """At the most talkative level: whoever reads a log learns who and when, and nothing else."""
    party = people(tmp_path, 3, seed=5)
    with logged(tmp_path, "debug", "open"):
        async with sitting_down(party):
            for person in party:
                await person.until(has_entries(60))
            for person in party:
                person.stop()
    said = log_path(tmp_path).read_text("utf-8").lower()
    assert "begins" in said
    for person in party:
        secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
        secrets.close()
        for secret in (secrets.seed, person.config.identity.key.private_bytes_raw()):
            assert secret.hex() not in said and repr(secret)[2:-1].lower() not in said
    assert not [face for face in find_game("carta").faces if face in said]


def test_the_limits_of_the_log_are_those_that_are_documented() -> None:
    assert (diagnosis.LOG_FILE_BYTES_MAX, diagnosis.OLDER_FILES) == (1_000_000, 3)
