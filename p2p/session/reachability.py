"""Who can be reached, how long the others have been silent, and what a screen says about that.

A seat can be reached if it is linked to me or to a neighbour of mine, and does not speak of another
log than mine while I wait for it: what it says then is of no use.  It is late when it has been
silent for the time of grace that the table agreed on.  When a switch was off, all have lost all,
perhaps for longer than that, and they find each other one by one.  So whoever comes last has some
seconds more before anybody says that it is gone.

`seats_away` tells the screen who is away and what comes next, as soon as a link breaks.  Nothing is
decided here: `failure_detector` and `claiming` decide, and this says what they are going to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import monotonic, time
from typing import Final

import trio

from p2p.base.limits import MEET_S, PING_INTERVAL_S
from p2p.log.replica import Replica
from p2p.session.news import Away, AwayNext
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable

GATHER_S: Final = 10.0  # For all to meet again whom one switch had parted.
STOPPED_S: Final = 3.0  # A program that says nothing for longer was stopped, or its machine slept.
# Links that one cable carried end within this time: each end looks now and then who is silent.
SAME_MOMENT_S: Final = 3 * PING_INTERVAL_S
START_S: Final = 60.0  # For a bot to be started, also where it has to be tried twice.


class Reachability:
    """Since when each of the others is silent, as I know."""

    def __init__(self, table: RunningTable, relaying: Relaying) -> None:
        self._relaying, self._replica = relaying, table.replica
        self._heard: dict[int, float] = {}  # When a seat was in reach, or said something, last.
        self._met = set[int]()  # Who has been in reach.
        self._begun = 0.0
        self._ran_since = 0.0  # Without a stop, and how the two clocks stood lately.
        self._ran_at, self._wall_ahead_s = 0.0, 0.0
        self._silent = set[int]()  # Who is out of reach,
        self._since = 0.0  # and since when they are, and nobody else.
        self._elsewhere: dict[int, float] = {}  # Since when a seat speaks of another log.
        self._fell_silent: dict[int, float] = {}  # When a link ended by which nothing came.
        self._is_alone: bool | None = None  # Whether this machine is on no network; None: unknown.

    def begin(self) -> None:
        """The session begins: from now on seats are waited for."""
        self._begun = self._ran_since = self._ran_at = trio.current_time()
        self._wall_ahead_s = time() - monotonic()
        self._heard = dict.fromkeys(self._replica.seats, self._begun)

    def note_network(self, *, is_alone: bool) -> None:
        """Whether this machine is on no network.

        When it is on one again, all have the time to meet once more, as at the beginning: that they
        were silent meanwhile says nothing about them.
        """
        if self._is_alone and not is_alone:
            self._begun = trio.current_time()
            self._heard = dict.fromkeys(self._replica.seats, self._begun)
            self._met.clear()
            self._fell_silent.clear()
        self._is_alone = is_alone

    def note_heard(self, seat: int) -> None:
        """Begin the grace of a seat anew: it was in reach until now.

        Either its link has broken now, or somebody has passed on what it says.
        """
        self._heard[seat] = trio.current_time()

    def note_lost(self, seat: int, *, is_silent: bool) -> None:
        """A link has ended: since nothing came by it any more, or the other end has ended it."""
        self.note_heard(seat)
        self._relaying.note_lost(seat)
        self._fell_silent.pop(seat, None)
        if is_silent:
            self._fell_silent[seat] = trio.current_time()

    def update(self) -> None:
        """Note who is in reach now."""
        elsewhere = [seat for seat in self._replica.others if speaks_elsewhere(self._replica, seat)]
        now = trio.current_time()
        self._elsewhere = {seat: self._elsewhere.get(seat, now) for seat in elsewhere}
        silent = {seat for seat in self._replica.others if not self.reaches(seat)}
        for seat in self._replica.others:
            if seat not in silent:
                self.note_heard(seat)
                self._met.add(seat)
        if silent != self._silent:
            self._silent, self._since = silent, trio.current_time()

    def reaches(self, seat: int) -> bool:
        """Whether a seat is linked to me, or to a neighbour of mine, and speaks of my log."""
        return self._relaying.reaches(seat) and seat not in self._elsewhere

    def note_running(self) -> None:
        """This program runs; called again and again, so that it shows where it did not.

        While a machine sleeps its monotonic clock stands still or leaps, as the system likes.
        """
        now, ahead_s = trio.current_time(), time() - monotonic()
        stopped_s = max(now - self._ran_at, abs(ahead_s - self._wall_ahead_s))
        if stopped_s > STOPPED_S:
            self._ran_since = now
        self._ran_at, self._wall_ahead_s = now, ahead_s

    @property
    def has_run_for_grace(self) -> bool:
        """Whether this program has run, without a stop, for as long as others wait for a seat."""
        self.note_running()
        return trio.current_time() >= self._ran_since + self._grace_s

    @property
    def has_met_anybody(self) -> bool:
        """Whether some other seat has been in reach since the session began."""
        return bool(self._met)

    def reaches_all_but(self, seats: Collection[int]) -> bool:
        """Whether all others than these are in reach."""
        return self._silent <= set(seats)

    def is_overdue(self, seat: int) -> bool:
        """Whether a seat is late, and could be met again since others were silent as well."""
        return not self.reaches(seat) and trio.current_time() >= self.overdue_at(seat)

    def overdue_at(self, seat: int) -> float:
        """When others may propose to replace a seat that stays silent, if the table knows a grace.

        Later than `late_at` just after all were out of reach: all may have lost the same switch.
        """
        return max(self.late_at(seat), self._since + min(GATHER_S, self._grace_s))

    def is_late(self, seat: int) -> bool:
        """Whether a seat has been silent for the time of grace, if the table knows one."""
        return not self.reaches(seat) and trio.current_time() >= self.late_at(seat)

    def late_at(self, seat: int) -> float:
        """When the time of grace of a seat that is silent from now on is over."""
        return self._elsewhere.get(seat, self._heard[seat]) + self._grace_s

    def is_started(self, seat: int) -> bool:
        """Whether a silent seat is a bot of mine, which this machine starts again by itself."""
        me, seats = self._replica.me, self._replica.roster.seats
        is_mine = me is not None and seats[seat].sponsor == seats[me].identity
        return is_mine and trio.current_time() < self._heard[seat] + START_S

    def silent(self) -> list[int]:
        """Who is out of reach and has been in it, or has had the time to come."""
        has_met_all = trio.current_time() >= self._begun + MEET_S
        return sorted(seat for seat in self._silent if has_met_all or seat in self._met)

    def cut_off(self) -> AwayNext | None:
        """What is to be said where this machine may be the one that is out of reach.

        A table that is on this machine alone needs no network.  Where it is known that this machine
        is on one, nobody is asked for a cable.
        """
        if self._is_alone and any(map(self._relaying.places.is_elsewhere, self.silent())):
            return AwayNext.CUT_OFF
        is_known_there = self._is_alone is False
        return AwayNext.AT_ONCE if self._fell_silent_at_once() and not is_known_there else None

    def _fell_silent_at_once(self) -> bool:
        """Whether all other persons did, of whom there are several: then rather I am away.

        Whoever says goodbye, or whose program has ended, has not fallen silent.
        """
        seats = self._replica.roster.seats
        persons = [seat for seat in self._replica.others if not seats[seat].is_bot]
        since = [self._fell_silent[seat] for seat in persons
                 if seat in self._silent and seat in self._fell_silent]  # fmt: skip
        are_all = len(since) == len(persons) > 1
        return are_all and max(since) - min(since) <= SAME_MOMENT_S

    @property
    def _grace_s(self) -> float:
        terms = self._replica.roster.replacement
        return float("inf") if terms is None else terms.grace_s


def seats_away(
    replica: Replica, reach: Reachability, may_replace: Callable[[int], bool]
) -> tuple[Away, ...]:
    """The seats that are away, in their order; none when the game is over.

    `may_replace`: whether the others could play for a seat that is silent.
    """
    if replica.step is None or replica.play.is_signed:
        return ()
    silent = [seat for seat in reach.silent() if seat not in replica.guilty]
    played = [
        seat
        for seat in replica.open_seats | replica.play.keyless
        if seat not in (replica.me, *replica.guilty) and not replica.roster.seats[seat].is_bot
    ]
    started = [seat for seat in silent if reach.is_started(seat)]
    waited_for = [seat for seat in silent if seat not in started]
    then = reach.cut_off() or _next(replica, waited_for, may_replace)
    told = [_away(replica, reach, seat, AwayNext.STARTED if seat in started else then)
            for seat in silent]  # fmt: skip
    told += [Away(seat, replica.roster.seats[seat].shown_name, AwayNext.PLAYED) for seat in played]
    return tuple(sorted(told, key=lambda away: away.seat))


def _next(replica: Replica, silent: list[int], may_replace: Callable[[int], bool]) -> AwayNext:
    """What comes next; it is the same for all who are silent."""
    if replica.roster.replacement is None or not replica.is_seated or not silent:
        return AwayNext.NOBODY
    assert replica.me is not None, "whoever is seated has a seat"
    if set(silent) >= set(replica.roster.not_run_by(replica.me, replica.others)):
        can_agree = len(silent) == 1 and may_replace(silent[0])
        if not can_agree:
            return AwayNext.LEFT
    if len(silent) > 1:
        return AwayNext.FEWER
    return AwayNext.REPLACED if may_replace(silent[0]) else AwayNext.NOBODY


def _away(replica: Replica, reach: Reachability, seat: int, then: AwayNext) -> Away:
    name, until = replica.roster.seats[seat].shown_name, None
    if then is AwayNext.REPLACED:
        until = reach.overdue_at(seat)
    elif then is AwayNext.LEFT:
        until = max(map(reach.late_at, replica.others))
    left_s = None if until is None else until - trio.current_time()
    return Away(seat, name, then, until, left_s)


def speaks_elsewhere(replica: Replica, seat: int) -> bool:
    """Whether a seat for which I wait answers or acknowledges another log as long as mine.

    Nobody honest does for long: what proves why soon comes after it, or what is missing here.
    """
    waiting = replica.entries.waiting.of(seat)
    answered = {each.parent for each in waiting if each.height == replica.height}
    acked = replica.acks.of_steps(seat, replica.height, replica.tip.epoch)
    return bool((answered | acked) - {replica.head}) and replica.waits_for(seat)
