"""A seat changes hands within a step: what was said there is said again, or it is void."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.base.entry import parse_entry
from p2p.log.membership.messages import REASON_CONVICTED, REASON_SILENT
from p2p.log.recovery import read_record
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is
from tests.p2p.records import record_of

pytestmark = pytest.mark.usefixtures("quick_proofs")


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.mark.parametrize("has_crashed", [False, True])
def test_what_was_said_in_a_step_is_said_again_behind_a_change(
    seed: int, *, has_crashed: bool
) -> None:
    """Nobody chooses once more because somebody else has gone, also after a crash."""
    room = OpenRoom(4, seed)
    room.run(kind_is("seal"))
    first = room.replicas[0]
    sealed = parse_entry(room.write(first))
    room.tell_all(sealed.raw)
    room.lose(3)
    room.remove(3)
    assert not first.has_written(), "parts of a key come first"
    if has_crashed:
        first = Replica(room.roster, first.identity, room.vaults[0])
        read_record(record_of(room.replicas[1]), first)
        assert first.receive(sealed.raw) is None, "as the file of secrets has it"
        room.replicas[0] = first
    room.run(kind_is("seal"))
    assert first.may_write() and first.has_written()
    again = first.write()
    assert again.body == sealed.body and (again.height, again.parent) == (first.height, first.head)
    assert again.parent != sealed.parent
    room.tell_all(again.raw)
    room.run()
    assert all(each.is_over for each in room.replicas)
    log = [each.raw for each in room.spectator.log]
    assert again.raw in log and sealed.raw not in log


@pytest.mark.parametrize("reason", [REASON_SILENT, REASON_CONVICTED])
def test_what_was_said_in_a_void_step_is_not_said_again(seed: int, reason: str) -> None:
    """A cheater may have bent what the step is about."""
    room = OpenRoom(seed=seed)
    room.run(kind_is("seal"))
    first = room.replicas[0]
    room.tell_all(room.write(first))
    room.lose(2)
    room.remove(2, reason)
    room.run(kind_is("seal", "lot"))
    assert first.has_written() == (reason == REASON_SILENT)
