"""One point that binds a whole list of numbers and shows none (Pedersen, CRYPTO 1991, 3).

    commit(m_1 .. m_n; r) = r G + m_1 H_1 + ... + m_n H_n

The bases H_i are hashed from fixed labels, so nobody knows a logarithm between them. Whoever knew
one could open a commitment to two different lists and prove any shuffle: the trapdoor that made
another project's proofs worthless.

What this does not protect against: a blinding number that is used twice, or known to somebody.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from p2p.crypto.group import IDENTITY, G, Point, base, hash_to_point, weighted_sum
from p2p.crypto.sure import make_sure

BASES_LABEL: Final = "hostless/commitment bases/1"
BASES_CACHE_LISTS: Final = 64


@lru_cache(maxsize=BASES_CACHE_LISTS)
def bases(count: int) -> tuple[Point, ...]:
    """Give the first bases, distinct from each other and from the generator."""
    rows = tuple(hash_to_point(BASES_LABEL, at.to_bytes(4, "little")) for at in range(count))
    make_sure(len({IDENTITY, G, *rows}) == count + 2, "Bases of commitments are distinct.")
    return rows


def commit_to(numbers: Sequence[int], blinding: int) -> Point:
    """Give the commitment to a list of scalars."""
    return base(blinding) + weighted_sum(numbers, bases(len(numbers)))


def commit_to_order(permutation: Sequence[int], blinding: int) -> Point:
    """Give `commit_to` of a permutation of 0 to n - 1, in half the time.

    The base of the number k has to be added k times: so add up, from the highest number down, the
    sum of all bases met so far.
    """
    rows = bases(len(permutation))
    places = sorted(range(len(permutation)), key=permutation.__getitem__, reverse=True)
    total, met = base(blinding), IDENTITY
    for place in places[:-1]:
        met = met + rows[place]
        total = total + met
    return total
