"""Waiting at one machine: what others say about a silent seat while I am busy, or early."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.errors import MalformedFrame
from p2p.crypto.group import scalar_to_bytes
from p2p.log.ledger import SecretsFile
from p2p.session.lost_keys import LostKeys
from p2p.session.reachability import GATHER_S
from tests.p2p.beads import BEADS
from tests.p2p.log.test_votes import ESCROW, Table, kind_is, vote
from tests.p2p.session.tables import QuietTable, membership_at

BOT_GRACE_S = ESCROW.grace_s


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def quiet(table: Table) -> QuietTable:
    """Seat 0 of a table, linked to all others."""
    return QuietTable(table.replicas[0], table.replicas[0].others)


def part_of(table: Table, holder: int, gone: int) -> bytes:
    """A holder's part of a key."""
    return scalar_to_bytes(table.replicas[holder].play.escrow.part_of(gone))


async def test_a_part_of_a_second_key_may_arrive_while_those_of_the_first_are_said_again() -> None:
    table = Table(4)
    table.run(kind_is("choose"))
    session = quiet(table)
    keys = LostKeys(session)
    for gone in (2, 3):
        others = [seat for seat in range(4) if seat != gone]
        assert await keys.gather(gone, others, me=0) is None, "the parts of others are missing"

    async def hear_of_another() -> None:
        keys.receive_part(2, 1, part_of(table, 2, 1))

    session.sent.clear()
    session.meanwhile = hear_of_another
    await keys.repeat(me=0)
    assert {message[2] for _, message in session.sent} == {2, 3}
    assert not keys.receive_part(2, 1, part_of(table, 2, 1)), "it is no news any more"


async def test_whoever_comes_late_to_a_step_is_told_again_who_is_gone() -> None:
    """My vote was void for a seat that had not closed the step before; its own says it is here."""
    table = Table(3)
    table.run(kind_is("choose"))
    session = quiet(table)
    membership, _ = membership_at(session)
    mine, theirs = vote(table.replicas[0], 1), vote(table.replicas[2], 1)
    height = session.replica.position.height
    session.replica.votes.receive(mine)
    for _ in range(2):
        await membership.receive(2, theirs.plain(height))
    assert session.sent == [(2, mine.plain(height))], "once, or it would never end"


async def test_whoever_has_forgotten_that_its_word_was_taken_back_is_told_again() -> None:
    """It crashed, and its own vote was all that was on its disk."""
    table = Table(4)
    table.run(kind_is("choose"))
    session = quiet(table)
    membership, _ = membership_at(session)
    height = session.replica.position.height
    doubt, denial = vote(table.replicas[2], 1), vote(table.replicas[3], 1, is_gone=False)
    for by, said in ((2, doubt), (3, denial)):
        await membership.receive(by, said.plain(height))
    assert not session.sent
    await membership.receive(2, doubt.plain(height))
    assert session.sent == [(2, denial.plain(height))]
    await membership.receive(3, denial.plain(height))
    assert len(session.sent) == 1, "and that is not answered, or it would never end"


async def test_no_seat_has_a_say_in_whether_it_is_gone() -> None:
    """All others may have agreed by then, and one of them not have heard of it."""
    table = Table(3)
    table.run(kind_is("choose"))
    session = quiet(table)
    mine = vote(table.replicas[0], 1)
    session.replica.votes.receive(mine)
    for is_gone in (True, False):
        said = vote(table.replicas[1], 1, is_gone=is_gone)
        with pytest.raises(MalformedFrame):
            await membership_at(session)[0].receive(1, said.plain(session.replica.position.height))
    assert list(session.replica.votes.bound()) == [mine]


class Waiting:
    """The membership as seat 0 of four sees it, with a grace of 60 s and a clock that jumps."""

    def __init__(self, links: set[int], folder: Path) -> None:
        self.table = Table(4)
        self.table.run(kind_is("roll"))  # All write, so all are waited for.
        secrets = SecretsFile.create(folder / "game.secret")
        self.session = QuietTable(self.table.replicas[0], links, secrets)
        self.membership, self.relaying = membership_at(self.session)
        self.membership.begin()

    async def wait(self, seconds: float) -> set[int]:
        """Gives the seats of which it has said by then that they are gone."""
        await self.membership.progress()
        await trio.sleep(seconds)
        await self.membership.progress()
        return {said.gone for said in self.session.replica.votes.bound()}

    async def hear_that_they_miss(self, missed: dict[int, list[object]]) -> None:
        """Neighbours say whom they cannot reach."""
        for seat, seats in missed.items():
            await self.relaying.receive(seat, seats)


async def test_a_seat_that_alone_is_silent_is_said_to_be_gone(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    assert await at.wait(BOT_GRACE_S - 1) == set()
    assert await at.wait(2) == {3}


async def test_nobody_is_said_to_be_gone_while_two_are_silent(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """A vote binds until all others give theirs, which nobody can who is silent."""
    at = Waiting({1}, tmp_path)
    await at.hear_that_they_miss({1: [2, 3]})
    assert await at.wait(10 * BOT_GRACE_S) == set()


async def test_a_seat_that_a_neighbour_reaches_is_not_silent(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: []})
    assert await at.wait(10 * BOT_GRACE_S) == set()
    await at.hear_that_they_miss({2: [3]})
    assert await at.wait(BOT_GRACE_S - 1) == set(), "only from then on"
    at.session.links.clear()
    assert await at.wait(2) == set(), "now nobody is in reach"


async def test_whom_a_switch_had_parted_have_the_time_to_meet_again(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Waiting(set(), tmp_path)
    assert await at.wait(10 * BOT_GRACE_S) == set()
    at.session.link({1, 2})
    await at.hear_that_they_miss({1: [3], 2: [3]})
    assert await at.wait(GATHER_S - 1) == set()
    assert await at.wait(2) == {3}


async def test_whoever_is_bound_by_one_word_gives_no_second(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """Else two seats could change hands at one step, here in one order and there in the other."""
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    assert await at.wait(2 * BOT_GRACE_S) == {3}
    at.session.link({1, 3})
    await at.hear_that_they_miss({1: [2], 3: [2]})
    assert await at.wait(2 * BOT_GRACE_S) == {3}
    denial = vote(at.table.replicas[1], 3, is_gone=False)
    await at.membership.receive(1, denial.plain(at.session.replica.position.height))
    assert await at.wait(1) == {2}


async def test_whoever_has_given_no_word_answers_none() -> None:
    table = Table(3)
    table.run(kind_is("choose"))
    session = quiet(table)
    theirs = vote(table.replicas[2], 1)
    await membership_at(session)[0].receive(2, theirs.plain(session.replica.position.height))
    assert session.sent == []


async def test_m4_who_takes_every_round_back_makes_nobody_say_something_else(
    autojump_clock: MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round after the last of silence means that a seat goes back to its owner."""
    monkeypatch.setattr("p2p.log.votes.RESTORED", 4)
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    height, denies = at.session.replica.position.height, at.table.replicas[1]
    for number in range(4):
        await at.membership.receive(1, vote(denies, 3, number, is_gone=False).plain(height))
    assert await at.wait(2 * BOT_GRACE_S) == set()
    assert at.session.secrets is not None and not at.session.secrets.votes
