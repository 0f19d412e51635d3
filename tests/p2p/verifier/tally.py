"""Hands taken off a tally, and the test of equality: sections 12.8 and 12.9 of the protocol."""

from __future__ import annotations

from typing import Any

from tests.p2p.verifier.group import (
    NOTHING,
    L,
    Pair,
    Transcript,
    add,
    base,
    dot,
    flat,
    little,
    mul,
    pairs_of,
    scalars,
    sub,
    total,
)
from tests.p2p.verifier.proofs import rekey
from tests.p2p.verifier.values import need

Tally = list[tuple[bytes, list[Pair]]]  # Of each face: its point, and its counters.


def full_tally(key: bytes, faces: list[tuple[bytes, int]]) -> Tally:
    """A tally of which nothing is taken off."""
    return [(face, [(base(1), add(face, key))] * count) for face, count in faces]


def counters(tally: Tally) -> list[Pair]:
    return [counter for _, mine in tally for counter in mine]


def subtracted(keys: Pair, tally: Tally, held: list[Pair], said: Any, ctx: bytes) -> Tally:
    """The tally without a hand, whose cards are under the first key."""
    (owner, key), sizes = keys, [len(mine) for _, mine in tally]
    widths = [min(len(held), size) + 1 for size in sizes]
    ends = [64 * len(held), 64 * len(tally), 64 * sum(sizes), 96]
    need(isinstance(said, bytes) and len(said) == sum(ends) + 64 * sum(widths), "another length")
    parts, rest = [], said
    for size in ends:
        parts.append(rest[:size])
        rest = rest[size:]
    cards, sums, new = (pairs_of(part, len(part) // 64) for part in parts[:3])
    rekey(keys, held, cards, parts[3], ctx)
    for half in (0, 1):
        same = total(c[half] for c in cards) == total(c[half] for c in sums)
        need(same, "the tally loses other cards than the hand has")
    t = Transcript("strike/1", ctx)
    t.absorb("keys", owner, key)
    t.absorb("faces", b"".join(face for face, _ in tally))
    t.absorb("sizes", b"".join(little(size, 4) for size in sizes))
    t.absorb("stock", flat(counters(tally)))
    t.absorb("held", flat(held))
    t.absorb("said", b"".join(parts))
    after, start = [], 0
    for (face, _), size in zip(tally, sizes, strict=True):
        after.append((face, new[start : start + size]))
        start += size
    one_of_each(t, key, list(zip(tally, after, sums, widths, strict=True)), rest)
    return after


def one_of_each(t: Transcript, key: bytes, faces: list[Any], proof: bytes) -> None:
    """For each face one of the numbers that a hand may have of it is the true one."""
    w, all_widths = t.challenge("power"), sum(width for *_, width in faces)
    numbers = scalars(proof, 2 * all_widths)
    c, s = iter(numbers[:all_widths]), iter(numbers[all_widths:])
    shares = []
    for (face, old), (_, new), taken, width in faces:
        mine = [next(c) for _ in range(width)]
        shares.append(sum(mine) % L)
        for n, challenge in enumerate(mine):
            a, b = difference(key, (face, w), n, (old, new, taken))
            response = next(s)
            first = sub(base(response), mul(challenge, a))
            t.absorb("commitments", first, sub(mul(response, key), mul(challenge, b)))
    whole = t.challenge("challenge")
    need(all(share == whole for share in shares), "a false subtraction of a hand")


def difference(key: bytes, face: tuple[bytes, int], n: int, parts: Any) -> Pair:
    """`D_n`, which says nothing if the hand has n cards of the face."""
    (message, w), (old, new, taken) = face, parts
    powers = [pow(w, j, L) for j in range(1, len(old) + 1)]
    moved = [(base(1), key)] * n + old[: len(old) - n]
    halves = []
    for half in (0, 1):
        gaps = [sub(now[half], was[half]) for now, was in zip(new, moved, strict=True)]
        halves.append(add(taken[half], dot(powers, gaps)))
    return halves[0], sub(halves[1], mul(n, message))


def blinded(cards: list[Pair], said: Any, ctx: bytes) -> list[Pair]:
    """What a seat has made of these cards, each with a factor of its own."""
    n = len(cards)
    need(isinstance(said, bytes) and len(said) == 96 * n + 32, "a test of another length")
    raised = pairs_of(said[: 64 * n], n)
    c, *responses = scalars(said[64 * n :], n + 1)
    t = Transcript("blind/1", ctx)
    t.absorb("cards", flat(cards))
    t.absorb("raised", flat(raised))
    for old, new, s in zip(cards, raised, responses, strict=True):
        t.absorb("commitments", *(sub(mul(s, old[half]), mul(c, new[half])) for half in (0, 1)))
    need(t.challenge("challenge") == c, "a false test of equality")
    return raised


def added_up(tests: list[list[Pair]]) -> list[Pair]:
    """The tests of all seats together, of each card."""
    together = list(zip(*tests, strict=True))
    rows = [(total(a for a, _ in row), total(b for _, b in row)) for row in together]
    need(all(a != NOTHING for a, _ in rows), "what was blinded adds up to nothing")
    return rows
