"""Owners who are back: each asks for its seat, and all who are live agree (see `returning`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from p2p.base.errors import MalformedFrame
from p2p.log.membership_change import check_wish, give_back, wish
from p2p.log.replica import Replica
from p2p.log.votes import RETURNED


class Others(Protocol):
    """What a homecoming needs of a running game."""

    replica: Replica

    def is_there(self) -> bool:
        """Whether I have all that those have who are linked, as they say."""

    async def broadcast(self, message: list[object]) -> None:
        """Tell every seat that is linked."""


class Homecoming:
    """What owners have asked for, and what I say to it."""

    def __init__(
        self,
        session: Others,
        say: Callable[[int, int, bool | None], Awaitable[None]],
        may_return: Callable[[int], bool],
    ) -> None:
        """`say` gives my word about a seat in a round, if it `may_return` now."""
        self._session, self._replica = session, session.replica
        self._say, self._may_return = say, may_return
        self._knocked = -1  # The turn of my seat in which I have asked for it.
        self._wishes: dict[int, tuple[int, bytes]] = {}  # By seat: in which turn, and signed.

    async def ask(self) -> None:
        """Ask for my seat, if all others speak for it and I have what they have.

        Not sooner: they would wait for me until I had caught up.
        """
        replica, identity = self._replica, self._replica.identity
        mine = replica.open_seats - set(replica.roster.open_seats())
        if identity is None or replica.me is None or replica.me not in mine:
            return
        if self._session.is_there():
            self._knocked = turn = replica.seating.turns[replica.me]
            await self._session.broadcast(wish(identity, replica.game_id, replica.me, turn))

    async def knock(self) -> None:
        """Ask as soon as I may, for the first time."""
        replica = self._replica
        if replica.me is not None and self._knocked != replica.seating.turns[replica.me]:
            await self.ask()

    def hear(self, seat: int, turn: int, signature: bytes) -> bool:
        """An owner asks for its seat; whether that is news.

        Raises:
            MalformedFrame, BadSignature: it does not.
        """
        if seat not in self._replica.seats:
            raise MalformedFrame("nobody like that sits here")
        is_open = seat in self._replica.open_seats and self._replica.seating.turns[seat] == turn
        if not is_open or self._wishes.get(seat) == (turn, signature):
            return False
        owner = self._replica.roster.seats[seat].identity
        check_wish(owner, self._replica.game_id, seat, turn, signature)
        self._wishes[seat] = turn, signature
        return True

    async def progress(self) -> bool:
        """Give my word for those who have asked.  True when a seat has gone back."""
        for seat in list(self._wishes):
            if await self._give_back(seat):
                return True
        return False

    async def _give_back(self, seat: int) -> bool:
        """Agree that a seat is its owner's again, where nothing is being opened."""
        replica, absence = self._replica, self._replica.absence
        turn, signature = self._wishes[seat]
        if replica.seating.turns[seat] != turn or seat in replica.guilty:
            del self._wishes[seat]
            return False
        if replica.step is None or not replica.step.is_choice or replica.is_held:
            return False
        number = absence.round_of(seat, RETURNED)
        if absence.mine(seat, number) is None and self._may_return(seat):
            await self._session.broadcast(["return", seat, turn, signature])
            await self._say(seat, number, True)
        agreed = absence.agreed(seat, replica.play.live, RETURNED)
        if agreed is None or absence.binds_me(seat):
            return False
        entry = give_back(replica, seat, agreed, signature)
        replica.receive(entry.raw)
        await self._session.broadcast(["entry", entry.raw])
        return True
