"""The tables that are to be seen right now: heard by several ways, shown once each.

Strangers write here, so everything is bounded: how many tables are kept, and how often one source
is listened to.  The first address of a table stays as long as it is heard, so that a second voice
cannot divert those who want to join.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Final

import trio

from p2p.base.limits import SOURCES_MAX, TABLES_SEEN_MAX
from p2p.net.table_ad import Key, TableAd, Way

_WAYS: Final[tuple[Way, ...]] = ("dns-sd", "beacon", "address")  # The order of showing.


@dataclass(frozen=True, slots=True)
class _Heard:
    """One table by one way."""

    ad: TableAd
    until: float  # In trio's time.


class Sightings:
    """The tables in sight, as an asynchronous iterator over the whole picture at each change."""

    def __init__(self) -> None:
        self._heard: dict[tuple[Key, Way], _Heard] = {}
        self._changed = trio.Event()
        self._shown: tuple[TableAd, ...] | None = None
        self.ignored_count = 0  # Announcements that were garbage, too many or too often.
        self.troubles: dict[Way, str] = {}  # Why a way of hearing does not work here.

    @property
    def current(self) -> tuple[TableAd, ...]:
        """Every table once, in an order that stays."""
        tables: dict[Key, TableAd] = {}
        for way in reversed(_WAYS):
            for (key, heard_by), heard in self._heard.items():
                if heard_by == way:
                    tables[key] = self._merge(tables.get(key), heard.ad)
        return tuple(sorted(tables.values(), key=lambda ad: (ad.name, ad.key)))

    @staticmethod
    def _merge(beacon: TableAd | None, ad: TableAd) -> TableAd:
        """DNS-SD knows more names; but the sender of a beacon was certainly at its address."""
        if beacon is None:
            return ad
        more = tuple(host for host in (ad.host, *ad.more_hosts) if host != beacon.host)
        return replace(ad, host=beacon.host, port=beacon.port, more_hosts=more)

    def hear(self, ad: TableAd, expiry_s: float = math.inf) -> None:
        """Take in an announcement; without another one it is forgotten after `expiry_s`."""
        place = (ad.key, ad.heard_by)
        known = self._heard.get(place)
        if known is None and not self._has_place(ad):
            self.ignore()
            return
        if known is not None and known.ad.host != ad.host:
            return  # Another interface of the same machine, or somebody who is not that machine.
        self._heard[place] = _Heard(ad, trio.current_time() + expiry_s)
        if known is None or known.ad != ad:
            self._changed.set()

    def _has_place(self, ad: TableAd) -> bool:
        """Whether there is a place left, or the host that announces most can do with one less."""
        places = [place for place in self._heard if place[1] == ad.heard_by]
        if len(places) < TABLES_SEEN_MAX:
            return True
        counts = Counter(self._heard[place].ad.host for place in places)
        greediest, most = counts.most_common(1)[0]
        if most <= counts[ad.host] + 1:
            return False
        del self._heard[next(place for place in reversed(places)  # Who was first there stays.
                             if self._heard[place].ad.host == greediest)]  # fmt: skip
        return True

    def lose(self, key: Key, way: Way, host: str) -> None:
        """The one who announced a table from `host` says that it is gone."""
        known = self._heard.get((key, way))
        if known is not None and known.ad.host == host:
            del self._heard[key, way]
            self._changed.set()

    def forget_silent(self) -> None:
        """Drop what has not been heard for too long."""
        now = trio.current_time()
        for place in [place for place, heard in self._heard.items() if heard.until < now]:
            del self._heard[place]
            self._changed.set()

    def ignore(self) -> None:
        """Count an announcement that is not worth looking at."""
        self.ignored_count += 1

    def __aiter__(self) -> AsyncIterator[tuple[TableAd, ...]]:
        return self

    async def __anext__(self) -> tuple[TableAd, ...]:
        await trio.lowlevel.checkpoint()
        while (current := self.current) == self._shown:
            await self._changed.wait()
            self._changed = trio.Event()
        self._shown = current
        return current


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
