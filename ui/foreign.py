"""A foreign program on a seat: it is told what its seat sees, a line of JSON per choice.

    to the program      {"seat": P, "view": VIEW, "actions": [ACTION, ...], "deadline_s": S}
    from the program    {"text": "play military"}   or   {"action": ACTION}

VIEW and ACTION are the referee's.  Before it answers, the program may ask what our search thinks:

    from the program    {"hint": LEVEL}
    to the program      {"hint": HINT}

The program sees what the seat sees, and cannot reach the table but through its answers.  One that
ends, is late or answers with nothing legal is ended; others wait at the table, so a bot of ours
plays the seat on.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import trio

from ai.brain import Brain, open_brain
from ai.explain import known_level
from core.errors import HostlessError
from core.requests import Action
from core.table import RulesError
from core.view import action_json, offers, view_json
from p2p.base.roster import DecisionPoint
from p2p.session.news import Notice
from ui.hints import explain_turn, think

_ANSWER_S: Final = 60.0  # How long a program may think about one choice.
LINE_BYTES_MAX: Final = 1 << 16
CHUNK_BYTES: Final = 4096
_SHOWN_LETTERS_MAX: Final = 80  # Of what a program said.


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
        raise HostlessError(f"the program gave no answer within {self._answer_s:g} seconds")

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
    answer_s: float = _ANSWER_S,
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
    except (OSError, ValueError, IndexError) as error:
        shown, why = command[:_SHOWN_LETTERS_MAX], getattr(error, "strerror", None) or error
        raise HostlessError(f"cannot start {shown!r}: {why}") from error
    try:
        async with open_brain() as brain:
            yield ForeignPlayer(process, brain, complain, level=level, answer_s=answer_s)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def asked_value(turn: DecisionPoint, answer_s: float = _ANSWER_S) -> dict[str, Any]:
    """What the program is told about a choice."""
    seen = turn.game, turn.table, turn.observation, turn.seat
    return {
        "seat": turn.seat,
        "view": {**view_json(*seen), "to_act": [turn.seat]},
        "actions": [action_json(offer.action, offer.text) for offer in offers(*seen)],
        "deadline_s": answer_s,
    }


def hint_level(answer: bytes) -> str | None:
    """The level of the hint that an answer asks for; None if it is no such question.

    >>> hint_level(b'{"hint": "gentle"}'), hint_level(b'{"hint": ""}'), hint_level(b'{"text": ""}')
    ('gentle', 'steady', None)

    Raises:
        HostlessError: it is one, and there is no such level.
    """
    match parsed(answer):
        case {"hint": str(level)}:
            try:
                return known_level(level)
            except RulesError as error:
                raise HostlessError(f"the program asked for a hint: {error}") from error
    return None


def chosen(actions: object, answer: bytes) -> Action:
    """The legal action that an answer names.

    >>> chosen([{"verb": "end", "cards": [], "number": 0, "text": "end"}], b'{"text": "end"}')
    Action(verb='end', cards=(), number=0)

    Raises:
        HostlessError: it names none.
    """
    assert isinstance(actions, list), "we made the list"
    value = parsed(answer)
    for action in actions:
        named = {key: action[key] for key in ("verb", "cards", "number")}
        match value:
            case {"text": text} if text == action["text"]:
                pass
            case {"action": dict(given)} if {**given, "text": ""} == {**named, "text": ""}:
                pass
            case _:
                continue
        return Action(action["verb"], tuple(action["cards"]), action["number"])
    raise HostlessError(f"the program chose nothing that is legal: {_shown(answer)}")


def parsed(answer: bytes) -> object:
    """The value of a line.

    Raises:
        HostlessError: it is not JSON.
    """
    try:
        value: object = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise HostlessError(f"the program did not answer in JSON: {_shown(answer)}") from error
    return value


def _shown(answer: bytes) -> str:
    return repr(answer[:_SHOWN_LETTERS_MAX].decode(errors="replace"))
