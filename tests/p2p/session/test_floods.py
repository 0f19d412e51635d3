"""A member that says one thing as often as its link allows, so that all others do nothing else.

Each message is one that honest members send; what is bounded is the work for it: signing,
reading entries, asking the rules.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.entry import Entry, parse_entry
from p2p.base.identity import Identity
from p2p.base.limits import HELP_BURST_MAX
from p2p.log.game_file import GameFile
from p2p.log.membership.log import ack_of
from p2p.log.membership.messages import message_of, sign_as
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session import catching_up
from p2p.session.session import Session
from tests.p2p.acknowledging import acknowledging
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom
from tests.p2p.session.test_clocks import Tape
from tests.p2p.session.test_many_votes import Seated

pytestmark = pytest.mark.usefixtures("quick_proofs")

MANY = 2 * HELP_BURST_MAX
OTHER = 1


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.fixture
def room(seed: int) -> OpenRoom:
    """A game that was played to its end."""
    room = OpenRoom(3, seed)
    room.run()
    return room


@pytest.fixture
async def session(room: OpenRoom, tmp_path: Path) -> AsyncIterator[Session]:
    """Seat 0, started again: it has signed no acknowledgement since."""
    replica = room.replicas[0]
    game_file = GameFile.create(tmp_path / "game.hostless", room.roster)
    for entry in replica.log:
        game_file.append(entry.raw)
    secrets = SecretsFile.create(tmp_path / "game.secret")
    replica.committed = replica.height
    session = Session(replica, game_file, secrets, lambda _: None)
    session.membership.begin()
    session.links[OTHER] = cast("Link", Tape())
    yield session
    secrets.close()
    game_file.close()


async def test_whoever_asks_for_the_log_without_end_makes_me_sign_as_often_as_i_answer(
    session: Session, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed, sign = list[bytes](), Identity.sign

    def counted(identity: Identity, said: bytes) -> bytes:
        signed.append(said)
        return sign(identity, said)

    monkeypatch.setattr(Identity, "sign", counted)
    link = cast("Link", Tape())
    for _ in range(HELP_BURST_MAX):
        await session._receive_peer(link, OTHER, ["have", 0, 0])
    assert len(signed) > HELP_BURST_MAX, "what I have acknowledged is in the answer"
    signed.clear()
    await session._receive_peer(link, OTHER, ["have", 0, 0])
    assert not signed


async def test_whoever_shows_me_the_log_without_end_makes_me_read_little_of_it(
    session: Session, room: OpenRoom, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[bytes]()

    def counted(raw: bytes) -> Entry:
        read.append(raw)
        return parse_entry(raw)

    monkeypatch.setattr(catching_up, "parse_entry", counted)
    raws, link = [entry.raw for entry in room.spectator.log], cast("Link", Tape())
    await session._receive_peer(link, OTHER, ["log", 0, len(raws), raws])
    assert not read, "I have all that"
    behind = Session(Replica(room.roster), session.table.game_file, None, lambda _: None)
    for _ in range(MANY):
        await behind._receive_peer(link, OTHER, ["log", 0, len(raws), raws])
    assert len(read) == HELP_BURST_MAX * len(raws)


async def test_what_others_acknowledge_far_from_my_log_is_kept_and_not_thought_about(
    tmp_path: Path, room: OpenRoom
) -> None:
    seated = Seated(tmp_path, room)
    seated.replica.committed = seated.replica.height - 1
    seated.membership.member = seated.membership.member._replace(
        committed=seated.replica.height - 1
    )
    logs = list(seated.replica.tip.down())
    old = message_of(acknowledging(logs[-2], OTHER, room.identities[OTHER]))
    far = ack_of(logs[0], OTHER)._replace(height=logs[0].height + 9, parent=bytes(32))
    said = sign_as(room.identities[OTHER], seated.replica.game_id, far)
    for message in (old, message_of(said)):
        await seated.membership_inbox.receive(OTHER, message)
    assert not seated.fed
    assert list(seated.replica.acks.all_at(far.height)) == [said]
    seated.secrets.close()
