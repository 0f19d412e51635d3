"""What a seat acknowledges is on its disk first, and who has acknowledged it stands in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.audit.several import compare
from p2p.base.entry import Position, next_head, sign_entry
from p2p.base.errors import MalformedFrame
from p2p.base.wire import encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import GameFile, read_game
from p2p.log.membership.log import ChangeItem
from p2p.log.membership.messages import (
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    message_of,
    sign_as,
)
from p2p.log.membership_change import change_entry
from p2p.log.notes import parse_acks
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.session.membership_inbox import MembershipInbox
from p2p.session.table import RunningTable
from tests.p2p.acknowledging import acknowledged, acknowledging
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.p2p.session.tables import actors_at
from ui.commands.audit import what_happened
from ui.language.text import load


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Watched(GameFile):
    """A game file that notes when it was put on disk."""

    happened: list[object]

    def sync(self) -> None:
        """Wait for the disk."""
        super().sync()
        self.happened.append("disk")


class Telling(RunningTable):
    """A table whose messages are noted in the same list."""

    async def broadcast(self, message: list[object]) -> None:
        assert isinstance(self.game_file, Watched)
        self.game_file.happened.append(message[0])

    async def send(self, seat: int, message: list[object]) -> None:
        await self.broadcast(message)


class Begun:
    """Seat 0 at a table at which one step is over, or so many entries are there."""

    def __init__(self, folder: Path, room: Room | None = None, entries: int = 1) -> None:
        self.room = room or Room(3, game="beads")
        self.room.run(lambda replica: replica.height >= entries)
        self.replica = me = self.room.replicas[0]
        self.game_file = Watched.create(folder / "game.hostless", self.room.roster)
        self.game_file.happened = []
        me.acks.forget(me.height + 1)
        me.committed = 0 if me.tip.below is None else me.tip.below.height
        secrets = SecretsFile.create(folder / "game.secret")
        self.table = Telling(me, self.game_file, secrets, lambda news: None)
        actors = actors_at(self.table)
        self.membership_inbox, self.membership = (
            MembershipInbox(self.table, actors, int, lambda: True),
            actors.membership,
        )

    def write(self, but: int = 0) -> None:
        """Write the log into the file, but for so many entries at its end."""
        for entry in self.replica.log[: self.replica.height - but]:
            self.game_file.append(entry.raw)

    async def told(self, *seats: int) -> None:
        """These seats acknowledge the log, and what can be kept of that is."""
        for seat in seats:
            replica = self.room.replicas[seat]
            said = acknowledged(replica, replica.height, replica.head)
            await self.membership_inbox.receive(seat, said)


async def test_the_log_is_on_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    at = Begun(tmp_path)
    at.write()
    await at.membership.flush(with_acks=True)
    assert at.game_file.happened == ["disk", "ack"]
    at.table.close()


async def test_what_is_not_in_the_file_is_not_acknowledged(tmp_path: Path) -> None:
    at = Begun(tmp_path)
    at.write(but=1)
    await at.membership.flush(with_acks=True)
    assert at.game_file.happened == []
    at.table.close()


# ---- in the file ----


async def written(tmp_path: Path, entries: int = 1) -> tuple[Path, Room]:
    """The file of seat 0 of a table of three, all of whom have acknowledged its log."""
    at = Begun(tmp_path, Room(3, game="beads", seed=3), entries)
    at.write()
    await at.told(1, 2)
    at.table.close()
    return tmp_path / "game.hostless", at.room


async def test_by_what_all_have_acknowledged_a_log_is_written_once_they_have(
    tmp_path: Path,
) -> None:
    at = Begun(tmp_path)
    at.write()
    await at.told(1)
    assert read_game(at.game_file.path).acks == []
    await at.told(1, 2, 1)
    kept = read_game(at.game_file.path).acks
    assert [each.height for each in kept] == [at.replica.height]
    assert all(kept[0].signatures)
    report = audit_file(at.game_file.path)
    assert report.holds
    assert {each.acknowledged for each in report.verdicts} == {at.replica.height}
    at.table.close()


async def test_an_acknowledgement_with_excuses_is_no_damage_to_the_file(tmp_path: Path) -> None:
    """Whoever left a change on that head excuses itself, and the file keeps signatures alone."""
    at = Begun(tmp_path)
    at.write()
    await at.told(1)
    below, tip = at.replica.tip.below, at.replica.tip
    assert below is not None
    no = sign_as(at.room.identities[1], at.replica.game_id, Ballot(below.epoch, 0, 1))
    ack = acknowledging(tip, 2)._replace(excuses=(no,))
    said = sign_as(at.room.identities[2], at.replica.game_id, ack)
    await at.membership_inbox.receive(2, message_of(said))
    (kept,) = read_game(at.game_file.path).acks
    assert [each is None for each in kept.signatures] == [False, False, True]
    assert not audit_file(at.game_file.path).damage
    at.table.close()


async def test_acknowledgements_of_another_log_than_mine_are_not_written(tmp_path: Path) -> None:
    at = Begun(tmp_path)
    at.write()
    await at.told(1)
    cheat = at.room.replicas[2]
    await at.membership_inbox.receive(2, acknowledged(cheat, cheat.height, bytes(32)))
    assert read_game(at.game_file.path).acks == []
    at.table.close()


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
    decided = ChangeItem(rewritten.head, Change(others[1], REASON_SILENT), 0)
    gone = change_entry(last.game, rewritten.tip, decided)
    behind = Position(last.height + 1, next_head(rewritten.head, [gone]), last.digest)
    said: list[object] = [last.kind, ["another"]]
    entry = sign_entry(room.identities[last.seat], last.game, (last.seat, 0), behind, said)
    other = GameFile.create(tmp_path / "other.hostless", room.roster)
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
