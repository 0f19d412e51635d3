"""Whoever signs the same words twice, with two signatures, gets no more by it than by one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.entry import sign_entry
from p2p.base.errors import Equivocation
from p2p.crypto.group import base, scalar_to_bytes
from p2p.log.membership.evidence import parse_statement
from p2p.log.membership.messages import (
    EXCUSES_MAX,
    REASON_CONVICTED,
    Ack,
    Ballot,
    Change,
    Farewell,
    RestoreWish,
    Signed,
    message_of,
    payload,
    sign_as,
)
from p2p.log.membership.state import Retry
from p2p.log.membership_change import parse_change_entry
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.session.membership_inbox import MembershipInbox
from tests.p2p.acknowledging import acknowledging
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is, proposed, secret_of
from tests.p2p.session.tables import QuietTable, actors_at
from tests.p2p.signing_again import SigningAgain
from tests.simulation.volume_group import volume_group

GONE = 3
VOTES = ("vote", "ack", "farewell", "wish")


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def has_chosen(replica: Replica) -> bool:
    """Whether the bot of seat 3 has answered for it, and somebody else is to choose."""
    is_due = replica.step is None or replica.step.kind == "choose"
    absent = replica.tip.absence_of(GONE)
    answered = replica.log_game.answered(replica.tip, GONE)
    return is_due and absent is not None and answered > absent.answered


class Three:
    """Seats 0 to 2 of four, who hear each other; seat 3 says what it likes to each."""

    def __init__(self, path: Path, room: OpenRoom) -> None:
        self.room = room
        self.replicas = self.room.replicas[:GONE]
        for each in self.replicas:
            each.acks.forget(each.height + 1)  # They are not signed.
        self.secrets = [SecretsFile.create(path / f"{seat}.secret") for seat in range(GONE)]
        self.tables = [
            QuietTable(each, set(range(GONE)) - {each.me}, secrets)
            for each, secrets in zip(self.replicas, self.secrets, strict=True)
        ]
        self.actors = [actors_at(table) for table in self.tables]
        self.inboxes = [
            MembershipInbox(table, actors, lambda _: None, lambda: True)
            for table, actors in zip(self.tables, self.actors, strict=True)
        ]
        self.by = SigningAgain(self.room.identities[GONE])

    @property
    def epoch(self) -> bytes:
        """Of the table."""
        return self.replicas[0].tip.epoch

    def signed(self, said: Signed) -> list[object]:
        """What seat 3 says, each time with another signature."""
        signature = self.by.sign(payload(said, self.replicas[0].game_id))
        return message_of(said._replace(signature=signature))

    async def hear(self, seat: int, said: Sequence[Signed]) -> None:
        """Seat 3 says some things to another, each with a signature of its own."""
        for each in said:
            await self.inboxes[seat].receive(GONE, self.signed(each))

    async def go_on(self, seconds: int) -> None:
        """Everybody hears everything, and what binds them is said again."""
        for _ in range(seconds):
            for actors in self.actors:
                await actors.membership.tick()
                actors.membership.think_again()
            await self.deliver()
            await trio.sleep(1)

    async def deliver(self) -> None:
        """Everybody hears what all say, and what follows from that."""
        for table, actors in zip(self.tables, self.actors, strict=True):
            for message in list(actors.membership.retransmissions()):
                await table.broadcast(message)
        for _ in range(5):
            for seat, (table, actors) in enumerate(zip(self.tables, self.actors, strict=True)):
                await actors.membership.flush(with_acks=True)
                sent, table.sent = table.sent, []
                for to, message in sent:
                    if message[0] in VOTES:
                        await self.inboxes[to].receive(seat, message)

    def close(self) -> None:
        """Let go of the files."""
        for each in self.secrets:
            each.close()


@pytest.fixture
async def three(tmp_path: Path, seed: int) -> AsyncIterator[Three]:
    """All four are there, and somebody is to choose."""
    room = OpenRoom(4, seed)
    room.run(kind_is("choose"))
    three = Three(tmp_path, room)
    yield three
    three.close()


async def test_who_leaves_in_many_words_is_gone(three: Three, autojump_clock: MockClock) -> None:
    with_key = Farewell(three.epoch, GONE, scalar_to_bytes(secret_of(three.room, GONE)))
    without = Farewell(three.epoch, GONE)
    for seat, said in enumerate((with_key, without, without)):
        await three.hear(seat, [said, said])
    await three.go_on(60)
    assert all(GONE not in each.tip.members for each in three.replicas)


async def test_who_asks_for_its_seat_with_many_keys_holds_nobody_up(
    tmp_path: Path, seed: int, autojump_clock: MockClock
) -> None:
    """To each other two: else none would agree to those of another, and propose without end."""
    room = OpenRoom(4, seed)
    room.run(kind_is("roll"))
    room.lose(GONE)
    room.run()
    room.remove(GONE)
    room.run(has_chosen)
    three = Three(tmp_path, room)
    wishes = [RestoreWish(three.epoch, GONE, base(number).encoded) for number in range(2, 8)]
    for seat in range(GONE):
        await three.hear(seat, wishes[2 * seat : 2 * seat + 2])
    await three.deliver()
    for _ in range(20):
        for actors in three.actors:
            await actors.membership.feed(Retry())
        await three.deliver()
    proposed = {vote.round for each in three.actors for vote in each.membership.member.kept.votes}
    assert len(proposed) <= GONE, "as each heard of it, and then no more"
    three.close()


async def test_an_acknowledgement_that_is_signed_again_and_again_is_kept_once(
    three: Three,
) -> None:
    """Nobody forgets those of what is not in force yet, and each is held against all others."""
    log, membership = three.replicas[0].tip, three.actors[0].membership
    noes = [sign_as(three.by, three.replicas[0].game_id, Ballot(three.epoch, number, GONE))
            for number in range(20)]  # fmt: skip
    said = [acknowledging(log, GONE)._replace(excuses=(no,)) for no in noes]
    await three.hear(0, [*said, *[acknowledging(log, GONE)] * 20])
    assert [each.seat for each in membership.member.acks].count(GONE) == 1


async def test_the_excuses_of_an_acknowledgement_are_verified_as_often_as_votes(
    three: Three,
) -> None:
    """Each is a signature more to look at, and nobody may let others do only that."""
    verified = list[Signed]()
    check = three.tables[0].verify

    def counted(said: Signed) -> None:
        verified.append(said)
        check(said)

    three.tables[0].verify = counted
    log = three.replicas[0].tip
    for many in range(40):
        noes = [sign_as(three.by, three.replicas[0].game_id, Ballot(three.epoch, number, GONE))
                for number in range(many * EXCUSES_MAX, (many + 1) * EXCUSES_MAX)]  # fmt: skip
        await three.hear(0, [acknowledging(log, GONE)._replace(excuses=tuple(noes))])
    acks = [each for each in verified if isinstance(each, Ack)]
    assert sum(1 + len(ack.excuses) for ack in acks) <= 3 * EXCUSES_MAX


@pytest.mark.parametrize("tries", range(4))
async def test_the_proof_of_a_change_is_the_farewell_that_it_names(
    tries: int, three: Three, autojump_clock: MockClock
) -> None:
    """Who leaves may say so with a key and without; a file with the other one would be damaged."""
    key = scalar_to_bytes(secret_of(three.room, GONE))
    both = [Farewell(three.epoch, GONE, key), Farewell(three.epoch, GONE)]
    epoch = three.epoch
    for seat in range(GONE):
        await three.hear(seat, both[:: -1 if seat == tries % 2 else 1])
    await three.go_on(20)
    for table, replica in zip(three.tables, three.replicas, strict=True):
        (note,) = table.game_file.changes
        decided = parse_change_entry(replica.log[note.height - 1])
        said = parse_statement(note.proof[0])
        assert isinstance(said, Farewell)
        assert (said.epoch, said.key) == (epoch, decided.change.key)


def junk(three: Three, number: int) -> list[object]:
    """The message with a change that nobody has agreed on: seat 3 is said to have cheated.

    What is to prove it was signed by that seat, and breaks no rule.
    """
    entry = next(each for each in three.replicas[0].log if each.seat == GONE)
    change = proposed(three.room, Change(GONE, REASON_CONVICTED), [entry.raw], number)
    return ["change", change.raw, change.note.height, [], list(change.note.proof)]


async def test_what_is_to_prove_a_change_that_nobody_has_is_not_kept(three: Three) -> None:
    """It may be a megabyte, and another one in each round."""
    membership = three.actors[0].membership
    for number in range(9):
        await three.inboxes[0].receive(GONE, junk(three, number))
    assert membership.member.log == three.replicas[0].tip
    assert not membership.reasons._proofs


async def test_nobody_says_beforehand_by_what_a_cheater_will_be_convicted(
    three: Three, autojump_clock: MockClock
) -> None:
    """Each file would say it, and its audit that nothing proves it."""
    for seat in range(GONE):
        for number in range(4):
            await three.inboxes[seat].receive(GONE, junk(three, number))
    first, by = three.replicas[0], three.room.identities[GONE]
    raws = [sign_entry(by, first.game_id, (GONE, 0), first.position, ["choose", number]).raw
            for number in range(2)]  # fmt: skip
    for replica, actors in zip(three.replicas, three.actors, strict=True):
        error = replica.blame(GONE, Equivocation, "signed two entries that answer one log", raws)
        await actors.membership.convict(error)
    await three.go_on(20)
    for table in three.tables:
        (note,) = table.game_file.changes
        assert list(note.proof) == raws
