"""Whoever was away takes from longer logs what all others have signed, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from core.requests import Action
from p2p.base.entry import Entry, Position, next_head, sign_entry
from p2p.base.errors import MalformedFrame
from p2p.base.limits import (
    HELP_BURST_MAX,
    HELP_PER_S_MAX,
    MEET_S,
    PIECE_BYTES_MAX,
    PIECE_ENTRIES_MAX,
)
from p2p.base.roster import DecisionPoint, replacement_identity
from p2p.log.blocked import Blocked
from p2p.log.game_file import GameFile
from p2p.log.membership_change import is_change
from p2p.log.replay import replay
from p2p.log.replica import Replica
from p2p.net.link import Link
from p2p.session.catching_up import ASK_MORE_S, GIVE_UP_S, CatchingUp, piece_of
from p2p.session.news import News, Notice
from p2p.session.players import CHECKS_MAX, PAUSE_S, Checking
from p2p.session.session import FOLLOW_S, LINGER_S, Session
from tests.p2p.acknowledging import acknowledging, claimed
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable
from tests.p2p.session.test_returning import away
from tests.simulation.volume_group import volume_group

LINK = cast("Link", None)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def whole(replica: Replica) -> QuietTable:
    """A running game with a link to every seat."""
    return QuietTable(replica, replica.seats)


def played_for(seed: int) -> tuple[OpenRoom, Replica]:
    """A game that was played to its end for seat 0, whose machine was off since the first roll."""
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    owner = room.replicas[0]
    room.lose(0)
    room.run()
    room.remove(0)
    room.run()
    assert room.replicas[0].is_over
    return room, owner


def hear_changes(owner: Replica, room: OpenRoom) -> None:
    """Let an owner go on with the change that stands on its log: it is shown in another way."""
    for entry in room.spectator.log:
        if is_change(entry) and entry.parent == owner.head:
            owner.take_in_logged(entry)


def follow(owner: Replica, catching_up: CatchingUp, room: OpenRoom) -> list[Entry]:
    """Take in whatever is due, as a session does; gives what open seats have said of it.

    What needs no thought is worked out where it is not to be had.
    """
    open_ones = list[Entry]()
    while True:
        hear_changes(owner, room)
        is_choice = owner.step is not None and owner.step.is_choice
        due = list(catching_up.due())
        for _, _, entry in due:
            if catching_up.is_forgeable(entry):
                open_ones.append(entry)
            owner.take_in(entry)
        room.verify(owner)
        has_moved = bool(due) or owner.advance() or bool(owner.obligations)
        if not has_moved and (is_choice or not room.speak(owner)):
            return open_ones


def choices(entries: list[Entry]) -> list[Entry]:
    """Those that a bot has to think about."""
    return [entry for entry in entries if entry.kind in ("choose", "seal")]


def receive(catching_up: CatchingUp, seat: int, message: list[object]) -> list[Entry]:
    """Let a seat send a piece."""
    return list(catching_up.receive(LINK, seat, message))


async def test_what_all_live_seats_have_signed_is_taken_without_thinking(seed: int) -> None:
    room, owner = played_for(seed)
    log = room.spectator.log
    catching_up = CatchingUp(whole(owner))
    assert receive(catching_up, 1, piece_of(log, owner.height)) == []
    taken = follow(owner, catching_up, room)
    assert len(choices(taken)) == 3, "a bid, what it said, and what it played"
    assert owner.height >= len(log) - 5, "but for the end, to which not all have answered"


async def test_what_came_before_the_others_had_gone_is_taken_all_the_same(seed: int) -> None:
    """They end with the game, and their links with them."""
    room, owner = played_for(seed)
    log = room.spectator.log
    catching_up = CatchingUp(whole(owner))
    receive(catching_up, 1, piece_of(log, owner.height))
    for seat in (1, 2):
        catching_up.forget(seat)
    assert len(choices(follow(owner, catching_up, room))) == 3
    assert owner.height >= len(log) - 5


async def test_a_seat_that_is_sent_more_and_more_is_told_from_one_that_asks_again(
    seed: int,
) -> None:
    room, owner = played_for(seed)
    progress, log = list[bool](), room.spectator.log
    catching_up = CatchingUp(whole(room.spectator), lambda: progress.append(True))
    await catching_up.serve(0, owner.height)
    assert len(progress) == 1
    await catching_up.serve(0, owner.height)
    assert len(progress) == 1, "the same once more"
    await catching_up.serve(0, len(log))
    assert len(progress) == 1, "it has all of it"
    catching_up.forget(0)
    await catching_up.serve(0, owner.height)
    assert len(progress) == 2, "it is there again"


async def test_a_seat_that_asks_without_end_is_answered_as_often_as_anybody_needs(
    seed: int, autojump_clock: MockClock
) -> None:
    """Each answer is a quarter of a megabyte, so asking costs a thousandth of answering."""
    room, owner = played_for(seed)
    table = whole(room.spectator)
    catching_up = CatchingUp(table)

    async def answers() -> int:
        table.sent.clear()
        for _ in range(2 * HELP_BURST_MAX):
            await catching_up.serve(0, owner.height)
        return sum(message[0] == "log" for _, message in table.sent)

    assert await answers() == HELP_BURST_MAX
    await trio.sleep(1)
    assert await answers() == HELP_PER_S_MAX, "and later again"
    await catching_up.serve(1, owner.height)
    assert table.sent[-1][0] == 1, "others are not meant"


async def test_at_the_end_of_a_game_whoever_still_catches_up_is_waited_for(
    seed: int, mock_clock: MockClock, tmp_path: Path
) -> None:
    room, owner = played_for(seed)
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    room.replicas[0].acks.forget(room.replicas[0].height + 1)
    session = Session(room.replicas[0], game_file, None, [].append)
    async with trio.open_nursery() as nursery:
        session._nursery = nursery
        session._end_when_all_have_all()
        assert nursery.cancel_scope.deadline == trio.current_time() + LINGER_S
        mock_clock.jump(LINGER_S - 1)
        for _ in range(2):  # It asks once more: that gives it no more time.
            await session.catching_up.serve(0, owner.height)
            assert nursery.cancel_scope.deadline == trio.current_time() + FOLLOW_S
        mock_clock.jump(FOLLOW_S - 1)
        await session.catching_up.serve(0, owner.height)
        assert nursery.cancel_scope.deadline == trio.current_time() + 1
        nursery.cancel_scope.cancel()


async def test_acknowledgements_of_all_are_as_good_as_their_entries(seed: int) -> None:
    room, _ = played_for(seed)
    log, tips = room.spectator.log, {each.height: each for each in room.spectator.tip.down()}
    last = max(at for at, entry in enumerate(log) if entry.kind == "choose" and entry.seat == 0)
    for ack_of, is_taken in (((), False), ((1,), False), ((1, 2), True)):
        mine = Replica(room.roster, room.identities[0], room.vaults[0])
        catching_up = CatchingUp(whole(mine))
        receive(catching_up, 1, ["log", 0, len(log), [each.raw for each in log[: last + 1]]])
        for seat in ack_of:
            mine.acks.receive(acknowledging(tips[last + 1], seat), 0, last)
        follow(mine, catching_up, room)
        assert (mine.height > last) == is_taken and mine.height >= last


def forged(room: OpenRoom, log: list[Entry]) -> tuple[int, list[Entry]]:
    """A log in which a bot has said something else, and seat 1 alone has signed what follows."""
    at = next(at for at, entry in enumerate(log) if entry.kind == "choose" and entry.seat == 0)
    real, game = log[at], room.spectator.game_id
    body = cast("list[Any]", real.body)
    verb, cards, number = body[0]
    said = [real.kind, [[verb, cards, (number + 1) % 3], body[1]]]
    anybody = replacement_identity(game, 0, 1)
    false = sign_entry(anybody, game, (0, 1), Position(real.height, real.parent, real.digest), said)
    head = next_head(log[at].parent, [false])
    follower = next(entry for entry in log[at:] if entry.seat == 1)
    there = Position(at + 1, head, real.digest)
    mine = sign_entry(room.identities[1], game, (1, 0), there, [follower.kind, follower.body])
    return at, [*log[:at], false, mine]


async def test_one_seat_cannot_make_up_what_a_bot_has_chosen(seed: int) -> None:
    """It feeds an owner a log with a choice that only it has signed, and acknowledgements."""
    room, owner = played_for(seed)
    at, log = forged(room, room.spectator.log)
    catching_up = CatchingUp(whole(owner))
    receive(catching_up, 1, piece_of(log, owner.height))
    behind = next_head(next_head(log[at].parent, [log[at]]), [log[at + 1]])
    owner.acks.receive(claimed(owner, 1, at + 2, behind), 0, at)
    follow(owner, catching_up, room)
    assert owner.height == at, "it works that out for itself"
    receive(catching_up, 2, piece_of(room.spectator.log, owner.height))
    follow(owner, catching_up, room)
    assert owner.height > at + 1 and owner.log[at].hash == room.spectator.log[at].hash


async def test_a_signature_of_another_under_the_false_log_is_no_signature(seed: int) -> None:
    room, owner = played_for(seed)
    at, log = forged(room, room.spectator.log)
    last = log[-1]
    there = Position(last.height, last.parent, last.digest)
    stranger = sign_entry(room.identities[1], last.game, (2, 0), there, [last.kind, last.body])
    catching_up = CatchingUp(whole(owner))
    receive(catching_up, 1, piece_of([*log, stranger], owner.height))
    follow(owner, catching_up, room)
    assert owner.height == at


async def test_what_does_not_hold_is_forgotten_and_worked_out(seed: int) -> None:
    room, owner = played_for(seed)
    log = room.spectator.log
    catching_up = CatchingUp(whole(owner))
    receive(catching_up, 1, piece_of(log, owner.height))
    first = choices(follow(owner, catching_up, room))[0]
    assert catching_up.refuse([first.raw])
    assert not catching_up.refuse([log[0].raw]), "that was not taken over"


async def test_logs_that_have_parted_are_looked_at_entry_by_entry(seed: int) -> None:
    room, owner = played_for(seed)
    at, log = forged(room, room.spectator.log)
    follower = CatchingUp(whole(room.spectator))
    assert receive(follower, 1, piece_of(log, at - 2)) == log[at - 2 :]
    assert receive(follower, 1, piece_of(room.spectator.log, at - 2)) == []
    assert not list(follower.due()) and owner.height < at


@pytest.mark.parametrize(
    "message",
    [
        ["log", 0, 0],
        ["log", -1, 5, []],
        ["log", True, 5, []],
        ["log", 6, 5, []],
        ["log", 0, 5, [1]],
        ["log", 0, 5, [b""]],
        ["log", 0, 5, [b""] * (PIECE_ENTRIES_MAX + 1)],
    ],
)
async def test_what_is_no_piece_is_refused(message: list[object]) -> None:
    with pytest.raises(MalformedFrame):
        receive(CatchingUp(whole(OpenRoom(3, 1).replicas[0])), 1, message)


async def test_a_piece_is_never_too_long(seed: int) -> None:
    room, owner = played_for(seed)
    log = room.spectator.log
    _, start, length, raws = piece_of(log * 20, 3)
    assert isinstance(raws, list) and (start, length) == (3, 20 * len(log))
    assert len(raws) <= PIECE_ENTRIES_MAX and sum(map(len, raws)) <= PIECE_BYTES_MAX
    game = whole(room.spectator)
    await CatchingUp(game).serve(0, owner.height)
    assert [message[0] for _, message in game.sent] == ["log"]
    game.sent.clear()
    await CatchingUp(game).serve(0, len(log))
    assert not game.sent, "who was replaced is shown with what puts that in force"


async def test_more_is_asked_for_at_once_and_from_another_if_nothing_comes(
    seed: int, mock_clock: MockClock
) -> None:
    _, owner = played_for(seed)
    game = whole(owner)
    catching_up = CatchingUp(game)
    await catching_up.ask()
    assert not game.sent and not catching_up.is_there(), "nobody has said how long its log is"
    for seat in (1, 2):
        catching_up.note(seat, owner.height + 9)
    await catching_up.ask()
    await catching_up.ask()
    assert game.sent == [(1, ["have", owner.height, owner.committed])]
    assert catching_up.why_not_sign() is Blocked.IS_BEHIND and not catching_up.is_there()
    mock_clock.jump(1.5)
    await catching_up.ask()
    assert [seat for seat, _ in game.sent] == [1, 2]
    mock_clock.jump(GIVE_UP_S)
    assert catching_up.why_not_sign() is None and catching_up.is_there(), "they have shown nothing"


async def test_whoever_says_without_end_that_it_has_more_holds_others_up_once_a_link(
    seed: int, mock_clock: MockClock
) -> None:
    _, owner = played_for(seed)
    catching_up = CatchingUp(whole(owner))
    catching_up.note(1, owner.height + 9)
    assert catching_up.why_not_sign() is Blocked.IS_BEHIND
    mock_clock.jump(GIVE_UP_S)
    assert catching_up.why_not_sign() is None
    for more in range(10, 20):
        catching_up.note(1, owner.height + more)
        assert catching_up.why_not_sign() is None, "it has not shown what it said before"
    catching_up.forget(1)
    catching_up.note(1, owner.height + 9)
    catching_up.why_not_sign()
    mock_clock.jump(GIVE_UP_S / 2)
    assert catching_up.why_not_sign() is None, "nor by another link"


async def test_whoever_makes_a_link_for_each_step_and_says_that_it_has_more_gains_next_to_nothing(
    seed: int, mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member that is never silent for the time of grace is not let go either."""
    _, owner = played_for(seed)
    catching_up, began = CatchingUp(whole(owner)), trio.current_time()
    for step in range(200):
        monkeypatch.setattr(Replica, "height", step)
        catching_up.note(1, step + 9)
        while catching_up.why_not_sign() is not None:
            mock_clock.jump(0.01)
            catching_up.forget(1)  # Also by hanging up before its time is over.
            catching_up.note(1, step + 9)
        catching_up.forget(1)
    assert GIVE_UP_S < trio.current_time() - began < 3 * GIVE_UP_S


