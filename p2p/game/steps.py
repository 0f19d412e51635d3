"""One step of the lockstep: who has to write what before the table can go on.

The rules say which seats write next.  A step closes when all of them have, and its entries enter
the log in seat order, so every machine has the same log without a vote, a leader or a clock.

`SeatSecrets` and `Sealed` are what a seat keeps to itself between two steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

from core.requests import Action

TAKE_BACK: Final = "take back"


class TakeBack(NamedTuple):
    """What is written in place of a choice: see `p2p.game.going_back`."""

    events: int  # So many are left.
    signatures: tuple[bytes | None, ...]  # By seat, of all persons but the writer.

    def body(self) -> object:
        """As it stands in the entry."""
        return [TAKE_BACK, self.events, list(self.signatures)]


T = TypeVar("T")
ReadEntry: TypeAlias = Callable[[int, object], object]
WriteEntry: TypeAlias = Callable[[Action | TakeBack | None], object]


@dataclass(frozen=True, slots=True)
class Step:
    """What is written, by whom, how it is read and how my own part is made.

    `read(seat, body)` returns the value of a body or raises what is wrong with it.
    `write(action)` makes my body; `action` is None unless `is_choice`.
    """

    kind: str
    writers: tuple[int, ...]
    read: ReadEntry
    write: WriteEntry
    is_choice: bool = False  # A person or a bot has to decide.
    is_heavy: bool = False  # Reading or writing takes longer than a screen may wait.
    is_read_at_once: bool = False  # But reading does not.


Script: TypeAlias = Generator[Step, tuple[object, ...], T]
"""A protocol as it reads: `values = yield Step(...)`, one value per writer, in seat order."""


class Convicted(Exception):
    """What others have proven in a step convicts a seat; its signed entries are in the log."""

    def __init__(self, seat: int, text: str) -> None:
        super().__init__(text)
        self.seat = seat


class SeatLost(Exception):
    """A seat is gone, and nothing counts of the current step: its request has to begin anew."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """A proof that may be verified while the table waits: its step is not closed before."""

    seat: int
    verify: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Fairness:
    """What has been proven so far, counted."""

    shuffles: int = 0  # Shuffle proofs verified, each by one seat.
    shares: int = 0  # Batches of key shares verified.
    transfers: int = 0  # Cards that changed hands in secret, proven.
    claims: int = 0  # Claims about hidden cards, proven.
    entries: int = 0  # Signed entries, each chained and with an agreeing digest.
    pending: int = 0  # Proofs still being verified.


class SeatSecrets(Protocol):
    """What a seat must not lose between two starts of the machine."""

    seed: bytes  # 32 secret bytes, made once for this game: its key comes from it.

    def remember(self, height: int, value: Sequence[object]) -> None:
        """Keep what an entry at this height hides, for a later one that shows or proves it."""
        ...

    def recall(self, height: int) -> Sequence[object]:
        """What the entry at this height hides."""
        ...


class Sealed(NamedTuple):
    """A secret choice that a seat has committed to and not shown yet."""

    height: int  # Of the log when it was.
    context: bytes
    commitment: bytes


class Offence(NamedTuple):
    """What a seat has done, as later entries show."""

    seat: int
    text: str
    is_sealed: bool = False  # Its last seal shows it; otherwise its choice, and the card of that.
