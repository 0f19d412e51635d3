"""A key that fitted when it was named, and does not any more: nobody is to blame who says it on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.crypto.group import scalar_to_bytes
from p2p.game.game_keys import NEW_KEY
from p2p.log.membership.messages import Farewell, message_of, sign_as
from p2p.log.membership.state import VOTE_ANSWER_S
from p2p.log.secrets_file import SecretsFile
from tests.p2p.beads import BEADS
from tests.p2p.changing import away, kind_is
from tests.p2p.session.tables import QuietTable, actors_at, membership_inbox_at
from tests.simulation.volume_group import volume_group

BACK = 2


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


async def test_who_leaves_with_an_old_key_parts_nobody_else(
    seed: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    """It says so to one alone, and then shows its new key to all."""
    room, owner = away(seed, kind_is("choose"), 4)
    room.give_back(owner)
    assert owner.step is not None and owner.step.kind == NEW_KEY
    one, two = room.replicas[0], room.replicas[1]
    assert one.play.dealing is not None
    old = scalar_to_bytes(one.play.dealing.secrets[BACK])
    said = Farewell(one.tip.epoch, BACK, old)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    membership = actors_at(QuietTable(one, (), secrets)).membership
    signed = sign_as(room.identities[BACK], one.game_id, said)
    assert await membership.receive(signed) and membership.member.asked
    room.tell_all(room.write(owner))
    room.verify(one)
    log = one.next_log()
    assert log is not None and not await membership.close_step(log), "its yes binds it"
    await trio.sleep(VOTE_ANSWER_S)
    await membership.tick()
    assert await membership.close_step(log), "nobody else agrees"
    room.settle()
    assert two.head == one.head and two.step is not None and two.step.kind != NEW_KEY
    inbox, _ = membership_inbox_at(QuietTable(two, {0}), lambda _: None)
    await inbox.receive(0, message_of(signed))
    assert not membership.member.asked, "it is no member's reason any more"
    secrets.close()
