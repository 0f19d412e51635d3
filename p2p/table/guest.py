"""Sitting down: a guest at a table that fills, until its game has begun.

What is said stands in `p2p.table.gathering`, which is the other end.  A guest plays only at a
roster that has its own identity and its own fresh nonce, and the rules and options that were
announced.  It puts the game on its disk before it says so, and plays when all have done that:
nobody ever has a seat in a game of which its machine knows nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar

import trio

from core.errors import HostlessError
from core.game import complete_options
from core.table import RulesError
from p2p.base.errors import MalformedFrame
from p2p.base.limits import REASON_LETTERS_MAX, TABLE_SEATS_MAX
from p2p.base.loading import load_game
from p2p.base.names import numbered, one_line, skeleton
from p2p.base.roster import BotTerms, Roster, Seat, check_sponsors, parse_roster
from p2p.net.announcements import PASSWORD_ASKED, TableAd, parse_ad
from p2p.net.interfaces import is_address
from p2p.net.link import RECEIVE_ERRORS, Address, Link
from p2p.net.password import PasswordRefused, show_password
from p2p.session.news import Gathering
from p2p.table.gathering import seat_states
from p2p.table.terms import options_text

Measure = Callable[[BotTerms, str, int], Awaitable[BotTerms]]
"""How a bot of this kind thinks about a game with so many seats, on this machine."""
NO_PASSWORD: Final = "join it without one, if it is the table that you mean"


class SeatRefused(HostlessError):
    """The table did not give us a seat."""


class Discardable(Protocol):
    """A game that is on disk, of which nobody has played anything yet."""

    def discard(self) -> None:
        """Take it away again: the table has lost somebody, and its game will be another one."""


GameT = TypeVar("GameT", bound=Discardable)


async def unmeasured(bot_terms: BotTerms, game: str, seats: int) -> BotTerms:
    """The `Measure` of whoever is no bot of ours."""
    raise AssertionError("a bot whose speed matters can measure it")


@dataclass(frozen=True, slots=True)
class Guest(Generic[GameT]):
    """Who sits down, and what its program does there."""

    mine: Seat
    port: int  # Where it listens.
    tell: Callable[[Gathering], object]
    keep: Callable[[Roster, list[Address]], GameT]  # Put the game on disk.
    measure: Measure = unmeasured  # What a bot does to know how far it can think.
    password: str = ""  # If one is given, only a table that knows it as well is meant.


async def take_seat(link: Link, guest: Guest[GameT]) -> GameT:
    """Sit down at the table behind `link`; gives the game, which all others have as well.

    Raises:
        SeatRefused: there is no seat for us, or the opener left, or deals with false names.
        PasswordRefused: the table asks for a password that we do not have, or for none.
    """
    visit = _Visit(link, guest)
    try:
        await link.send(visit.sit())
        while not visit.has_begun:
            await visit.receive(await link.receive())
    except RECEIVE_ERRORS:
        raise visit.lost() from None
    finally:
        if not visit.has_begun:  # Whoever gets up frees the seat: the opener sees a link end.
            with trio.CancelScope(shield=True):
                await link.aclose()
    assert visit.kept is not None, "a game begins when it is on disk"
    return visit.kept


class _Visit(Generic[GameT]):
    """A guest, as far as it has come."""

    def __init__(self, link: Link, guest: Guest[GameT]) -> None:
        self._link, self._guest, self._mine = link, guest, guest.mine
        self._promised: TableAd | None = None
        self._was_asked = False  # For the password.
        self.kept: GameT | None = None
        self.has_begun = False

    def sit(self) -> list[object]:
        """What one says first."""
        mine, terms = self._mine, self._mine.bot_terms
        return [
            *("sit", mine.name, mine.nonce, terms and terms.plain()),
            *(mine.sponsor, self._guest.port),
        ]

    def lost(self) -> SeatRefused:
        """What to say when the link has ended."""
        if self.kept is None:
            return SeatRefused("the table was closed by the one who opened it")
        return SeatRefused(
            "the link to the table was lost as the game began",
            "look for the table again, or resume the game if the others play",
        )

    async def receive(self, message: object) -> None:
        """The opener says something.

        Raises:
            SeatRefused: nothing that leads to a game of ours.
        """
        match message:
            case ["refused", str(sentence)]:
                raise self._refusal(one_line(sentence, REASON_LETTERS_MAX))
            case ["password", bytes(share)] if self._promised is None and not self._was_asked:
                password = self._guest.password
                await show_password(self._link, share, password, self._mine.identity)
                self._was_asked = True
            case ["gathering", table, int(index), list(seats)]:
                await self._hear_who_sits(table, index, seats)
            case ["called", str(name)] if name in _other_names(self._guest.mine.name):
                self._mine = replace(self._mine, name=name)
            case ["roster", value, list(addresses)] if self.kept is None:
                await self._keep(value, addresses)
            case ["begin"] if self.kept is not None:
                self.has_begun = True
            case _:
                raise SeatRefused("the table answers in words we do not know")

    def _refusal(self, why: str) -> SeatRefused:
        if self._promised is None:
            return SeatRefused(f"no seat: {why}")
        return SeatRefused(f"the table was closed by the one who opened it: {why}")

    async def _hear_who_sits(self, table: object, index: int, seats: list[object]) -> None:
        if self._guest.password and not self._was_asked:
            raise PasswordRefused("this table asks for no password", NO_PASSWORD)
        gathering = await _gathering(self._link, table, index, seats)
        self._promised = gathering.table
        if self.kept is not None:  # Somebody left before all had the game.
            self.kept.discard()
            self.kept = None
        self._guest.tell(gathering)
        terms = self._mine.bot_terms
        if terms is not None and not terms.is_known:
            known = await self._guest.measure(terms, gathering.table.game, gathering.table.seats)
            self._mine = replace(self._mine, bot_terms=known)
            await self._link.send(["mind", known.plain()])

    async def _keep(self, value: object, addresses: list[object]) -> None:
        roster = _check_roster(value, self._mine, self._promised, was_asked=self._was_asked)
        places = _parse_addresses(addresses, len(roster.seats), self._link.remote_host)
        self.kept = self._guest.keep(roster, places)
        await self._link.send(["kept", roster.game_id])


def _other_names(name: str) -> list[str]:
    """What somebody may be called where others have the same name."""
    return [numbered(name, number) for number in range(2, TABLE_SEATS_MAX + 1)]


async def _gathering(link: Link, table: object, index: int, seats: list[object]) -> Gathering:
    """What a guest's screen shows while the table fills."""
    try:
        ad = parse_ad(table, link.remote_host, "address")
        if len(seats) != ad.seats or not 0 <= index < ad.seats:
            raise MalformedFrame("the table has other seats than it announces")
        game = await load_game(ad.game)
        complete_options(game, ad.seats, {})  # Bots are measured at such a game.
        return Gathering(ad, index, seat_states(seats, index))
    except (MalformedFrame, RulesError) as error:
        raise SeatRefused(str(error)) from error


