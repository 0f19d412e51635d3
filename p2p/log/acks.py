"""Which log each seat says that it has.

By these acknowledgements the barrier (`p2p.log.replica`) waits until every seat has said that it
has this very log.
"""

from __future__ import annotations

from collections.abc import Container

from p2p.base.limits import EARLY_ENTRIES_MAX


class Acks(dict[int, dict[int, bytes]]):
    """Height of a log -> seat -> the head that it has there."""

    def __init__(self, heads: dict[int, bytes]) -> None:
        """Nobody has said anything; `heads` are those of my own log, by height."""
        self.mine = heads
        self.signatures: dict[tuple[int, int], tuple[bytes, bytes]] = {}  # Of (height, seat).
        self.forked: set[int] = set()  # Seats that had another log than I, once.

    def at(self, height: int) -> dict[int, bytes]:
        """What seats have said of their logs of this height."""
        return self.get(height, {})

    def receive(self, seat: int, height: int, head: bytes, open_at: int) -> None:
        """Note what a seat says; `open_at` is the height at which my open step began."""
        if height <= next(reversed(self.mine)) and self.mine.get(height) != head:
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
