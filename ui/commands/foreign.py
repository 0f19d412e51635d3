"""A foreign program on a seat: it is told what its seat sees, a line of JSON per choice.

What is said is in `ai/players/foreign_lines.py`.  The program sees what the seat sees, and
cannot reach the table but through its answers.  One that ends, is late or answers with nothing
legal is ended; others wait at the table, so a bot of ours plays the seat on.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import trio

from ai.players.foreign_lines import (
    ANSWER_LETTERS_MAX,
    LINE_BYTES_MAX,
    PROGRAM_ANSWER_S,
    asked_line,
    chosen,
    hint_level,
    late_text,
)
from ai.seats.brain import Brain, open_brain
from core.errors import HostlessError
from core.requests import Action
from p2p.base.roster import DecisionPoint
from p2p.session.news import Notice
from ui.backend.hints import explain_turn, think

CHUNK_BYTES: Final = 4096


class ForeignPlayer:
    """A running program that answers choices, and the bot that stands in for it."""

    def __init__(
        self,
        process: trio.Process,
        brain: Brain,
        complain: Callable[[Notice], object],
        *,
        level: str,
        answer_s: float,
    ) -> None:
        self._process, self._brain, self._complain = process, brain, complain
        self._level, self._answer_s = level, answer_s
        self._rest = b""
        self.has_failed = False

    async def decide(self, turn: DecisionPoint) -> Action:
        """The program's answer to a choice; the bot's, once the program has failed."""
        if not self.has_failed:
            try:
                return await self._ask(turn)
            except HostlessError as error:
                self.has_failed = True
                self._process.kill()
                self._complain(Notice(str(error), f"a {self._level} bot plays on in its seat"))
        return (await think(self._brain, turn, self._level)).action

    async def _ask(self, turn: DecisionPoint) -> Action:
        asked = asked_value(turn, self._answer_s)
        with trio.move_on_after(self._answer_s):
            answer = await self._exchange(asked)
            while (level := hint_level(answer)) is not None:
                explanation = await explain_turn(self._brain, turn, level)
                answer = await self._exchange({"hint": explanation.json()})
            return chosen(asked["actions"], answer)
        raise HostlessError(late_text(self._answer_s))

    async def _exchange(self, value: dict[str, Any]) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None, "the program was started with pipes"
        try:
            await stdin.send_all(json.dumps(value).encode() + b"\n")
            while b"\n" not in self._rest and len(self._rest) < LINE_BYTES_MAX:
                chunk = await stdout.receive_some(CHUNK_BYTES)
                if not chunk:
                    raise HostlessError("the program has ended")
                self._rest += chunk
        except trio.BrokenResourceError as error:
            raise HostlessError("the program has ended") from error
        answer, _, self._rest = self._rest.partition(b"\n")
        return answer


@asynccontextmanager
async def foreign_player(
    command: str,
    complain: Callable[[Notice], object],
    *,
    level: str = "steady",
    answer_s: float = PROGRAM_ANSWER_S,
) -> AsyncIterator[ForeignPlayer]:
    """Run a program while its seat plays; what is wrong with it is said to `complain`, once.

    `level` is the bot's that plays on without it.

    Raises:
        HostlessError: it cannot be started.
    """
    try:
        process = await trio.lowlevel.open_process(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except (OSError, ValueError, IndexError) as error:  # The last: it is empty.
        why = getattr(error, "strerror", None) or (error if command.strip() else "it is empty")
        shown = command[:ANSWER_LETTERS_MAX]
        raise HostlessError(f"cannot start {shown!r}: {why}") from error
    try:
        async with open_brain() as brain:
            yield ForeignPlayer(process, brain, complain, level=level, answer_s=answer_s)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def asked_value(turn: DecisionPoint, answer_s: float = PROGRAM_ANSWER_S) -> dict[str, Any]:
    """What the program is told about a choice."""
    return asked_line(turn.game, turn.table, turn.observation, turn.seat, answer_s)
