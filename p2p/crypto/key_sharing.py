"""Escrow: a seat's key in parts that all the other seats have to put together.

Seat j splits its secret into a sum, one summand for each of the others, and shows the summands
times G, which add up to Y_j (Feldman, *A Practical Scheme for Non-Interactive Verifiable Secret
Sharing*, FOCS 1987, section 4; where all parts are needed a sum does what his polynomial does for
fewer).  A part travels under a Diffie-Hellman key hashed (Abdalla, Bellare and Rogaway, *DHIES*,
2001, without its tag: the part shown is a better check).  Anybody can check from what is said alone
that each recipient gets its part, so nobody has to complain: this is a publicly verifiable secret
sharing (Stadler, EUROCRYPT 1996), by cut and choose, because the secret is a number and not a point
(Camenisch and Damgaard, *Verifiable Encryption, Group Encryption, and Their Applications*,
ASIACRYPT 2000, section 3; Fiat and Shamir make a string of it).

    dealer                                              anybody
    x = s_1 + .. + s_n, S_k = s_k G                     S_1 + .. + S_n = Y ?
    224 rounds, each from 16 bytes of its own:
      r, t_1 .. t_n;  R = r G, T_k = t_k G
      box_k = t_k xor H(context, R, E_k, r E_k)
    c = H(statement, all R, T, box)                     makes all of these again:
    c picks 32 rounds; of the others: the 16 bytes      from those bytes,
    of these: R, box_k, d_k = t_k + s_k       -->       or T_k = d_k G - S_k.   c ?

    recipient k: t_k from box_k of one of the 32, by e_k R;  s_k = d_k - t_k

A dealer that hides a part from somebody has 32 rounds made wrong, and no other, before a hash says
which 32 it picks: one in 2**128.  Who can answer for two choices of rounds knows t_k and t_k + s_k
of one, so nobody deals what it does not know, as parts of another's key.  What is picked shows
s_k + t_k, a number that says nothing.

Nobody says a product of its secret and somebody else's point here: e_k R stays with recipient k.
E_k comes with a proof that its holder knows e_k: two equal ones would have one pad for two boxes.

What this does not protect against: all recipients together have the key whenever they want to, and
nobody can see that they looked. A recipient that gives its part away counts as one that helps. A
part that is withheld, or whose recipient is gone, makes the key lost.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Self

from p2p.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    L,
    Point,
    base,
    parse_points,
    parse_scalar,
    parse_scalars,
    plain_sum,
    points_to_bytes,
    random_scalar,
    scalar_to_bytes,
    scalars_to_bytes,
)
from p2p.crypto.masking import order_of
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import WIDE_BYTES, ProofError, Transcript, hash_bytes, reduced

_PROTOCOL: Final = "hostless/escrow/2"
DEAL_ROUNDS: Final = 224
DEAL_COVERED: Final = 32  # Of these 2**128 choices are possible: what a forger has to guess.
_SEED_BYTES: Final = 16


class Covered(NamedTuple):
    """A round of which the seed is not shown: a number over each part."""

    hint: Point  # R, from which every recipient has its key to its box.
    boxes: list[bytes]
    sums: list[int]  # d_k

    @classmethod
    def parse(cls, encoded: bytes, count: int) -> Self:
        """Give the round for so many recipients; raises ProofError."""
        boxes, sums = POINT_BYTES, POINT_BYTES + SCALAR_BYTES * count
        hint = Point.parse(encoded[:boxes])
        covers = _cut(encoded[boxes:sums], SCALAR_BYTES)
        return cls(hint, covers, parse_scalars(encoded[sums:], count))

    def __bytes__(self) -> bytes:
        """Give 64 bytes for each recipient, and 32."""
        return b"".join([self.hint.encoded, *self.boxes, scalars_to_bytes(self.sums)])


class Deal(NamedTuple):
    """A key in parts, as everybody sees it."""

    parts: list[Point]  # S_k
    challenge: int
    seeds: list[bytes]  # Of the rounds that are shown, in order.
    covered: list[Covered]

    @classmethod
    def parse(cls, encoded: bytes, count: int) -> Self:
        """Give the deal to so many recipients; raises ProofError."""
        if len(encoded) != size_bytes(count):
            raise ProofError(f"A key in {count} parts was expected.")
        challenge = POINT_BYTES * count
        seeds = challenge + SCALAR_BYTES
        covered = seeds + _SEED_BYTES * (DEAL_ROUNDS - DEAL_COVERED)
        return cls(
            parse_points(encoded[:challenge], count),
            parse_scalar(encoded[challenge:seeds]),
            _cut(encoded[seeds:covered], _SEED_BYTES),
            [Covered.parse(each, count) for each in _cut(encoded[covered:], _covered_bytes(count))],
        )

    def __bytes__(self) -> bytes:
        """Give as many bytes as `size_bytes` says."""
        said = [points_to_bytes(self.parts), scalar_to_bytes(self.challenge), *self.seeds]
        return b"".join([*said, *map(bytes, self.covered)])


def size_bytes(count: int) -> int:
    """Give the length of a deal to so many recipients."""
    shown = _SEED_BYTES * (DEAL_ROUNDS - DEAL_COVERED)
    return POINT_BYTES * count + SCALAR_BYTES + shown + DEAL_COVERED * _covered_bytes(count)


def deal(secret: int, keys: Sequence[Point], context: bytes) -> Deal:
    """Split a secret among the holders of `keys`, at least two: one alone would have all of it."""
    make_sure(len(keys) > 1, "A key in one part is no escrow.")
    summands = [random_scalar() for _ in keys[1:]]
    summands.append((secret - sum(summands)) % L)
    parts = [base(summand) for summand in summands]
    transcript = _open(keys, parts, context)
    (root,) = transcript.nonces(1, summands)
    drawn = hash_bytes(_PROTOCOL, scalar_to_bytes(root), size_bytes=_SEED_BYTES * DEAL_ROUNDS)
    seeds = _cut(drawn, _SEED_BYTES)
    challenge = _close(transcript, [_digest_of(seed, keys, context) for seed in seeds])
    picked = _picked(challenge)
    covered = [_cover(seeds[at], keys, summands, context) for at in sorted(picked)]
    shown = [seed for at, seed in enumerate(seeds) if at not in picked]
    return Deal(parts, challenge, shown, covered)


def check_deal(public: Point, keys: Sequence[Point], shown: Deal, context: bytes) -> None:
    """Return if every holder of `keys` has its part of the secret of `public`.

    Raises:
        ProofError: somebody may not.
    """
    if plain_sum(shown.parts) != public:
        raise ProofError("The parts of a key do not add up to it.")
    digests = list(_digests(keys, shown, context))
    if shown.challenge != _close(_open(keys, shown.parts, context), digests):
        raise ProofError("The boxes of a key in parts do not hold these.")


def take_part(secret: int, shown: Deal, index: int, context: bytes) -> int:
    """Give the part of recipient `index`, who holds `secret`; raises ProofError if it has none."""
    key = base(secret)
    for each in shown.covered:
        pad = _pad(context, each.hint, key, each.hint * secret)
        number = int.from_bytes(_xor(each.boxes[index], pad), "little")
        part = (each.sums[index] - number) % L
        if base(part) == shown.parts[index]:
            return part
    raise ProofError("No box holds this part of a key.")


def check_part(shown: Deal, index: int, part: int) -> None:
    """Return if a part that was given back is the one that was dealt; raises ProofError."""
    if base(part) != shown.parts[index]:
        raise ProofError("This is not the part of the key that was dealt.")


def put_together(parts: Sequence[int]) -> int:
    """Give the secret of all its parts."""
    return sum(parts) % L


def _open(keys: Sequence[Point], parts: Sequence[Point], context: bytes) -> Transcript:
    """Give a transcript that holds the statement; the key is the sum of its parts."""
    transcript = Transcript(_PROTOCOL, context)
    transcript.absorb("keys", points_to_bytes(keys))
    transcript.absorb("parts", points_to_bytes(parts))
    return transcript


def _close(transcript: Transcript, digests: Sequence[bytes]) -> int:
    """Give the challenge that answers all rounds."""
    transcript.absorb("rounds", b"".join(digests))
    return transcript.challenge("challenge")


def _picked(challenge: int) -> set[int]:
    """Give which rounds stay covered."""
    return set(order_of(scalar_to_bytes(challenge), DEAL_ROUNDS)[:DEAL_COVERED])


def _digests(keys: Sequence[Point], shown: Deal, context: bytes) -> Iterator[bytes]:
    """Give what the dealer must have hashed."""
    picked, seeds, covered = _picked(shown.challenge), iter(shown.seeds), iter(shown.covered)
    for at in range(DEAL_ROUNDS):
        if at not in picked:
            yield _digest_of(next(seeds), keys, context)
            continue
        each = next(covered)
        points = [base(total) - part for total, part in zip(each.sums, shown.parts, strict=True)]
        yield _digest(each.hint, points, each.boxes)


def _round(
    seed: bytes, keys: Sequence[Point], context: bytes
) -> tuple[Point, list[int], list[bytes]]:
    """Give R, the numbers t_k and their boxes."""
    count = len(keys) + 1
    wide = hash_bytes("hostless/escrow round/1", context, seed, size_bytes=WIDE_BYTES * count)
    mask, *numbers = reduced(wide, count)
    hint = base(mask)
    boxes = [
        _xor(scalar_to_bytes(number), _pad(context, hint, key, key * mask))
        for number, key in zip(numbers, keys, strict=True)
    ]
    return hint, numbers, boxes


def _digest_of(seed: bytes, keys: Sequence[Point], context: bytes) -> bytes:
    hint, numbers, boxes = _round(seed, keys, context)
    return _digest(hint, [base(number) for number in numbers], boxes)


def _digest(hint: Point, points: Sequence[Point], boxes: Sequence[bytes]) -> bytes:
    said = points_to_bytes([hint, *points]) + b"".join(boxes)
    return hash_bytes("hostless/escrow digest/1", said, size_bytes=SCALAR_BYTES)


def _cover(seed: bytes, keys: Sequence[Point], summands: Sequence[int], context: bytes) -> Covered:
    hint, numbers, boxes = _round(seed, keys, context)
    sums = [(number + part) % L for number, part in zip(numbers, summands, strict=True)]
    return Covered(hint, boxes, sums)


def _pad(context: bytes, hint: Point, key: Point, box_key: Point) -> bytes:
    fields = (hint.encoded, key.encoded, box_key.encoded)
    return hash_bytes("hostless/escrow pad/1", context, *fields, size_bytes=SCALAR_BYTES)


def _covered_bytes(count: int) -> int:
    return POINT_BYTES + 2 * SCALAR_BYTES * count


def _xor(content: bytes, pad: bytes) -> bytes:
    make_sure(len(content) == len(pad), "A pad covers all of it and nothing else.")
    mixed = int.from_bytes(content, "little") ^ int.from_bytes(pad, "little")
    return mixed.to_bytes(len(pad), "little")


def _cut(joined: bytes, size: int) -> list[bytes]:
    return [joined[start : start + size] for start in range(0, len(joined), size)]
