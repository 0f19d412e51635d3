"""Taking seats: the opener keeps the list of who sits where until the table is full.

    guest                                  opener
    ["sit", name, nonce, mind, sponsor, port]  ->
                          <->              a table with a password: see `p2p.net.password`
                          <-  ["refused", sentence]
                          <-  ["gathering", table, seat, [[name, identity, mind, sponsor], ...]]
    ["mind", mind]        ->                 a bot, once it knows how fast it thinks about this game
                          <-  ["roster", roster, [[host, port], ...]]
    ["kept", game id]     ->                 its files of this game are on its disk
                          <-  ["begin"]      all have said so; or "gathering": somebody left

Nobody has to trust the opener: `p2p.table.guest` says what a guest checks.  What an opener can do
is refuse people or never begin, as anybody who invites people can.

What all agree on before anybody sits down, the terms of a table, stands in `p2p.table.terms`.
"""

from __future__ import annotations

import math
import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import trio

from core.games import find_game
from core.table import OptionValue
from p2p.base.clock import TimeControl
from p2p.base.errors import MalformedFrame
from p2p.base.identity import IDENTITY_BYTES, words
from p2p.base.limits import KEEP_S, MEASURE_S, Role
from p2p.base.names import is_clean_name, numbered, skeleton
from p2p.base.roster import (
    ESCROW_PERSONS_MIN,
    NONCE_BYTES,
    BotTerms,
    Replacement,
    Roster,
    Seat,
    parse_bot_terms,
    rules_id,
)
from p2p.net.announcements import TableAd
from p2p.net.discovery import announcing
from p2p.net.interfaces import LOOPBACK, address_here, is_here
from p2p.net.link import RECEIVE_ERRORS, SEND_ERRORS, Address, Link, turn_away
from p2p.net.password import Gate
from p2p.session.news import Gathering, SeatState, seat_state
from p2p.table.held_up import HASTE_S, HeldUp
from p2p.table.life_cycles import VISIT_LIFE, LifeCycle, VisitEvent, VisitPhase


@dataclass(frozen=True, slots=True)
class Me:
    """What I bring to a table."""

    identity: bytes
    name: str
    bot_terms: BotTerms | None = None
    sponsor: bytes = b""

    def seat(self) -> Seat:
        """My seat with a nonce that was never used before."""
        return Seat(self.identity, self.name, os.urandom(NONCE_BYTES), self.bot_terms, self.sponsor)


@dataclass(slots=True)
class SeatedGuest:
    """Somebody who has taken a seat, as the opener knows them."""

    seat: Seat
    link: Link
    address: Address
    is_told: bool = False  # Which table this is.
    is_late: bool = False  # It has not said in time that it has the game.
    visit: LifeCycle[VisitPhase, VisitEvent] = field(
        default_factory=lambda: LifeCycle(VISIT_LIFE, VisitPhase.SEATED)
    )

    @property
    def is_measured(self) -> bool:
        """Whether nobody waits to hear how it thinks."""
        return self.seat.bot_terms is None or self.seat.bot_terms.is_known


