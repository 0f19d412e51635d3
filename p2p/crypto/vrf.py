"""Lots: numbers that nobody can foretell and nobody can choose, in one round.

The lot of seat j at a place of the log is x_j B, where B is the hash of that place to a point. It
is a verifiable random function (RFC 9381, section 5, over ristretto255, with the proof of a share):
there is exactly one such value, only the holder of x_j can compute it, and everybody can check it.
The lots of all seats hashed together are as good as one that is drawn honestly.

What this does not protect against: a seat that refuses to show its lot has stopped the table, for
which it is known; seats that share their keys know each other's lots beforehand. B is a hash of a
place and never a card, so a lot says nothing about any card.
"""

from typing import Final

from p2p.crypto.group import POINT_BYTES, Point, hash_to_point
from p2p.crypto.masking import SHARES_PROOF_BYTES, Masked, make_shares, prove_shares, verify_shares
from p2p.crypto.transcript import ProofError

LABEL: Final = "hostless/lot/1"
LOT_BYTES: Final = POINT_BYTES + SHARES_PROOF_BYTES


def draw_lot(secret: int, public: Point, place: bytes, context: bytes) -> bytes:
    """Give the lot at a place and its proof: 32 and 64 bytes.

    `place` is the same for all seats, `context` names the seat as well.
    """
    urn = _urn(place)
    shares = make_shares(secret, urn)
    return shares[0].encoded + prove_shares(secret, public, urn, shares, context)


def check_lot(public: Point, place: bytes, drawn: bytes, context: bytes) -> bytes:
    """Give the 32 bytes of a lot once its proof holds; raises ProofError."""
    if len(drawn) != LOT_BYTES:
        raise ProofError(f"A lot and its proof are {LOT_BYTES} bytes.")
    lot = Point.parse(drawn[:POINT_BYTES])
    verify_shares(public, _urn(place), [lot], drawn[POINT_BYTES:], context)
    return lot.encoded


def _urn(place: bytes) -> list[Masked]:
    """Give the point of a place in the shape that shares are proven in."""
    point = hash_to_point(LABEL, place)
    return [Masked(point, point)]
