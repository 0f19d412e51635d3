"""Through which network interfaces this machine can be heard, and where it is on each.

Both families count.  An IPv6 address that holds on one network alone (`fe80::1`) says nothing
without the interface behind which that network is, so it is written `fe80::1%eth0` everywhere.

`why_nobody` says why nobody answers at an address, as far as the system tells.
"""

from __future__ import annotations

import errno
import math
import os
import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_address
from pathlib import Path
from typing import Final, TypeAlias

from core.errors import HostlessError
from p2p.base.limits import NETWORK_POLL_S
from p2p.net.changes import Changes

# What asks for the flags of an interface, SIOCGIFFLAGS: netdevice(7) and <sys/sockio.h> of macOS.
LOOPBACK: Final = "127.0.0.1"
_FLAGS_WANTED: Final = {"linux": 0x8913, "darwin": 0xC0206911}
_IFF_UP: Final = 0x1
_IPV6_ADDRESSES: Final = Path("/proc/net/if_inet6")  # Of Linux: address, index, .., flags, name.
_IPV6_UNUSABLE: Final = 0x40 | 0x08  # IFA_F_TENTATIVE, IFA_F_DADFAILED of linux/if_addr.h.
MDNS_GROUP: Final = "224.0.0.251"  # RFC 6762, section 3.
MDNS_PORT: Final = 5353
ONLY_VARIABLE: Final = "HOSTLESS_INTERFACES"  # Names with commas; no other is spoken on.
LISTED_S: Final = NETWORK_POLL_S / 2  # For so long the list of interfaces is taken as it is,
TOLD_S: Final = 4.0  # and where the system tells of changes for so long, if it should forget one.
_BROADCAST_PREFIX_MAX: Final = 30  # A network of two or fewer has nobody to broadcast to.
_OF_CONTAINERS: Final = re.compile(
    r"docker|br-|veth|virbr|vnet|lxc|lxd|cni|podman|vmnet|vboxnet|vethernet|hyper-v|wsl",
    re.IGNORECASE,
)
_SCOPED: Final = re.compile(r"[0-9A-Fa-f:.]{2,45}%[A-Za-z0-9_.-]{1,15}")

InterfaceAddress: TypeAlias = IPv4Interface | IPv6Interface


