"""A whole small game, its file changed in every way: never fine, never a crash, nobody blamed.

What is said names the byte at which it fails.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.audit.grades import Grade
from p2p.base.wire import decode, encode, frame
from p2p.log.files import GameFileError
from p2p.log.game_file import MAGIC
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.room import Room, Terms
from ui.__main__ import main

SAME_HOME = [HealthCheck.function_scoped_fixture]
DOES_NOT_HOLD = 1
PLACES = some.integers(0, 1 << 16)  # The file is some 20 kB long.


@pytest.fixture(autouse=True, scope="module")
def beads_are_a_game() -> Iterator[None]:
    """Let the smallest game be found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "beads", BEADS)
        yield


def file_of(room: Room) -> bytes:
    """The file of a room's game."""
    records = [["roster", room.roster.plain()]]
    records += [["entry", entry.raw] for entry in room.replicas[0].log]
    return MAGIC + b"".join(frame(encode(record)) for record in records)


@pytest.fixture(scope="module")
def whole() -> bytes:
    """A finished game of two seats with every kind of entry; a bot has opened its key."""
    room = Room(2, seed=3, game="beads", terms=Terms((1,)))
    room.run()
    return file_of(room)


@pytest.fixture(scope="module")
def original(whole: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole game on disk."""
    path = tmp_path_factory.mktemp("whole") / "game.hostless"
    path.write_bytes(whole)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the changed file lies."""
    return tmp_path / "game.hostless"


def parts_of(whole: bytes) -> list[bytes]:
    """The first line, and every record."""
    parts, at = [MAGIC], len(MAGIC)
    while at < len(whole):
        end = at + 4 + int.from_bytes(whole[at : at + 4])
        parts.append(whole[at:end])
        at = end
    return parts


def said_of(path: Path, content: bytes) -> str:
    """What is wrong with a file that is not fine; for nothing of that a seat is to blame."""
    path.write_bytes(content)
    try:
        report = audit_file(path)
    except GameFileError as error:
        return str(error)
    assert all(verdict.is_honest for verdict in report.verdicts)
    assert not report.holds or report.ending, "a changed file is not fine"
    return report.damage or report.ending


def first_entry(whole: bytes) -> int:
    """The byte behind the roster: a changed one may only be noticed there."""
    return len(b"".join(parts_of(whole)[:2]))


def byte_in(said: str) -> int:
    """The byte that a complaint names."""
    found = re.search(r"byte (\d+)", said)
    assert found, said
    return int(found.group(1))


def test_the_whole_file_is_fine(path: Path, whole: bytes) -> None:
    path.write_bytes(whole)
    report = audit_file(path)
    assert report.holds and report.is_finished and not report.ending and not report.unproven


@settings(max_examples=100, suppress_health_check=SAME_HOME)
@given(place=PLACES, bit=some.integers(0, 7))
def test_no_bit_may_be_flipped(path: Path, original: Path, place: int, bit: int) -> None:
    whole = original.read_bytes()
    place %= len(whole)
    changed = whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
    assert byte_in(said_of(path, changed)) <= max(place, first_entry(whole))


@settings(max_examples=50, suppress_health_check=SAME_HOME)
@given(place=PLACES, count=PLACES, edit=some.sampled_from(["cut", "double", "zero"]))
def test_no_stretch_may_be_cut_out_doubled_or_overwritten(
    path: Path, original: Path, place: int, count: int, edit: str
) -> None:
    whole = original.read_bytes()
    start = place % len(whole)
    end = start + 1 + count % (len(whole) - start)
    middle = {"cut": b"", "double": whole[start:end] * 2, "zero": bytes(end - start)}[edit]
    changed = whole[:start] + middle + whole[end:]
    if changed != whole:
        assert byte_in(said_of(path, changed)) <= len(changed)


def test_a_file_that_ends_between_records_says_what_is_missing(path: Path, whole: bytes) -> None:
    parts = parts_of(whole)
    for count in range(2, len(parts)):
        kept = b"".join(parts[:count])
        said = said_of(path, kept)
        assert byte_in(said) == len(kept) and said.endswith("is due")
    assert "where 'open keys' of b is due" in said


def test_a_result_that_only_one_has_signed_is_none_and_says_who_has_not(
    path: Path, whole: bytes
) -> None:
    path.write_bytes(whole)
    won = audit_file(path).winners
    path.write_bytes(b"".join(parts_of(whole)[:-2]))
    report = audit_file(path)
    assert not report.is_finished and report.winners == won
    assert report.unsigned == ("b",) and report.grade is Grade.CUT
    assert "where 'finish' of b is due" in report.ending


def test_a_key_that_was_not_opened_is_missing_from_a_result_that_stands(
    path: Path, whole: bytes
) -> None:
    path.write_bytes(b"".join(parts_of(whole)[:-1]))
    report = audit_file(path)
    assert report.is_finished and report.winners and "'open keys' of b" in report.ending


def test_a_record_that_is_cut_off_is_named_by_its_first_byte(path: Path, whole: bytes) -> None:
    parts = parts_of(whole)
    for count in range(2, len(parts), 2):
        start = len(b"".join(parts[:count]))
        for more in (1, len(parts[count]) - 1):
            assert byte_in(said_of(path, whole[: start + more])) == start


def test_a_record_moved_left_out_or_doubled_is_found_where_it_fails(
    path: Path, whole: bytes
) -> None:
    parts = parts_of(whole)
    for at in range(2, len(parts) - 1, 2):
        start = len(b"".join(parts[:at]))
        swapped = [*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :]]
        missing = [*parts[:at], *parts[at + 1 :]]
        doubled = [*parts[: at + 1], *parts[at:]]
        assert byte_in(said_of(path, b"".join(swapped))) == start
        assert byte_in(said_of(path, b"".join(missing))) == start
        assert byte_in(said_of(path, b"".join(doubled))) == start + len(parts[at])


