"""Commit, then reveal: numbers that nobody controls, and choices that nobody sees too early.

    commitment = H(context, seat, salt, value)          everybody shows theirs, then
    opening    = salt, value                            everybody shows these

Blum's coin flipping by telephone (1981), for several seats, with hashes as commitments. The seat
is inside the hash, or a seat could copy another's commitment and later its opening. Numbers are
drawn from the mixed openings by rejection sampling over SHAKE256 (FIPS 202), so that every side of
a die is exactly as likely as every other.

What this does not protect against: the last seat to open knows the result before the others and
may refuse to open. That is its signed fault and the draw is repeated without it, but a seat that
leaves the game for it has had one re-roll.
"""

import hmac
from collections.abc import Sequence
from typing import Final

from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, hash_bytes

COMMITMENT_BYTES: Final = 32
SALT_BYTES: Final = 32
_SEED_BYTES: Final = 32
VALUE_BYTES_MAX: Final = 4096
SIDES_MAX: Final = 2**64
SPARE_BYTES: Final = 8
"""Drawn beyond what a number needs, so that a rejection is a rare thing."""


def commit(context: bytes, seat: int, value: bytes, salt: bytes) -> bytes:
    """Give the 32 bytes that bind a seat to a value without showing it."""
    make_sure(len(salt) == SALT_BYTES, "A commitment is salted with 32 bytes.")
    make_sure(len(value) <= VALUE_BYTES_MAX, "A committed value is at most 4096 bytes.")
    fields = (context, seat.to_bytes(4, "little"), salt, value)
    return hash_bytes("hostless/commit/1", *fields, size_bytes=COMMITMENT_BYTES)


def read_commitment(seat: int, body: object) -> bytes:
    """A commitment as an entry has it; raises ProofError."""
    if isinstance(body, bytes) and len(body) == COMMITMENT_BYTES:
        return body
    raise ProofError("a commitment was expected")


def check_opening(commitment: bytes, context: bytes, seat: int, value: bytes, salt: bytes) -> None:
    """Return if the commitment was to this value by this seat; raises ProofError otherwise."""
    if len(salt) != SALT_BYTES or len(value) > VALUE_BYTES_MAX:
        raise ProofError("The opening of a commitment has a wrong length.")
    if not hmac.compare_digest(commitment, commit(context, seat, value, salt)):
        raise ProofError("The opening does not fit the commitment.")


def mix(context: bytes, openings: Sequence[bytes]) -> bytes:
    """Give a seed of 32 bytes from all openings in seat order; one honest one makes it fair."""
    make_sure(bool(openings), "Somebody has to open something.")
    return hash_bytes("hostless/mix/1", context, *openings, size_bytes=_SEED_BYTES)


def draw_below(seed: bytes, sides: int) -> int:
    """Give a number from 0 to sides - 1, each exactly as likely; the same for the same seed."""
    make_sure(1 <= sides <= SIDES_MAX, "A die has 1 to 2**64 sides.")
    size_bytes = (sides.bit_length() + 7) // 8 + SPARE_BYTES
    limit = 256**size_bytes // sides * sides
    attempt = 0
    while (number := _stretch(seed, sides, attempt, size_bytes)) >= limit:
        attempt += 1
    return number % sides


def _stretch(seed: bytes, sides: int, attempt: int, size_bytes: int) -> int:
    """Give a uniform number of so many bytes for one attempt."""
    fields = (seed, sides.to_bytes(9, "little"), attempt.to_bytes(4, "little"))
    drawn = hash_bytes("hostless/draw/1", *fields, size_bytes=size_bytes)
    return int.from_bytes(drawn, "little")
