"""What the second reader says of keys that are lost, cards dealt anew and seats that go back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from core.game import Game
from core.games import GAMES
from core.requests import Action, Claim, Player, Request
from core.table import HIDDEN, OptionValue, RulesError, Table
from p2p.audit.findings import Reading
from p2p.audit.game import read_log
from p2p.audit.log import OPENINGS
from p2p.audit.seats import Withheld
from p2p.base.entry import DIGEST_BYTES, Position, parse_entry, sign_entry
from p2p.base.errors import BadProof, MalformedFrame
from p2p.base.roster import Replacement, replacement_identity
from p2p.crypto.group import L, base, random_scalar
from p2p.game.game_keys import NEW_KEY
from p2p.log.membership.log import ChangeItem, signed_raw
from p2p.log.membership.messages import (
    REASON_CONVICTED,
    REASON_LEFT,
    REASON_RESTORE,
    REASON_SILENT,
    Change,
    sign_as,
)
from p2p.log.membership_change import REPLACE
from p2p.log.replica import Replica
from tests.p2p.audit.test_reader import same
from tests.p2p.beads import BEADS, DECK, HANDS, PHASE, PLAYING
from tests.p2p.changing import (
    BOT,
    ESCROW,
    OpenRoom,
    Proposed,
    away,
    kind_is,
    leaving,
    proposed,
    record_with,
    secret_of,
)
from tests.p2p.log.test_every_entry import entry_with
from tests.p2p.records import accused, record_of
from tests.p2p.room import Room, Terms
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def read(room: OpenRoom, *raws: bytes) -> Reading:
    """What the reader says of these behind the log."""
    return read_log(room.record(raws))


def check_damage(found: Reading, place: int, because: str) -> None:
    """Check that the file is said to be damaged at an entry, and that nobody is named for it."""
    assert found.damage == f"byte {place}: {because}" and not found.guilty


def check_guilty(found: Reading, seat: int, place: int, because: str) -> None:
    """Check that a seat, and no other, is named for its entry at a place."""
    assert list(found.guilty) == [seat], found
    assert found.guilty[seat].place == found.guilty[seat].offset == place
    assert because in found.guilty[seat].reason


def at(seed: int, kind: str) -> tuple[OpenRoom, Proposed]:
    """A table that seat 2 has left with its key, and the change by which that is agreed on."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is(kind))
    room.lose(2)
    room.run()
    return room, proposed(room, Change(2, REASON_SILENT))


# ---- where a key may be lost ----


