"""The entries of each seat, one after the other, and which log each seat says that it has.

A seat numbers its entries, and each names the one before (`p2p.base.entry`).  `Chains` knows where
the chain of every seat ends, and which entries wait beyond.  Numbers jump where a seat changes
hands, so that nobody signs one twice.  `Acks` are the acknowledgements: the barrier
(`p2p.log.replica`) waits until every seat has said that it has this very log.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from p2p.base.entry import CHAIN_START, Entry, Position
from p2p.base.limits import EARLY_ENTRIES_MAX


class Chains:
    """How far the chain of every seat has come into the log, and the entries that wait for it."""

    def __init__(self, seats: int) -> None:
        """Of so many seats, none of which has said anything."""
        self._last = [CHAIN_START] * seats  # The hash of each seat's last entry in the log.
        self._next = [0] * seats  # The number of the one that follows.
        self._waiting: dict[tuple[int, int], Entry] = {}  # (seat, number) -> not yet in the log

    def last_of(self, seat: int) -> bytes:
        """The hash of a seat's last entry in the log."""
        return self._last[seat]

    def next_of(self, seat: int) -> int:
        """The number of a seat's next entry."""
        return self._next[seat]

    # ---- what waits ----

    def waiting(self) -> Iterator[Entry]:
        """All entries that are here, but not in the log yet."""
        yield from self._waiting.values()

    def pending_of(self, seat: int) -> Entry | None:
        """The next entry of a seat, if it is here."""
        return self._waiting.get((seat, self._next[seat]))

    def answer_of(self, seat: int, at: Position) -> Entry | None:
        """The next entry of a seat, if it is here and answers this position."""
        entry = self.pending_of(seat)
        return entry if entry is not None and is_answer(entry, at) else None

    def find(self, seat: int, number: int, log: list[Entry]) -> Entry | None:
        """A seat's entry with this number, if it waits or is in the log."""
        if number >= self._next[seat]:
            return self._waiting.get((seat, number))
        mine = (entry for entry in reversed(log) if entry.seat == seat)
        return next((entry for entry in mine if entry.number == number), None)

    def wait(self, entry: Entry) -> None:
        """Let an entry wait; another one with its number waits no more."""
        self._waiting[entry.seat, entry.number] = entry

    def forget(self, is_void: Callable[[Entry], bool]) -> None:
        """Let no entry wait that is void."""
        self._waiting = {at: late for at, late in self._waiting.items() if not is_void(late)}

    # ---- forward ----

    def append(self, entry: Entry) -> None:
        """An entry is in the log."""
        self._waiting.pop((entry.seat, entry.number), None)
        self._last[entry.seat], self._next[entry.seat] = entry.hash, entry.number + 1

    def skip_to(self, seat: int, number: int) -> None:
        """A seat's next entry has this number, and what waits with a lower one is void."""
        self._next[seat] = number
        self.forget(lambda late: late.seat == seat and late.number < number)


def is_answer(entry: Entry, at: Position) -> bool:
    """Whether an entry was written at this place in this log."""
    return (entry.height, entry.head) == (at.height, at.head)


class Acks(dict[int, dict[int, bytes]]):
    """Height of a log -> seat -> the head that it has there."""

    def __init__(self, start: bytes) -> None:
        """Nobody has said anything; an empty log has the head `start`."""
        self.mine = [start]  # My own, by height.
        self.signatures: dict[tuple[int, int], tuple[bytes, bytes]] = {}  # Of (height, seat).
        self.forked: set[int] = set()  # Seats that had another log than I, once.

    def at(self, height: int) -> dict[int, bytes]:
        """What seats have said of their logs of this height."""
        return self.get(height, {})

    def receive(self, seat: int, height: int, head: bytes, open_at: int) -> None:
        """Note what a seat says; `open_at` is the height at which my open step began."""
        if height < len(self.mine) and self.mine[height] != head:
            self.forked.add(seat)
        if height < open_at:
            return
        if height > open_at + EARLY_ENTRIES_MAX:  # We are far behind: keep its newest alone.
            far = [at for at in self if at > open_at + EARLY_ENTRIES_MAX and seat in self[at]]
            if any(at > height for at in far):
                return  # Somebody has passed on an older one.
            for at in far:
                del self[at][seat]
                if not self[at]:
                    del self[at]
        self.setdefault(height, {})[seat] = head

    def has_beyond(self, height: int, guilty: Container[int]) -> bool:
        """Whether a seat that is not guilty has a longer log than this."""
        return any(at > height and any(seat not in guilty for seat in self[at]) for at in self)

    def forget(self, height: int) -> None:
        """My log is longer now."""
        for at in [at for at in self if at < height]:
            del self[at]
        kept = self.signatures.items()
        self.signatures = {at: signed for at, signed in kept if at[1] in self.at(at[0])}

    def keep(self, seat: int, height: int, head: bytes, signature: bytes) -> None:
        """Keep by what a seat has said so, if that is kept itself."""
        if self.at(height).get(seat) == head:
            self.signatures[height, seat] = head, signature

    def signature_of(self, seat: int, height: int, head: bytes) -> bytes | None:
        """By what a seat has said that its log has this head, if that is kept."""
        known = self.signatures.get((height, seat))
        return known[1] if known is not None and known[0] == head else None
