"""What a seat acknowledges is on its disk before anybody hears of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from p2p.log.ledger import Ledger
from p2p.session.table import RunningTable
from tests.p2p.beads import BEADS
from tests.p2p.room import Room


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Watched(Ledger):
    """A game file that notes when it was put on disk."""

    happened: list[object]

    def sync(self) -> None:
        """Wait for the disk."""
        super().sync()
        self.happened.append("disk")


class Telling(RunningTable):
    """A table whose messages are noted in the same list."""

    async def broadcast(self, message: list[object]) -> None:
        assert isinstance(self.ledger, Watched)
        self.ledger.happened.append(message[0])

    async def send(self, seat: int, message: list[object]) -> None:
        await self.broadcast(message)


def begun(tmp_path: Path) -> tuple[Telling, list[object]]:
    """A seat at a table at which one step is over."""
    room = Room(3, game="beads")
    room.run(lambda replica: replica.height > 0)
    me = room.replicas[0]
    ledger = Watched.create(tmp_path / "game.hostless", room.roster)
    ledger.happened = []
    return Telling(me, ledger, None, lambda news: None), ledger.happened


async def test_the_log_is_on_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    table, happened = begun(tmp_path)
    for entry in table.replica.log:
        table.ledger.append(entry.raw)
    await table.acknowledge()
    await table.acknowledge(1)
    assert happened == ["disk", "ack", "disk", "ack"]
    table.close()


async def test_what_is_not_in_the_file_is_not_acknowledged(tmp_path: Path) -> None:
    table, happened = begun(tmp_path)
    for entry in table.replica.log[:-1]:
        table.ledger.append(entry.raw)
    await table.acknowledge()
    await table.acknowledge(1)
    assert happened == []
    table.close()
