"""Each system as it is: whose language, how a terminal ends, what a lost reader looks like."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ui.__main__ as program
from tests.limits import HANGS_S
from ui.process import system
from ui.process.sponsored import ABANDONED
from ui.process.system import is_lost_reader, language_here, on_end


def pretend(patch: pytest.MonkeyPatch, name: str) -> None:
    """Let the module take this for another system."""
    patch.setattr(system, "sys", SimpleNamespace(platform=name, stdout=sys.stdout))


# ---- the language ----


@pytest.mark.parametrize(
    ("number", "code"), [(0x412, "ko"), (0x411, "ja"), (0x409, "en"), (0x407, "en"), (0x812, "ko")]
)
def test_windows_says_its_language_by_a_number(
    monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    pretend(monkeypatch, "win32")
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert language_here({}) == code
    assert language_here({"LANG": "ja_JP.UTF-8"}) == "ja", "who has set it means it"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('(\n    "ko-KR",\n    "en-KR"\n)\n', "ko"),
        ('(\n    "de-DE",\n    "ja-DE",\n    "en-DE"\n)\n', "ja"),
        ("(\n    ja\n)\n", "ja"),
        ('(\n    "zh-Hans-CN"\n)\n', "en"),
        ("", "en"),
    ],
)
def test_a_mac_says_its_languages_in_order(
    monkeypatch: pytest.MonkeyPatch, said: str, code: str
) -> None:
    pretend(monkeypatch, "darwin")
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(command)
        return SimpleNamespace(stdout=said)

    monkeypatch.setattr(subprocess, "run", run)
    assert language_here({"LANG": ""}) == code
    assert asked == [["defaults", "read", "-g", "AppleLanguages"]]


@pytest.mark.parametrize("failure", [FileNotFoundError(), subprocess.TimeoutExpired("defaults", 2)])
def test_a_mac_that_does_not_answer_speaks_english(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    pretend(monkeypatch, "darwin")

    def run(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(subprocess, "run", run)
    assert language_here({}) == "en"


def test_linux_says_it_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "linux")
    assert language_here({}) == "en"
    assert language_here({"LC_ALL": "ko_KR.UTF-8", "LANG": "ja_JP"}) == "ko"


# ---- the end ----


def test_a_closed_console_of_windows_is_told_in_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    installed: dict[int, Any] = {}
    ends: list[int] = []
    names = SimpleNamespace(SIGTERM=15, SIGBREAK=21, signal=installed.__setitem__)
    monkeypatch.setattr(system, "signal", names)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "add_signal_handler", refuse, raising=False)
        on_end(ends.append)
        installed[21](21, None)  # As Python calls it, between any two steps of the loop.
        assert ends == []
        await asyncio.sleep(0)

    def refuse(*_: object) -> None:
        raise NotImplementedError

    asyncio.run(run())
    assert sorted(installed) == [15, 21]
    assert ends == [128 + 21]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"] if os.name != "nt" else [])
def test_a_closed_terminal_and_a_kill_are_told_in_the_loop(name: str) -> None:
    number = getattr(signal, name)

    async def run() -> int:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        on_end(told.set_result)
        os.kill(os.getpid(), number)
        return await told

    assert asyncio.run(run()) == 128 + number


HANGING = """
import asyncio, os, signal, sys
from types import SimpleNamespace
from ui.commands import sit

async def hang():
    sit.end_with_terminal(SimpleNamespace(exit=lambda *result: print(*result, flush=True)))
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    await asyncio.Event().wait()

sit.LAST_S = 0.1
asyncio.run(hang())
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"] if os.name != "nt" else [])
def test_a_closed_terminal_ends_even_a_screen_that_hangs(name: str) -> None:
    """Textual reads on from a terminal that is gone, as fast as it can, for ever."""
    done = subprocess.run(
        [sys.executable, "-c", HANGING, name], capture_output=True, text=True, check=False,
        timeout=HANGS_S,
    )  # fmt: skip
    code = 128 + getattr(signal, name)
    assert (done.returncode, done.stdout) == (ABANDONED, f"None {code}\n"), done


# ---- the reader ----


@pytest.mark.parametrize(
    ("name", "error", "is_lost"),
    [
        ("linux", BrokenPipeError(errno.EPIPE, "broken"), True),
        ("win32", BrokenPipeError(errno.EPIPE, "broken"), True),
        ("win32", OSError(errno.EINVAL, "invalid argument"), True),
        ("linux", OSError(errno.EINVAL, "invalid argument"), False),
        ("win32", OSError(errno.ENOSPC, "no space"), False),
    ],
)
def test_a_reader_who_has_gone_is_known_by_the_word_of_the_system(
    monkeypatch: pytest.MonkeyPatch, name: str, error: OSError, *, is_lost: bool
) -> None:
    pretend(monkeypatch, name)
    assert is_lost_reader(error) is is_lost


def test_on_windows_a_pipe_that_nobody_reads_ends_the_program_quietly(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pretend(monkeypatch, "win32")

    def fail(*_: object) -> int:
        raise OSError(errno.EINVAL, "invalid argument")

    monkeypatch.setattr(program, "_carry_out", fail)
    monkeypatch.setattr(program, "write_to_nobody", lambda: None)
    assert program.main(["tables"]) == program._DID_NOT_HOLD
    assert capfd.readouterr() == ("", "")


def test_what_nobody_reads_is_written_nowhere(tmp_path: Path) -> None:
    code = (
        "from ui.process.system import write_to_nobody\n"
        "write_to_nobody(); print('lost', flush=True)"
    )
    with (tmp_path / "out").open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert (tmp_path / "out").read_bytes() == b""
