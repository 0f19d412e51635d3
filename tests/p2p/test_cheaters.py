"""Peers whose code was changed: each is refused and named by all, and the file proves it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.requests import Action, Choice, Reveal
from p2p.audit.audit import audit_file
from p2p.base.errors import BadProof, Equivocation, IllegalMove, PeerError
from p2p.crypto.group import points_to_bytes
from p2p.crypto.masking import (
    HINT_BYTES,
    cards_to_bytes,
    fresh_hint,
    make_shares,
    open_form,
    parse_cards,
)
from p2p.crypto.shuffle_proof import prove_shuffle, shuffle
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from tests.p2p.room import Room


def stop_at(room: Room, kind: str, seat: int) -> Replica:
    """Play until `seat` is about to write an entry of this kind, and return its replica."""
    replica = room.replicas[seat]
    room.settle()
    while not (replica.may_write() and replica.step and replica.step.kind == kind):
        writer = room.writer()
        assert writer is not None, f"nobody ever writes {kind}"
        room.tell_all(room.write(writer))
        room.settle()
    return replica


def forged_entry(replica: Replica, body: object) -> bytes:
    """An entry that a changed program signs: the right place, another content."""
    assert replica.step is not None
    replica.step = replace(replica.step, write=lambda _: body)
    return replica.write().raw


def chooser_of(room: Room) -> int:
    """The seat that has to choose now."""
    request = room.replicas[0].play.request
    assert isinstance(request, Choice)
    return request.player


def run_to_a_real_choice(room: Room) -> int:
    """Play until a seat has more than one thing to choose from, and name it."""

    def offers_of_chooser(_: Replica) -> int:
        request = room.replicas[0].play.request
        is_choice = isinstance(request, Choice)
        return len(room.replicas[request.player].view().offers) if is_choice else 0

    room.run(until=lambda replica: offers_of_chooser(replica) > 1)
    return chooser_of(room)


def honest_body(replica: Replica) -> list[object]:
    """What the unchanged program would have written."""
    assert replica.step is not None
    body = replica.step.write(None)
    assert isinstance(body, list)
    return body


def verdict(room: Room, seat: int, raw: bytes, tmp_path: Path) -> list[PeerError]:
    """What every honest peer says to an entry; all must name `seat`, and so must the audit."""
    honest = [replica for replica in room.replicas if replica.me != seat]
    due = [room.write(replica) for replica in honest if replica.may_write()]
    errors: list[PeerError] = []
    for index, replica in enumerate(honest):
        with pytest.raises(PeerError) as caught:
            hear_all(room, replica, [raw, *due])
        assert caught.value.seat == seat
        errors.append(caught.value)
        path = tmp_path / f"{index}.hostless"
        write_file(path, room, replica, caught.value)
        verdicts = audit_file(path).verdicts
        assert [each.is_honest for each in verdicts] == [each != seat for each in replica.seats]
    return errors


def hear_all(room: Room, replica: Replica, raws: list[bytes]) -> None:
    """Let a replica hear entries and do what it can: read the step, verify what was postponed."""
    for raw in raws:
        replica.receive(raw)
    while replica.advance() or replica.obligations:
        room.verify(replica)


def write_file(path: Path, room: Room, replica: Replica, error: PeerError) -> None:
    """The game file as the session of an honest peer leaves it."""
    game_file = GameFile.create(path, room.roster)
    for entry in replica.log:
        game_file.append(entry.raw)
    assert error.seat is not None
    game_file.keep_evidence(error.seat, str(error), error.evidence)
    game_file.close()


def test_an_honest_game_leaves_nobody_accused(tmp_path: Path) -> None:
    room = Room(3, seed=5)
    room.run()
    assert all(replica.is_over for replica in room.replicas)
    path = tmp_path / "honest.hostless"
    game_file = GameFile.create(path, room.roster)
    for entry in room.replicas[0].log:
        game_file.append(entry.raw)
    game_file.close()
    report = audit_file(path)
    assert report.holds and report.is_finished and report.winners


def test_a_shuffle_that_swaps_a_card_for_another_is_refused(tmp_path: Path) -> None:
    room = Room(3)
    replica = stop_at(room, "shuffle", 1)
    body = honest_body(replica)
    match body[0]:
        case bytes(deck):
            cards = parse_cards(deck[:-HINT_BYTES])
            body[0] = cards_to_bytes([cards[1], *cards[1:]]) + deck[-HINT_BYTES:]
    room.tell_all(forged_entry(replica, body))
    assert stop_at(room, "prove", 1) is replica  # A deck is worth nothing before it is proven.
    errors = verdict(room, 1, room.write(replica), tmp_path)
    assert all(isinstance(error, BadProof) for error in errors)


def test_a_deck_stacked_before_the_shuffle_is_refused(tmp_path: Path) -> None:
    """The cheat shuffles honestly, but a deck of its own making: all cards one face."""
    room = Room(3)
    replica = stop_at(room, "shuffle", 2)
    dealing = replica.play.dealing
    assert dealing is not None
    body = honest_body(replica)  # It begins with the last of three piles.
    match body:
        case [bytes(deck)]:
            inputs = [
                open_form(dealing.points[0], dealing.joint) for _ in parse_cards(deck[:-HINT_BYTES])
            ]
    outputs, witness = shuffle(dealing.joint, inputs, fresh_hint())
    context = dealing.context(2, "shuffle 2")
    room.tell_all(forged_entry(replica, [cards_to_bytes(outputs) + fresh_hint()]))
    stop_at(room, "prove", 2)
    proofs = honest_body(replica)
    proofs[2] = prove_shuffle(dealing.joint, inputs, outputs, witness, context)
    errors = verdict(room, 2, forged_entry(replica, proofs), tmp_path)
    assert all(isinstance(error, BadProof) for error in errors)


def test_opening_a_false_face_is_refused(tmp_path: Path) -> None:
    """The share is bent so that the card would show another face."""
    room = Room(3)
    replica = stop_at(room, "open", 0)
    dealing, request = replica.play.dealing, replica.play.request
    assert dealing is not None and isinstance(request, Reveal)
    body = honest_body(replica)
    card = request.cards[0]
    wanted = dealing.points[(dealing.observation[card] + 1) % len(dealing.points)]
    pair = dealing.masked[card]
    assert pair is not None
    body[0] = (pair.b - wanted).encoded
    errors = verdict(room, 0, forged_entry(replica, body), tmp_path)
    assert all(isinstance(error, BadProof) for error in errors)


def test_a_replayed_share_is_refused(tmp_path: Path) -> None:
    room = Room(3)
    replica = stop_at(room, "share", 1)
    old = honest_body(replica)
    room.tell_all(room.write(replica))
    replica = stop_at(room, "share", 1)
    assert verdict(room, 1, forged_entry(replica, old), tmp_path)


def test_a_share_made_with_another_key_is_refused(tmp_path: Path) -> None:
    room = Room(3)
    replica = stop_at(room, "share", 1)
    dealing, request = replica.play.dealing, replica.play.request
    assert dealing is not None and isinstance(request, Reveal)
    pairs = [pair for card in request.cards if (pair := dealing.masked[card]) is not None]
    body = honest_body(replica)
    body[0] = points_to_bytes(make_shares(dealing.secrets[dealing.me] + 1, pairs))
    assert verdict(room, 1, forged_entry(replica, body), tmp_path)


def test_playing_a_card_one_does_not_hold_is_refused(tmp_path: Path) -> None:
    room = Room(3)
    room.run(until=lambda replica: isinstance(replica.play.request, Choice))
    chooser = chooser_of(room)
    replica = room.replicas[chooser]
    other = room.replicas[(chooser + 1) % 3]
    hand = other.play.table.zones[other.play.table.layout.zone_index[f"seat{other.me}.hand"]]
    raw = forged_entry(replica, [["play", [hand[0]], 0], b""])
    errors = verdict(room, chooser, raw, tmp_path)
    assert all(isinstance(error, IllegalMove) for error in errors)


def test_a_false_claim_to_be_unable_to_play_is_refused(tmp_path: Path) -> None:
    """No embargo lies on the seat, so everybody sees that it could play."""
    room = Room(2)
    room.run(until=lambda replica: isinstance(replica.play.request, Choice))
    chooser = chooser_of(room)
    raw = forged_entry(room.replicas[chooser], [["skip", [], 0], b""])
    assert verdict(room, chooser, raw, tmp_path)


def test_two_entries_for_one_number_are_a_proof_against_their_signer(tmp_path: Path) -> None:
    room = Room(3, seed=2)
    chooser = run_to_a_real_choice(room)
    replica = room.replicas[chooser]
    actions: list[Action] = [offer.action for offer in replica.view().offers]
    assert len(actions) > 1
    one, other = replica.write(actions[0]).raw, replica.write(actions[1]).raw
    for index, honest in enumerate(room.replicas):
        if index != chooser:
            honest.receive(one)
    errors = verdict(room, chooser, other, tmp_path)
    assert all(isinstance(error, Equivocation) for error in errors)
    assert all(error.evidence == [one, other] for error in errors)


def test_honest_peers_that_were_told_different_things_find_who_told_them() -> None:
    """A fork: seats a and b hear different entries of c, and compare notes."""
    room = Room(3, seed=3)
    chooser = run_to_a_real_choice(room)
    liar = room.replicas[chooser]
    left, right = (room.replicas[(chooser + step) % 3] for step in (1, 2))
    actions = [offer.action for offer in liar.view().offers]
    for replica, action in ((left, actions[0]), (right, actions[1])):
        replica.receive(liar.write(action).raw)
        replica.advance()
    for replica, others in ((left, right), (right, left)):
        with pytest.raises(Equivocation) as caught:
            hear_all(room, replica, others.entries.lately())
        assert caught.value.seat == chooser
