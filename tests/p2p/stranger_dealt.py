"""A second reader of keys in parts.

Written from section 12.7 of `docs/spec/protocol.md` alone; see `tests.p2p.stranger`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tests.p2p.stranger import (
    G,
    L,
    Transcript,
    cut,
    hashed,
    less,
    points,
    scalar,
    scalars,
    times,
    total,
)

ROUNDS: Final = 224
COVERED: Final = 32


class Covered(NamedTuple):
    """One round of those that the challenge picks."""

    hint: bytes
    boxes: list[bytes]
    sums: list[int]


def deal(
    public: bytes, keys: list[bytes], context: bytes, said: bytes
) -> tuple[list[bytes], list[Covered]]:
    """The parts and the covered rounds of a key in parts for `keys`, checked."""
    n = len(keys)
    size = 32 + 64 * n
    at = 32 * n + 32 + 16 * (ROUNDS - COVERED)
    assert len(said) == at + COVERED * size
    parts, (challenge,) = points(said[: 32 * n]), scalars(said[32 * n : 32 * n + 32])
    assert total(*parts) == public
    seeds = iter(cut(said[32 * n + 32 : at], 16))
    order = hashed(16 * ROUNDS, "hostless/order/1", scalar(challenge))
    picked = sorted(range(ROUNDS), key=lambda i: order[16 * i : 16 * i + 16])[:COVERED]
    covered = [_covered(each, n) for each in cut(said[at:], size)]
    waiting = iter(covered)
    rounds = [
        _told(next(waiting), parts) if i in picked else _made(next(seeds), keys, context)
        for i in range(ROUNDS)
    ]
    transcript = Transcript("hostless/escrow/2", context)
    transcript.absorb("keys", b"".join(keys))
    transcript.absorb("parts", b"".join(parts))
    transcript.absorb("rounds", b"".join(rounds))
    assert transcript.challenge("challenge") == challenge
    return parts, covered


def part(secret: int, at: int, key: bytes, context: bytes, covered: Covered) -> int:
    """What recipient `at` finds in a covered round."""
    pad = _pad(context, covered.hint, key, times(secret, covered.hint))
    return (covered.sums[at] - int.from_bytes(_xor(covered.boxes[at], pad), "little")) % L


def _covered(said: bytes, n: int) -> Covered:
    (hint,) = points(said[:32])
    boxes = cut(said[32 : 32 + 32 * n])
    return Covered(hint, boxes, scalars(said[32 + 32 * n :]))


def _told(each: Covered, parts: list[bytes]) -> bytes:
    shown = [less(times(number, G), one) for number, one in zip(each.sums, parts, strict=True)]
    return hashed(32, "hostless/escrow digest/1", each.hint + b"".join(shown + each.boxes))


def _made(seed: bytes, keys: list[bytes], context: bytes) -> bytes:
    wide = hashed(64 * (len(keys) + 1), "hostless/escrow round/1", context, seed)
    r, *numbers = (int.from_bytes(each, "little") % L for each in cut(wide, 64))
    hint = times(r, G)
    boxes = [
        _xor(scalar(number), _pad(context, hint, key, times(r, key)))
        for number, key in zip(numbers, keys, strict=True)
    ]
    shown = [times(number, G) for number in numbers]
    return hashed(32, "hostless/escrow digest/1", hint + b"".join(shown + boxes))


def _pad(context: bytes, hint: bytes, key: bytes, both: bytes) -> bytes:
    return hashed(32, "hostless/escrow pad/1", context, hint, key, both)


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))
