"""The same table once more: who may sit there, what is played, and who opens it.

Nobody has to agree beforehand, and no message is sent for it: whoever wants to play again first
opens a table like the old one, with the same bots, at which nobody but the old players gets a seat.
Whoever wants it after that finds that table and sits down, if it has the terms of the old one.  So
a game begins when all want it, with a file of its own.  If two open theirs at once, the one with
the higher seat gives way.  Anybody can announce a table in somebody's name, so one counts only
when its opener answers there.

Whoever opened it can let bots have the seats of those who do not come.  That is another table: the
one that fills is closed, all who sit there are told why, and sit down at the new one if they like.

The password of the old table is in no file and is not asked for again: identities say who may sit.

What this does not protect against: a network without multicast.  There the address of the new table
has to be typed, as for any other table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias, TypeVar

import trio

from core.errors import HostlessError
from p2p.base.identity import Identity
from p2p.base.limits import GRACE_S, PERSONS_MIN
from p2p.base.roster import Replacement, Roster
from p2p.net.dialling import is_there
from p2p.net.discovery import TableAd, browsing
from p2p.net.link import Address
from p2p.session.commands import OpenTable
from p2p.session.news import Gathering, News
from p2p.table.gathering import SeatingList, missed_at
from p2p.table.terms import check_terms, terms_text

# Whether the opener of an announced table is where the announcement says.
Answers: TypeAlias = Callable[[TableAd], Awaitable[bool]]

Kept = TypeVar("Kept")
Keep: TypeAlias = Callable[[Roster, Sequence[Address]], Kept]

FIND_AGAIN_S: Final = 1.5  # For a table of somebody else, announced every second.
GIVE_WAY_S: Final = 5.0  # In which two who opened at once notice each other.


class RematchTerms:
    """A table that is over, as one of its players sees it."""

    def __init__(self, roster: Roster | None, me: bytes) -> None:
        """`me` is my identity.

        Raises:
            HostlessError: I did not play there.
        """
        seat = None if roster is None else roster.seat_of(me)
        if roster is None or seat is None:
            raise HostlessError("you had no seat at this table", "open one in the lobby")
        self.roster, self.me = roster, seat
        self.persons = {
            each.identity: at for at, each in enumerate(roster.seats) if not each.is_bot
        }

    @property
    def names(self) -> Mapping[bytes, str]:
        """Everybody who played, by identity: for them the seats are kept."""
        return {identity: self.roster.seats[at].shown_name for identity, at in self.persons.items()}

    def telling(self, publish: Callable[[News], object]) -> Callable[[News], object]:
        """`publish`, where a table that fills says for whom seats are kept who have not come.

        For whom they are where bots have some of them, the opener alone knows.
        """

        def tell(news: News) -> None:
            if isinstance(news, Gathering) and not news.table.is_filled:
                news = missed_at(news, self.names)
            publish(news)

        return tell

    def keeping(self, keep: Keep[Kept]) -> Keep[Kept]:
        """`keep`, for a game that is like the old one; it raises HostlessError for another."""

        def check_and_keep(roster: Roster, addresses: Sequence[Address]) -> Kept:
            self.check(roster)
            return keep(roster, addresses)

        return check_and_keep

    @property
    def is_alone(self) -> bool:
        """Whether only bots played with me."""
        return len(self.persons) == 1

    def command(self) -> OpenTable:
        """A table like the old one."""
        roster, bots = self.roster, [seat for seat in self.roster.seats if seat.is_bot]
        terms = [seat.bot_terms for seat in bots if seat.bot_terms is not None]
        level = terms[0].level if terms else ""
        replacement = roster.replacement
        return OpenTable(
            roster.game, len(roster.seats), len(bots), level or "steady", dict(roster.options),
            name=roster.table, is_local=self.is_alone,
            iterations=terms[0].iterations if level else 0,
            are_bots_open=bool(roster.open_seats()), opens_hands=roster.opens_hands,
            is_escrowed=roster.is_escrowed, grace_s=_grace_s(replacement), clock=roster.clock,
            keeps_seats=True,
        )  # fmt: skip

    async def find_again(self, answers: Answers) -> TableAd:
        """The table of the one to whom mine gave way.

        Raises:
            HostlessError: it is gone.
        """
        table = await self.find(answers)
        if table is None:
            raise HostlessError("the others have opened no table again", "press the key once more")
        return table

    def is_again(self, ad: TableAd) -> bool:
        """Whether somebody else of this table has opened it once more."""
        same, seat = self.command(), self.persons.get(ad.opener)
        same = replace(same, is_filled=ad.is_filled)
        terms = (same.name, same.game, same.seats, terms_text(same))
        is_same = (ad.name, ad.game, ad.seats, ad.options) == terms
        return is_same and ad.is_joinable and seat is not None and seat != self.me

    def check(self, roster: Roster) -> None:
        """Make sure that the game that begins is like the old one, for the same people.

        Bots may have the seats of some of them: that was told to all who sat there, and the list of
        seats shows it.  An announcement says less, and may be cut off.  How far bots think is up to
        their machine.

        Raises:
            HostlessError: it is another one.
        """
        again = RematchTerms(roster, self.roster.seats[self.me].identity)
        old, new = (replace(each.command(), bots=0, iterations=0) for each in (self, again))
        if new != old or not again.persons.keys() <= self.persons.keys():
            raise HostlessError("this is not the same table once more", "open one in the lobby")

    def is_before_mine(self, ad: TableAd) -> bool:
        """Whether it was opened by somebody to whose table mine gives way."""
        return self.is_again(ad) and self.persons[ad.opener] < self.me

    async def find(self, answers: Answers) -> TableAd | None:
        """The table that somebody else has opened, if any."""
        if self.is_alone:
            return None
        return await _first(self.is_again, answers, FIND_AGAIN_S)

    async def give_way(self, opening: trio.CancelScope, answers: Answers) -> None:
        """Stop opening mine if somebody with a lower seat has opened one at the same time."""
        if self.is_alone:
            return
        if await _first(self.is_before_mine, answers, GIVE_WAY_S) is not None:
            opening.cancel()


class Filling(NamedTuple):
    """A table of mine that fills: what was asked for, and who sits there."""

    command: OpenTable
    seats: SeatingList


class WithBots(NamedTuple):
    """A rematch once more, without those who have not come."""

    seats: SeatingList  # Of before.
    command: OpenTable
    kept_for: Mapping[bytes, str]  # Whoever was here.
    missing: tuple[str, ...]
    replaced: frozenset[bytes]  # Those, and in whose place a bot was before.

    @property
    def why(self) -> str:
        """What those who are here are told: other terms are theirs to agree to, by a key."""
        names = ", ".join(self.missing)
        return f"it is open again with bots in place of {names}, and you may sit down there"

    async def send_away(self) -> None:
        """Tell all who are here; whoever comes meanwhile hears what it would hear afterwards."""
        self.seats.replaced = self.replaced
        await self.seats.send_away(self.why)


def with_bots(filling: Filling | None, *, can_think: bool) -> WithBots:
    """The same table with a bot on each seat that is kept for somebody who has not come.

    Raises:
        HostlessError: nobody is missing, nobody but me is here, or there is no such table.
    """
    if filling is None:
        raise _nothing_to_fill()
    seats = filling.seats
    here = {seats.mine.identity, *(guest.seat.identity for guest in seats.guests.values())}
    kept_for = {who: name for who, name in seats.kept_for.items() if who in here}
    gone = seats.kept_for.keys() - here
    missing = tuple(name for who, name in seats.kept_for.items() if who in gone)
    if not missing or len(kept_for) < PERSONS_MIN:
        raise _nothing_to_fill()
    bots = filling.command.bots + len(missing)
    command = replace(filling.command, bots=bots, is_filled=True)
    check_terms(command, can_think=can_think)
    replaced = frozenset(gone.union(seats.replaced))
    return WithBots(seats, command, kept_for, missing, replaced)


def _nothing_to_fill() -> HostlessError:
    return HostlessError(
        "bots take seats only at a rematch of yours, for who has not come while others have"
    )


async def opener_answers(identity: Identity, name: str, ad: TableAd) -> bool:
    """Whether who is said to have opened a table listens there; it is told who asks."""
    return await is_there(ad.places, identity, name, ad.opener)


async def _first(
    is_wanted: Callable[[TableAd], bool], answers: Answers, seconds: float
) -> TableAd | None:
    """The first announced table that is wanted and whose opener answers; all are asked at once."""
    found, asked = list[TableAd](), list[TableAd]()

    async def ask(ad: TableAd, asking: trio.CancelScope) -> None:
        if await answers(ad):
            found.append(ad)
            asking.cancel()

    with trio.move_on_after(seconds):
        async with browsing() as sightings, trio.open_nursery() as nursery:
            async for tables in sightings:
                fresh = [ad for ad in tables if is_wanted(ad) and ad not in asked]
                asked += fresh
                for ad in fresh:
                    nursery.start_soon(ask, ad, nursery.cancel_scope)
    return found[0] if found else None


def _grace_s(replacement: Replacement | None) -> int:
    return GRACE_S if replacement is None else replacement.grace_s
