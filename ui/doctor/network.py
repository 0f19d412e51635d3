"""The networks of this machine: whether a table that is opened here is found, and can be reached.

What one machine can see of it: its own datagrams come back to it, unless a firewall or the system
swallows them; a connection from one of its addresses to another is let in; and a table that is
announced is found.  Whether an access point passes anything on, only a second machine can tell.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import trio

from p2p.base.limits import BEACON_PORT, LISTEN_PORT
from p2p.net.discovery import TableAd, announcing, browsing
from p2p.net.interfaces import MDNS_PORT, ONLY_VARIABLE, Interface, interfaces_up
from ui.doctor.finding import Finding
from ui.doctor.probes import Heard, ProbeWay, beacon, multicast, probe

CONNECT_S: Final = 2.0
FIND_S: Final = 5.0


@dataclass(slots=True)
class Networks:
    """The findings about networks, and whether somebody else could find a table here."""

    findings: list[Finding] = field(default_factory=list)
    is_announced: bool = False  # By at least one way, on at least one network.
    is_silent: bool = False  # Something of ours did not come back: a firewall may be the reason.


async def look_at_networks() -> Networks:
    """Everything about networks, in a few seconds."""
    networks = Networks()
    used = interfaces_up()
    lan = [interface for interface in used if not interface.is_loopback]
    networks.findings += _interfaces(used)
    if not lan:
        networks.findings.append(Finding("network", "problem", "no_network", advice="get_network"))
    else:
        ways = (("multicast", multicast(secrets.token_bytes(2))),
                ("beacon", beacon(secrets.token_bytes(8))))  # fmt: skip
        results: dict[str, list[Finding]] = {}
        async with trio.open_nursery() as nursery:
            for name, way in ways:
                nursery.start_soon(_try_way, (name, way), lan, results, networks)
        networks.findings += [finding for name, _ in ways for finding in results[name]]
        if not networks.is_announced:
            unheard = Finding("network", "problem", "unheard", advice="open_ports")
            networks.findings.append(unheard)
    networks.findings += await _usual_port()
    networks.findings += await _ports(lan or used)
    networks.findings.append(await _a_table_is_found())
    return networks


# ---- interfaces ----


def _interfaces(used: Sequence[Interface]) -> Iterator[Finding]:
    import ifaddr

    wanted = os.environ.get(ONLY_VARIABLE, "")
    names = {interface.name for interface in used}
    for interface in used:
        says = "loopback" if interface.is_loopback else "used"
        values = {"name": interface.name, "address": interface.at.with_prefixlen}
        yield Finding("interface", "ok", says, values)
    for adapter in ifaddr.get_adapters():
        if adapter.name in names:
            continue
        at = ", ".join(str(ip.ip if isinstance(ip.ip, str) else ip.ip[0]) for ip in adapter.ips)
        values = {"name": adapter.name, "address": at, "only": wanted, "variable": ONLY_VARIABLE}
        if not at:
            says = "without_address"
        else:
            is_unwanted = wanted and adapter.name not in wanted.split(",")
            says = "not_wanted" if is_unwanted else "down"
        yield Finding("interface", "ok", says, values)


# ---- multicast and beacon ----


async def _try_way(
    named: tuple[str, ProbeWay],
    lan: list[Interface],
    results: dict[str, list[Finding]],
    networks: Networks,
) -> None:
    name, way = named
    reachable = way.reaches(lan)
    try:
        found = await probe(way, reachable)
    except OSError as error:
        values = {"port": way.port, "why": error.strerror}
        results[name] = [Finding(name, "warning", "port_taken", values, "free_port")]
        return
    results[name] = [_way_finding(name, each, found[each.address]) for each in reachable]
    networks.is_announced |= any(heard.is_back for heard in found.values())
    networks.is_silent |= not all(heard.is_back for heard in found.values())


def _way_finding(name: str, interface: Interface, heard: Heard) -> Finding:
    values: dict[str, object] = {
        "name": interface.name, "address": interface.address, "why": heard.trouble,
        "others": ", ".join(sorted(heard.others)), "port": _port_of(name),
    }  # fmt: skip
    if heard.is_back and heard.others:
        return Finding(name, "ok", "heard_others", values)
    if heard.is_back:
        return Finding(name, "ok", "heard_back", values)
    if heard.trouble:
        return Finding(name, "warning", "not_sent", values, "other_way")
    return Finding(name, "warning", "not_heard", values, "open_port")


def _port_of(name: str) -> int:
    return MDNS_PORT if name == "multicast" else BEACON_PORT


# ---- the port of a table ----


async def _usual_port() -> list[Finding]:
    """Whether the port that is tried first is free; another does as well."""
    try:
        listeners = await trio.open_tcp_listeners(LISTEN_PORT, host="0.0.0.0")
    except OSError as error:
        values = {"port": LISTEN_PORT, "why": error.strerror}
        return [Finding("port", "warning", "listen_taken", values, "use_other")]
    for listener in listeners:
        await listener.aclose()
    return []


async def _ports(interfaces: Sequence[Interface]) -> list[Finding]:
    """Whether a table that listens on every interface is reached at each address from each."""
    reached: list[str] = []
    refused: list[str] = []
    typed = [each for each in interfaces if "%" not in each.address]  # As somebody would dial it.
    for any_address in ("0.0.0.0", "::"):
        is_ipv6 = ":" in any_address
        addresses = [each.address for each in typed if each.is_ipv6 == is_ipv6]
        if not addresses:
            continue
        try:
            listeners = await trio.open_tcp_listeners(0, host=any_address)
        except OSError as error:
            return [Finding("port", "problem", "no_port", {"why": error.strerror}, "open_ports")]
        port: int = listeners[0].socket.getsockname()[1]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, _hang_up, listeners)
            refused += [f"{source} > {target}" for target in addresses for source in addresses
                        if not await _is_reached(source, target, port)]  # fmt: skip
            nursery.cancel_scope.cancel()
        reached += addresses
    values = {"addresses": ", ".join(reached), "refused": ", ".join(refused)}
    if refused:
        return [Finding("port", "problem", "port_closed", values, "open_ports")]
    return [Finding("port", "ok", "port_open", values)]


async def _hang_up(caller: trio.SocketStream) -> None:
    """Somebody was let in: that is all we wanted to know."""


async def _is_reached(source: str, target: str, port: int) -> bool:
    with trio.move_on_after(CONNECT_S), suppress(OSError):
        async with await trio.open_tcp_stream(target, port, local_address=source):
            return True
    return False


# ---- a table ----


async def _a_table_is_found() -> Finding:
    """Announce a table on this machine alone, and look for it."""
    table_id = secrets.token_hex(8)
    ad = TableAd(table_id, "doctor", "carta", 2, 1, secrets.token_bytes(32), "127.0.0.1", 1)
    began = trio.current_time()
    with trio.move_on_after(FIND_S):
        async with announcing(ad, is_local=True), browsing(is_local=True) as sightings:
            async for tables in sightings:
                ways = [table.heard_by for table in tables if table.table_id == table_id]
                if ways:
                    took = f"{trio.current_time() - began:.1f}"
                    values = {"seconds": took, "way": ways[0]}
                    return Finding("table", "ok", "table_found", values)
    return Finding("table", "problem", "table_lost", advice="open_ports")
