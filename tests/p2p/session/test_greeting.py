"""What a seat is told as it is linked, in which order: it may have lost what it has signed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from core.games import GAMES
from p2p.base.limits import MEET_S
from p2p.base.wire import FrameReader, decode
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.session import Session
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom

KEEPER, LOSER = 0, 1
HAVE = "have"


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Tape:
    """A link that keeps what is sent, and ends when nothing more is to be received."""

    peer_name, remote_host, fault = "grace", "127.0.0.1", None
    has_fallen_silent = False

    def __init__(self) -> None:
        self.sent: list[list[object]] = []
        self.brings, self._brought = trio.open_memory_channel[object](9)

    async def send(self, message: list[object]) -> None:
        """Keep it."""
        self.sent.append(message)

    def post(self, framed: bytes) -> None:
        """Keep what is in it."""
        reader = FrameReader()
        reader.feed(framed)
        self.sent += (cast("list[object]", decode(payload)) for payload in reader)

    async def receive(self) -> object:
        """What the other end has brought."""
        return await self._brought.receive()

    async def aclose(self) -> None:
        """Nothing more comes; what has come can still be received."""
        self.brings.close()


class Party:
    """Two of three machines at the first step: one holds what the other has signed and lost."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.room = room = OpenRoom(3, seed)
        keeper = room.replicas[KEEPER]
        self.raw = room.write(room.replicas[LOSER])
        keeper.receive(self.raw)
        secrets = SecretsFile.create(folder / "lost.secret")
        secrets.note_lost_records()
        secrets.is_old = True
        lost = Replica(room.roster, room.identities[LOSER], secrets)
        self.secrets = [secrets, SecretsFile.create(folder / "kept.secret")]
        self.keeper = self._session(folder / "kept.hostless", keeper, self.secrets[1])
        self.loser = self._session(folder / "lost.hostless", lost, secrets)
        self.tape = Tape()
        self.keeper.links[LOSER] = cast("Link", self.tape)

    def _session(self, path: Path, replica: Replica, secrets: SecretsFile) -> Session:
        game_file = GameFile.create(path, self.room.roster)
        session = Session(replica, game_file, secrets, lambda _: None)
        session.membership.begin()
        session.catching_up.begin(is_resumed=session.table.is_resumed)
        return session

    def shown(self) -> list[bytes]:
        """What the one that has lost it knows to have signed."""
        return [entry.raw for entry in self.loser.replica.entries.waiting.of(LOSER)]

    def close(self) -> None:
        """Let go of the files."""
        for session in (self.keeper, self.loser):
            session.table.close()


@pytest.fixture
async def party(tmp_path: Path, seed: int) -> AsyncIterator[Party]:
    """See there."""
    found = Party(tmp_path, seed)
    yield found
    found.close()


def kinds(tape: Tape) -> list[object]:
    """What was sent."""
    return [message[0] for message in tape.sent]


async def test_who_has_lost_its_entry_is_shown_that_before_it_may_sign_another(
    party: Party, mock_clock: MockClock
) -> None:
    """What waits was sent as an answer only: for a round trip nobody knew, and two convict it."""
    loser, link = party.loser, cast("Link", Tape())
    for seat in (KEEPER, 2):
        loser.links[seat] = link
    loser.catching_up.note(2, 0)
    mock_clock.jump(MEET_S)
    await party.keeper._greet(LOSER)
    assert not loser.instances.may_sign()
    for message in party.tape.sent:
        await loser._receive_peer(link, KEEPER, message)
        assert not loser.instances.may_sign() or party.shown() == [party.raw]
    assert loser.instances.may_sign() and party.shown() == [party.raw]


async def test_where_i_am_is_said_last_to_whoever_is_greeted(party: Party) -> None:
    """Votes too bind whoever has lost them."""
    keeper = party.keeper
    await keeper.membership.write(party.room.write(keeper.replica))
    await keeper._greet(LOSER)
    assert len(list(keeper.membership.retransmissions())) == 1
    assert kinds(party.tape).count(HAVE) == 1 and kinds(party.tape)[-1] == HAVE


async def test_nobody_is_told_where_i_am_before_it_is_greeted(party: Party) -> None:
    await party.keeper.relaying.ask()
    assert HAVE not in kinds(party.tape)
    await party.keeper._greet(LOSER)
    await party.keeper.table.say_where_i_am()
    assert kinds(party.tape)[-2:] == [HAVE, HAVE]


async def test_whoever_is_linked_anew_while_it_is_greeted_is_greeted_anew(party: Party) -> None:
    newer, keeper = Tape(), party.keeper
    link = keeper.links[LOSER]
    keeper.links[LOSER] = cast("Link", newer)
    await keeper.table.greet(LOSER, link)
    await keeper.table.say_where_i_am()
    assert HAVE not in kinds(newer) + kinds(party.tape)


async def test_what_a_replaced_link_still_holds_is_not_heard(party: Party) -> None:
    """It would come after the other end was told that there is nothing."""
    session, older, newer = party.keeper, Tape(), Tape()
    heard = session.table.messages
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session.attend, LOSER, older)
        await wait_all_tasks_blocked()
        await older.brings.send("early")
        await wait_all_tasks_blocked()
        session.links[LOSER] = cast("Link", newer)
        await older.brings.send("late")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    said = list[object]()
    with suppress(trio.WouldBlock):
        while True:
            said.append(heard.receive_nowait()[1])
    assert said == [["linked", LOSER], [LOSER, "early"]]