def test_where_too_many_cards_are_hidden_nobody_goes_on_without_a_key(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, change = at(seed, "roll")
    hidden = room.spectator.play.table.face.count(HIDDEN)
    for most in (hidden, hidden - 1):
        for module in ("p2p.audit.cards", "p2p.game.rebuilding"):
            monkeypatch.setattr(f"{module}.LIST_CARDS_MAX", most)
        assert room.replicas[0].play.may_lose(2) == (most == hidden)
        found = read_log(record_with(room, change))
        assert (found.missing is not None and found.missing.kind == "strike") == (most == hidden)
    check_damage(found, len(room.spectator.log), "nobody can go on without the key of this seat")


def shown(zone: int) -> Game:
    """Beads, where everybody knows what kinds of beads a zone has."""

    def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
        table = BEADS.setup(players, options)
        table.layout.narrow = [(zone, (0, 1, 2))]
        return table

    return replace(BEADS, setup=setup)


def test_where_claims_have_shown_what_all_hold_nobody_goes_on_without_a_key(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, change = at(seed, "roll")
    monkeypatch.setitem(GAMES, "beads", shown(DECK))
    found = read_log(record_with(room, change))
    check_damage(found, len(room.spectator.log), "nobody can go on without the key of this seat")
    monkeypatch.setitem(GAMES, "beads", shown(HANDS))
    assert not read_log(record_with(room, change)).damage
    mine = room.replicas[0].play
    for zone in (DECK, HANDS):
        mine.table.layout.narrow = [(zone, (0, 1, 2))]
        assert mine.may_lose(2) == (zone == HANDS)


def open_keys(seed: int, replacement: Replacement) -> Room:
    """A table where all have signed the result, and are to show their keys."""
    terms = Terms(opens_hands=True, replacement=replacement)
    room = Room(3, seed=seed, game="beads", terms=terms)
    room.run(kind_is("open keys"))
    return room


def test_after_the_result_nobody_loses_a_key(seed: int) -> None:
    room = open_keys(seed, BOT)
    found = read_log(record_with(room, proposed(room, Change(2, REASON_SILENT))))
    because = "nobody can go on without the key of this seat"
    check_damage(found, len(room.replicas[0].log), because)
    assert found.is_signed and not found.opened


@pytest.mark.parametrize("is_cheater", [False, True])
def test_after_the_result_others_show_the_key_of_a_seat_that_is_gone(
    seed: int, *, is_cheater: bool
) -> None:
    """Also of one that has shown another: nothing begins anew."""
    room = open_keys(seed, ESCROW)
    proof, key = [entry_with(room.replicas[2], bytes(32))], secret_of(room, 2)
    room.lose(2)
    if is_cheater:
        room.remove(2, REASON_CONVICTED, proof)
    else:
        room.remove(2)
    room.run()
    first = room.replicas[0]
    assert first.is_over and first.play.opened[2] == key
    found = read_log(record_of(first, notes=room.notes))
    assert found.opened == first.play.opened and found.is_signed
    assert list(found.guilty) == [2] * is_cheater and not found.damage


@pytest.mark.parametrize("reason", [REASON_SILENT, REASON_CONVICTED])
def test_m4_one_member_alone_takes_no_seat_whose_key_is_lost_for_no_reason(
    reason: str, seed: int
) -> None:
    """Else whoever likes could take a seat, look at the hand dealt to it, and give it back."""
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("roll"))
    change = Change(1, reason)
    found = read_log(record_with(room, proposed(room, change)))
    check_damage(found, len(room.spectator.log), "one seat alone cannot say that a key is lost")
    for each in room.replicas:
        with pytest.raises(MalformedFrame, match="nobody can go on without the key"):
            each.change(ChangeItem(each.head, change, 0))
        assert not each.open_seats and not each.guilty


def test_m4_one_member_alone_takes_the_seat_of_somebody_who_has_said_farewell(seed: int) -> None:
    """And of nobody else: without its own word, or with that of another, the file is damaged."""
    room = OpenRoom(2, seed, BOT)
    room.run(kind_is("roll"))
    said, place = room.farewell(1), len(room.spectator.log)
    change = Change(1, REASON_LEFT)
    forged = sign_as(room.identities[0], room.spectator.game_id, said)
    found = read_log(record_with(room, proposed(room, change)))
    check_damage(found, place, "nothing proves the reason of this change")
    found = read_log(record_with(room, proposed(room, change, [signed_raw(forged)])))
    assert found.damage.startswith(f"byte {place}: ") and not found.guilty
    assert not read_log(record_with(room, leaving(room, 1))).damage
    room.lose(1)
    room.leave(1)
    room.run()
    assert room.spectator.is_over and same(read(room), room.spectator)


# ---- cards that are dealt anew ----


def test_a_game_in_which_a_key_is_lost_is_the_same_to_both(seed: int) -> None:
    room, change = at(seed, "roll")
    assert change.raw == room.remove(2).raw
    room.run()
    assert room.spectator.is_over and same(read(room), room.spectator)


def rebuilding(seed: int, kind: str) -> OpenRoom:
    """A table that deals cards anew, where such a step is due."""
    room, _ = at(seed, "roll")
    room.remove(2)
    room.run(kind_is(kind))
    return room


def test_a_bad_proof_of_a_shuffle_of_what_is_dealt_anew_is_found_in_the_log(seed: int) -> None:
    room = rebuilding(seed, "prove")
    cheat, place = room.replicas[1], len(room.spectator.log)
    honest = {0: room.write(room.replicas[0]), 1: room.write(cheat)}
    honest |= {parse_entry(raw).seat: raw for raw in room.replicas[0].pending()}
    assert sorted(honest) == [0, 1, 2], "everybody speaks for the last"
    assert not read(room, *(honest[seat] for seat in range(3))).guilty
    *others, last = parse_entry(honest[1]).body  # type: ignore[misc]
    forged = entry_with(cheat, [*others, last[:-1] + bytes([last[-1] ^ 1])])
    check_guilty(read(room, honest[0], forged, honest[2]), 1, place + 1, "")


def test_whoever_takes_away_what_another_has_blinded_with_is_named(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last to speak knows no other's factors, if these are kept secret; here it does."""
    room, drawn = rebuilding(seed, "blind"), list[int]()

    def noted() -> int:
        drawn.append(random_scalar())
        return drawn[-1]

    monkeypatch.setattr("p2p.crypto.plaintext_equality.random_scalar", noted)
    first = room.write(room.replicas[0])
    monkeypatch.setattr("p2p.crypto.plaintext_equality.random_scalar", lambda: L - drawn.pop(0))
    last = room.write(room.replicas[1])
    place, because = len(room.spectator.log) + 1, "factors of an equality test add up to nothing"
    check_guilty(read(room, first, last), 1, place, because)
    room.tell_all(first)
    room.tell_all(last)
    with pytest.raises(BadProof, match=because) as caught:
        room.settle()
    assert caught.value.seat == 1


# ---- cheaters who are replaced ----


@pytest.mark.parametrize("kind", ["roll", "unseal", "share", "seal", "choose"])
def test_m3_who_was_gone_before_it_opened_what_it_owed_is_named(kind: str, seed: int) -> None:
    """It may have seen what the others opened; who was to choose or to seal had seen nothing."""
    room, change = at(seed, kind)
    step = room.spectator.step
    assert step is not None
    place, found = len(room.spectator.log), read_log(record_with(room, change))
    is_opening = kind in OPENINGS and 2 in step.writers
    assert found.withheld == ({2: Withheld(place, kind)} if is_opening else {})
    assert is_opening == (kind in ("roll", "unseal", "share")) and not found.guilty


@pytest.mark.parametrize("replacement", [ESCROW, BOT])
def test_a_game_in_which_a_cheater_is_replaced_is_the_same_to_both(
    seed: int, replacement: Replacement
) -> None:
    room = OpenRoom(3, seed, replacement)
    room.run(kind_is("seal"))
    proof = [entry_with(room.replicas[2], b"")]
    room.lose(2)
    room.remove(2, REASON_CONVICTED, proof)
    room.run()
    found = read(room)
    assert list(found.guilty) == [2] and not found.unproven
    found.guilty.clear()
    assert room.spectator.is_over and same(found, room.spectator)
    last = {each.seat: each.seat_epoch for each in room.spectator.log}
    assert last == {0: 0, 1: 0, 2: 1}


@pytest.mark.parametrize(
    ("other", "because"),
    [
        ({"kind": "open"}, "wrote 'open' where 'seal' was due"),
        ({"digest": bytes(DIGEST_BYTES)}, "than we"),
        ({}, "a commitment was expected"),
    ],
)
def test_what_a_seat_was_replaced_for_is_proven_by_the_evidence_wherever_the_log_ends(
    other: dict[str, object], because: str, seed: int
) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is("seal"))
    cheat = room.replicas[2]
    raw = entry_with(cheat, parse_entry(room.write(cheat)).body if other else b"", **other)
    room.lose(2)
    room.remove(2, REASON_CONVICTED, [raw])
    for until in ("part", "unseal", "the end"):
        room.run(kind_is(until))
        record = room.record()
        found = read_log(record)
        assert list(found.guilty) == [2] and because in found.guilty[2].reason
        (note,) = record.changes
        assert found.guilty[2].offset == note.offset
        without = replace(record, changes=[replace(note, proof=())])
        assert "nothing proves the reason of this change" in read_log(without).damage


def test_a_second_entry_for_a_seat_that_all_speak_for_is_held_against_nobody(seed: int) -> None:
    room, _ = at(seed, "roll")
    room.remove(2)
    room.run(kind_is("choose"))
    said = next(
        each
        for each in room.spectator.log
        if (each.seat, each.seat_epoch) == (2, 1) and each.kind != REPLACE
    )
    then = Position(said.height, said.parent, said.digest)
    anybody = replacement_identity(said.game, 2, 1)
    other = sign_entry(anybody, said.game, (2, 1), then, [said.kind, b"else"])
    check_damage(read(room, other.raw), len(room.spectator.log), "anybody can sign for this seat")
    found = read_log(accused(room.record(), 2, [said.raw, other.raw]))
    assert not found.guilty and not found.damage and len(found.unproven) == 1


# ---- claims ----


def idle(table: Table, player: Player, action: Action) -> Claim | None:
    """What one says of a bead is true of none: a bead has none of no faces."""
    claim = BEADS.claim(table, player, action)
    return claim and Claim(claim.cards, ())


def test_a_claim_that_is_true_of_no_card_is_held_against_its_seat(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(2, seed=seed, game="beads")
    room.run(lambda each: any(offer.action.verb == "say" for offer in each.view().offers))
    first = room.replicas[0]
    record = record_of(first, [room.write(first)])
    assert not read_log(record).guilty
    monkeypatch.setitem(GAMES, "beads", replace(BEADS, claim=idle))
    check_guilty(read_log(record), 0, len(first.log), "claimed what is true of no card")


def strict(phase: int) -> Game:
    """Beads, where something is wrong as soon as the game has come so far."""

    def advance(table: Table) -> Request | None:
        """Whoever chose last should have known."""
        if table.counters[PHASE] == phase:
            raise RulesError("one does not do that")
        return BEADS.advance(table)

    return replace(BEADS, advance=advance)


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_choice_that_turns_out_to_be_forbidden_is_held_against_whoever_made_it(
    seed: int, monkeypatch: pytest.MonkeyPatch, *, is_gone: bool
) -> None:
    """If all spoke for the seat, that may have been anybody."""
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("seal"))
    if is_gone:
        key = secret_of(room, 0)
        room.lose(0)
        room.leave(0, key)
    room.run(kind_is("return"))
    last = len(room.spectator.log) - 1
    monkeypatch.setitem(GAMES, "beads", strict(PLAYING))
    found = read(room)
    if is_gone:
        check_damage(found, last, "one does not do that")
    else:
        assert list(found.guilty) == [0] and "one does not do that" in found.guilty[0].reason
        assert found.missing is not None and found.missing.kind == "choose"


def test_what_is_forbidden_stops_the_game_once_more_has_come_of_it(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = OpenRoom(3, seed, BOT)
    room.run(kind_is("finish"))
    monkeypatch.setitem(GAMES, "beads", strict(PLAYING + 1))
    found = read(room)
    assert list(found.guilty) == [0] and found.stopped == "a: one does not do that"


# ---- seats that go back ----


def back(seed: int) -> tuple[OpenRoom, Replica]:
    """A table that has given a seat back, and the machine of its owner, whose new key is due."""
    room, owner = away(seed, kind_is("choose"))
    room.give_back(owner)
    assert owner.step is not None and owner.step.kind == NEW_KEY
    return room, owner


def test_a_game_in_which_a_seat_goes_back_is_the_same_to_both(seed: int) -> None:
    room, _ = back(seed)
    room.run()
    assert room.spectator.is_over and same(read(room), room.spectator)
    seat_epochs = {each.seat_epoch for each in room.spectator.log if each.seat == 2}
    assert seat_epochs == {0, 1, 2, 3}


def test_a_seat_goes_back_to_whoever_has_wished_for_it_in_that_epoch_with_that_key(
    seed: int,
) -> None:
    room, owner = away(seed, kind_is("choose"))
    wish, place = room.wish(owner), len(room.spectator.log)
    change = proposed(room, Change(2, REASON_RESTORE, wish.key), [signed_raw(wish)])
    assert len(change.note.acks) == 3, "the one who comes back acknowledges it as well"
    found = read_log(record_with(room, change))
    assert found.missing is not None and found.missing.kind == NEW_KEY
    for said, by, because in (
        (wish._replace(key=base(7).encoded), 2, "another key was given than all have agreed on"),
        (wish._replace(epoch=bytes(32)), 2, "this was said of another epoch, or by another seat"),
        (wish._replace(seat=1), 1, "this was said of another epoch, or by another seat"),
        (wish, 1, "signature"),
    ):
        proof = (signed_raw(sign_as(room.identities[by], owner.game_id, said)),)
        found = read_log(record_with(room, change._replace(note=replace(change.note, proof=proof))))
        assert f"byte {place}" in found.damage and because in found.damage and not found.guilty


@pytest.mark.parametrize("kind", ["part", "seal", "unseal", "open"])
def test_a_seat_goes_back_between_two_requests_once_a_bot_has_answered_for_it(
    kind: str, seed: int
) -> None:
    """As it is away for the first time, once."""
    room, owner = away(seed, kind_is(kind))
    wish = room.wish(owner)
    change = proposed(room, Change(2, REASON_RESTORE, wish.key), [signed_raw(wish)])
    found = read_log(record_with(room, change))
    check_damage(found, len(room.spectator.log), "no seat goes back here")


def test_no_seat_goes_back_that_nobody_has_left(seed: int) -> None:
    room = OpenRoom(3, seed)
    room.run(kind_is("choose"))
    wish = room.wish(room.replicas[2])
    change = proposed(room, Change(2, REASON_RESTORE, wish.key), [signed_raw(wish)])
    found = read_log(record_with(room, change))
    check_damage(found, len(room.spectator.log), "no seat goes back here")


@pytest.mark.parametrize("body", [None, b"", [], [b""] * 3, [b""] * 5, [b"", b"", b"", None]])
def test_a_new_key_has_one_form(body: object, seed: int) -> None:
    room, owner = back(seed)
    because = "a new key, and what it adds to every joint card, were expected"
    check_guilty(read(room, entry_with(owner, body)), 2, len(room.spectator.log), because)


def test_a_new_key_is_the_one_that_its_owner_has_named(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All have agreed on that one, and two of them would be two games."""
    room, owner = away(seed, kind_is("choose"))
    play, restore_owner = owner.play, owner.play.restore_owner

    def restored(seat: int, key: bytes, epoch: bytes) -> None:
        restore_owner(seat, key, epoch)
        play.returning[seat] = play.returning[seat]._replace(secret=7)

    monkeypatch.setattr(play, "restore_owner", restored)
    room.give_back(owner)
    raw = room.write(owner)
    because = "this is another key than its owner has named"
    check_guilty(read(room, raw), 2, len(room.spectator.log), because)


def test_m11_a_new_key_is_none_that_all_know_and_leaves_no_deck_open(seed: int) -> None:
    room, owner = away(seed, kind_is("choose"))
    others = sum(secret_of(room, seat) for seat in (0, 1))
    assert owner.play.dealing is not None
    for secret in (owner.play.dealing.secrets[2], -others % L):
        said = room.wish(owner)._replace(key=base(secret).encoded)
        wish = sign_as(room.identities[2], owner.game_id, said)
        change = proposed(room, Change(2, REASON_RESTORE, wish.key), [signed_raw(wish)])
        found = read_log(record_with(room, change))
        check_damage(found, len(room.spectator.log), "this is no new key")
