"""Those who look on at a running game: each is shown the whole log, and then every new entry."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import trio

from p2p.base.entry import Entry
from p2p.base.limits import WATCHERS_MAX
from p2p.log.replica import Replica
from p2p.net.link import Link

_GONE: Final = (trio.ClosedResourceError, trio.BrokenResourceError)


class Onlookers:
    """The links of those who look on at one seat."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self.links: list[Link] = []

    async def welcome(self, link: Link) -> None:
        """Show the whole log to somebody who looks on, and go on showing it until it leaves."""
        if len(self.links) >= WATCHERS_MAX:
            await link.send(["refused", "too many look on here already; try another seat"])
            await link.aclose()
            return
        try:
            await self._show_all(link)
            while True:
                await link.receive()  # Whoever looks on has nothing to say that matters.
        finally:
            self._drop(link)

    async def show(self, entry: Entry) -> None:
        """Show a new entry of the log to everybody who has all before it."""
        for link in list(self.links):
            try:
                await link.send(["entry", entry.raw])
            except _GONE:
                self._drop(link)

    def show_anew(self, nursery: trio.Nursery) -> None:
        """The log has gone back: show another one to everybody, from its beginning."""
        links, self.links = self.links, []
        for link in links:
            nursery.start_soon(self._show_again, link)

    async def _show_again(self, link: Link) -> None:
        with suppress(*_GONE):
            await self._show_all(link)

    async def _show_all(self, link: Link) -> None:
        """Show the log from its beginning, until it has another one no more."""
        log: list[Entry] | None = None
        while log is not self._replica.log:  # All may go back meanwhile.
            log = self._replica.log
            await link.send(["roster", self._replica.roster.plain(), []])
            for entry in log:
                await link.send(["entry", entry.raw])
        self.links.append(link)

    def _drop(self, link: Link) -> None:
        if link in self.links:
            self.links.remove(link)
