"""How much of us strangers get: how often a source is heard, and how many may call at once.

Callers are bounded in all, and for each host in number and in rate.  A stranger can call from many
addresses, and an identity costs nothing.  So a caller keeps its place for sure only when it has got
what it came for: a seat, or to look on.  Before that its call is worth as much as those of its host
were lately: the more of those came to nothing, the more rarely the next one is taken in; and when
all places are taken, whoever has waited longest of the host whose calls came to nothing most often,
or that has most of them now, makes room for somebody of a better one.

What this does not protect against: more hosts than are remembered, each of which calls a few times.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

from p2p.base.limits import (
    CALLERS_MAX,
    CALLERS_PER_HOST_MAX,
    CALLS_BURST_MAX,
    CALLS_PER_S_MAX,
    SOURCES_MAX,
    VAIN_CALLS_MAX,
    VAIN_PERIOD_S,
    Role,
)


class Call:
    """One caller, from the first byte to the end of its link."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.scope = trio.CancelScope()
        self.role: Callable[[], Role] = lambda: Role.STRANGER  # By now.
        self.has_misbehaved: Callable[[], bool] = lambda: False

    @property
    def is_stranger(self) -> bool:
        """Whether it has not got what it came for: a seat, or to look on."""
        return self.role() is Role.STRANGER

    def is_in_vain(self) -> bool:
        """Whether nothing came of it, now that it is over, or nothing good.

        A guest that left before the game began, and whoever has looked on, may come again, and at
        once; but not again and again: each time costs us as much as somebody who stays.
        """
        return self.role() is not Role.MEMBER or self.has_misbehaved()


class Callers:
    """All who are at one door."""

    def __init__(self) -> None:
        self._calls: list[Call] = []  # In the order in which they came.
        self._rate = RateLimit(CALLS_PER_S_MAX, CALLS_BURST_MAX)
        self._vain = _Vain()

    def admit(self, host: str) -> Call | None:
        """A place for somebody who calls, to be kept with `stay`; None if there is none for it."""
        if not self._has_place(host):
            return None
        call = Call(host)
        self._calls.append(call)
        return call

    @contextmanager
    def stay(self, call: Call) -> Iterator[None]:
        """Keep the place while the block runs; it ends early if somebody else needs it more."""
        try:
            with call.scope:
                yield
        finally:
            self._calls.remove(call)
            if call.is_in_vain():
                self._vain.note(call.host)

    def _has_place(self, host: str) -> bool:
        calls = [call for call in self._calls if not call.scope.cancel_called]
        counts = Counter(call.host for call in calls)
        is_allowed = self._rate.allows(host, cost=1 + self.burden(host))
        if not is_allowed or counts[host] >= CALLERS_PER_HOST_MAX:
            return False
        strangers = [call for call in calls if call.is_stranger]
        return len(calls) < CALLERS_MAX or self._make_room(strangers, counts, host)

    def burden(self, host: str) -> int:
        """How many calls of a host came to nothing lately."""
        return self._vain.count(host)

    def _make_room(self, strangers: list[Call], counts: Counter[str], host: str) -> bool:
        """Turn away a stranger of the host that deserves its places least, if one does."""

        def burden(each: str, more: int = 0) -> tuple[int, int]:
            return self.burden(each), counts[each] + more

        oldest = max(strangers, key=lambda call: burden(call.host), default=None)
        if oldest is None or burden(oldest.host) <= burden(host, more=1):
            return False
        oldest.scope.cancel()
        return True


class _Vain:
    """Hosts whose calls came to nothing lately, for the latest of them; it fades with time."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def count(self, host: str) -> int:
        """How many of its calls came to nothing."""
        return math.ceil(self._now(host))

    def _now(self, host: str) -> float:
        count, since = self._counts.get(host, (0.0, 0.0))
        faded = (trio.current_time() - since) * VAIN_CALLS_MAX / VAIN_PERIOD_S
        return max(0.0, count - faded)

    def note(self, host: str) -> None:
        """One more of its calls has come to nothing."""
        count = min(self._now(host) + 1, float(VAIN_CALLS_MAX))
        self._counts.pop(host, None)
        self._counts[host] = count, trio.current_time()
        if len(self._counts) > SOURCES_MAX:
            self._counts.popitem(last=False)


class Bucket:
    """How much somebody may bring: so much a second on average, and so much at once."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._tokens, self._since = burst, trio.current_time()

    def take(self, count: float) -> float:
        """Take some; gives the seconds until that would have been allowed, mostly none."""
        now = trio.current_time()
        filled = self._tokens + (now - self._since) * self._per_s
        self._tokens, self._since = min(self._burst, filled) - count, now
        return max(0.0, -self._tokens / self._per_s)


class RateLimit:
    """How often each source is listened to: a bucket of tokens for each, for the latest sources."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def source_count(self) -> int:
        """How many sources are remembered."""
        return len(self._buckets)

    def allows(self, source: str, cost: int = 1) -> bool:
        """Whether the source may be listened to once more now, if that counts for so many."""
        now = trio.current_time()
        tokens, since = self._buckets.pop(source, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._per_s)
        is_allowed = tokens >= cost
        self._buckets[source] = (tokens - cost * is_allowed, now)
        if len(self._buckets) > SOURCES_MAX:
            self._buckets.popitem(last=False)
        return is_allowed
