"""What is worked out before a shuffle serves one shuffle, of any size that it has room for."""

from __future__ import annotations

from collections import Counter

import pytest

from p2p.crypto import precomputed
from p2p.crypto.group import L, base
from p2p.crypto.masking import LIST_CARDS_MAX
from p2p.crypto.pedersen import commit_to
from p2p.crypto.precomputed import GROWTH_CARDS, SIZES_KEPT, PrecomputedShuffles, precompute
from p2p.crypto.shuffle_proof import ProvenShuffle, prove_shuffle, shuffle, verify_shuffles
from tests.p2p.crypto.deals import CONTEXT, KEY, OTHER_KEY, SECRET, deck, read

ROOM = 6


@pytest.mark.parametrize("count", [2, 3, ROOM])
def test_a_shuffle_made_with_a_provision_holds_and_keeps_the_cards(count: int) -> None:
    cards = deck(*range(count))
    made = precompute(SECRET, KEY, ROOM)
    outputs, witness = shuffle(KEY, cards, made.seed, made)
    proof = prove_shuffle(KEY, cards, outputs, witness, CONTEXT)
    verify_shuffles([ProvenShuffle(KEY, cards, outputs, proof, CONTEXT)])
    assert Counter(read(SECRET, outputs)) == Counter(read(SECRET, cards))
    assert not set(outputs) & set(cards)


def test_running_sums_are_commitments_to_the_first_numbers() -> None:
    made = precompute(SECRET, KEY, ROOM)
    for count in range(1, ROOM + 1):
        negated = [-number for number in made.covers.numbers[:count]]
        assert made.covers.commitment(count, 5) == commit_to(negated, 5)
        inner = made.inner_covers.numbers[:count]
        assert made.inner_covers.commitment(count, 7) == commit_to(inner, 7)
    products = [-made.carries[at] * made.inner_covers.numbers[at + 1] for at in range(ROOM - 1)]
    assert made.cross.commitment(ROOM - 1, 9) == commit_to(products, 9)
    assert [zero.a for zero in made.zeros] == [base(mask) for mask in made.masks]
    assert [zero.b for zero in made.zeros] == [KEY * mask for mask in made.masks]


def test_no_number_of_a_provision_comes_up_twice() -> None:
    shuffles = [precompute(SECRET, KEY, ROOM) for _ in range(2)]
    numbers = [
        number
        for each in shuffles
        for number in (*each.masks, *each.covers.numbers, *each.inner_covers.numbers,
                       *each.carries[1:])
    ]  # fmt: skip
    assert len(set(numbers)) == len(numbers) == 2 * (4 * ROOM - 1)
    assert all(0 <= number < L for number in numbers)


@pytest.mark.parametrize("room", [0, 1, LIST_CARDS_MAX + 1])
def test_a_provision_for_no_list_is_our_mistake(room: int) -> None:
    with pytest.raises(AssertionError):
        precompute(SECRET, KEY, room)


def test_a_provision_is_given_out_once_and_for_its_key_alone() -> None:
    made = PrecomputedShuffles(SECRET)
    assert made.take(KEY, 4) is None
    made.fill()
    assert made.take(OTHER_KEY, 4) is None
    given = made.take(KEY, 4)
    assert given is not None
    assert given.room >= 4
    assert made.take(KEY, 4) is None
    made.fill()
    again = made.take(KEY, 4)
    assert again is not None
    assert not set(again.masks) & set(given.masks)


def test_a_provision_that_is_too_small_stays_and_is_replaced_by_a_larger() -> None:
    made = PrecomputedShuffles(SECRET)
    made.take(KEY, 3)
    made.fill()
    assert made.take(KEY, 3 + GROWTH_CARDS + 1) is None
    assert made.lacks() == [(KEY, 3 + 2 * GROWTH_CARDS + 1)]
    made.fill()
    assert made.take(KEY, 3 + GROWTH_CARDS + 1) is not None


def test_nothing_is_lacking_before_the_first_shuffle_nor_after_it_is_filled() -> None:
    made = PrecomputedShuffles(SECRET)
    assert made.lacks() == []
    made.take(KEY, 1)
    assert made.lacks() == []
    made.take(KEY, 2)
    assert made.lacks() == [(KEY, 2 + GROWTH_CARDS)]
    made.fill()
    assert made.lacks() == []


def test_a_large_pile_is_forgotten_after_some_smaller_ones() -> None:
    made = PrecomputedShuffles(SECRET)
    made.take(KEY, 100)
    for _ in range(SIZES_KEPT - 1):
        made.take(KEY, 5)
    assert made.lacks() == [(KEY, 100 + GROWTH_CARDS)]
    made.take(KEY, 5)
    assert made.lacks() == [(KEY, 5 + GROWTH_CARDS)]


def test_nothing_is_provided_for_more_cards_than_a_proof_may_have() -> None:
    made = PrecomputedShuffles(SECRET)
    made.take(KEY, LIST_CARDS_MAX)
    assert made.lacks() == [(KEY, LIST_CARDS_MAX)]


def test_a_store_may_be_taken_from_while_it_is_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As happens when the game goes on while a thread fills it."""
    made, keys = PrecomputedShuffles(SECRET), iter(range(2, 20))
    made.take(KEY, 3)
    made.take(OTHER_KEY, 3)
    expected = precomputed._expected

    def meddling(sizes: list[int]) -> int:
        made.take(base(next(keys)), 2)
        return expected(sizes)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(precomputed, "_expected", meddling)
        assert [room for _, room in made.lacks()] == [3 + GROWTH_CARDS] * 2
    assert len(made.lacks()) == 4


def test_a_shuffle_taken_while_the_store_is_looked_through_is_lacking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = PrecomputedShuffles(SECRET)
    made.take(KEY, 3)
    made.fill()
    expected = precomputed._expected

    def meddling(sizes: list[int]) -> int:
        assert made.take(KEY, 3) is not None
        return expected(sizes)

    monkeypatch.setattr(precomputed, "_expected", meddling)
    assert made.lacks() == [(KEY, 3 + GROWTH_CARDS)]
