"""Through which network interfaces this machine can be heard, and where it is on each."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface
from typing import Final

_SIOCGIFFLAGS: Final = 0x8913  # netdevice(7)
_IFF_UP: Final = 0x1
MDNS_GROUP: Final = "224.0.0.251"  # RFC 6762, section 3.
MDNS_PORT: Final = 5353
ONLY_VARIABLE: Final = "HOSTLESS_INTERFACES"  # Names with commas; no other is spoken on.
_BROADCAST_PREFIX_MAX: Final = 30  # A network of two or fewer has nobody to broadcast to.


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of this machine and the network it lies in."""

    name: str
    at: IPv4Interface

    @property
    def address(self) -> str:
        """Our address there."""
        return str(self.at.ip)

    @property
    def broadcast(self) -> str:
        """The address that reaches everybody there."""
        return str(self.at.network.broadcast_address)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine is there."""
        return self.at.is_loopback

    @property
    def can_broadcast(self) -> bool:
        """Whether there is an address that reaches everybody there."""
        return self.at.network.prefixlen <= _BROADCAST_PREFIX_MAX


def interfaces_up(*, is_local: bool = False) -> list[Interface]:
    """The interfaces that are up, loopback last; only loopback if `is_local`."""
    wanted = os.environ.get(ONLY_VARIABLE, "")
    only = {name.strip() for name in wanted.split(",")} if wanted else None
    import ifaddr  # Late: it loads ctypes, and a game against bots never asks.

    found: list[Interface] = []
    for adapter in ifaddr.get_adapters():
        if not _is_up(adapter.name) or (only is not None and adapter.name not in only):
            continue
        found += [
            Interface(adapter.name, IPv4Interface(f"{ip.ip}/{ip.network_prefix}"))
            for ip in adapter.ips
            if isinstance(ip.ip, str)  # IPv6 addresses are tuples; a LAN without IPv4 types one.
        ]
    return sorted(
        (interface for interface in found if interface.is_loopback or not is_local),
        key=lambda interface: (interface.is_loopback, interface.at),
    )


def _is_up(name: str) -> bool:
    """Whether an interface is switched on; where only Linux would tell, it counts as on."""
    if sys.platform != "linux":
        return True
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        request = struct.pack("256s", name.encode()[:15])
        try:
            reply = fcntl.ioctl(asked, _SIOCGIFFLAGS, request)
        except OSError:
            return False  # Gone since it was listed.
    flags: int = struct.unpack_from("H", reply, 16)[0]
    return bool(flags & _IFF_UP)


def address_here() -> str:
    """The address of this machine to tell others; loopback when it is on no network.

    The system is asked from where it would send to the group of multicast DNS.  Nothing is sent.
    """
    ours = [interface.address for interface in interfaces_up()] or ["127.0.0.1"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((MDNS_GROUP, MDNS_PORT))
        except OSError:  # No route: a network without a router.  Then the first interface does.
            return ours[0]
        address: str = asked.getsockname()[0]
    return address if address in ours else ours[0]


def best_address(offered: Iterable[str], interfaces: Iterable[Interface]) -> str | None:
    """The address among `offered` by which another machine is most likely reached from here.

    One in a network of ours is; but not one that is our own as well, since every machine with
    containers has the same bridge address.  When all are our own, the other is this machine.
    """
    here = list(interfaces)
    ours = {interface.at.ip for interface in here}

    def distance(address: IPv4Address) -> tuple[bool, bool, bool]:
        is_near = any(address in interface.at.network for interface in here)
        return (not is_near, address in ours, address.is_loopback)

    return (
        str(best) if (best := min(map(IPv4Address, offered), key=distance, default=None)) else None
    )
