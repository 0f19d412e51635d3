"""Who is away, and what comes next for each of these seats: what a screen says of silence.

It is said as soon as a link breaks.  Here nothing is decided: `patience` and `alone` do that, and
what they are going to do is told before they do it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import trio

from p2p.log.replica import Replica
from p2p.session.news import Away, Then
from p2p.session.reachability import Reach


class Ways(NamedTuple):
    """How the table could go on without somebody."""

    may_replace: Callable[[int], bool]  # The others, for a seat that is silent.
    may_go_on: Callable[[], bool]  # I, without all others.


def seats_away(replica: Replica, reach: Reach, ways: Ways) -> tuple[Away, ...]:
    """The seats that are away, in their order; none when the game is over."""
    if replica.step is None or replica.play.is_signed:
        return ()
    silent = [seat for seat in reach.silent() if seat not in replica.guilty]
    played = [
        seat
        for seat in replica.open_seats - set(replica.roster.open_seats()) - set(replica.guilty)
        if seat != replica.me
    ]
    then = _next(replica, silent, ways)
    told = [_away(replica, reach, seat, then) for seat in silent]
    told += [Away(seat, replica.roster.seats[seat].name, Then.PLAYED) for seat in played]
    return tuple(sorted(told, key=lambda away: away.seat))


def _next(replica: Replica, silent: list[int], ways: Ways) -> Then:
    """What comes next; it is the same for all who are silent."""
    if replica.roster.stand_in is None or not replica.is_seated or not silent:
        return Then.NOBODY
    if len(silent) == len(replica.others):
        can_agree = len(silent) == 1 and ways.may_replace(silent[0])
        if not can_agree:
            return Then.ALONE if ways.may_go_on() else Then.STUCK
    if len(silent) > 1:
        return Then.FEWER
    return Then.REPLACED if ways.may_replace(silent[0]) else Then.NOBODY


def _away(replica: Replica, reach: Reach, seat: int, then: Then) -> Away:
    name, until = replica.roster.seats[seat].name, None
    if then is Then.REPLACED:
        until = reach.missed_at(seat)
    elif then in (Then.ALONE, Then.STUCK):
        until = max(map(reach.late_at, replica.others))
    left_s = None if until is None else until - trio.current_time()
    return Away(seat, name, then, until, left_s)
