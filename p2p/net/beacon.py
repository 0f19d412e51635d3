"""The second way to be heard: one small UDP datagram per second and interface.

    ["hostless", version, table id, name, game, seats, taken, opener, port, options,
     opener's name]
    ["hostless gone", table id, opener]
    ["hostless seat", version, salt, tag, port]         see `p2p.net.presence`
    ["hostless seat gone", version, farewell]
    ["hostless person", version, identity, name, table id, opener]      see `p2p.net.people`
    ["hostless person gone", version, identity, name, table id, opener]

By IPv4 it is a broadcast, by IPv6 it goes to all nodes of the link.  Access points that swallow
multicast DNS, "public" network profiles and container bridges often let those through.  The
address of who says it is the one that the datagram came from.
"""

from __future__ import annotations

import logging
import socket
import struct
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeAlias

import trio

from p2p.base.errors import MalformedFrame
from p2p.base.identity import IDENTITY_BYTES
from p2p.base.limits import (
    BEACON_BYTES_MAX,
    BEACON_EXPIRY_S,
    BEACON_INTERVAL_S,
    BEACON_PORT,
    BEACONS_BURST_MAX,
    BEACONS_PER_S_MAX,
    HEARD_AT_ONCE_MAX,
    NETWORK_POLL_S,
)
from p2p.base.steps import sleep_in_step
from p2p.base.wire import decode, encode
from p2p.net.admission import RateLimit
from p2p.net.announcements import Sightings, TableAd, parse_ad
from p2p.net.interfaces import Interface, host_of, interfaces_up
from p2p.net.people import HearNeighbor, Neighbor, parse_person
from p2p.net.presence import Farewelled, Noticed, Presence, parse_farewell, parse_presence

_HERE: Final = "hostless"
_GONE: Final = "hostless gone"
_SEAT: Final = "hostless seat"
_SEAT_GONE: Final = "hostless seat gone"
_PERSON: Final = "hostless person"
_PERSON_GONE: Final = "hostless person gone"
_ALL_NODES: Final = "ff02::1"  # RFC 4291, section 2.7.1: every machine of a network is in it.
_log: Final = logging.getLogger("hostless.lan")

_Target: TypeAlias = tuple[str, int] | tuple[str, int, int, int]  # Of IPv4, and of IPv6.
Hear: TypeAlias = Callable[[bytes, str], object]  # A datagram, and the host that it came from.


async def broadcast(current: Callable[[], TableAd], *, is_local: bool) -> None:
    """Announce the current state of a table until cancelled, and then that it is gone."""
    try:
        while True:
            _shout(encode([_HERE, *current().plain()]), is_local=is_local)
            await sleep_in_step(BEACON_INTERVAL_S)
    finally:
        ad = current()
        _shout(encode([_GONE, ad.table_id, ad.opener]), is_local=is_local)


async def broadcast_seat(presence: Presence, *, is_local: bool) -> None:
    """Say until cancelled where my seat of a running game is to be found, and then farewell."""
    try:
        while True:
            shout_seat(presence, is_local=is_local)
            await sleep_in_step(BEACON_INTERVAL_S)
    finally:
        _shout(encode([_SEAT_GONE, *presence.plain_farewell()]), is_local=is_local)


def shout_seat(presence: Presence, *, is_local: bool = False) -> None:
    """Say once where it is to be found, because that is somewhere else now."""
    _shout(encode([_SEAT, *presence.plain()]), is_local=is_local)


def shout_person(person: Neighbor, *, is_gone: bool = False) -> None:
    """Say once where somebody is, or is no more."""
    _shout(encode([_PERSON_GONE if is_gone else _PERSON, *person.plain()]), is_local=False)


