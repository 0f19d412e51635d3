"""The entries that one machine has: those of its log, and those that wait for their step.

An entry is found by its seat and by what it answers (`place_of`): of a seat there is one, or it has
signed two, which is evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from p2p.base.entry import Entry, Position, is_answer
from p2p.base.limits import EARLY_BYTES_MAX, EARLY_ENTRIES_MAX

RECENT_ENTRIES: Final = 64  # More than logs can part before the barrier stops them.


class WaitingEntries:
    """The entries that wait for their step."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._entries: dict[tuple[int, int, bytes], Entry] = {}  # By `place_of`.

    def __iter__(self) -> Iterator[Entry]:
        """All of them."""
        yield from self._entries.values()

    def find(self, entry: Entry) -> Entry | None:
        """What waits in the place of an entry: that one, or another of its seat for this head."""
        return self._entries.get(place_of(entry))

    def of(self, seat: int) -> list[Entry]:
        """What waits of a seat."""
        return [entry for entry in self if entry.seat == seat]

    def answer_of(self, seat: int, seat_epoch: int, at: Position) -> Entry | None:
        """The entry of a seat, in its epoch, that answers this position."""
        entry = self._entries.get((seat, seat_epoch, at.head))
        return entry if entry is not None and is_answer(entry, at) else None

    def is_full_of(self, seat: int) -> bool:
        """Whether as much waits of a seat as may."""
        waiting = self.of(seat)
        size = sum(len(entry.raw) for entry in waiting)
        return len(waiting) >= EARLY_ENTRIES_MAX or size >= EARLY_BYTES_MAX

    def wait(self, entry: Entry) -> None:
        """Let an entry wait; another one in its place waits no more."""
        self._entries[place_of(entry)] = entry

    def forget(self, is_void: Callable[[Entry], bool]) -> None:
        """Let no entry wait that is void."""
        self._entries = {at: late for at, late in self._entries.items() if not is_void(late)}


class Entries:
    """A log, and what is known beside it."""

    def __init__(self, game_id: bytes) -> None:
        """The log is empty."""
        self.log: list[Entry] = []
        self.heads = {0: game_id}  # Of the log, by height, wherever a step of it ends.
        self.waiting = WaitingEntries()
        self._logged: dict[tuple[int, int, bytes], Entry] = {}  # By `place_of`.

    def append(self, entries: list[Entry], head: bytes) -> None:
        """The log is longer by all entries that answer its head, and has this one now."""
        self.log += entries
        self._logged |= {place_of(entry): entry for entry in entries}
        self.heads[len(self.log)] = head

    def logged_for(self, entry: Entry) -> Entry | None:
        """What stands in the log in the place of an entry: that one, or another of its seat."""
        return self._logged.get(place_of(entry))

    def known_for(self, entry: Entry) -> Entry | None:
        """The same, also if it waits."""
        return self.logged_for(entry) or self.waiting.find(entry)

    def lately(self) -> list[bytes]:
        """The last entries of the log and what waits: enough to find where two logs part."""
        return [entry.raw for entry in [*self.log[-RECENT_ENTRIES:], *self.waiting]]

    def is_void(self, entry: Entry, seat_epoch: int) -> bool:
        """Whether nobody waits for an entry: its step is closed, or its seat epoch is another one.

        `seat_epoch`: of its seat, at the end of my log.
        """
        is_mine = self.heads.get(entry.height) == entry.parent
        is_past = is_mine and entry.height < len(self.log)
        is_of_now = entry.seat_epoch == seat_epoch
        return is_past or entry.seat_epoch < seat_epoch or (is_mine and not is_of_now)


def place_of(entry: Entry) -> tuple[int, int, bytes]:
    """Where a seat signs one entry and no other: its epoch, and the head that is answered."""
    return entry.seat, entry.seat_epoch, entry.parent
