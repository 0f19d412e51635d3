"""Two programs with one key: one of them sits on the seat, and nothing is signed twice."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from core.errors import HostlessError
from p2p.base.entry import parse_entry
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import TAKEN_OVER_BURST_MAX, TAKEN_OVER_PER_S_MAX
from p2p.log.entries import place_of
from p2p.log.game_file import read_game
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.catching_up import CatchingUp
from p2p.session.commands import Resume
from p2p.session.instances import ALIVE_S, ASK_S, BUSY_S, LAST_RANK, Instances
from p2p.session.news import Elsewhere, TableChanged
from p2p.session.places import Places
from tests.p2p.nodes import Person, check_nothing_signed_twice, has_entries, people, sitting_down
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable

pytestmark = pytest.mark.usefixtures("quick_proofs")


class FakeLink:
    """A link that keeps what is sent, and was heard some time ago."""

    remote_host = "10.0.0.4"
    silent_s = 0.0

    def __init__(self) -> None:
        self.sent: list[object] = []

    async def send(self, value: object) -> None:
        self.sent.append(value)

    def post(self, framed: bytes) -> None:
        self.sent.append(framed)


class FakeTable(QuietTable):
    """A running game of one seat, which is also where it notes whom it would call again."""

    secrets: SecretsFile

    def __init__(self, replica: Replica, secrets: SecretsFile) -> None:
        super().__init__(replica, (), secrets)
        self.called: list[int] = []

    @classmethod
    def at(cls, room: Room, seat: int, folder: Path) -> FakeTable:
        """A seat with a new secrets file."""
        return cls(room.replicas[seat], SecretsFile.create(folder / f"{seat}.secret"))

    def resumed(self) -> FakeTable:
        """The same seat later, from the very same file."""
        return FakeTable(self.replica, SecretsFile.reopen(self.secrets.path))

    def copied(self) -> FakeTable:
        """The same seat, from a copy of the file."""
        path = self.secrets.path.with_suffix(".copy")
        shutil.copy(self.secrets.path, path)
        return FakeTable(self.replica, SecretsFile.reopen(path))

    def on_news(self, seat: int) -> None:
        self.called.append(seat)

    def program(self) -> Instances:
        """A program that sits down now."""
        return Instances(self, cast("Places", self), CatchingUp(self))


@pytest.fixture
def seats(tmp_path: Path) -> tuple[FakeTable, FakeTable]:
    """Two seats of one table: mine, and that of somebody who hears it."""
    room = Room(players=2)
    return FakeTable.at(room, 0, tmp_path), FakeTable.at(room, 1, tmp_path)


async def test_a_second_program_is_turned_away_while_the_first_is_alive(
    seats: tuple[FakeTable, FakeTable],
) -> None:
    mine, other = seats
    hearer, first, second = other.program(), mine.program(), mine.copied().program()
    link = FakeLink()
    assert await hearer.refusal(0, first.mine()) is None
    other.links[0] = cast("Link", link)
    assert await hearer.refusal(0, first.mine()) is None, "it calls again, from elsewhere perhaps"
    assert await hearer.refusal(0, second.mine()) == ["busy", first.mine(), "10.0.0.4"]
    link.silent_s = ALIVE_S
    assert await hearer.refusal(0, second.mine()) is None
    assert await hearer.refusal(0, first.mine()) is None, "nobody has taken the seat over"


async def test_a_program_that_takes_over_is_heard_everywhere_and_the_older_one_stops(
    seats: tuple[FakeTable, FakeTable], autojump_clock: MockClock
) -> None:
    mine, other = seats
    elsewhere = mine.copied()
    hearer, first, second = other.program(), mine.program(), elsewhere.program()
    link = FakeLink()
    await hearer.refusal(0, first.mine())
    other.links[0] = cast("Link", link)
    second.take_over()
    assert not second.has_taken_over and not elsewhere.called, "nobody has said that it is busy"
    busy = await hearer.refusal(0, second.mine())
    assert busy is not None
    await second.receive(1, cast("Link", FakeLink()), busy)
    assert elsewhere.called == [1] and not second.is_busy()
    assert await hearer.refusal(0, second.mine()) is None
    assert hearer.is_fenced(cast("Link", link))
    ((word, claim),) = cast("list[list[object]]", link.sent)
    assert word == "fenced" and claim == second.mine()
    assert await hearer.refusal(0, first.mine()) == ["fenced", second.mine()]
    with pytest.raises(HostlessError, match="taken over"):
        await first.receive(1, cast("Link", FakeLink()), ["fenced", claim])
    again = other.program()  # Also after a restart of the one who hears them.
    assert await again.refusal(0, first.mine()) == ["fenced", second.mine()]
    assert again.greeting() == [["here", again.mine()], ["here", second.mine()]]


async def test_a_seat_that_is_taken_over_without_end_does_not_fill_the_disks_of_others(
    seats: tuple[FakeTable, FakeTable], autojump_clock: MockClock
) -> None:
    """Each time goes to disk with a sync; a file that has grown for hours could not be reopened."""
    mine, other = seats
    hearer, program, link = other.program(), mine.program(), cast("Link", FakeLink())
    for rank in range(1, 4 * TAKEN_OVER_BURST_MAX):
        program._rank = rank
        await hearer.receive(0, link, ["here", program.mine()])
    assert len(other.secrets.claims) == TAKEN_OVER_BURST_MAX
    await trio.sleep(1 / TAKEN_OVER_PER_S_MAX)
    await hearer.receive(0, link, ["here", program.mine()])
    assert other.secrets.claims[-1][1] == program._rank, "the last one counts"


def heard_elsewhere(mine: FakeTable, rank: int = 0) -> list[object]:
    """What a seat says that hears a program on mine which plays from a copy of my files."""
    program = mine.copied().program()
    program._rank = rank
    return ["busy", program.mine(), "10.0.0.4"]


async def test_the_person_is_asked_once_and_not_at_the_first_refusal(
    seats: tuple[FakeTable, FakeTable], mock_clock: MockClock
) -> None:
    mine, link = seats[0], cast("Link", FakeLink())
    program, busy = mine.program(), heard_elsewhere(mine)
    await program.receive(1, link, busy)
    assert program.is_busy() and not mine.news, "the other may not have noticed that I am back"
    mock_clock.jump(ASK_S)
    for _ in range(3):
        await program.receive(1, link, busy)
    assert mine.news == [Elsewhere("a", "10.0.0.4")]
    mock_clock.jump(BUSY_S)
    assert not program.is_busy()
    program.note_free(1)


async def test_nobody_makes_up_that_my_seat_is_busy(
    seats: tuple[FakeTable, FakeTable], mock_clock: MockClock
) -> None:
    mine, other = seats
    program, liar, link = mine.program(), other.program(), cast("Link", FakeLink())
    _, rank, _, signature = liar.mine()
    for claim in ([0, rank, bytes(16), signature], [0, LAST_RANK, bytes(16), bytes(64)]):
        with pytest.raises(BadSignature):
            await program.receive(1, link, ["busy", claim, "10.0.0.9"])
    for word in (rank, LAST_RANK, [], liar.mine()):
        with pytest.raises(MalformedFrame):
            await program.receive(1, link, ["busy", word, "10.0.0.9"])
    assert not program.is_busy()


async def test_what_programs_of_this_very_file_have_said_keeps_nobody_from_playing(
    seats: tuple[FakeTable, FakeTable], mock_clock: MockClock
) -> None:
    mine, link = seats[0], cast("Link", FakeLink())
    earlier = mine.program()
    resumed = mine.resumed()
    program = resumed.program()
    for said in (earlier.mine(), program.mine()):
        await program.receive(1, link, ["busy", said, "10.0.0.9"])
        assert not program.is_busy() and not resumed.news


async def test_a_copy_of_the_files_does_not_take_the_first_program_for_one_that_is_over(
    seats: tuple[FakeTable, FakeTable], mock_clock: MockClock
) -> None:
    mine, link = seats[0], cast("Link", FakeLink())
    first, program = mine.program(), mine.copied().program()
    await program.receive(1, link, ["busy", first.mine(), "10.0.0.4"])
    assert program.is_busy()


async def test_a_seat_is_taken_over_once_however_often_it_is_said_to_be_busy(
    seats: tuple[FakeTable, FakeTable], mock_clock: MockClock
) -> None:
    mine, link = seats[0], cast("Link", FakeLink())
    program, busy = mine.program(), heard_elsewhere(mine)
    program.take_over()
    for _ in range(3):
        await program.receive(1, link, busy)
    assert mine.secrets.rank == 1 and not program.is_busy()
    another = heard_elsewhere(mine, rank=1)
    await program.receive(1, link, another)
    mock_clock.jump(ASK_S)
    await program.receive(1, link, another)
    assert mine.secrets.rank == 1 and len(mine.news) == 1, "for another one the person is asked"


async def test_whatever_rank_is_heard_a_seat_that_is_taken_over_can_still_play(
    seats: tuple[FakeTable, FakeTable], mock_clock: MockClock
) -> None:
    mine, other = seats
    program, hearer, link = mine.program(), other.program(), cast("Link", FakeLink())
    await program.receive(1, link, heard_elsewhere(mine, LAST_RANK))
    program.take_over()
    assert mine.secrets.rank == LAST_RANK
    assert await hearer.refusal(0, program.mine()) is None


async def test_what_is_no_claim_is_refused(seats: tuple[FakeTable, FakeTable]) -> None:
    mine, other = seats
    hearer, program, link = other.program(), mine.program(), cast("Link", FakeLink())
    seat, rank, instance, signature = program.mine()
    for value in ([seat, rank, instance], [7, rank, instance, signature], 5, [seat, -1, b"", b""]):
        with pytest.raises(MalformedFrame):
            await hearer.refusal(0, value)
    for value in ([seat, 1, instance, signature], [seat, rank, bytes(16), signature]):
        with pytest.raises(BadSignature):
            await hearer.refusal(0, value)
    with pytest.raises(MalformedFrame, match="who sits there"):
        await hearer.refusal(0, hearer.mine())
    messages: list[list[object]] = [["busy", 0, "10.0.0.4"], ["here", 1], ["fenced"]]
    messages += [["busy", hearer.mine(), host] for host in ("", "x" * 100)]
    for message in messages:
        with pytest.raises(MalformedFrame):
            await hearer.receive(0, link, message)


async def test_what_a_fenced_program_has_signed_and_not_sent_is_gone(tmp_path: Path) -> None:
    secrets = SecretsFile.create(tmp_path / "game.secret")
    secrets.keep_entry(b"signed and not sent")
    secrets.keep_fence(1)
    secrets.close()
    again = SecretsFile.reopen(secrets.path)
    assert again.fence == 1 and not again.entries
    again.keep_rank(2)
    again.keep_entry(b"signed later")
    again.close()
    last = SecretsFile.reopen(secrets.path)
    assert (last.rank, last.fence, last.entries) == (2, None, [b"signed later"])
    last.close()


def copy_of(person: Person, folder: Path) -> Person:
    """The same person with a copy of the home, on another machine."""
    shutil.copytree(person.home, folder)
    return Person(folder, person.name, 99)


def rest(party: list[Person]) -> trio.Event:
    """Nobody chooses until this is set: else a quick machine has ended the game by then."""
    go_on = trio.Event()
    for person in party:
        person.pause = go_on
    return go_on


@pytest.mark.slow
@pytest.mark.parametrize(("count", "seat"), [(2, 1), (2, 0), (3, 2)])
async def test_a_copied_home_waits_and_takes_over_only_if_it_is_told_to(
    tmp_path: Path, count: int, seat: int
) -> None:
    party = people(tmp_path, count, seed=80)
    older = party[seat]
    async with sitting_down(party) as nursery:
        await older.until(has_entries(20))
        go_on = rest(party)
        copy = copy_of(older, tmp_path / "copy")
        nursery.start_soon(copy.do, Resume(copy.path))
        await copy.until(lambda news: isinstance(news, Elsewhere))
        seen = len(older.news)
        go_on.set()
        await older.until(lambda news: news in older.news[seen:] and isinstance(news, TableChanged))
        go_on = rest(party)
        copy.stop()
        await copy.done.wait()
        nursery.start_soon(copy.do, Resume(copy.path, is_taking_over=True))
        await older.done.wait()
        go_on.set()
        assert "taken over" in str(older.failure)
    assert copy.has_finished and not any(person.accused for person in [*party, copy])
    others = [person for person in party if person is not older]
    check_nothing_signed_twice([copy, *others])
    logs = [[raw for _, raw in read_game(person.path).entries] for person in [copy, *others]]
    assert all(log == logs[0] for log in logs)
    mine = [parse_entry(raw) for raw in logs[0]]
    places = list(map(place_of, mine))
    assert len(set(places)) == len(places)


async def test_a_program_that_was_fenced_does_not_sit_down_unless_it_is_told_to(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 2, seed=81)
    async with sitting_down(party) as nursery:
        await party[1].until(has_entries(20))
        go_on = rest(party)
        copy = copy_of(party[1], tmp_path / "copy")
        nursery.start_soon(copy.do, Resume(copy.path, is_taking_over=True))
        await party[1].done.wait()
        await party[1].do(Resume(party[1].path))
        assert "on another machine" in str(party[1].failure)
        nursery.start_soon(party[1].do, Resume(party[1].path, is_taking_over=True))
        await copy.done.wait()
        go_on.set()
        assert "taken over" in str(copy.failure)
    assert party[1].has_finished and party[0].has_finished
    assert not party[0].accused and not party[1].accused
    check_nothing_signed_twice(party)
    await trio.lowlevel.checkpoint()
