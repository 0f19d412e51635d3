"""A key in parts: section 12.7 of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.p2p.verifier.group import (
    L,
    Transcript,
    base,
    little,
    mul,
    pieces,
    point,
    scalar,
    sub,
    total,
    wide,
)
from tests.p2p.verifier.values import need

ROUNDS, COVERED, SEED = 224, 32, 16


@dataclass(frozen=True)
class CoveredRound:
    """A round of which the seed is not said: R, all boxes, and all `d_k = t_k + s_k`."""

    hint: bytes
    boxes: list[bytes]
    sums: list[int]

    def part(self, place: int, secret: int, ctx: bytes) -> int:
        """What the recipient in this place finds, who has the secret of the box."""
        pad = pad_for(ctx, self.hint, base(secret), mul(secret, self.hint))
        return (self.sums[place] - int.from_bytes(xor(self.boxes[place], pad), "little")) % L

    def digest(self, parts: Sequence[bytes]) -> bytes:
        masks = [sub(base(d), part) for d, part in zip(self.sums, parts, strict=True)]
        return round_digest(self.hint, masks, self.boxes)


def escrow(
    public: bytes, keys: Sequence[bytes], deal: object, ctx: bytes
) -> tuple[list[bytes], list[CoveredRound]]:
    """A key in parts for the holders of these keys: the points of the parts, the covered rounds."""
    n, seeds_end = len(keys), 32 + SEED * (ROUNDS - COVERED)
    need(isinstance(deal, bytes) and len(deal) == 2080 * n + 4128, "parts of another length")
    parts, rest = [point(each) for each in pieces(deal[: 32 * n])], deal[32 * n :]
    need(total(parts) == public, "the parts are not those of the key")
    c, seeds = rest[:32], iter(pieces(rest[32:seeds_end], SEED))
    covered = [covered_round(said, n) for said in pieces(rest[seeds_end:], 64 * n + 32)]
    waiting, chosen = iter(covered), covered_by(c)
    digests = [
        next(waiting).digest(parts) if i in chosen else seeded_round(keys, next(seeds), ctx)
        for i in range(ROUNDS)
    ]
    said = Transcript("escrow/2", ctx)
    said.absorb("keys", b"".join(keys))
    said.absorb("parts", b"".join(parts))
    said.absorb("rounds", b"".join(digests))
    need(said.challenge("challenge") == scalar(c), "a false deal of parts")
    return parts, covered


def covered_by(challenge: bytes) -> set[int]:
    """The rounds that this challenge leaves covered."""
    drawn = wide("hostless/order/1", 16 * ROUNDS, challenge)
    order = sorted(range(ROUNDS), key=lambda i: drawn[16 * i : 16 * i + 16])
    return set(order[:COVERED])


def covered_round(said: bytes, n: int) -> CoveredRound:
    boxes, sums = pieces(said[32 : 32 + 32 * n]), pieces(said[32 + 32 * n :])
    return CoveredRound(point(said[:32]), boxes, [scalar(each) for each in sums])


def seeded_round(keys: Sequence[bytes], seed: bytes, ctx: bytes) -> bytes:
    out = wide("hostless/escrow round/1", 64 * (len(keys) + 1), ctx, seed)
    r, *t = [int.from_bytes(piece, "little") % L for piece in pieces(out, 64)]
    return round_digest(base(r), [base(each) for each in t], closed(ctx, r, keys, t))


def closed(ctx: bytes, r: int, keys: Sequence[bytes], t: Sequence[int]) -> Iterator[bytes]:
    """The box of each recipient."""
    for key, part in zip(keys, t, strict=True):
        yield xor(little(part, 32), pad_for(ctx, base(r), key, mul(r, key)))


def pad_for(ctx: bytes, hint: bytes, key: bytes, both: bytes) -> bytes:
    return wide("hostless/escrow pad/1", 32, ctx, hint, key, both)


def round_digest(hint: bytes, masks: Sequence[bytes], boxes: object) -> bytes:
    return wide("hostless/escrow digest/1", 32, b"".join([hint, *masks, *boxes]))


def xor(left: bytes, right: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(left, right, strict=True))
