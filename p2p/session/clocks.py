"""The clocks of a table, as one machine counts them.

The time of a person runs while a choice of that person is due and could be heard here.  A slow link
looks like a slow player, so nobody is put out because of time: a program keeps the clock of its own
person alone.  Once that time is used up, the bot that the table has agreed on for empty seats
chooses (gentle, and hastily) until there is time again.  While a pause holds that a person has
asked for, no time runs, and no choice gives more.

What a lost link or a crash cost the one machine did not cost the others, so each owner says what
its own clock shows, by its own links alone:

    ["clock", ms]      milliseconds that are left, or were used where there is no limit

It says that whenever its clock stops, behind the choice that stopped it, when its time is used up
(0: a bot begins to choose), and in the answer to each `have`, so also whenever a link is made.  In
between the others count on from there.  Where nothing was heard on the link that there is, or there
is none, the time is shown as about so much.

The time is kept on disk whenever a clock stops, every few seconds while one runs, and at the end.
A person who leaves while a choice is due is charged, on coming back, for the time until then, but
at most for the time of grace: after that a bot plays for the seat, or the table waits for another
day.  In a pause nothing is charged.

What an attacker gains: a changed program can ignore its own clock, or say that it shows more than
it does.  Nobody can prevent that, and the others see it.  They believe more than they counted
themselves, with what choices that they did not count have given, only as far as slow links make
honest machines differ: `CLOCK_LAG_MS_MAX` at once, and a tenth of the time in the long run.  A
larger difference they do not believe: they show their own count, as about so much, and say that
there is a difference.  The same is said of a clock that runs on below nothing while its owner says
nothing of a bot.  Time for which a changed program ends its links is not counted by anybody; all
see that it is away.  A time of its own that is too short harms its owner alone, and nobody says
anything of another's clock.  Whether a bot or the person chose, the owner alone knows; the marks
of these choices are in no log, and are forgotten when the program ends.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from time import time
from typing import Final

import trio

from p2p.base.clock import TimeControl
from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    BANK_S_MAX,
    CLOCK_LAG_MS_MAX,
    CLOCK_LAG_MS_PER_S,
    HELP_BURST_MAX,
    HELP_PER_S_MAX,
)
from p2p.net.admission import RateLimit
from p2p.session.news import SeatClock
from p2p.session.table import RunningTable

MS: Final = 1000
KEPT_EVERY_S: Final = 5.0  # How often the time is kept while a clock runs.
DOUBT_S: Final = 5.0  # For what an owner counts already to be heard here as well.
ENOUGH_S: Final = 10.0  # With so much more than one increment, time is not used up any more.
_CHOICES: Final = ("choose", "seal")  # Entries by which somebody has chosen.


class Clocks:
    """How much time every person has left, or has used where there is no limit."""

    def __init__(
        self,
        table: RunningTable,
        is_heard: Callable[[int], bool],
        paused_by: Callable[[], int | None],
        is_behind: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_heard`: whether another seat is in reach; `paused_by`: who has asked for a pause.

        `is_behind`: whether others have more of the log than I.
        """
        self._paused_by, self._is_behind = paused_by, is_behind
        self._table, self._replica, self._is_heard = table, table.replica, is_heard
        clock, seats = self._replica.roster.clock, enumerate(self._replica.roster.seats)
        persons = [] if clock is None else [seat for seat, each in seats if not each.is_bot]
        self._terms = clock or TimeControl()
        self._left_s = dict.fromkeys(persons, float(self._terms.bank_s))
        self._since: dict[int, float] = {}  # Whose time is running, and since when.
        self._height = 0  # Of the step at which it is.
        self._counted: dict[int, int] = {}  # The height of the choice that was counted last,
        self._uncounted: dict[int, int] = {}  # and how many there were since that were not.
        self._kept_at = 0.0
        self._resume()
        self._heard: dict[int, tuple[float, float]] = {}  # What owners say is left, and since when.
        self._heard_often = RateLimit(HELP_PER_S_MAX, HELP_BURST_MAX)
        self._lag = RateLimit(CLOCK_LAG_MS_PER_S, CLOCK_LAG_MS_MAX)
        self._doubted: dict[int, float] = {}  # Whose words are more than was counted, since when.
        self._shows_more: set[int] = set()  # Of whom that has turned out to be so.
        self._told: set[int] = set()  # Whose owner has said it since there has been a link.
        self._corrected = 0  # How often that was another time than was counted here.
        self._has_stopped = False  # Mine has, which the others do not know yet.
        self._by_bot: set[int] = set()  # For whom a bot chooses now, as the owner says.
        self._is_up: set[int] = set()  # Whose time is used up,
        self.by_bots: set[tuple[int, int]] = set()  # and what bots chose then: (events, seat).
        self._events = 0  # In the log, when that was looked at.

    def _resume(self) -> None:
        """Go on with the time that was kept, less that for which I was away from a choice."""
        secrets, me = self._table.secrets, self._replica.me
        count, kept = len(self._left_s), [] if secrets is None else secrets.clock
        if not count or len(kept) not in (count, count + 1):
            return
        self._height = self._replica.height
        self._left_s = {seat: ms / MS for seat, ms in zip(self._left_s, kept, strict=False)}
        replacement, ran_at_ms = self._replica.roster.replacement, sum(kept[count:])
        if ran_at_ms and replacement is not None and me in self._left_s:
            self._left_s[me] -= min(max(time() - ran_at_ms / MS, 0.0), replacement.grace_s)

    def update(self) -> None:
        """Stop and start the clocks; called after everything that happens."""
        now, thinking, height = trio.current_time(), self._thinking(), self._replica.height
        is_next = height != self._height
        for seat in [each for each in self._since if is_next or each not in thinking]:
            self._stop(seat, now, has_answered=self._has_answered(seat))
        self._note_uncounted(self._height)
        self._height = height
        for seat in thinking:
            self._since.setdefault(seat, now)
        self._believe()
        self._note_bots()
        if self._since and now >= self._kept_at + KEPT_EVERY_S:
            self._keep()

    def _has_answered(self, seat: int) -> bool:
        """Whether a seat has chosen since the clocks were looked at."""
        fresh = self._replica.log[self._height :]
        is_in_log = any(each.seat == seat and each.kind in _CHOICES for each in fresh)
        return is_in_log or self._replica.holds(seat)

    def _note_uncounted(self, height: int) -> None:
        """Note the choices in the log since then that gave no time here: perhaps I was away."""
        for entry in self._replica.log[height:]:
            if entry.kind in _CHOICES and entry.height > self._counted.get(entry.seat, -1):
                self._uncounted[entry.seat] = self._uncounted.get(entry.seat, 0) + 1

    def _thinking(self) -> set[int]:
        """The persons of whom a choice is due that could be heard here."""
        replica, step = self._replica, self._replica.step
        is_asked = bool(self._left_s) and step is not None and step.is_choice
        is_held = replica.is_held_by_cheater or replica.play.is_signed
        if is_held or not is_asked or self._paused_by() is not None:
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
        if has_answered:
            self._counted[seat] = self._height
            self._by_bot.discard(seat)
        self._has_stopped |= seat == self._replica.me
        self._keep()

    def _keep(self) -> None:
        """Put on disk what is left, and when my time ran, to go on from there."""
        self._kept_at = trio.current_time()
        if self._table.secrets is not None:
            ran_at_ms = round(time() * MS) if self._replica.me in self._since else 0
            left_ms = [round(self._left(seat) * MS) for seat in self._left_s]
            self._table.secrets.keep_clock([*left_ms, ran_at_ms])

    def close(self) -> None:
        """The table is left, perhaps while a choice is due."""
        if self._since:
            self._keep()

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

        More than any clock can show by what is in my log counts for nothing: perhaps I am behind.

        Raises:
            MalformedFrame: no clock shows that.
        """
        if type(value) is not int or value < 0 or seat not in self._left_s:
            raise MalformedFrame("no clock of this table shows that")
        if value <= self._most_ms() and self._heard_often.allows(str(seat)):
            left_s = value / MS if self._terms.is_limited else -value / MS
            self._heard[seat] = left_s, trio.current_time()
            if self._terms.is_limited and not value:  # Its choice may come before I look again.
                self._by_bot.add(seat)
                self._note_bots()

    def _most_ms(self) -> int:
        """What a clock can show at most: each step was at best a choice that gave more."""
        terms, choices = self._terms, self._replica.height + 1
        most_s = terms.bank_s + terms.increment_s * choices if terms.is_limited else BANK_S_MAX
        return most_s * MS

    def _believe(self) -> None:
        """Show what owners have said; after all else, so that what came before it is counted."""
        now = trio.current_time()
        for seat, (left_s, said_at) in list(self._heard.items()):
            if self._may_be(seat, left_s, said_at):
                self._show(seat, left_s, said_at)
            elif now < self._doubted.setdefault(seat, now) + DOUBT_S or self._is_behind():
                continue  # More of the log may be on its way, and with it what gave more time.
            else:
                self._shows_more.add(seat)
                self._told.discard(seat)
            self._doubted.pop(seat, None)
            del self._heard[seat]
        self._told &= self._table.links.keys()

    def _may_be(self, seat: int, left_s: float, said_at: float) -> bool:
        """Whether a clock can show that, by what was counted here."""
        since = self._since.get(seat)
        shown_s = left_s - (0.0 if since is None else trio.current_time() - max(since, said_at))
        counted_s = max(self._left(seat), 0.0) if self._terms.is_limited else self._left(seat)
        counted_s += self._terms.increment_s * self._uncounted.get(seat, 0)
        more_ms = ceil(max(shown_s - counted_s, 0.0) * MS)
        return self._lag.allows(str(seat), cost=more_ms)

    def _show(self, seat: int, left_s: float, said_at: float) -> None:
        before_s, self._left_s[seat] = self._left(seat), left_s
        if seat in self._since:
            self._since[seat] = max(self._since[seat], said_at)
        self._corrected += abs(self._left(seat) - before_s) >= 1
        self._uncounted.pop(seat, None)
        self._told |= {seat}

    # ---- time that is used up ----

    async def keep_mine(self, choose_hastily: Callable[[], bool]) -> None:
        """Let a bot choose for me if a choice of mine is due and my time is used up.

        `choose_hastily` begins that, and says whether it has.  The others hear of it.
        """
        me = self._replica.me
        if me is None or me not in self._since or not self._terms.is_limited:
            return
        if self._left(me) <= 0 and choose_hastily():
            self._by_bot.add(me)
            self._note_bots()
            await self._table.broadcast(["clock", 0])

    def _note_bots(self) -> None:
        """Note whose time is used up, and which choices are a bot's for that."""
        events, before = len(self._replica.play.events), self._events
        self._events = events
        if events < before:  # The table has gone back, and what was chosen is no more.
            self.by_bots = {each for each in self.by_bots if each[0] < events}
        due = self._by_bot & self._since.keys()
        self.by_bots |= {(events, seat) for seat in due}
        enough_s = self._terms.increment_s + ENOUGH_S
        self._is_up = {seat for seat in self._is_up if self._left(seat) <= enough_s} | due
        if self._terms.is_limited and self._replica.roster.replacement is not None:
            below_s = -CLOCK_LAG_MS_MAX / MS  # A link that is there would have brought that word.
            late = {seat for seat in self._since if self._left(seat) < below_s} & self._told
            self._shows_more |= late - self._by_bot

    def _left(self, seat: int) -> float:
        since = self._since.get(seat)
        ran_s = 0.0 if since is None else trio.current_time() - since
        return self._left_s[seat] - ran_s

    # ---- what is shown ----

    def shown(self) -> tuple[SeatClock, ...]:
        """The clocks for the screen."""
        terms, paused_by = self._terms, self._paused_by()
        return tuple(
            SeatClock(seat, terms.is_limited, seat in self._since, self._left(seat),
                      has_paused=seat == paused_by, is_about=not self._is_known(seat),
                      is_up=seat in self._is_up, shows_more=seat in self._shows_more,
                      increment_s=terms.increment_s)
            for seat in self._left_s
        )  # fmt: skip

    def changes(self) -> object:
        """What makes the shown clocks others than these, counted on."""
        shown = self.shown()
        low = [each.low_s() for each in shown if each.seat == self._replica.me]
        return shown, self._corrected, low, len(self.by_bots)

    def _is_known(self, seat: int) -> bool:
        return seat == self._replica.me or seat in self._told
