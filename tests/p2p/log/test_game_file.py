"""The game file and its secrets file: what was written comes back, or one clear line does."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from p2p.base.limits import FRAME_BYTES_MAX
from p2p.base.wire import encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import MAGIC, GameFile, read_game
from p2p.log.notes import InForceNote
from p2p.log.secrets_file import OLD_SECRET_MAGIC, SECRET_MAGIC, SecretsFile
from p2p.log.shared import log_in
from tests.p2p.room import Room

ENTRIES = [b"one", b"two" * 1000, b""]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A game file with three entries and a note."""
    path = tmp_path / "games" / "game.hostless"
    game_file = GameFile.create(path, Room(2).roster)
    for raw in ENTRIES:
        game_file.append(raw)
    game_file.keep_evidence(1, "b cheated", [b"proof"])
    game_file.close()
    return path


def test_what_was_written_is_read_again_in_order(path: Path) -> None:
    record = read_game(path)
    assert [raw for _, raw in record.entries] == ENTRIES
    assert [(each.seat, each.sentence, each.raws) for each in record.evidence] == [
        (1, "b cheated", [b"proof"])
    ]
    assert record.torn_at is None


def test_a_file_goes_on_behind_what_a_torn_record_leaves(path: Path) -> None:
    whole = path.read_bytes()
    os.truncate(path, len(whole) - 3)
    record = read_game(path)
    assert record.torn_at is not None and not record.evidence
    game_file = GameFile.reopen(path, record)
    assert game_file.count == len(ENTRIES)
    game_file.append(b"four")
    game_file.close()
    assert [raw for _, raw in read_game(path).entries] == [*ENTRIES, b"four"]


def test_by_whom_a_change_is_in_force_stays_where_entries_behind_it_are_cut(path: Path) -> None:
    """It is noted once others have acknowledged it; one's own next entry may stand before that."""
    game_file = GameFile.reopen(path, read_game(path))
    game_file.note_in_force(InForceNote(2, ()))
    game_file.note_in_force(InForceNote(3, ()))
    game_file.cut(2)
    assert game_file.changes == read_game(path).changes == [InForceNote(2, ())]
    assert [raw for _, raw in read_game(path).entries] == ENTRIES[:2]
    game_file.cut_at(read_game(path).changes[0].offset)
    assert game_file.changes == read_game(path).changes == []
    assert game_file.count == 2
    game_file.close()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "not a game file: it is empty"),
        (b"hostless game 14\nnew", "was written in version 14 of the game file"),
        (b"\x7fELF rubbish", "not a game file"),
        (SECRET_MAGIC, "not a game file"),
        (MAGIC, "does not begin with a roster"),
        (MAGIC + frame(encode(["entry", b"x"])), "does not begin with a roster"),
        (MAGIC + frame(encode(["roster", 5])), "not a roster"),
        (MAGIC + (FRAME_BYTES_MAX + 1).to_bytes(4), "byte 17"),
        (MAGIC + b"\0\0\0\1\xff", "byte 17"),
    ],
)
def test_rubbish_is_refused_in_one_line(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "game.hostless"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=complaint) as caught:
        read_game(path)
    assert "\n" not in str(caught.value)


def test_a_file_beyond_any_game_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "game.hostless"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # Sparse: it takes no room on the disk.
    with pytest.raises(GameFileError, match="longer than any game"):
        read_game(path)


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(GameFileError, match=r"cannot write .*--home"):
        SecretsFile.create(blocked / "game.secret")
    with pytest.raises(GameFileError, match=r"cannot write .*--home"):
        GameFile.create(blocked / "game.hostless", Room(2).roster)


# ---- the secrets file ----


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """A secrets file with something of everything."""
    path = tmp_path / "game.secret"
    secrets = SecretsFile.create(path)
    secrets.keep_addresses([("", 4000), ("192.0.2.1", 4001)])
    secrets.remember(7, ["draft", [3], 0])
    secrets.remember(7, ["draft", [4], 0])
    secrets.keep_entry(b"mine")
    secrets.sync()
    secrets.close()
    return path


