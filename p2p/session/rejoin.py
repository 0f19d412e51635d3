"""Owners who are back: each asks for its seat, and all who are live agree (see `returning`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from p2p.base.errors import MalformedFrame
from p2p.log.membership_change import (
    check_seat_request,
    may_go_back,
    restoration_entry,
    seat_request,
)
from p2p.log.votes import RESTORED
from p2p.session.catching_up import CatchingUp
from p2p.session.table import RunningTable


class Rejoin:
    """What owners have asked for, and what I say to it."""

    def __init__(
        self,
        table: RunningTable,
        catching_up: CatchingUp,
        say: Callable[[int, int, bool | None], Awaitable[None]],
        may_return: Callable[[int], bool],
    ) -> None:
        """`say` gives my vote about a seat in a round, if it `may_return` now."""
        self._table, self._replica, self._catching_up = table, table.replica, catching_up
        self._say, self._may_return = say, may_return
        self._asked_in = -1  # The epoch of my seat in which I have asked for it.
        self._requests: dict[int, tuple[int, bytes]] = {}  # By seat: in which epoch, and signed.

    async def ask(self) -> None:
        """Ask for my seat, if all others speak for it and I have what they have.

        Not sooner: they would wait for me until I had caught up.
        """
        replica, identity = self._replica, self._replica.identity
        mine = replica.open_seats - set(replica.roster.open_seats())
        if identity is None or replica.me is None or replica.me not in mine:
            return
        if self._catching_up.is_there():
            self._asked_in = epoch = replica.seating.epochs[replica.me]
            await self._table.broadcast(seat_request(identity, replica.game_id, replica.me, epoch))

    async def ask_first(self) -> None:
        """Ask as soon as I may, for the first time."""
        replica = self._replica
        if replica.me is not None and self._asked_in != replica.seating.epochs[replica.me]:
            await self.ask()

    def receive(self, seat: int, epoch: int, signature: bytes) -> bool:
        """An owner asks for its seat; whether that is news.

        Raises:
            MalformedFrame, BadSignature: it does not.
        """
        if seat not in self._replica.seats:
            raise MalformedFrame("nobody like that sits here")
        is_open = seat in self._replica.open_seats and self._replica.seating.epochs[seat] == epoch
        if not is_open or self._requests.get(seat) == (epoch, signature):
            return False
        owner = self._replica.roster.seats[seat].identity
        check_seat_request(owner, self._replica.game_id, seat, epoch, signature)
        self._requests[seat] = epoch, signature
        return True

    async def progress(self) -> bool:
        """Give my vote for those who have asked.  True when a seat has gone back."""
        for seat in list(self._requests):
            if await self._give_back(seat):
                return True
        return False

    async def _give_back(self, seat: int) -> bool:
        """Agree that a seat is its owner's again, between two requests."""
        replica, votes = self._replica, self._replica.votes
        epoch, signature = self._requests[seat]
        if replica.seating.epochs[seat] != epoch or seat in replica.guilty:
            del self._requests[seat]
            return False
        is_due = not replica.is_held and not votes.is_used_up(seat, RESTORED)
        if not is_due or not may_go_back(replica, seat):
            return False
        number = votes.round_of(seat, RESTORED)
        if votes.mine(seat, number) is None and self._may_return(seat):
            await self._table.broadcast(["return", seat, epoch, signature])
            await self._say(seat, number, True)
        agreed = votes.agreed(seat, replica.play.live, RESTORED)
        if agreed is None or votes.binds_me(seat):
            return False
        entry = restoration_entry(replica, seat, agreed, signature)
        replica.receive(entry.raw)
        await self._table.broadcast(["entry", entry.raw])
        return True
