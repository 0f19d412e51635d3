"""Cards joined to points: the same verdicts for less work, and nothing that can be foreseen."""

from __future__ import annotations

import pytest

from p2p.crypto import entropy, sodium
from p2p.crypto.batch import CardSum, Combiner
from p2p.crypto.entropy import known_to_all
from p2p.crypto.group import G, L, base, parse_scalar, scalar_to_bytes
from p2p.crypto.masking import Masked, fresh_hint, remask
from p2p.crypto.shuffle_proof import (
    PendingProofs,
    ProvenShuffle,
    Witness,
    prove_shuffle,
    shuffle,
    verify_shuffles,
)
from p2p.crypto.transcript import ProofError
from tests.p2p.crypto.deals import CONTEXT, KEY, deck

CARDS = deck(1, 1, 2, 3)
FACTOR = 987654321
SEED = bytes(range(32))
ANSWERS_AT = 7 * 32 + 32  # Behind the points and the answer mask.
BLINDING_AT = ANSWERS_AT + len(CARDS) * 32  # Behind the answers.


def proven(outputs: list[Masked], witness: Witness) -> list[ProvenShuffle]:
    """What the author of these outputs can make of them."""
    proof = prove_shuffle(KEY, CARDS, outputs, witness, CONTEXT)
    return [ProvenShuffle(KEY, CARDS, outputs, proof, CONTEXT)]


def combiner_of(cards: list[Masked], factor: int = FACTOR) -> Combiner:
    """A joiner that has joined these."""
    combiner = Combiner(factor)
    for card in cards:
        combiner.combine(card)
    return combiner


@pytest.mark.parametrize("joined", range(len(CARDS) + 1))
def test_a_sum_is_the_same_however_many_of_its_cards_were_joined_before(joined: int) -> None:
    total = CardSum(combiner_of(CARDS[:joined]))
    expected = base(7)
    for scalar, card in enumerate([*CARDS, CARDS[0]], start=5):
        total.add_card(scalar, card)
        expected = expected + (card.a + card.b * FACTOR) * scalar
    total.add(7, G)
    total.add_mask(11, KEY)
    expected = expected + base(11) + KEY * (11 * FACTOR)
    assert total.total() == expected
    assert total.total() == expected


def test_a_card_is_taken_out_with_all_that_was_added_of_it() -> None:
    total = CardSum(combiner_of(CARDS[:1]))
    for card in CARDS[:2]:
        total.add_card(5, card)
        total.add_card(6, card)
        assert total.take_out(card) == 11
        assert total.take_out(card) == 0
    assert total.is_zero()


def test_half_the_multiplications_are_left_for_cards_that_were_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts, multiply = list[int](), sodium.multiply

    def counting(scalar: bytes, point: bytes) -> bytes:
        counts[-1] += 1
        return multiply(scalar, point)

    for combiner in (combiner_of([]), combiner_of(CARDS)):
        total = CardSum(combiner)
        for scalar, card in enumerate(CARDS, start=2):
            total.add_card(scalar, card)
        counts.append(0)
        with monkeypatch.context() as patch:
            patch.setattr(sodium, "multiply", counting)
            total.total()
    assert counts == [2 * len(CARDS), len(CARDS)]


def test_all_cards_but_those_that_are_kept_are_forgotten() -> None:
    combiner = combiner_of(CARDS[:2])
    combiner.keep(CARDS[1:3])
    assert [combiner.of(card) is not None for card in CARDS] == [False, True, False, False]
    assert combiner.of(CARDS[1]) == CARDS[1].a + CARDS[1].b * FACTOR


def test_a_card_that_is_fitted_to_the_factor_fools_whoever_has_it_and_nobody_else() -> None:
    """Both halves of a card are false by what cancels out: why nobody else may know the factor."""
    outputs, witness = shuffle(KEY, CARDS, fresh_hint())
    outputs[1] = Masked(outputs[1].a + base(FACTOR), outputs[1].b - G)
    false = proven(outputs, witness)
    verify_shuffles(false, (), Combiner(FACTOR))
    verify_shuffles(false, (), combiner_of([*CARDS, *outputs]))
    for combiner in (Combiner(FACTOR + 1), combiner_of(outputs, FACTOR - 1), Combiner.own(5), None):
        with pytest.raises(ProofError, match="not the cards that went in"):
            verify_shuffles(false, (), combiner)


@pytest.mark.parametrize("half", ["a", "b"])
def test_one_false_half_of_a_card_is_refused_by_everybody(half: str) -> None:
    outputs, witness = shuffle(KEY, CARDS, fresh_hint())
    false = outputs[2]._replace(**{half: getattr(outputs[2], half) + G})
    cheat = proven([*outputs[:2], false, outputs[3]], witness)
    true = proven(outputs, witness)
    for secret in (0, 5, 6):
        waiting = PendingProofs(Combiner.own(secret))
        waiting.add(true)()
        with pytest.raises(ProofError):
            waiting.add(cheat)()


def test_a_false_card_is_not_made_good_by_a_false_commitment() -> None:
    """Both are wrong by as many generators, the other way round."""
    outputs, witness = shuffle(KEY, CARDS, fresh_hint())
    moved = [outputs[0]._replace(a=outputs[0].a + G), *outputs[1:]]
    (cheat,) = proven(moved, witness)
    answer = parse_scalar(cheat.proof[ANSWERS_AT : ANSWERS_AT + 32])
    for by in (answer, -answer):
        blinding = parse_scalar(cheat.proof[BLINDING_AT : BLINDING_AT + 32]) + by
        rest = cheat.proof[:BLINDING_AT], cheat.proof[BLINDING_AT + 32 :]
        fitted = cheat._replace(proof=scalar_to_bytes(blinding).join(rest))
        for combiner in (None, Combiner.own(5)):
            with pytest.raises(ProofError, match="not the cards that went in"):
                verify_shuffles([fitted], (), combiner)


def test_the_guilty_one_is_named_by_what_all_can_work_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a seat has joined wrongly for itself, it accuses nobody of it."""
    outputs, witness = shuffle(KEY, CARDS, fresh_hint())
    combiner = Combiner(FACTOR)
    monkeypatch.setattr(combiner, "of", lambda _: G)
    with pytest.raises(ProofError):
        verify_shuffles(proven(outputs, witness), (), combiner)
    PendingProofs(combiner).add(proven(outputs, witness))()


def test_no_two_seats_join_by_the_same_factor_even_if_chance_fails_one_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    factors = [Combiner.own(secret).factor for secret in (0, 0, 5, 5)]
    for _ in range(2):
        with known_to_all(SEED):  # While it speaks for an open seat.
            factors.append(Combiner.own(5).factor)
    monkeypatch.setattr(entropy, "unshared_bytes", bytes)
    factors += [Combiner.own(secret).factor for secret in (5, 6)]
    assert len(set(factors)) == len(factors)
    assert all(0 < factor < L for factor in factors)


def test_a_card_is_another_after_it_was_masked_again() -> None:
    combiner = combiner_of(CARDS)
    assert combiner.of(remask(CARDS[0], KEY, 3)) is None
