"""The failure detector: waiting for a seat that is silent, and suspecting it when that is over.

A session asks `progress` after everything that happens, and once in a while.  Who is silent, back
or leaving is told to the member that this machine is (`p2p.session.membership`), which agrees with
the others on what follows:

    a link broke              wait for the time of grace that the table agreed on
    it is over                the others agree that the seat is gone: a bot plays on for it
    its owner is back         it names a new key, and is agreed on between two requests
    somebody leaves for good  its farewell holds its key; nobody waits for it
"""

from __future__ import annotations

from typing import Final, NamedTuple

import trio

from p2p.base.steps import sleep_in_step
from p2p.crypto.group import base
from p2p.log.membership.messages import (
    REASON_RESTORE,
    REASON_SILENT,
    Change,
    Farewell,
    RestoreWish,
    sign_as,
)
from p2p.log.membership.state import HeardAgain, Retry, Silent
from p2p.log.membership_change import may_change
from p2p.session.catching_up import CatchingUp
from p2p.session.change_notices import ChangeNotices
from p2p.session.claiming import Claiming
from p2p.session.instances import Instances
from p2p.session.leaving import Leaving
from p2p.session.membership import Membership
from p2p.session.news import Away, Notice
from p2p.session.reachability import Reachability, seats_away
from p2p.session.relaying import Relaying
from p2p.session.restore_votes import RestoreVotes
from p2p.session.table import RunningTable

NOBODY_CAME_S: Final = 10.0  # Without any other seat: then a program that is back says why.
TICK_S: Final = 0.5  # How often somebody who is silent is thought of.
ASK_TICKS: Final = 10  # The log has not grown for so long: I ask for what I may have missed.
REPEAT_TICKS: Final = 4  # Then what binds us is said again: a link may have swallowed it.


class Actors(NamedTuple):
    """Whom a change of membership needs beside the table."""

    relaying: Relaying
    membership: Membership
    catching_up: CatchingUp
    instances: Instances


