"""Clocks: each is kept by its owner's program alone, which says to the others what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from core.requests import Action
from p2p.audit.audit import audit_file
from p2p.base.clock import TimeControl
from p2p.base.errors import MalformedFrame, PeerError
from p2p.base.limits import BANK_S_MAX, HELP_BURST_MAX
from p2p.base.roster import DecisionPoint
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.clocks import Clocks
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import Gathering, TableChanged
from p2p.session.players import HASTY_ITERATIONS, Deciding, Players
from p2p.session.session import Session
from tests.p2p.base.test_open_seats import party
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT
from tests.p2p.nodes import HERE, PATIENCE_S, has_entries
from tests.p2p.room import Room, Terms
from tests.p2p.session.tables import QuietTable

TEN = TimeControl(10, 3)


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
        return tuple(each.seat for each in self.clocks.shown() if each.is_running)

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
    at.table.link(at.replica.others)
    await trio.sleep(9)
    await at.clocks.keep_mine(lambda: bool(begun.append(1)) or True)
    assert not begun
    await trio.sleep(2)
    await at.clocks.keep_mine(lambda: bool(begun.append(1)) or True)
    await at.clocks.keep_mine(lambda: False)
    assert begun == [1] and not at.table.news
    assert at.table.sent == [(other, ["clock", 0]) for other in at.replica.others]
    at.choose()
    assert at.left()[at.me] == TEN.increment_s, "less than nothing is nothing"


async def test_nobody_keeps_the_clock_of_another(autojump_clock: MockClock) -> None:
    at = Sitting(TEN)
    at.choose()
    (other,) = at.running()
    await trio.sleep(60)
    await at.clocks.keep_mine(lambda: pytest.fail("it is not my choice"))
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
    await at.clocks.keep_mine(lambda: pytest.fail("my time stands still"))
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
    await at.clocks.keep_mine(lambda: pytest.fail("it has no end"))
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


# ---- what owners say of their clocks ----


class Machine:
    """One seat of a table of three, with its clocks and what it says of its own."""

    def __init__(self, room: Room, me: int) -> None:
        self.replica = room.replicas[me]
        self.table = QuietTable(self.replica, self.replica.others)
        self.clocks = Clocks(self.table, self.table.links.__contains__, lambda: None)
        self.clocks.update()

    def left(self, seat: int) -> tuple[int, bool]:
        """What is shown of a seat in seconds, and whether that is about so much."""
        (clock,) = (each for each in self.clocks.shown() if each.seat == seat)
        return clock.seconds(), clock.is_about


class Tape:
    """A link that keeps what is sent, and why it ended."""

    peer_name = "grace"

    def __init__(self) -> None:
        self.sent: list[object] = []
        self.fault: PeerError | None = None

    async def send(self, message: object) -> None:
        """Keep it."""
        self.sent.append(message)

    def give_up(self, fault: PeerError) -> None:
        """End at once."""
        self.fault = fault


class Three:
    """Three machines that play, and say what their clocks show wherever they are linked."""

    def __init__(self, clock: TimeControl = TEN) -> None:
        self.room = Room(3, game="beads", terms=Terms(replacement=BOT, clock=clock))
        self.room.run(lambda each: each.step is not None and each.step.kind == "choose")
        self.at = [Machine(self.room, seat) for seat in range(3)]

    async def meet(self, *seats: int) -> None:
        """These are linked from now on, and each answers the `have` of the others."""
        for seat in seats:
            self.at[seat].table.link([each for each in seats if each != seat])
        for seat in seats:
            for message in self.at[seat].clocks.figure():
                await self.at[seat].table.broadcast(message)
        self.hear()

    def part(self, seat: int) -> None:
        """A seat loses all its links."""
        for each in self.at:
            each.table.link(each.table.links.keys() - {seat} if each.replica.me != seat else ())
            each.clocks.update()

    async def part_the_chooser(self) -> int:
        """All have met, and whoever is to choose has lost all links."""
        await self.meet(0, 1, 2)
        (chooser,) = (each.replica.me or 0 for each in self.at if each.replica.may_write())
        self.part(chooser)
        return chooser

    async def choose(self) -> int:
        """Whoever is to choose does; all who are linked hear it, and then what its clock shows."""
        (chooser,) = (each for each in self.at if each.replica.may_write())
        self.room.tell_all(self.room.write(chooser.replica))
        self.room.settle()
        chooser.clocks.update()
        await chooser.clocks.tell()
        self.hear()
        return chooser.replica.me or 0

    def hear(self) -> None:
        """All that was sent arrives."""
        for source in self.at:
            sent, source.table.sent = source.table.sent, []
            for to, message in sent:
                self.at[to].clocks.receive(source.replica.me or 0, message[1])
        for each in self.at:
            each.clocks.update()

    def shown(self, seat: int) -> list[tuple[int, bool]]:
        """What each machine shows of a seat."""
        return [each.left(seat) for each in self.at]


async def test_clocks_that_a_lost_link_drove_apart_agree_after_the_next_choice(
    autojump_clock: MockClock,
) -> None:
    at = Three()
    chooser = await at.part_the_chooser()
    await trio.sleep(4)  # Of which the others hear nothing.
    away = [(6, False) if seat == chooser else (10, True) for seat in range(3)]
    assert at.shown(chooser) == away
    for each in at.at:  # Linked again; what its answer to `have` says is lost once more.
        each.table.link(each.replica.others)
        each.clocks.update()
    await trio.sleep(1)
    assert {left for left, _ in at.shown(chooser)} == {5, 9}
    assert await at.choose() == chooser
    assert at.shown(chooser) == [(8, False)] * 3


async def test_a_link_that_is_made_again_brings_the_time_while_a_choice_is_due(
    autojump_clock: MockClock,
) -> None:
    at = Three()
    chooser = await at.part_the_chooser()
    await trio.sleep(4)
    other = at.at[(chooser + 1) % 3].clocks
    before = other.changes()
    await at.meet(0, 1, 2)
    assert at.shown(chooser) == [(6, False)] * 3 and other.changes() != before
    await trio.sleep(2)
    assert at.shown(chooser) == [(4, False)] * 3, "they count on from there"


async def test_time_is_about_what_is_shown_until_its_owner_has_said_it() -> None:
    at = Three()
    assert at.shown(0) == [(10, False), (10, True), (10, True)]
    await at.meet(0, 1, 2)
    assert at.shown(0) == [(10, False)] * 3
    at.part(0)
    assert at.shown(0) == [(10, False), (10, True), (10, True)]


async def test_a_time_that_is_counted_right_makes_no_new_snapshot(
    autojump_clock: MockClock,
) -> None:
    at = Three()
    await at.meet(0, 1, 2)
    await trio.sleep(3)
    before = [each.clocks.changes() for each in at.at]
    await at.meet(0, 1, 2)
    assert [each.clocks.changes() for each in at.at] == before


async def test_what_came_before_it_is_counted_before_a_time_is_believed(
    autojump_clock: MockClock,
) -> None:
    """The choice and the time behind it come at once; the choice gives more only once."""
    at = Sitting(TEN)
    at.choose()
    (other,) = at.running()
    at.table.link((other,))
    await trio.sleep(4)
    replica = at.room.replicas[other]
    at.room.tell_all(at.room.write(replica))
    at.clocks.receive(other, 9000)
    at.room.settle()
    at.clocks.update()
    assert at.left()[other] == 9


@pytest.mark.parametrize("value", [-1, True, None, 4.5, "9:32", b"", [5]])
async def test_what_no_clock_shows_is_refused(value: object) -> None:
    at = Sitting(TEN)
    with pytest.raises(MalformedFrame):
        at.clocks.receive(1, value)


async def test_only_persons_of_a_table_with_clocks_have_one() -> None:
    with pytest.raises(MalformedFrame):
        Sitting(None).clocks.receive(1, 5000)
    assert Sitting(None).clocks.figure() == []


@pytest.mark.parametrize("clock", [TEN, TimeControl()])
async def test_more_time_than_can_be_counts_for_nothing(clock: TimeControl) -> None:
    at = Sitting(clock)
    before, height = at.left(), at.replica.height
    most_s = clock.bank_s + clock.increment_s * (height + 1) if clock.is_limited else BANK_S_MAX
    at.clocks.receive(at.replica.others[0], most_s * 1000 + 1)
    at.clocks.update()
    assert at.left() == before
    at.clocks.receive(at.replica.others[0], most_s * 1000)
    at.clocks.update()
    if not clock.is_limited:
        assert at.left()[at.replica.others[0]] == -most_s, "who has used more harms itself"


async def test_whoever_says_its_time_without_end_is_heard_as_often_as_it_may(
    autojump_clock: MockClock,
) -> None:
    at = Sitting(TEN)
    (seat, _) = at.replica.others
    for number in range(HELP_BURST_MAX + 10):
        at.clocks.receive(seat, 9900 - 100 * number)
        at.clocks.update()
    assert at.left()[seat] == round((9900 - 100 * (HELP_BURST_MAX - 1)) / 1000)


async def test_nobody_says_the_time_of_another_seat() -> None:
    """Whoever names a seat says nothing that we know, and each says its own by its own link."""
    at = Sitting(TEN)
    session = Session(at.replica, at.table.game_file, None, at.table.news.append)
    first, second = at.replica.others
    link = cast("Link", Tape())
    await session._receive_peer(link, first, ["clock", second, 1000])
    assert isinstance(link.fault, MalformedFrame)
    await session._receive_peer(cast("Link", Tape()), first, ["clock", 2000])
    session.clocks.update()
    assert {each.seat: round(each.left_s) for each in session.clocks.shown()} == {
        0: 10, 1: 10, 2: 10
    } | {first: 2}  # fmt: skip


async def test_whoever_asks_where_i_am_hears_last_what_my_clock_shows() -> None:
    at = Sitting(TEN)
    session = Session(at.replica, at.table.game_file, None, at.table.news.append)
    (other, _) = at.replica.others
    tape = Tape()
    session.links[other] = cast("Link", tape)
    await session._serve(other, at.replica.height, 0)
    assert tape.sent[-1] == ["clock", 10_000]


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
    assert not first.accused and not idle.accused
    for person in persons:
        snapshots = [news for news in person.news if isinstance(news, TableChanged)]
        assert [clock.is_up for clock in snapshots[-1].clocks] == [False, True]
        assert {seat for _, seat in snapshots[-1].hastened} == {1}
    report = audit_file(first.path)
    assert report.holds and all(each.replaced is None for each in report.verdicts)
