"""Several shuffles verified together are accepted only if each of them would be alone."""

from __future__ import annotations

import pytest

from p2p.crypto import group, shuffle_proof, sodium
from p2p.crypto.batch import Combiner
from p2p.crypto.group import G, L, PointSum, base, parse_scalar, scalar_to_bytes
from p2p.crypto.masking import fresh_hint, open_form, remask
from p2p.crypto.shuffle_proof import (
    BATCH_PROTOCOL,
    OwnShuffle,
    PendingProofs,
    ProvenShuffle,
    prove_shuffle,
    shuffle,
    verify_shuffles,
)
from p2p.crypto.transcript import ProofError, Transcript
from tests.p2p.crypto.deals import CONTEXT, KEY, OTHER_CONTEXT, face, is_accepted

CARDS = 4
BLINDING_AT = 7 * 32 + (1 + CARDS) * 32  # Behind the points, the answer mask and the answers.


def chain(length: int) -> list[ProvenShuffle]:
    """One seat after another shuffles the same deck, which begins face up."""
    deck, made = [open_form(face(number % 2), KEY) for number in range(CARDS)], []
    for number in range(length):
        outputs, witness = shuffle(KEY, deck, fresh_hint())
        context = CONTEXT + bytes([number])
        proof = prove_shuffle(KEY, deck, outputs, witness, context)
        made.append(ProvenShuffle(KEY, deck, outputs, proof, context))
        deck = outputs
    return made


def bent(shuffled: ProvenShuffle, by: int) -> ProvenShuffle:
    """The same with one blinding changed, which makes one equation wrong by so many generators."""
    proof, at = shuffled.proof, BLINDING_AT
    blinding = parse_scalar(proof[at : at + 32]) + by
    return shuffled._replace(proof=proof[:at] + scalar_to_bytes(blinding) + proof[at + 32 :])


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_a_chain_of_true_shuffles_is_accepted_in_any_order_and_in_part(length: int) -> None:
    shuffles = chain(length)
    verify_shuffles(shuffles)
    verify_shuffles(shuffles[::-1])
    verify_shuffles(shuffles[1:] + shuffles[:1])
    for left_out in range(length):
        rest = shuffles[:left_out] + shuffles[left_out + 1 :]
        assert not rest or is_accepted(verify_shuffles, rest)


def test_shuffles_under_different_keys_and_of_different_sizes_go_together() -> None:
    other = group.base(77)
    cards = [open_form(face(3), other)]
    outputs, witness = shuffle(other, cards, fresh_hint())
    proof = prove_shuffle(other, cards, outputs, witness, OTHER_CONTEXT)
    verify_shuffles([*chain(2), ProvenShuffle(other, cards, outputs, proof, OTHER_CONTEXT)])


@pytest.mark.parametrize("place", range(3))
def test_one_false_shuffle_among_true_ones_is_refused(place: int) -> None:
    shuffles = chain(3)
    true = shuffles[place]
    card = true.outputs[0]
    falses = [
        bent(true, 1),
        true._replace(context=OTHER_CONTEXT),
        true._replace(outputs=[remask(card, KEY, 5), *true.outputs[1:]]),
        true._replace(outputs=[true.outputs[1], *true.outputs[1:]]),
        true._replace(outputs=[card._replace(b=card.b + G), *true.outputs[1:]]),
        true._replace(inputs=true.inputs[::-1], outputs=true.outputs[::-1]),
        true._replace(proof=shuffles[place - 1].proof),
    ]
    for false in falses:
        assert not is_accepted(verify_shuffles, [*shuffles[:place], false, *shuffles[place + 1 :]])


def test_two_false_shuffles_that_cancel_out_are_refused() -> None:
    """Each is wrong by one generator, the other way round."""
    first, second = chain(2)
    for left, right in ((1, -1), (-1, 1)):
        with pytest.raises(ProofError, match="not the cards that went in"):
            verify_shuffles([bent(first, left), bent(second, right)])