def test_a_vault_gives_back_what_a_machine_must_not_lose(secrets: Path) -> None:
    first, second = SecretsFile.reopen(secrets), SecretsFile.reopen(secrets)
    assert first.seed == second.seed != SecretsFile.create(secrets.with_name("other.secret")).seed
    assert first.entries == [b"mine"]
    assert first.addresses == [("", 4000), ("192.0.2.1", 4001)]
    assert first.recall(7) == ["draft", [4], 0]


def test_a_vault_is_its_owners_alone(secrets: Path) -> None:
    mode = stat.S_IMODE(secrets.stat().st_mode)
    assert os.name == "nt" or mode == stat.S_IRUSR | stat.S_IWUSR  # Windows has no such modes.


def test_a_torn_last_record_of_a_vault_is_cut_off(secrets: Path) -> None:
    whole = secrets.read_bytes()
    with secrets.open("ab") as file:
        file.write(b"\0\0\0\x09half")
    reopened = SecretsFile.reopen(secrets)
    reopened.keep_entry(b"next")
    reopened.close()
    grown = secrets.read_bytes()
    assert grown.startswith(whole) and encode(["entry", b"next"]) in grown[len(whole) :]
    assert SecretsFile.reopen(secrets).entries == [b"mine", b"next"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "not the secret part"),
        (MAGIC, "not the secret part"),
        (OLD_SECRET_MAGIC, "lost its seed"),
        (OLD_SECRET_MAGIC + frame(encode(["seed", b"short"])), "lost its seed"),
        (OLD_SECRET_MAGIC + frame(encode(["odd"])), "byte 18"),
        (OLD_SECRET_MAGIC + frame(encode(["addresses", [1]])), "an address is"),
        (OLD_SECRET_MAGIC + frame(encode(["addresses", [["10.0.0.1", 65536]]])), "an address is"),
        (OLD_SECRET_MAGIC + b"\0\0\0\1\xff", "byte 18"),
    ],
)
def test_a_damaged_vault_is_refused_and_not_replaced(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "game.secret"
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=complaint):
        SecretsFile.reopen(path)
    assert path.read_bytes() == content


def test_a_vault_that_is_not_there_is_not_made_anew(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="cannot read"):
        SecretsFile.reopen(tmp_path / "game.secret")
    assert not (tmp_path / "game.secret").exists()


def test_a_full_disk_is_one_line_that_says_how_to_go_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a record fits; what is torn of it is cut when the file goes on."""
    game_file, write, room = GameFile.reopen(path, read_game(path)), os.write, [8]

    def write_while_there_is_room(file: int, content: memoryview) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = write(file, content[: room[0]])
        room[0] -= count
        return count

    monkeypatch.setattr(os, "write", write_while_there_is_room)
    with pytest.raises(GameFileError, match="No space left on device") as caught:
        game_file.append(b"four")
    assert "resume" in caught.value.hint
    monkeypatch.undo()
    game_file.close()
    record = read_game(path)
    assert [raw for _, raw in record.entries] == ENTRIES and record.torn_at is not None
    again = GameFile.reopen(path, record)
    again.append(b"four")
    again.close()
    assert [raw for _, raw in read_game(path).entries] == [*ENTRIES, b"four"]


def test_what_one_machine_has_noted_is_no_part_of_the_log(tmp_path: Path) -> None:
    room, logs = Room(2), []
    for name in ("noted", "plain"):
        game_file = GameFile.create(tmp_path / f"{name}.hostless", room.roster)
        game_file.append(ENTRIES[0])
        if name == "noted":
            game_file.keep_evidence(0, "it has signed two entries", [b"one", b"other"])
        game_file.append(ENTRIES[1])
        game_file.close()
        logs.append(log_in(game_file.path))
    assert logs[0] == logs[1] and logs[0][1:] == list(ENTRIES[:2])
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 2
