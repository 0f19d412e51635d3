"""Logs that have parted: how far one goes back, and what is never taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.base.entry import next_head, parse_entry
from p2p.base.errors import Equivocation
from p2p.base.wire import encode
from p2p.log.membership.messages import Ack, sign_as
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom
from tests.p2p.session.tables import Followed, QuietTable, agreeing_at
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
    mine.settled = height if is_settled else below.height
    mine.acks.forget(height + 1)
    secrets = secrets_of(room, tmp_path)
    table, followed = QuietTable(mine, (), secrets), Followed()
    agreeing = agreeing_at(table, followed)
    with pytest.raises(Equivocation) as caught:
        mine.receive(twin)
    await agreeing.convict(caught.value)
    assert [each.seat for each in followed.accused] == [LIAR] == list(mine.guilty)
    assert mine.height == height
    other = next_head(below.head, [parse_entry(twin)])
    said = Ack(below.epoch, ACCOMPLICE, height, below.head, other)
    await agreeing.receive(sign_as(room.identities[ACCOMPLICE], mine.game_id, said))
    assert mine.height == (height if is_settled else below.height)
    assert followed.went_back == (not is_settled)
    secrets.close()


def has_chosen(replica: Replica) -> bool:
    """Whether the last step was a choice of the liar alone."""
    last = replica.log[-1:]
    return [(entry.seat, entry.kind) for entry in last] == [(LIAR, "choose")]


def secrets_of(room: OpenRoom, folder: Path) -> SecretsFile:
    """What seat 0 knows, as a file."""
    secrets, vault = SecretsFile.create(folder / "game.secret"), room.vaults[0]
    secrets.seed = vault.seed
    for height, value in vault.hidden.items():
        secrets.remember(height, value)
    return secrets


def second(room: OpenRoom, raw: bytes) -> bytes:
    """Another entry of the same seat that answers the same log."""
    entry = parse_entry(raw)
    place = [entry.game, entry.seat, entry.epoch, entry.height, entry.head]
    payload = encode([*place, entry.digest, entry.kind, bytes(32)])
    signature = room.identities[entry.seat].sign(b"hostless entry" + payload)
    return encode([payload, signature])
