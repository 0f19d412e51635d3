"""A seat changes hands within a step: what was said there is said again, or it is void."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.base.entry import parse_entry
from p2p.log.membership_change import replacement_entry
from p2p.log.recovery import read_record
from p2p.log.replica import Replica
from p2p.log.votes import CONVICTED
from tests.p2p.beads import BEADS
from tests.p2p.log.test_votes import Table, kind_is, secret_of, vote
from tests.p2p.records import record_of


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.mark.parametrize("has_crashed", [False, True])
def test_what_was_said_in_a_step_is_said_again_behind_a_change(
    seed: int, *, has_crashed: bool
) -> None:
    """Nobody chooses once more because somebody else has gone, also after a crash."""
    room = Table(4, seed)
    room.run(kind_is("seal"))
    first = room.replicas[0]
    sealed = parse_entry(room.write(first))
    room.tell_all(sealed.raw)
    room.lose(3)
    room.replace_seat(3)
    if has_crashed:
        first = Replica(room.roster, first.identity, room.vaults[0])
        read_record(record_of(room.replicas[1]), first)
        assert first.receive(sealed.raw) is None, "as the file of secrets has it"
        room.replicas[0] = first
        room.settle()
    assert first.may_write() and first.has_written()
    again = first.write()
    assert again.body == sealed.body and (again.height, again.head) == (first.height, first.head)
    assert again.head != sealed.head
    room.tell_all(again.raw)
    room.run()
    assert all(each.is_over for each in room.replicas)
    log = [each.raw for each in room.onlooker.log]
    assert again.raw in log and sealed.raw not in log


def test_what_was_said_in_a_void_step_is_not_said_again(seed: int) -> None:
    room = Table(seed=seed)
    room.run(kind_is("seal"))
    first = room.replicas[0]
    room.tell_all(room.write(first))
    key = secret_of(room, 2)
    room.lose(2)
    signed = [vote(each, 2, CONVICTED).signature for each in room.here()]
    room.tell_all(replacement_entry(room.here()[0], 2, (CONVICTED, signed), key).raw)
    assert not first.has_written()
