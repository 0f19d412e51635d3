"""Where this machine is, and where another one is most likely reached."""

import socket
import struct
import sys
from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv6Interface
from types import SimpleNamespace

import pytest

from p2p.base.limits import NETWORK_POLL_S
from p2p.net import changes, interfaces
from p2p.net.changes import Changes
from p2p.net.interfaces import (
    Interface,
    address_here,
    host_of,
    interfaces_up,
    is_address,
    order_by_reach,
    shown_address,
)

LOOPBACK = Interface("lo", IPv4Interface("127.0.0.1/8"))
LAN = Interface("eth0", IPv4Interface("192.168.1.5/24"))
CONTAINERS = Interface("docker0", IPv4Interface("172.17.0.1/16"))
TUNNEL = Interface("tun0", IPv4Interface("10.8.0.2/32"))
LINK = Interface("eth0", IPv6Interface("fe80::5/64"), 2)
OTHER_LINK = Interface("wlan0", IPv6Interface("fe80::6/64"), 3)
HERE = [LAN, CONTAINERS, LOOPBACK]


def test_loopback_is_always_there_and_comes_last() -> None:
    everything, local = interfaces_up(), interfaces_up(is_local=True)
    assert local
    assert all(interface.is_loopback and not interface.is_ipv6 for interface in local)
    assert everything[-len(local) :] == local


def test_everybody_on_a_network_is_reached_by_its_broadcast() -> None:
    assert LAN.broadcast == "192.168.1.255"
    assert LOOPBACK.broadcast == "127.255.255.255"
    assert LAN.can_broadcast
    assert not TUNNEL.can_broadcast


def test_the_address_on_our_network_is_chosen() -> None:
    assert order_by_reach(["10.9.9.9", "192.168.1.6"], HERE)[0] == "192.168.1.6"


def test_a_container_bridge_that_every_machine_has_is_not_chosen() -> None:
    assert order_by_reach(["172.17.0.1", "192.168.1.6"], HERE)[0] == "192.168.1.6"


def test_a_table_on_this_machine_is_reached_by_our_own_address() -> None:
    assert order_by_reach(["192.168.1.5", "172.17.0.1"], HERE)[0] in ("192.168.1.5", "172.17.0.1")
    assert order_by_reach(["127.0.0.1"], [LOOPBACK])[0] == "127.0.0.1"


def test_somebody_elses_loopback_is_the_last_resort() -> None:
    assert order_by_reach(["127.0.0.1", "10.9.9.9"], [LAN])[0] == "10.9.9.9"


def test_nothing_offered_is_nowhere() -> None:
    assert order_by_reach([], HERE) == []


def test_the_address_to_tell_others_is_one_of_ours() -> None:
    assert address_here() in {interface.address for interface in interfaces_up()}


@pytest.fixture
def notes() -> Iterator[tuple[socket.socket, Changes]]:
    """Where a system leaves notes, and what reads them."""
    system, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.setblocking(False)
    with system, ours:
        yield system, Changes(ours.fileno())


def test_a_network_that_changes_is_noticed_once(notes: tuple[socket.socket, Changes]) -> None:
    system, heard = notes
    assert not heard.have_come()
    system.send(b"another address")
    system.send(b"another link")
    assert heard.have_come()
    assert not heard.have_come()


def test_interfaces_are_listed_anew_when_the_system_tells_of_a_change(
    notes: tuple[socket.socket, Changes], monkeypatch: pytest.MonkeyPatch
) -> None:
    system, heard = notes
    there = iter([(LOOPBACK,), (LAN, LOOPBACK)])
    monkeypatch.setattr(interfaces, "_listed", lambda wanted: next(there))
    monkeypatch.setattr(interfaces.time, "monotonic", lambda: 0.0)
    listing = interfaces.Listing(heard)
    assert listing.current("") == listing.current("") == (LOOPBACK,)
    system.send(b"another address")
    assert listing.current("") == (LAN, LOOPBACK)


def test_where_the_system_tells_nothing_interfaces_are_listed_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    there = iter([(LOOPBACK,), (LAN, LOOPBACK)])
    monkeypatch.setattr(interfaces, "_listed", lambda wanted: next(there))
    monkeypatch.setattr(interfaces.time, "monotonic", lambda: now)
    monkeypatch.setattr(changes, "_notes_of_system", lambda: None)
    listing = interfaces.Listing()
    assert listing.current("") == listing.current("") == (LOOPBACK,)
    now = NETWORK_POLL_S
    assert listing.current("") == (LAN, LOOPBACK)


