"""Waiting at one machine: what others say about a silent seat while I am busy, or early."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.log.membership.messages import (
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Ballot,
    Change,
    message_of,
    sign_as,
)
from p2p.log.membership.state import VOTE_ANSWER_S, Retry, Silent
from p2p.log.secrets_file import SecretsFile
from p2p.session.failure_detector import NOBODY_CAME_S, TICK_S, FailureDetector
from p2p.session.membership import Membership
from p2p.session.news import Notice
from p2p.session.reachability import GATHER_S
from tests.p2p.beads import BEADS
from tests.p2p.changing import ESCROW, OpenRoom, kind_is
from tests.p2p.room import BOT_TERMS, with_sponsors
from tests.p2p.session.tables import QuietTable, actors_at, membership_at

pytestmark = pytest.mark.usefixtures("short_escrow")
ALL = {1, 2, 3}
BOT_GRACE_S = ESCROW.grace_s


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


async def heard_by(table: QuietTable, votes: list[Ballot]) -> Membership:
    """The member of seat 0, once others have said this."""
    membership = membership_at(table)
    for vote in votes:
        await membership.receive(vote)
    return membership


def ballot(room: OpenRoom, by: int, gone: int, number: int = 0, *, is_yes: bool = True) -> Ballot:
    """What a seat says about another one that is silent, in a round."""
    tip = room.replicas[0].tip
    vote = Ballot(tip.epoch, number, by)
    if is_yes:
        vote = vote._replace(parent=tip.head, change=Change(gone, REASON_SILENT))
    return sign_as(room.identities[by], room.replicas[0].game_id, vote)


async def test_what_others_say_of_a_seat_is_said_again_until_it_is_over(tmp_path: Path) -> None:
    """Somebody may come late to a step, or have forgotten that its word was taken back."""
    room = OpenRoom(4)
    room.run(kind_is("choose"))
    doubt, denial = ballot(room, 2, 1), ballot(room, 3, 1, is_yes=False)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    membership = await heard_by(QuietTable(room.replicas[0], (), secrets), [doubt, denial])
    said = list(membership.retransmissions())
    assert message_of(doubt) in said and message_of(denial) in said
    mine = next(vote for vote in membership.member.kept.votes)
    assert not mine.is_yes, "it hears the seat"
    secrets.close()


async def test_no_seat_has_a_say_in_whether_it_is_gone(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """All others may have agreed by then, and one of them not have heard of it."""
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    assert await at.wait(BOT_GRACE_S + 1) == {3}
    for by in (3, 1, 2):
        vote = ballot(at.table, by, 3, is_yes=by != 3)
        await at.membership.receive(vote)
    assert at.session.replica.height == at.height + 1, "its own no does not count"
    assert 3 not in at.session.replica.play.live


async def test_whoever_is_back_after_a_crash_is_bound_by_what_it_has_said(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    assert await at.wait(BOT_GRACE_S + 1) == {3}
    assert at.session.secrets is not None
    at.session.secrets.close()
    again = SecretsFile.reopen(tmp_path / "game.secret")
    membership = membership_at(QuietTable(at.table.replicas[0], (), again))
    assert membership.is_bound and membership.member.kept.votes == at.membership.member.kept.votes
    again.close()


class Waiting:
    """The membership as seat 0 of four sees it, with a grace of 60 s and a clock that jumps."""

    def __init__(self, links: set[int], folder: Path) -> None:
        self.table = OpenRoom(4)
        self.table.run(kind_is("roll"))  # All write, so all are waited for.
        secrets = SecretsFile.create(folder / "game.secret")
        self.session = QuietTable(self.table.replicas[0], links, secrets)
        actors = actors_at(self.session)
        self.failure_detector = FailureDetector(self.session, actors)
        self.relaying, self.membership = actors.relaying, actors.membership
        self.height = self.session.replica.height
        self.failure_detector.begin()

    async def wait(self, seconds: float) -> set[int]:
        """Gives the seats of which it has said by then that they are gone."""
        await self.failure_detector.progress()
        await trio.sleep(seconds)
        await self.failure_detector.progress()
        votes = {vote.change for vote in self.membership.member.kept.votes}
        return {change.seat for change in votes if change is not None}

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
    assert await at.wait(BOT_GRACE_S + 1) == {3} and at.membership.is_bound
    await at.membership.feed(Silent(2))
    assert len(at.membership.member.kept.votes) == 1
    await at.membership.receive(ballot(at.table, 1, 3, is_yes=False))
    assert not at.membership.is_bound, "a no of somebody who is needed ends it"


async def test_each_yes_has_its_own_time_to_be_answered(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """Else the time of one that was refused would end the next one early."""
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    assert await at.wait(BOT_GRACE_S + 1) == {3}
    await trio.sleep(VOTE_ANSWER_S / 2)
    await at.membership.receive(ballot(at.table, 1, 3, is_yes=False))
    await at.membership.feed(Retry())
    assert {vote.round for vote in at.membership.member.kept.votes if vote.is_yes} == {0, 1}
    await trio.sleep(VOTE_ANSWER_S * 3 / 4)
    await at.membership.tick()
    assert at.membership.is_bound, "the first would have been over by now"
    await trio.sleep(VOTE_ANSWER_S / 2)
    await at.membership.tick()
    assert not at.membership.is_bound


async def test_m4_who_refuses_every_round_makes_nobody_say_something_else(
    autojump_clock: MockClock, tmp_path: Path
) -> None:
    """A number of a round means nothing but an order: none stands for another change."""
    at = Waiting({1, 2}, tmp_path)
    await at.hear_that_they_miss({1: [3], 2: [3]})
    for number in range(4):
        await at.membership.receive(ballot(at.table, 1, 3, number, is_yes=False))
    await at.wait(2 * BOT_GRACE_S)
    said = [vote for vote in at.membership.member.kept.votes if vote.is_yes]
    assert {vote.change for vote in said} == {Change(3, REASON_SILENT)}
    assert min(vote.round for vote in said) == 4, "above what was refused"
    assert at.session.replica.height == at.height and 3 in at.session.replica.play.live


# ---- what a person is told ----


def told_of(at: Waiting, change: Change) -> list[str]:
    """What the person of seat 0 hears of a change of members."""
    at.session.news.clear()
    at.failure_detector.note_change(change)
    return [news.text for news in at.session.news if isinstance(news, Notice)]


async def test_a_person_is_spoken_to_as_you_and_of_others_by_name(tmp_path: Path) -> None:
    at = Waiting(ALL, tmp_path)
    (mine,) = told_of(at, Change(0, REASON_RESTORE, bytes(32)))
    assert mine.startswith("you are back;")
    (other,) = told_of(at, Change(1, REASON_RESTORE, bytes(32)))
    assert other.startswith("b is back; all know the cards that b holds")


async def test_who_has_left_is_told_apart_from_who_fell_silent(tmp_path: Path) -> None:
    at = Waiting(ALL, tmp_path)
    assert told_of(at, Change(1, REASON_SILENT)) == ["a bot plays on for b, with an open hand"]
    left, gone = told_of(at, Change(2, REASON_SILENT, b"", (1,)))
    assert left == "b has left; a bot plays on with the cards of b, which all can see"
    assert gone == "a bot plays on for c, with an open hand"


async def test_a_bot_that_went_with_its_owner_is_no_person_who_may_come_back(
    tmp_path: Path,
) -> None:
    at = Waiting(ALL, tmp_path)
    replica = at.session.replica
    me, owner, bot, other = replica.roster.seats
    seats = (me, owner, replace(bot, bot_terms=BOT_TERMS, sponsor=owner.identity), other)
    replica.roster = replace(replica.roster, seats=seats)
    left, gone = told_of(at, Change(1, REASON_LEFT, b"", (2,)))
    assert left.startswith("b has left;")
    assert gone == "another bot plays on for c, with an open hand"


@pytest.mark.parametrize(("sponsors", "is_told"), [({1: 0, 2: 0, 3: 0}, False), ({1: 0}, True)])
async def test_who_comes_back_to_bots_of_its_own_waits_for_nobody_who_may_have_ended_the_game(
    autojump_clock: MockClock, tmp_path: Path, sponsors: dict[int, int], *, is_told: bool
) -> None:
    at = Waiting(set(), tmp_path)
    at.session.replica.roster = with_sponsors(at.session.replica.roster, sponsors)
    assert at.session.secrets is not None
    at.session.secrets.is_old = True
    with trio.move_on_after(NOBODY_CAME_S + TICK_S):
        await at.failure_detector.tick()
    told = [news.text for news in at.session.news if isinstance(news, Notice)]
    assert ("none of the others is there" in told) == is_told


async def test_whoever_has_left_hears_nothing_more_of_the_table(tmp_path: Path) -> None:
    at = Waiting(ALL, tmp_path)
    at.failure_detector.leaving.is_leaving = True
    for change in (
        Change(0, REASON_LEFT), Change(1, REASON_LEFT), Change(1, REASON_RESTORE, bytes(32)),
    ):  # fmt: skip
        assert told_of(at, change) == []
