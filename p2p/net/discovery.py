"""Tables that appear by themselves, heard by whichever way works on this network.

    dns-sd    multicast DNS: the proper way, which some access points and profiles swallow
    beacon    UDP broadcast: gets through where multicast does not
    address   somebody types HOST:PORT: always works

The first two run side by side, on every interface that is up, loopback among them, so that two
peers on one machine without any network find each other too.  What is heard is a hint: it is
bounded, checked for shape, and nothing is believed but an address to dial.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeAlias

import trio

from p2p.base.names import clean_name
from p2p.net import beacon, dns_sd
from p2p.net.announcements import Sightings, TableAd, clean_options, parse_address

__all__ = ["Sightings", "TableAd", "Update", "announcing", "browsing", "parse_address"]

Update: TypeAlias = Callable[[TableAd], None]


class _Board:
    """The newest state of our own table, for the ways to announce it."""

    def __init__(self, ad: TableAd) -> None:
        self._changed = trio.Event()
        self.update(ad)

    def update(self, ad: TableAd) -> None:
        self._ad = replace(ad, name=clean_name(ad.name), options=clean_options(ad.options))
        self._changed.set()
        self._changed = trio.Event()

    def current(self) -> TableAd:
        return self._ad

    async def changed(self) -> None:
        await self._changed.wait()


@asynccontextmanager
async def announcing(ad: TableAd, *, is_local: bool = False) -> AsyncIterator[Update]:
    """Announce a table inside the block; call what it gives when the table has changed.

    The table is withdrawn at the end.  If `is_local`, only this machine hears of it.

    Raises:
        NameRefused: the table has a name that nobody would show.
    """
    board = _Board(ad)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: beacon.broadcast(board.current, is_local=is_local))
        nursery.start_soon(lambda: dns_sd.publish(board.current, board.changed, is_local=is_local))
        yield board.update
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def browsing(*, is_local: bool = False) -> AsyncIterator[Sightings]:
    """The tables in sight, kept true inside the block: iterate, or look at `current`.

    If `is_local`, multicast is listened to on this machine alone; beacons always arrive.
    """
    sightings = Sightings()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon.listen, sightings)
        nursery.start_soon(beacon.forget_silent_tables, sightings)
        nursery.start_soon(lambda: dns_sd.browse(sightings, is_local=is_local))
        yield sightings
        nursery.cancel_scope.cancel()
