"""The verifier written from the protocol alone, where seats change hands or their keys are lost.

Each file is judged by our own audit as well: both say the same, and name the same seat.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from core.games import GAMES
from p2p.base.entry import Position, parse_entry, sign_entry
from p2p.base.roster import Replacement, replacement_identity
from p2p.base.wire import decode, encode, frame
from p2p.crypto.group import Point
from p2p.crypto.masking import remask
from p2p.crypto.shuffle_proof import OwnShuffle
from p2p.game.shuffling import Deck
from p2p.log.game_file import MAGIC
from p2p.log.membership.log import signed_raw
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_SILENT,
    Ack,
    Ballot,
    Change,
    Signed,
    sign_as,
)
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS
from tests.p2p.changing import BOT, ESCROW, OpenRoom, kind_is, secret_of
from tests.p2p.frozen import CONVICTED_GAME, LOST, RETURNED_GAME
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.test_verifier import NOBODY, audited, flip, verified
from tests.p2p.verifier.rulebook import audit

Bend = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def file_of(room: OpenRoom, more: Iterable[bytes] = (), *records: object) -> bytes:
    """The game so far, with `more` entries and records behind it."""
    raws = [*(entry.raw for entry in room.spectator.log), *more]
    entries = [["entry", raw] for raw in raws]
    notes = [note.plain() for note in room.notes]
    whole = [["roster", room.roster.plain()], *entries, *notes, *records]
    return MAGIC + b"".join(frame(encode(record)) for record in whole)


def check_both(content: bytes, folder: Path, seat: int | None, *, is_refused: bool = True) -> None:
    """Both refuse a file for what this seat has signed; or none does."""
    assert verified(content) == (is_refused, seat)
    assert audited(content, folder) == (is_refused, seat)


# ---- what stands beside the entries ----


def records_of(vector: Path) -> list[Any]:
    """The values of a frozen file."""
    records = json.loads(vector.read_text("utf-8"))["records"]
    return [decode(bytes.fromhex(each)[4:]) for each in records[1:]]


def noted(acks: Bend = lambda each: each, proof: Bend = lambda each: each) -> Bend:
    """Another record `in force`."""
    return lambda note: [*note[:2], acks(note[2]), proof(note[3])]


NOTES: Final[dict[str, tuple[Path, int, Bend | None]]] = {
    "no acknowledgement of one who stays": (LOST, 0, noted(acks=lambda each: each[:1])),
    "one acknowledgement twice": (LOST, 0, noted(acks=lambda each: each[:1] * 2)),
    "a false acknowledgement": (LOST, 0, noted(acks=lambda each: [each[0], flipped(each[1])])),
    "no note of a change": (LOST, 0, None),
    "a proof that somebody is silent": (LOST, 0, noted(proof=lambda _: [b"\x80"])),
    "no farewell": (RETURNED_GAME, 0, noted(proof=lambda _: [])),
    "a farewell twice": (RETURNED_GAME, 0, noted(proof=lambda each: each * 2)),
    "no wish": (RETURNED_GAME, 1, noted(proof=lambda _: [])),
    "no acknowledgement of whom comes back": (RETURNED_GAME, 1, noted(lambda each: each[:2])),
    "nothing that convicts": (CONVICTED_GAME, 0, noted(proof=lambda _: [])),
}


def flipped(message: list[Any]) -> list[Any]:
    """The same message with another signature."""
    return [*message[:-1], flip(message[-1], 0)]


@pytest.mark.parametrize("name", NOTES)
def test_a_change_of_members_stands_on_what_is_noted_of_it(name: str, tmp_path: Path) -> None:
    vector, number, change = NOTES[name]
    records = records_of(vector)
    at = [n for n, each in enumerate(records) if each[0] == "in force"][number]
    records[at : at + 1] = [] if change is None else [change(records[at])]
    content = MAGIC + b"".join(frame(encode(record)) for record in records)
    check_both(content, tmp_path, NOBODY)


def test_behind_a_change_that_is_not_in_force_stands_only_what_all_write(
    seed: int, tmp_path: Path
) -> None:
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("choose"))
    assert room.replicas[0].step is not None
    (due,) = room.replicas[0].step.writers
    secret = secret_of(room, due)
    room.lose(due)
    room.leave(due, secret)
    room.notes = [replace(each, acks=each.acks[:1]) for each in room.notes]
    place = len(room.spectator.log)
    check_both(file_of(room), tmp_path, None, is_refused=False)
    room.run(lambda replica: replica.height > place)
    check_both(file_of(room), tmp_path, NOBODY)


@pytest.mark.parametrize("is_proven", [False, True])
def test_one_entry_that_breaks_a_rule_convicts_whoever_signed_it(
    tmp_path: Path, *, is_proven: bool
) -> None:
    room = OpenRoom(3, 4, BOT)
    room.run(kind_is("seal"))
    cheat = room.replicas[2]
    honest = parse_entry(room.write(cheat)).body
    proof = [entry_with(cheat, b"" if is_proven else honest)]
    room.lose(2)
    room.remove(2, REASON_CONVICTED, proof)
    room.run()
    check_both(file_of(room), tmp_path, 2 if is_proven else NOBODY)
    if is_proven:
        assert audit(file_of(room)).result


def test_a_seat_that_was_let_go_as_silent_may_object(tmp_path: Path) -> None:
    room = lost_at_the_roll(1)
    height, game = room.notes[0].height, room.spectator.game_id
    head = room.spectator.head
    assert height == room.spectator.height
    said = b"hostless objection" + encode([game, height, head, 2])
    for seat, refused in ((2, False), (1, True)):
        record = ["objection", height, 2, room.identities[seat].sign(said)]
        check_both(file_of(room, (), record), tmp_path, NOBODY, is_refused=refused)


# ---- what members sign ----


def evidence(room: OpenRoom, *messages: Signed) -> list[object]:
    """The record of what seat 1 has signed."""
    game, identity = room.spectator.game_id, room.identities[1]
    raws = [signed_raw(sign_as(identity, game, each)) for each in messages]
    return ["evidence", 1, "words", raws]


A, B, HEAD, OTHER = bytes([7]) * 32, bytes([8]) * 32, bytes([9]) * 32, bytes([10]) * 32
SILENT, GUILTY = Change(2, REASON_SILENT), Change(2, REASON_CONVICTED)
YES = Ballot(A, 5, 1, HEAD, SILENT)
STEP = Ack(A, 1, 9, HEAD, A)
TO_CHANGE = Ack(A, 1, 9, HEAD, B, SILENT, 5)
SAID: Final[dict[str, tuple[Signed, Signed, bool]]] = {
    "two steps on one head": (STEP, STEP._replace(head=B), True),
    "one step twice": (STEP, STEP, False),
    "steps on two heads": (STEP, STEP._replace(parent=OTHER, head=B), False),
    "a change and a step": (TO_CHANGE, STEP, True),
    "a step and a conviction": (STEP, TO_CHANGE._replace(change=GUILTY), False),
    "two yes in one round": (YES, YES._replace(change=GUILTY), True),
    "two yes on two heads": (YES, YES._replace(parent=OTHER), True),
    "two yes in two rounds": (YES, YES._replace(round=6), False),
    "a no and its change": (Ballot(A, 5, 1), TO_CHANGE, True),
    "a no and a later change": (Ballot(A, 4, 1), TO_CHANGE, False),
}


@pytest.mark.parametrize("name", SAID)
def test_two_things_that_no_member_may_sign_both_convict_whoever_did(
    name: str, tmp_path: Path
) -> None:
    room = OpenRoom(2, 1, BOT)
    *messages, is_guilty = SAID[name]
    content = file_of(room, (), evidence(room, *messages))
    assert verified(content) == (is_guilty, 1 if is_guilty else NOBODY)
    assert audited(content, tmp_path) == verified(content)


def test_a_no_of_who_stays_excuses_who_has_acknowledged_a_change(tmp_path: Path) -> None:
    room = OpenRoom(3, 1, BOT)
    for refuser, is_guilty in ((0, False), (2, True)):
        no = sign_as(room.identities[refuser], room.spectator.game_id, Ballot(A, 5, refuser))
        content = file_of(room, (), evidence(room, TO_CHANGE, STEP._replace(excuses=(no,))))
        assert verified(content) == audited(content, tmp_path) == (is_guilty, is_guilty or NOBODY)


# ---- what is written when a seat has gone, or is back ----


def lost_at_the_roll(seed: int, replacement: Replacement = BOT) -> OpenRoom:
    """A table at which seat 2 has fallen silent."""
    room = OpenRoom(3, seed, replacement)
    room.run(kind_is("roll"))
    room.lose(2)
    room.remove(2)
    return room


def with_a_key_in_parts(seed: int) -> OpenRoom:
    """The same, where the others have its key."""
    return lost_at_the_roll(seed, ESCROW)


def back(seed: int) -> OpenRoom:
    """A table that has given a seat back, where its new key is due."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("roll"))
    owner = room.replicas[2]
    room.lose(2)
    room.leave(2, secret_of_the_gone(owner))
    room.run(kind_is("choose"))
    room.catch_up(owner)
    room.give_back(owner)
    return room


