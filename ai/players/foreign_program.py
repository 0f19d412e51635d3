"""A foreign program in a tournament: a process that plays one seat of one game.

Every game has a process of its own, so that no game depends on those before it.  The program finds
a number in the environment, HOSTLESS_SEED: one that takes its luck from there plays the same game
whenever it is played, and so a tournament that was stopped goes on to the same standings.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any, Final

from ai.advice.explain import advise
from ai.players.foreign_lines import (
    LINE_BYTES_MAX,
    PROGRAM_ANSWER_S,
    asked_line,
    chosen,
    hint_level,
    late_text,
)
from core.errors import HostlessError
from core.game import Game
from core.requests import Action, Player
from core.table import Observation, Table

SEED_NAME: Final = "HOSTLESS_SEED"
_MEND: Final = "mend the program, and begin the tournament anew"
_DIGEST_DIGITS: Final = 16
_END_S: Final = 5.0


class ForeignProgram:
    """Decides as a program says, which begins with the first choice; `close` ends it.

    Raises, when it is asked:
        HostlessError: the program cannot be started, ends, is late or answers nothing legal.
    """

    def __init__(self, game: Game, command: str, answer_s: float = PROGRAM_ANSWER_S) -> None:
        self._game, self._command, self._answer_s = game, command, answer_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: Queue[bytes] = Queue()

    def __call__(
        self, table: Table, observation: Observation, player: Player, seed: int
    ) -> Action:
        """The action that the program names."""
        try:
            return self._ask(table, observation, player, seed)
        except HostlessError as error:
            raise HostlessError(f"the player {self._command}: {error}", _MEND) from error

    def close(self) -> None:
        """End the program."""
        if self._process is None:
            return
        assert self._process.stdin is not None, "it was started with pipes"
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _ask(self, table: Table, observation: Observation, player: Player, seed: int) -> Action:
        deadline = monotonic() + self._answer_s
        seen = (self._game, table, observation, player)
        asked = asked_line(*seen, self._answer_s)
        answer = self._exchange(asked, seed, deadline)
        while (level := hint_level(answer)) is not None:
            answer = self._exchange({"hint": advise(*seen, level)}, seed, deadline)
        return chosen(asked["actions"], answer)

    def _exchange(self, told: dict[str, Any], seed: int, deadline: float) -> bytes:
        process = self._process or self._start(seed)
        assert process.stdin is not None, "it was started with pipes"
        try:
            process.stdin.write(json.dumps(told).encode() + b"\n")
            process.stdin.flush()
            answer = self._lines.get(timeout=max(0.0, deadline - monotonic()))
        except OSError as error:
            raise HostlessError("the program has ended") from error
        except Empty:
            raise HostlessError(late_text(self._answer_s)) from None
        if not answer:
            raise HostlessError("the program has ended")
        return answer

    def _start(self, seed: int) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                shlex.split(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, SEED_NAME: str(seed)},
            )
        except OSError as error:
            raise HostlessError(f"cannot start {self._command!r}: {error.strerror}") from error
        self._process = process
        Thread(target=_read, args=(process, self._lines), daemon=True).start()
        return process


def can_be_started(command: str) -> bool:
    """Whether the first word of a command is a program of this machine.

    >>> can_be_started("no-such-program file"), can_be_started("rush")
    (False, False)
    """
    words = _words(command)
    return bool(words) and (len(words) > 1 or os.sep in command) and bool(shutil.which(words[0]))


def files_digest(command: str) -> str:
    """Some hex digits of the files that a command names: another program plays other games."""
    told = hashlib.sha256()
    for word in _words(command):
        path = Path(word)
        told.update(path.read_bytes() if path.is_file() else word.encode())
    return told.hexdigest()[:_DIGEST_DIGITS]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # A quotation that does not end.
        return []


def _read(process: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    """Hand on what the program says, line by line, and that it has ended."""
    assert process.stdout is not None, "it was started with pipes"
    with process.stdout as stdout:
        while line := stdout.readline(LINE_BYTES_MAX):
            lines.put(line)
    lines.put(b"")
