"""The program in a real terminal: it paints, it answers keys, and it leaves as it should."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0  # A machine may have other things to do; only a fault takes so long.
ALTERNATE_ON, ALTERNATE_OFF = b"\x1b[?1049h", b"\x1b[?1049l"


class Terminal:
    """A child process on a pseudo-terminal of 80x24."""

    def __init__(self, *arguments: str) -> None:
        self.output = b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8",
                           "PYTHONUTF8": "1", "TEXTUAL_ANIMATIONS": "none"}  # fmt: skip
            os.execve(sys.executable, [sys.executable, "-m", "ui", *arguments], environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read_until(self, *wanted: bytes) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not all(each in self.output for each in wanted):
            assert time.monotonic() < deadline, f"no {wanted} in {self.output[-2000:]!r}"
            if select.select([self.file], [], [], 0.1)[0]:
                self.output += os.read(self.file, 65536)

    def press(self, keys: bytes) -> None:
        os.write(self.file, keys)

    def end(self) -> int:
        """Wait for the exit code, reading what is still said."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if select.select([self.file], [], [], 0.05)[0]:
                with suppress(OSError):  # The other side has closed; the exit code is near.
                    self.output += os.read(self.file, 65536)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"it never ended: {self.output[-2000:]!r}")

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.file)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    started = Terminal("--home", str(tmp_path), "--as", "ada")
    yield started
    started.close()


def test_the_lobby_is_painted_and_q_leaves_a_clean_terminal(terminal: Terminal) -> None:
    terminal.read_until(ALTERNATE_ON, b"Play Carta Impera Victoria")
    terminal.press(b"q")
    assert terminal.end() == 0
    assert terminal.output.rindex(ALTERNATE_OFF) > terminal.output.rindex(ALTERNATE_ON)


def test_a_kill_still_restores_the_terminal_and_says_so_in_the_exit_code(
    terminal: Terminal,
) -> None:
    terminal.read_until(ALTERNATE_ON, b"Play Carta Impera Victoria")
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.end() == 128 + signal.SIGTERM
    assert terminal.output.rindex(ALTERNATE_OFF) > terminal.output.rindex(ALTERNATE_ON)


def test_one_key_sits_down_with_bots_over_the_real_protocol(terminal: Terminal) -> None:
    terminal.read_until(ALTERNATE_ON, b"Play Carta Impera Victoria")
    terminal.press(b"b")
    terminal.read_until(b"YOUR TURN")
    terminal.output = b""
    terminal.press(b"q")
    terminal.read_until(b"Quit")
    terminal.press(b"q")
    assert terminal.end() == 0


@pytest.mark.slow
def test_a_hint_is_thought_while_the_screen_has_the_terminal(terminal: Terminal) -> None:
    terminal.read_until(ALTERNATE_ON, b"Play Carta Impera Victoria")
    terminal.press(b"b")
    terminal.read_until(b"YOUR TURN")
    terminal.press(b"h")
    terminal.read_until(b"Expected: ada ")  # Whatever was dealt.
    terminal.press(b"q")
    terminal.read_until(b"Quit")
    terminal.press(b"q")
    assert terminal.end() == 0
    assert b"Traceback" not in terminal.output


def test_lines_of_text_can_be_interrupted(tmp_path: Path) -> None:
    terminal = Terminal("--home", str(tmp_path), "--plain")
    try:
        terminal.read_until(b"lines of text")
        terminal.press(b"help\n")
        terminal.read_until(b"Type the number of a choice")
        terminal.press(b"\x03")
        assert terminal.end() == 130
        assert b"Traceback" not in terminal.output
    finally:
        terminal.close()
