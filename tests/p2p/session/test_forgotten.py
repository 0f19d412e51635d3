"""Who has lost what it has signed, or its key, and what it says before others have shown theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.limits import MEET_S
from p2p.log.blocked import Blocked
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.session.catching_up import GIVE_UP_S, SHOW_S, CatchingUp
from p2p.session.failure_detector import FailureDetector
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable, actors_at
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, with a group that is fast."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def resumed(seed: int) -> CatchingUp:
    """What a seat of three knows of the others' logs as it is started again."""
    room = Room(3, seed=seed, game="beads")
    room.settle()
    catching_up = CatchingUp(QuietTable(room.replicas[0], (1, 2)))
    catching_up.begin(is_resumed=True)
    return catching_up


async def test_owners_who_were_let_go_have_a_moment_to_show_it_too(
    seed: int, mock_clock: MockClock
) -> None:
    """One of them may have what I signed last, and no member: two answers would convict me."""
    catching_up = resumed(seed)
    for seat in (1, 2):
        catching_up.note(seat, 0)
    assert catching_up.why_not_sign() is None
    assert catching_up.why_not_sign(needs_all=True) is Blocked.HAS_MET_NOBODY
    mock_clock.jump(MEET_S)
    assert catching_up.why_not_sign(needs_all=True) is None


async def test_a_longer_log_is_waited_for_however_slow_the_network_is(
    seed: int, mock_clock: MockClock
) -> None:
    """At the fourth byte a second it comes later than any other machine would wait."""
    catching_up = resumed(seed)
    for seat in (1, 2):
        catching_up.note(seat, 9)
    mock_clock.jump(MEET_S)
    assert catching_up.why_not_sign() is Blocked.IS_BEHIND
    mock_clock.jump(2 * GIVE_UP_S)
    assert catching_up.why_not_sign() is None, "whoever knows what it has signed goes on"
    assert catching_up.why_not_sign(needs_all=True) is Blocked.IS_BEHIND
    mock_clock.jump(SHOW_S)
    assert catching_up.why_not_sign(needs_all=True) is None, "nobody is held up for ever"


@pytest.mark.parametrize("is_heard_elsewhere", [False, True])
async def test_who_has_lost_its_key_leaves_unless_another_program_has_its_seat(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_heard_elsewhere: bool
) -> None:
    """That one may have the key: whose home was copied without it must not end the other's game."""
    room = OpenRoom(seed=seed)
    room.run(kind_is("choose"))
    secrets = SecretsFile.create(tmp_path / "a.secret")
    secrets.note_lost_records()
    lost = Replica(room.roster, room.identities[0], secrets)
    room.catch_up(lost)
    table = QuietTable(lost, (1, 2), secrets)
    actors = actors_at(table)
    for seat in (1, 2):
        actors.catching_up.note(seat, lost.height)
    monkeypatch.setattr(actors.instances, "is_busy", lambda: is_heard_elsewhere)
    detector = FailureDetector(table, actors)
    detector.begin()
    await detector.progress()
    said = [each.key for each in actors.membership.member.kept.farewells]
    assert said == ([] if is_heard_elsewhere else [b""])
    secrets.close()
