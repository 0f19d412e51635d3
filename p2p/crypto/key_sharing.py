"""Escrow: a seat's key in parts that all the other seats have to put together.

Seat j splits its secret into a sum, one summand for each of the others, and shows the summands
times G. Everybody checks that these add up to Y_j, and each recipient that its own summand is the
one shown: the check of Feldman (*A Practical Scheme for Non-Interactive Verifiable Secret Sharing*,
FOCS 1987, section 4), for the case that all parts are needed, where a sum does what his polynomial
does for fewer. A part travels under a Diffie-Hellman key hashed (Abdalla, Bellare and Rogaway,
*DHIES*, 2001, without its tag: the part shown is a better check).

    dealer                                     recipient k, who holds e_k with E_k = e_k G
    x = s_1 + .. + s_n, r random               s_k = box_k xor H(context, R, E_k, e_k R)
    R = r G, S_k = s_k G, proof that it knows r   s_k G = S_k ?  else shows e_k R with a proof
    box_k = s_k xor H(context, R, E_k, r E_k)     (Chaum and Pedersen), and all see who lied

Nobody shows its secret times a point of which the other may not know the exponent.  Without the
proof for R a dealer could show another dealer's R moved by d G, and boxes that hold nothing: each
complaint would give it e_k R, and with that the other's key.  So e_k R says nothing to it that
it could not work out from r.  And E_k comes with a proof as well: two equal ones would have one pad
for two boxes, which then show the difference of two parts bit by bit.

What this does not protect against: all recipients together have the key whenever they want to, and
nobody can see that they looked. A recipient that gives its part away counts as one that helps. A
part that is withheld, or whose recipient is gone, makes the key lost.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from p2p.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    L,
    Point,
    base,
    parse_points,
    parse_scalar,
    plain_sum,
    points_to_bytes,
    random_scalar,
    scalar_to_bytes,
)
from p2p.crypto.keys import POSSESSION_BYTES, prove_possession, verify_possession
from p2p.crypto.masking import Masked, prove_shares, verify_shares
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import ProofError, hash_bytes

_LABEL: Final = "hostless/escrow/1"
COMPLAINT_BYTES: Final = POINT_BYTES + 2 * SCALAR_BYTES


class Deal(NamedTuple):
    """A key in parts, as everybody sees it."""

    hint: Point  # R, from which every recipient has its key to its box.
    parts: list[Point]  # S_k
    possession: bytes  # That the dealer knows r.
    boxes: list[bytes]

    @classmethod
    def parse(cls, encoded: bytes, count: int) -> Self:
        """Give the deal to so many recipients; raises ProofError."""
        size = POINT_BYTES * (count + 1)
        if len(encoded) != size + POSSESSION_BYTES + SCALAR_BYTES * count:
            raise ProofError(f"A key in {count} parts was expected.")
        hint, *parts = parse_points(encoded[:size], count + 1)
        proof, boxes = encoded[size : size + POSSESSION_BYTES], encoded[size + POSSESSION_BYTES :]
        starts = range(0, len(boxes), SCALAR_BYTES)
        return cls(hint, parts, proof, [boxes[at : at + SCALAR_BYTES] for at in starts])

    def __bytes__(self) -> bytes:
        """Give 64 bytes for each recipient, and 96."""
        points = points_to_bytes([self.hint, *self.parts])
        return b"".join([points, self.possession, *self.boxes])


def deal(secret: int, keys: Sequence[Point], context: bytes) -> Deal:
    """Split a secret among the holders of `keys`, at least two: one alone would have all of it."""
    make_sure(len(keys) > 1, "A key in one part is no escrow.")
    summands = [random_scalar() for _ in keys[1:]]
    summands.append((secret - sum(summands)) % L)
    mask = random_scalar()
    hint = base(mask)
    boxes = [
        _cover(scalar_to_bytes(summand), _pad(context, hint, key, key * mask))
        for summand, key in zip(summands, keys, strict=True)
    ]
    proof = prove_possession(mask, hint, context)
    return Deal(hint, [base(summand) for summand in summands], proof, boxes)


def check_deal(public: Point, shown: Deal, context: bytes) -> None:
    """Return if the parts add up to `public`, and the dealer can open the boxes itself.

    Raises:
        ProofError: they do not, or it cannot; then no box of this deal may be tried.
    """
    if plain_sum(shown.parts) != public:
        raise ProofError("The parts of a key do not add up to it.")
    verify_possession(shown.hint, context, shown.possession)


def take_part(secret: int, shown: Deal, index: int, context: bytes) -> int:
    """Give the part of recipient `index`, who holds `secret`; raises ProofError for a bad one."""
    return _open(shown, index, base(secret), shown.hint * secret, context)


def check_part(shown: Deal, index: int, part: int) -> None:
    """Return if a part that was given back is the one that was dealt; raises ProofError."""
    if base(part) != shown.parts[index]:
        raise ProofError("This is not the part of the key that was dealt.")


def put_together(parts: Sequence[int]) -> int:
    """Give the secret of all its parts."""
    return sum(parts) % L


def complain(secret: int, shown: Deal, context: bytes) -> bytes:
    """Give 96 bytes that show everybody what is in the box of whoever holds `secret`."""
    key, box_key = base(secret), shown.hint * secret
    box = [Masked(shown.hint, shown.hint)]
    return box_key.encoded + prove_shares(secret, key, box, [box_key], context)


def check_complaint(shown: Deal, index: int, key: Point, complaint: bytes, context: bytes) -> None:
    """Return if the complaint of recipient `index` with `key` is right: the dealer lied.

    Raises:
        ProofError: it is not, so whoever complained did.
    """
    if len(complaint) != COMPLAINT_BYTES:
        raise ProofError(f"A complaint is {COMPLAINT_BYTES} bytes.")
    box_key, proof = Point.parse(complaint[:POINT_BYTES]), complaint[POINT_BYTES:]
    verify_shares(key, [Masked(shown.hint, shown.hint)], [box_key], proof, context)
    try:
        _open(shown, index, key, box_key, context)
    except ProofError:
        return
    raise ProofError("The complaint is about a part that is right.")


def _open(shown: Deal, index: int, key: Point, box_key: Point, context: bytes) -> int:
    pad = _pad(context, shown.hint, key, box_key)
    part = parse_scalar(_cover(shown.boxes[index], pad))
    check_part(shown, index, part)
    return part


def _pad(context: bytes, hint: Point, key: Point, box_key: Point) -> bytes:
    fields = (hint.encoded, key.encoded, box_key.encoded)
    return hash_bytes(_LABEL, context, *fields, size_bytes=SCALAR_BYTES)


def _cover(content: bytes, pad: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(content, pad, strict=True))
