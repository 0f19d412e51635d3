"""Points and scalars of ristretto255, a group of prime order L (RFC 9496).

A `Point` is valid from the moment it exists: outsiders' bytes come in through `Point.parse` and
nowhere else, and sums and products of valid points are valid. Scalars are plain integers modulo L;
on the wire they are 32 bytes, little-endian, below L.

    (x + y) * G == G * x + G * y            L * P == IDENTITY for every P

What this does not protect against: Python's integers are not constant-time and cannot be wiped
from memory, so a program that reads this process's memory or times it closely is out of scope.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Self

from p2p.crypto import entropy, sodium
from p2p.crypto.sodium import POINT_BYTES, SCALAR_BYTES
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import L, ProofError, hash_bytes

_FRESH_BYTES: Final = 64


class Point:
    """A valid point, known by its 32 canonical bytes; immutable, hashable, comparable."""

    __slots__ = ("_encoded",)
    _encoded: bytes

    def __init__(self, encoded: bytes) -> None:
        """Take canonical bytes, the identity included; raises ProofError for anything else."""
        if not sodium.is_valid(encoded):
            raise ProofError("This is not the encoding of a point.")
        self._encoded = bytes(encoded)

    @classmethod
    def parse(cls, encoded: bytes, *, identity_allowed: bool = False) -> Self:
        """Give the point of 32 bytes from outside; raises ProofError (RFC 9496, 4.3.1)."""
        point = cls(encoded)
        if encoded == sodium.ZERO and not identity_allowed:
            raise ProofError("The identity is not allowed here.")
        return point

    @property
    def encoded(self) -> bytes:
        """The 32 canonical bytes (RFC 9496, 4.3.2)."""
        return self._encoded

    def __bytes__(self) -> bytes:
        """Give the 32 canonical bytes."""
        return self._encoded

    def __add__(self, other: "Point") -> "Point":
        """Give the sum of two points."""
        return _trusted(sodium.add(self._encoded, other._encoded))

    def __sub__(self, other: "Point") -> "Point":
        """Give the difference of two points."""
        return _trusted(sodium.subtract(self._encoded, other._encoded))

    def __mul__(self, scalar: int) -> "Point":
        """Give this point times an integer, which is taken modulo L."""
        return _trusted(sodium.multiply(scalar_to_bytes(scalar), self._encoded))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """Whether two points are the same element of the group."""
        return isinstance(other, Point) and self._encoded == other._encoded

    def __hash__(self) -> int:
        """Give a hash for sets and dictionaries."""
        return hash(self._encoded)

    def __repr__(self) -> str:
        """Give the first bytes, enough to tell points apart in a failing test."""
        return f"Point({self._encoded[:6].hex()}...)"

    def __reduce__(self) -> tuple[type["Point"], tuple[bytes]]:
        """Travel to a worker process as bytes, which are checked again there."""
        return (Point, (self._encoded,))


def _trusted(encoded: bytes) -> Point:
    """Give the point of bytes that libsodium just produced, without checking them again."""
    point = object.__new__(Point)
    point._encoded = encoded
    return point


def base(scalar: int) -> Point:
    """Give the generator times an integer, three times faster than `G * scalar`."""
    return _trusted(sodium.multiply_base(scalar_to_bytes(scalar)))


def scalar_to_bytes(scalar: int) -> bytes:
    """Give 32 little-endian bytes of an integer taken modulo L."""
    return (scalar % L).to_bytes(SCALAR_BYTES, "little")


def parse_scalar(encoded: bytes) -> int:
    """Give the scalar of 32 bytes; raises ProofError unless it is below L (RFC 9496, 4.4)."""
    scalar = int.from_bytes(encoded, "little")
    if len(encoded) != SCALAR_BYTES or scalar >= L:
        raise ProofError("This is not the encoding of a scalar.")
    return scalar


def parse_scalars(encoded: bytes, count: int) -> list[int]:
    """Give exactly so many scalars; raises ProofError for any other length."""
    if len(encoded) != count * SCALAR_BYTES:
        raise ProofError(f"Expected {count} scalars of {SCALAR_BYTES} bytes.")
    starts = range(0, len(encoded), SCALAR_BYTES)
    return [parse_scalar(encoded[start : start + SCALAR_BYTES]) for start in starts]


def parse_points(encoded: bytes, count: int) -> list[Point]:
    """Give exactly so many points, none the identity; raises ProofError otherwise."""
    if len(encoded) != count * POINT_BYTES:
        raise ProofError(f"Expected {count} points of {POINT_BYTES} bytes.")
    starts = range(0, len(encoded), POINT_BYTES)
    return [Point.parse(encoded[start : start + POINT_BYTES]) for start in starts]


def scalars_to_bytes(scalars: Iterable[int]) -> bytes:
    """Give the encodings of scalars, one after the other."""
    return b"".join(map(scalar_to_bytes, scalars))


def points_to_bytes(points: Iterable[Point]) -> bytes:
    """Give the encodings of points, one after the other."""
    return b"".join([point._encoded for point in points])


def hash_to_point(label: str, *fields: bytes) -> Point:
    """Give the point of a label and fields; nobody knows its logarithm (RFC 9496, 4.3.4)."""
    point = _trusted(sodium.from_hash(hash_bytes(label, *fields, size_bytes=sodium.UNIFORM_BYTES)))
    make_sure(point != IDENTITY, "A hash hits the identity with probability 2**-252.")
    return point


def random_scalar() -> int:
    """Give a uniform secret scalar, never zero."""
    return int.from_bytes(entropy.fresh_bytes(_FRESH_BYTES), "little") % (L - 1) + 1


def weighted_sum(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    """Give the sum of scalar times point over two lists of one length."""
    make_sure(len(scalars) == len(points), "Every point has one scalar.")
    total = sodium.ZERO
    for scalar, point in zip(scalars, points, strict=True):
        product = point._encoded
        if scalar != 1:
            product = sodium.multiply(scalar_to_bytes(scalar), product)
        total = product if total == sodium.ZERO else sodium.add(total, product)
    return _trusted(total)


class PointSum:
    """A sum of scalars times points, worked out when all of it is there.

    A point that comes up more than once is multiplied once, and the generator by the faster way:
    so equations that share points cost less together than one by one.
    """

    def __init__(self) -> None:
        """Begin with nothing, which is the identity."""
        self._scalars: dict[bytes, int] = {}  # By encoding, which hashes faster than a point.

    def add(self, scalar: int, point: Point) -> None:
        """Add one product."""
        encoded = point._encoded
        self._scalars[encoded] = self._scalars.get(encoded, 0) + scalar

    def total(self) -> Point:
        """Give what it comes to."""
        scalars = dict(self._scalars)
        generated = base(scalars.pop(G._encoded, 0))
        encodings = [encoded for encoded, scalar in scalars.items() if scalar % L]
        points = [_trusted(encoded) for encoded in encodings]
        return generated + weighted_sum([scalars[encoded] for encoded in encodings], points)

    def is_zero(self) -> bool:
        """Whether it is the identity."""
        return self.total() == IDENTITY


def plain_sum(points: Iterable[Point]) -> Point:
    """Give the sum of points, the identity for none."""
    total = IDENTITY
    for point in points:
        total = point if total == IDENTITY else total + point
    return total


def refuse_identity(points: Iterable[Point], what: str) -> None:
    """Raise ProofError if one of the points is the identity; `what` names them in the text."""
    if IDENTITY in points:
        raise ProofError(f"{what} must not be the identity.")


IDENTITY: Final = _trusted(sodium.ZERO)
G: Final = base(1)

__all__ = [
    "IDENTITY",
    "POINT_BYTES",
    "SCALAR_BYTES",
    "G",
    "L",
    "Point",
    "PointSum",
    "base",
    "hash_to_point",
    "parse_points",
    "parse_scalar",
    "parse_scalars",
    "plain_sum",
    "points_to_bytes",
    "random_scalar",
    "refuse_identity",
    "scalar_to_bytes",
    "scalars_to_bytes",
    "weighted_sum",
]
