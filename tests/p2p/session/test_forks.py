"""Logs that have parted: how far one goes back, and what is never taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.base.entry import next_head, parse_entry
from p2p.base.errors import Equivocation
from p2p.base.identity import Identity
from p2p.base.wire import encode
from p2p.log.membership.log import signed_raw
from p2p.log.membership.messages import Ack, sign_as
from p2p.log.membership_change import parse_change_entry
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is, leaving, secret_of
from tests.p2p.session.tables import Followed, QuietTable, membership_at
from tests.simulation.volume_group import volume_group

LIAR, ACCOMPLICE = 1, 3  # Of the others only seat 1 chooses alone in this game.


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


@pytest.mark.parametrize("is_settled", [True, False])
async def test_m7_nobody_goes_back_below_what_all_have_said_that_they_have(
    seed: int, tmp_path: Path, *, is_settled: bool
) -> None:
    """Else two who help each other could have every choice made anew, once what follows is known.

    One signs another choice, long after all have it, and the other acknowledges that.
    """
    room = OpenRoom(4, seed)
    room.run(has_chosen)
    mine, height, below = room.replicas[0], room.replicas[0].height, room.replicas[0].tip.below
    assert below is not None and not mine.play.is_signed, "the game goes on"
    twin = second(room, mine.log[-1].raw)
    mine.committed = height if is_settled else below.height
    mine.acks.forget(height + 1)
    secrets = secrets_of(room, tmp_path)
    table, followed = QuietTable(mine, (), secrets), Followed()
    membership = membership_at(table, followed)
    with pytest.raises(Equivocation) as caught:
        mine.receive(twin)
    await membership.convict(caught.value)
    assert [each.seat for each in followed.accused] == [LIAR] == list(mine.guilty)
    assert mine.height == height
    other = next_head(below.head, [parse_entry(twin)])
    said = Ack(below.epoch, ACCOMPLICE, height, below.head, other)
    await membership.receive(sign_as(room.identities[ACCOMPLICE], mine.game_id, said))
    assert mine.height == (height if is_settled else below.height)
    assert followed.cuts == (not is_settled)
    secrets.close()


def has_chosen(replica: Replica) -> bool:
    """Whether the last step was a choice of the liar alone."""
    last = replica.log[-1:]
    return [(entry.seat, entry.kind) for entry in last] == [(LIAR, "choose")]


def secrets_of(room: OpenRoom, folder: Path, seat: int = 0) -> SecretsFile:
    """What a seat knows, as a file."""
    secrets, vault = SecretsFile.create(folder / "game.secret"), room.vaults[seat]
    secrets.seed = vault.seed
    for height, value in vault.hidden.items():
        secrets.remember(height, value)
    return secrets


async def test_whoever_leaves_hears_the_last_one_also_where_it_has_gone_on_by_itself(
    seed: int, tmp_path: Path
) -> None:
    """The other agreed to its farewell before it took the leaver's newest entry.

    Nobody else could tell it, so it would wait for ever.
    """
    room = OpenRoom(2, seed)
    room.run(kind_is("choose"))
    leaver = room.writer()
    assert leaver is not None and leaver.me is not None
    raw, note = leaving(room, leaver.me, secret_of(room, leaver.me))
    decided, said = parse_change_entry(parse_entry(raw)), room.farewell(leaver.me)
    leaver.committed = leaver.height
    leaver.receive(room.write(leaver))
    while leaver.advance():
        room.verify(leaver)
    assert leaver.tip.find(decided.parent) not in (None, leaver.tip), "it has gone on"
    secrets = secrets_of(room, tmp_path, leaver.me)
    membership = membership_at(QuietTable(leaver, secrets=secrets))
    forged = sign_as(Identity.generate(), leaver.game_id, said._replace(key=decided.change.key))
    for proof in ((), (signed_raw(forged),)):
        forged_note = replace(note, proof=proof)
        assert not await membership.take_change(decided, forged_note), "it never said so"
    assert await membership.take_change(decided, note)
    assert leaver.me not in leaver.play.live
    secrets.close()


def second(room: OpenRoom, raw: bytes) -> bytes:
    """Another entry of the same seat that answers the same log."""
    entry = parse_entry(raw)
    place = [entry.game, entry.seat, entry.seat_epoch, entry.height, entry.parent]
    payload = encode([*place, entry.digest, entry.kind, bytes(32)])
    signature = room.identities[entry.seat].sign(b"hostless entry" + payload)
    return encode([payload, signature])
