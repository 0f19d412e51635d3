"""Whose program ran while it was let go as silent says so in its own file, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.audit.audit import audit_file
from p2p.log.game_file import GameFile, read_game
from p2p.log.membership.messages import REASON_CONVICTED, REASON_LEFT, REASON_SILENT, Change
from p2p.session.failure_detector import FailureDetector
from p2p.session.table import RunningTable
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is
from tests.p2p.session.tables import actors_at
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


async def heard_after(
    seed: int, folder: Path, ran_s: float, change: Change, stopped_s: float = 0
) -> Path:
    """The file of seat 2, whose program ran, was stopped, and then hears of the change."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.remove(2)
    room.catch_up(owner)
    path = folder / "game.hostless"
    table = RunningTable(owner, GameFile.create(path, room.roster), None, lambda news: None)
    failure_detector = FailureDetector(table, actors_at(table))
    failure_detector.begin()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(failure_detector.tick)
        await trio.sleep(ran_s)
        nursery.cancel_scope.cancel()
    await trio.sleep(stopped_s)
    failure_detector.note_change(change)
    table.note_in_force(room.notes[0])
    table.close()
    return path


GRACE_S = BOT.grace_s
SILENT = Change(2, REASON_SILENT)


async def test_whoever_ran_for_as_long_as_the_others_wait_objects(
    seed: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    path = await heard_after(seed, tmp_path, GRACE_S + 1, SILENT)
    ((_, said),) = read_game(path).objections
    report = audit_file(path)
    assert report.holds and report.verdicts[2].objects == said.height - 1


@pytest.mark.parametrize(
    ("ran_s", "change"),
    [
        (GRACE_S / 2, SILENT),  # It has just been started again.
        (GRACE_S + 1, Change(1, REASON_SILENT, b"", (2,))),  # It has said farewell.
        (GRACE_S + 1, Change(2, REASON_LEFT)),
        (GRACE_S + 1, Change(2, REASON_CONVICTED)),  # The evidence speaks for itself.
    ],
)
async def test_nobody_objects_without_a_reason(
    seed: int, tmp_path: Path, autojump_clock: MockClock, ran_s: float, change: Change
) -> None:
    path = await heard_after(seed, tmp_path, ran_s, change)
    assert not read_game(path).objections


async def test_a_program_that_was_stopped_says_nothing(
    seed: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    """It did not run while it was let go, although it began long before."""
    path = await heard_after(seed, tmp_path, 3 * GRACE_S, SILENT, stopped_s=GRACE_S)
    assert not read_game(path).objections


async def test_a_machine_that_slept_says_nothing(
    seed: int, tmp_path: Path, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lid was closed: only the clock on the wall went on."""
    begun, ahead_s = trio.current_time(), 2 * GRACE_S

    def wall() -> float:
        return monotonic() + (ahead_s if trio.current_time() > begun + 3 * GRACE_S - 5 else 0)

    monkeypatch.setattr("p2p.session.reachability.time", wall)
    path = await heard_after(seed, tmp_path, 3 * GRACE_S, SILENT)
    assert not read_game(path).objections