@dataclass(frozen=True, slots=True)
class Interface:
    """One address of this machine and the network it lies in."""

    name: str
    at: InterfaceAddress
    index: int = 0  # By which the system knows the interface.

    @property
    def address(self) -> str:
        """Our address there, with the interface's name where it means nothing without."""
        is_scoped = self.is_ipv6 and self.at.ip.is_link_local
        return f"{self.at.ip}%{self.name}" if is_scoped else str(self.at.ip)

    @property
    def broadcast(self) -> str:
        """The address that reaches everybody there; of IPv4 alone."""
        return str(self.at.network.broadcast_address)

    @property
    def is_ipv6(self) -> bool:
        """Whether this is an address of IPv6."""
        return self.at.version == 6

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine is there."""
        return self.at.is_loopback

    @property
    def is_of_containers(self) -> bool:
        """Whether, by its name, only containers and virtual machines of this one are there."""
        return _OF_CONTAINERS.match(self.name) is not None

    @property
    def can_broadcast(self) -> bool:
        """Whether there is an address that reaches everybody there."""
        return not self.is_ipv6 and self.at.network.prefixlen <= _BROADCAST_PREFIX_MAX

    def has(self, host: str) -> bool:
        """Whether an address lies in the network of this one."""
        try:
            address = ip_address(host)
        except ValueError:
            return False
        scope = getattr(address, "scope_id", None)
        if address.version != self.at.version or (scope and scope != self.name):
            return False
        return address in self.at.network


def interfaces_up(*, is_local: bool = False) -> list[Interface]:
    """The addresses that are in use now: those of a LAN, of containers, loopback last.

    Only loopback if `is_local`.  IPv4 comes first, since people can type that.
    """
    return list(_listing.current(os.environ.get(ONLY_VARIABLE, ""), is_local=is_local))


class Listing:
    """What was listed last; it is listed anew when a network has changed.

    Whoever listens, announces or dials asks, several times a second and from several threads.
    """

    def __init__(self, changes: Changes | None = None) -> None:
        self._lock = threading.Lock()
        self._changes = changes
        self._wanted = ""
        self._until = -math.inf
        self._found: tuple[Interface, ...] = ()
        self._local: tuple[Interface, ...] = ()

    def current(self, wanted: str, *, is_local: bool = False) -> tuple[Interface, ...]:
        """The interfaces that are up now, or those of them that are wanted: names with commas."""
        with self._lock:
            self._changes = self._changes or Changes()
            has_changed = self._changes.have_come()
            now = time.monotonic()
            if has_changed or wanted != self._wanted or now >= self._until:
                self._found, self._wanted = _listed(wanted), wanted
                self._local = tuple(each for each in self._found if each.is_loopback)
                self._until = now + (TOLD_S if self._changes.are_told else LISTED_S)
            return self._local if is_local else self._found


_listing: Final = Listing()


def _listed(wanted: str) -> tuple[Interface, ...]:
    only = {name.strip() for name in wanted.split(",")} if wanted else None
    import ifaddr  # Late: it loads ctypes, and a game against bots never asks.

    found: list[Interface] = []
    unusable = _unusable_ipv6()
    for adapter in ifaddr.get_adapters():
        if not _is_up(adapter.name) or (only is not None and adapter.name not in only):
            continue
        for ip in adapter.ips:
            host = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            at = _place(f"{host.partition('%')[0]}/{ip.network_prefix}")
            if at.version == 6 and (at.is_loopback or (str(at.ip), adapter.name) in unusable):
                continue  # Of loopback one address is enough.
            found.append(Interface(adapter.name, at, adapter.index or 0))
    return tuple(sorted(found, key=_rank))


def _rank(interface: Interface) -> tuple[bool, bool, bool, bool, InterfaceAddress]:
    link_local = interface.at.ip.is_link_local
    order = (interface.is_loopback, interface.is_of_containers, link_local, interface.is_ipv6)
    return (*order, interface.at)


def _place(text: str) -> InterfaceAddress:
    return IPv6Interface(text) if ":" in text else IPv4Interface(text)


def _unusable_ipv6() -> set[tuple[str, str]]:
    """(address, interface) of what the system has not found to be nobody else's yet."""
    try:
        lines = _IPV6_ADDRESSES.read_text(encoding="ascii").splitlines()
    except OSError:  # No IPv6, or another system: then what is listed can be used.
        return set()
    fields = [line.split() for line in lines]
    return {
        (str(ip_address(bytes.fromhex(address))), name)
        for address, _, _, _, flags, name in fields
        if int(flags, 16) & _IPV6_UNUSABLE
    }


def _is_up(name: str) -> bool:
    """Whether an interface is switched on; where the system does not tell, it counts as on."""
    wanted, is_on = _FLAGS_WANTED.get(sys.platform), True
    if sys.platform != "win32" and wanted is not None:
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            request = struct.pack("256s", name.encode()[:15])
            try:
                reply = fcntl.ioctl(asked, wanted, request)
            except OSError:
                return False  # Gone since it was listed.
        flags: int = struct.unpack_from("H", reply, 16)[0]
        is_on = bool(flags & _IFF_UP)
    return is_on


def address_here(heard: Iterable[str] = ()) -> str:
    """The address of this machine to tell people; loopback when it is on no network.

    That of the network on which most of the hosts in `heard` are, by the first address of its
    interface, which people can type: another machine may call that interface something else.  Where
    nobody was heard, the system is asked from where it would send to the group of multicast DNS.
    Nothing is sent.
    """
    here = [each for each in interfaces_up() if not each.is_loopback]
    if not here:
        return "127.0.0.1"
    hosts = list(heard)
    counts = [sum(map(each.has, hosts)) for each in here]
    if any(counts):
        there = here[counts.index(max(counts))]
        return next(each for each in here if each.name == there.name).address
    first = here[0]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((MDNS_GROUP, MDNS_PORT))
        except OSError:  # No route: a network without a router.  Then the first interface does.
            return first.address
        address: str = asked.getsockname()[0]
    routed = [each for each in here if each.address == address and not each.is_of_containers]
    return routed[0].address if routed else first.address