@dataclass(slots=True)
class SeatingList:
    """The opener's list of a table that is filling."""

    ad: TableAd
    options: tuple[tuple[str, OptionValue], ...]
    mine: Seat
    changed: Callable[[], object]  # Called whenever somebody sat down or got up.
    opens_hands: bool = False
    open_bots: tuple[Seat, ...] = ()  # On the last seats.
    gate: Gate | None = None  # Of a table with a password.
    # Who alone may sit down, beside bots of mine, with their names; nobody: anybody may.
    kept_for: Mapping[bytes, str] = field(default_factory=dict)
    replaced: Collection[bytes] = ()  # Who did not come for so long that a bot has the seat.
    is_escrowed: bool = False  # Then three persons have to come.
    replacement: Replacement | None = None  # Known once it has been measured how far it thinks.
    clock: TimeControl | None = None
    guests: dict[int, SeatedGuest] = field(default_factory=dict)
    held_up: HeldUp = field(default_factory=HeldUp)  # By guests who have gone.
    is_ready: bool = True  # Whether nothing but guests is missing.
    is_closed: bool = False
    full: trio.Event = field(default_factory=trio.Event)
    _heard: trio.Event = field(default_factory=trio.Event)  # From a guest that has the roster.
    _closed_at: float = 0.0

    async def admit(self, link: Link, message: object) -> None:
        """Answer a "sit", and keep the guest until it leaves or the game begins."""
        seat, address = self._parse(link, message)
        visit = LifeCycle(VISIT_LIFE, VisitPhase.ANNOUNCED)
        visit.change(VisitEvent.SIT)
        refusal = await self._refusal(link) or self._why_no_seat(seat, link.remote_host)
        if refusal:
            visit.change(VisitEvent.REFUSED)
            await turn_away(link, refusal)
            return
        visit.change(VisitEvent.ADMITTED)
        index = self._free()[0]
        named = replace(seat, name=self._free_name(seat.name))
        self.guests[index] = SeatedGuest(named, link, address, visit=visit)
        link.become(Role.GUEST)
        with suppress(*RECEIVE_ERRORS, MalformedFrame):
            if named != seat:
                await link.send(["called", named.name])
            await self._tell_all()
            await self._hear(index, link)
        await self._let_go(index, link)

    async def _hear(self, index: int, link: Link) -> None:
        """Listen to a guest until it has to leave; to a bot that is never measured not for long."""
        with trio.CancelScope() as measuring:
            if not self.guests[index].is_measured:
                measuring.deadline = trio.current_time() + MEASURE_S
            while (is_news := self._learn(index, await link.receive())) is not None:
                if is_news:
                    measuring.deadline = math.inf
                    await self._tell_all()

    async def _refusal(self, link: Link) -> str:
        """Why somebody may not even sit down where a seat is free; empty if they may."""
        try:
            return "" if self.gate is None else await self.gate.admits(link)
        except trio.Cancelled:  # The game has begun without them.
            with trio.CancelScope(shield=True):
                await link.aclose()
            raise

    def _learn(self, index: int, message: object) -> bool | None:
        """Take in how a bot thinks, or that a guest has the game on its disk.

        Gives whether the others have to know; None for anything else: then the guest leaves.
        """
        guest = self.guests.get(index)
        bot_terms = None if guest is None else guest.seat.bot_terms
        match message:
            case ["kept", bytes(game_id)] if guest:
                if guest.visit.phase is VisitPhase.ROSTER and game_id == self.roster().game_id:
                    guest.visit.change(VisitEvent.KEPT)
                    self._heard.set()
                return False  # Or it is about a game that somebody has left.
            case ["mind", value] if guest and bot_terms is not None and not bot_terms.is_known:
                known = parse_bot_terms(value)
                if known is not None and known.is_known and known.is_of(bot_terms):
                    guest.seat = replace(guest.seat, bot_terms=known)
                    return True
        return None

    async def _let_go(self, index: int, link: Link) -> None:
        """A guest has left, or is sent away; a table that was full has a free seat again."""
        guest = self.guests.get(index)
        if guest is None or guest.link is not link or guest.visit.phase is VisitPhase.GAME:
            return
        if self._holds_up(guest):
            self.held_up.note(guest.seat, guest.address[0])
        guest.visit.change(VisitEvent.CLOSED)
        del self.guests[index]
        if self.is_closed:
            self.is_closed, self.full = False, trio.Event()
            for other in self.guests.values():
                other.visit.change(VisitEvent.REOPENED)
            self._heard.set()
        await link.aclose()
        await self._tell_all()

    def _holds_up(self, guest: SeatedGuest) -> bool:
        """Whether all others have waited for a guest in vain if it goes now.

        Who has the game, and goes when others have let it wait for long, has not.
        """
        is_hasty = trio.current_time() < self._closed_at + HASTE_S
        is_in_it = guest.visit.phase is VisitPhase.KEPT and is_hasty
        is_in_it |= guest.visit.phase is VisitPhase.ROSTER
        return guest.is_late or not guest.is_measured or is_in_it

    def _parse(self, link: Link, message: object) -> tuple[Seat, Address]:
        match message:
            case [
                "sit", str(name), bytes(nonce), bot_terms, bytes(sponsor), int(port)
            ] if (
                len(nonce) == NONCE_BYTES
                and is_clean_name(name)
                and len(sponsor) in (0, IDENTITY_BYTES)
                and 0 < port < 1 << 16
            ):  # fmt: skip
                seat = Seat(link.peer, name, nonce, parse_bot_terms(bot_terms), sponsor)
                return seat, (link.remote_host, port)
        raise MalformedFrame("to sit down one says the table, a name, a nonce and a port")

    def _why_no_seat(self, seat: Seat, host: str) -> str:
        """Why somebody gets no seat; empty if they get one.

        `host` is where the guest calls from: bots of mine are programs of this machine.
        """
        is_mine = seat.sponsor == self.mine.identity and is_here(host)
        if seat.sponsor and (seat.bot_terms is None or not is_mine):
            return "a bot is run by whoever opened the table, or by nobody there"
        if seat.identity in {each.identity for each in self._taken().values()}:
            return "you already sit at this table"
        if seat.identity in self.replaced:
            return "a bot has the seat that was kept for you"
        if self.held_up.is_too_often(seat, host):
            return "this table has waited for you too often"
        if self.kept_for and not seat.sponsor and seat.identity not in self.kept_for:
            return "the seats of this table are kept for those who played at it before"
        bots = sum(each.is_bot for each in (*self._taken().values(), seat))
        if self.is_escrowed and seat.is_bot and self.ad.seats - bots < ESCROW_PERSONS_MIN:
            return "keys are in escrow here, so this seat is for a person"
        return "the table is full" if self.is_closed or not self._free() else ""

    def _free(self) -> list[int]:
        """The seats at which nobody sits, the first one first."""
        return [index for index in range(self.ad.seats) if index not in self._taken()]

    def _free_name(self, name: str) -> str:
        """The name, with a number behind it if one that looks the same sits here already."""
        taken = {skeleton(seat.name) for seat in self._taken().values()}
        names = (numbered(name, number) for number in range(1, self.ad.seats + 1))
        return next(each for each in names if skeleton(each) not in taken)

    async def _tell_all(self) -> None:
        seats = self.plain_seats()
        for index, guest in list(self.guests.items()):
            guest.is_told = True  # Or gone, which is noticed elsewhere.
            try:
                await guest.link.send(["gathering", self.shown_ad().plain(), index, seats])
            except SEND_ERRORS:
                continue  # Its own task notices and frees the seat.
        self.close_if_full()
        self.changed()

    def close_if_full(self) -> None:
        """Close a table whose seats are taken: from now on nobody's seat becomes free again.

        It is full once every guest knows where it sits, and every bot has been measured.
        """
        taken = self._taken().values()
        are_known = all(seat.bot_terms is None or seat.bot_terms.is_known for seat in taken)
        are_told = all(each.is_told for each in self.guests.values())
        if self.is_closed or not (self.is_ready and are_known and are_told):
            return
        if len(taken) == self.ad.seats:
            self.is_closed, self._closed_at = True, trio.current_time()
            self.full.set()
            for guest in self.guests.values():
                guest.visit.change(VisitEvent.FULL)

    async def keep_everywhere(self) -> None:
        """Wait until the table is full, and all guests have the game on their disks.

        Whoever leaves before, or says nothing, frees its seat: then the table fills anew.
        """
        while True:
            await self.full.wait()
            await self._tell_roster()
            with trio.move_on_after(KEEP_S):
                while self.is_closed and not self._is_kept_by_all():
                    self._heard = trio.Event()
                    await self._heard.wait()
            if self.is_closed and self._is_kept_by_all():
                return
            for guest in self.guests.values():
                guest.is_late = self.is_closed and guest.visit.phase is VisitPhase.ROSTER
            for index, guest in list(self.guests.items()):
                if guest.is_late:
                    await self._let_go(index, guest.link)

    def _is_kept_by_all(self) -> bool:
        return all(guest.visit.phase is VisitPhase.KEPT for guest in self.guests.values())

    async def _tell_roster(self) -> None:
        places = [list(place) for place in self.addresses(self.ad.port)]
        message = ["roster", self.roster().plain(), places]
        for guest in list(self.guests.values()):
            if self.is_closed:
                with suppress(*SEND_ERRORS):
                    await guest.link.send(message)  # Whoever is gone is noticed by its own task.

    async def send_away(self, why: str) -> None:
        """Say to all persons who sit here why they have to leave."""
        for guest in list(self.guests.values()):
            if guest.seat.bot_terms is None:
                with suppress(*SEND_ERRORS):
                    await turn_away(guest.link, why)

    async def begin(self) -> None:
        """Let all guests play: it is their game now as well, whether they hear this or not."""
        for guest in self.guests.values():
            guest.visit.change(VisitEvent.BEGIN)
            guest.link.become(Role.MEMBER)
        for guest in list(self.guests.values()):
            with suppress(*SEND_ERRORS):
                await guest.link.send(["begin"])

    def seats_bot(self, name: str, sponsor: bytes) -> bool:
        """Whether a bot of that name that somebody runs has a seat."""
        guests = [guest.seat for guest in self.guests.values()]
        return (name, sponsor) in [(seat.name, seat.sponsor) for seat in guests]

    def has_room(self) -> bool:
        """Whether some seat is free."""
        return bool(self._free())

    def _taken(self) -> dict[int, Seat]:
        first = self.ad.seats - len(self.open_bots)
        guests = {index: guest.seat for index, guest in self.guests.items()}
        return {0: self.mine, **guests, **dict(enumerate(self.open_bots, first))}

    def shown_ad(self) -> TableAd:
        """The announcement with the number of seats that are taken now."""
        return replace(self.ad, taken=len(self._taken()))

    def plain_seats(self) -> list[object]:
        """[[name, identity, mind, sponsor], ...]; an empty name is a free seat."""
        taken, free = self._taken(), Seat(b"", "", b"")
        everybody = [taken.get(index, free) for index in range(self.ad.seats)]
        return [
            [seat.name, seat.identity, seat.bot_terms and seat.bot_terms.plain(), seat.sponsor]
            for seat in everybody
        ]

    def roster(self) -> Roster:
        """The table as it is now that it is full."""
        seats = tuple(seat for _, seat in sorted(self._taken().items()))
        rules = rules_id(find_game(self.ad.game))
        terms = (self.opens_hands, self.replacement, self.clock)
        return Roster(self.ad.game, rules, self.options, self.ad.name, seats, *terms)

    def addresses(self, port: int) -> list[Address]:
        """Where every seat listens; an empty host is "where you reached me"."""
        mine = ("", port)  # Also stands for open bots, whom nobody has to reach.
        guests = {index: guest.address for index, guest in self.guests.items()}
        everybody = [guests.get(index, mine) for index in range(self.ad.seats)]
        return [("", at) if is_here(host) else (host, at) for host, at in everybody]


