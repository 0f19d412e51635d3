"""A change of members counts in a file by what all whom it leaves have acknowledged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.games import GAMES
from p2p.audit.game import read_log
from p2p.log.membership.messages import REASON_CONVICTED, REASON_SILENT, Change, sign_as
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, OpenRoom, kind_is, proposed, record_with, secret_of
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group

LACKING = "not all whom this change leaves have acknowledged it"


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def left(seed: int) -> OpenRoom:
    """A table that seat 2 has left with its key given, as a die is to be rolled."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("roll"))
    key = secret_of(room, 2)
    room.lose(2)
    room.leave(2, key)
    return room


def test_a_change_at_the_end_that_is_not_in_force_only_cuts_the_file(seed: int) -> None:
    room = left(seed)
    room.notes.clear()
    while room.spectator.log[-1].kind != "replace":
        room.spectator.log.pop()
    found = read_log(room.record())
    assert not found.damage and not found.guilty and not found.replaced and not found.is_signed


def test_what_stands_behind_a_change_that_is_not_in_force_breaks_the_file(seed: int) -> None:
    room = left(seed)
    room.run()
    place = next(at for at, each in enumerate(room.spectator.log) if each.kind == "replace")
    assert read_log(room.record()).is_signed
    (note,) = room.notes
    for kept in ([], [replace(note, acks=note.acks[:1])]):
        room.notes = kept
        found = read_log(room.record())
        assert found.damage == f"byte {place}: {LACKING}" and not found.guilty


def test_what_all_write_for_open_seats_may_stand_behind_a_change_that_is_not_in_force(
    seed: int,
) -> None:
    """It waits for nobody; where the game ended there, the files of honest seats were damaged."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("choose"))
    step = room.replicas[0].step
    assert step is not None
    (due,) = step.writers
    key = secret_of(room, due)
    room.lose(due)
    room.leave(due, key)
    (note,) = room.notes
    place = len(room.spectator.log)
    assert [each.seat for each in room.spectator.log[-2:]] == [due, due], "the change, and a choice"
    room.notes = [replace(note, acks=note.acks[:1])]
    found = read_log(room.record())
    assert not found.damage and not found.guilty
    room.run(lambda replica: replica.height > place)
    assert LACKING in read_log(room.record()).damage


def test_one_person_and_a_bot_of_theirs_cannot_say_that_somebody_is_silent(seed: int) -> None:
    for sponsors in ({}, {1: 0}):
        room = Room(3, seed=seed, game="beads", terms=Terms(replacement=BOT, sponsors=sponsors))
        room.run(kind_is("roll"))
        silent = proposed(room, Change(2, REASON_SILENT))
        is_refused = "one person alone" in read_log(record_with(room, silent)).damage
        assert is_refused == bool(sponsors)


def test_who_goes_later_need_not_have_acknowledged_it(seed: int) -> None:
    """Also not if steps stand in between: a cheater could spoil the files of all others."""
    room = left(seed)
    first = len(room.spectator.log)
    room.run(lambda replica: replica.height > first + 2)
    key = secret_of(room, 1)
    room.lose(1)
    room.leave(1, key)
    room.run()
    assert read_log(room.record()).is_signed
    early, late = room.notes
    assert late.height > early.height + 2 and {ack.seat for ack in early.acks} == {0, 1}
    room.notes = [replace(early, acks=early.acks[:1]), late]
    found = read_log(room.record())
    assert found.is_signed and not found.damage and set(found.replaced) == {1, 2}
    room.notes = [replace(early, acks=early.acks[1:]), late]
    assert LACKING in read_log(room.record()).damage, "who stays is never excused"


def test_an_acknowledgement_that_its_member_has_not_signed_breaks_the_file(seed: int) -> None:
    room = left(seed)
    room.run()
    (note,) = room.notes
    forged = sign_as(room.identities[1], room.spectator.game_id, note.acks[0])
    room.notes = [replace(note, acks=(forged, note.acks[1]))]
    found = read_log(room.record())
    assert found.damage and not found.guilty and not found.replaced


def test_whoever_has_not_said_farewell_has_not_left(seed: int) -> None:
    room = left(seed)
    room.run()
    (note,) = room.notes
    room.notes = [replace(note, proof=())]
    assert "nothing proves the reason of this change" in read_log(room.record()).damage


def test_nobody_goes_as_convicted_whom_nothing_convicts(seed: int) -> None:
    """Else one person, with a bot of its own, could let another go for no reason."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("seal"))
    honest = room.write(room.replicas[2])
    room.lose(2)
    room.remove(2, REASON_CONVICTED, [honest])
    room.run()
    found = read_log(room.record())
    assert "nothing here proves it against c" in found.damage and not found.guilty
