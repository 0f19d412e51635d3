"""A claim of the win at the end of a game file: what it says is checked, and it says no more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.games import GAMES
from p2p.audit.audit import Report, audit_file
from p2p.base.errors import MalformedFrame
from p2p.base.wire import encode, frame
from p2p.log.claim import WinClaim, parse_claim
from p2p.log.files import GameFileError
from p2p.log.game_file import GameFile, read_game
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, ESCROW, OpenRoom, kind_is, secret_of
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def claim_of(replica: Replica, **other: object) -> WinClaim:
    """What a seat claims at the end of its log, or what it says there that is not so."""
    assert replica.me is not None and replica.identity is not None
    claim = WinClaim(replica.me, replica.others, replica.height, replica.head)
    return claim._replace(**other).sign(replica.identity, replica.game_id)  # type: ignore[arg-type]


def written(room: OpenRoom, folder: Path, claim: WinClaim) -> Path:
    """A file with a claim at its end."""
    path = room.kept(folder)
    game_file = GameFile.reopen(path, read_game(path))
    game_file.claim(claim)
    game_file.close()
    return path


@pytest.fixture
def room(seed: int) -> OpenRoom:
    """Two at a table, where a choice is due."""
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("choose"))
    return room


def test_a_claim_is_shown_and_confirmed_by_nobody(room: OpenRoom, tmp_path: Path) -> None:
    claim = claim_of(room.replicas[0])
    path = written(room, tmp_path, claim)
    offset = path.stat().st_size - len(frame(encode(claim.plain())))
    assert read_game(path).claim == (offset, claim)
    report = audit_file(path)
    assert report.holds and not report.is_finished and not report.winners
    assert report.claim == claim
    assert report.plain()["claim"] == {"seat": 0, "silent": [1], "is_confirmed": False}


def test_at_a_table_of_three_it_is_about_both_others(seed: int, tmp_path: Path) -> None:
    room = OpenRoom(3, seed, ESCROW)
    room.run(kind_is("choose"))
    assert claim_of(room.replicas[1]).silent == (0, 2)
    assert audit_file(written(room, tmp_path, claim_of(room.replicas[1]))).holds


FALSE: dict[str, Callable[[OpenRoom], WinClaim]] = {
    "is about another log": lambda room: claim_of(
        room.replicas[0], head=room.spectator.log[0].hash
    ),
    "about another log": lambda room: claim_of(
        room.replicas[0], height=len(room.spectator.log) - 1, head=room.spectator.log[-1].parent
    ),
    "nobody sits there": lambda room: claim_of(room.replicas[0], seat=2),
    "not about all others": lambda room: claim_of(room.replicas[0], silent=()),
    "is not about all others": lambda room: claim_of(room.replicas[0], silent=(0,)),
    "claim is not about all others": lambda room: claim_of(room.replicas[0], silent=(1, 1)),
    "b did not claim": lambda room: claim_of(room.replicas[0], seat=1, silent=(0,)),
    "a did not claim": lambda room: claim_of(room.replicas[0])._replace(signature=bytes(64)),
    "a did not claim the win": lambda room: claim_of(room.replicas[0])._replace(signature=b""),
    "a did not": lambda room: claim_of(room.replicas[0]).sign(room.identities[0], bytes(32)),
}


@pytest.mark.parametrize("because", FALSE)
def test_a_claim_that_does_not_hold_is_damage_and_the_byte_is_named(
    because: str, room: OpenRoom, tmp_path: Path
) -> None:
    path = written(room, tmp_path, FALSE[because](room))
    noted = read_game(path).claim
    assert noted is not None
    report = audit_file(path)
    assert f"byte {noted[0]}: " in report.damage and because in report.damage
    assert not report.holds and report.claim is None
    assert all(verdict.is_honest for verdict in report.verdicts), "anybody can write to a file"


def test_a_game_that_is_over_is_claimed_by_nobody(seed: int, tmp_path: Path) -> None:
    room = OpenRoom(2, seed, BOT)
    room.run()
    report = audit_file(written(room, tmp_path, claim_of(room.replicas[0])))
    assert "the game was over before this claim" in report.damage and report.claim is None


def test_whoever_is_left_by_all_for_good_has_nobody_to_win_against(
    seed: int, tmp_path: Path
) -> None:
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("choose"))
    key = secret_of(room, 1)
    room.lose(1)
    room.run()
    room.leave(1, key)
    assert "not about all others" in audit_file(
        written(room, tmp_path, claim_of(room.replicas[0], silent=(1,)))
    ).damage  # fmt: skip


# ---- in the file ----


def test_nothing_stands_behind_a_claim(room: OpenRoom, tmp_path: Path) -> None:
    path = written(room, tmp_path, claim_of(room.replicas[0]))
    content = path.read_bytes()
    for record in (["entry", b"more"], claim_of(room.replicas[0]).plain(), ["evidence", 0, "", []]):
        path.write_bytes(content + frame(encode(record)))
        with pytest.raises(GameFileError, match=f"byte {len(content)}: nothing stands behind"):
            audit_file(path)


def test_a_record_that_is_torn_behind_a_claim_is_cut_off_again(
    room: OpenRoom, tmp_path: Path
) -> None:
    claim = claim_of(room.replicas[0])
    path = written(room, tmp_path, claim)
    content = path.read_bytes()
    path.write_bytes(content + b"\0\0")
    record = read_game(path)
    assert record.torn_at == len(content) and record.claim is not None
    assert "cut off" in audit_file(path).damage
    GameFile.reopen(path, record).close()
    assert path.read_bytes() == content


def test_half_a_claim_is_none(room: OpenRoom, tmp_path: Path) -> None:
    path = written(room, tmp_path, claim_of(room.replicas[0]))
    os.truncate(path, path.stat().st_size - 1)
    record = read_game(path)
    assert record.claim is None and record.torn_at is not None


def test_whatever_is_written_cuts_a_claim_off(room: OpenRoom, tmp_path: Path) -> None:
    claim, log = claim_of(room.replicas[0]), room.spectator.log
    before = room.kept(tmp_path).read_bytes()
    (tmp_path / "game.hostless").unlink()
    path = written(room, tmp_path, claim)
    claimed = path.read_bytes()
    game_file = GameFile.reopen(path, read_game(path))
    game_file.claim(claim)
    assert path.read_bytes() == claimed, "one claim takes another's place"
    game_file.append(log[0].raw)
    added = frame(encode(["entry", log[0].raw]))
    assert path.read_bytes() == before + added and game_file.count == len(log) + 1
    game_file.claim(claim)
    game_file.keep_evidence(1, "cheated", [])
    assert read_game(path).claim is None and len(read_game(path).evidence) == 1
    game_file.cut(len(log))
    game_file.claim(claim)
    game_file.cut(len(log) - 1)
    game_file.append(log[-1].raw)
    note, last = (
        frame(encode(said)) for said in (["evidence", 1, "cheated", []], ["entry", log[-1].raw])
    )
    assert path.read_bytes() == before.removesuffix(last) + note + last, "evidence stays"
    game_file.close()


@pytest.mark.parametrize(
    "record",
    [
        ["claim"],
        ["claim", -1, [1], 5, b"head", b""],
        ["claim", True, [1], 5, b"head", b""],
        ["claim", 0, 1, 5, b"head", b""],
        ["claim", 0, [True], 5, b"head", b""],
        ["claim", 0, [1], -5, b"head", b""],
        ["claim", 0, [1], 5, "head", b""],
        ["claim", 0, [1], 5, b"head", None],
        ["claim", 0, [1], 5, b"head", b"", b""],
    ],
)
def test_what_is_no_claim_makes_the_file_unreadable(
    record: object, room: OpenRoom, tmp_path: Path
) -> None:
    with pytest.raises(MalformedFrame):
        parse_claim(record)
    path = room.kept(tmp_path)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() + frame(encode(record)))
    with pytest.raises(GameFileError, match=f"byte {size}: "):
        read_game(path)


def test_a_report_of_an_ordinary_game_has_no_claim(room: OpenRoom, tmp_path: Path) -> None:
    report: Report = audit_file(room.kept(tmp_path))
    assert report.claim is None and report.plain()["claim"] is None
