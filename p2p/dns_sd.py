"""The first way to be heard: DNS service discovery over multicast DNS (RFC 6762, RFC 6763).

    <table id>._hostless._tcp.local.    SRV -> port    A -> addresses
                                        TXT -> v id name game seats taken opener options

`zeroconf` runs in a thread of its own.  What it finds comes to us one announcement at a time,
through a bounded channel: its thread waits until trio has taken the last one, and a stranger who
announces a thousand services makes that thread wait and nobody else.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import trio

from p2p.errors import MalformedFrame
from p2p.interfaces import best_address, interfaces_up
from p2p.limits import DNS_SD_LOOKUP_S, SIGHTINGS_WAITING_MAX
from p2p.sightings import Sightings
from p2p.table_ad import TableAd, parse_ad

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

SERVICE: Final = "_hostless._tcp.local."
_TXT_BYTES_MAX: Final = 240  # Of one value; with its key it must stay below 256 (RFC 6763, 6.1).
_log: Final = logging.getLogger("hostless.dns_sd")

_News: TypeAlias = tuple[str, TableAd | None]  # The service's name, and None when it is gone.


async def publish(
    current: Callable[[], TableAd], changed: Callable[[], Awaitable[None]], *, is_local: bool
) -> None:
    """Announce a table until cancelled, anew when it has changed, and then that it is gone."""
    try:
        zeroconf = await trio.to_thread.run_sync(_open, is_local)
    except OSError as error:
        _log.info("cannot announce by DNS-SD: %s", error)
        return
    try:
        ad = current()
        service = _describe(ad, is_local=is_local)
        # The id is random, so there is nobody to ask whether the name is taken.
        await trio.to_thread.run_sync(lambda: zeroconf.register_service(service, None, False, True))
        while True:
            while current() == ad:
                await changed()
            ad = current()
            service = _describe(ad, is_local=is_local)
            await trio.to_thread.run_sync(zeroconf.update_service, service)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(zeroconf.close)  # Says that the service is gone.


async def browse(sightings: Sightings, *, is_local: bool) -> None:
    """Take in what is announced until cancelled."""
    arrive, arrived = trio.open_memory_channel[_News](SIGHTINGS_WAITING_MAX)
    try:
        zeroconf = await trio.to_thread.run_sync(_open, is_local)
    except OSError as error:
        sightings.troubles["dns-sd"] = f"multicast DNS: {error}"
        return
    try:
        ear = _Ear(arrive, is_local=is_local)
        await trio.to_thread.run_sync(ear.start, zeroconf)
        await _follow(arrived, sightings)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(zeroconf.close)


async def _follow(arrived: trio.MemoryReceiveChannel[_News], sightings: Sightings) -> None:
    known: dict[str, TableAd] = {}
    async for name, ad in arrived:
        before = known.pop(name, None)
        if before is not None and (ad is None or ad.host != before.host or ad.key != before.key):
            sightings.lose(before.key, "dns-sd", before.host)
        if ad is None:
            continue
        known[name] = ad
        sightings.hear(ad)


class _Ear:
    """What zeroconf's browsing thread calls."""

    def __init__(self, arrive: trio.MemorySendChannel[_News], *, is_local: bool) -> None:
        self._arrive, self._is_local = arrive, is_local
        self._token = trio.lowlevel.current_trio_token()

    def start(self, zeroconf: Zeroconf) -> None:
        from zeroconf import ServiceBrowser

        ServiceBrowser(zeroconf, SERVICE, handlers=[self.notice])

    def notice(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: object
    ) -> None:
        """A service has appeared, changed or gone."""
        from zeroconf import ServiceStateChange

        ad = None
        if state_change is not ServiceStateChange.Removed:
            found = zeroconf.get_service_info(service_type, name, int(DNS_SD_LOOKUP_S * 1000))
            ad = None if found is None else self._read(found)
            if ad is None:
                return
        try:
            trio.from_thread.run_sync(self._tell, (name, ad), trio_token=self._token)
        except trio.RunFinishedError:
            _log.debug("nobody browses any more")

    def _tell(self, news: _News) -> None:
        try:
            self._arrive.send_nowait(news)
        except trio.WouldBlock:
            _log.info("too many announcements; %s is not shown", news[0])

    def _read(self, found: ServiceInfo) -> TableAd | None:
        from zeroconf import IPVersion

        offered = found.parsed_addresses(IPVersion.V4Only)
        host = best_address(offered, interfaces_up(is_local=self._is_local))
        try:
            return parse_ad(_fields(found), host or "", "dns-sd") if host else None
        except MalformedFrame as error:
            _log.info("%s: %s", found.name, error)
            return None


def _open(is_local: bool) -> Zeroconf:
    """Zeroconf on every interface that is up.  In a thread: importing it takes a while."""
    from zeroconf import IPVersion, Zeroconf

    addresses = [interface.address for interface in interfaces_up(is_local=is_local)]
    if not addresses:
        raise OSError("no network interface is up")
    return Zeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)


def _describe(ad: TableAd, *, is_local: bool) -> ServiceInfo:
    from zeroconf import ServiceInfo

    ours = interfaces_up(is_local=is_local)
    addresses = [face for face in ours if not face.is_loopback] or ours
    properties = {
        "v": str(ad.version),
        "id": ad.table_id,
        "name": ad.name,
        "game": ad.game,
        "seats": str(ad.seats),
        "taken": str(ad.taken),
        "opener": ad.opener.hex(),
        "options": _cut(ad.options),
    }
    return ServiceInfo(
        SERVICE,
        f"{ad.table_id}.{SERVICE}",
        port=ad.port,
        properties=properties,
        server=f"hostless-{ad.table_id}.local.",
        addresses=[socket.inet_aton(face.address) for face in addresses],
    )


def _cut(text: str) -> str:
    return text.encode()[:_TXT_BYTES_MAX].decode(errors="ignore")


def _fields(found: ServiceInfo) -> list[object]:
    """The fields of `TableAd.plain`.

    Raises:
        MalformedFrame: one is missing or is not what it should be.
    """
    try:
        texts = {key.decode(): (value or b"").decode() for key, value in found.properties.items()}
        return [
            *(int(texts["v"]), texts["id"], texts["name"], texts["game"]),
            *(int(texts["seats"]), int(texts["taken"])),
            *(bytes.fromhex(texts["opener"]), found.port, texts["options"]),
        ]
    except (KeyError, ValueError) as error:  # UnicodeDecodeError is a ValueError.
        raise MalformedFrame("a field is missing or unreadable") from error
