"""Repeatable numbers."""

from __future__ import annotations

import copy
import itertools
from collections import Counter

from core.chance import Chance


def test_the_seed_is_mixed_as_splitmix64_does_it() -> None:
    """Its first output for seed 1234567, as published with the algorithm's test vectors."""
    assert Chance(1234567).state == 6457827717110365317 >> 24


def test_the_numbers_follow_the_recurrence_in_exact_arithmetic() -> None:
    chance = Chance(5)
    state = chance.state
    for count in (6, 52, 1 << 31):
        state = (state * 2387525 + 0x9E3779B97) % 2**40
        assert chance.below(count) == state // 2**8 * count // 2**32


def test_no_product_leaves_a_machine_word() -> None:
    """Compiled code wraps around there, plain Python does not."""
    assert 2**40 * 2387525 + 0x9E3779B97 < 2**62


def test_a_shuffle_draws_the_same_numbers_as_below() -> None:
    cards, twin = list(range(9)), list(range(9))
    chance, other = Chance(3), Chance(3)
    chance.shuffle(cards)
    for last in range(8, 0, -1):
        place = other.below(last + 1)
        twin[last], twin[place] = twin[place], twin[last]
    assert (cards, chance.state) == (twin, other.state)


def test_a_shuffle_at_some_places_is_a_shuffle_of_what_lies_there() -> None:
    faces, places = list(range(100, 120)), (3, 4, 8, 0, 17, 12)
    chance, other = Chance(5), Chance(5)
    there = [faces[place] for place in places]
    chance.shuffle_at(faces, places)
    other.shuffle(there)
    assert [faces[place] for place in places] == there
    assert all(faces[at] == 100 + at for at in range(20) if at not in places)
    assert chance.state == other.state


def test_neighbouring_seeds_have_nothing_in_common() -> None:
    """Chi-square over the pairs of first numbers of neighbouring seeds: 35 degrees, p > 0.001."""
    firsts = [Chance(seed).below(6) for seed in range(3601)]
    counts = Counter(itertools.pairwise(firsts))
    assert sum((counts[first, second] - 100) ** 2 / 100
               for first in range(6) for second in range(6)) < 66.6  # fmt: skip


def test_a_copy_goes_on_where_the_stream_was() -> None:
    """The second kind of copy is made as for another process."""
    chance = Chance(8)
    chance.below(10)
    twins = [chance.copy(), copy.copy(chance)]
    numbers = [chance.below(1000) for _ in range(5)]
    assert all([twin.below(1000) for _ in range(5)] == numbers for twin in twins)


def test_a_number_below_a_bound_reaches_every_value_equally_often() -> None:
    chance = Chance(1)
    counts = Counter(chance.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


def test_a_shuffle_keeps_all_cards_and_the_same_state_gives_the_same_order() -> None:
    orders = []
    for _ in range(2):
        cards = list(range(52))
        Chance(9).shuffle(cards)
        orders.append(cards)
    assert orders[0] == orders[1] != list(range(52))
    assert sorted(orders[0]) == list(range(52))
