"""Changes that are in force only together are followed only if each of them has its reason.

By a later one somebody goes whose acknowledgement of the earlier ones is not asked for.  The
attack: one person with a bot shows two changes, *one is silent*, and *another has cheated*, by any
honest entry of that one.  Nobody who stays but the two has to sign them.

What everybody writes for an open seat may stand between two such changes, since it waits for
nobody.  Then whoever had left could not come back: it never knew that it had been let go.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from core.games import GAMES
from p2p.base.entry import parse_entry
from p2p.log.game_file import GameFile
from p2p.log.membership.log import ChangeItem, Log, StepItem, entry_ref
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_SILENT,
    Change,
    message_of,
)
from p2p.log.membership_change import change_entry
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.catching_up import piece_of
from p2p.session.session import Session
from tests.p2p.acknowledging import acknowledging
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is, secret_of
from tests.p2p.game.test_void_choices import Dominion, convict, played
from tests.p2p.room import Room, Terms
from tests.p2p.session.tables import QuietTable, membership_inbox_at

pytestmark = pytest.mark.usefixtures("quick_proofs")

FIRST, SECOND, CHEAT, BOT_OF_CHEAT = range(4)
AWAY = 3


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def table_with_a_bot(seed: int) -> Room:
    """Three persons, one of whom runs a bot."""
    terms = Terms(replacement=BOT, sponsors={BOT_OF_CHEAT: CHEAT})
    return Room(4, seed=seed, game="beads", terms=terms)


def shown(
    room: Room, at: tuple[Replica, Log], change: Change, proof: list[bytes]
) -> tuple[list[object], Log]:
    """What the cheater and its bot show of a change, and the log with it."""
    replica, below = at
    decided = ChangeItem(below.head, change, 0)
    log = below.with_change(decided, replica.log_game)
    by = log.members & {CHEAT, BOT_OF_CHEAT}
    acks = [message_of(acknowledging(log, seat, room.identities[seat])) for seat in sorted(by)]
    entry = change_entry(replica.game_id, below, decided)
    return ["change", entry.raw, log.height, acks, proof], log


@pytest.mark.parametrize("reason", [REASON_CONVICTED, REASON_SILENT, REASON_LEFT])
@pytest.mark.parametrize("me", [FIRST, SECOND])
async def test_nobody_is_let_go_by_one_person_with_a_bot(
    seed: int, tmp_path: Path, me: int, reason: str
) -> None:
    """The first was locked out, and the second went on without it, which had agreed to nothing."""
    room = table_with_a_bot(seed)
    room.run(kind_is("choose"))
    mine = room.replicas[me]
    mine.acks.forget(mine.height + 1)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    inbox, _ = membership_inbox_at(QuietTable(mine, {0, 1, 2, 3} - {me}, secrets), lambda _: None)
    honest = next(each for each in mine.log if each.seat == SECOND)
    gone, log = shown(room, (mine, mine.tip), Change(FIRST, REASON_SILENT), [])
    proof = [] if reason == REASON_SILENT else [honest.raw]
    second, _ = shown(room, (mine, log), Change(SECOND, reason), proof)
    await inbox.receive(CHEAT, gone)
    await inbox.receive(CHEAT, second)
    secrets.close()
    assert mine.tip.members == {FIRST, SECOND, CHEAT, BOT_OF_CHEAT}


# ---- with an open step in between ----


def gone_together(seed: int) -> tuple[OpenRoom, Replica]:
    """Who was due to choose has left, a bot has chosen for it, and then somebody else went.

    That one had agreed, and never acknowledged that the first is gone.
    """
    room = OpenRoom(4, seed, BOT)
    room.run(kind_is("choose"))
    step = room.replicas[0].step
    assert step is not None
    owner = room.replicas[step.writers[0]]
    assert owner.me is not None
    secret = secret_of(room, owner.me)
    room.lose(owner.me)
    room.leave(owner.me, secret)
    other = room.replicas[-2].me
    assert other is not None and room.replicas[0].log[-1].seat == owner.me
    room.lose(other)
    room.remove(other)
    first, second = room.notes
    first = replace(first, acks=tuple(ack for ack in first.acks if ack.seat != other))
    room.notes = [first, second]
    room.run(kind_is("choose"))
    return room, owner


def session_of(owner: Replica, folder: Path) -> Session:
    """The program of somebody who was away."""
    game_file = GameFile.create(folder / "game.hostless", owner.roster)
    for entry in owner.log:
        game_file.append(entry.raw)
    session = Session(owner, game_file, SecretsFile.create(folder / "game.secret"), lambda _: None)
    session.membership.begin()
    return session


class Heard:
    """A link by which something comes, and nothing goes."""

    peer_name, fault = "grace", None


async def follow(session: Session, room: OpenRoom) -> None:
    """Let a program hear what another would show it, and think for open seats."""
    owner, speaker, link = session.replica, room.replicas[0], cast("Link", Heard())
    assert speaker.me is not None
    shown = [["change", speaker.log[note.height - 1].raw, *note.plain()[1:]] for note in room.notes]
    acks = (acknowledging(speaker.tip, seat, room.identities[seat]) for seat in speaker.play.live)
    for message in (*shown, *map(message_of, acks), piece_of(speaker.log, owner.height)):
        await session._receive_peer(link, speaker.me, message)
    is_moving = True
    while is_moving:
        await session._close_steps()
        room.verify(owner)
        is_moving = await session._close_steps() or room.speak(owner)


async def test_who_had_left_follows_although_a_bot_chose_before_the_next_one_went(
    seed: int, tmp_path: Path
) -> None:
    room, owner = gone_together(seed)
    session = session_of(owner, tmp_path)
    for _ in range(4):  # Whoever is behind asks again and again.
        await follow(session, room)
    assert owner.head == room.replicas[0].head


# ---- whoever is behind ----


async def test_who_is_away_waits_for_whom_only_one_person_with_a_bot_calls_a_cheater(
    seed: int, tmp_path: Path
) -> None:
    """It took a step in force that only these two had, and could not follow the other any more."""
    room = table_with_a_bot(seed)
    room.run(kind_is("roll"))
    owner = room.replicas[FIRST]
    room.lose(FIRST)
    room.run()
    room.remove(FIRST)
    room.run(lambda each: each.step is None or each.waited_for() == (CHEAT,))
    room.catch_up(owner)
    owner.committed = owner.height
    cheat = next(each for each in room.replicas if each.me == CHEAT)
    session, link = session_of(owner, tmp_path), cast("Link", Heard())
    raw, height = room.write(cheat), owner.height
    log = owner.tip.with_step(StepItem((entry_ref(parse_entry(raw)),)))
    honest = next(each for each in owner.log if each.seat == SECOND)
    framed, _ = shown(room, (owner, log), Change(SECOND, REASON_CONVICTED), [honest.raw])
    acks = (acknowledging(log, seat, room.identities[seat]) for seat in (CHEAT, BOT_OF_CHEAT))
    piece = ["log", height, height + 1, [raw]]
    for message in (framed, *map(message_of, acks), piece):
        await session._receive_peer(link, CHEAT, message)
    await session._close_steps()
    room.verify(owner)
    await session._close_steps()
    assert owner.height == height
    room.tell_all(raw)
    await session._receive_peer(link, SECOND, message_of(
        acknowledging(log, SECOND, room.identities[SECOND])
    ))  # fmt: skip
    await session._close_steps()
    assert owner.height == height + 1


async def test_who_is_away_follows_a_conviction_that_only_the_next_step_shows(
    seed: int, tmp_path: Path
) -> None:
    """A cheater that had not acknowledged that step held it up for ever, and kept its seat away."""
    owners = list[Replica]()

    def begin(seed: int) -> Dominion:
        """Four of whom one has left."""
        room = Dominion(seed, 4)
        room.run(kind_is("choose"))
        owners[:] = [each for each in room.replicas if each.me == AWAY]
        secret = secret_of(room, AWAY)
        room.lose(AWAY)
        room.leave(AWAY, secret)
        return room

    room, liar, _ = played(seed, is_allowed=False, begin=begin)
    (owner,) = owners
    assert liar.me is not None
    room.catch_up(owner)
    owner.committed = owner.height
    room.tell_all(room.write(liar))
    room.settle()
    convict(room, liar.me)
    room.run(kind_is("choose", "strike"))
    session = session_of(owner, tmp_path)
    for _ in range(4):
        await follow(session, room)
    assert owner.head == room.replicas[0].head
