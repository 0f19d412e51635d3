"""Reading a log from front to back: steps, contexts, and who is to blame.

Sections 7.2, 8, 10 and 11 of the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.p2p.verifier import proofs
from tests.p2p.verifier.group import Pair, little, pairs_of, point, to_point, wide
from tests.p2p.verifier.log import Entry, Log
from tests.p2p.verifier.values import Refused, encode, need

DEALT_ANEW = "dealt anew"  # What the rules are told of, and no answer to a request.


class Void(Exception):
    """Nothing counts of the current step: the request is answered from its beginning (18.3)."""


@dataclass(frozen=True)
class Seal:
    """A choice that nobody has opened: the height of its step, and what was written."""

    height: int
    seal: Any
    is_owners: bool


class Reading:
    """How far a log has been read."""

    def __init__(self, log: Log, rules: Any) -> None:
        self.log, self.rules, self.roster = log, rules, log.roster
        self.events: list[Any] = []
        self.seals: dict[int, Seal] = {}
        self.bound: set[int] = set()  # Bots that choose now, by lots that are drawn or due.
        self.lots_for: list[int] = []  # Who chooses by the last lots.
        self.convicted: dict[int, str] = {}
        self.told: list[tuple[int, str]] = []
        self.proofs, self.is_signed, self.due = 0, False, ""
        self.change_hands: Callable[[Entry], None] = lambda entry: None

    def forget(self, seat: int) -> None:
        """What a seat has sealed, and lots that were drawn for it, count no more."""
        self.seals.pop(seat, None)
        if seat in self.lots_for:
            self.lots_for = []

    @property
    def height(self) -> int:
        return self.log.height

    def answers(self) -> int:
        """How many requests have been answered."""
        return sum(event[0] != DEALT_ANEW for event in self.events)

    def ctx(self, seat: int, purpose: str, height: int) -> bytes:
        return sha256(encode(["hostless/1", self.roster.id, height, seat, purpose])).digest()

    @contextmanager
    def of(self, seat: int) -> Iterator[None]:
        """What is refused in here is held against this seat, unless anybody can sign for it."""
        try:
            yield
        except Refused as wrong:
            raise Refused(None if self.log.is_open(seat) else seat, wrong.why) from None

    def holds(self, seat: int, check: Any, *said: Any) -> Any:
        """One proof of a seat."""
        with self.of(seat):
            found = check(*said)
        self.proofs += 1
        return found

    def need(self, true: Any, why: str, seat: int) -> None:
        with self.of(seat):
            need(true, why)

    def step(self, kind: str, writers: Sequence[int]) -> list[Entry]:
        """The entries of the next step; seats may change hands before it.

        Contexts keep the height at which it was due (18.3): ask for that before.
        """
        self.due = kind
        while (change := self.log.change()) is not None:
            self.change_hands(change)
            self.due = kind
        step = self.log.step(kind, list(writers))
        early = kind in ("key seal", "key")
        due = bytes(48) if early else digest_of(self.rules.state(self.events))
        for entry in step:
            self.need(entry.digest == due, "a digest of another state", entry.seat)
        return step

    def sealed(self, entry: Entry) -> bytes:
        is_seal = isinstance(entry.body, bytes) and len(entry.body) == 32
        self.need(is_seal, "a seal that is none", entry.seat)
        return entry.body

    def items(self, entry: Entry, count: int) -> list[Any]:
        is_list = isinstance(entry.body, list) and len(entry.body) == count
        self.need(is_list, "a body of another form", entry.seat)
        return entry.body

    def pairs(self, seat: int, content: Any, count: int) -> list[Pair]:
        with self.of(seat):
            return pairs_of(content, count)

    def face_point(self, face: int) -> bytes:
        return to_point("face", self.roster.id, face.to_bytes(2, "big"))

    def commitment(self, seat: int, context: bytes, salt: bytes, value: bytes) -> bytes:
        return wide("hostless/commit/1", 32, context, little(seat, 4), salt, value)

    def drawn(self, public: bytes, seat: int, content: Any, purpose: tuple[str, int]) -> bytes:
        """The value of a verifiable random function that a seat with this key draws."""
        is_draw = isinstance(content, bytes) and len(content) == 96
        self.need(is_draw, "a draw of another length", seat)
        b = to_point("hostless/lot/1", self.ctx(0, *purpose))
        with self.of(seat):
            point(content[:32])
        value, proof, mine = content[:32], content[32:], self.ctx(seat, *purpose)
        self.holds(seat, proofs.shares, public, [(b, b)], [value], proof, mine)
        return value


def digest_of(state: Sequence[Sequence[Sequence[int]]]) -> bytes:
    """Section 7.2, of six sections of lists."""
    digest = b""
    for lists in state:
        numbers = [number for each in lists for number in (len(each), *each)]
        packed = b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)
        digest += sha256(packed).digest()[:8]
    return digest