def secret_of_the_gone(owner: Replica) -> int:
    """The key of a machine that is switched off."""
    assert owner.play.dealing is not None and owner.me is not None
    return owner.play.dealing.secrets[owner.me]


def in_list(place: int, at: int) -> Bend:
    """One byte of an item in a body is another."""
    return lambda body: [*body[:place], flip(body[place], at), *body[place + 1 :]]


BENT: Final[dict[str, tuple[Callable[[int], OpenRoom], int, list[Bend]]]] = {
    "strike": (
        lost_at_the_roll,
        0,
        [in_list(0, 0), in_list(0, 64 * 2 + 3), in_list(0, -40), lambda _: []],
    ),
    "blind": (lost_at_the_roll, 1, [in_list(1, 0), in_list(0, -40), lambda body: body[:1]]),
    "sort out": (lost_at_the_roll, 1, [in_list(0, 0), in_list(1, 33)]),
    "share": (lost_at_the_roll, 0, [in_list(0, 0), in_list(1, 33)]),
    "part": (with_a_key_in_parts, 1, [lambda body: flip(body, 0)]),
    "new key": (
        back,
        2,
        [in_list(0, 0), in_list(1, 0), in_list(2, 0), in_list(3, 33), lambda body: body[:3]],
    ),
}


def step_with(room: OpenRoom, seat: int, bend: Bend) -> Sequence[bytes]:
    """The current step, in which one seat says something else."""
    step = room.spectator.step
    assert step is not None
    said = {parse_entry(raw).seat: raw for raw in room.replicas[0].pending()}
    for each in room.here():
        if each.me in step.writers:
            said[each.me] = room.write(each)
    cheat = next(each for each in room.here() if each.me == seat)
    said[seat] = entry_with(cheat, bend(parse_entry(said[seat]).body))
    return [said[writer] for writer in step.writers]