def seat_states(seats: list[object], me: int) -> tuple[SeatState, ...]:
    """The seats of `plain_seats` for a screen.

    Raises:
        MalformedFrame: they are none, or have names that no screen should show.
    """
    names: dict[bytes, str] = {}
    states: list[SeatState] = []
    for index, value in enumerate(seats):
        match value:
            case [str(name), bytes(identity), bot_terms, bytes(sponsor)] if (
                not name or is_clean_name(name)
            ):
                here = "me" if index == me else "up" if name else "free"
                seat = Seat(identity, name, b"", parse_bot_terms(bot_terms), sponsor)
                names[identity] = seat.shown_name
                states.append(seat_state(seat, here, names))
            case _:
                raise MalformedFrame("the table answers in words we do not know")
    return tuple(states)


def gathering_of(seats: SeatingList) -> Gathering:
    """What the opener's screen shows: its address on the network from which guests have come."""
    ad = seats.shown_ad()
    hosts = [guest.link.remote_host for guest in seats.guests.values()]
    if ad.host != LOOPBACK and any(not is_here(host) for host in hosts):
        ad = replace(ad, host=address_here(hosts))
    return missed_at(Gathering(ad, 0, seat_states(seats.plain_seats(), 0)), seats.kept_for)


def missed_at(news: Gathering, kept_for: Mapping[bytes, str]) -> Gathering:
    """The same, with the names of those for whom seats are kept and who have not come."""
    here = {seat.words for seat in news.seats}
    missing = (name for identity, name in kept_for.items() if words(identity) not in here)
    return replace(news, missing=tuple(missing))


@asynccontextmanager
async def announced(ad: TableAd, seats: SeatingList, *, is_local: bool) -> AsyncIterator[None]:
    """Keep the announcement of an open table true while its seats fill."""
    if is_local:
        yield
        return
    async with announcing(ad) as update:
        tell = seats.changed

        def changed() -> None:
            tell()
            update(seats.shown_ad())

        seats.changed = changed
        yield
