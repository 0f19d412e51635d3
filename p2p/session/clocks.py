"""The clocks of a table, as one machine counts them.

The time of a person runs while a choice of that person is due and could be heard here.  What each
machine shows of others is its own count: a slow link looks like a slow player, so nobody is put out
because of it.  A program keeps the clock of its own person alone: once that time is used up, the
bot that the table has agreed on for empty seats chooses (gentle, and hastily) until there is time
again.  While a pause holds that a person has asked for, no time runs, and no choice gives more.  A
changed program can ignore its own clock; the others then see that it plays on at 0:00.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from p2p.base.clock import TimeControl
from p2p.session.news import Notice, SeatClock
from p2p.session.table import RunningTable

MS: Final = 1000


class Clocks:
    """How much time every person has left, or has used where there is no limit."""

    def __init__(
        self,
        table: RunningTable,
        is_heard: Callable[[int], bool],
        paused_by: Callable[[], int | None],
    ) -> None:
        """`is_heard`: whether another seat is in reach; `paused_by`: who has asked for a pause."""
        self._paused_by = paused_by
        self._table, self._replica, self._is_heard = table, table.replica, is_heard
        clock, seats = self._replica.roster.clock, enumerate(self._replica.roster.seats)
        persons = [] if clock is None else [seat for seat, each in seats if not each.is_bot]
        self._terms = clock or TimeControl()
        self._left_s = dict.fromkeys(persons, float(self._terms.bank_s))
        kept = [] if table.secrets is None else table.secrets.clock
        if len(kept) == len(persons):  # The game goes on.
            self._left_s = {seat: ms / MS for seat, ms in zip(persons, kept, strict=True)}
        self._since: dict[int, float] = {}  # Whose time is running, and since when.
        self._height = 0  # Of the step at which it is.

    def update(self) -> None:
        """Stop and start the clocks; called after everything that happens."""
        now, thinking, height = trio.current_time(), self._thinking(), self._replica.height
        is_next, self._height = height != self._height, height
        for seat in [each for each in self._since if is_next or each not in thinking]:
            self._stop(seat, now, has_answered=is_next or self._replica.holds(seat))
        for seat in thinking:
            self._since.setdefault(seat, now)

    def running(self) -> tuple[int, ...]:
        """The seats whose time is running."""
        return tuple(sorted(self._since))

    def _thinking(self) -> set[int]:
        """The persons of whom a choice is due that could be heard here."""
        replica, step = self._replica, self._replica.step
        is_asked = bool(self._left_s) and step is not None and step.is_choice
        is_still = replica.is_held or replica.play.is_signed or self._paused_by() is not None
        if is_still or not is_asked:
            return set()
        waited = self._left_s.keys() & set(replica.waited_for()) - replica.open_seats
        return {
            seat for seat in waited
            if (replica.may_write() if seat == replica.me else self._is_heard(seat))
        }  # fmt: skip

    def _stop(self, seat: int, now: float, *, has_answered: bool) -> None:
        self._left_s[seat] -= now - self._since.pop(seat)
        if self._terms.is_limited:
            bonus_s = self._terms.increment_s if has_answered else 0
            self._left_s[seat] = max(self._left_s[seat], 0.0) + bonus_s
        if self._table.secrets is not None:
            self._table.secrets.keep_clock([round(each * MS) for each in self._left_s.values()])

    def keep_mine(self, choose_hastily: Callable[[], bool]) -> None:
        """Let a bot choose for me if a choice of mine is due and my time is used up.

        `choose_hastily` begins that, and says whether it has.
        """
        me = self._replica.me
        is_up = self._terms.is_limited and me in self._since and self._left(me) <= 0
        if is_up and choose_hastily():
            text = "your time is used up: a bot chooses for you"
            self._table.publish(Notice(text, is_news=True))

    def _left(self, seat: int) -> float:
        since = self._since.get(seat)
        ran_s = 0.0 if since is None else trio.current_time() - since
        return self._left_s[seat] - ran_s

    def shown(self) -> tuple[SeatClock, ...]:
        """The clocks for the screen."""
        is_limited, paused_by = self._terms.is_limited, self._paused_by()
        return tuple(
            SeatClock(seat, is_limited, seat in self._since, self._left(seat),
                      has_paused=seat == paused_by)
            for seat in self._left_s
        )  # fmt: skip
