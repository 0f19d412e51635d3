"""Who has lost what it has signed signs nothing else before others have had time to show it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.limits import MEET_S
from p2p.log.blocked import Blocked
from p2p.session.catching_up import GIVE_UP_S, SHOW_S, CatchingUp
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.p2p.session.tables import QuietTable
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
