"""Which log each seat says that it has.

By these acknowledgements the barrier (`p2p.log.replica`) waits until every seat has said that it
has this very log.  They are kept whole, as they were signed.
"""

from __future__ import annotations

from collections.abc import Container

from p2p.base.limits import EARLY_ENTRIES_MAX
from p2p.log.membership.log import Log, is_of
from p2p.log.membership.messages import Ack


class Acks(dict[int, dict[int, Ack]]):
    """Height of a log -> seat -> what it has signed there."""

    def __init__(self, heads: dict[int, bytes]) -> None:
        """Nobody has said anything; `heads` are those of my own log, by height."""
        self.mine = heads
        self.forked: set[int] = set()  # Seats that had another log than I, once.

    def at(self, height: int) -> dict[int, Ack]:
        """What seats have said of their logs of this height."""
        return self.get(height, {})

    def receive(self, ack: Ack, open_at: int) -> None:
        """Note what a seat says; `open_at` is the height at which my open step began."""
        seat, height = ack.seat, ack.height
        if height <= next(reversed(self.mine)) and self.mine.get(height) != ack.head:
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
        self.setdefault(height, {})[seat] = ack

    def has(self, seat: int, log: Log) -> bool:
        """Whether a seat has said that it has this very log."""
        ack = self.at(log.height).get(seat)
        return ack is not None and is_of(ack, log)

    def has_beyond(self, height: int, guilty: Container[int]) -> bool:
        """Whether a seat that is not guilty has a longer log than this."""
        return any(at > height and any(seat not in guilty for seat in self[at]) for at in self)

    def forget(self, height: int) -> None:
        """My log is longer now."""
        for at in [at for at in self if at < height]:
            del self[at]


def ack_of(log: Log, seat: int) -> Ack:
    """What a seat that has this log says of its last item, not signed yet."""
    assert log.below is not None, "an empty log is acknowledged by nobody"
    return Ack(log.below.epoch, seat, log.height, log.below.head, log.head)
