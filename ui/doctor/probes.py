"""Datagrams that are sent to everybody on a network and have to come back to this machine.

A probe of multicast is a question of multicast DNS (RFC 6762) that whoever offers something on this
network answers: so it is also seen whether anybody else can be heard.  A probe of the beacon is a
datagram of ours that no program takes for a table.
"""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

import trio

from p2p.base.limits import BEACON_PORT
from p2p.base.wire import encode
from p2p.net.interfaces import MDNS_GROUP, MDNS_PORT, Interface, host_of

ROUNDS: Final = 4  # One datagram may be lost.
ROUND_S: Final = 0.5
DATAGRAM_BYTES_MAX: Final = 9000  # RFC 6762, section 17.
PROBE: Final = "hostless probe"
MDNS_GROUP_IPV6: Final = "ff02::fb"  # RFC 6762, section 3.
ALL_NODES: Final = "ff02::1"  # RFC 4291, section 2.7.1.
_QUESTIONS: Final = ("_services._dns-sd._udp.local", "_hostless._tcp.local")
_PTR, _IN = 12, 1  # RFC 1035, section 3.2.


@dataclass(slots=True)
class Heard:
    """What came of probing one interface."""

    trouble: str = ""  # Why nothing could be sent, in the words of the system.
    is_back: bool = False  # Whether our own datagram was heard again.
    others: set[str] = field(default_factory=set)  # Other machines that were heard.


@dataclass(frozen=True, slots=True)
class ProbeWay:
    """One way to reach everybody: a port, a datagram of ours, and the groups that hear it."""

    port: int
    datagram: bytes
    group: str  # Of IPv4; empty for the broadcast of each network.
    group_ipv6: str

    def target(self, interface: Interface) -> tuple[object, ...]:
        """The address that reaches everybody there."""
        if interface.is_ipv6:
            return self.group_ipv6, self.port, 0, interface.index
        return self.group or interface.broadcast, self.port

    def reaches(self, interfaces: Iterable[Interface]) -> list[Interface]:
        """Those to probe: one address of IPv6 an interface is enough."""
        seen: set[str] = set()
        chosen: list[Interface] = []
        for each in interfaces:
            if each.is_ipv6 and each.name not in seen:
                seen.add(each.name)
                chosen.append(each)
            elif not each.is_ipv6 and (self.group or each.can_broadcast):
                chosen.append(each)
        return chosen


def multicast(nonce: bytes) -> ProbeWay:
    """The way of DNS-SD; the nonce tells our question from that of another program here."""
    head = struct.pack("!2s5H", nonce[:2], 0, len(_QUESTIONS), 0, 0, 0)
    question = head + b"".join(map(_question, _QUESTIONS))
    return ProbeWay(MDNS_PORT, question, MDNS_GROUP, MDNS_GROUP_IPV6)


def beacon(nonce: bytes) -> ProbeWay:
    """The way of the beacon."""
    return ProbeWay(BEACON_PORT, encode([PROBE, nonce]), "", ALL_NODES)


def _question(name: str) -> bytes:
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return labels + b"\0" + struct.pack("!2H", _PTR, _IN)


async def probe(way: ProbeWay, interfaces: list[Interface]) -> dict[str, Heard]:
    """What is heard on each interface within a few seconds, by its address.

    Raises:
        OSError: the port cannot be listened at.
    """
    found = {interface.address: Heard() for interface in interfaces}
    with ExitStack() as opened:
        ears = [
            opened.enter_context(_open_ear(way, family, found))
            for is_ipv6 in (False, True)
            if (family := [each for each in interfaces if each.is_ipv6 == is_ipv6])
        ]
        with trio.move_on_after(ROUNDS * ROUND_S):
            async with trio.open_nursery() as nursery:
                for ear in ears:
                    nursery.start_soon(_receive, ear, way, interfaces, found)
                nursery.start_soon(_speak_often, way, interfaces, found)
    return found


def _open_ear(
    way: ProbeWay, interfaces: list[Interface], found: dict[str, Heard]
) -> trio.socket.SocketType:
    """A socket for the interfaces of one family."""
    is_ipv6 = interfaces[0].is_ipv6
    ear = socket.socket(socket.AF_INET6 if is_ipv6 else socket.AF_INET, socket.SOCK_DGRAM)
    try:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Whoever shares a port has to ask for it in the same words as the others do.
        if sys.platform != "win32" and (way.port == MDNS_PORT or sys.platform == "darwin"):
            ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if is_ipv6:
            ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        ear.bind(("::" if is_ipv6 else "", way.port))
        for interface in interfaces if is_ipv6 or way.group else ():
            try:
                _join(ear, way, interface)
            except OSError as error:
                found[interface.address].trouble = error.strerror or str(error)
        return trio.socket.from_stdlib_socket(ear)
    except BaseException:
        ear.close()
        raise


def _join(ear: socket.socket, way: ProbeWay, interface: Interface) -> None:
    if interface.is_ipv6:
        there = socket.inet_pton(socket.AF_INET6, way.group_ipv6)
        group = there + struct.pack("@I", interface.index)
        ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group)
    else:
        group = socket.inet_aton(way.group) + interface.at.ip.packed
        ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)


async def _receive(
    ear: trio.socket.SocketType,
    way: ProbeWay,
    interfaces: list[Interface],
    found: dict[str, Heard],
) -> None:
    ours = {interface.address for interface in interfaces}
    while True:
        try:
            datagram, source = await ear.recvfrom(DATAGRAM_BYTES_MAX)
        except ConnectionResetError:  # Windows: an answer to a datagram of ours.
            continue
        host = host_of(source)
        for interface in interfaces:
            heard = found[interface.address]
            if datagram == way.datagram:
                heard.is_back |= _is_from(source, interface)
            elif interface.has(host) and host not in ours:
                heard.others.add(host)


def _is_from(source: tuple[object, ...], interface: Interface) -> bool:
    """Whether a datagram of ours was sent there: IPv6 chooses the address of the sender itself."""
    if len(source) > 2:
        return interface.is_ipv6 and source[3] in (0, interface.index)
    return source[0] == interface.address


async def _speak_often(way: ProbeWay, interfaces: list[Interface], found: dict[str, Heard]) -> None:
    while True:
        for interface in interfaces:
            await _speak(way, interface, found[interface.address])
        await trio.sleep(ROUND_S)


async def _speak(way: ProbeWay, interface: Interface, heard: Heard) -> None:
    family = socket.AF_INET6 if interface.is_ipv6 else socket.AF_INET
    with trio.socket.socket(family, socket.SOCK_DGRAM) as voice:
        try:
            if interface.is_ipv6:
                voice.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
            else:
                there = interface.at.ip.packed
                voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
                voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, there)
                voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
                await voice.bind((interface.address, 0))
            await voice.sendto(way.datagram, way.target(interface))
        except OSError as error:
            heard.trouble = error.strerror or str(error)