async def test_whoever_begins_to_say_that_it_has_more_while_another_does_has_all_its_time(
    seed: int, mock_clock: MockClock
) -> None:
    _, owner = played_for(seed)
    catching_up = CatchingUp(whole(owner))
    catching_up.note(1, owner.height + 9)
    assert catching_up.why_not_sign() is Blocked.IS_BEHIND
    mock_clock.jump(0.9 * GIVE_UP_S)
    catching_up.note(2, owner.height + 1)
    assert catching_up.why_not_sign() is Blocked.IS_BEHIND
    mock_clock.jump(0.9 * GIVE_UP_S)
    assert catching_up.why_not_sign() is Blocked.IS_BEHIND, "only the second is believed by now"
    mock_clock.jump(0.2 * GIVE_UP_S)
    assert catching_up.why_not_sign() is None


async def test_whoever_has_sent_all_it_had_is_soon_asked_for_what_it_has_by_now(
    seed: int, mock_clock: MockClock
) -> None:
    _, owner = played_for(seed)
    game = whole(owner)
    catching_up = CatchingUp(game)
    catching_up.note(1, owner.height + 9)
    await catching_up.ask()
    receive(catching_up, 1, ["log", owner.height, owner.height + 9, []])
    await catching_up.ask()
    assert len(game.sent) == 1, "what it has has only just come"
    mock_clock.jump(ASK_MORE_S)
    await catching_up.ask()
    assert len(game.sent) == 2
    mock_clock.jump(ASK_MORE_S)
    await catching_up.ask()
    assert len(game.sent) == 2, "that has not been answered"


