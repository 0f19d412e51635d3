"""A verifiable random function (VRF): numbers that nobody can foretell and nobody can choose.

The value of seat j at a place of the log is x_j B, where B is the hash of that place to a point
(RFC 9381, section 5, over ristretto255, with the proof of a share). There is exactly one such
value, only the holder of x_j can compute it, and everybody can check it; so one round is enough.
The values of all seats hashed together are as good as one that is drawn honestly.

In the label of the proof such a value is called a "lot", whatever it is drawn for: a lot of the
log, a share of a roll, or the salt of a seal.  The place names which.

What this does not protect against: a seat that refuses to show its value has stopped the table, for
which it is known; seats that share their keys know each other's values beforehand. B is a hash of a
place and never a card, so a value says nothing about any card.
"""

from typing import Final

from p2p.crypto.group import POINT_BYTES, Point, hash_to_point
from p2p.crypto.masking import SHARES_PROOF_BYTES, Masked, make_shares, prove_shares, verify_shares
from p2p.crypto.transcript import ProofError

_LABEL: Final = "hostless/lot/1"
VRF_BYTES: Final = POINT_BYTES + SHARES_PROOF_BYTES


def vrf_value(secret: int, place: bytes) -> bytes:
    """Give the 32 bytes of the value at a place."""
    return make_shares(secret, _base(place))[0].encoded


def vrf_prove(secret: int, public: Point, place: bytes, context: bytes) -> bytes:
    """Give the value at a place and its proof: 32 and 64 bytes.

    `place` is the same for all seats, `context` names the seat as well.
    """
    base_card = _base(place)
    shares = make_shares(secret, base_card)
    return shares[0].encoded + prove_shares(secret, public, base_card, shares, context)


def vrf_verify(public: Point, place: bytes, drawn: bytes, context: bytes) -> bytes:
    """Give the 32 bytes of a value once its proof holds; raises ProofError."""
    if len(drawn) != VRF_BYTES:
        raise ProofError(f"A VRF value and its proof are {VRF_BYTES} bytes.")
    value = Point.parse(drawn[:POINT_BYTES])
    verify_shares(public, _base(place), [value], drawn[POINT_BYTES:], context)
    return value.encoded


def _base(place: bytes) -> list[Masked]:
    """Give the point of a place in the shape that shares are proven in."""
    point = hash_to_point(_LABEL, place)
    return [Masked(point, point)]
