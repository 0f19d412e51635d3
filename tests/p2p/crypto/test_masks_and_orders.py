"""What a shuffle follows from: the same masks and order every time, and nothing to be guessed."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from p2p.crypto.group import L
from p2p.crypto.masking import _SEED_BYTES, fresh_hint, masks_of, order_of, seed_of

SEED = bytes(range(_SEED_BYTES))


def test_more_cards_change_none_of_the_first_masks() -> None:
    assert masks_of(SEED, 20)[:7] == masks_of(SEED, 7)


def test_masks_are_scalars_and_never_the_same() -> None:
    masks = [mask for _ in range(10) for mask in masks_of(fresh_hint(), 20)]
    assert len(set(masks)) == 200
    assert all(0 < mask < L for mask in masks)
    assert sum(mask > L // 2 for mask in masks) in range(50, 151)  # By chance once in 10**12.


def test_an_order_holds_every_index_once() -> None:
    for count in (1, 2, 104):
        assert sorted(order_of(SEED, count)) == list(range(count))
    assert order_of(SEED, 104) != order_of(fresh_hint(), 104)


def test_every_order_is_equally_likely() -> None:
    # Chi-square with 23 degrees of freedom: 100 is passed by chance once in 10**11 runs.
    rounds = 2400
    seen = Counter(tuple(order_of(fresh_hint(), 4)) for _ in range(rounds))
    expected = rounds / 24
    distance = sum((seen[order] - expected) ** 2 / expected for order in permutations(range(4)))
    assert distance < 100, seen


def test_the_seed_follows_from_the_secret_and_from_the_hint() -> None:
    seeds = {seed_of(secret, hint) for secret in (1, 2) for hint in (b"a" * 32, b"b" * 32)}
    assert len(seeds) == 4