def _shout(datagram: bytes, *, is_local: bool) -> None:
    """Send through every interface that is up now: networks come and go.

    A datagram is sent or dropped and never waits.  A socket of trio would be a waking for each.
    """
    assert len(datagram) <= BEACON_BYTES_MAX, "every field of an announcement is short"
    reached: set[str] = set()
    for interface in interfaces_up(is_local=is_local):
        if interface.is_ipv6 and interface.name not in reached:
            reached.add(interface.name)
            _send(datagram, interface, (_ALL_NODES, BEACON_PORT, 0, interface.index))
        elif interface.can_broadcast:
            _send(datagram, interface, (interface.broadcast, BEACON_PORT))


def _send(datagram: bytes, interface: Interface, target: _Target) -> None:
    family = socket.AF_INET6 if interface.is_ipv6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as voice:
            voice.setblocking(False)
            if interface.is_ipv6:
                voice.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
            else:
                voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                voice.bind((interface.address, 0))
            voice.sendto(datagram, target)
    except OSError as error:  # A network that just went away, or forbids it, or has no room.
        _log.debug("no beacon through %s: %s", interface.name, error)


async def listen(sightings: Sightings) -> None:
    """Take in tables until cancelled; what is none is counted and otherwise ignored."""

    def receive(datagram: bytes, host: str) -> None:
        take_in(sightings, datagram, host)

    def complain(trouble: str) -> None:
        sightings.troubles["beacon"] = trouble

    await _listen(receive, sightings.ignore, complain)


async def listen_for_seats(notice: Noticed, lose: Farewelled | None = None) -> None:
    """Tell of every seat that is announced, where it is, and which one leaves, until cancelled."""

    def receive(datagram: bytes, host: str) -> None:
        said = take_in_seat(datagram)
        if isinstance(said, Presence):
            notice(said, host)
        elif said is not None and lose is not None:
            lose(said)

    def complain(trouble: str) -> None:
        _log.info("no seat is heard by beacons: %s", trouble)

    await _listen(receive, int, complain)


async def listen_for_people(hear: HearNeighbor) -> None:
    """Tell of every person who is announced, until cancelled."""

    def receive(datagram: bytes, host: str) -> None:
        said = take_in_person(datagram)
        if said is not None:
            hear(said[0], host, said[1])

    def complain(trouble: str) -> None:
        _log.info("nobody is heard by beacons: %s", trouble)

    await _listen(receive, int, complain)


async def _listen(
    receive: Hear, ignore: Callable[[], object], complain: Callable[[str], object]
) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_ear(socket.AF_INET6).share, _hear_ipv6, receive, ignore)
        trouble = await _ear(socket.AF_INET).share(_hear_ipv4, receive, ignore)
        if trouble:
            complain(trouble)


class _Ear:
    """One for all who listen in this program; each for itself would be woken by each datagram."""

    def __init__(self) -> None:
        self._has_it = trio.Lock()  # Whoever listens for all; the next one, when it is cancelled.
        self._listeners = dict[object, tuple[Hear, Callable[[], object]]]()

    async def share(
        self,
        hear: Callable[[Hear, Callable[[], object]], Awaitable[str]],
        receive: Hear,
        ignore: Callable[[], object],
    ) -> str:
        """Be told of datagrams until cancelled; or why that cannot be."""
        me = object()
        self._listeners[me] = receive, ignore
        try:
            async with self._has_it:
                return await hear(self._receive, self._ignore)
        finally:
            del self._listeners[me]

    def _receive(self, datagram: bytes, host: str) -> None:
        for receive, _ in list(self._listeners.values()):
            receive(datagram, host)

    def _ignore(self) -> None:
        for _, ignore in list(self._listeners.values()):
            ignore()


_ears: Final = trio.lowlevel.RunVar[dict[socket.AddressFamily, _Ear]]("ears for beacons")


def _ear(family: socket.AddressFamily) -> _Ear:
    try:
        ears = _ears.get()
    except LookupError:
        _ears.set(ears := {})
    return ears.setdefault(family, _Ear())


async def _hear_ipv4(receive: Hear, ignore: Callable[[], object]) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        try:
            _share_port(ear, "")
        except OSError as error:
            return f"UDP port {BEACON_PORT}: {error.strerror}"
        await _receive_all(ear, receive, ignore)
    return ""


