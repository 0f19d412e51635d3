"""Seats that change hands further on than my log: what says so waits until I am there.

Whoever is behind hears it long before it counts, and may close that step with entries of its own,
which it had written before: then it would have a log that nobody else has.
"""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from p2p.base.entry import Entry
from p2p.log.returning import BACK
from p2p.log.votes import STAND_IN

EARLY_MAX: Final = 64  # For each seat that brings some: more than a game has.
Source = TypeVar("Source")


class Early(Generic[Source]):
    """Entries that wait for a step, and where each came from."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._waiting: dict[tuple[int, bytes], tuple[Entry, int, Source]] = {}

    def keep(self, entry: Entry, height: int, seat: int, source: Source) -> bool:
        """Whether an entry that a seat brings is about a step beyond `height`, and waits for it."""
        if entry.kind not in (STAND_IN, BACK) or entry.height <= height:
            return False
        if sum(by == seat for by, _ in self._waiting) < EARLY_MAX:
            self._waiting[seat, entry.hash] = entry, seat, source
        return True

    def due(self, height: int) -> list[tuple[Entry, int, Source]]:
        """What waits no more: (entry, who brought it, from where)."""
        due = [place for place, (entry, *_) in self._waiting.items() if entry.height <= height]
        return [self._waiting.pop(place) for place in due]