def order_by_reach(offered: Iterable[str], interfaces: Iterable[Interface]) -> list[str]:
    """The addresses among `offered`, by which another machine is most likely reached first.

    One in a network of ours is; but not one that is our own as well, since every machine with
    containers has the same bridge address.  When all are our own, the other is this machine.
    """
    here = list(interfaces)
    ours = {interface.at.ip for interface in here}

    def distance(host: str) -> tuple[bool, bool, bool, bool, bool]:
        address = ip_address(host)
        is_near = any(interface.has(host) for interface in here)
        is_our_own = ip_address(host.partition("%")[0]) in ours
        kind = (address.version == 6, address.is_link_local)
        return (not is_near, is_our_own, address.is_loopback, *kind)

    return sorted(dict.fromkeys(offered), key=distance)


def host_of(socket_address: tuple[object, ...]) -> str:
    """The host of what a socket says: of IPv6 with the name of the interface where it needs one.

    >>> host_of(("192.0.2.7", 4000))
    '192.0.2.7'
    """
    host = str(socket_address[0]).partition("%")[0]
    scope = socket_address[3] if len(socket_address) > 3 else 0
    if not (isinstance(scope, int) and scope and ip_address(host).is_link_local):
        return host
    try:
        return f"{host}%{socket.if_indextoname(scope)}"
    except OSError:  # The interface has just gone away.
        return f"{host}%{scope}"


def is_address(host: str) -> bool:
    """Whether it is an address where a machine can be, and no name that has to be looked up."""
    if "%" in host and _SCOPED.fullmatch(host) is None:
        return False
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return not (address.is_multicast or address.is_unspecified)


def is_here(host: str) -> bool:
    """Whether an address is that of this machine for itself."""
    return host.startswith("127.") or host == "::1"


def is_ours(host: str) -> bool:
    """Whether this machine has this address now; the system is asked, nothing is sent."""
    try:
        ((family, kind, _, _, place), *_) = socket.getaddrinfo(
            host, 0, type=socket.SOCK_DGRAM, flags=socket.AI_NUMERICHOST
        )
        with socket.socket(family, kind) as asked:
            asked.bind(place)
    except OSError:
        return False
    return True


def shown_address(host: str, port: int) -> str:
    """HOST:PORT, or [HOST]:PORT of IPv6, as people type it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


GET_NETWORK = "plug in a cable or join a wireless network"


class NobodyThere(HostlessError):
    """Nobody answers at this address."""


def why_nobody(host: str, port: int, error: BaseException) -> NobodyThere:
    """What to say when a call to `host` failed like this."""
    reasons = [error, *_causes(error)]
    nobody = f"nobody answers at {shown_address(host, port)}"
    if any(isinstance(each, socket.gaierror | UnicodeError) for each in reasons):
        what = f"{nobody}: no machine of that name is known here"
        return NobodyThere(what, "check the name, or write the address of the machine")
    if any(isinstance(each, ConnectionRefusedError) for each in reasons):
        what = f"{nobody}: the machine is there, but nothing listens at that port"
        return NobodyThere(what, "check the port, and that the table is open")
    if is_alone() or any(getattr(each, "errno", None) == errno.ENETUNREACH for each in reasons):
        what = f"{nobody}: this machine is on no network that leads there"
        return NobodyThere(what, GET_NETWORK)
    hint = "check the address, that both are on one network, and firewalls (hostless doctor)"
    return NobodyThere(nobody, hint)


def is_alone() -> bool:
    """Whether this machine is on no network."""
    return all(interface.is_loopback for interface in interfaces_up())


def _causes(error: BaseException) -> list[BaseException]:
    """What several attempts failed by, one after the other."""
    cause = error.__cause__
    if isinstance(cause, BaseExceptionGroup):
        return list(cause.exceptions)
    return [] if cause is None else [cause]