@pytest.mark.parametrize("kind", BENT)
def test_what_is_bent_while_a_seat_goes_or_comes_is_held_against_its_signer(
    kind: str, tmp_path: Path
) -> None:
    begin, seat, bends = BENT[kind]
    room = begin(2)
    room.run(kind_is(kind))
    honest = step_with(room, seat, lambda body: body)
    check_both(file_of(room, honest), tmp_path, NOBODY, is_refused=False)
    for bend in bends:
        check_both(file_of(room, step_with(room, seat, bend)), tmp_path, seat)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        *(("share", "lost"), ("unseal", "lost"), ("return", "lost")),
        *(("seal", "given"), ("unseal", "in parts")),
    ],
)
def test_the_verifier_follows_a_game_that_loses_a_seat(kind: str, key: str, tmp_path: Path) -> None:
    room = OpenRoom(3, 3, ESCROW if key == "in parts" else BOT)
    room.run(kind_is(kind))
    secret = secret_of(room, 1)
    room.lose(1)
    if key == "given":
        room.leave(1, secret)
    else:
        room.remove(1)
    check_follows(room, tmp_path)


def check_follows(room: OpenRoom, folder: Path) -> None:
    """Play to the end; the verifier comes to the same log and reads the open hands."""
    room.run()
    content = file_of(room)
    check_both(content, folder, NOBODY, is_refused=False)
    found = audit(content)
    assert found.log.head == room.spectator.head and found.result
    assert set(found.hands().values()) <= {0, 1, 2}


def test_the_verifier_follows_a_seat_that_goes_back_to_its_owner(tmp_path: Path) -> None:
    check_follows(back(4), tmp_path)


