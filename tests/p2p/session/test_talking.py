"""What people say at the table: signed, in no log, bounded, and passed on to who cannot hear."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.clock import TimeControl
from p2p.base.errors import BadSignature, BrokenChain, MalformedFrame
from p2p.base.limits import ALLOWANCES, SAID_LETTERS_MAX, SAID_LINES_MAX, Role
from p2p.session.commands import Reaction
from p2p.session.news import Notice, SaidLine
from p2p.session.relaying import Relaying
from p2p.session.talking import NUMBER_MAX, Talk, line_of
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, away, kind_is
from tests.p2p.room import Room, Terms
from tests.p2p.session.tables import QuietTable


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def seated(room: Room, me: int, links: set[int]) -> tuple[QuietTable, Talk, Relaying]:
    table = QuietTable(room.replicas[me], links)
    relaying = Relaying(table)
    return table, Talk(table, relaying), relaying


def lines(table: QuietTable) -> list[SaidLine]:
    return [news for news in table.news if isinstance(news, SaidLine)]


async def test_a_line_is_heard_by_all_and_stands_in_no_log() -> None:
    room = Room(2, game="beads")
    ada, say, _ = seated(room, 0, {1})
    grace, hear, _ = seated(room, 1, {0})
    await say.say("good luck")
    await say.say(Reaction.WELL_PLAYED)
    for _, message in ada.sent:
        await hear.receive(0, message)
    assert [(line.text, line.reaction, line.is_mine) for line in lines(grace)] == [
        ("good luck", None, False), ("", Reaction.WELL_PLAYED, False)
    ]  # fmt: skip
    assert all(line.is_mine for line in lines(ada))
    assert not room.replicas[0].height and not room.replicas[1].height


@pytest.mark.parametrize(("place", "value"), [(1, 2), (2, 9), (3, "another"), (4, bytes(64))])
async def test_nobody_speaks_for_another_or_changes_a_word(place: int, value: object) -> None:
    room = Room(3, game="beads")
    grace, hear, _ = seated(room, 1, {0, 2})
    message = line_of(room.replicas[0], 5, "good luck")
    message[place] = value
    with pytest.raises(BadSignature):
        await hear.receive(2, message)
    assert not lines(grace)


@pytest.mark.parametrize(
    "said", ["", "   ", "x" * (SAID_LETTERS_MAX + 1), 0, 99, -1, True, None, b"text", ["a"]]
)
async def test_what_nobody_may_say_ends_the_link(said: object) -> None:
    _, hear, _ = seated(Room(2, game="beads"), 1, {0})
    with pytest.raises(MalformedFrame):
        await hear.receive(0, ["say", 0, 1, said, bytes(64)])


@pytest.mark.parametrize(("seat", "number"), [(9, 1), (True, 1), (0, 0), (0, NUMBER_MAX)])
async def test_a_line_is_of_a_seat_and_has_a_number(seat: object, number: object) -> None:
    _, hear, _ = seated(Room(2, game="beads"), 1, {0})
    with pytest.raises(MalformedFrame):
        await hear.receive(0, ["say", seat, number, "hello", bytes(64)])


async def test_what_was_said_before_is_no_news_and_goes_no_further() -> None:
    room = Room(4, game="beads")
    ada, hear, relaying = seated(room, 0, {1, 3})
    await relaying.receive(1, [2])
    await relaying.receive(3, [2])
    first, second = (line_of(room.replicas[2], number, "hello") for number in (1, 2))
    for message in (first, second, first, second):
        await hear.receive(3, message)
    assert len(lines(ada)) == 2
    assert ada.sent == [(1, first), (1, second)], "who brought it does not hear it again"


async def test_a_line_that_is_told_to_one_alone_is_heard_by_all() -> None:
    room = Room(4, game="beads")
    ada, hear, _ = seated(room, 0, {1, 2, 3})
    line = line_of(room.replicas[2], 1, "for your ears")
    await hear.receive(2, line)
    assert ada.sent == [(1, line), (3, line)]


async def test_who_is_linked_later_hears_the_newest_lines_of_every_seat() -> None:
    room = Room(3, game="beads")
    ada, hear, _ = seated(room, 0, {1})
    for number in range(1, SAID_LINES_MAX + 4):
        await hear.receive(1, line_of(room.replicas[1], number, f"line {number}"))
    ada.link({1, 2})
    ada.sent.clear()
    await hear.greet(2)
    assert [message[2] for _, message in ada.sent] == list(range(4, SAID_LINES_MAX + 4))


async def test_after_a_restart_my_numbers_go_on_even_if_my_clock_was_set_back() -> None:
    room = Room(2, game="beads")
    _, hear, _ = seated(room, 1, {0})
    ahead = line_of(room.replicas[0], NUMBER_MAX - 2, "from a clock that is fast")
    await hear.receive(0, ahead)
    again, say, _ = seated(room, 0, {1})
    await say.receive(1, ahead)
    await say.say("back again")
    message = again.sent[-1][1]
    assert message[2] == NUMBER_MAX - 1
    await hear.receive(0, message)


async def test_forged_lines_do_not_keep_somebody_from_being_heard(
    autojump_clock: MockClock,
) -> None:
    room = Room(3, game="beads")
    grace, hear, _ = seated(room, 1, {0, 2})
    forged = line_of(room.replicas[0], 5, "good luck")
    forged[4] = bytes(64)
    for _ in range(2 * ALLOWANCES[Role.MEMBER].lines_burst):
        with pytest.raises(BadSignature):
            await hear.receive(2, forged)
    await hear.receive(0, line_of(room.replicas[0], 6, "hello"))
    assert [line.text for line in lines(grace)] == ["hello"]


def test_a_seat_that_talks_without_end_is_heard_as_often_as_it_may(
    autojump_clock: MockClock,
) -> None:
    async def talk() -> int:
        room = Room(2, game="beads")
        table, hear, _ = seated(room, 1, {0})
        for number in range(1, 1001):
            await hear.receive(0, line_of(room.replicas[0], number, "spam"))
        burst = len(lines(table))
        await trio.sleep(10)
        for number in range(1001, 2001):
            await hear.receive(0, line_of(room.replicas[0], number, "spam"))
        return len(lines(table)) - burst + 1000 * burst

    may = ALLOWANCES[Role.MEMBER]
    heard = trio.run(talk, clock=MockClock(autojump_threshold=0))
    assert heard == 10 * may.lines_per_s + 1000 * may.lines_burst


async def test_i_am_told_when_i_talk_too_much_and_others_hear_all_that_i_was_allowed() -> None:
    room = Room(2, game="beads")
    ada, say, _ = seated(room, 0, {1})
    grace, hear, _ = seated(room, 1, {0})
    for number in range(50):
        await say.say(f"line {number}")
    for _, message in ada.sent:
        await hear.receive(0, message)
    assert len(lines(grace)) == len(ada.sent) == ALLOWANCES[Role.MEMBER].lines_burst // 2
    assert any(isinstance(news, Notice) and "too many" in news.text for news in ada.news)


async def test_what_would_move_the_cursor_is_shown_by_its_code() -> None:
    room = Room(2, game="beads")
    grace, hear, _ = seated(room, 1, {0})
    await hear.receive(
        0, line_of(room.replicas[0], 1, "a\x1b[2Jb\u202ec\nd" + "e\u0301\u0302\u0303")
    )
    (line,) = lines(grace)
    assert line.text.startswith("a<U+001B>[2Jb<U+202E>c<U+000A>d")
    assert line.text.isprintable() and len(line.text) < 40


async def test_who_looks_on_has_nothing_to_say() -> None:
    assert ALLOWANCES[Role.SPECTATOR].lines_burst == 0
    table = QuietTable(Room(2, game="beads").replicas[0], {1})
    talk = Talk(table, Relaying(table))
    table.replica.me = None  # type: ignore[misc, assignment]
    await talk.say("hello")
    assert not table.sent


def with_clocks() -> Room:
    return Room(3, game="beads", terms=Terms(replacement=BOT, clock=TimeControl(60, 5)))


async def test_anybody_asks_for_a_pause_and_anybody_else_ends_it() -> None:
    room = with_clocks()
    ada, say, _ = seated(room, 0, {1, 2})
    _, answer, _ = seated(room, 1, {0, 2})
    grace, hear, _ = seated(room, 2, {0, 1})
    await say.say(Reaction.PAUSE)
    await hear.receive(0, ada.sent[-1][1])
    assert say.paused_by == hear.paused_by == 0
    await answer.receive(0, ada.sent[-1][1])
    await answer.say(Reaction.GO_ON)
    for each in (say, hear):
        await each.receive(1, line_of(room.replicas[1], NUMBER_MAX - 2, Reaction.GO_ON))
    assert say.paused_by is hear.paused_by is answer.paused_by is None
    assert [line.reaction for line in lines(grace)] == [Reaction.PAUSE, Reaction.GO_ON]


@pytest.mark.parametrize("other", ["what the others hear", Reaction.GO_ON])
async def test_whoever_tells_one_alone_of_a_pause_stops_all_clocks_or_none(
    other: str | Reaction,
) -> None:
    """It stopped that one's clock: the others saw that run on, and heard of more than it had."""
    room = with_clocks()
    ada, hear, _ = seated(room, 0, {1, 2})
    grace, hears_too, _ = seated(room, 1, {0, 2})
    await hear.receive(2, line_of(room.replicas[2], 5, Reaction.PAUSE))
    await hears_too.receive(2, line_of(room.replicas[2], 5, other))
    for source, table, to in ((0, ada, hears_too), (1, grace, hear)):
        for seat, message in list(table.sent):
            if seat == 1 - source:
                await to.receive(source, message)
    assert hear.paused_by == hears_too.paused_by == (2 if isinstance(other, str) else None)


