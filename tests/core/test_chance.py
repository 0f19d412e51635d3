"""Repeatable numbers."""

from __future__ import annotations

from collections import Counter

from core.chance import Chance


def test_the_numbers_are_those_of_splitmix64() -> None:
    """The first outputs for seed 1234567, as published with the algorithm's test vectors."""
    chance = Chance(1234567)
    assert [chance.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


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
