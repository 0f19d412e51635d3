"""A seat changes hands within a step: what was said there is said again, or it is void."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.base.entry import parse_entry
from p2p.log.membership.messages import REASON_CONVICTED, REASON_SILENT
from p2p.log.replay import read_record
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is, secret_of
from tests.p2p.drawing import DRAW, SEATS, is_asked, let
from tests.p2p.game.test_going_back import agreed, marked
from tests.p2p.records import record_of
from tests.p2p.room import Room, Terms

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
        assert first.receive(sealed.raw) is None, "as the secrets file has it"
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


@pytest.mark.parametrize("has_crashed", [False, True])
def test_a_word_to_go_back_is_not_said_again_behind_a_change(
    monkeypatch: pytest.MonkeyPatch, *, has_crashed: bool
) -> None:
    """One of those who agreed is gone, and the table cannot go back there any more: whoever said
    it again was taken for a cheater by all."""
    monkeypatch.setitem(GAMES, "draw", DRAW)
    room = Room(SEATS, game="draw", terms=Terms(replacement=BOT))
    let(room, 0, "pass")
    let(room, 1, "draw")
    writer, secret = room.replicas[2], secret_of(room, 0)
    early = writer.write(agreed(room, marked(writer)[-1]))
    writer.keep(early)
    room.lose(0)
    room.leave(0, secret)
    if has_crashed:
        writer = Replica(room.roster, writer.identity, room.vaults[2])
        read_record(record_of(room.replicas[0], notes=room.notes), writer)
        assert writer.receive(early.raw) is None, "as the secrets file has it"
        room.replicas[-1] = writer
        room.settle()
    assert writer.may_write() and not writer.has_written() and not marked(writer)
    let(room, 2, "draw")
    room.run(is_asked(1))
    assert not any(each.guilty for each in room.replicas)
