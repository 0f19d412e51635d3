"""Spectators: those at no seat, who look on at one seat and are shown what everybody may see.

They are shown the whole log, then every new entry, and the status of the table, as it stands on
the screens of those who play (`p2p.session.table_status`).  They say nothing, and are told no
secret: the log has none.  How a spectator's own machine reads that is in `p2p.table.watching`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import trio

from p2p.base.entry import Entry
from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    ALLOWANCES,
    FORGIVEN_CALLS_MAX,
    SHOWN_BYTES,
    SHOWN_BYTES_BURST,
    SHOWN_BYTES_PER_S,
    SPECTATORS_MAX,
    STATUS_S,
    Role,
)
from p2p.log.replica import Replica
from p2p.net.admission import Bucket
from p2p.net.link import SEND_ERRORS, Link, turn_away


class Spectators:
    """The spectators of one seat: their links, and who of them has a place."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self.links: list[Link] = []  # Of those who have been shown the whole log.
        self._welcomed: dict[Link, trio.CancelScope] = {}  # Whoever came first stands first.
        self._pace: Bucket | None = None  # Of all together, for logs from their beginning.
        self._lacks_status = False  # The status of the table has changed, or somebody came.
        self._told_s = float("-inf")  # When they were told of that last.

    async def welcome(self, link: Link) -> None:
        """Show the whole log to somebody who looks on, and go on showing it until it leaves.

        Or until somebody else needs the place more.

        Raises:
            MalformedFrame: it says something, although spectators have nothing to say.
        """
        if not self._has_place(link):
            await turn_away(link, "too many look on here already; try another seat")
            return
        link.become(Role.SPECTATOR)
        self._welcomed[link] = trio.CancelScope()
        try:
            with self._welcomed[link]:
                await self._show_all(link)
                await link.receive()
                raise MalformedFrame("whoever looks on has nothing to say")
        finally:
            self._welcomed.pop(link, None)
            self._drop(link)
        await turn_away(link, "somebody else looks on in your place; look on at another seat")

    def _has_place(self, link: Link) -> bool:
        """Whether there is one, or whoever deserves it least gives way.

        That is somebody of the host with the most places, then with the most calls in vain, then
        who has looked on for longest.  Quiet strangers of many addresses would keep all places
        for good otherwise; so on equal terms it is the newcomer's turn.
        """
        counts = Counter(each.remote_host for each in self._welcomed)
        mine = counts[link.remote_host] + 1
        if mine > ALLOWANCES[Role.SPECTATOR].links_per_host:
            return False
        if len(self._welcomed) < SPECTATORS_MAX:
            return True
        worst = max(self._welcomed, key=lambda each: (counts[each.remote_host], each.burden()))
        theirs = counts[worst.remote_host]
        is_welcome = link.burden() <= max(worst.burden(), FORGIVEN_CALLS_MAX)
        if mine > theirs or (mine == theirs and not is_welcome):
            return False
        self._welcomed.pop(worst).cancel()
        return True

    async def show(self, entry: Entry) -> None:
        """Show a new entry of the log to everybody who has all before it."""
        await self._tell_all(["entry", entry.raw])

    def note_status(self) -> None:
        """The status of the table has changed."""
        self._lacks_status = True

    async def tell_status(self, message: Callable[[], list[object]]) -> None:
        """Tell the status of the table, if that is due; not more often than is of use."""
        now = trio.current_time()
        if self.links and self._lacks_status and now >= self._told_s + STATUS_S:
            self._lacks_status, self._told_s = False, now
            await self._tell_all(message())

    async def _tell_all(self, message: list[object]) -> None:
        for link in list(self.links):
            try:
                await link.send(message)
            except SEND_ERRORS:
                self._drop(link)

    def show_anew(self, nursery: trio.Nursery) -> None:
        """The log has gone back: show another one to everybody, from its beginning."""
        links, self.links = self.links, []
        for link in links:
            nursery.start_soon(self._show_again, link)

    async def _show_again(self, link: Link) -> None:
        with suppress(*SEND_ERRORS):
            await self._show_all(link)

    async def _show_all(self, link: Link) -> None:
        """Show the log from its beginning, until it has another one no more."""
        log: list[Entry] | None = None
        while log is not self._replica.log:  # All may go back meanwhile.
            log = self._replica.log
            queued = 0
            await link.send(["roster", self._replica.roster.plain(), []])
            for entry in log:
                await link.send(["entry", entry.raw])
                queued += len(entry.raw)
                if queued > SHOWN_BYTES:  # Whoever is slow waits, and not in our memory.
                    await link.drain()
                    await trio.sleep(self._charge(queued))
                    queued = 0
            self._charge(queued)
        self.links.append(link)  # At once: what is new from now on is shown as it comes.
        self.note_status()

    def _charge(self, shown: int) -> float:
        """How long to wait after so many bytes of a log: some come to look on again and again."""
        self._pace = self._pace or Bucket(SHOWN_BYTES_PER_S, SHOWN_BYTES_BURST)
        return self._pace.take(shown)

    def _drop(self, link: Link) -> None:
        if link in self.links:
            self.links.remove(link)
