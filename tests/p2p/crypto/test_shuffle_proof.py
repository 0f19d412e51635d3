"""A true shuffle is accepted; a stacked, doubled, swapped or tagged deck is refused."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest

from p2p.crypto import shuffle_proof
from p2p.crypto.group import IDENTITY, G, L, Point, base
from p2p.crypto.masking import Masked, fresh_hint, open_form, remask
from p2p.crypto.pedersen import commit_to
from p2p.crypto.shuffle_proof import Witness, proof_bytes, prove_shuffle, shuffle, verify_shuffle
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
    read,
    spoiled,
)

INPUTS = deck(1, 1, 2, 3, 3)
SEED = bytes(range(32))
OUTPUTS, WITNESS = shuffle(KEY, INPUTS, SEED)
PROOF = prove_shuffle(KEY, INPUTS, OUTPUTS, WITNESS, CONTEXT)


def check_refused(
    key: Point = KEY,
    inputs: list[Masked] = INPUTS,
    outputs: list[Masked] = OUTPUTS,
    proof: bytes = PROOF,
    context: bytes = CONTEXT,
    *,
    because: str = ".",
) -> None:
    """Check that a shuffle is refused with one thing changed, for this reason."""
    with pytest.raises(ProofError, match=because):
        verify_shuffle(key, inputs, outputs, proof, context)


def check_cheat(outputs: list[Masked], witness: Witness = WITNESS) -> None:
    """Check that outputs are refused with the old proof and with one made for them."""
    check_refused(outputs=outputs)
    check_refused(outputs=outputs, proof=prove_shuffle(KEY, INPUTS, outputs, witness, CONTEXT))


@pytest.mark.parametrize("count", [1, 2, 3, 20])
def test_a_true_shuffle_is_accepted(count: int) -> None:
    inputs = deck(*range(count))
    outputs, witness = shuffle(KEY, inputs, fresh_hint())
    proof = prove_shuffle(KEY, inputs, outputs, witness, CONTEXT)
    verify_shuffle(KEY, inputs, outputs, proof, CONTEXT)
    assert len(proof) == proof_bytes(count) == 96 * count + 288
    assert Counter(read(SECRET, outputs)) == Counter(read(SECRET, inputs))


def test_a_shuffle_of_cards_with_equal_faces_is_accepted() -> None:
    verify_shuffle(KEY, INPUTS, OUTPUTS, PROOF, CONTEXT)
    faces = read(SECRET, INPUTS)
    assert read(SECRET, OUTPUTS) == [faces[index] for index in WITNESS.permutation]


def test_a_shuffle_of_identical_cards_in_open_form_is_accepted() -> None:
    inputs = [open_form(face(9), KEY)] * 4
    outputs, witness = shuffle(KEY, inputs, fresh_hint())
    proof = prove_shuffle(KEY, inputs, outputs, witness, CONTEXT)
    verify_shuffle(KEY, inputs, outputs, proof, CONTEXT)
    assert len(set(outputs)) == 4


def test_no_output_looks_like_any_input() -> None:
    points = [point for card in [*INPUTS, *OUTPUTS] for point in card]
    assert len(set(points)) == len(points)


def test_a_spoiled_proof_of_a_shuffle_is_refused() -> None:
    for _name, proof in spoiled(PROOF, points_count=7):
        check_refused(proof=proof)
    check_refused(proof=PROOF + bytes(32), because="A proof for 5 cards is 768 bytes")


def test_a_shuffle_is_bound_to_its_key_and_place() -> None:
    check_refused(context=OTHER_CONTEXT)
    check_refused(key=OTHER_KEY)
    check_refused(key=IDENTITY, because="key must not be the identity")


def test_a_proof_for_other_cards_is_refused() -> None:
    check_refused(inputs=INPUTS[::-1])
    check_refused(inputs=[*INPUTS[:4], remask(INPUTS[4], KEY, 5)])
    check_refused(outputs=OUTPUTS[::-1])
    check_refused(inputs=OUTPUTS, outputs=INPUTS)


def test_a_replaced_card_is_refused() -> None:
    other = remask(open_form(face(8), KEY), KEY, 99)
    check_cheat([other, *OUTPUTS[1:]])


def test_a_doubled_card_is_refused() -> None:
    check_cheat([OUTPUTS[1], *OUTPUTS[1:]])
    check_cheat([remask(OUTPUTS[1], KEY, 5), *OUTPUTS[1:]])


def test_a_stacked_shuffle_is_refused() -> None:
    order = [3, 0, 4, 1, 1]
    masks = WITNESS.masks
    outputs = [remask(INPUTS[index], KEY, mask) for index, mask in zip(order, masks, strict=True)]
    check_cheat(outputs, Witness(order, masks))


def test_a_stacked_shuffle_is_refused_even_if_its_order_is_committed_to_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = [3, 0, 4, 1, 1]
    masks = WITNESS.masks
    outputs = [remask(INPUTS[index], KEY, mask) for index, mask in zip(order, masks, strict=True)]
    with monkeypatch.context() as cheat:
        cheat.setattr(shuffle_proof, "commit_to_order", commit_to)
        true = prove_shuffle(KEY, INPUTS, OUTPUTS, WITNESS, CONTEXT)
        proof = prove_shuffle(KEY, INPUTS, outputs, Witness(order, masks), CONTEXT)
    assert is_accepted(verify_shuffle, KEY, INPUTS, OUTPUTS, true, CONTEXT)
    check_refused(outputs=outputs, proof=proof)


def test_another_order_than_the_one_committed_to_is_refused() -> None:
    wrong_order = Witness([0, 3, 4, 1, 2], WITNESS.masks)
    wrong_masks = Witness(WITNESS.permutation, [mask + 1 for mask in WITNESS.masks])
    for witness in (wrong_order, wrong_masks):
        check_refused(proof=prove_shuffle(KEY, INPUTS, OUTPUTS, witness, CONTEXT))


def test_a_tagged_deck_is_refused() -> None:
    check_cheat([Masked(card.a * 2, card.b * 2) for card in OUTPUTS])
    check_cheat([card._replace(b=card.b + G) for card in OUTPUTS])
    check_cheat([card._replace(a=card.a + G) for card in OUTPUTS])


def test_a_card_with_one_false_half_is_refused() -> None:
    for part in ("a", "b"):
        false = OUTPUTS[2]._replace(**{part: getattr(OUTPUTS[2], part) + G})
        check_cheat([*OUTPUTS[:2], false, *OUTPUTS[3:]])


def test_two_changed_cards_that_cancel_out_are_refused() -> None:
    first, second = OUTPUTS[0], OUTPUTS[1]
    moved = [first._replace(b=first.b + G), second._replace(b=second.b - G), *OUTPUTS[2:]]
    check_cheat(moved)


def test_two_wrong_halves_of_a_card_that_cancel_out_are_refused() -> None:
    card = OUTPUTS[2]
    check_cheat([*OUTPUTS[:2], Masked(card.a + G, card.b - G), *OUTPUTS[3:]])


def test_a_shuffle_under_another_key_than_the_decks_is_refused() -> None:
    outputs, witness = shuffle(OTHER_KEY, INPUTS, fresh_hint())
    check_refused(
        outputs=outputs, proof=prove_shuffle(OTHER_KEY, INPUTS, outputs, witness, CONTEXT)
    )
    check_refused(outputs=outputs, proof=prove_shuffle(KEY, INPUTS, outputs, witness, CONTEXT))


def test_lost_and_added_cards_are_refused() -> None:
    check_refused(outputs=OUTPUTS[:4], because="Expected 5 cards")
    check_refused(outputs=[*OUTPUTS, OUTPUTS[0]], because="Expected 5 cards")
    check_refused(inputs=INPUTS[:4], because="Expected 4 cards")
    check_refused(inputs=INPUTS[:4], outputs=OUTPUTS[:4], because="is 672 bytes")
    check_refused(inputs=[], outputs=[], proof=bytes(288), because="1 to 1024 cards")


def test_a_card_with_an_identity_in_it_is_refused() -> None:
    because = "A part of a masked card must not be the identity"
    for part in ("a", "b"):
        dead = OUTPUTS[0]._replace(**{part: IDENTITY})
        check_refused(outputs=[dead, *OUTPUTS[1:]], because=because)
        check_refused(inputs=[dead, *INPUTS[1:]], because=because)
        with pytest.raises(ProofError, match=because):
            shuffle(KEY, [dead], fresh_hint())


def test_no_shuffle_of_nothing_is_made() -> None:
    with pytest.raises(ProofError):
        shuffle(KEY, [], fresh_hint())


def test_a_shuffle_follows_from_its_seed() -> None:
    assert shuffle(KEY, INPUTS, SEED) == (OUTPUTS, WITNESS)
    assert Witness.of(SEED, len(INPUTS)) == WITNESS
    other, _ = shuffle(KEY, INPUTS, fresh_hint())
    assert not {point for card in other for point in card} & {p for card in OUTPUTS for p in card}


def test_proofs_of_the_same_shuffle_share_no_field() -> None:
    again = prove_shuffle(KEY, INPUTS, OUTPUTS, WITNESS, CONTEXT)
    fields = [{proof[at : at + 32] for at in range(0, len(proof), 32)} for proof in (PROOF, again)]
    assert not fields[0] & fields[1]


def test_masks_are_below_the_order_and_never_the_same() -> None:
    _, witness = shuffle(KEY, INPUTS * 20, fresh_hint())
    assert len(set(witness.masks)) == 100
    assert all(0 < mask < L for mask in witness.masks)


def test_proofs_are_verified_in_several_threads_at_once() -> None:
    def verdict(context: bytes) -> bool:
        return is_accepted(verify_shuffle, KEY, INPUTS, OUTPUTS, PROOF, context)

    with ThreadPoolExecutor(4) as threads:
        verdicts = list(threads.map(verdict, [CONTEXT, OTHER_CONTEXT] * 8))
    assert verdicts == [True, False] * 8


def test_every_order_is_equally_likely_after_two_seats_have_shuffled() -> None:
    # Chi-square with 5 degrees of freedom: 61 is passed by chance once in 10**11 runs.
    rounds = 900
    inputs = [Masked(base(number), G) for number in (1, 2, 3)]
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        between, first = shuffle(KEY, inputs, fresh_hint())
        _, second = shuffle(KEY, between, fresh_hint())
        seen[tuple(first.permutation[index] for index in second.permutation)] += 1
    expected = rounds / 6
    distance = sum((seen[order] - expected) ** 2 / expected for order in permutations(range(3)))
    assert distance < 61, seen


def test_a_seat_does_not_prove_what_nobody_would_look_at() -> None:
    with pytest.raises(ProofError, match="A key must not be the identity"):
        prove_shuffle(IDENTITY, INPUTS, OUTPUTS, WITNESS, CONTEXT)
    with pytest.raises(ProofError, match="Expected 5 cards"):
        prove_shuffle(KEY, INPUTS, OUTPUTS[:-1], WITNESS, CONTEXT)
