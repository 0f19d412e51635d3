"""Where the other seats of a game may be reached: found by who they are, not by where they were.

    announced    heard on the LAN a moment ago (`p2p.net.announcements`)
    given        typed by the person: resume --at HOST:PORT
    linked       where the last link with the seat came from or went to
    signed       where the seat says that it is, passed on by anybody
    first        where it was when the cards were dealt

All of them are hints: whoever answers there has to prove the identity of the seat.  So nothing has
to be true, but everything is bounded: how many places are tried for a seat, and how often something
new makes us try again at once.

What this does not protect against: a member may name any machine as its own address, and the others
will call there, some times a minute, and hang up when nobody proves to be the member.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.identity import verify
from p2p.base.limits import (
    PLACES_ANNOUNCED_MAX,
    PLACES_BURST_MAX,
    PLACES_GIVEN_MAX,
    PLACES_PER_S_MAX,
    PLACES_SIGNED_MAX,
    PORT_MAX,
)
from p2p.base.wire import encode
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.admission import RateLimit
from p2p.net.interfaces import LOOPBACK, is_address, is_here
from p2p.net.link import Address

COUNT_MAX: Final = 1 << 32
_LABEL: Final = b"hostless at"


@dataclass(slots=True)
class _Known:
    """What is known of one seat's places."""

    announced: list[Address] = field(default_factory=list)  # The newest first.
    linked: list[Address] = field(default_factory=list)
    signed: list[Address] = field(default_factory=list)


class Places:
    """Where each of the other seats may be reached, the likeliest first."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._known = {seat: _Known() for seat in replica.seats}
        self._given: list[Address] = []
        self._memory: SecretsFile | None = None
        self._first: list[Address] = []
        self._said: dict[int, list[object]] = {}  # By seat: the newest that it has signed.
        self._count = 0  # Of mine, as others have heard it: what is kept here may be older.
        self._said_often = RateLimit(PLACES_PER_S_MAX, PLACES_BURST_MAX)
        self._woken_often = RateLimit(PLACES_PER_S_MAX, PLACES_BURST_MAX)
        self.on_news: Callable[[int], object] = int  # Called with a seat that may be elsewhere now.

    # ---- what is remembered ----

    def remember(self, memory: SecretsFile) -> None:
        """Begin with what was kept, and keep what is new from now on."""
        self._first = list(memory.addresses)
        for message in memory.places.values():
            try:
                self.receive(message)
            except (MalformedFrame, BadSignature):
                continue  # An old hint that is damaged costs nothing.
        self._memory = memory

    def forget_memory(self) -> None:
        """The game has ended and its files are closed: keep nothing more."""
        self._memory = None

    def give(self, addresses: Sequence[Address]) -> None:
        """Somebody says that seats are to be found here, and not which."""
        self._given = list(addresses)[:PLACES_GIVEN_MAX]

    # ---- what is heard ----

    def announce(self, seat: int, place: Address) -> None:
        """A seat, or somebody who pretends to be it, announces itself here."""
        announced = self._known[seat].announced
        is_news = place not in self.of(seat)
        if place in announced:
            announced.remove(place)
        announced.insert(0, place)
        del announced[PLACES_ANNOUNCED_MAX:]
        if is_news:
            self._tell(seat)

    def link(self, seat: int, host: str, port: int | None) -> None:
        """A link with this seat stands; `port` is where it listens, if we called it there."""
        known = self._known[seat]
        listens = port or next((at for _, at in self.of(seat)), None)
        if listens is None:
            return
        known.linked = [(host, listens)]
        if self._memory is not None and len(self._first) == len(self._known):
            kept = list(self._memory.addresses)
            kept[seat] = (host, listens)
            if kept != self._memory.addresses:
                self._memory.keep_addresses(kept)

    def receive(self, message: list[object]) -> bool:
        """Take in where a seat says that it is, whoever brought it; whether that is news.

        Raises:
            MalformedFrame, BadSignature: nobody at this table has signed it.
        """
        seat, count, places = _parse(message, self._replica)
        known = self._said.get(seat)
        if known is not None and count <= _count(known):
            return False
        identity = self._replica.roster.seats[seat].identity
        signature = message[4]
        assert isinstance(signature, bytes), "that was looked at when it was read"
        verify(identity, signature, _bytes(self._replica.game_id, message[1:4]))
        if self._memory is not None and not self._said_often.allows(str(seat)):
            return False  # It may say so again.
        if seat == self._replica.me:
            self._count = max(self._count, count)
            return False
        is_new = set(places) - set(self.of(seat))
        self._said[seat], self._known[seat].signed = message, places
        if self._memory is not None:
            self._memory.keep_place(seat, message)
        if is_new:
            self._tell(seat)
        return True

    def _tell(self, seat: int) -> None:
        if self._woken_often.allows(str(seat)):
            self.on_news(seat)

    # ---- what I say ----

    def stay(self, places: Sequence[Address]) -> list[object] | None:
        """I am to be reached here from now on: what the others have to be told, if it is news."""
        replica, me = self._replica, self._replica.me
        assert me is not None and replica.identity is not None, "whoever plays has a seat"
        plain: list[object] = [list(place) for place in places[:PLACES_SIGNED_MAX]]
        memory = self._memory
        before = self._said.get(me) or (memory.places.get(me) if memory is not None else None)
        last = 0 if before is None else _count(before)
        if before is not None and before[3] == plain and last >= self._count:
            self._said[me] = before
            return None
        said: list[object] = [me, max(last, self._count) + 1, plain]
        message = ["at", *said, replica.identity.sign(_bytes(replica.game_id, said))]
        self._said[me] = message
        if memory is not None:
            memory.keep_place(me, message)
        return message

    def greeting(self, seat: int) -> list[list[object]]:
        """Where everybody else is, as far as I know, for a seat that has just been linked."""
        return [message for author, message in sorted(self._said.items()) if author != seat]

    # ---- where to call ----

    def of(self, seat: int) -> list[Address]:
        """Where a seat may be reached, the likeliest first."""
        known = self._known[seat]
        first = self._first[seat : seat + 1]
        here = [(host or LOOPBACK, port) for host, port in first]
        every = (*known.announced, *known.linked, *self._given, *known.signed, *here)
        return list(dict.fromkeys(every))

    def is_elsewhere(self, seat: int) -> bool:
        """Whether a seat is, or was, on another machine, as far as I know."""
        return any(not is_here(host) for host, _ in self.of(seat))


def _parse(message: list[object], replica: Replica) -> tuple[int, int, list[Address]]:
    match message:
        case ["at", int(seat), int(count), list(places), bytes()] if (
            type(seat) is int
            and type(count) is int
            and seat in replica.seats
            and 0 < count < COUNT_MAX
            and len(places) <= PLACES_SIGNED_MAX
        ):
            return seat, count, [_place(place) for place in places]
    raise MalformedFrame("this message is none that we know")


def _place(value: object) -> Address:
    match value:
        case [str(host), int(port)] if 0 < port <= PORT_MAX and is_address(host):
            return host, port
    raise MalformedFrame("an address is a host and a port")


def _count(message: list[object]) -> int:
    count = message[2]
    assert isinstance(count, int), "that was looked at when it was read"
    return count


def _bytes(game: bytes, said: Sequence[object]) -> bytes:
    return _LABEL + encode([game, *said])