@pytest.mark.parametrize(("kind", "is_said"), [("unseal", True), ("seal", False)])
async def test_what_needs_no_thought_is_said_also_by_whoever_is_behind(
    seed: int, kind: str, is_said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others may think about the next choice, and have signed nothing after this step."""
    speak = Room.speak

    def is_due(replica: Replica) -> bool:
        step = replica.step
        return step is not None and step.kind == kind and 2 in step.writers

    def speak_before(room: Room, replica: Replica) -> bool:
        return not is_due(replica) and speak(room, replica)

    monkeypatch.setattr(Room, "speak", speak_before)
    room, owner = away(seed, is_due)
    owner.entries.waiting.forget(lambda late: late.seat == 2)
    session = Session(owner, cast("GameFile", None), None, [].append)
    session.links[0] = LINK
    session.catching_up.note(0, room.spectator.height + 9)
    assert session.catching_up.waits() and 2 in owner.waited_for()
    assert await session._write_for_open_seat() == is_said
    assert owner.holds(2) == is_said


async def test_what_has_come_is_not_asked_for_once_more(seed: int, mock_clock: MockClock) -> None:
    """Else everybody sends all the rest of the log whenever a proof in it is verified."""
    room, owner = played_for(seed)
    log, game = room.spectator.log, whole(owner)
    catching_up = CatchingUp(game)
    catching_up.note(1, len(log))
    receive(catching_up, 1, piece_of(log, owner.height))
    closed = 0
    while True:
        hear_changes(owner, room)
        for _, _, entry in catching_up.due():
            owner.take_in(entry)
        if owner.waited_for():
            break
        await catching_up.ask()
        assert not game.sent, "all that closes this step is here"
        room.verify(owner)
        closed += owner.advance()
    assert closed > 2
    await catching_up.ask()
    assert game.sent == [(1, ["have", owner.height, owner.committed])]


async def test_a_program_that_was_away_signs_nothing_before_it_has_heard_the_others(
    seed: int, mock_clock: MockClock
) -> None:
    _, owner = played_for(seed)
    catching_up = CatchingUp(whole(owner))
    assert catching_up.why_not_sign() is None, "a new game has no past"
    catching_up.begin(is_resumed=True)
    assert catching_up.why_not_sign() is Blocked.HAS_MET_NOBODY
    catching_up.note(1, owner.height)
    assert catching_up.why_not_sign() is Blocked.HAS_MET_NOBODY
    catching_up.note(2, owner.height)
    assert catching_up.why_not_sign() is None
    catching_up.forget(2)
    mock_clock.jump(MEET_S)
    assert catching_up.why_not_sign() is None, "it is not there"


async def test_a_choice_that_the_program_does_not_make_is_said(
    seed: int, autojump_clock: MockClock
) -> None:
    room, owner = played_for(seed)
    told, thought = list[News](), list[DecisionPoint]()

    async def other_than_that(turn: DecisionPoint) -> Action:
        thought.append(turn)
        return turn.game.legal_actions(turn.table, turn.seat, turn.observation)[-1]

    checking = Checking(owner, other_than_that, told.append)
    catching_up = CatchingUp(whole(owner))
    receive(catching_up, 1, piece_of(room.spectator.log, owner.height))
    for _ in range(200):
        hear_changes(owner, room)
        for _, _, entry in catching_up.due():
            checking.note(entry)
            owner.take_in(entry)
        room.verify(owner)
        owner.advance()
    with trio.move_on_after(PAUSE_S * CHECKS_MAX):
        await checking.run()
    assert not thought, "it has not its seat yet"
    owner.open_seats.discard(0)
    with trio.move_on_after(PAUSE_S * CHECKS_MAX):
        await checking.run()
    assert len(thought) == 2 and told, "both times it said the first that is allowed"
    assert all(isinstance(each, Notice) and "chose" in each.text for each in told)


def test_m7_whoever_has_lost_the_end_of_the_log_knows_that_until_it_has_it_again(
    seed: int,
) -> None:
    """Till then it says of nobody that it is gone: it would sign numbers again."""
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    owner, log = room.replicas[1], room.replicas[0].log
    again = Replica(room.roster, owner.identity, room.vaults[1])
    replay(log[:9], again)
    later = log[again.height :]
    for entry in later:
        if entry.seat == 1:
            again.receive(entry.raw)  # As its secrets file has them.
    assert again.lacks_end()
    replay(later, again)
    assert again.head == room.replicas[0].head and not again.lacks_end()