@pytest.mark.parametrize("is_false", [False, True])
@pytest.mark.parametrize("terms", [ESCROW, BOT])
def test_whoever_goes_in_a_shuffle_holds_nobody_up_whatever_it_has_shuffled(
    is_false: bool,
    terms: Replacement,
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With its key, too, nobody could prove a false deck: all waited for that for ever."""
    room = OpenRoom(3, seed, terms)
    room.run(kind_is("shuffle"))
    dealing = room.replicas[1].play.dealing
    assert dealing is not None
    shuffle = dealing.shuffling._shuffle

    def put_one_in_twice(key: Point, deck: Deck) -> tuple[bytes, OwnShuffle]:
        hint, own = shuffle(key, deck)
        outputs = [*own.outputs[1:], remask(own.outputs[-1], key, 1)]
        return hint, own._replace(outputs=outputs)

    if is_false:
        monkeypatch.setattr(dealing.shuffling, "_shuffle", put_one_in_twice)
    room.run(kind_is("prove"))
    room.lose(1)
    room.run()
    room.remove(1)
    assert kind_is("part", "sort out", "blind", "shuffle")(room.replicas[0]), "it begins anew"
    check_follows(room, tmp_path)
    assert room.replicas[0].is_over


def opened_by_others(seed: int, seal: bytes | None) -> tuple[OpenRoom, int]:
    """A seat goes when all have sealed, and the others open its choice; where that stands.

    `seal` stands in the place of what follows from its key.
    """
    room = OpenRoom(3, seed)
    room.chooser = lambda replica, actions: actions[1]
    room.run(kind_is("seal"))
    if seal is not None:
        room.tell_all(entry_with(room.replicas[2], seal))
    room.run(kind_is("unseal"))
    room.lose(2)
    room.run()
    room.remove(2)
    room.run(kind_is("choose"))
    kinds = [(entry.kind, entry.seat) for entry in room.spectator.log]
    return room, kinds.index(("unseal", 2))


def opened_as(room: OpenRoom, at: int, bid: int) -> bytes:
    """The file up to there, where all others open another choice for the seat that is gone."""
    due = room.spectator.log[at]
    assert isinstance(due.body, list)
    by = replacement_identity(room.spectator.game_id, 2, 1)
    position = Position(due.height, due.parent, due.digest)
    said: list[object] = ["unseal", [["bid", [], bid], due.body[1]]]
    forged = sign_entry(by, room.spectator.game_id, (2, due.seat_epoch), position, said)
    raws = [*(entry.raw for entry in room.spectator.log[:at]), forged.raw]
    records = [["roster", room.roster.plain()], *(["entry", raw] for raw in raws)]
    notes = [note.plain() for note in room.notes]
    return MAGIC + b"".join(frame(encode(each)) for each in [*records, *notes])


@pytest.mark.parametrize(("bid", "is_due"), [(0, True), (1, False), (2, False)])
def test_where_a_seal_fits_nothing_the_first_choice_that_was_offered_counts(
    bid: int, is_due: bool, tmp_path: Path
) -> None:
    """Nobody is to blame for what all sign together; the owner is, for its seal."""
    room, at = opened_by_others(1, bytes(32))
    check_both(opened_as(room, at, bid), tmp_path, 2 if is_due else NOBODY)


@pytest.mark.parametrize(("bid", "is_due"), [(0, False), (1, True), (2, False)])
def test_where_a_seal_fits_nobody_opens_another_choice(
    bid: int, is_due: bool, tmp_path: Path
) -> None:
    """Else all others could have an honest owner convicted."""
    room, at = opened_by_others(1, None)
    check_both(opened_as(room, at, bid), tmp_path, NOBODY, is_refused=not is_due)


def test_the_verifier_follows_two_seats_that_leave_at_once(tmp_path: Path) -> None:
    room = OpenRoom(3, 5, BOT)
    room.run(kind_is("roll"))
    said = [signed_raw(room.farewell(seat)) for seat in (0, 1)]
    room.lose(0)
    room.lose(1)
    room.change(Change(0, REASON_LEFT, b"", (1,)), said)
    check_follows(room, tmp_path)
    room.notes[-1] = replace(room.notes[-1], proof=tuple(said[:1]))
    check_both(file_of(room), tmp_path, NOBODY)