def show_only(monkeypatch: pytest.MonkeyPatch, *found: Interface) -> None:
    """Let this machine have these addresses."""
    monkeypatch.setattr(interfaces, "interfaces_up", lambda: [*found, LOOPBACK])


def test_people_are_told_the_address_of_the_lan_on_which_others_were_heard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second = Interface("eth1", IPv4Interface("10.0.0.4/24"))
    show_only(monkeypatch, LAN, second, CONTAINERS)
    assert address_here(["10.0.0.7", "172.17.0.9", "10.0.0.8"]) == "10.0.0.4"
    assert address_here(["172.17.0.9", "192.168.1.9", "192.168.1.7"]) == "192.168.1.5"


def test_others_are_told_an_address_that_they_can_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was heard by IPv6 alone made it `fe80::5%eth0`, which means nothing elsewhere."""
    show_only(monkeypatch, LAN, LINK, CONTAINERS)
    assert address_here(["fe80::9%eth0", "fe80::8%eth0", "172.17.0.9"]) == LAN.address


def test_a_machine_without_a_network_is_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    show_only(monkeypatch)
    assert address_here(["10.0.0.7"]) == "127.0.0.1"


def test_an_address_of_one_link_alone_names_its_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    show_only(monkeypatch, LINK)
    assert address_here() == LINK.address == "fe80::5%eth0"
    assert LINK.has("fe80::9%eth0") and not LINK.has("fe80::9%wlan0")
    assert shown_address("fe80::5%eth0", 27486) == "[fe80::5%eth0]:27486"


def test_what_a_socket_says_of_ipv6_gets_the_name_of_the_interface() -> None:
    assert host_of(("fe80::5", 4000, 0, 1)) == "fe80::5%lo"
    assert host_of(("fe80::5", 4000, 0, 4_000_000)) == "fe80::5%4000000", "one that is gone"
    assert host_of(("fd00::5", 4000, 0, 0)) == "fd00::5"


def test_ipv4_is_tried_before_ipv6_and_other_networks_last() -> None:
    here = [LAN, LINK, OTHER_LINK]
    offered = ["10.9.9.9", "fe80::9%eth0", "192.168.1.6", "fe80::9%eth0"]
    assert order_by_reach(offered, here) == ["192.168.1.6", "fe80::9%eth0", "10.9.9.9"]


@pytest.mark.parametrize(
    ("host", "holds"),
    [
        ("192.168.1.5", True),
        ("fd00::1", True),
        ("fe80::1%eth0", True),
        ("fe80::1%", False),
        ("fe80::1%$(reboot)", False),
        ("fe80::1%eth0\n", False),
        ("0.0.0.0", False),
        ("::", False),
        ("224.0.0.251", False),
        ("ff02::1", False),
        ("localhost", False),
        ("", False),
    ],
)
def test_an_address_is_where_one_machine_can_be(host: str, holds: bool) -> None:
    assert is_address(host) == holds


@pytest.mark.parametrize(("system", "wanted"), [("linux", 0x8913), ("darwin", 0xC0206911)])
@pytest.mark.parametrize(("flags", "is_on"), [(0x1043, True), (0x1002, False), (None, False)])
def test_whether_an_interface_is_on_is_asked_as_each_system_wants_it(
    monkeypatch: pytest.MonkeyPatch, system: str, wanted: int, flags: int | None, is_on: bool
) -> None:
    asked: list[tuple[int, bytes]] = []

    def ioctl(_: object, request: int, said: bytes) -> bytes:
        asked.append((request, said[:16].rstrip(b"\0")))
        if flags is None:
            raise OSError("no such device")
        return said[:16] + struct.pack("H", flags) + said[18:]

    monkeypatch.setattr(interfaces, "sys", SimpleNamespace(platform=system))
    monkeypatch.setitem(sys.modules, "fcntl", SimpleNamespace(ioctl=ioctl))
    assert interfaces._is_up("en0") is is_on
    assert asked == [(wanted, b"en0")]


def test_where_no_system_tells_an_interface_counts_as_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "sys", SimpleNamespace(platform="win32"))
    assert interfaces._is_up("Ethernet")