def _check_roster(
    value: object, mine: Seat, promised: TableAd | None, *, was_asked: bool
) -> Roster:
    try:
        roster = parse_roster(value)
        check_sponsors(roster)
    except MalformedFrame as error:
        raise SeatRefused(str(error)) from error
    if mine not in roster.seats:
        raise SeatRefused("the opener began the game without us, or under a false name")
    if len({skeleton(seat.name) for seat in roster.seats}) < len(roster.seats):
        raise SeatRefused("two seats of the table have names that look the same")
    terms = [] if roster.replacement is None else roster.replacement.options()
    kept = "" if promised is None else promised.kept  # For whom, the old game says.
    asked = [PASSWORD_ASKED] * was_asked + [kept] * bool(kept)
    options = options_text(
        roster.options, terms, opens_hands=roster.opens_hands, asked=asked, clock=roster.clock
    )
    given = (roster.game, len(roster.seats), options)
    if promised is None or given != (promised.game, promised.seats, promised.options):
        raise SeatRefused("the opener began another game than the one announced")
    return roster


def _parse_addresses(values: list[object], count: int, opener: str) -> list[Address]:
    if len(values) != count:
        raise SeatRefused("the table answers in words we do not know")
    addresses: list[Address] = []
    for value in values:
        match value:
            case [str(host), int(port)] if 0 < port < 1 << 16 and (not host or is_address(host)):
                addresses.append((host or opener, port))
            case _:
                raise SeatRefused("the table answers in words we do not know")
    return addresses
