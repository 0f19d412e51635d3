"""Messages that go on to somebody else: to seats that have no link.

Two seats may never reach each other; then a third passes on what each of them says.  Everything
between seats proves by itself who said it: entries, acknowledgements and votes are signed, keys
and parts of keys fit a public point.  So anybody may pass it on, and nobody can change it on the
way.  A seat tells its neighbours to whom it has no link, and each of them passes on what it hears
from there, the first time that it hears it.

What this does not protect against: a neighbour that passes nothing on.  Then the two wait for each
other, as for a seat that is silent.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.requests import Action
from p2p.base.errors import MalformedFrame
from p2p.base.limits import EARLY_ENTRIES_MAX, HELP_BURST_MAX, HELP_PER_S_MAX
from p2p.log.membership.messages import Ack, message_of
from p2p.net.admission import RateLimit
from p2p.net.link import Address
from p2p.session.news import Notice
from p2p.session.places import Places
from p2p.session.table import RunningTable


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
            await self._table.say_where_i_am()  # What came until then.

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

    async def flood(self, author: object, source: int, message: list[object]) -> None:
        """Give what is news to everybody else: its author may have told some of us alone.

        It is heard of once, so a message that everybody floods ends by itself.
        """
        for seat in list(self._table.links):  # A link may end meanwhile.
            if seat not in (source, author):
                await self._table.send(seat, message)

    async def receive_place(self, source: int, message: list[object]) -> None:
        """A seat says where it is: everybody else may want to know, and hears it once from me.

        Raises:
            MalformedFrame, BadSignature: nobody at this table has said so.
        """
        if self.places.receive(message):
            await self.flood(message[1], source, message)

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
