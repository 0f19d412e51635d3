"""Whoever was let go as silent may object in its own file: a fact of the file, and no proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.audit.game import read_log
from p2p.base.wire import encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import GameFile, GameRecord, read_game
from p2p.log.objection import Objection
from p2p.log.recovery import read_and_repair
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is, secret_of
from tests.simulation.volume_group import volume_group
from ui.commands.audit import report_lines
from ui.language.text import LANGUAGE_NAMES, load


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def let_go(seed: int, *, is_silent: bool = True) -> OpenRoom:
    """A table that went on without seat 2, which was silent or has left."""
    room = OpenRoom(3, seed)
    room.run(kind_is("roll"))
    key = secret_of(room, 2)
    room.lose(2)
    if is_silent:
        room.remove(2)
    else:
        room.leave(2, key)
    room.run()
    return room


def objecting(room: OpenRoom, height: int, seat: int = 2, signer: int = 2) -> GameRecord:
    """The record of the game with an objection to what stands in front of this height."""
    head = [log.head for log in room.spectator.tip.down() if log.height >= height][-1]
    signed = Objection(height, seat).sign(room.identities[signer], room.spectator.game_id, head)
    return replace(room.record(), objections=[(9, signed)])


def height_of_change(room: OpenRoom) -> int:
    """Of the log with the change behind it."""
    return room.notes[0].height


def test_an_objection_names_the_entry_by_which_its_seat_went(seed: int) -> None:
    room = let_go(seed)
    found = read_log(objecting(room, height_of_change(room)))
    assert not found.damage and not found.guilty
    assert found.objections == {2: height_of_change(room) - 1} and found.replaced[2] > 0


def test_an_objection_that_its_seat_has_not_signed_is_damage(seed: int) -> None:
    room = let_go(seed)
    found = read_log(objecting(room, height_of_change(room), signer=1))
    assert found.damage.endswith("did not object to this") and not found.objections


@pytest.mark.parametrize(("offset", "seat"), [(0, 1), (-1, 2), (1, 2)])
def test_nobody_objects_to_what_let_another_go_or_nobody(seed: int, offset: int, seat: int) -> None:
    room = let_go(seed)
    found = read_log(objecting(room, height_of_change(room) + offset, seat, seat))
    assert "nobody was let go there as silent" in found.damage and not found.objections


def test_whoever_has_left_cannot_object_to_being_let_go(seed: int) -> None:
    room = let_go(seed, is_silent=False)
    found = read_log(objecting(room, height_of_change(room)))
    assert "nobody was let go there as silent" in found.damage


def kept(room: OpenRoom, folder: Path) -> Path:
    """The game as the file of seat 2."""
    path, height = room.kept(folder), height_of_change(room)
    game_file = GameFile.reopen(path, read_game(path))
    game_file.object(objecting(room, height).objections[0][1])
    game_file.close()
    return path


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_person_reads_who_objects_and_that_it_proves_nothing(
    seed: int, tmp_path: Path, language: str
) -> None:
    room = let_go(seed)
    report = audit_file(kept(room, tmp_path))
    assert report.holds and report.verdicts[2].objects == height_of_change(room) - 1
    assert [each.objects for each in report.verdicts[:2]] == [None, None]
    said = load(language)("audit.objects", name=".*", entry=height_of_change(room) - 1)
    assert any(re.fullmatch(said, line) for line in report_lines(load(language), report))


def test_a_damaged_file_keeps_the_objection_before_the_damage(seed: int, tmp_path: Path) -> None:
    room = let_go(seed)
    path = kept(room, tmp_path)
    path.write_bytes(path.read_bytes() + frame(encode(["nonsense"])))
    secret = path.with_suffix(".secret")
    secret.write_bytes(b"")
    assert [said.seat for _, said in read_and_repair(path, []).objections] == [2]


@pytest.mark.parametrize(
    "record",
    [
        ["objection", 2, 0, bytes(64)],  # The file has no entries.
        ["objection", 0, 0, bytes(64)],
        ["objection", True, 0, bytes(64)],
        ["objection", 1, -1, bytes(64)],
        ["objection", 1, 0],
    ],
)
def test_what_is_no_objection_makes_the_file_unreadable(
    seed: int, tmp_path: Path, record: list[object]
) -> None:
    path = OpenRoom(3, seed).kept(tmp_path)
    path.write_bytes(path.read_bytes() + frame(encode(record)))
    with pytest.raises(GameFileError, match="none that we know"):
        read_game(path)
