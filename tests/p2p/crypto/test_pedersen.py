"""A commitment binds a list, its order and its length; the bases have no trapdoor."""

import pytest

from p2p.crypto.group import IDENTITY, G, base
from p2p.crypto.pedersen import bases, commit_to, commit_to_order


def test_bases_are_distinct_and_a_longer_list_begins_with_the_shorter_one() -> None:
    assert len({*bases(100), G, IDENTITY}) == 102
    assert bases(100)[:10] == bases(10)


def test_a_commitment_is_the_sum_of_its_parts() -> None:
    first, second = bases(2)
    assert commit_to([3, 4], 5) == base(5) + first * 3 + second * 4
    assert commit_to([], 5) == base(5)


def test_every_number_its_place_and_the_blinding_change_the_commitment() -> None:
    commitments = {
        commit_to([3, 4], 5),
        commit_to([4, 3], 5),
        commit_to([3, 4], 6),
        commit_to([3, 5], 5),
        commit_to([3, 4, 1], 5),
    }
    assert len(commitments) == 5


@pytest.mark.parametrize("order", [[0], [1, 0], [0, 1], [2, 0, 3, 1], list(range(20))])
def test_committing_to_an_order_is_the_same_and_faster(order: list[int]) -> None:
    assert commit_to_order(order, 77) == commit_to(order, 77)
