"""Messages that go on to somebody else: to seats that have no link, and to those who look on.

Two seats may never reach each other; then a third passes on what each of them says.  Everything
between seats proves by itself who said it: entries, acknowledgements and votes are signed, keys
and parts of keys fit a public point.  So anybody may pass it on, and nobody can change it on the
way.  A seat tells its neighbours to whom it has no link, and each of them passes on what it hears
from there, the first time that it hears it.

Those who look on are shown the whole log, then every new entry, and what stands beside that on the
screens of those who play (`p2p.session.beside`).

What this does not protect against: a neighbour that passes nothing on.  Then the two wait for each
other, as for a seat that is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import trio

from core.requests import Action
from p2p.base.entry import Entry
from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    ALLOWANCES,
    BESIDE_S,
    EARLY_ENTRIES_MAX,
    FORGIVEN_CALLS_MAX,
    HELP_BURST_MAX,
    HELP_PER_S_MAX,
    SHOWN_BYTES,
    SHOWN_BYTES_BURST,
    SHOWN_BYTES_PER_S,
    WATCHERS_MAX,
    Role,
)
from p2p.log.membership.messages import Ack, message_of
from p2p.log.replica import Replica
from p2p.net.admission import Bucket, RateLimit
from p2p.net.link import Address, Link, turn_away
from p2p.session.news import Notice
from p2p.session.places import Places
from p2p.session.table import RunningTable

_GONE: Final = (trio.ClosedResourceError, trio.BrokenResourceError)


class Relaying:
    """Who asked me to pass on what, and the newest acknowledgement of every seat."""

    def __init__(self, table: RunningTable) -> None:
        self._table, self._replica = table, table.replica
        self._wanted: dict[int, list[int]] = {}  # By neighbour: whom it cannot reach itself.
        self._acks: dict[int, dict[Ack, None]] = {}  # By seat the newest, as they came.
        self._asked: list[int] = []
        self._helped_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._told_at = b""  # The head at which I was told last that my choice waits.
        self.places = Places(self._replica)

    # ---- what I miss ----

    def reaches(self, seat: int) -> bool:
        """Whether a seat is linked, or a neighbour of mine says that it is linked there."""
        links, heard = self._table.links, self._wanted.items()
        return seat in links or any(by in links and seat not in missed for by, missed in heard)

    def reached(self) -> list[int]:
        """All other seats that are in reach."""
        return [seat for seat in self._replica.others if self.reaches(seat)]

    def waited_for(self) -> list[str]:
        """The names of those who are out of reach and have not acknowledged this head."""
        replica = self._replica
        behind = [seat for seat in replica.others if not replica.has_acked(seat)]
        return [replica.roster.seats[seat].shown_name for seat in behind if not self.reaches(seat)]

    def say_what_waits(self, answer: Action | None) -> None:
        """Say, once a step, for whom a choice of mine waits that is made and may not be written."""
        replica, head = self._replica, self._replica.position.head
        is_kept = answer is not None and replica.needs_acks() and not replica.is_agreed()
        if not is_kept or self._told_at == head:
            return
        names = self.waited_for()
        if names:
            self._told_at, text = head, f"your choice waits for {', '.join(names)}"
            self._table.publish(Notice(text, "it is kept, and made when all have the same log"))

    def _missing(self) -> list[int]:
        """All whom I cannot reach; also those who are gone, or I would seem to reach them."""
        replica = self._replica
        here = {replica.me, *self._table.links, *replica.roster.open_seats()}
        return sorted(set(replica.seats) - here)

    async def ask(self) -> None:
        """Tell all neighbours whom I cannot reach, if that has changed."""
        if self._asked != self._missing():
            self._asked = self._missing()
            await self._table.broadcast(["relay", self._asked])
            await self._table.broadcast(self._table.have())  # What came until then.

    async def greet(self, seat: int) -> None:
        """Tell a new neighbour whom I cannot reach, and where I know everybody to be."""
        await self._table.send(seat, ["relay", self._missing()])
        for message in self.places.greeting(seat):
            await self._table.send(seat, message)

    async def move(self, places: Sequence[Address]) -> None:
        """Tell all neighbours where I am to be reached from now on, if that has changed."""
        message = self.places.stay(places)
        if message is not None:
            await self._table.broadcast(message)

    # ---- what others miss ----

    async def receive(self, seat: int, wanted: list[object]) -> None:
        """A neighbour says whom it cannot reach.

        Raises:
            MalformedFrame: these are no seats.
        """
        known = [each for each in wanted if type(each) is int and each in self._replica.seats]
        if known != wanted or len(set(known)) != len(known):
            raise MalformedFrame("nobody like that sits here")
        self._wanted[seat] = known
        if not self._helped_often.allows(str(seat)):
            return  # It hears what is new from now on; this many acknowledgements it has had.
        for each in known:
            for message in self.newest_of(each):
                await self._table.send(seat, message)

    def note_lost(self, seat: int) -> None:
        """The link of a neighbour has ended: whom it reaches by then, it says when it is back."""
        self._wanted.pop(seat, None)

    async def pass_on(self, author: int, source: int, message: list[object]) -> None:
        """Give what one seat has said, and another has told me, to those who cannot reach it."""
        for seat, wanted in list(self._wanted.items()):  # A link may end meanwhile.
            if author in wanted and seat not in (author, source):
                await self._table.send(seat, message)

    async def receive_place(self, source: int, message: list[object]) -> None:
        """A seat says where it is: everybody else may want to know, and hears it once from me.

        Raises:
            MalformedFrame, BadSignature: nobody at this table has said so.
        """
        if not self.places.receive(message):
            return
        for seat in self._replica.others:
            if seat not in (source, message[1]):
                await self._table.send(seat, message)

    # ---- acknowledgements ----

    def note_ack(self, ack: Ack) -> None:
        """Keep the newest of a seat, for whoever says next that it cannot reach it."""
        kept = self._acks.setdefault(ack.seat, {})
        kept[ack] = None
        if len(kept) > EARLY_ENTRIES_MAX:
            del kept[next(iter(kept))]

    def forget(self) -> None:
        """Logs have gone back: whatever is acknowledged next is news."""
        self._acks.clear()

    def newest_of(self, seat: int | None) -> list[list[object]]:
        """The newest acknowledgements of a seat, for those who have not heard them."""
        return [message_of(ack) for ack in self._acks.get(-1 if seat is None else seat, ())]


class Onlookers:
    """The links of those who look on at one seat."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self.links: list[Link] = []  # Of those who have been shown the whole log.
        self._welcomed: dict[Link, trio.CancelScope] = {}  # Whoever came first stands first.
        self._pace: Bucket | None = None  # Of all together, for logs from their beginning.
        self._lacks_news = False  # What stands beside the game has changed, or somebody came.
        self._told_s = float("-inf")  # When they were told of that last.

    async def welcome(self, link: Link) -> None:
        """Show the whole log to somebody who looks on, and go on showing it until it leaves.

        Or until somebody else needs the place more.

        Raises:
            MalformedFrame: it says something, although onlookers have nothing to say.
        """
        if not self._has_place(link):
            await turn_away(link, "too many look on here already; try another seat")
            return
        link.become(Role.ONLOOKER)
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
        if mine > ALLOWANCES[Role.ONLOOKER].links_per_host:
            return False
        if len(self._welcomed) < WATCHERS_MAX:
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

    def note_news(self) -> None:
        """What stands beside the game has changed."""
        self._lacks_news = True

    async def tell_news(self, message: Callable[[], list[object]]) -> None:
        """Tell what stands beside the game, if that is due; not more often than is of use."""
        now = trio.current_time()
        if self.links and self._lacks_news and now >= self._told_s + BESIDE_S:
            self._lacks_news, self._told_s = False, now
            await self._tell_all(message())

    async def _tell_all(self, message: list[object]) -> None:
        for link in list(self.links):
            try:
                await link.send(message)
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
        self.note_news()

    def _charge(self, shown: int) -> float:
        """How long to wait after so many bytes of a log: some come to look on again and again."""
        self._pace = self._pace or Bucket(SHOWN_BYTES_PER_S, SHOWN_BYTES_BURST)
        return self._pace.take(shown)

    def _drop(self, link: Link) -> None:
        if link in self.links:
            self.links.remove(link)
