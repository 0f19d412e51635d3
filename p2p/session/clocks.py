"""The clocks of a table, as one machine counts them.

The time of a person runs while a choice of that person is due and could be heard here.  A slow link
looks like a slow player, so nobody is put out because of time: a program keeps the clock of its own
person alone.  Once that time is used up, the bot that the table has agreed on for empty seats
chooses (gentle, and hastily) until there is time again.  While a pause holds that a person has
asked for, no time runs, and no choice gives more.

What a lost link or a crash cost the one machine did not cost the others, so each owner says what
its own clock shows, by its own links alone:

    ["clock", ms]      milliseconds that are left, or were used where there is no limit

It says that whenever its clock stops, behind the choice that stopped it, and in the answer to each
`have`, so also whenever a link is made.  In between the others count on from there.  Where nothing
was heard on the link that there is, or there is none, the time is shown as about so much.

What an attacker gains: a changed program can say a false time of its own, within what its choices
could have given it, as it can ignore its own clock; the others then see that it plays on at 0:00.
Nobody says anything of another's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from p2p.base.clock import TimeControl
from p2p.base.errors import MalformedFrame
from p2p.base.limits import BANK_S_MAX, HELP_BURST_MAX, HELP_PER_S_MAX
from p2p.net.admission import RateLimit
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
        self._heard: dict[int, tuple[float, float]] = {}  # What owners say is left, and since when.
        self._heard_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._told: set[int] = set()  # Whose owner has said it since there has been a link.
        self._corrected = 0  # How often that was another time than was counted here.
        self._has_stopped = False  # Mine has, which the others do not know yet.

    def update(self) -> None:
        """Stop and start the clocks; called after everything that happens."""
        now, thinking, height = trio.current_time(), self._thinking(), self._replica.height
        is_next, self._height = height != self._height, height
        for seat in [each for each in self._since if is_next or each not in thinking]:
            self._stop(seat, now, has_answered=is_next or self._replica.holds(seat))
        for seat in thinking:
            self._since.setdefault(seat, now)
        self._believe()

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
        self._has_stopped |= seat == self._replica.me
        if self._table.secrets is not None:
            self._table.secrets.keep_clock([round(each * MS) for each in self._left_s.values()])

    # ---- what owners say ----

    def figure(self) -> list[list[object]]:
        """What my clock shows, as the others hear it; nothing where I have none."""
        me = self._replica.me
        if me is None or me not in self._left_s:
            return []
        left_s = self._left(me)
        return [["clock", round(MS * (max(left_s, 0.0) if self._terms.is_limited else -left_s))]]

    async def tell(self) -> None:
        """Say what my clock shows, once it has stopped."""
        if self._has_stopped:
            self._has_stopped = False
            for message in self.figure():
                await self._table.broadcast(message)

    def receive(self, seat: int, value: object) -> None:
        """The owner of a seat says what its clock shows.

        More than it can have by what is in my log counts for nothing: perhaps I am behind.

        Raises:
            MalformedFrame: no clock shows that.
        """
        if type(value) is not int or value < 0 or seat not in self._left_s:
            raise MalformedFrame("no clock of this table shows that")
        if value <= self._most_ms() and self._heard_often.allows(str(seat)):
            left_s = value / MS if self._terms.is_limited else -value / MS
            self._heard[seat] = left_s, trio.current_time()

    def _most_ms(self) -> int:
        """What a clock can show at most: each step was at best a choice that gave more."""
        terms, choices = self._terms, self._replica.height + 1
        most_s = terms.bank_s + terms.increment_s * choices if terms.is_limited else BANK_S_MAX
        return most_s * MS

    def _believe(self) -> None:
        """Show what owners have said; after all else, so that what came before it is counted."""
        for seat, (left_s, said_at) in self._heard.items():
            before_s, self._left_s[seat] = self._left(seat), left_s
            if seat in self._since:
                self._since[seat] = max(self._since[seat], said_at)
            self._corrected += abs(self._left(seat) - before_s) >= 1
        self._told = {*self._told, *self._heard} & self._table.links.keys()
        self._heard.clear()

    # ---- mine ----

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

    # ---- what is shown ----

    def shown(self) -> tuple[SeatClock, ...]:
        """The clocks for the screen."""
        is_limited, paused_by = self._terms.is_limited, self._paused_by()
        return tuple(
            SeatClock(seat, is_limited, seat in self._since, self._left(seat),
                      has_paused=seat == paused_by, is_about=not self._is_known(seat))
            for seat in self._left_s
        )  # fmt: skip

    def changes(self) -> object:
        """What makes the shown clocks others than these, counted on."""
        return self.shown(), self._corrected

    def _is_known(self, seat: int) -> bool:
        return seat == self._replica.me or seat in self._told
