"""Who looks on is told what stands beside the game at a seat, and nothing that is secret."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from core.errors import HostlessError
from core.games import GAMES
from p2p.base.clock import TimeControl
from p2p.base.errors import MalformedFrame
from p2p.base.limits import COUNTED_MS_MAX, STATUS_S
from p2p.log.replica import Replica
from p2p.net.link import Link
from p2p.session.news import AskedBack, Away, AwayNext, News, Notice, SeatClock, TableChanged
from p2p.session.snapshot import public_snapshot
from p2p.session.spectators import Spectators
from p2p.session.table_status import TOLD, parse_status, status_message
from p2p.session.taking_back import taken_back_notices
from p2p.table import watching
from p2p.table.watching import look_on
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is
from tests.p2p.room import Room, Terms

CLOCK = TimeControl(60, 3)
CLEO = 2


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def a_room() -> Room:
    """Three persons with clocks, one of whom has to choose."""
    room = Room(3, game="beads", terms=Terms(replacement=BOT, clock=CLOCK))
    room.run(lambda each: each.step is not None and each.step.kind == "choose")
    return room


class Tape:
    """A link that plays messages and then closes; what is sent is kept."""

    def __init__(self, messages: list[object] | None = None) -> None:
        self.messages = messages or []
        self.sent: list[object] = []

    async def send(self, value: object) -> None:
        """Keep it."""
        await trio.lowlevel.checkpoint()
        self.sent.append(value)

    async def receive(self) -> object:
        """The next one."""
        await trio.lowlevel.checkpoint()
        if not self.messages:
            raise trio.EndOfChannel
        return self.messages.pop(0)


async def looked_on(replica: Replica, *beside: list[object]) -> list[News]:
    """What somebody is shown who looks on, with these words behind the log."""
    log = [["entry", entry.raw] for entry in replica.log]
    heard: list[News] = []
    tape = Tape([["roster", replica.roster.plain(), []], *log, *beside])
    with suppress(HostlessError):
        await look_on(cast("Link", tape), heard.append)
    return heard


def at_a_seat(room: Room) -> TableChanged:
    """What a player sees: c is away, b has asked for a pause and to take a choice back."""
    snapshot = public_snapshot(room.replicas[0])
    clocks = (
        SeatClock(0, True, True, 50.0, increment_s=3),
        SeatClock(1, True, False, 9.5, has_paused=True, increment_s=3),
        SeatClock(CLEO, True, False, 30.25, is_about=True, increment_s=3),
    )  # fmt: skip
    seats = tuple(
        replace(state, link="me" if seat == 0 else "away" if seat == CLEO else "up")
        for seat, state in enumerate(snapshot.seats)
    )
    away = (Away(CLEO, "c", AwayNext.REPLACED, 99.0, 42.0),)
    asked = AskedBack(1, "b", 20, 4, (0,))
    return replace(snapshot, seats=seats, clocks=clocks, away=away, asked_back=asked)


async def test_who_looks_on_is_told_that_the_table_waits_and_sees_pause_and_clocks() -> None:
    room = a_room()
    seen = (await looked_on(room.replicas[0], status_message(at_a_seat(room))))[-1]
    assert isinstance(seen, TableChanged) and seen.view.seat is None
    (away,) = seen.away
    assert (away.seat, away.name, away.then, away.seconds()) == (CLEO, "c", AwayNext.REPLACED, 42)
    assert [seat.link for seat in seen.seats] == ["up", "up", "away"]
    assert seen.clocks == at_a_seat(room).clocks
    assert [round(each.left_s, 2) for each in seen.clocks] == [50.0, 9.5, 30.25]
    assert seen.asked_back == at_a_seat(room).asked_back


@pytest.mark.usefixtures("short_escrow", "quick_proofs")
async def test_who_looks_on_is_told_what_a_bot_chose_for_somebody_who_went(seed: int) -> None:
    room = OpenRoom(seed=seed)
    room.run(kind_is("roll"))
    room.lose(CLEO)
    room.run()
    room.remove(CLEO)
    room.run()
    seen = (await looked_on(room.replicas[0]))[-1]
    assert isinstance(seen, TableChanged) and seen.view.is_over
    assert seen.by_bots == room.replicas[0].play.by_bots
    assert {seat for _, seat in seen.by_bots} == {CLEO}


async def test_what_was_told_stays_beside_the_game_until_it_is_told_anew() -> None:
    room = a_room()
    first = status_message(at_a_seat(room))
    later = status_message(replace(at_a_seat(room), away=(), asked_back=None))
    one, two = (await looked_on(room.replicas[0], first, later))[-2:]
    assert isinstance(one, TableChanged) and isinstance(two, TableChanged)
    assert one.away and one.asked_back and not two.away and two.asked_back is None


def test_what_only_the_seat_itself_can_do_is_not_told() -> None:
    """It alone may claim the win, and its own bots are started again."""
    room = a_room()
    away = Away(1, "b", AwayNext.LEFT, 9.0, 9.0), Away(CLEO, "c", AwayNext.STARTED)
    message = status_message(replace(at_a_seat(room), away=away))
    (told,) = parse_status(message, room.replicas[0]).away
    assert (told.seat, told.then) == (1, AwayNext.NOBODY)


@pytest.mark.parametrize("then", [each for each in AwayNext if each is not AwayNext.STARTED])
def test_whatever_comes_next_for_a_seat_is_understood_by_who_looks_on(then: AwayNext) -> None:
    """Whose own machine is cut off tells it to those who look on at that very machine."""
    room = a_room()
    message = status_message(replace(at_a_seat(room), away=(Away(1, "b", then, 9.0, 9.0),)))
    (told,) = parse_status(message, room.replicas[0]).away
    assert told.then is (then if then in TOLD else AwayNext.NOBODY)


def test_nothing_that_a_seat_alone_sees_is_told() -> None:
    """The snapshot of a seat has its hand, file, words and offers; none of that goes out."""
    room = a_room()
    public = public_snapshot(room.replicas[1])
    mine = replace(
        at_a_seat(room), view=room.replicas[0].view(), pairing="four words", strangers=("b",),
        lines=(), fairness=public.fairness,
    )  # fmt: skip
    assert mine.view.seat == 0
    assert status_message(mine) == status_message(at_a_seat(room))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((1, [3]), (1, [0, 1, 2, 0]), (1, [True]), (1, "all")),
        *((2, [[0, "left", 5]]), (2, [[0, "gone", 5]]), (2, [[3, "nobody", None]])),
        *((2, [[0, "replaced", -1]]), (2, [[0, "replaced", COUNTED_MS_MAX + 1]]), (2, [[0]])),
        *((3, [[0, True, False, False, -1]]), (3, [[0, 1, False, False, 5]]), (3, [[0, True]])),
        *((3, [[0, True, False, False, COUNTED_MS_MAX + 1]]), (3, [[9, True, False, False, 1]])),
        *((4, [0, -1, 5, []]), (4, [0, 5, 5, [7]]), (4, [0, 5, 5, [0] * 9]), (4, 1)),
    ],
)
def test_what_cannot_stand_beside_a_game_is_refused(place: int, value: object) -> None:
    room = a_room()
    message = status_message(at_a_seat(room))
    message[place] = value
    with pytest.raises(MalformedFrame):
        parse_status(message, room.replicas[0])


def test_no_clocks_are_shown_where_the_table_has_none() -> None:
    message = ["beside", [], [], [[0, True, False, False, 5]], None]
    with pytest.raises(MalformedFrame):
        parse_status(message, Room(2, game="beads").replicas[0])


async def test_news_are_told_when_there_are_some_to_all_and_not_too_often(
    autojump_clock: MockClock,
) -> None:
    spectators, tapes = Spectators(Room(2).replicas[0]), [Tape(), Tape()]

    async def told() -> list[int]:
        await spectators.tell_status(lambda: ["beside"])
        return [tape.sent.count(["beside"]) for tape in tapes]

    await spectators._show_all(cast("Link", tapes[0]))
    assert await told() == [1, 0]
    await spectators._show_all(cast("Link", tapes[1]))
    assert await told() == [1, 0], "at most so often"
    await trio.sleep(STATUS_S)
    assert await told() == [2, 1], "whoever has come hears it as well"
    await trio.sleep(STATUS_S)
    assert await told() == [2, 1], "nothing has changed"
    spectators.note_status()
    assert await told() == [3, 2]


async def test_who_looks_on_reads_that_a_choice_was_taken_back_since_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = a_room()
    told = Notice("b takes a choice back, and the table goes back", is_news=True)
    times = iter([[told], *[[]] * len(room.replicas[0].log), [told]])
    monkeypatch.setattr(watching, "taken_back_notices", lambda _: next(times, []))
    beside = status_message(at_a_seat(room))
    heard = await looked_on(room.replicas[0], beside, beside)
    assert [news for news in heard if isinstance(news, Notice)] == [told]


def test_each_choice_that_is_taken_back_is_told_once() -> None:
    room = a_room()
    room.replicas[0].play.taken_back.append(1)
    (notice,) = taken_back_notices(room.replicas[0])
    assert notice.text == "b takes a choice back, and the table goes back"
    assert taken_back_notices(room.replicas[0]) == []
