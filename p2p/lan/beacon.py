"""The second way to be heard: one small UDP broadcast per second and interface.

    ["hostless", version, table id, name, game, seats, taken, opener, port, options]
    ["hostless gone", table id, opener]

Access points that swallow multicast, "public" network profiles and container bridges often let a
plain broadcast through.  The address of a table is the one that the datagram came from.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
from collections.abc import Callable
from typing import Final

import trio

from p2p.errors import MalformedFrame
from p2p.identity import IDENTITY_BYTES
from p2p.lan.interfaces import interfaces_up
from p2p.lan.sightings import RateLimit, Sightings
from p2p.lan.table_ad import TableAd, parse_ad
from p2p.limits import (
    BEACON_BYTES_MAX,
    BEACON_EXPIRY_S,
    BEACON_INTERVAL_S,
    BEACON_PORT,
    BEACONS_BURST_MAX,
    BEACONS_PER_S_MAX,
)
from p2p.wire import decode, encode

_HERE: Final = "hostless"
_GONE: Final = "hostless gone"
_ANY_ADDRESS: Final = ""
_log: Final = logging.getLogger("hostless.beacon")


async def broadcast(current: Callable[[], TableAd], *, is_local: bool) -> None:
    """Announce the current state of a table until cancelled, and then that it is gone."""
    try:
        while True:
            await _shout(encode([_HERE, *current().plain()]), is_local=is_local)
            await trio.sleep(BEACON_INTERVAL_S)
    finally:
        ad = current()
        with trio.CancelScope(shield=True):  # Datagrams are sent or dropped, they never wait.
            await _shout(encode([_GONE, ad.table_id, ad.opener]), is_local=is_local)


async def _shout(datagram: bytes, *, is_local: bool) -> None:
    """Send through every interface that is up now: networks come and go."""
    assert len(datagram) <= BEACON_BYTES_MAX, "every field of an announcement is short"
    for interface in interfaces_up(is_local=is_local):
        if not interface.can_broadcast:
            continue
        with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
            try:
                voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                await voice.bind((interface.address, 0))
                await voice.sendto(datagram, (interface.broadcast, BEACON_PORT))
            except OSError as error:  # A network that just went away, or forbids broadcasts.
                _log.info("no beacon through %s: %s", interface.name, error)


async def listen(sightings: Sightings) -> None:
    """Take in beacons until cancelled; what is not one is counted and otherwise ignored."""
    rate = RateLimit(BEACONS_PER_S_MAX, BEACONS_BURST_MAX)
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        try:
            await _share_port(ear)
        except OSError as error:
            sightings.troubles["beacon"] = f"UDP port {BEACON_PORT}: {error.strerror}"
            return
        while True:
            with contextlib.suppress(ConnectionResetError):  # Windows: an answer to a beacon.
                # A datagram that is longer arrives cut, and is then no frame.
                datagram, (host, *_) = await ear.recvfrom(BEACON_BYTES_MAX)
                if rate.allows(host):
                    take_in(sightings, datagram, host)
                else:
                    sightings.ignore()


async def forget_silent_tables(sightings: Sightings) -> None:
    """Keep dropping the tables whose beacons have stopped."""
    while True:
        await trio.sleep(BEACON_INTERVAL_S)
        sightings.forget_silent()


def take_in(sightings: Sightings, datagram: bytes, host: str) -> None:
    """Read one datagram from `host`."""
    try:
        match decode(datagram):
            case ["hostless", *fields]:
                sightings.hear(parse_ad(fields, host, "beacon"), BEACON_EXPIRY_S)
            case ["hostless gone", str(table_id), bytes(opener)] if len(opener) == IDENTITY_BYTES:
                sightings.lose((table_id, opener), "beacon", host)
            case _:
                sightings.ignore()
    except MalformedFrame:
        sightings.ignore()


async def _share_port(ear: trio.socket.SocketType) -> None:
    """Listen at the port beside the other peers of this machine."""
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "darwin":  # There every sharer has to ask for this instead.
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    await ear.bind((_ANY_ADDRESS, BEACON_PORT))
