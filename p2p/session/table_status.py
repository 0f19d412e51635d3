"""The status of a table: what a screen shows beside a game, and no log holds.  For spectators.

    ["beside", reached, away, clocks, asked]
        reached    [seat, ...]                                     who is in reach
        away       [[seat, then, ms or null], ...]                 who is not, and what comes next
        clocks     [[seat, is_running, has_paused, is_about, ms], ...]
        asked      null, or [seat, height, events, [seat, ...]]    who asks to take a choice back

It is what the seat that shows the game knows, and all who sit there see the same.  Nothing of it is
secret, and nothing is proven: whoever looks on believes that seat, as it does about members.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from p2p.base.entry import ENTRY_COUNT_MAX
from p2p.base.errors import MalformedFrame
from p2p.base.limits import COUNTED_MS_MAX
from p2p.log.replica import Replica
from p2p.session.clocks import MS
from p2p.session.news import AskedBack, Away, AwayNext, SeatClock, TableChanged

TOLD: Final = (AwayNext.REPLACED, AwayNext.FEWER, AwayNext.NOBODY, AwayNext.PLAYED)
"""What comes next for a seat, whoever looks; the rest is for one seat alone."""


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The parts of a snapshot that follow from no log."""

    reached: tuple[int, ...]
    away: tuple[Away, ...]
    clocks: tuple[SeatClock, ...]
    asked: AskedBack | None

    def on(self, snapshot: TableChanged) -> TableChanged:
        """The same snapshot with this beside it."""
        seats = tuple(
            replace(state, link="up" if seat in self.reached else "away")
            for seat, state in enumerate(snapshot.seats)
        )
        return replace(snapshot, seats=seats, away=self.away, clocks=self.clocks,
                       asked_back=self.asked)  # fmt: skip


def status_message(snapshot: TableChanged) -> list[object]:
    """What a seat tells of the snapshot that it sees itself."""
    asked = snapshot.asked_back
    return [
        "beside",
        [seat for seat, state in enumerate(snapshot.seats) if state.link != "away"],
        [[each.seat, str(_seen(each.then)), _ms(each.left_s)]
         for each in snapshot.away if each.then is not AwayNext.STARTED],
        [[each.seat, each.is_running, each.has_paused, each.is_about, _ms(_shown_s(each))]
         for each in snapshot.clocks],
        None if asked is None else [asked.seat, asked.height, asked.events, [*asked.missing]],
    ]  # fmt: skip


def _seen(then: AwayNext) -> AwayNext:
    """What comes next, as somebody sees it who cannot claim a win, and is on a network."""
    return then if then in TOLD else AwayNext.NOBODY


def _shown_s(clock: SeatClock) -> float:
    return clock.left_s if clock.is_limited else -clock.left_s


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else min(max(round(seconds * MS), 0), COUNTED_MS_MAX)


def parse_status(message: object, replica: Replica) -> TableStatus:
    """What `status_message` wrote.

    Raises:
        MalformedFrame: it is not that.
    """
    match message:
        case ["beside", list(reached), list(away), list(clocks), asked] if (
            max(len(reached), len(away), len(clocks)) <= len(replica.seats)
        ):
            return TableStatus(
                tuple(_seat(each, replica) for each in reached),
                tuple(_away(each, replica) for each in away),
                tuple(_clock(each, replica) for each in clocks),
                None if asked is None else _asked(asked, replica),
            )
    raise MalformedFrame("this message is none that we know")


def _away(value: object, replica: Replica) -> Away:
    match value:
        case [seat, str(then), left_ms] if then in TOLD:
            left_s = None if left_ms is None else _number(left_ms, COUNTED_MS_MAX) / MS
            known = _seat(seat, replica)
            return Away(known, _name(known, replica), AwayNext(then), left_s=left_s)
    raise MalformedFrame("this message is none that we know")


def _clock(value: object, replica: Replica) -> SeatClock:
    terms = replica.roster.clock
    match value:
        case [seat, bool(is_running), bool(has_paused), bool(is_about), ms] if terms is not None:
            left_s = _number(ms, COUNTED_MS_MAX) / MS
            shown_s = left_s if terms.is_limited else -left_s
            is_up = terms.is_limited and is_running and not ms
            return SeatClock(_seat(seat, replica), terms.is_limited, is_running, shown_s,
                             has_paused=has_paused, is_about=is_about, is_up=is_up,
                             increment_s=terms.increment_s)  # fmt: skip
    raise MalformedFrame("this message is none that we know")


def _asked(value: object, replica: Replica) -> AskedBack:
    match value:
        case [seat, height, events, list(missing)] if len(missing) <= len(replica.seats):
            known, seats = _seat(seat, replica), tuple(_seat(each, replica) for each in missing)
            numbers = _number(height, ENTRY_COUNT_MAX), _number(events, ENTRY_COUNT_MAX)
            return AskedBack(known, _name(known, replica), *numbers, seats)
    raise MalformedFrame("this message is none that we know")


def _seat(value: object, replica: Replica) -> int:
    return _number(value, len(replica.seats) - 1)


def _number(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise MalformedFrame("this message is none that we know")
    return value


def _name(seat: int, replica: Replica) -> str:
    return replica.roster.seats[seat].shown_name
