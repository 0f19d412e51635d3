"""What a seat acknowledges is on its disk first, and who has acknowledged it stands in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.audit.several import compare
from p2p.base.entry import Position, next_head, sign_entry
from p2p.base.errors import MalformedFrame, PeerError
from p2p.base.wire import encode, frame
from p2p.log.ledger import GameFileError, Ledger, read_game
from p2p.log.membership.messages import Ack, sign_as
from p2p.log.notes import parse_acks
from p2p.log.replica import Replica
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable
from tests.p2p.acknowledging import acknowledged
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from ui.commands.audit import what_happened
from ui.text import load


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


def begun(
    tmp_path: Path, room: Room | None = None, entries: int = 1
) -> tuple[Telling, list[object]]:
    """A seat at a table at which one step is over."""
    room = room or Room(3, game="beads")
    room.run(lambda replica: replica.height >= entries)
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


# ---- in the file ----


async def told(table: Telling, room: Room, seats: tuple[int, ...]) -> None:
    """These seats acknowledge the log of a table, and the table keeps what it can."""
    relaying = Relaying(table)
    for seat in seats:
        replica = room.replicas[seat]
        await relaying.receive_ack(seat, acknowledged(replica, replica.height, replica.head))


async def written(tmp_path: Path, entries: int = 1) -> tuple[Path, Room]:
    """The file of seat 0 of a table of three, all of whom have acknowledged its log."""
    room = Room(3, game="beads", seed=3)
    table, _ = begun(tmp_path, room, entries)
    for entry in table.replica.log:
        table.ledger.append(entry.raw)
    await told(table, room, (1, 2))
    table.close()
    return tmp_path / "game.hostless", room


async def test_by_what_all_have_acknowledged_a_log_is_written_once_they_have(
    tmp_path: Path,
) -> None:
    room = Room(3, game="beads")
    table, _ = begun(tmp_path, room)
    for entry in table.replica.log:
        table.ledger.append(entry.raw)
    await told(table, room, (1,))
    assert read_game(table.ledger.path).acks == []
    await told(table, room, (1, 2, 1))
    kept = read_game(table.ledger.path).acks
    assert [each.height for each in kept] == [table.replica.height]
    assert all(kept[0].signatures)
    report = audit_file(table.ledger.path)
    assert report.holds
    assert {each.acknowledged for each in report.verdicts} == {table.replica.height}
    table.close()


async def test_what_a_convicted_seat_says_of_another_log_is_not_noted_as_of_this_one(
    tmp_path: Path,
) -> None:
    """Otherwise it could damage the file of everybody else."""
    room = Room(3, game="beads")
    table, _ = begun(tmp_path, room)
    for entry in table.replica.log:
        table.ledger.append(entry.raw)
    cheat = room.replicas[2]
    table.replica.guilty[2] = PeerError(room.identities[2].public, "c cheated")
    lie = acknowledged(cheat, cheat.height, bytes(32))
    await Relaying(table).receive_ack(2, lie)
    await told(table, room, (1,))
    (kept,) = read_game(table.ledger.path).acks
    assert [each is None for each in kept.signatures] == [False, False, True]
    assert not audit_file(table.ledger.path).damage
    table.close()


async def test_acknowledgements_of_another_log_than_that_of_the_file_are_not_written(
    tmp_path: Path,
) -> None:
    room = Room(3, game="beads")
    table, _ = begun(tmp_path, room)
    for entry in table.replica.log:
        table.ledger.append(entry.raw)
    table.ledger.last = b"another"
    await told(table, room, (1, 2))
    assert read_game(table.ledger.path).acks == []
    table.close()


async def test_a_forged_acknowledgement_is_damage_to_the_file(tmp_path: Path) -> None:
    path, _ = await written(tmp_path)
    record = read_game(path)
    kept = record.acks[0]
    for seat in range(3):
        signatures = list(kept.signatures)
        signatures[seat] = bytes(64)
        whole = path.read_bytes()[: kept.offset]
        bent = tmp_path / "bent.hostless"
        bent.write_bytes(whole + frame(encode(["acks", kept.height, signatures])))
        name = record.roster.seats[seat].name
        assert f"byte {kept.offset}: {name} did not acknowledge" in audit_file(bent).damage


@pytest.mark.parametrize(
    "record",
    [
        ["acks", 2, [None, None, None]],  # It stands behind three entries.
        ["acks", True, [None, None, None]],
        ["acks", 3, [None, None]],
        ["acks", 3, [None, None, b"short"]],
        ["acks", 3, [None, None, 5]],
        ["acks", 3],
    ],
)
def test_acknowledgements_of_another_place_are_refused(record: list[object]) -> None:
    parse_acks(["acks", 3, [None, None, bytes(64)]], (3, 3), 0)
    with pytest.raises(MalformedFrame):
        parse_acks(record, (3, 3), 0)


async def test_a_file_with_acknowledgements_of_another_place_is_refused(tmp_path: Path) -> None:
    path, _ = await written(tmp_path)
    path.write_bytes(path.read_bytes() + frame(encode(["acks", 0, [None] * 3])))
    with pytest.raises(GameFileError, match="another place"):
        read_game(path)


async def test_m6_whoever_plays_an_end_once_more_without_somebody_has_signed_both(
    tmp_path: Path,
) -> None:
    """M6: all but one write another end; the one has what they had acknowledged."""
    path, room = await written(tmp_path, entries=4)
    log = room.replicas[0].log
    last = log[-1]
    rewritten = Replica(room.roster, room.identities[last.seat], room.vaults[last.seat])
    for entry in log[: last.height]:
        rewritten.receive(entry.raw)
        while rewritten.advance():
            pass
    assert rewritten.height == last.height
    others = [seat for seat in range(3) if seat != last.seat]
    gone = sign_entry(
        room.identities[others[1]], last.game, (others[1], 1),
        rewritten.position, ["stand in", []],
    )  # fmt: skip
    behind = Position(last.height + 1, next_head(rewritten.head, [gone]), last.digest)
    said: list[object] = [last.kind, ["another"]]
    entry = sign_entry(room.identities[last.seat], last.game, (last.seat, 0), behind, said)
    other = Ledger.create(tmp_path / "other.hostless", room.roster)
    end = [gone, entry]
    for each in [*log[: last.height], *end]:
        other.append(each.raw)
    head = next_head(behind.head, [entry])
    ack = Ack(behind.head, 0, last.height + len(end), behind.head, head)
    for seats in ((others[0],), (others[0], last.seat)):
        signed = {
            seat: sign_as(room.identities[seat], last.game, ack._replace(seat=seat)).signature
            for seat in seats
        }
        other.acknowledge([signed.get(seat) for seat in range(3)])
        both = compare([path, tmp_path / "other.hostless"]).partings[0].both
        assert both == (tuple(sorted(seats)) if len(seats) > 1 else ()), "all have to agree"
    other.close()
    found = compare([path, tmp_path / "other.hostless"])
    said_of = what_happened(load("en"), found)
    assert "played this part twice" in said_of and "Nobody has signed both" not in said_of
    forged = compare([path, bent_acks(tmp_path / "other.hostless")])
    assert forged.partings[0].both == ()


def bent_acks(path: Path) -> Path:
    """The same file with another signature in its acknowledgements."""
    kept = read_game(path).acks[0]
    signatures = [None if each is None else bytes(64) for each in kept.signatures]
    whole = path.read_bytes()[: kept.offset]
    path.write_bytes(whole + frame(encode(["acks", kept.height, signatures])))
    return path
