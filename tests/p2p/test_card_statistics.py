"""Decks are in no order that anybody chose, and mixed cards cannot be followed; in small.

The limits are chances of one in a thousand million, so that none of this fails by itself; what is
broken on purpose is far beyond them.  `scripts/lab.py card_statistics` counts more of it.
"""

from __future__ import annotations

import pytest

from scripts.lab.card_statistics import (
    P_MIN,
    Finding,
    binomial_p,
    check_links,
    check_orders,
    chi_square_p,
)


def sentences(findings: list[Finding]) -> list[str]:
    """What is not as it should be."""
    return [str(finding) for finding in findings if not finding.is_fine]


def test_one_honest_seat_makes_every_order_equally_likely() -> None:
    findings = list(check_orders(120, size=3))
    assert sentences(findings) == []
    assert [finding.should_fail for finding in findings].count(True) == 2


def test_nobody_follows_a_card_through_its_owners_mix() -> None:
    findings = list(check_links(120))
    assert sentences(findings) == []
    assert [finding.should_fail for finding in findings].count(True) == 3


@pytest.mark.parametrize(
    ("value", "freedom", "p"),
    [(3.841, 1, 0.05), (11.070, 5, 0.05), (6.635, 1, 0.01), (35.172, 23, 0.05)],
)
def test_chances_are_those_of_the_tables(value: float, freedom: int, p: float) -> None:
    """Two counts of which one is higher by so much that the sum of squares is `value`."""
    count = 1_000_000.0
    shift = (value * count / 2) ** 0.5
    counts = [count + shift, count - shift]
    assert chi_square_p(counts, freedom) == pytest.approx(p, rel=0.01)


def test_hits_are_as_likely_as_they_are() -> None:
    assert binomial_p(0, 10, 0.2) == 1
    assert binomial_p(10, 10, 0.2) == pytest.approx(0.2**10)
    assert binomial_p(1, 10, 0.2) == pytest.approx(1 - 0.8**10)
    assert binomial_p(50, 50, 0.2) < P_MIN < binomial_p(20, 50, 0.2)