async def _hear_ipv6(receive: Hear, ignore: Callable[[], object]) -> str:
    try:
        ear = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    except OSError as error:  # No such thing on this machine.
        _log.debug("no IPv6 here: %s", error)
        return str(error)
    with ear:
        try:
            ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            _share_port(ear, "::")
        except OSError as error:
            _log.info("no beacons by IPv6: %s", error)
            return str(error)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_join_often, ear)
            await _receive_all(ear, receive, ignore)
    return ""


async def _join_often(ear: socket.socket) -> None:
    """Be one of all nodes on every network that comes up; some systems want to be told."""
    joined: set[int] = set()
    while True:
        indexes = {each.index for each in interfaces_up() if each.is_ipv6}
        for index in indexes - joined:
            group = socket.inet_pton(socket.AF_INET6, _ALL_NODES) + struct.pack("@I", index)
            try:
                ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
            except OSError as error:  # Linux, for one, is in it already.
                _log.debug("not joined on interface %d: %s", index, error)
        joined = indexes
        await sleep_in_step(NETWORK_POLL_S)


async def _receive_all(ear: socket.socket, receive: Hear, ignore: Callable[[], object]) -> None:
    """Take in what has come, all in one waking: a machine shouts on all its networks at once."""
    rate = RateLimit(BEACONS_PER_S_MAX, BEACONS_BURST_MAX)
    while True:
        await trio.lowlevel.wait_readable(ear)
        for datagram, host in _waiting(ear):
            if rate.allows(host):
                receive(datagram, host)
            else:
                ignore()


def _waiting(ear: socket.socket) -> Iterator[tuple[bytes, str]]:
    """The datagrams that have come, and the host of each."""
    for _ in range(HEARD_AT_ONCE_MAX):
        try:
            # A datagram that is longer arrives cut, and is then no frame.
            datagram, source = ear.recvfrom(BEACON_BYTES_MAX)
        except BlockingIOError:
            return
        except ConnectionResetError:  # Windows: an answer to a beacon.
            continue
        yield datagram, host_of(source)


async def forget_silent_tables(sightings: Sightings) -> None:
    """Keep dropping the tables whose beacons have stopped."""
    while True:
        await sleep_in_step(BEACON_INTERVAL_S)
        sightings.forget_silent()


def take_in(sightings: Sightings, datagram: bytes, host: str) -> None:
    """Read one datagram from `host`."""
    try:
        match decode(datagram):
            case ["hostless", *fields]:
                sightings.receive(parse_ad(fields, host, "beacon"), BEACON_EXPIRY_S)
            case ["hostless gone", str(table_id), bytes(opener)] if len(opener) == IDENTITY_BYTES:
                sightings.lose((table_id, opener), "beacon", host)
            case [str(said), *_] if said in (_SEAT, _SEAT_GONE, _PERSON, _PERSON_GONE):
                pass  # For those who play there, and for those who look who is here.
            case _:
                sightings.ignore()
    except MalformedFrame:
        sightings.ignore()


def take_in_seat(datagram: bytes) -> Presence | bytes | None:
    """The seat that a datagram announces, or the salt of one that leaves, if it is such a one."""
    try:
        match decode(datagram):
            case ["hostless seat", *fields]:
                return parse_presence(fields)
            case ["hostless seat gone", *fields]:
                return parse_farewell(fields)
    except MalformedFrame:
        _log.debug("a beacon that is none")
    return None


def take_in_person(datagram: bytes) -> tuple[Neighbor, bool] | None:
    """The person whom a datagram announces, if it does, and whether they are there."""
    try:
        match decode(datagram):
            case ["hostless person" | "hostless person gone" as said, *fields]:
                return parse_person(fields), said == _PERSON
    except MalformedFrame:
        _log.debug("a beacon that is none")
    return None


def _share_port(ear: socket.socket, host: str) -> None:
    """Listen at the port beside the other peers of this machine."""
    ear.setblocking(False)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "darwin":  # There every sharer has to ask for this instead.
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    ear.bind((host, BEACON_PORT))