async def test_an_old_pause_that_is_told_again_is_none() -> None:
    room = with_clocks()
    _, hear, _ = seated(room, 2, {0, 1})
    pause = line_of(room.replicas[0], 5, Reaction.PAUSE)
    await hear.receive(0, pause)
    await hear.receive(1, line_of(room.replicas[1], 1, Reaction.GO_ON))
    await hear.receive(1, pause)
    assert hear.paused_by is None


@pytest.mark.parametrize(("sign", "paused_by"), [(Reaction.PAUSE, 1), (Reaction.GO_ON, None)])
async def test_who_is_linked_later_hears_whether_there_is_a_pause_however_much_was_said(
    sign: Reaction, paused_by: int | None
) -> None:
    room = with_clocks()
    ada, hear, _ = seated(room, 0, {1})
    later, hears_later, _ = seated(room, 2, {0})
    await hear.receive(1, line_of(room.replicas[1], 1, Reaction.PAUSE))
    await hear.receive(1, line_of(room.replicas[1], 2, sign))
    for number in range(3, 4 + SAID_LINES_MAX):
        await hear.receive(1, line_of(room.replicas[1], number, f"line {number}"))
    ada.sent.clear()
    await hear.greet(2)
    for _, message in ada.sent:
        await hears_later.receive(0, message)
    assert hears_later.paused_by == paused_by
    assert len(lines(later)) == SAID_LINES_MAX + 1


