"""A foreign program on a seat: it is told what its seat sees, a line of JSON per choice.

    to the program      {"seat": P, "view": {...}, "actions": [{"verb", "cards", "number", "text"}]}
    from the program    {"text": "play military"}   or   {"action": {"verb", "cards", "number"}}

The view has the words of the referee's.  The program sees what the seat sees, and cannot reach
the table but through its answers.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

from core.requests import Action, Choice
from core.view import Offer, view
from p2p.errors import HostlessError
from p2p.session import Turn

ANSWER_S: Final = 60.0  # How long a program may think about one choice.
LINE_BYTES_MAX: Final = 1 << 16
CHUNK_BYTES: Final = 4096


class ForeignPlayer:
    """A running program that answers choices."""

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self._rest = b""

    async def decide(self, turn: Turn) -> Action:
        """The program's answer to a choice.

        Raises:
            HostlessError: it ended, thought too long, or answered with nothing that is legal.
        """
        asked = asked_value(turn)
        with trio.move_on_after(ANSWER_S):
            answer = await self._exchange(json.dumps(asked).encode() + b"\n")
            return chosen(asked["actions"], answer)
        raise HostlessError(f"the program gave no answer within {ANSWER_S:.0f} seconds")

    async def _exchange(self, line: bytes) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None, "the program was started with pipes"
        try:
            await stdin.send_all(line)
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
async def foreign_player(command: str) -> AsyncIterator[ForeignPlayer]:
    """Run a program while its seat plays.

    Raises:
        HostlessError: it cannot be started.
    """
    try:
        process = await trio.lowlevel.open_process(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except (OSError, ValueError, IndexError) as error:
        raise HostlessError(f"cannot start {command[:80]!r}: {error}") from error
    try:
        yield ForeignPlayer(process)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def asked_value(turn: Turn) -> dict[str, object]:
    """What the program is told about a choice."""
    seen = view(turn.game, turn.table, Choice(turn.seat), turn.eyes, turn.seat)
    return {
        "seat": turn.seat,
        "view": {
            "zones": {zone: [card.face for card in cards] for zone, cards in seen.zones.items()},
            "cards": {zone: [card.card for card in cards] for zone, cards in seen.zones.items()},
            "backs": {zone: [card.back for card in cards] for zone, cards in seen.zones.items()},
            "counters": seen.counters,
            "options": seen.options,
            "phase": seen.phase,
            "to_act": list(seen.to_act),
        },
        "actions": [_action_value(offer) for offer in seen.offers],
    }


def _action_value(offer: Offer) -> dict[str, object]:
    verb, cards, number = offer.action
    return {"verb": verb, "cards": list(cards), "number": number, "text": offer.text}


def chosen(actions: object, answer: bytes) -> Action:
    """The legal action that an answer names.

    >>> chosen([{"verb": "end", "cards": [], "number": 0, "text": "end"}], b'{"text": "end"}')
    Action(verb='end', cards=(), number=0)

    Raises:
        HostlessError: it names none.
    """
    assert isinstance(actions, list), "we made the list"
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise HostlessError(f"the program did not answer in JSON: {answer[:80]!r}") from error
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
    raise HostlessError(f"the program chose nothing that is legal: {answer[:80]!r}")
