"""The first way to be heard: DNS service discovery over multicast DNS (RFC 6762, RFC 6763).

    <table id>._hostless._tcp.local.    SRV -> port    A -> addresses
                                        TXT -> v id name game seats taken opener options

`zeroconf` runs in threads of its own.  What it finds comes to us one announcement at a time,
through a bounded channel: its thread waits until trio has taken the last one, and a stranger who
announces a thousand services makes that thread wait and nobody else.

A machine that crashes says no goodbye, and others go on believing its records for as long as they
were given.  So ours are given a short time, and whoever browses asks again for every table.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import trio

from p2p.errors import MalformedFrame
from p2p.lan.interfaces import Interface, best_address, interfaces_up
from p2p.lan.sightings import Sightings
from p2p.lan.table_ad import TableAd, parse_ad
from p2p.limits import (
    DNS_SD_LOOKUP_S,
    DNS_SD_RECHECK_S,
    DNS_SD_RECORD_S,
    NETWORK_POLL_S,
    SIGHTINGS_WAITING_MAX,
    TABLES_SEEN_MAX,
)

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

SERVICE: Final = "_hostless._tcp.local."
_TXT_BYTES_MAX: Final = 240  # Of one value; with its key it must stay below 256 (RFC 6763, 6.1).
_log: Final = logging.getLogger("hostless.dns_sd")

_News: TypeAlias = tuple[str, TableAd | None]  # The service's name, and None when it is gone.
_Complain: TypeAlias = Callable[[str], None]


async def publish(
    current: Callable[[], TableAd], changed: Callable[[], Awaitable[None]], *, is_local: bool
) -> None:
    """Announce a table until cancelled, anew when it has changed, and then that it is gone."""

    async def work(zeroconf: Zeroconf, interfaces: list[Interface]) -> None:
        ad = current()
        service = _describe(ad, interfaces)
        # The id is random, so there is nobody to ask whether the name is taken.
        register = partial(zeroconf.register_service, service, cooperating_responders=True)
        await trio.to_thread.run_sync(register)
        while True:
            while current() == ad:
                await changed()
            ad = current()
            await trio.to_thread.run_sync(zeroconf.update_service, _describe(ad, interfaces))

    def complain(text: str) -> None:
        _log.info("cannot announce by DNS-SD: %s", text)

    await _on_every_network(work, complain, is_local=is_local)


async def browse(sightings: Sightings, *, is_local: bool) -> None:
    """Take in what is announced until cancelled."""

    async def work(zeroconf: Zeroconf, interfaces: list[Interface]) -> None:
        sightings.troubles.pop("dns-sd", None)
        ear = _Ear(zeroconf, interfaces)
        await trio.to_thread.run_sync(ear.start)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ear.recheck_often)
            await _follow(ear.arrived, sightings)

    def complain(text: str) -> None:
        sightings.troubles["dns-sd"] = text

    await _on_every_network(work, complain, is_local=is_local)


# ---- zeroconf, on the networks that there are ----


async def _on_every_network(
    work: Callable[[Zeroconf, list[Interface]], Awaitable[None]],
    complain: _Complain,
    *,
    is_local: bool,
) -> None:
    """Work with the interfaces that are up; begin again when they are others."""
    while True:
        interfaces = interfaces_up(is_local=is_local)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_work_on, interfaces, work, complain)
            await _other_than(interfaces, is_local=is_local)
            nursery.cancel_scope.cancel()


async def _other_than(interfaces: list[Interface], *, is_local: bool) -> None:
    """Wait until a network has come up or gone away.  No system tells all of us; so we look."""
    while True:
        await trio.sleep(NETWORK_POLL_S)
        if interfaces_up(is_local=is_local) != interfaces:
            return


async def _work_on(
    interfaces: list[Interface],
    work: Callable[[Zeroconf, list[Interface]], Awaitable[None]],
    complain: _Complain,
) -> None:
    try:
        zeroconf = await trio.to_thread.run_sync(_open, interfaces)
    except OSError as error:
        complain(f"multicast DNS: {error}")
        return
    from zeroconf import Error  # Late, here and below: `_open` has imported it in a thread.

    try:
        await work(zeroconf, interfaces)
    except Error as error:
        complain(f"multicast DNS: {error!r}")
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_close, zeroconf)


def _open(interfaces: list[Interface]) -> Zeroconf:
    """Zeroconf on these interfaces.  In a thread: importing it takes a while."""
    from zeroconf import IPVersion, Zeroconf

    if not interfaces:
        raise OSError("no network interface is up")
    addresses = [interface.address for interface in interfaces]
    return Zeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)


def _close(zeroconf: Zeroconf) -> None:
    """Say that our services are gone, and stop."""
    from zeroconf import Error

    try:
        zeroconf.close()
    except Error as error:
        _log.info("closing multicast DNS: %r", error)


# ---- announcing ----


def _describe(ad: TableAd, interfaces: list[Interface]) -> ServiceInfo:
    from zeroconf import ServiceInfo

    reachable = [interface for interface in interfaces if not interface.is_loopback] or interfaces
    properties = {
        "v": str(ad.version),
        "id": ad.table_id,
        "name": ad.name,
        "game": ad.game,
        "seats": str(ad.seats),
        "taken": str(ad.taken),
        "opener": ad.opener.hex(),
        "options": ad.options.encode()[:_TXT_BYTES_MAX].decode(errors="ignore"),
    }
    return ServiceInfo(
        SERVICE,
        f"{ad.table_id}.{SERVICE}",
        port=ad.port,
        properties=properties,
        server=f"hostless-{ad.table_id}.local.",
        addresses=[socket.inet_aton(interface.address) for interface in reachable],
        host_ttl=int(DNS_SD_RECORD_S),
        other_ttl=int(DNS_SD_RECORD_S),
    )


# ---- browsing ----


async def _follow(arrived: trio.MemoryReceiveChannel[_News], sightings: Sightings) -> None:
    known: dict[str, TableAd] = {}
    try:
        async for name, ad in arrived:
            before = known.pop(name, None)
            if before is not None and (
                ad is None or ad.key != before.key or ad.host != before.host
            ):
                sightings.lose(before.key, "dns-sd", before.host)
            if ad is not None:
                known[name] = ad
                sightings.hear(ad)
    finally:
        for ad in known.values():
            sightings.lose(ad.key, "dns-sd", ad.host)


class _Ear:
    """What zeroconf's browsing thread calls, and how that reaches us."""

    def __init__(self, zeroconf: Zeroconf, interfaces: list[Interface]) -> None:
        self._zeroconf, self._interfaces = zeroconf, interfaces
        self._arrive, self.arrived = trio.open_memory_channel[_News](SIGHTINGS_WAITING_MAX)
        self._token = trio.lowlevel.current_trio_token()
        self._names: set[str] = set()  # Announced and not taken back; written in trio's thread.

    def start(self) -> None:
        """Begin to listen and to ask."""
        from zeroconf import ServiceBrowser

        ServiceBrowser(self._zeroconf, SERVICE, handlers=[self.notice])

    def notice(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: object
    ) -> None:
        """A service has appeared, changed or gone.  In zeroconf's thread; its names are fixed."""
        from zeroconf import ServiceStateChange

        is_gone = state_change is ServiceStateChange.Removed
        if not is_gone and name not in self._names and len(self._names) >= TABLES_SEEN_MAX:
            return  # Too many to ask about: looking up a forged one takes its time.
        ad = None if is_gone else self._look_up(name)
        try:
            trio.from_thread.run_sync(self._tell, name, ad, is_gone, trio_token=self._token)
        except trio.RunFinishedError:
            _log.debug("nobody browses any more")

    async def recheck_often(self) -> None:
        """Ask again for every table that was announced: is it still there, is it again?"""
        while True:
            await trio.sleep(DNS_SD_RECHECK_S)
            for name in sorted(self._names):
                ad = await trio.to_thread.run_sync(self._look_up, name)
                self._tell(name, ad, is_gone=name not in self._names)

    def _tell(self, name: str, ad: TableAd | None, is_gone: bool) -> None:
        if is_gone:
            self._names.discard(name)
        else:
            if name not in self._names and len(self._names) >= TABLES_SEEN_MAX:
                return
            self._names.add(name)
        try:
            self._arrive.send_nowait((name, None if is_gone else ad))
        except trio.WouldBlock:
            _log.info("too many announcements at once; %s has to wait to be asked again", name)

    def _look_up(self, name: str) -> TableAd | None:
        """The table behind a service, by zeroconf's memory or by asking; None if there is none."""
        from zeroconf import Error

        try:
            found = self._zeroconf.get_service_info(SERVICE, name, int(DNS_SD_LOOKUP_S * 1000))
            return None if found is None else read_service(found, self._interfaces)
        except (Error, MalformedFrame) as error:
            _log.info("%s: %s", name, error)
        except AssertionError:  # By this zeroconf says that it has been closed meanwhile.
            _log.debug("nobody browses any more")
        return None


def read_service(found: ServiceInfo, interfaces: list[Interface]) -> TableAd:
    """The table that a service announces, at the address that we reach best.

    Raises:
        MalformedFrame: it is none, or has no address.
    """
    from zeroconf import IPVersion

    host = best_address(found.parsed_addresses(IPVersion.V4Only), interfaces)
    if host is None:
        raise MalformedFrame("the service has no address")
    try:
        texts = {key.decode(): (value or b"").decode() for key, value in found.properties.items()}
        fields: list[object] = [
            *(int(texts["v"]), texts["id"], texts["name"], texts["game"]),
            *(int(texts["seats"]), int(texts["taken"])),
            *(bytes.fromhex(texts["opener"]), found.port, texts["options"]),
        ]
    except (KeyError, ValueError) as error:  # UnicodeDecodeError is a ValueError.
        raise MalformedFrame("a field is missing or unreadable") from error
    return parse_ad(fields, host, "dns-sd")
