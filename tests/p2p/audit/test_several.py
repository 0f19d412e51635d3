"""The files of several players say together who signed both sides of where they part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import HostlessError
from p2p.audit.several import Contradiction, compare, ends_of
from p2p.base.entry import Entry, Position, heads_of, next_head, sign_entry
from p2p.log.game_file import GameFile
from p2p.log.membership.log import ChangeItem, ack_of
from p2p.log.membership.messages import REASON_SILENT, Ack, Ballot, Change, sign_as
from p2p.log.membership_change import change_entry
from p2p.log.notes import InForceNote
from tests.p2p.room import Room
from ui.__main__ import main
from ui.commands.audit import what_happened
from ui.language.text import LANGUAGE_NAMES, load

ENTRIES = 24


@pytest.fixture(scope="module")
def room() -> Room:
    """A game that has been dealt and begun."""
    room = Room(2, seed=31)
    room.run(until=lambda replica: len(replica.log) >= ENTRIES)
    return room


def write(path: Path, room: Room, log: Sequence[Entry]) -> Path:
    """A game file with this log."""
    game_file = GameFile.create(path, room.roster)
    for entry in log:
        game_file.append(entry.raw)
    game_file.close()
    return path


def other(room: Room, entry: Entry, beside: Entry | None = None) -> Entry:
    """Something else that the seat of an entry signs in its place, or beside another one."""
    answered = beside or entry
    at = Position(answered.height, answered.parent, answered.digest)
    said: list[object] = [entry.kind, ["another"]]
    return sign_entry(room.identities[entry.seat], entry.game, (entry.seat, 0), at, said)


def test_files_that_only_end_earlier_contradict_nobody(tmp_path: Path, room: Room) -> None:
    log = room.replicas[0].log
    paths = [write(tmp_path / str(count), room, log[:count]) for count in (20, len(log), 22)]
    found = compare(paths)
    assert found.agrees and (found.same, found.lengths) == (20, (20, len(log), 22))
    assert "only end earlier" in what_happened(load("en"), found)
    assert "same game" in what_happened(load("en"), compare(paths[:1] * 2))


def test_two_answers_to_one_log_in_two_files_convict_their_author(
    tmp_path: Path, room: Room, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file alone holds as far as it goes."""
    log = room.replicas[0].log[:ENTRIES]
    forked = [*log[:-1], other(room, log[-1])]
    paths = [write(tmp_path / "a", room, log), write(tmp_path / "b", room, forked)]
    found, last = compare(paths), log[-1]
    assert found.contradictions == (Contradiction(last.seat, "E1", last.height, (0, 1)),)
    assert [each.height for each in found.partings] == [ENTRIES - 1]
    said = what_happened(load("en"), found)
    assert f"{room.roster.seats[last.seat].name} has signed two different entries" in said
    assert main(["audit", "--json", *map(str, paths)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert len(report["files"]) == 2 and report["contradictions"][0]["seat"] == last.seat


def test_where_nobody_signed_both_all_are_named_and_nobody_is_accused(
    tmp_path: Path, room: Room
) -> None:
    log = room.replicas[0].log[:ENTRIES]
    seat = log[-1].seat
    theirs = next(each for each in log if each.seat != seat)
    foreign = other(room, theirs, beside=log[-1])
    paths = [
        write(tmp_path / "a", room, log),
        write(tmp_path / "b", room, [*log[:-1], foreign]),
    ]
    found = compare(paths)
    assert found.contradictions == () and not found.agrees
    assert found.partings[0].signers == ((seat,), (foreign.seat,))
    assert "ask those who went on" in what_happened(load("en"), found)


def acknowledged(path: Path, room: Room, log: Sequence[Entry], seats: Sequence[int]) -> Path:
    """A game file with this log, whose end these seats have acknowledged."""
    game_file = GameFile.create(path, room.roster)
    for entry in log:
        game_file.append(entry.raw)
    game = room.roster.game_id
    end = dict(ends_of(log, game))[len(log)]
    signed = {
        seat: sign_as(room.identities[seat], game, Ack(end.epoch, seat, len(log), *end[1:]))
        for seat in seats
    }
    game_file.acknowledge([signed[at].signature if at in signed else None for at in range(2)])
    game_file.close()
    return path


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_two_acknowledgements_in_one_place_in_two_files_convict_who_signed_both(
    tmp_path: Path, room: Room, language: str
) -> None:
    """Neither has written twice: its own files do not show it, and the two together do."""
    log = room.replicas[0].log[:ENTRIES]
    theirs = next(each for each in log if each.seat != log[-1].seat)
    forked = [*log[:-1], other(room, theirs, beside=log[-1])]
    a = acknowledged(tmp_path / "a", room, log, [0, 1])
    b = acknowledged(tmp_path / "b", room, forked, [1])
    found = compare([a, b])
    assert found.contradictions == (Contradiction(1, "E2", ENTRIES, (0, 1)),)
    said = load(language)("audit.acks", name=found.names[1], height=ENTRIES, one=1, other=2)
    assert said in what_happened(load(language), found)
    assert compare([a, a]).agrees
    assert not compare([a, write(tmp_path / "c", room, forked)]).contradictions


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_a_no_in_one_file_and_what_it_refused_in_another_convict_who_signed_both(
    tmp_path: Path, language: str
) -> None:
    """The no stands in the acknowledgement of another change, as its excuse."""
    room = Room(4, seed=31)
    room.run(until=lambda replica: len(replica.log) >= ENTRIES)
    game, members = room.roster.game_id, room.replicas[0].log[:ENTRIES]
    below, paths = room.replicas[0].tip, []
    no = sign_as(room.identities[1], game, Ballot(below.epoch, 0, 1))
    for number, (gone, seats) in enumerate([(3, (0, 1)), (2, (0, 3))]):
        decided = ChangeItem(below.head, Change(gone, REASON_SILENT), number)
        entry = change_entry(game, below, decided)
        log = below.with_change(decided, room.replicas[0].log_game)
        acks = [
            sign_as(room.identities[seat], game,
                    ack_of(log, seat)._replace(excuses=(no,) if number else ()))
            for seat in seats
        ]  # fmt: skip
        paths.append(tmp_path / str(number))
        game_file = GameFile.create(paths[-1], room.roster)
        for each in [*members, entry]:
            game_file.append(each.raw)
        game_file.note_in_force(InForceNote(log.height, tuple(acks)))
        game_file.close()
    found = compare(paths)
    assert [(each.seat, each.kind, each.files) for each in found.contradictions] == [
        (1, "E4", (0, 1))
    ]
    height = found.contradictions[0].height
    said = load(language)("audit.votes", name=found.names[1], height=height, one=1, other=2)
    assert said in what_happened(load(language), found)


def test_what_nobody_at_the_table_signed_convicts_nobody(tmp_path: Path, room: Room) -> None:
    log = room.replicas[0].log[:ENTRIES]
    last = log[-1]
    stranger = room.identities[1 - last.seat]
    at = Position(last.height, last.parent, last.digest)
    forged = sign_entry(stranger, last.game, (last.seat, 0), at, [last.kind, ["another"]])
    paths = [write(tmp_path / "a", room, log), write(tmp_path / "b", room, [*log[:-1], forged])]
    found = compare(paths)
    assert found.contradictions == () and found.partings[0].signers == ((last.seat,), ())


def test_entries_of_another_log_in_a_forged_file_name_nobody(tmp_path: Path, room: Room) -> None:
    """Whoever forges a file has real entries of the others, but none that answer his own log."""
    log = room.replicas[0].log
    seat = log[ENTRIES - 8].seat
    forged = [*log[: ENTRIES - 8], other(room, log[ENTRIES - 8]), *log[ENTRIES - 8 :]]
    found = compare([write(tmp_path / "a", room, log), write(tmp_path / "b", room, forged)])
    (parting,) = found.partings
    assert {each.seat for each in found.contradictions} == {seat}
    assert set(parting.signers[0]) == {0, 1}
    assert parting.signers[1] == (seat,) and parting.both == ()


def test_a_run_of_ones_own_that_went_back_is_not_a_second_end(tmp_path: Path, room: Room) -> None:
    """Nobody has to wait within its own run, so what it signed there may have to go."""
    log = room.replicas[0].log[:ENTRIES]
    *_, (_, head) = heads_of(log, 0, room.roster.game_id)
    ends = []
    for seats in ((0, 0, 0), (1, 0, 0)):
        end, on = list(log), head
        for seat in seats:
            at, said = Position(len(end), on, bytes(48)), ["run", [len(ends)]]
            end.append(sign_entry(room.identities[seat], log[0].game, (seat, 0), at, said))
            on = next_head(on, end[-1:])
        ends.append(write(tmp_path / str(seats), room, end))
    (parting,) = compare(ends).partings
    assert parting.signers == ((0,), (0, 1)) and parting.both == ()
    longer = compare([ends[1], ends[1]])
    assert longer.agrees
    assert "Nobody has signed both" in what_happened(load("en"), compare(ends))


def test_files_of_different_games_are_one_line(tmp_path: Path, room: Room) -> None:
    apart = Room(2, seed=32)
    with pytest.raises(HostlessError, match="different games"):
        compare([write(tmp_path / "a", room, []), write(tmp_path / "b", apart, [])])


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_the_paragraph_is_there_in_every_language(
    tmp_path: Path, room: Room, language: str
) -> None:
    log = room.replicas[0].log[:ENTRIES]
    paths = [
        write(tmp_path / "a", room, log),
        write(tmp_path / "b", room, [*log[:-1], other(room, log[-1])]),
    ]
    said = what_happened(load(language), compare(paths))
    assert "{" not in said and str(log[-1].height) in said
