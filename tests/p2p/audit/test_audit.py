"""Audits of files that somebody has changed: the file is damaged, and nobody is named for it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.errors import HostlessError
from core.requests import Choice
from p2p.audit.audit import Report, audit_file
from p2p.base.entry import DIGEST_BYTES, Position, sign_entry
from p2p.base.wire import decode, encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import MAGIC, GameFile, read_game
from p2p.log.replica import Replica
from tests.p2p.records import heard
from tests.p2p.room import Room

FLIPS = 40


@pytest.fixture(scope="module")
def room() -> Room:
    """A game that has been dealt and begun."""
    room = Room(2, seed=31)
    room.run(
        until=lambda replica: (
            len(replica.play.events) >= 30 and isinstance(replica.play.request, Choice)
        )
    )
    return room


def write(path: Path, room: Room, order: list[int] | None = None) -> Path:
    """The game file of the room, or one with these entries of its log."""
    log = room.replicas[0].log
    game_file = GameFile.create(path, room.roster)
    for index in range(len(log)) if order is None else order:
        game_file.append(log[index].raw)
    game_file.close()
    return path


@pytest.fixture
def path(tmp_path: Path, room: Room) -> Path:
    """The file of the game."""
    return write(tmp_path / "game.hostless", room)


def honest(report: Report) -> bool:
    """Whether nobody is named."""
    return all(verdict.is_honest for verdict in report.verdicts)


def complaint(path: Path) -> str:
    """What is said about a file in which nobody may be named; empty if nothing."""
    try:
        report = audit_file(path)
    except GameFileError as error:
        return str(error)
    assert honest(report), report
    return report.damage


def test_a_game_that_is_not_over_is_sound_but_unfinished(path: Path) -> None:
    report = audit_file(path)
    assert report.holds and not report.is_finished and not report.winners


def test_a_bit_changed_anywhere_is_damage_and_names_nobody(path: Path, seed: int) -> None:
    rng, whole = random.Random(seed), path.read_bytes()
    for _ in range(FLIPS):
        place, bit = rng.randrange(len(MAGIC), len(whole)), 1 << rng.randrange(8)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        said = complaint(path)
        assert said, f"bit {bit} of byte {place} may be changed"


def test_a_file_cut_anywhere_is_shorter_or_torn_and_names_nobody(path: Path, seed: int) -> None:
    rng, whole = random.Random(seed), path.read_bytes()
    edges = {len(MAGIC), *(offset for offset, _ in read_game(path).entries)}
    for _ in range(FLIPS):
        cut = rng.randrange(len(whole))
        path.write_bytes(whole[:cut])
        assert complaint(path) or cut in edges
    path.write_bytes(whole[:-1])
    offset, _ = read_game(path).entries[-1]
    assert "the last record is cut off" in complaint(path) and offset < len(whole)


@pytest.mark.parametrize("rubbish", [b"\0", b"\xff" * 40, b"\0\0\0\1\xf6", frame(encode(["x"]))])
def test_rubbish_after_the_last_record_is_damage_with_its_byte(path: Path, rubbish: bytes) -> None:
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(rubbish)
    assert f"byte {size}" in complaint(path)


def test_entries_left_out_moved_or_doubled_are_damage_and_name_nobody(
    tmp_path: Path, room: Room
) -> None:
    every = list(range(len(room.replicas[0].log)))
    middle = len(every) // 2
    edited = [
        every[:middle] + every[middle + 1 :],
        every[1:],
        [*every, middle],
        every[: middle + 1] + every[middle:],
        [*every[:middle], every[middle + 4], *every[middle : middle + 4], *every[middle + 5 :]],
        every[::-1],
    ]
    for index, order in enumerate(edited):
        said = complaint(write(tmp_path / f"{index}.hostless", room, order))
        assert "byte" in said, f"edit {index} went unseen"


def test_entries_of_another_game_are_damage(tmp_path: Path, room: Room, path: Path) -> None:
    other = Room(2, seed=32)
    other.run(until=lambda replica: replica.height >= 8)
    spliced = GameFile(path)
    spliced.append(other.replicas[0].log[7].raw)
    spliced.close()
    assert "belongs to another game" in complaint(path)


def test_a_file_of_another_version_says_so(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"hostless game 13", b"hostless game 12", 1))
    assert "was written in version 12 of the game file" in complaint(path)


def test_a_file_of_a_version_before_is_refused_and_accuses_nobody(path: Path) -> None:
    """There seals were opened without proof: whoever signed that did nothing wrong."""
    for version in range(1, 7):
        _, end, rest = path.read_bytes().partition(b"\n")
        path.write_bytes(b"hostless game %d" % version + end + rest)
        said = complaint(path)
        assert f"was written in version {version} of the game file" in said


def test_a_game_by_other_rules_says_so(path: Path) -> None:
    whole = path.read_bytes()
    size = int.from_bytes(whole[len(MAGIC) : len(MAGIC) + 4])
    roster = decode(whole[len(MAGIC) + 4 : len(MAGIC) + 4 + size])
    assert isinstance(roster, list)
    roster[1][2] = bytes(32)
    path.write_bytes(MAGIC + frame(encode(roster)) + whole[len(MAGIC) + 4 + size :])
    assert "another version of the rules" in complaint(path)


@pytest.mark.parametrize("name", ["missing", "folder"])
def test_a_path_without_a_file_is_one_clear_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(HostlessError, match="cannot read"):
        audit_file(tmp_path / name)


def test_noted_words_without_proof_are_held_against_nobody(path: Path, room: Room) -> None:
    """The keeper of a file can write what it likes into it, but not what another has signed."""
    log = room.replicas[0].log
    for raws in ([], [log[3].raw], [log[3].raw, log[3].raw], [b"rubbish"], [log[3].raw[:-1]]):
        game_file = GameFile(path)
        game_file.keep_evidence(1, "b is a cheater", raws)
        game_file.close()
    assert honest(audit_file(path))


def test_a_second_answer_to_one_log_convicts_its_signer_alone(path: Path, room: Room) -> None:
    old = [entry for entry in room.replicas[0].log if entry.seat == 1][2]
    at = Position(old.height, old.parent, old.digest)
    twin = sign_entry(room.identities[1], room.roster.game_id, (1, 0), at, ["choose", [1]])
    game_file = GameFile(path)
    game_file.keep_evidence(0, "a did it", [old.raw, twin.raw])
    game_file.keep_evidence(1, "words that are not ours", [old.raw, twin.raw])
    game_file.close()
    verdicts = audit_file(path).verdicts
    assert [verdict.is_honest for verdict in verdicts] == [True, False]
    assert verdicts[1].reason == "b: signed two entries that answer one log"


def test_an_entry_that_saw_another_table_convicts_its_seat(path: Path, room: Room) -> None:
    replica = next(each for each in room.replicas if each.may_write())
    assert isinstance(replica.play.request, Choice) and replica.me is not None
    honest_entry = replica.write(replica.view().offers[0].action)
    said = [honest_entry.kind, honest_entry.body]
    identity, at = room.identities[replica.me], replica.position
    elsewhere = Position(at.height, at.head, bytes(DIGEST_BYTES))
    broken = sign_entry(identity, replica.game_id, (replica.me, 0), elsewhere, said)
    game_file = GameFile(path)
    game_file.keep_evidence(replica.me, "", [broken.raw])
    game_file.close()
    guilty = [verdict.seat for verdict in audit_file(path).verdicts if not verdict.is_honest]
    assert guilty == [replica.me]


def test_whoever_hears_a_file_knows_every_event_and_is_offered_nothing(
    path: Path, room: Room
) -> None:
    replica = heard(read_game(path))
    assert replica.play.events == room.replicas[0].play.events
    assert not replica.view().offers


def test_an_auditor_who_hears_all_knows_no_card_of_a_hand(path: Path, room: Room) -> None:
    replica = Replica(room.roster)
    for _, raw in read_game(path).entries:
        replica.receive(raw)
        while replica.advance() or replica.obligations:
            replica.obligations.clear()
    assert replica.play.dealing is not None
    observation, table = replica.play.dealing.observation, replica.play.table
    hands = [table.layout.zone_index[f"seat{seat}.hand"] for seat in (0, 1)]
    cards = [card for zone in hands for card in table.zones[zone]]
    assert cards and all(observation[card] == table.face[card] for card in cards)
