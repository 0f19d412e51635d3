"""Clocks: each machine counts for itself, and a program keeps that of its own person alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from core.requests import Action
from p2p.audit.audit import audit_file
from p2p.base.clock import TimeControl
from p2p.base.roster import DecisionPoint
from p2p.log.secrets_file import SecretsFile
from p2p.session.clocks import Clocks
from p2p.session.news import Gathering, JoinTable, Notice, OpenTable, TableChanged
from p2p.session.players import HASTY_ITERATIONS, Deciding, Players
from tests.p2p.base.test_open_seats import party
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT
from tests.p2p.nodes import HERE, PATIENCE_S, has_entries
from tests.p2p.room import Room, Terms
from tests.p2p.session.tables import QuietTable

TEN = TimeControl(10, 3)
UP = "your time is used up: a bot chooses for you"


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Sitting:
    """Whoever has to choose at a table of three, and the others as that one hears them."""

    def __init__(self, clock: TimeControl | None, secrets: SecretsFile | None = None) -> None:
        self.room = Room(3, game="beads", terms=Terms(replacement=BOT, clock=clock))
        self.room.run(lambda each: each.step is not None and each.step.kind == "choose")
        self.replica = next(each for each in self.room.replicas if each.may_write())
        self.me = self.replica.me or 0
        self.heard = set(self.replica.others)
        self.table = QuietTable(self.replica, (), secrets)
        self.paused_by: int | None = None
        self.clocks = Clocks(self.table, self.heard.__contains__, lambda: self.paused_by)
        self.clocks.update()

    def running(self) -> tuple[int, ...]:
        """Whose time runs now."""
        self.clocks.update()
        return self.clocks.running()

    def left(self) -> dict[int, int]:
        """What is shown of each."""
        return {each.seat: round(each.left_s) for each in self.clocks.shown()}

    def choose(self) -> None:
        """I choose, and all hear it."""
        self.room.tell_all(self.room.write(self.replica))
        self.room.settle()
        self.clocks.update()


async def test_a_table_without_a_clock_shows_none(autojump_clock: MockClock) -> None:
    assert Sitting(None).clocks.shown() == ()


async def test_time_runs_while_a_choice_is_due_and_a_choice_gives_more(
    autojump_clock: MockClock,
) -> None:
    at = Sitting(TEN)
    assert at.running() == (at.me,)
    await trio.sleep(4)
    assert at.left() == {0: 10, 1: 10, 2: 10} | {at.me: 6}
    at.choose()
    assert at.left() == {0: 10, 1: 10, 2: 10} | {at.me: 9}


async def test_the_time_of_somebody_out_of_reach_stands_still(autojump_clock: MockClock) -> None:
    at = Sitting(TEN)
    at.choose()
    (other,) = at.running()
    assert other != at.me
    at.heard.remove(other)
    assert at.running() == ()
    await trio.sleep(60)
    at.heard.add(other)
    assert at.running() == (other,) and at.left()[other] == 10


async def test_at_the_end_of_my_time_a_bot_chooses_once_for_each_choice(
    autojump_clock: MockClock,
) -> None:
    at, begun = Sitting(TEN), list[int]()
    await trio.sleep(9)
    at.clocks.keep_mine(lambda: bool(begun.append(1)) or True)
    assert not begun
    await trio.sleep(2)
    at.clocks.keep_mine(lambda: bool(begun.append(1)) or True)
    at.clocks.keep_mine(lambda: False)
    said = [news.text for news in at.table.news if isinstance(news, Notice)]
    assert begun == [1] and said == [UP]
    at.choose()
    assert at.left()[at.me] == TEN.increment_s, "less than nothing is nothing"


async def test_nobody_keeps_the_clock_of_another(autojump_clock: MockClock) -> None:
    at = Sitting(TEN)
    at.choose()
    (other,) = at.running()
    await trio.sleep(60)
    at.clocks.keep_mine(lambda: pytest.fail("it is not my choice"))
    (clock,) = (each for each in at.clocks.shown() if each.seat == other)
    assert clock.seconds() == 0 and clock.is_running and not at.table.news


async def test_in_a_pause_no_time_runs_no_bot_chooses_and_no_choice_gives_more(
    autojump_clock: MockClock,
) -> None:
    at = Sitting(TEN)
    await trio.sleep(4)
    at.paused_by = 2
    assert at.running() == ()
    await trio.sleep(60)
    at.clocks.keep_mine(lambda: pytest.fail("my time stands still"))
    assert at.left()[at.me] == 6
    assert [each.seat for each in at.clocks.shown() if each.has_paused] == [2]
    at.choose()
    assert at.left() == {0: 10, 1: 10, 2: 10} | {at.me: 6}, "or a pause would be worth time"
    at.paused_by = None
    assert at.running() and not any(each.has_paused for each in at.clocks.shown())


async def test_after_a_pause_time_runs_on_from_where_it_stood(autojump_clock: MockClock) -> None:
    at = Sitting(TEN)
    await trio.sleep(4)
    at.paused_by = at.me
    at.clocks.update()
    await trio.sleep(60)
    at.paused_by = None
    assert at.running() == (at.me,)
    await trio.sleep(5)
    assert at.left()[at.me] == 1


async def test_time_that_is_only_shown_counts_up_and_never_ends(
    autojump_clock: MockClock,
) -> None:
    at = Sitting(TimeControl())
    await trio.sleep(75)
    at.clocks.keep_mine(lambda: pytest.fail("it has no end"))
    at.choose()
    (mine,) = (each for each in at.clocks.shown() if each.seat == at.me)
    assert mine.seconds() == 75 and not mine.is_limited


async def test_a_game_that_is_resumed_goes_on_with_the_time_that_was_left(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    secrets = SecretsFile.create(tmp_path / "game.secret")
    at = Sitting(TEN, secrets)
    await trio.sleep(4)
    at.choose()
    left = at.left()
    secrets.close()
    again = SecretsFile.reopen(tmp_path / "game.secret")
    table = QuietTable(at.replica, (), again)
    shown = Clocks(table, at.heard.__contains__, lambda: None).shown()
    assert {each.seat: round(each.left_s) for each in shown} == left
    again.close()


async def test_the_bot_of_who_has_no_time_is_gentle_and_knows_my_cards_alone(
    autojump_clock: MockClock,
) -> None:
    at, asked = Sitting(TEN), list[DecisionPoint]()

    async def think(turn: DecisionPoint) -> Action:
        asked.append(turn)
        return turn.game.legal_actions(turn.table, turn.seat, turn.observation)[0]

    inbox, said = trio.open_memory_channel[tuple[object, list[object]]](8)
    deciding = Deciding(at.replica, Players(of_open_seats=think), inbox)
    async with trio.open_nursery() as nursery:
        assert deciding.choose_hastily(nursery)
        assert not deciding.choose_hastily(nursery), "once at each head"
    (turn,) = asked
    assert turn.seat == at.me and turn.bot_terms is not None
    assert (turn.bot_terms.level, turn.bot_terms.iterations) == ("gentle", HASTY_ITERATIONS)
    source, (kind, seat, _, head) = said.receive_nowait()
    assert (source, kind, seat, head) == (None, "decided", None, at.replica.position.head)


@pytest.mark.slow
async def test_a_table_goes_on_past_somebody_whose_time_is_used_up(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    first, idle = persons
    idle.pause = trio.Event()  # Nobody sits there.
    table = OpenTable("carta", 2, is_local=True, clock=TimeControl(1, 0))
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, table)
            await first.until(lambda news: isinstance(news, Gathering))
            nursery.start_soon(idle.do, JoinTable(f"{HERE}:{first.port}", is_local=True))
            await first.until(has_entries(80))
            for person in persons:
                person.stop()
    assert UP in idle.notices and not first.accused and not idle.accused
    pictures = [news for news in first.news if isinstance(news, TableChanged)]
    assert {clock.seat for clock in pictures[-1].clocks} == {0, 1}
    report = audit_file(first.path)
    assert report.holds and all(each.replaced is None for each in report.verdicts)
