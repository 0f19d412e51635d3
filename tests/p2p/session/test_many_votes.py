"""A member votes as often as it is heard: what that costs the others, and whom they still hear."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.errors import BadSignature
from p2p.base.limits import ROUNDS_BURST_MAX, ROUNDS_PER_S_MAX, VOTES_PER_S_MAX
from p2p.log.membership.log import ChangeItem, ack_of
from p2p.log.membership.messages import (
    REASON_LEFT,
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    Farewell,
    message_of,
    sign_as,
)
from p2p.log.membership.state import VOTE_ANSWER_S
from p2p.log.membership.state_machine import ROUNDS_KEPT
from p2p.log.secrets_file import SecretsFile
from p2p.session.membership_inbox import MembershipInbox
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable, actors_at

pytestmark = pytest.mark.usefixtures("quick_proofs")

MINUTES = 1
GONE = Change(3, REASON_SILENT)


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Seated:
    """Seat 0 of four, with what it hears."""

    def __init__(self, path: Path, room: Room) -> None:
        self.room = room
        self.replica = self.room.replicas[0]
        self.secrets = SecretsFile.create(path / "game.secret")
        self.table = QuietTable(self.replica, {1, 2, 3}, self.secrets)
        self.begin()

    def begin(self) -> None:
        """The session begins, perhaps once more."""
        actors = actors_at(self.table)
        self.membership, self.relaying = actors.membership, actors.relaying
        self.membership_inbox = MembershipInbox(self.table, actors, lambda _: None, lambda: True)
        self.fed: list[object] = []
        feed = self.membership.feed

        async def counted(given: object) -> None:
            self.fed.append(given)
            await feed(given)  # type: ignore[arg-type]

        self.membership.feed = counted  # type: ignore[method-assign, assignment]

    def signed(self, by: int, number: int, change: Change | None = GONE) -> list[object]:
        """The vote of a seat in a round; without a change, no."""
        head = b"" if change is None else self.replica.head
        vote = Ballot(self.replica.tip.epoch, number, by, head, change)
        return message_of(sign_as(self.room.identities[by], self.replica.game_id, vote))

    async def hear(self, by: int, number: int, change: Change | None = GONE) -> None:
        """A seat votes."""
        await self.membership_inbox.receive(by, self.signed(by, number, change))

    @property
    def answered(self) -> set[int]:
        """The rounds in which it has voted."""
        return {vote.round for vote in self.membership.member.kept.votes}


@pytest.fixture
async def seated(tmp_path: Path) -> AsyncIterator[Seated]:
    """A seat that has heard nothing yet."""
    seated = Seated(tmp_path, Room(4, game="beads"))
    yield seated
    seated.secrets.close()


async def flood(seated: Seated) -> int:
    """Seat 2 proposes as often as votes are heard, and others say no; how many rounds that is."""
    count = int(MINUTES * 60 * VOTES_PER_S_MAX)
    for number in range(1, count):
        await seated.hear(2, number)
        for other in (1, 3):
            await seated.hear(other, number, None)
        await trio.sleep(1 / VOTES_PER_S_MAX)
    return count


async def test_who_proposes_without_end_is_answered_now_and_then_and_forgotten(
    seated: Seated, autojump_clock: MockClock
) -> None:
    await flood(seated)
    may = ROUNDS_BURST_MAX + MINUTES * 60 * ROUNDS_PER_S_MAX
    assert may - 2 <= len(seated.answered) <= may + 1
    seated.membership.outbox.clear()  # They have been sent.
    assert len(list(seated.membership.retransmissions())) <= 4 * ROUNDS_KEPT
    assert len(seated.membership.member.heard) <= 3 * (ROUNDS_KEPT + 1)


async def test_others_are_answered_while_one_proposes_without_end(
    seated: Seated, autojump_clock: MockClock
) -> None:
    count = await flood(seated)
    for by in (1, 3):
        await seated.hear(by, count + by, Change(2, REASON_SILENT))
        assert count + by in seated.answered


async def test_nobody_begins_rounds_in_the_name_of_another(seated: Seated) -> None:
    for number in range(ROUNDS_BURST_MAX):
        forged = seated.signed(1, number)
        forged[-1] = bytes(64)
        with pytest.raises(BadSignature):
            await seated.membership_inbox.receive(2, forged)
    await seated.hear(1, 1)
    assert seated.answered == {1}


async def test_a_vote_that_is_known_is_passed_on_and_costs_nothing_else(seated: Seated) -> None:
    await seated.relaying.receive(1, [2])
    vote = seated.signed(2, 0)
    for _ in range(3):
        await seated.membership_inbox.receive(2, vote)
    assert len(seated.fed) == 1
    assert seated.table.sent.count((1, vote)) == 3, "from whoever signs it: a link may have broken"
    await seated.membership_inbox.receive(3, vote)
    assert seated.table.sent.count((1, vote)) == 3


async def test_who_has_followed_what_was_refused_is_told_the_no_each_time_it_asks(
    seated: Seated,
) -> None:
    """By its acknowledgement, also long after that round, and through somebody else."""
    for number in range(3 * ROUNDS_KEPT):
        await seated.hear(2, number)
    mine = seated.signed(0, 0, None)
    seated.membership.outbox.clear()
    assert mine not in list(seated.membership.retransmissions())
    replica = seated.replica
    log = replica.tip.with_change(ChangeItem(replica.head, GONE, 0), replica.log_game)
    ack: Ack = sign_as(seated.room.identities[2], replica.game_id, ack_of(log, 2))
    for source, times in ((2, 1), (2, 2), (1, 3)):
        await seated.membership_inbox.receive(source, message_of(ack))
        for seat in (1, 2, 3):
            assert seated.table.sent.count((seat, mine)) == times


async def test_a_machine_that_has_lost_its_votes_answers_in_no_round_of_before(
    seated: Seated,
) -> None:
    """It may have voted there; others say again only what was said in the newest ones."""
    seated.secrets.has_lost_records = True
    await seated.hear(1, 7, None)
    await seated.hear(2, 3)
    assert not seated.answered
    await seated.hear(2, 8)
    assert seated.answered == {8}


@pytest.mark.slow
async def test_a_yes_of_before_a_restart_is_taken_back_if_it_is_not_answered(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Nobody says a no of long ago again, by which it was over."""
    room = OpenRoom(4)
    room.run(kind_is("choose"))
    seated = Seated(tmp_path, room)
    replica = seated.replica
    said = Farewell(replica.tip.epoch, 2)
    await seated.membership.feed(sign_as(seated.room.identities[2], replica.game_id, said))
    assert seated.membership.is_bound
    assert {vote.change for vote in seated.membership.member.kept.votes} == {Change(2, REASON_LEFT)}
    seated.begin()
    assert seated.membership.is_bound
    await trio.sleep(VOTE_ANSWER_S)
    await seated.membership.tick()
    assert not seated.membership.is_bound
    seated.secrets.close()


@pytest.mark.slow
async def test_a_yes_that_my_file_has_lost_is_taken_back_if_it_is_not_answered(
    seated: Seated, autojump_clock: MockClock
) -> None:
    """Others tell me of it, and perhaps not of what ended it."""
    seated.secrets.has_lost_records = True
    await trio.sleep(VOTE_ANSWER_S)
    await seated.membership.tick()  # What bound me as the session began.
    await seated.hear(0, 3, Change(2, REASON_LEFT))
    assert seated.membership.is_bound
    await trio.sleep(VOTE_ANSWER_S)
    await seated.membership.tick()
    assert not seated.membership.is_bound