def test_two_false_shuffles_are_not_fitted_to_factors_that_could_be_foreseen() -> None:
    first, second = chain(2)
    for said in ([], [b"", b""]):
        joint = Transcript(BATCH_PROTOCOL, b"")
        for each in said:
            joint.absorb("proof", each)
        factor = joint.weights(2)[1]
        assert not is_accepted(verify_shuffles, [bent(first, factor), bent(second, -1)])


def own(length: int, place: int) -> tuple[list[ProvenShuffle], OwnShuffle]:
    """A chain of which one shuffle was made here, and that one."""
    deck, made = [open_form(face(number % 2), KEY) for number in range(CARDS)], []
    for number in range(length):
        outputs, witness = shuffle(KEY, deck, fresh_hint())
        context = CONTEXT + bytes([number])
        proof = prove_shuffle(KEY, deck, outputs, witness, context)
        made.append((ProvenShuffle(KEY, deck, outputs, proof, context), witness))
        deck = outputs
    mine, witness = made[place]
    others = [each for each, _ in made if each is not mine]
    return others, OwnShuffle(KEY, mine.inputs, mine.outputs, witness)


@pytest.mark.parametrize("place", range(3))
def test_a_shuffle_of_ones_own_saves_work_and_hides_nothing(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    others, mine = own(3, place)
    multiplied: list[bytes] = []
    multiply = sodium.multiply

    def noting(scalar: bytes, point: bytes) -> bytes:
        multiplied.append(point)
        return multiply(scalar, point)

    monkeypatch.setattr(sodium, "multiply", noting)
    verify_shuffles(others, [mine])
    assert not {point.encoded for card in mine.outputs for point in card} & set(multiplied)
    for at, true in enumerate(others):
        card = true.outputs[0]
        for false in (
            bent(true, 1),
            true._replace(outputs=[card._replace(b=card.b + G), *true.outputs[1:]]),
            true._replace(inputs=[card, *true.inputs[1:]]),
        ):
            with pytest.raises(ProofError):
                verify_shuffles([*others[:at], false, *others[at + 1 :]], [mine])


def test_what_i_know_of_my_own_shuffle_is_used_once_and_changes_no_verdict() -> None:
    others, mine = own(3, 1)
    waiting = PendingProofs(Combiner.own(3))
    waiting.know(mine)
    asks = [waiting.add([others[0]]), waiting.add([bent(others[1], 1)])]
    asks[0]()
    with pytest.raises(ProofError):
        asks[1]()


def test_whoever_asks_for_one_shuffle_has_all_verified_that_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(
        shuffle_proof, "verify_shuffles",
        lambda shuffles, *known: (sizes.append(len(shuffles)), verify_shuffles(shuffles, *known)),
    )  # fmt: skip
    waiting, shuffles = PendingProofs(Combiner.own(3)), chain(4)
    asks = [waiting.add([each]) for each in shuffles[:3]]
    asks[1]()
    asks[0]()
    asks.append(waiting.add(shuffles[3:]))
    for ask in asks:
        ask()
    assert sizes == [3, 1]


def test_of_shuffles_that_wait_just_the_false_one_is_refused() -> None:
    true = chain(4)
    waiting = PendingProofs(Combiner.own(3))
    asks = [waiting.add([each]) for each in (true[0], bent(true[1], 1), true[2], true[3])]
    for place in (0, 2):
        asks[place]()
    with pytest.raises(ProofError):
        asks[1]()
    with pytest.raises(ProofError):  # It is not forgotten for having been asked for.
        asks[1]()
    asks[3]()


def test_a_sum_is_zero_only_if_all_of_it_cancels() -> None:
    total = PointSum()
    assert total.is_zero()
    points = [base(3), base(5), G]
    for scalar, point in zip((5, -3, 9), points, strict=True):
        total.add(scalar, point)
    assert not total.is_zero()
    total.add(-9, G)
    assert total.is_zero()
    total.add(L, base(11))
    assert total.is_zero()
    total.add(1, points[0])
    assert not total.is_zero()
