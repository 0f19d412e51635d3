"""The first way to be heard: DNS service discovery over multicast DNS (RFC 6762, RFC 6763).

    <table id>-<opener>._hostless._tcp.local.    SRV -> port    A, AAAA -> addresses
                                        TXT -> v id name game seats taken opener options by
    <salt>._hostless-seat._tcp.local.   the same of a running game, TXT -> v tag

`zeroconf` runs in threads of its own.  What it finds comes to us one announcement at a time,
through a bounded channel: its thread waits until trio has taken the last one, and a stranger who
announces a thousand services makes that thread wait and nobody else.

A machine that crashes says no goodbye, and others go on believing its records for as long as they
were given.  So ours are given a short time, and whoever browses asks again for every table.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

import trio

from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    DNS_SD_LOOKUP_S,
    DNS_SD_RECHECK_S,
    DNS_SD_RECORD_S,
    HOSTS_MAX,
    NETWORK_POLL_S,
    PROTOCOL_VERSION,
    SIGHTINGS_WAITING_MAX,
    TABLES_SEEN_MAX,
)
from p2p.base.steps import sleep_in_step
from p2p.net.announcements import Sightings, TableAd, parse_ad
from p2p.net.interfaces import Interface, host_of, interfaces_up, is_address, order_by_reach
from p2p.net.presence import Noticed, Presence, parse_presence

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

SERVICE: Final = "_hostless._tcp.local."
SEAT_SERVICE: Final = "_hostless-seat._tcp.local."
_TXT_BYTES_MAX: Final = 240  # Of one value; with its key it must stay below 256 (RFC 6763, 6.1).
_OPENER_DIGITS: Final = 8  # Of an opener's identity, in the name of a service.
_log: Final = logging.getLogger("hostless.lan")

T = TypeVar("T")
_News: TypeAlias = tuple[str, T | None]  # The service's name, and None when it is gone.
_Read: TypeAlias = Callable[["ServiceInfo", list[Interface]], T]
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
        ear = _Ear(SERVICE, zeroconf, interfaces, read_service)
        await trio.to_thread.run_sync(ear.start)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ear.recheck_often)
            await _follow(ear.arrived, sightings)

    def complain(text: str) -> None:
        sightings.troubles["dns-sd"] = text

    await _on_every_network(work, complain, is_local=is_local)


async def meet_seats(presence: Presence, notice: Noticed) -> None:
    """Say until cancelled where my seat is, and tell of every other one with all its hosts."""

    async def work(zeroconf: Zeroconf, interfaces: list[Interface]) -> None:
        service = _describe_seat(presence, interfaces)
        register = partial(zeroconf.register_service, service, cooperating_responders=True)
        await trio.to_thread.run_sync(register)
        ear = _Ear(SEAT_SERVICE, zeroconf, interfaces, read_seat)
        await trio.to_thread.run_sync(ear.start)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ear.recheck_often)
            async for _, found in ear.arrived:
                if found is not None:
                    for host in found[1]:
                        notice(found[0], host)

    def complain(text: str) -> None:
        _log.info("cannot meet seats by DNS-SD: %s", text)

    await _on_every_network(work, complain, is_local=False)


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
        await sleep_in_step(NETWORK_POLL_S)
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

    logging.getLogger("zeroconf").addFilter(in_one_line)
    if not interfaces:
        raise OSError("no network interface is up")
    addresses = [each.address for each in interfaces if not each.is_ipv6]
    ways = {each.name: each.address for each in reversed(interfaces) if each.is_ipv6}
    versions = IPVersion.All if ways else IPVersion.V4Only
    return Zeroconf(interfaces=[*addresses, *ways.values()], ip_version=versions)


def in_one_line(record: logging.LogRecord) -> bool:
    """Let a record of zeroconf pass; a network that is out is no fault whose place matters."""
    if record.exc_info and isinstance(record.exc_info[1], OSError):
        record.exc_info = None  # What the system says stands in the line itself.
    return True


def _close(zeroconf: Zeroconf) -> None:
    """Say that our services are gone, and stop."""
    from zeroconf import Error

    try:
        zeroconf.close()
    except Error as error:
        _log.info("closing multicast DNS: %r", error)


# ---- announcing ----


def _describe(ad: TableAd, interfaces: list[Interface]) -> ServiceInfo:
    properties = {
        "v": str(ad.version),
        "id": ad.table_id,
        "name": ad.name,
        "game": ad.game,
        "seats": str(ad.seats),
        "taken": str(ad.taken),
        "opener": ad.opener.hex(),
        "options": ad.options.encode()[:_TXT_BYTES_MAX].decode(errors="ignore"),
        "by": ad.opener_name,
    }
    return _service(SERVICE, _instance(ad), ad.port, properties, interfaces)


def _instance(ad: TableAd) -> str:
    """A name for this table that nobody else uses who announces it, or one with its id."""
    return f"{ad.table_id}-{ad.opener.hex()[:_OPENER_DIGITS]}"


def _describe_seat(presence: Presence, interfaces: list[Interface]) -> ServiceInfo:
    properties = {"v": str(PROTOCOL_VERSION), "tag": presence.tag.hex()}
    name = presence.salt.hex()
    return _service(SEAT_SERVICE, name, presence.port, properties, interfaces)


def _service(
    kind: str, name: str, port: int, properties: dict[str, str], interfaces: list[Interface]
) -> ServiceInfo:
    from zeroconf import ServiceInfo

    reachable = [interface for interface in interfaces if not interface.is_loopback] or interfaces
    return ServiceInfo(
        kind,
        f"{name}.{kind}",
        port=port,
        properties=properties,
        server=f"hostless-{name}.local.",
        addresses=[interface.at.ip.packed for interface in reachable],
        host_ttl=int(DNS_SD_RECORD_S),
        other_ttl=int(DNS_SD_RECORD_S),
    )


# ---- browsing ----


async def _follow(arrived: trio.MemoryReceiveChannel[_News[TableAd]], sightings: Sightings) -> None:
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
                sightings.receive(ad)
    finally:
        for ad in known.values():
            sightings.lose(ad.key, "dns-sd", ad.host)


class _Ear(Generic[T]):
    """What zeroconf's browsing thread calls, and how that reaches us."""

    def __init__(
        self, kind: str, zeroconf: Zeroconf, interfaces: list[Interface], read: _Read[T]
    ) -> None:
        self._kind, self._read = kind, read
        self._zeroconf, self._interfaces = zeroconf, interfaces
        self._arrive, self.arrived = trio.open_memory_channel[_News[T]](SIGHTINGS_WAITING_MAX)
        self._token = trio.lowlevel.current_trio_token()
        self._names: set[str] = set()  # Announced and not taken back; written in trio's thread.

    def start(self) -> None:
        """Begin to listen and to ask."""
        from zeroconf import ServiceBrowser

        ServiceBrowser(self._zeroconf, self._kind, handlers=[self.notice])

    def notice(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: object
    ) -> None:
        """A service has appeared, changed or gone.  In zeroconf's thread; its names are fixed."""
        from zeroconf import ServiceStateChange

        is_gone = state_change is ServiceStateChange.Removed
        if not is_gone and name not in self._names and len(self._names) >= TABLES_SEEN_MAX:
            return  # Too many to ask about: looking up a forged one takes its time.
        found = None if is_gone else self._look_up(name)
        try:
            trio.from_thread.run_sync(self._tell, name, found, is_gone, trio_token=self._token)
        except trio.RunFinishedError:
            _log.debug("nobody browses any more")

    async def recheck_often(self) -> None:
        """Ask again for every table that was announced: is it still there, is it again?"""
        while True:
            await trio.sleep(DNS_SD_RECHECK_S)
            for name in sorted(self._names):
                found = await trio.to_thread.run_sync(self._look_up, name)
                self._tell(name, found, is_gone=name not in self._names)

    def _tell(self, name: str, found: T | None, is_gone: bool) -> None:
        if is_gone:
            self._names.discard(name)
        else:
            if name not in self._names and len(self._names) >= TABLES_SEEN_MAX:
                return
            self._names.add(name)
        try:
            self._arrive.send_nowait((name, None if is_gone else found))
        except trio.WouldBlock:
            _log.info("too many announcements at once; %s has to wait to be asked again", name)

    def _look_up(self, name: str) -> T | None:
        """What is behind a service, by zeroconf's memory or by asking; None if there is none."""
        from zeroconf import Error

        try:
            found = self._zeroconf.get_service_info(self._kind, name, int(DNS_SD_LOOKUP_S * 1000))
            return None if found is None else self._read(found, self._interfaces)
        except (Error, MalformedFrame) as error:
            _log.info("%s: %s", name, error)
        except AssertionError:  # By this zeroconf says that it has been closed meanwhile.
            _log.debug("nobody browses any more")
        return None


