"""Bots for the seats of a table that I open: each a process and a peer of its own.

A bot's standard input is a pipe whose other end only this program has, and says nothing there.  At
its end the bot knows that the program is gone, however it ended, and goes as well; no system needs
anything of its own for that.  See `ui.process.sponsored`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import trio

from p2p.base.limits import REASON_LETTERS_MAX
from p2p.table.game_files import companion_home
from ui.process.diagnosis import put_aside_if_full

NAMES: Final = ("Mistral", "Sirocco", "Zephyr", "Bora", "Föhn", "Monsoon")
LOG_NAME: Final = "bot.log"
PASSWORD_VARIABLE: Final = "HOSTLESS_PASSWORD"  # A program reads there what nobody typed.
LOG_BYTES_READ_MAX: Final = 4096  # The last words of a bot are among these.


class Launcher:
    """Runs bots under a home."""

    def __init__(self, home: Path, sponsor: bytes, log_level: str | None = None) -> None:
        """`sponsor` is the identity of whoever opens the table; bots log as much as its program."""
        self._home, self._sponsor = home, sponsor
        self._log_level = ("--log-level", log_level) if log_level else ()

    def name_of(self, number: int) -> str:
        """By which name a bot sits down."""
        return NAMES[number % len(NAMES)]

    def command(self, number: int, errand: Sequence[str]) -> list[str]:
        """What starts a bot."""
        folder = companion_home(self._home, number)
        return [sys.executable, "-P", "-m", "ui", "bot", *errand, "--home", str(folder),
                "--as", self.name_of(number), "--sponsor", self._sponsor.hex(),
                *self._log_level]  # fmt: skip

    async def run(self, number: int, errand: Sequence[str], password: str) -> str:
        """Run a bot to its end; why it ended, or nothing when it has played to the end."""
        folder = companion_home(self._home, number)
        command = self.command(number, errand)
        environment = {
            **os.environ,
            # A bot finds our packages, compiled or not, wherever this process has found them.
            "PYTHONPATH": os.pathsep.join(each for each in sys.path if each),
            PASSWORD_VARIABLE: password,  # Where no list of processes shows it.
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
            put_aside_if_full(folder / LOG_NAME)
            with (folder / LOG_NAME).open("ab") as log, held_open() as lifeline:
                begun = log.seek(0, os.SEEK_END)
                ended = await trio.run_process(
                    command, stdin=lifeline, stdout=subprocess.DEVNULL, stderr=log,
                    check=False, env=environment,
                )  # fmt: skip
        except OSError as error:
            return f"it cannot be started: {error.strerror or error}"
        return why_ended(ended.returncode, last_line(folder / LOG_NAME, begun))


@contextmanager
def held_open() -> Iterator[int]:
    """The end of a pipe that a process reads; the other end is ours, and closes with us."""
    reading, writing = os.pipe()
    try:
        yield reading
    finally:
        os.close(reading)
        os.close(writing)


def why_ended(code: int, last_words: str) -> str:
    """Why a process has ended that was meant to go on; nothing when it has done its work."""
    if code == 0:
        return ""
    if code < 0:
        known = {number.value: number.name for number in signal.Signals}
        return f"ended by {known.get(-code, f'signal {-code}')}"
    return last_words or f"exit code {code}"


def last_line(path: Path, begun: int) -> str:
    """The last line that was written to a file from there on."""
    with path.open("rb") as log:
        size = log.seek(0, os.SEEK_END)
        log.seek(max(begun, size - LOG_BYTES_READ_MAX))
        lines = log.read().decode(errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    words = said[-1].removeprefix("hostless: ") if said else ""
    return "".join(each if each.isprintable() else " " for each in words)[:REASON_LETTERS_MAX]
