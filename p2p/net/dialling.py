"""One peer, several addresses: whichever answers first and proves who it is (RFC 8305)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import CALLS_AT_ONCE_MAX, HEAD_START_S
from p2p.net.interfaces import interfaces_up, shown_address
from p2p.net.link import Address, Link, connect

_log: Final = logging.getLogger("hostless.links")


async def connect_any(
    addresses: Sequence[Address], identity: Identity, name: str, expected: bytes | None = None
) -> Link:
    """A link to whoever listens at one of these addresses; the first ones have a head start.

    Raises:
        HostlessError, PeerError: why the first of them did not do, when none does.
    """
    assert addresses, "there is somewhere to call"
    calls = _Calls((identity, name, expected))
    async with trio.open_nursery() as nursery:
        for address in spread(addresses)[:CALLS_AT_ONCE_MAX]:
            has_failed = trio.Event()
            nursery.start_soon(calls.call, address, has_failed, nursery.cancel_scope)
            with trio.move_on_after(HEAD_START_S):
                await has_failed.wait()
            if calls.link is not None:
                break
    if calls.link is None:
        raise calls.failures[min(calls.failures)]
    return calls.link


async def is_there(
    addresses: Sequence[Address], identity: Identity, name: str, expected: bytes
) -> bool:
    """Whether `expected` listens at one of these addresses: anybody can announce that it does."""
    try:
        link = await connect_any(addresses, identity, name, expected)
    except (HostlessError, PeerError) as error:
        _log.debug("nobody else's table: %s", error)
        return False
    link.give_up()
    return True


def spread(addresses: Sequence[Address]) -> list[Address]:
    """These addresses, those of one link alone on every interface where that link may be."""
    if not any(_lacks_interface(host) for host, _ in addresses):
        return list(addresses)
    names = list(dict.fromkeys(each.name for each in interfaces_up() if each.is_ipv6)) or [""]
    wider = [
        (f"{host}%{name}" if name else host, port)
        for host, port in addresses
        for name in (names if _lacks_interface(host) else [""])
    ]
    return list(dict.fromkeys(wider))


def _lacks_interface(host: str) -> bool:
    return host.lower().startswith("fe80:") and "%" not in host


class _Calls:
    """Calls to the same peer at several addresses."""

    def __init__(self, whom: tuple[Identity, str, bytes | None]) -> None:
        self._whom = whom
        self._count = 0
        self.link: Link | None = None
        self.failures: dict[int, HostlessError | PeerError] = {}

    async def call(
        self, address: Address, has_failed: trio.Event, others: trio.CancelScope
    ) -> None:
        number, self._count = self._count, self._count + 1
        try:
            link = await connect(address, *self._whom)
        except (HostlessError, PeerError) as error:
            _log.debug("%s: %s", shown_address(*address), error)
            self.failures[number] = error
            has_failed.set()
            return
        if self.link is not None:
            link.give_up()  # Both answered in the same moment.
            return
        self.link = link
        others.cancel()
