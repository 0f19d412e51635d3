"""How much of us strangers get: how often a source is heard, and how many may call at once.

Callers are bounded in all, and for each host in number and in rate.  A stranger can call from many
addresses and say nothing.  So when all places are taken, whoever has waited longest of the host
with most callers makes room for somebody of a host with fewer; only callers that have not proven
yet who they are, so nobody who sits at a table is disturbed.

What this does not protect against: as many hosts as there are places, each with one caller.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from p2p.base.limits import (
    CALLERS_MAX,
    CALLERS_PER_HOST_MAX,
    CALLS_BURST_MAX,
    CALLS_PER_S_MAX,
    SOURCES_MAX,
)


class Call:
    """One caller, from the first byte to the end of its link."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.scope = trio.CancelScope()
        self.is_proven = False


class Callers:
    """All who are at one door."""

    def __init__(self) -> None:
        self._calls: list[Call] = []  # In the order in which they came.
        self._rate = RateLimit(CALLS_PER_S_MAX, CALLS_BURST_MAX)

    @contextmanager
    def take_in(self, host: str) -> Iterator[Call | None]:
        """Keep a place for somebody while the block runs; None if there is no place for it.

        The block ends early when somebody else needs the place more.
        """
        if not self._has_place(host):
            yield None
            return
        call = Call(host)
        self._calls.append(call)
        try:
            with call.scope:
                yield call
        finally:
            self._calls.remove(call)

    def _has_place(self, host: str) -> bool:
        counts = Counter(call.host for call in self._calls if not call.scope.cancel_called)
        if not self._rate.allows(host) or counts[host] >= CALLERS_PER_HOST_MAX:
            return False
        return counts.total() < CALLERS_MAX or self._make_room(counts, counts[host] + 1)

    def _make_room(self, counts: Counter[str], fair: int) -> bool:
        """Turn away a silent caller of the host with most, if those are more than is fair."""
        silent = [call for call in self._calls
                  if not call.is_proven and not call.scope.cancel_called]  # fmt: skip
        oldest = max(silent, key=lambda call: counts[call.host], default=None)
        if oldest is None or counts[oldest.host] <= fair:
            return False
        oldest.scope.cancel()
        return True


class RateLimit:
    """How often each source is listened to: a bucket of tokens for each, for the latest sources."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def source_count(self) -> int:
        """How many sources are remembered."""
        return len(self._buckets)

    def allows(self, source: str) -> bool:
        """Whether the source may be listened to once more now."""
        now = trio.current_time()
        tokens, since = self._buckets.pop(source, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_s)
        is_allowed = tokens >= 1
        self._buckets[source] = (tokens - is_allowed, now)
        if len(self._buckets) > SOURCES_MAX:
            self._buckets.popitem(last=False)
        return is_allowed
