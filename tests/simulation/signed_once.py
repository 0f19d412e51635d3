"""Whether an honest seat answers one log once, as far as anybody else could ever show.

Two entries in answer to one head convict a seat as soon as somebody has both.  A machine that
finds on its disk what it has signed never signs a second one, whoever heard the first.  One whose
disk has lost it may, if the first is gone: read by nobody else, or only by machines that have lost
it too.  What still lies in a pipe is not gone: it counts when somebody reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from p2p.base.entry import Entry
from p2p.log.entries import place_of

if TYPE_CHECKING:
    from tests.simulation.machine import Run

Readers: TypeAlias = "dict[bytes, set[Run]]"  # By the bytes of an entry.


class SignedOnce:
    """All that honest seats have signed, and who else has read it."""

    def __init__(self, is_on_disk: Callable[[Run, bytes], bool]) -> None:
        """`is_on_disk`: whether a machine that is switched on again would find this."""
        self._is_on_disk = is_on_disk
        self._signed: dict[tuple[int, int, bytes], Readers] = {}  # By `place_of`.
        self._lost: set[bytes] = set()  # By whoever has signed it.

    def note_damage(self, run: Run) -> None:
        """A disk has lost something: perhaps of what its seat has signed."""
        for (seat, _, _), signed in self._signed.items():
            if seat == run.number:
                self._lost |= {raw for raw in signed if not self._is_on_disk(run, raw)}

    def is_kept_by(self, entry: Entry) -> bool:
        """Whether the promise still holds when an honest machine says an entry."""
        signed = self._signed.setdefault(place_of(entry), {})
        signed.setdefault(entry.raw, set())
        return self._is_one(signed)

    def is_kept_as_read(self, entry: Entry, reader: Run) -> bool:
        """Whether it still holds when a machine reads one; what a cheater made up is none."""
        signed = self._signed.get(place_of(entry), {})
        if reader.number != entry.seat and entry.raw in signed:
            signed[entry.raw].add(reader)
        return self._is_one(signed)

    def _is_one(self, signed: Readers) -> bool:
        return sum(not self._is_gone(raw, readers) for raw, readers in signed.items()) <= 1

    def is_gone(self, entry: Entry) -> bool:
        """Whether nobody has an entry any more; not even whoever signed it."""
        return self._is_gone(entry.raw, self.readers_of(entry))

    def readers_of(self, entry: Entry) -> set[Run]:
        """Who has read it, but for its own seat."""
        return self._signed.get(place_of(entry), {}).get(entry.raw, set())

    def _is_gone(self, raw: bytes, readers: set[Run]) -> bool:
        is_there = (not run.is_dead or self._is_on_disk(run, raw) for run in readers)
        return raw in self._lost and not any(is_there)
