"""Every kind of entry, bent in every way: refused by all, and its signer is the one named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from core.games import GAMES
from core.requests import Action
from core.table import RulesError
from p2p.base.entry import (
    DIGEST_BYTES,
    HASH_BYTES,
    parse_entry,
)
from p2p.base.errors import (
    BadProof,
    BadSignature,
    BrokenChain,
    Equivocation,
    IllegalMove,
    MalformedFrame,
    PeerError,
)
from p2p.base.limits import EARLY_ENTRIES_MAX
from p2p.base.wire import encode
from p2p.crypto.group import hash_to_point
from p2p.crypto.transcript import ProofError
from p2p.log.acks import Acks
from p2p.log.replica import Replica
from tests.p2p.acknowledging import claimed, hear
from tests.p2p.beads import BEADS
from tests.p2p.room import Room, Terms

WRITERS: Final = [
    *(("key seal", 1), ("key", 2), ("shuffle", 1), ("prove", 2), ("share", 0), ("mix", 0)),
    *(("roll", 1), ("seal", 1), ("unseal", 2), ("choose", 0), ("pass", 1), ("open", 0)),
    *(("return", 1), ("lot", 2), ("finish", 2), ("open keys", 1)),
]
"""Every kind, and a seat that writes it in a game of three."""
KINDS: Final = dict(WRITERS)
PARTS: Final = ["game", "seat", "epoch", "height", "head", "digest", "kind", "body"]
COMMITMENTS: Final = {"key seal": "key", "seal": "unseal"}
SWAPPED: Final = ["key", "prove", "share", "mix", "choose", "pass", "open", "return", "lot"]


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def beads(players: int = 3, seed: int = 0) -> Room:
    """A game that has not begun."""
    return Room(players, seed=seed, game="beads", terms=Terms((1,)))


def room_before(kind: str, seat: int, room: Room | None = None) -> Room:
    """A game in which `seat` is about to write an entry of this kind, and nobody else has."""
    room = room or beads()
    room.settle()
    while True:
        step = room.replicas[seat].step
        assert step is not None, f"nobody ever writes {kind}"
        if step.kind == kind and room.replicas[seat].may_write():
            return room
        ready = [each for each in room.replicas if each.may_write()]
        others = [each for each in ready if each.me != seat] or ready
        room.tell_all(room.write(others[0]))
        room.settle()


def body_of(room: Room, seat: int) -> object:
    """What the seat would honestly write."""
    return parse_entry(room.write(room.replicas[seat])).body


def entry_with(replica: Replica, body: object, **other: object) -> bytes:
    """A signed entry of a changed program: its place, unless `other` says another."""
    assert replica.identity is not None and replica.me is not None and replica.step is not None
    at, seat = replica.position, replica.me
    place = [replica.game_id, seat, replica.seating.seat_epochs[seat]]
    honest = [*place, at.height, at.head, at.digest, replica.step.kind, body]
    payload = encode(list({**dict(zip(PARTS, honest, strict=True)), **other}.values()))
    return encode([payload, replica.identity.sign(b"hostless entry" + payload)])


def receive(room: Room, replica: Replica, raws: list[bytes]) -> None:
    """Let one machine hear entries and do all it can."""
    for raw in raws:
        replica.receive(raw)
    while replica.advance() or replica.obligations:
        room.verify(replica)


def blame(room: Room, seat: int, raw: bytes) -> list[PeerError]:
    """What the others say to an entry once everybody has written; they all name `seat`."""
    due = [room.write(each) for each in room.replicas if each.me != seat and each.may_write()]
    errors: list[PeerError] = []
    for replica in room.replicas:
        if replica.me != seat:
            with pytest.raises(PeerError) as caught:
                receive(room, replica, [raw, *due])
            assert caught.value.seat == seat
            assert caught.value.peer == room.identities[seat].public
            errors.append(caught.value)
    return errors


def is_refused(replica: Replica, seat: int, body: object) -> bool:
    """Whether the current step refuses a body, at once or when its proofs are verified."""
    assert replica.step is not None
    try:
        replica.step.read(seat, body)
        dealing = replica.play.dealing
        obligations = dealing.obligations if dealing is not None else []
        for obligation in obligations:
            obligation.verify()
    except (ProofError, RulesError):
        return True
    finally:
        if replica.play.dealing is not None:
            replica.play.dealing.obligations = []
    return False


def bent(value: object) -> Iterator[object]:
    """Every value that differs from this one in one place."""
    yield None
    match value:
        case bytes():
            yield from (b"", value[:-1], value + b"\0", "text")
            places = {0, 31, 32, len(value) // 2, len(value) - 1} & set(range(len(value)))
            for place in places:
                yield value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]
            if len(value) >= 64:
                yield value[32:64] + value[:32] + value[64:]
                yield value[:-32]
                yield value + value[-32:]
        case list():
            yield from ([], [*value, b""], [*value, value[-1:]], value[:-1], {"a": 1})
            for index, item in enumerate(value):
                yield from ([*value[:index], each, *value[index + 1 :]] for each in bent(item))
        case int():
            if value in (0, 1):
                yield bool(value)
            yield from (value + 1, -1, 1 << 30, b"", str(value))
        case str():
            yield from ("", value + "x", "x" * 100, b"")


def is_deck_like(honest: object, value: object) -> bool:
    """Whether it is one deck of as many cards."""
    assert isinstance(honest, list) and isinstance(value, list)
    return len(value) == len(honest) == 1 and len(value[0]) == len(honest[0])


def has_same_shape(value: object) -> bool:
    """Whether it is what every commitment looks like."""
    return isinstance(value, bytes) and len(value) == 32


@pytest.mark.parametrize(("kind", "seat"), WRITERS)
def test_a_body_bent_in_any_place_is_refused(kind: str, seat: int) -> None:
    room = room_before(kind, seat)
    body, other = body_of(room, seat), room.replicas[(seat + 1) % 3]
    assert not is_refused(other, seat, body)
    for each in bent(body):
        if encode(each) == encode(body) or (kind in COMMITMENTS and has_same_shape(each)):
            continue
        if kind == "shuffle" and not is_refused(other, seat, each):
            assert is_deck_like(body, each)  # Its proof is another entry: `test_shuffling.py`.
            continue
        assert is_refused(other, seat, each), each


@pytest.mark.parametrize(("kind", "seat"), WRITERS)
def test_whoever_signs_a_bent_body_is_named(kind: str, seat: int) -> None:
    room = room_before(kind, seat)
    errors = blame(room, seat, entry_with(room.replicas[seat], [b"", b""]))
    assert all(isinstance(error, BadProof | IllegalMove) for error in errors)


@pytest.mark.parametrize(("seal", "opening"), COMMITMENTS.items())
def test_a_commitment_to_something_else_cannot_be_opened(seal: str, opening: str) -> None:
    room = room_before(seal, 1)
    assert body_of(room, 1) != bytes(32)
    room.tell_all(entry_with(room.replicas[1], bytes(32)))
    room_before(opening, 1, room)
    errors = blame(room, 1, room.write(room.replicas[1]))
    assert all(isinstance(error, BadProof) for error in errors)


@pytest.mark.parametrize("kind", SWAPPED)
def test_the_same_words_of_another_game_are_refused(kind: str) -> None:
    room, elsewhere = room_before(kind, KINDS[kind]), room_before(kind, KINDS[kind])
    foreign = body_of(elsewhere, KINDS[kind])
    assert is_refused(room.replicas[(KINDS[kind] + 1) % 3], KINDS[kind], foreign)


def test_the_proof_of_another_seat_is_refused() -> None:
    room = room_before("share", 0)
    body, step = body_of(room, 0), room.replicas[0].step
    assert step is not None
    (owner,) = {0, 1, 2} - set(step.writers)
    (other,) = {0, 1, 2} - {0, owner}
    assert is_refused(room.replicas[owner], other, body)


def test_a_proof_that_nobody_asked_for_is_refused() -> None:
    room = room_before("choose", 1)
    action, proof = body_of(room, 1)  # type: ignore[misc]
    assert proof == b""
    assert is_refused(room.replicas[0], 1, [action, bytes(64)])


@pytest.mark.parametrize("said", [[3], [10], [1], [0], [2], [-3], ["third"], [None], [3, 3]])
def test_a_person_says_no_part_of_a_budget(said: list[object]) -> None:
    room = room_before("choose", 0)
    body = body_of(room, 0)
    assert isinstance(body, list) and not is_refused(room.replicas[1], 0, body)
    assert is_refused(room.replicas[1], 0, [*body, *said])


def test_a_claim_about_a_card_of_somebody_else_is_refused() -> None:
    room = room_before("choose", 0)
    (verb, _, number), proof = body_of(room, 0)  # type: ignore[misc]
    theirs = room.replicas[0].play.table.zones[3][0]
    assert is_refused(room.replicas[1], 0, [[verb, [theirs], number], proof])


def test_a_shuffle_that_loses_a_card_is_held_against_its_signer() -> None:
    room = room_before("shuffle", 2)
    (cards,) = body_of(room, 2)  # type: ignore[misc]
    raw = entry_with(room.replicas[2], [cards[:-64]])
    assert all(isinstance(error, BadProof) for error in blame(room, 2, raw))


def test_a_claim_about_a_card_that_lies_open_is_refused() -> None:
    room = room_before("finish", 0)
    table, dealing = room.replicas[1].play.table, room.replicas[1].play.dealing
    assert dealing is not None
    for card in table.zones[1]:
        with pytest.raises(ProofError, match="somebody else"):
            dealing.check_claim(0, [card], [0, 1], bytes(128))


def test_a_claim_of_no_face_is_refused_at_once() -> None:
    room = room_before("choose", 0)
    dealing, own = room.replicas[1].play.dealing, room.replicas[1].play.table.zones[2][0]
    assert dealing is not None
    with pytest.raises(ProofError, match="true of no card"):
        dealing.check_claim(0, [own], [], b"")


def test_a_bare_card_that_shows_no_face_is_refused() -> None:
    room = room_before("choose", 0)
    dealing = room.replicas[1].play.dealing
    assert dealing is not None
    assert [dealing._face(point) for point in dealing.points] == [0, 1, 2]
    with pytest.raises(ProofError, match="no face of this game"):
        dealing._face(hash_to_point("another game"))


def test_an_illegal_action_of_mine_is_not_even_signed() -> None:
    room = room_before("choose", 0)
    for action in (Action("play", (0,)), Action("say", (0,)), None):
        with pytest.raises(RulesError, match="not one of the legal actions"):
            room.replicas[0].write(action)


def test_an_illegal_secret_choice_is_held_against_its_seat_alone() -> None:
    room = room_before("seal", 2)
    liar = room.replicas[2]
    liar.play._legal = lambda action: action  # type: ignore[assignment,method-assign,return-value]
    room.chooser = lambda replica, actions: actions[0]._replace(number=9 * (replica is liar))
    room.tell_all(room.write(liar))
    room_before("unseal", 2, room)
    errors = blame(room, 2, room.write(liar))
    assert all(isinstance(error, IllegalMove) for error in errors)


def test_a_choice_against_the_rules_is_held_against_whoever_chose() -> None:
    room = room_before("choose", 1)
    errors = blame(room, 1, entry_with(room.replicas[1], [["play", [3], 0], b""]))
    assert all(isinstance(error, IllegalMove) for error in errors)


# ---- places in the log ----


@pytest.mark.parametrize(
    "other",
    [
        {"digest": bytes(DIGEST_BYTES)},
        {"kind": "open"},
    ],
)
def test_an_entry_in_another_place_is_held_against_its_signer(other: dict[str, object]) -> None:
    room = room_before("share", 0)
    raw = entry_with(room.replicas[0], body_of(room, 0), **other)
    assert all(isinstance(error, BrokenChain) for error in blame(room, 0, raw))


def test_the_part_of_the_state_that_differs_is_named() -> None:
    room = room_before("share", 0)
    digest = bytearray(room.replicas[0].position.digest)
    digest[8] ^= 1  # The second of six.
    errors = blame(room, 0, entry_with(room.replicas[0], b"", digest=bytes(digest)))
    assert all("has other faces than we" in str(error) for error in errors)


@pytest.mark.parametrize("other", [{"game": bytes(HASH_BYTES)}, {"seat": 3}, {"seat": 300}])
def test_an_entry_that_fits_nowhere_is_held_against_whoever_brought_it(
    other: dict[str, object],
) -> None:
    room = room_before("share", 0)
    with pytest.raises(MalformedFrame):
        room.replicas[1].receive(entry_with(room.replicas[0], b"", **other))


def test_so_many_entries_may_be_early_and_no_more() -> None:
    room = beads()
    early = [
        entry_with(room.replicas[0], b"", height=9 + at, head=bytes([at]) * HASH_BYTES)
        for at in range(EARLY_ENTRIES_MAX + 1)
    ]
    assert all(room.replicas[1].receive(raw) for raw in early[:-1])
    assert room.replicas[1].receive(early[-1]) is None
    assert room.replicas[1].receive(entry_with(room.replicas[0], b"")), "what is due has a place"
    assert all(room.replicas[0].receive(raw) for raw in early), "one's own are kept"


def test_an_entry_signed_by_somebody_else_is_held_against_whoever_brought_it() -> None:
    room = room_before("share", 0)
    with pytest.raises(BadSignature):
        room.replicas[1].receive(entry_with(room.replicas[2], b"", seat=0))


def test_an_entry_is_taken_in_once_and_two_with_one_number_are_evidence() -> None:
    room = room_before("share", 0)
    one, two = (entry_with(room.replicas[0], body) for body in (b"one", b"two"))
    assert room.replicas[1].receive(one) is not None
    assert room.replicas[1].receive(one) is None
    with pytest.raises(Equivocation) as caught:
        room.replicas[1].receive(two)
    assert (caught.value.seat, caught.value.evidence) == (0, [one, two])


def test_a_second_answer_to_a_log_long_past_is_evidence() -> None:
    room = room_before("finish", 0)
    first = next(entry for entry in room.replicas[1].log if entry.seat == 0)
    assert room.replicas[1].receive(first.raw) is None
    old = entry_with(room.replicas[0], b"", height=0, head=first.parent)
    with pytest.raises(Equivocation) as caught:
        room.replicas[1].receive(old)
    assert caught.value.evidence == [first.raw, old]


def test_a_bent_signature_of_a_known_entry_is_not_evidence() -> None:
    """Whoever brings an entry could bend its signature; the signer has said nothing twice."""
    room = room_before("share", 0)
    raw = room.write(room.replicas[0])
    room.replicas[1].receive(raw)
    with pytest.raises(BadSignature):
        room.replicas[1].receive(raw[:-1] + bytes([raw[-1] ^ 1]))


# ---- the barrier ----


def test_no_share_is_said_before_every_proof_is_verified() -> None:
    room = room_before("prove", 2)
    for raw in [room.write(replica) for replica in room.replicas]:
        for replica in room.replicas:
            replica.receive(raw)
    for replica in room.replicas:
        assert not replica.advance() and replica.step is not None
        assert replica.step.kind == "prove" and replica.obligations
        room.verify(replica)
        assert replica.advance()
    for replica in room.replicas:
        for seat in replica.seats:
            hear(replica, claimed(replica, seat, replica.height, replica.head))
    step = room.replicas[0].step
    assert step is not None and step.kind == "share"
    mine = room.replicas[step.writers[0]]
    assert mine.needs_acks() and mine.is_agreed() and mine.may_write()


def test_no_share_is_said_before_every_seat_has_the_same_log() -> None:
    room = room_before("share", 0)
    replica = room.replicas[0]
    replica.acks = Acks()
    assert replica.needs_acks() and not replica.is_agreed() and not replica.may_write()
    hear(replica, claimed(replica, 1, replica.height, replica.head))
    assert not replica.is_agreed() and not replica.may_write()
    hear(replica, claimed(replica, 2, replica.height, bytes(HASH_BYTES)))
    assert not replica.has_acked(2)
    assert not replica.is_agreed() and not replica.may_write()
    hear(replica, claimed(replica, 2, replica.height, replica.head))
    assert replica.is_agreed() and replica.may_write()


def test_a_head_for_another_height_says_nothing() -> None:
    room = room_before("share", 0)
    replica = room.replicas[0]
    replica.acks, replica.committed = Acks(), replica.height
    hear(replica, claimed(replica, 1, replica.height - 1, replica.head))
    far = claimed(replica, 1, replica.height + EARLY_ENTRIES_MAX, replica.head)
    hear(replica, far)
    assert list(replica.acks.from_on(0)) == [far] and not replica.acks.has(1, replica.tip)


def test_what_all_are_known_to_have_is_not_acknowledged_once_more() -> None:
    """Two files that say so, after both machines were off: neither would say it again."""
    replica = room_before("share", 0).replicas[0]
    replica.acks, replica.committed = Acks(), replica.height - 1
    assert replica.needs_acks() and not replica.may_write()
    replica.committed = replica.height
    assert replica.is_agreed() and replica.may_write()


def test_nobody_answers_an_entry_before_all_have_the_same_log() -> None:
    """Not even with a commitment, which gives nothing away: nothing honest stands on a fork."""
    room = room_before("roll", 0)
    replica = room.replicas[0]
    replica.acks = Acks()
    for seat in (1, 2):
        assert replica.needs_acks() and not replica.may_write()
        hear(replica, claimed(replica, seat, replica.height, replica.head))
    assert replica.may_write()


def test_an_empty_log_and_a_run_of_ones_own_need_no_acknowledgement() -> None:
    assert not beads().replicas[0].needs_acks()
    room = room_before("open", 0)
    assert room.replicas[0].tip.author == 0  # It played the bead that it now turns up.
    room.replicas[0].acks = Acks()
    assert not room.replicas[0].needs_acks() and room.replicas[0].may_write()


def test_whoever_is_not_due_writes_nothing() -> None:
    room = room_before("mix", 0)
    assert [replica.may_write() for replica in room.replicas] == [True, False, False]
    spectator = Replica(room.roster)
    assert not spectator.may_write()
    room = beads()
    room.run()
    assert not any(replica.may_write() or replica.advance() for replica in room.replicas)
