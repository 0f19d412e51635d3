"""The group, hashing and transcripts: section 11 of the protocol.  A pair is a card's `(a, b)`."""

from __future__ import annotations

from hashlib import shake_256
from typing import Any

import rbcl

from tests.p2p.verifier.values import need

L = 2**252 + 27742317777372353535851937790883648493
NOTHING = bytes(32)  # The encoding of the identity.
Pair = tuple[bytes, bytes]


def little(number: int, size: int) -> bytes:
    return number.to_bytes(size, "little")


def scalar(content: Any) -> int:
    need(isinstance(content, bytes), "no bytes")
    number = int.from_bytes(content, "little")
    need(len(content) == 32 and number < L, "not a canonical scalar")
    return number


def point(content: Any) -> bytes:
    """A point as it stands in a file, where the identity never belongs."""
    need(isinstance(content, bytes) and len(content) == 32, "not a point")
    need(rbcl.crypto_core_ristretto255_is_valid_point(content), "not a canonical point")
    need(content != NOTHING, "the identity")
    return content


def mul(number: int, p: bytes) -> bytes:
    if number % L == 0 or p == NOTHING:
        return NOTHING
    return rbcl.crypto_scalarmult_ristretto255(little(number % L, 32), p)


def base(number: int) -> bytes:
    if number % L == 0:
        return NOTHING
    return rbcl.crypto_scalarmult_ristretto255_base(little(number % L, 32))


add, sub = rbcl.crypto_core_ristretto255_add, rbcl.crypto_core_ristretto255_sub


def total(points: Any) -> bytes:
    result = NOTHING
    for each in points:
        result = add(result, each)
    return result


def dot(numbers: Any, points: Any) -> bytes:
    return total(mul(n, p) for n, p in zip(numbers, points, strict=True))


def frame(label: str | bytes, value: bytes) -> bytes:
    label = label.encode() if isinstance(label, str) else label
    return little(len(label), 4) + label + little(len(value), 8) + value


def wide(label: str, size: int, *values: bytes) -> bytes:
    said = b"".join(frame("field", value) for value in values)
    return shake_256(frame(label, b"") + said).digest(size)


def to_point(label: str, *values: bytes) -> bytes:
    return rbcl.crypto_core_ristretto255_from_hash(wide(label, 64, *values))


_BASES: list[bytes] = []


def com(numbers: list[int], blinding: int) -> bytes:
    while len(_BASES) < len(numbers):
        _BASES.append(to_point("hostless/commitment bases/1", little(len(_BASES), 4)))
    return add(base(blinding), dot(numbers, _BASES[: len(numbers)]))


class Transcript:
    def __init__(self, protocol: str, context: bytes) -> None:
        self.state = frame("hostless/" + protocol, context)

    def absorb(self, label: str, *values: bytes) -> None:
        self.state += b"".join(frame(label, value) for value in values)

    def challenges(self, label: str, n: int) -> list[int]:
        self.absorb("challenge", label.encode(), little(n, 4))
        out = shake_256(self.state).digest(64 * n)
        return [int.from_bytes(out[64 * i : 64 * i + 64], "little") % L for i in range(n)]

    def challenge(self, label: str) -> int:
        return self.challenges(label, 1)[0]

    def weights(self, n: int) -> list[int]:
        return [1, *self.challenges("weights", n - 1)]


def flat(pairs: list[Pair]) -> bytes:
    return b"".join(a + b for a, b in pairs)


def pieces(content: Any, size: int = 32) -> list[bytes]:
    need(isinstance(content, bytes) and len(content) % size == 0, "cut bytes")
    return [content[i : i + size] for i in range(0, len(content), size)]


def pairs_of(content: Any, count: int) -> list[Pair]:
    halves = [point(half) for half in pieces(content)]
    need(len(halves) == 2 * count and 1 <= count <= 1024, "another number of cards")
    return list(zip(halves[::2], halves[1::2], strict=True))


def scalars(proof: Any, count: int) -> list[int]:
    need(isinstance(proof, bytes) and len(proof) == 32 * count, "a proof of another length")
    return [scalar(piece) for piece in pieces(proof)]
