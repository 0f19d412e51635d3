"""A stand-in for ristretto255 that is fast and hides nothing: plain numbers modulo L.

"Point" k stands for k G, so that every equation between points holds exactly when it holds in the
real group, and every proof is made and verified by the real code.  Anybody can divide by G: it is
for games by the thousand, in which no cheater tries to take a logarithm.

All machines are in one process, and the dealer of a key in parts, every other seat and every audit
hash the same rounds of it.  Here each is hashed once: same seed, keys and place, same hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from p2p.crypto import group, key_sharing, pedersen, sodium
from p2p.crypto.group import Point
from p2p.crypto.transcript import L


def _number(encoded: bytes) -> int:
    return int.from_bytes(encoded, "little")


def _point(number: int) -> bytes:
    return (number % L).to_bytes(sodium.POINT_BYTES, "little")


def is_valid(encoded: bytes) -> bool:
    """Whether these are the bytes of a number below L."""
    return len(encoded) == sodium.POINT_BYTES and _number(encoded) < L


def add(left: bytes, right: bytes) -> bytes:
    """Give the sum of two points."""
    return _point(_number(left) + _number(right))


def subtract(left: bytes, right: bytes) -> bytes:
    """Give the difference of two points."""
    return _point(_number(left) - _number(right))


def multiply(scalar: bytes, point: bytes) -> bytes:
    """Give scalar times point."""
    return _point(_number(scalar) * _number(point))


def multiply_base(scalar: bytes) -> bytes:
    """Give scalar times the generator, which is 1."""
    return _point(_number(scalar))


def from_hash(uniform: bytes) -> bytes:
    """Map 64 bytes to a point; here everybody knows its logarithm."""
    return _point(_number(uniform))


STAND_INS: Final[dict[str, Any]] = {
    each.__name__: each for each in (is_valid, add, subtract, multiply, multiply_base, from_hash)
}


def _hashed_once() -> Callable[[bytes, Sequence[Point], bytes], bytes]:
    """Give the hash of a round of a key in parts, which is worked out once and then known."""
    known: dict[tuple[bytes, tuple[Point, ...], bytes], bytes] = {}
    digest_of = key_sharing._digest_of

    def remembered(seed: bytes, keys: Sequence[Point], context: bytes) -> bytes:
        place = seed, tuple(keys), context
        if place not in known:
            known[place] = digest_of(seed, keys, context)
        return known[place]

    return remembered


@contextmanager
def volume_group() -> Iterator[None]:
    """In this block every point is one of the stand-in group; no point may be carried across."""
    real = group.G._encoded
    with (
        patch.multiple(sodium, **STAND_INS),
        patch.object(key_sharing, "_digest_of", _hashed_once()),
    ):
        pedersen.bases.cache_clear()
        group.G._encoded = multiply_base(group.scalar_to_bytes(1))
        try:
            yield
        finally:
            group.G._encoded = real
            pedersen.bases.cache_clear()
