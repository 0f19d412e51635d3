"""Which seat says that it has which log: what the reveal barrier waits for (`p2p.log.replica`)."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

EARLY_ENTRIES_MAX: Final = 64  # Entries of later steps that may wait, for each seat.


class Heads(dict[int, dict[int, bytes]]):
    """Height of a log -> seat -> the head that it has there."""

    def __init__(self, start: bytes) -> None:
        """Nobody has said anything; an empty log has the head `start`."""
        self.mine = [start]  # My own, by height.
        self.parted: set[int] = set()  # Seats that had another log than I, once.

    def at(self, height: int) -> dict[int, bytes]:
        """What seats have said of their logs of this height."""
        return self.get(height, {})

    def hear(self, seat: int, height: int, head: bytes, open_at: int) -> None:
        """Note what a seat says; `open_at` is the height at which my open step began."""
        if height < len(self.mine) and self.mine[height] != head:
            self.parted.add(seat)
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