def test_two_games_cannot_be_spliced(path: Path, whole: bytes) -> None:
    room = Room(2, seed=4, game="beads", terms=Terms((1,)))
    room.run()
    ours, theirs = parts_of(whole), parts_of(file_of(room))
    assert len(ours) == len(theirs)
    for at in range(2, len(ours), 2):
        start = len(b"".join(ours[:at]))
        assert byte_in(said_of(path, b"".join([*ours[:at], *theirs[at:]]))) == start
        assert byte_in(said_of(path, b"".join([*ours[:at], theirs[at], *ours[at + 1 :]]))) == start


def test_two_goings_on_of_one_game_cannot_be_spliced(path: Path) -> None:
    """The same seats from the same seeds, put back and played on in another way: a fork."""
    room = Room(2, seed=5, game="beads")
    room.run(until=lambda replica: replica.step is not None and replica.step.kind == "choose")
    log = [entry.raw for entry in room.replicas[0].log]
    rooms = []
    for pick in (0, -1):
        again = Room(2, seed=5, game="beads")
        again.replicas = [
            Replica(room.roster, identity, secrets)
            for identity, secrets in zip(room.identities, room.vaults, strict=True)
        ]
        again.roster = room.roster
        for raw in log:
            again.tell_all(raw)
            again.settle()
        again.chooser = lambda replica, actions, pick=pick: actions[pick]  # type: ignore[misc]
        again.run()
        rooms.append(file_of(again))
    one, other = map(parts_of, rooms)
    at = len(log) + 2
    assert one[:at] == other[:at] and one[at] != other[at]
    start = len(b"".join(one[: at + 1]))
    assert byte_in(said_of(path, b"".join([*one[: at + 1], *other[at + 1 :]]))) == start


@pytest.mark.parametrize(
    "more", [b"\0", b"rubbish behind the end", b"\0\0\0\1\xf6", frame(b"\x80")]
)
def test_nothing_may_be_added(path: Path, whole: bytes, more: bytes) -> None:
    assert byte_in(said_of(path, whole + more)) == len(whole)


def test_the_last_entry_said_again_is_too_much(path: Path, whole: bytes) -> None:
    assert byte_in(said_of(path, whole + parts_of(whole)[-1])) == len(whole)


def test_a_roster_with_another_seat_makes_every_entry_foreign(path: Path, whole: bytes) -> None:
    parts = parts_of(whole)
    roster = decode(parts[1][4:])
    assert isinstance(roster, list)
    roster[1][4] = "another table"
    changed = frame(encode(roster))
    said = said_of(path, b"".join([MAGIC, changed, *parts[2:]]))
    assert "belongs to another game" in said and byte_in(said) == len(MAGIC + changed)


def report_of(capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, object]:
    """What `audit --json` prints about a file that does not hold."""
    assert main(["audit", "--json", str(path)]) == DOES_NOT_HOLD
    report = json.loads(capsys.readouterr().out)
    assert isinstance(report, dict) and report["holds"] is False
    return report


def test_json_says_the_same_of_a_changed_file_and_of_one_that_is_none(
    path: Path, whole: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(whole + b"rubbish behind the end")
    assert byte_in(str(report_of(capsys, path)["damage"])) == len(whole)
    path.write_bytes(b"X" + whole)
    assert byte_in(str(report_of(capsys, path)["damage"])) == 0


def test_people_read_the_byte_and_the_entry_of_a_cheat(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = Room(2, seed=6, game="beads")
    room.run(until=lambda replica: replica.step is not None and replica.step.kind == "choose")
    cheat = next(each for each in room.replicas if each.may_write())
    room.chooser = lambda replica, actions: actions[0]
    step = cheat.step
    assert step is not None
    cheat.step = type(step)(step.kind, step.writers, step.read, lambda _: [["play", [0], 0], b""])
    place, offset = len(cheat.log), len(file_of(room))
    raw = cheat.write().raw
    path.write_bytes(file_of(room) + frame(encode(["entry", raw])))
    assert main(["audit", str(path)]) == DOES_NOT_HOLD
    assert f"CHEATED: a: cannot play now (entry {place}, byte {offset})" in capsys.readouterr().out
    report = report_of(capsys, path)
    seats = report["seats"]
    assert isinstance(seats, list)
    assert [(seat["honest"], seat["byte"]) for seat in seats] == [(False, offset), (True, None)]
