"""Clocks: what is not believed, time that is used up, and what is kept of it on leaving."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from p2p.base.clock import TimeControl
from p2p.base.limits import CLOCK_LAG_MS_MAX
from p2p.log.secrets_file import SecretsFile
from p2p.session.clocks import DOUBT_S, Clocks
from p2p.session.news import LOW_S, SeatClock
from tests.p2p.session.tables import QuietTable
from tests.p2p.session.test_clocks import TEN, Sitting, Three
from tests.p2p.session.test_clocks import beads_are_a_game as beads_are_a_game

HUNDRED = TimeControl(100, 3)


# ---- what others do not believe ----


class Returning:
    """A machine at which somebody else has to choose, who goes and comes back."""

    def __init__(self, clock: TimeControl = HUNDRED) -> None:
        self.at = Sitting(clock)
        self.at.choose()
        (self.other,) = self.at.running()
        self.at.table.link((self.other,))

    async def come_back(self, *, after_s: float, says_s: float) -> None:
        """It was heard for so long, was away for a minute, and says what its clock shows."""
        await trio.sleep(after_s)
        self.at.heard.remove(self.other)
        self.at.clocks.update()
        await trio.sleep(60)
        self.at.heard.add(self.other)
        await self.hear(says_s)

    async def hear(self, says_s: float) -> None:
        """It says that, and time enough goes by to think about that."""
        self.at.clocks.update()
        self.at.clocks.receive(self.other, round(says_s * 1000))
        self.at.clocks.update()
        self.at.heard.remove(self.other)  # Its clock stands.
        self.at.clocks.update()
        await trio.sleep(DOUBT_S)
        self.at.clocks.update()
        self.at.heard.add(self.other)

    def clock(self) -> SeatClock:
        """What is shown of it."""
        return next(each for each in self.at.clocks.shown() if each.seat == self.other)


async def test_time_that_somebody_gives_back_to_itself_is_not_believed_and_is_named(
    autojump_clock: MockClock,
) -> None:
    there = Returning()
    await there.come_back(after_s=40, says_s=100)
    clock = there.clock()
    assert clock.seconds() == 60 and clock.is_about and clock.shows_more
    assert there.at.left()[there.at.me] == 103, "nobody else is concerned"


async def test_less_time_than_was_counted_is_believed_at_once(autojump_clock: MockClock) -> None:
    there = Returning()
    await there.come_back(after_s=40, says_s=25)
    assert there.clock().seconds() == 25
    assert not (there.clock().is_about or there.clock().shows_more)


async def test_as_much_more_as_slow_links_make_is_believed_but_not_again_and_again(
    autojump_clock: MockClock,
) -> None:
    there, lag_s = Returning(), CLOCK_LAG_MS_MAX / 1000
    await there.come_back(after_s=50, says_s=50 + lag_s - 1)
    assert there.clock().seconds() == 50 + lag_s - 1 and not there.clock().shows_more
    await there.hear(50 + 2 * lag_s)
    assert there.clock().seconds() == 50 + lag_s - 1 and there.clock().shows_more


async def test_a_word_that_is_believed_again_is_no_longer_about(autojump_clock: MockClock) -> None:
    there = Returning()
    await there.come_back(after_s=40, says_s=100)
    await there.hear(59)
    assert there.clock().seconds() == 59 and not there.clock().is_about


async def test_time_that_choices_gave_while_i_was_away_is_believed(
    autojump_clock: MockClock,
) -> None:
    """What others chose meanwhile is in the log that they show, and they say it before that."""
    at = Three(HUNDRED)
    await at.meet(0, 1, 2)
    away, behind = at.at[2], [True]
    away.clocks._is_behind = lambda: behind[0]
    for _ in range(8):
        (chooser,) = (each for each in at.at if each.replica.may_write())
        at.room.tell_all(at.room.write(chooser.replica))
        at.room.settle()
        for each in at.at[:2]:
            each.clocks.update()
    said = {seat: at.at[seat].left(seat)[0] for seat in (0, 1)}
    assert max(said.values()) > 100 + CLOCK_LAG_MS_MAX / 1000 / 3
    for seat, left_s in said.items():
        away.clocks.receive(seat, left_s * 1000)
    away.clocks.update()
    assert {seat: away.left(seat)[0] for seat in said} == said
    assert not any(each.shows_more for each in away.clocks.shown())


async def test_whoever_is_behind_waits_with_its_doubts(autojump_clock: MockClock) -> None:
    there = Returning()
    there.at.clocks._is_behind = lambda: True
    await there.come_back(after_s=40, says_s=100)
    assert not there.clock().shows_more and there.clock().seconds() == 60


async def test_a_program_that_ignores_its_clock_is_named(autojump_clock: MockClock) -> None:
    there = Returning()
    await trio.sleep(100)
    there.at.clocks.receive(there.other, 1000)
    there.at.clocks.update()
    await trio.sleep(CLOCK_LAG_MS_MAX / 1000)
    there.at.clocks.update()
    assert not there.clock().shows_more
    await trio.sleep(2)
    there.at.clocks.update()
    assert there.clock().shows_more and there.clock().seconds() == 0


# ---- time that is used up ----


async def test_all_hear_whose_time_is_used_up_and_which_choices_are_a_bots(
    autojump_clock: MockClock,
) -> None:
    at = Three()
    await at.meet(0, 1, 2)
    (chooser,) = (each for each in at.at if each.replica.may_write())
    seat, events = chooser.replica.me or 0, len(chooser.replica.play.events)
    await trio.sleep(10)
    await chooser.clocks.keep_mine(lambda: True)
    at.hear()
    assert await at.choose() == seat
    for each in at.at:
        assert [clock.seat for clock in each.clocks.shown() if clock.is_up] == [seat]
        assert each.clocks.by_bots == {(events, seat)}
        assert each.left(seat) == (TEN.increment_s, False)
    await at.choose()
    assert all(len(each.clocks.by_bots) == 1 for each in at.at), "others choose themselves"


async def test_a_word_and_the_choice_behind_it_may_come_at_once(autojump_clock: MockClock) -> None:
    at = Sitting(TEN)
    at.choose()
    (other,) = at.running()
    events = len(at.replica.play.events)
    at.clocks.receive(other, 0)
    at.room.tell_all(at.room.write(at.room.replicas[other]))
    at.clocks.receive(other, TEN.increment_s * 1000)
    at.room.settle()
    at.clocks.update()
    assert at.clocks.by_bots == {(events, other)}
    assert [each.seat for each in at.clocks.shown() if each.is_up] == [other]


async def test_a_snapshot_is_due_when_my_time_gets_little(autojump_clock: MockClock) -> None:
    at = Sitting(HUNDRED)
    seen = [at.clocks.changes()]
    for _ in range(99):
        await trio.sleep(1)
        at.clocks.update()
        if seen[-1] != at.clocks.changes():
            seen.append(at.clocks.changes())
    assert len(seen) == 1 + len(LOW_S)


# ---- leaving and coming back ----


class Desk:
    """A machine whose person leaves a game and resumes it; the time of day stands with trio's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
        monkeypatch.setattr("p2p.session.clocks.time", lambda: 1e9 + trio.current_time())
        self.path = path
        self.secrets = SecretsFile.create(path)
        self.at = Sitting(HUNDRED, self.secrets)

    async def resume(self, *, after_s: float) -> int:
        """What my clock shows when I am back after so long; the program may have been killed."""
        self.secrets.close()
        await trio.sleep(after_s)
        self.secrets = SecretsFile.reopen(self.path)
        table = QuietTable(self.at.replica, (), self.secrets)
        shown = Clocks(table, self.at.heard.__contains__, lambda: None).shown()
        self.secrets.close()
        return next(each.seconds() for each in shown if each.seat == self.at.me)


async def test_leaving_in_the_own_turn_gives_no_time_back_and_time_runs_on(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path / "game.secret")
    await trio.sleep(14)
    desk.at.clocks.close()
    assert await desk.resume(after_s=20) == 100 - 14 - 20


async def test_whoever_is_away_for_long_is_charged_for_the_time_of_grace(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path / "game.secret")
    await trio.sleep(14)
    desk.at.clocks.close()
    replacement = desk.at.replica.roster.replacement
    assert replacement is not None
    assert await desk.resume(after_s=86_400) == 100 - 14 - replacement.grace_s


async def test_a_program_that_is_killed_has_kept_its_time(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path / "game.secret")
    for _ in range(28):
        await trio.sleep(0.5)
        desk.at.clocks.update()
    size = desk.path.stat().st_size
    assert await desk.resume(after_s=0) == 86
    assert size < 1000, "not at each look"


async def test_no_time_runs_while_i_am_away_in_a_pause_or_in_the_turn_of_another(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(monkeypatch, tmp_path / "game.secret")
    await trio.sleep(14)
    desk.at.paused_by = desk.at.me
    desk.at.clocks.update()
    await trio.sleep(100)
    desk.at.clocks.close()
    assert await desk.resume(after_s=600) == 86