class FailureDetector:
    """How long we wait for each seat, and what is due when that is over."""

    def __init__(self, table: RunningTable, actors: Actors) -> None:
        self._table, self._replica, self._actors = table, table.replica, actors
        self._membership, self._instances = actors.membership, actors.instances
        self._reachability = Reachability(table, actors.relaying)
        self.claiming = Claiming(table, self._reachability.is_late, self._instances.may_sign)
        self.leaving = Leaving(table, actors.membership)
        self._restore_votes = RestoreVotes(table, actors.membership, self._reachability.reaches)
        self._notices = ChangeNotices(table, self.leaving, self._reachability)
        self._height = -1  # Of the log when I thought of asking for more,
        self._tried = -1  # and when I proposed last what was asked for.
        self.link_broke = trio.Event()  # A bot may soon have to think for a seat.

    def begin(self) -> None:
        """The session begins: from now on seats are waited for."""
        self._reachability.begin()

    # ---- links ----

    def away(self) -> tuple[Away, ...]:
        """Who is out of reach, and what comes next for each."""
        return seats_away(self._replica, self._reachability, self.may_do_without)

    def note_lost(self, seat: int, *, is_silent: bool = False) -> None:
        """A link has ended: by the other end, or since it `is_silent`."""
        self._reachability.note_lost(seat, is_silent=is_silent)
        self.link_broke.set()

    def note_network(self, *, is_alone: bool) -> None:
        """Whether this machine is on no network, as the system says."""
        self._reachability.note_network(is_alone=is_alone)
        self._table.wake()

    def note_heard(self, seat: int | None) -> None:
        """Somebody has passed on what a seat says, or says that it is here."""
        if seat is not None:
            self._reachability.note_heard(seat)

    async def tick(self) -> None:
        """Think of those who are silent, again and again."""
        count = 0
        while True:
            await sleep_in_step(TICK_S)
            self._reachability.note_running()
            count += 1
            if count % REPEAT_TICKS == 0:
                for message in list(self._membership.retransmissions()):
                    await self._table.broadcast(message)
            if count % ASK_TICKS == 0:
                await self._ask_again()
            if count == NOBODY_CAME_S / TICK_S:
                self._tell_if_nobody_came()
            self._table.wake()

    def _tell_if_nobody_came(self) -> None:
        """Whoever resumes a game that the others have ended meets nobody who could say so.

        Bots of its own end nothing without it.
        """
        replica, seats = self._replica, self._replica.roster.seats
        is_back = self._table.is_resumed and not replica.play.is_signed
        mine = None if replica.me is None else seats[replica.me].identity
        others = [seat for seat in replica.others if seats[seat].sponsor != mine]
        if is_back and others and not self._reachability.has_met_anybody:
            text = "none of the others is there"
            hint = "if the game is over, you get its end when one of them resumes it as well"
            self._table.publish(Notice(text, hint, is_news=True))

    async def _ask_again(self) -> None:
        """A seat may have told others, and not me."""
        height = self._replica.height
        if self._height == height:
            await self._table.say_where_i_am()
        self._height = height

    # ---- forward ----

    async def progress(self) -> None:
        """Tell the member that I am who is silent, who is back, and what I want.

        Raises:
            PeerError: see `Membership.feed` and `Membership.check_goes_on`.
            AllHaveLeftError: there is nobody who could go on.
        """
        replica, membership = self._replica, self._membership
        self._reachability.update()
        await membership.tick()
        if replica.roster.replacement is None or replica.step is None or not self.may_say():
            return
        self.leaving.check_anybody_stays()
        self._restore_votes.judge()
        if not replica.is_seated:
            await self._wish()
            return
        membership.check_goes_on()
        for seat in replica.others:
            await self._suspect(seat)
        self.leaving.follow_owner()
        if self.leaving.is_leaving or self._has_lost_key():
            await self.leaving.say_farewell()
        if membership.member.asked and self._tried != replica.height and not membership.is_bound:
            self._tried = replica.height  # Where it was asked for, nobody may have come back.
            await membership.feed(Retry())
        membership.think_again()

    def _has_lost_key(self) -> bool:
        """Whether my key is lost with its file, so that I leave, and come back with another.

        Not while another program of mine sits there, which may have it.
        """
        return not self._replica.play.has_key and self._instances.may_sign()

    def may_say(self) -> bool:
        """Whether I know what I have said before: others may first have to tell me."""
        secrets = self._table.secrets
        if secrets is None or self._replica.lacks_end():
            return False
        return not secrets.has_lost_records or self._actors.catching_up.is_there()

    async def _suspect(self, seat: int) -> None:
        """Suspect a seat that is silent for longer than the table waits; or no more, if it is not.

        Nor while another is out of reach: nobody can agree then, and two may come back one after
        the other.
        """
        was_silent = seat in self._membership.member.silent
        asked = self._membership.member.asked
        leavers = {said.seat for said in asked if isinstance(said, Farewell)}
        is_alone = not self._reachability.reaches(seat) and self._reachability.reaches_all_but(
            {seat, *leavers}
        )
        if was_silent and not is_alone:
            await self._membership.feed(HeardAgain(seat))
        elif is_alone and not was_silent and self._is_suspect(seat):
            await self._membership.feed(Silent(seat))

    def _is_suspect(self, seat: int) -> bool:
        """Whether others could speak for a seat that is silent, and somebody waits for it."""
        replica = self._replica
        is_asked = any(
            vote.change is not None and vote.change.seat == seat
            for vote in self._membership.member.heard
        )
        is_needed = is_asked or replica.waits_for(seat)
        return self._reachability.is_overdue(seat) and is_needed and self.may_do_without(seat)

    def may_do_without(self, seat: int) -> bool:
        """Whether the others could play for a seat: they have its key, or can have it."""
        replica = self._replica
        if replica.roster.replacement is None or seat not in replica.others:
            return False
        voters = [each for each in replica.play.live if each != seat]
        can_agree = replica.is_seated and replica.roster.may_call_silent(seat, voters)
        return can_agree and may_change(replica.play, Change(seat, REASON_SILENT))

    async def _wish(self) -> None:
        """Ask for my seat, if the others speak for it and I have what they have.

        Not sooner: they would wait for me until I had caught up.
        """
        replica, membership, me = self._replica, self._membership, self._replica.me
        epoch = replica.tip.epoch
        if self.leaving.is_leaving or me is None or me in replica.roster.open_seats():
            return
        if me not in replica.open_seats or not self._actors.catching_up.is_there():
            return
        asked = membership.member.asked
        if any(isinstance(each, RestoreWish) and each.seat == me for each in asked):
            return
        assert replica.identity is not None, "whoever had a seat has an identity"
        key = base(replica.play.new_secret(epoch)).encoded
        wish = sign_as(replica.identity, replica.game_id, RestoreWish(epoch, me, key))
        await membership.say(wish)

    # ---- seats that change hands ----

    def note_change(self, change: Change) -> None:
        """A seat has changed hands: who is back is heard again, and bots leave with their owner."""
        if change.reason == REASON_RESTORE:
            self._reachability.note_heard(change.seat)
            self._notices.tell_back(change.seat)
            return
        for seat in sorted(change.gone):
            self.leaving.note_gone(seat)
            self._notices.tell_gone(seat, change)
