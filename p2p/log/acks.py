"""Which log each seat says that it has.

By these acknowledgements the barrier (`Log.is_barrier_to`) waits until every seat has said that it
has this very log.  They are kept whole, as they were signed: what stands further on than my log is
handed to membership when I am there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from p2p.base.limits import EARLY_ENTRIES_MAX
from p2p.log.membership.log import Log, StepItem, ack_of, is_of
from p2p.log.membership.messages import Ack

_EACH_MAX: Final = 2  # Of a seat at one height: whoever has signed two has convicted itself.


class Acks:
    """Height of a log -> seat -> what it has signed there, the newest last."""

    def __init__(self) -> None:
        """Nobody has said anything."""
        self._kept: dict[int, dict[int, tuple[Ack, ...]]] = {}

    def all_at(self, height: int) -> Iterator[Ack]:
        """All that seats have said of their logs of this height."""
        for acks in self._kept.get(height, {}).values():
            yield from acks

    def from_on(self, height: int) -> Iterator[Ack]:
        """What seats have said of logs of this height and longer ones."""
        for at in self._kept:
            if at >= height:
                yield from self.all_at(at)

    def holds(self, ack: Ack) -> bool:
        """Whether this is known."""
        return ack in self._kept.get(ack.height, {}).get(ack.seat, ())

    def receive(self, ack: Ack, committed: int, began_at: int) -> None:
        """Note what a seat says, unless all have acknowledged more.

        `began_at` is the height at which my current step began.
        """
        seat, height = ack.seat, ack.height
        if height < committed:
            return
        far = began_at + EARLY_ENTRIES_MAX
        if height > far and not self._make_newest(seat, height, far):
            return  # Somebody has passed on an older one.
        said = self._kept.setdefault(height, {})
        before = tuple(each for each in said.get(seat, ()) if each != ack)
        said[seat] = (*before[: _EACH_MAX - 1], ack)

    def _make_newest(self, seat: int, height: int, far: int) -> bool:
        """Forget what a seat has said of logs longer than `far`, of which only its newest is kept.

        False, and nothing is forgotten, if it has said something of a log longer than `height`.
        """
        kept = [at for at in self._kept if at > far and seat in self._kept[at]]
        if any(at > height for at in kept):
            return False
        for at in kept:
            del self._kept[at][seat]
            if not self._kept[at]:
                del self._kept[at]
        return True

    def has(self, seat: int, log: Log) -> bool:
        """Whether a seat has said that it has this very log."""
        return any(is_of(ack, log) for ack in self._kept.get(log.height, {}).get(seat, ()))

    def of_steps(self, seat: int, height: int, epoch: bytes) -> set[bytes]:
        """The heads of steps that a seat has acknowledged at a height, in an epoch."""
        said = self._kept.get(height, {}).get(seat, ())
        return {ack.head for ack in said if ack.change is None and ack.epoch == epoch}

    def forget(self, height: int) -> None:
        """My log is longer now."""
        for at in [at for at in self._kept if at < height]:
            del self._kept[at]


def implied_by(acks: Iterable[Ack], log: Log, committed: int) -> Iterator[Ack]:
    """What the acknowledgements of a log say of the steps it stands on, down to what all have.

    Whoever has it has all below; those who went on long ago do not say so of each any more.  Of
    a change they do: the file has to show by whose signatures it is in force.
    """
    seats = {ack.seat for ack in acks if is_of(ack, log)}
    for below in takewhile(lambda each: each.height > committed, log.down()):
        if below != log and isinstance(below.item, StepItem):
            yield from (ack_of(below, seat) for seat in sorted(seats & below.members))
