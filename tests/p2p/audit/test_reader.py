"""Those who play and the one who audits have two codes: they say the same of every game."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.games import GAMES
from p2p.audit.findings import Reading
from p2p.audit.game import read_log
from p2p.audit.log import LogReader
from p2p.base.entry import DIGEST_BYTES, HASH_BYTES, sign_entry
from p2p.base.errors import PeerError
from p2p.base.roster import new_open_seat, open_identity
from p2p.base.wire import encode
from p2p.log.game_file import GameRecord
from p2p.log.replica import Replica
from tests.p2p.beads import BEADS, DECK, HANDS
from tests.p2p.game.test_rolling import false_lots
from tests.p2p.log.test_every_entry import (
    COMMITMENTS,
    KINDS,
    WRITERS,
    beads,
    bent,
    body_of,
    entry_with,
    has_same_shape,
    is_deck_like,
    room_before,
)
from tests.p2p.records import accused, heard, record_of
from tests.p2p.room import BOT_TERMS, Room, Terms
from tests.simulation.volume_group import volume_group

BENT_EACH = 3  # Of some hundred for every kind.


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def read_with(room: Room, seat: int, raw: bytes) -> Reading:
    """What the reader says of a log that goes on with an entry of `seat` and all that are due."""
    due = {each.me: room.write(each) for each in room.replicas if each.may_write()}
    step = room.replicas[seat].step
    assert step is not None
    raws = [raw if writer == seat else due[writer] for writer in step.writers]
    return read_log(record_of(room.replicas[seat], raws))


def test_who_looks_at_the_next_entry_again_and_again_leaves_nothing_behind() -> None:
    """Whatever was left behind was gone through at each look, and a very long file ended Python."""
    reader = LogReader(record_of(room_before("choose", 0).replicas[0]))
    reader.change_hands(None)
    tracemalloc.start()
    try:
        for _ in range(1000):
            reader.change_hands(None)
        gc.collect()
        left_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left_bytes < 10_000


def same(one: Reading, other: Replica) -> bool:
    """Whether both have come equally far, seen the same and counted the same."""
    play = other.play
    missing = None if one.missing is None else (one.missing.kind, one.missing.seats)
    due = None if other.step is None else (other.step.kind, other.waited_for())
    fairness = play.dealing.fairness if play.dealing is not None else None
    counts = {} if fairness is None else {name: getattr(fairness, name) for name in one.proven}
    return (
        (one.events, one.entries, one.is_signed, one.opened, missing, one.proven)
        == (play.events, len(other.log), play.is_signed, play.opened, due, counts)
        and not one.guilty
        and not one.damage
    )  # fmt: skip


@pytest.mark.parametrize(
    ("players", "terms"),
    [(2, Terms()), (3, Terms((1,))), (3, Terms((0, 2), opens_hands=True)), (4, Terms((3,)))],
)
def test_an_honest_game_is_the_same_to_both(seed: int, players: int, terms: Terms) -> None:
    room = Room(players, seed=seed, game="beads", terms=terms)
    room.run()
    found = read_log(record_of(room.replicas[0]))
    assert found.is_signed and same(found, room.replicas[0])
    assert found.winners == BEADS.winners(room.replicas[0].play.table)


def test_a_file_that_ends_anywhere_is_the_same_to_both(seed: int) -> None:
    room = Room(2, seed=seed, game="beads", terms=Terms((1,)))
    room.run()
    whole = record_of(room.replicas[0])
    for end in range(len(whole.entries) + 1):
        part = GameRecord(whole.roster, whole.entries[:end])
        found, replica = read_log(part), heard(part)
        pending = len(replica.pending())
        assert found.entries == len(replica.log) + pending
        found.entries -= pending
        assert same(found, replica), end


def test_what_opened_seats_knew_is_the_same_to_both(seed: int) -> None:
    room = Room(3, seed=seed, game="beads", terms=Terms((1,), opens_hands=True))
    room.run()
    record = record_of(room.replicas[0])
    found = read_log(record, read_log(record).opened.values())
    dealings = [replica.play.dealing for replica in room.replicas]
    observations = [dealing.observation for dealing in dealings if dealing is not None]
    # What nobody has seen is -1.
    together = [max(faces) for faces in zip(*observations, strict=True)]
    assert found.observations[-1] == together and len(observations) == 3


@pytest.mark.parametrize(("kind", "seat"), WRITERS)
def test_a_bent_body_is_held_against_its_signer_at_its_place(
    kind: str, seat: int, seed: int
) -> None:
    room = room_before(kind, seat)
    body, rng = body_of(room, seat), random.Random(seed)
    assert not read_with(room, seat, entry_with(room.replicas[seat], body)).guilty
    writers = room.replicas[seat].step.writers  # type: ignore[union-attr]
    place = len(room.replicas[seat].log) + writers.index(seat)
    others = [each for each in bent(body) if encode(each) != encode(body)]
    for each in rng.sample(others, min(BENT_EACH, len(others))):
        if kind in COMMITMENTS and has_same_shape(each):
            continue
        raw = entry_with(room.replicas[seat], each)
        found = read_with(room, seat, raw)
        if kind == "shuffle" and not found.guilty:
            assert is_deck_like(body, each)  # Only its proof can tell, which is another entry.
            continue
        assert list(found.guilty) == [seat] and found.stopped, each
        assert found.guilty[seat].place == found.guilty[seat].offset == place, each


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"digest": bytes(DIGEST_BYTES)}, "has other zones and faces and"),
        ({"kind": "open"}, "wrote 'open' where 'share' was due"),
    ],
)
def test_what_a_seat_signs_in_a_wrong_place_is_held_against_it(
    other: dict[str, object], reason: str
) -> None:
    room = room_before("share", 0)
    found = read_with(room, 0, entry_with(room.replicas[0], body_of(room, 0), **other))
    assert list(found.guilty) == [0] and reason in found.guilty[0].reason


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"game": bytes(HASH_BYTES)}, "belongs to another game"),
        ({"seat": 3}, "belongs to another game"),
        ({"seat": 1}, "signature"),
        ({"epoch": 3}, "an entry of a in epoch 3 stands where"),
        ({"height": 0}, "does not answer the log before it"),
        ({"head": bytes(HASH_BYTES)}, "does not answer the log before it"),
    ],
)
def test_what_stands_in_a_wrong_place_is_damage_of_the_file(
    other: dict[str, object], reason: str
) -> None:
    room = room_before("share", 0)
    place = len(room.replicas[0].log)
    found = read_with(room, 0, entry_with(room.replicas[0], body_of(room, 0), **other))
    assert not found.guilty and reason in found.damage
    assert found.damage.startswith(f"byte {place}: ")


def test_the_entries_of_a_step_stand_in_the_order_of_its_writers() -> None:
    room = beads()
    due = [room.write(each) for each in room.replicas]
    found = read_log(record_of(room.replicas[0], [due[1], due[0], due[2]]))
    assert not found.guilty and "of b in epoch 0 stands where one of a in epoch 0" in found.damage


def test_a_bad_shuffle_is_found_although_others_have_gone_on_with_it() -> None:
    """It is its proof that convicts: as long as that is not there, nobody can know."""
    room = room_before("shuffle", 1)
    (cards,) = body_of(room, 1)  # type: ignore[misc]
    room.tell_all(entry_with(room.replicas[1], [cards[64:-32] + cards[:64] + cards[-32:]]))
    room_before("prove", 1, room)
    first, second, third = (room.write(each) for each in room.replicas)
    bad = entry_with(room.replicas[2], [b""])
    place = len(room.replicas[0].log) + 1
    for more in ([], [first, second]):
        found = read_log(record_of(room.replicas[0], more))
        assert not found.guilty and found.missing is not None and found.missing.kind == "prove"
    for last in (third, bad):
        found = read_log(record_of(room.replicas[0], [first, second, last]))
        assert list(found.guilty) == [1] and found.guilty[1].place == place


def test_two_answers_to_one_log_convict_wherever_they_stand() -> None:
    room = room_before("finish", 0)
    log = room.replicas[1].log
    old = [entry for entry in log if entry.seat == 0][1]
    twin = entry_with(room.replicas[0], b"", height=old.height, head=old.parent)
    honest = record_of(room.replicas[1])
    for record in (
        record_of(room.replicas[1], [twin]),
        accused(honest, 0, [old.raw, twin]),
        accused(honest, 2, [twin]),
    ):
        found = read_log(record)
        assert found.guilty[0].reason == "a: signed two entries that answer one log"
        assert list(found.guilty) == [0]


def test_another_table_convicts_as_evidence_and_an_honest_entry_does_not() -> None:
    room = room_before("share", 0)
    record = record_of(room.replicas[1])
    honest = room.write(room.replicas[0])
    broken = entry_with(room.replicas[0], b"", digest=bytes(DIGEST_BYTES))
    assert list(read_log(accused(record, 0, [broken])).guilty) == [0]
    found = read_log(accused(record, 0, [honest]))
    assert not found.guilty and not found.damage and "nothing here proves" in found.unproven[0]


def test_whoever_speaks_where_it_is_not_due_is_not_named() -> None:
    room = room_before("choose", 1)
    record, other = record_of(room.replicas[1]), room.replicas[0]
    assert other.step is not None and 0 not in other.step.writers
    found = read_log(accused(record, 0, [entry_with(other, b"")]))
    assert not found.guilty and not found.damage and len(found.unproven) == 1


@pytest.mark.parametrize(("kind", "seat"), [("prove", 1), ("mix", 0)])
def test_a_bad_proof_of_a_shuffle_convicts_as_evidence_and_a_good_one_does_not(
    kind: str, seat: int
) -> None:
    room = room_before(kind, seat)
    record, body = record_of(room.replicas[seat]), body_of(room, seat)
    assert isinstance(body, list)
    *others, last = body
    bad = last[:-1] + bytes([last[-1] ^ 1]) if kind == "prove" else [last[0], bytes(len(last[1]))]
    good, forged = (entry_with(room.replicas[seat], each) for each in (body, [*others, bad]))
    assert not read_log(accused(record, seat, [good])).guilty
    found = read_log(accused(record, seat, [forged]))
    assert list(found.guilty) == [seat] and found.guilty[seat].offset == record.size


def test_an_entry_that_is_there_twice_is_damage() -> None:
    room = room_before("share", 0)
    log = room.replicas[0].log
    for entry in (log[0], log[-1]):
        found = read_log(record_of(room.replicas[0], [entry.raw]))
        assert found.damage == f"byte {len(log)}: the entry is there twice" and not found.guilty


def test_evidence_that_nobody_signed_is_damage() -> None:
    room = room_before("share", 0)
    record, honest = record_of(room.replicas[1]), room.write(room.replicas[0])
    for raw in (b"", b"rubbish", honest[:-1] + bytes([honest[-1] ^ 1])):
        found = read_log(accused(record, 0, [raw]))
        assert not found.guilty and found.damage.startswith(f"byte {record.size}: ")


def test_nothing_may_stand_behind_the_end() -> None:
    room = beads()
    room.run()
    found = read_log(record_of(room.replicas[0], [b"anything"]))
    place = len(room.replicas[0].log)
    assert found.damage == f"byte {place}: the game was over before this entry"
    assert found.is_signed and not found.guilty


def test_what_is_signed_in_the_name_of_an_open_seat_is_held_against_nobody() -> None:
    """Its secret is known to all: whoever keeps a file could sign anything for it."""
    room = Room(2, game="beads")
    open_seat = new_open_seat("open bot 1", BOT_TERMS)
    roster = replace(room.roster, seats=(room.roster.seats[0], open_seat))
    replica = Replica(roster, room.identities[0], room.vaults[0])
    anybody, at = open_identity(open_seat.nonce), replica.position
    forged = sign_entry(anybody, replica.game_id, (1, 0), at, ["key seal", b"no seal"])
    found = read_log(record_of(replica, [replica.write().raw, forged.raw]))
    assert not found.guilty and found.damage.startswith("byte 1: open bot 1: ")
    assert found.stopped


def check_guilty(room: Room, seat: int, body: object, reason: str = "") -> None:
    """Check that the reader holds a body against the seat that signed it, at its place."""
    replica = room.replicas[seat]
    assert replica.step is not None
    found = read_with(room, seat, entry_with(replica, body))
    assert list(found.guilty) == [seat] and reason in found.guilty[seat].reason, found
    assert found.guilty[seat].place == len(replica.log) + replica.step.writers.index(seat)


def test_a_key_is_the_one_that_was_sealed() -> None:
    room = room_before("key", 2)
    encoded, proof, salt = body_of(room, 2)  # type: ignore[misc]
    check_guilty(room, 2, [encoded, proof, salt[1:] + salt[:1]])
    check_guilty(room, 2, [encoded, proof])


@pytest.mark.parametrize("body", [None, [], [["bid", [], 0]], [["bid", [], 0], "salt"], b""])
def test_an_opened_choice_has_one_form(body: object) -> None:
    room = room_before("unseal", 2)
    check_guilty(room, 2, body, "an opened choice is an action and a proven salt")


@pytest.mark.parametrize("kind", ["roll", "lot"])
@pytest.mark.parametrize("body", [None, [], 7, "lot"])
def test_a_lot_is_bytes(kind: str, body: object) -> None:
    check_guilty(room_before(kind, 2), 2, body, "a VRF value and its proof were expected")


@pytest.mark.parametrize("kind", ["roll", "lot"])
def test_a_lot_is_the_one_of_its_key_its_place_and_its_purpose(kind: str) -> None:
    for false in false_lots(room_before(kind, 2).replicas[2], kind):
        check_guilty(room_before(kind, 2), 2, false)


def test_a_salt_is_the_one_of_its_key_at_the_place_of_its_seal() -> None:
    room = room_before("unseal", 2)
    action, _ = body_of(room, 2)  # type: ignore[misc]
    height = room.replicas[2].play.sealed[2].height
    for false in false_lots(room.replicas[2], "salt", height):
        check_guilty(room_before("unseal", 2), 2, [action, false])


@pytest.mark.parametrize("body", [None, [], "secret", 7, bytes(31), bytes(33)])
def test_a_secret_is_32_bytes(body: object) -> None:
    check_guilty(room_before("open keys", 1), 1, body, "the secret of a key was expected")


def test_the_secret_of_another_key_is_not_the_one_that_was_played_with() -> None:
    room = room_before("open keys", 1)
    honest = body_of(room, 1)
    assert isinstance(honest, bytes)
    other = bytes([honest[0] ^ 1]) + honest[1:]
    check_guilty(room, 1, other, "opened another key than it played with")


def test_nobody_proves_what_was_not_asked() -> None:
    room = room_before("choose", 1)
    action, proof = body_of(room, 1)  # type: ignore[misc]
    assert not proof
    check_guilty(room, 1, [action, b"proof"], "proved something that nobody asked about")


@pytest.mark.parametrize("said", [[3], [10], [1], [3, 3], ["third"]])
def test_a_person_has_no_budget_of_which_it_could_use_a_part(said: list[object]) -> None:
    room = room_before("choose", 0)
    body = body_of(room, 0)
    assert isinstance(body, list)
    check_guilty(room, 0, [*body, *said], "what no bot may say here")


@pytest.mark.parametrize(("kind", "seat"), [("shuffle", 1), ("mix", 0), ("pass", 1)])
def test_as_many_cards_come_back_as_went_out(kind: str, seat: int) -> None:
    room = room_before(kind, seat)
    body = body_of(room, seat)
    assert isinstance(body, list)
    if kind == "shuffle":
        (joined,) = body
        fewer, more = [joined[64:]], [joined[:64] + joined]
    elif kind == "mix":
        ((joined, proof),) = body
        fewer, more = [[joined[64:], proof]], [[joined + joined[:64], proof]]
    else:
        joined, proof = body
        fewer, more = [b"", proof], [joined * 2, proof]
    check_guilty(room, seat, fewer, "cards")
    check_guilty(room, seat, more, "cards were expected")


@pytest.mark.parametrize("of", ["deck", "another hand", "nobody"])
def test_a_claim_about_a_card_that_one_does_not_hold_is_held_against_its_seat(of: str) -> None:
    room = room_before("choose", KINDS["choose"])
    table = room.replicas[0].play.table
    card = {"deck": table.zones[DECK][0], "another hand": table.zones[HANDS + 1][0]}.get(of, 99)
    found = read_with(room, 0, entry_with(room.replicas[0], [["say", [card], 0], bytes(128)]))
    assert list(found.guilty) == [0]
    assert "the claim is about a card of somebody else" in found.guilty[0].reason


def test_both_name_the_same_seat_for_a_choice_against_the_rules() -> None:
    room = room_before("choose", KINDS["choose"])
    raw = entry_with(room.replicas[0], [["play", [3], 0], b""])
    with pytest.raises(PeerError) as caught:
        heard(record_of(room.replicas[0], [raw]))
    found = read_log(record_of(room.replicas[0], [raw]))
    assert list(found.guilty) == [caught.value.seat]
    assert found.guilty[0].reason == str(caught.value)
