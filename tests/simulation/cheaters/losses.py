"""Cheaters that wait until a seat is lost, and cheat while its cards are dealt anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar
from unittest.mock import patch

from core.requests import Action
from p2p.crypto import plaintext_equality, tally
from p2p.crypto.group import POINT_BYTES, G, Point
from p2p.crypto.masking import MASKED_BYTES, Masked
from p2p.crypto.tally import CardTally
from p2p.log.replica import Replica
from tests.simulation.cheaters.kinds import Cheater, Outcome, body_of, session_of

LOST = {"needs": "loss", "chances": 1}


class Otherwise(Cheater):
    """A session in which one thing is worked out otherwise as it writes an entry of a kind."""

    entry = ""
    otherwise: ClassVar[tuple[Any, str, Any]]

    async def _write(self) -> bool:
        step = self.replica.step
        if step is None or not self.is_due(self.entry):
            return await super()._write()
        self.did, write = True, step.write

        def otherwise(action: Action | None) -> object:
            with patch.object(*self.otherwise):  # No longer: honest machines write meanwhile.
                return write(action)

        self.replica.step = replace(step, write=otherwise)
        return await super()._write()


def _as_it_was(full: CardTally, at: int, number: int) -> list[Masked]:
    return list(full.counters[at])


def _one_more(full: CardTally, at: int, number: int) -> list[Masked]:
    counters = full.counters[at]
    more = min(number + 1, len(counters))
    return [Masked(G, full.key)] * more + list(counters[: len(counters) - more])


@session_of(Outcome.NAMED, **LOST)
class StrikesNothing(Otherwise):
    """Leave the own hand on the list, so that its cards come up in the deck once more."""

    entry, otherwise = "strike", (tally, "_pushed", _as_it_was)


@session_of(Outcome.NAMED, **LOST)
class StrikesTooMuch(Otherwise):
    """Take cards off the list that it does not hold, so that they never come up again."""

    entry, otherwise = "strike", (tally, "_pushed", _one_more)


@session_of(Outcome.NAMED, **LOST)
class BlindsWithZero(Otherwise):
    """Multiply by zero, so that of all rows nobody can say that they are there."""

    entry, otherwise = "blind", (plaintext_equality, "random_scalar", lambda: 0)


@body_of("blind", **LOST)
def struck_row_kept(replica: Replica, body: list[object]) -> object:
    """Add something to every blinded row, so that struck ones look like cards."""
    return [_with_more(said) for said in body]


def _with_more(said: object) -> bytes:
    assert isinstance(said, bytes), "an equality test is bytes"
    joined = Point.parse(said[POINT_BYTES:MASKED_BYTES]) + G
    return said[:POINT_BYTES] + joined.encoded + said[MASKED_BYTES:]


@body_of("sort out", **LOST)
def row_thrown_away(replica: Replica, body: list[object]) -> object:
    """Give a false layer of a blinded row, so that it looks as it should not."""
    joined = body[0]
    assert isinstance(joined, bytes), "shares are bytes"
    return [(Point.parse(joined[:POINT_BYTES]) + G).encoded + joined[POINT_BYTES:], body[1]]
