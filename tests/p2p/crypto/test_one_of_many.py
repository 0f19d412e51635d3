"""A true claim about hidden cards is accepted, a false one is refused, and faces stay hidden."""

from collections.abc import Sequence

import pytest

from p2p.crypto import entropy, one_of_many
from p2p.crypto.group import IDENTITY, G, L, Point, base, parse_scalars, scalars_to_bytes
from p2p.crypto.masking import Masked, remask
from p2p.crypto.one_of_many import prove_members, verify_members
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import (
    CONTEXT,
    KEY,
    OTHER_CONTEXT,
    OTHER_KEY,
    SECRET,
    deck,
    face,
    is_accepted,
    spoiled,
)

CARDS = deck(2, 3, 2)
ALLOWED = [face(1), face(2), face(3)]
PROOF = prove_members(SECRET, KEY, CARDS, ALLOWED, CONTEXT)


def check_refused(
    public: Point = KEY,
    cards: Sequence[Masked] = CARDS,
    allowed: Sequence[Point] = ALLOWED,
    proof: bytes = PROOF,
    context: bytes = CONTEXT,
    *,
    because: str = ".",
) -> None:
    """Check that a claim is refused with one thing changed, for this reason."""
    with pytest.raises(ProofError, match=because):
        verify_members(public, cards, allowed, proof, context)


def test_a_true_claim_is_accepted() -> None:
    verify_members(KEY, CARDS, ALLOWED, PROOF, CONTEXT)
    assert len(PROOF) == 64 * len(CARDS) * len(ALLOWED)


@pytest.mark.parametrize("true_index", range(4))
def test_the_true_face_may_stand_anywhere(true_index: int) -> None:
    allowed = [face(number) for number in range(4)]
    card = deck(true_index)
    proof = prove_members(SECRET, KEY, card, allowed, CONTEXT)
    assert is_accepted(verify_members, KEY, card, allowed, proof, CONTEXT)


def test_one_card_with_one_allowed_face_is_an_opening() -> None:
    proof = prove_members(SECRET, KEY, CARDS[1:2], [face(3)], CONTEXT)
    verify_members(KEY, CARDS[1:2], [face(3)], proof, CONTEXT)
    check_refused(cards=CARDS[1:2], allowed=[face(2)], proof=proof)


def test_a_false_claim_cannot_be_proven() -> None:
    with pytest.raises(AssertionError, match="true claims"):
        prove_members(SECRET, KEY, [*CARDS, *deck(4)], ALLOWED, CONTEXT)


def test_a_false_claim_is_refused_even_if_the_prover_cheats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The cheater runs the honest code and believes that its card has an allowed face.
    with monkeypatch.context() as cheat:
        cheat.setattr(one_of_many, "message", lambda card, share: face(2))
        proof = prove_members(SECRET, KEY, deck(4), ALLOWED, CONTEXT)
    check_refused(cards=deck(4), proof=proof)