async def test_without_clocks_there_is_nothing_to_pause() -> None:
    room = Room(2, game="beads")
    grace, hear, _ = seated(room, 1, {0})
    await hear.receive(0, line_of(room.replicas[0], 1, Reaction.PAUSE))
    assert hear.paused_by is None and lines(grace)


async def test_an_owner_whose_seat_was_replaced_stops_no_clock() -> None:
    room, owner = away(5, kind_is("choose"))
    ada, hear, _ = seated(room, 0, {1})
    replica = room.replicas[0]
    replica.roster = replace(replica.roster, clock=TimeControl(60, 5))
    assert owner.me not in replica.play.live
    await hear.receive(1, line_of(owner, 1, Reaction.PAUSE))
    assert hear.paused_by is None and lines(ada)


async def test_who_has_cheated_stops_no_clock_and_lets_none_run() -> None:
    room = with_clocks()
    ada, hear, _ = seated(room, 0, {1, 2})
    room.replicas[0].guilty[2] = BrokenChain(room.identities[2].public, "it has signed two logs")
    await hear.receive(2, line_of(room.replicas[2], 1, Reaction.PAUSE))
    assert hear.paused_by is None and lines(ada)
    await hear.receive(1, line_of(room.replicas[1], 1, Reaction.PAUSE))
    await hear.receive(2, line_of(room.replicas[2], 2, Reaction.GO_ON))
    assert hear.paused_by == 1
    ada.sent.clear()
    await hear.greet(2)
    assert [message[1] for message in ada.said("say")] == [1], "what counts is told later"


async def test_a_bot_stops_no_clock() -> None:
    room = with_clocks()
    _, hear, _ = seated(room, 1, {0})
    replica = room.replicas[1]
    bot, *others = replica.roster.seats
    replica.roster = replace(replica.roster, seats=(replace(bot, bot_terms=BOT), *others))
    await hear.receive(0, line_of(room.replicas[0], 1, Reaction.PAUSE))
    assert hear.paused_by is None
