"""Leaving a table for good: a farewell that holds my key, and a bot that plays on for me."""

from __future__ import annotations

from math import inf
from typing import Final

import trio

from core.errors import HostlessError
from p2p.crypto.group import scalar_to_bytes
from p2p.log.membership.log import Log
from p2p.log.membership.messages import Farewell
from p2p.log.membership.state import Departing
from p2p.session.membership import Membership
from p2p.session.table import RunningTable

TELL_S: Final = 5.0  # Farewells are said again every 2 s.


class AllHaveLeftError(HostlessError):
    """Every member has said farewell: nobody signs anything more, and all keys are known."""


class Leaving:
    """Whether I leave, or have left, and what I say then."""

    def __init__(self, table: RunningTable, membership: Membership) -> None:
        self._table, self._replica, self._membership = table, table.replica, membership
        self.is_leaving = False
        self._owner_went: Log | None = None  # The log that ends with whoever runs me going.
        self._known_at = inf  # When I heard that everybody has left.

    def may_leave(self) -> bool:
        """Whether a bot can play on for me."""
        replica = self._replica
        has_keys = replica.play.dealing is not None and not replica.play.is_signed
        return replica.roster.replacement is not None and has_keys and replica.is_seated

    def leave(self, *, is_for_good: bool) -> bool:
        """The person gets up.  True when that can be at once, and nobody has to hear it first."""
        if not (is_for_good and self.may_leave()):
            return True
        self.is_leaving = True  # The others get my key and let a bot play on.
        self._table.wake()
        return False

    async def say_farewell(self) -> None:
        """Say farewell and give my own key to all others, in each epoch once.

        Not where I am the only member: nobody is left to let me go, and I would be bound for ever,
        with nobody to give their seats back to those who come again.
        """
        replica, kept = self._replica, self._membership.member.kept
        dealing, me = replica.play.dealing, replica.me
        is_alone = replica.tip.members == {me}
        if dealing is None or me is None or replica.play.is_signed or is_alone:
            return
        if all(said.epoch != replica.tip.epoch for said in kept.farewells):
            secret = dealing.secrets.get(me)
            key = b"" if secret is None else scalar_to_bytes(secret)
            await self._membership.feed(Departing(key))

    def note_gone(self, seat: int) -> None:
        """A seat has gone, unless that is refused.  I leave with my owner: nobody else would.

        Not before it is in force: a farewell is final, and others may refuse that my owner goes.
        """
        seats, me = self._replica.roster.seats, self._replica.me
        if me is not None and seats[me].sponsor == seats[seat].identity and me != seat:
            self._owner_went = self._replica.tip

    def follow_owner(self) -> None:
        """Leave with whoever runs me, once that has gone.

        Not as the only member: who is back, my owner perhaps, has its seat from nobody else.
        """
        log, replica = self._owner_went, self._replica
        if log is None or replica.committed < log.height:
            return
        self._owner_went = None
        is_alone = replica.tip.members == {replica.me}
        if replica.tip.find(log.head) is not None and not is_alone:
            self.is_leaving = True

    def has_left(self) -> bool:
        """Whether I have left, and so have all whom I run: nobody needs me any more.

        Nor where nobody stays: all others have said farewell as well, and let nobody go.
        """
        if not self.is_leaving or self._replica.me is None:
            return False
        seats, live = self._replica.roster.seats, self._replica.play.live
        me = seats[self._replica.me].identity
        stay = [seat for seat in live if me in (seats[seat].identity, seats[seat].sponsor)]
        return len(live) < 2 or not stay or set(live) - set(stay) <= self._leavers()

    def have_all_left(self) -> bool:
        """Whether all members have said farewell, as I know: nobody signs anything more."""
        return self._replica.tip.members <= self._all_leavers()

    def check_anybody_stays(self) -> None:
        """Whether all have left for good, and come back in vain; others get the time to hear it.

        Raises:
            AllHaveLeftError: they have.
        """
        if self.is_leaving or not self.have_all_left():
            self._known_at = inf
            return
        self._known_at = min(self._known_at, trio.current_time())
        if trio.current_time() >= self._known_at + TELL_S:
            raise AllHaveLeftError(
                "all have left this game for good, so nobody can go on with it",
                "open a new table; the file stays for replay and audit",
            )

    def _leavers(self) -> set[int]:
        """Who else has said farewell to the members of now; nobody before I have."""
        leavers, me = self._all_leavers(), self._replica.me
        return leavers - {me} if me in leavers else set()

    def _all_leavers(self) -> set[int]:
        """Who has said farewell to the members of now, as I know."""
        member, epoch = self._membership.member, self._replica.tip.epoch
        known = [*member.kept.farewells, *member.asked]
        said = [each for each in known if isinstance(each, Farewell)]
        return {each.seat for each in said if each.epoch == epoch}