def read_service(found: ServiceInfo, interfaces: list[Interface]) -> TableAd:
    """The table that a service announces, at the addresses that we reach best.

    Raises:
        MalformedFrame: it is none, or has no address.
    """
    hosts = _hosts(found, interfaces)
    try:
        texts = {key.decode(): (value or b"").decode() for key, value in found.properties.items()}
        fields: list[object] = [
            *(int(texts["v"]), texts["id"], texts["name"], texts["game"]),
            *(int(texts["seats"]), int(texts["taken"])),
            *(bytes.fromhex(texts["opener"]), found.port, texts["options"], texts.get("by", "")),
        ]
    except (KeyError, ValueError) as error:  # UnicodeDecodeError is a ValueError.
        raise MalformedFrame("a field is missing or unreadable") from error
    return replace(parse_ad(fields, hosts[0], "dns-sd"), more_hosts=tuple(hosts[1:]))


def read_seat(found: ServiceInfo, interfaces: list[Interface]) -> tuple[Presence, list[str]]:
    """The seat that a service announces, and the hosts by which we reach it best.

    Raises:
        MalformedFrame: it is none, or has no address.
    """
    hosts = _hosts(found, interfaces)
    try:
        texts = {key.decode(): (value or b"").decode() for key, value in found.properties.items()}
        salt = bytes.fromhex(found.name.partition(".")[0])
        fields: list[object] = [int(texts["v"]), salt, bytes.fromhex(texts["tag"]), found.port]
    except (KeyError, ValueError) as error:  # UnicodeDecodeError is a ValueError.
        raise MalformedFrame("a field is missing or unreadable") from error
    return parse_presence(fields), hosts


def _hosts(found: ServiceInfo, interfaces: list[Interface]) -> list[str]:
    """Where a service is, the best first.

    Raises:
        MalformedFrame: nowhere.
    """
    offered = filter(is_address, map(_with_name, found.parsed_scoped_addresses()))
    hosts = order_by_reach(offered, interfaces)[:HOSTS_MAX]
    if not hosts:
        raise MalformedFrame("the service has no address")
    return hosts


def _with_name(host: str) -> str:
    """An address with the name of its interface in place of the number."""
    address, _, scope = host.partition("%")
    return host_of((address, 0, 0, int(scope))) if scope.isdecimal() else host