@pytest.mark.parametrize("shown", range(4))
def test_that_a_card_is_none_of_some_faces_is_proven_by_all_others(
    shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, card = [face(number) for number in range(4)], deck(shown)
    for excluded in range(4):
        others = [point for point in game if point != face(excluded)]
        with monkeypatch.context() as cheat:
            if excluded == shown:  # It believes that its card is another.
                cheat.setattr(one_of_many, "message", lambda card, share, face=others[0]: face)
            proof = prove_members(SECRET, KEY, card, others, CONTEXT)
        is_true = is_accepted(verify_members, KEY, card, others, proof, CONTEXT)
        assert is_true == (excluded != shown)


def test_a_spoiled_claim_is_refused() -> None:
    for _name, proof in spoiled(PROOF):
        check_refused(proof=proof)


def test_a_claim_is_bound_to_its_place_seat_and_cards() -> None:
    check_refused(context=OTHER_CONTEXT)
    check_refused(public=OTHER_KEY)
    check_refused(cards=CARDS[::-1][1:] + CARDS[:1])
    check_refused(cards=[*CARDS[:2], remask(CARDS[2], KEY, 5)])
    check_refused(cards=[*CARDS[:2], *deck(9)])
    check_refused(cards=CARDS[:2])
    check_refused(cards=[*CARDS, CARDS[0]])


def test_a_claim_is_bound_to_its_faces() -> None:
    check_refused(allowed=ALLOWED[::-1])
    check_refused(allowed=[face(7), face(2), face(3)])
    check_refused(allowed=ALLOWED[1:])
    check_refused(allowed=[*ALLOWED, face(9)])


def test_responses_of_two_faces_cannot_be_exchanged() -> None:
    fields = [PROOF[at : at + 32] for at in range(0, len(PROOF), 32)]
    fields[0], fields[1] = fields[1], fields[0]
    check_refused(proof=b"".join(fields))
    half = len(fields) // 2
    fields[half], fields[half + 1] = fields[half + 1], fields[half]
    check_refused(proof=b"".join(fields))


def test_a_claim_whose_second_card_is_made_up_is_refused() -> None:
    # For a card that is not a member every branch can be made up, but not their sum.
    cards = deck(2, 4)
    half = prove_members(SECRET, KEY, cards[:1], ALLOWED, CONTEXT)
    nonces, challenges = parse_scalars(half[96:] * 2, 6), [7, 8, 9, 10, 11, 12]
    told = [face(2)] * 3 + [face(4)] * 3
    transcript = one_of_many._open(KEY, cards, ALLOWED, CONTEXT)
    for index, nonce in enumerate(nonces):
        gap = told[index] - ALLOWED[index % 3]
        second = cards[index // 3].a * nonce - gap * challenges[index]
        one_of_many._answer(transcript, base(nonce), second)
    challenges[1] = (transcript.challenge("challenge") - 7 - 9) % L
    pairs = zip(nonces, challenges, strict=True)
    responses = [nonce + challenge * SECRET for nonce, challenge in pairs]
    proof = scalars_to_bytes(challenges + responses)
    check_refused(cards=cards, proof=proof, because="The claim about hidden cards")


def test_empty_lists_and_doubled_faces_are_refused() -> None:
    check_refused(cards=[], proof=b"", because="1 to 1024 cards")
    check_refused(allowed=[], proof=b"", because="one or more, all different")
    doubled = [face(2), face(3), face(2)]
    check_refused(allowed=doubled, because="one or more, all different")
    with pytest.raises(ProofError, match="all different"):
        prove_members(SECRET, KEY, CARDS, doubled, CONTEXT)


def test_identities_are_refused_everywhere() -> None:
    because = "must not be the identity"
    check_refused(public=IDENTITY, because=because)
    check_refused(allowed=[IDENTITY, face(2), face(3)], because=because)
    for part in ("a", "b"):
        dead = CARDS[0]._replace(**{part: IDENTITY})
        check_refused(cards=[dead, *CARDS[1:]], because=because)


def test_a_claim_with_too_many_branches_is_refused_before_any_work() -> None:
    many = [CARDS[0]] * 1024
    allowed = [G * number for number in range(1, 10)]
    check_refused(cards=many, allowed=allowed, proof=b"", because="at most 8192 cards times faces")


def test_claims_about_the_same_cards_look_different_every_time() -> None:
    again = prove_members(SECRET, KEY, CARDS, ALLOWED, CONTEXT)
    fields = [{proof[at : at + 32] for at in range(0, len(proof), 32)} for proof in (PROOF, again)]
    assert not fields[0] & fields[1]


def test_a_source_that_repeats_itself_does_not_tell_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A response is nonce + challenge * secret, and whoever sees the proof sees the challenge.
    monkeypatch.setattr(entropy, "fresh_bytes", bytes)
    scalars = parse_scalars(prove_members(SECRET, KEY, CARDS, ALLOWED, CONTEXT), 18)
    for challenge, response in zip(scalars[:9], scalars[9:], strict=True):
        assert response != (challenge + challenge * SECRET) % L
