"""Proofs about keys, cards and shuffles: sections 12.1 to 12.6 of the protocol."""

from __future__ import annotations

from typing import Any

from tests.p2p.verifier.group import (
    L,
    Pair,
    Transcript,
    add,
    base,
    com,
    dot,
    flat,
    mul,
    pieces,
    point,
    scalars,
    sub,
)
from tests.p2p.verifier.values import need


def possession(public: bytes, proof: bytes, context: bytes) -> None:
    c, s = scalars(proof, 2)
    said = Transcript("possession/1", context)
    said.absorb("public", public)
    said.absorb("commitment", sub(base(s), mul(c, public)))
    need(said.challenge("challenge") == c, "a false proof of possession")


def shares(public: bytes, cards: list[Pair], shown: list[bytes], proof: bytes, ctx: bytes) -> None:
    c, s = scalars(proof, 2)
    said = Transcript("shares/1", ctx)
    said.absorb("public", public)
    said.absorb("cards", flat(cards))
    said.absorb("shares", b"".join(shown))
    w = said.weights(len(cards))
    first, second = dot(w, [a for a, _ in cards]), dot(w, shown)
    t1, t2 = sub(base(s), mul(c, public)), sub(mul(s, first), mul(c, second))
    said.absorb("commitments", t1, t2)
    need(said.challenge("challenge") == c, "a false proof of shares")


def rekey(keys: Pair, before: list[Pair], after: list[Pair], proof: bytes, ctx: bytes) -> None:
    (old, new), (c, s, z) = keys, scalars(proof, 3)
    said = Transcript("rekey/1", ctx)
    said.absorb("keys", old, new)
    said.absorb("inputs", flat(before))
    said.absorb("outputs", flat(after))
    w = said.weights(len(before))
    a, a2 = dot(w, [card[0] for card in before]), dot(w, [card[0] for card in after])
    d = sub(dot(w, [card[1] for card in before]), dot(w, [card[1] for card in after]))
    t3 = sub(sub(mul(s, a), mul(z, new)), mul(c, d))
    said.absorb("commitments", sub(base(s), mul(c, old)), sub(base(z), mul(c, a2)), t3)
    need(said.challenge("challenge") == c, "a false proof of re-keying")


def one_of_many(
    public: bytes, cards: list[Pair], faces: list[bytes], proof: object, ctx: bytes
) -> None:
    n = len(cards) * len(faces)
    numbers = scalars(proof, 2 * n)
    said = Transcript("membership/1", ctx)
    said.absorb("public", public)
    said.absorb("cards", flat(cards))
    said.absorb("allowed", b"".join(faces))
    choices = [(a, sub(b, face)) for a, b in cards for face in faces]
    for (a, rest), c, s in zip(choices, numbers[:n], numbers[n:], strict=True):
        t, u = sub(base(s), mul(c, public)), sub(mul(s, a), mul(c, rest))
        said.absorb("commitments", t, u)
    c = said.challenge("challenge")
    each = [sum(numbers[i : i + len(faces)]) % L for i in range(0, n, len(faces))]
    need(all(one == c for one in each), "a false claim")


def shuffle(key: bytes, before: list[Pair], after: list[Pair], proof: Any, ctx: bytes) -> None:
    n = len(before)
    need(len(after) == n and isinstance(proof, bytes) and len(proof) == 96 * n + 288, "a length")
    order, cover, a, b, *known = [point(piece) for piece in pieces(proof[:224])]
    z, *rest = scalars(proof[224:], 3 * n + 2)
    said = Transcript("shuffle/1", ctx)
    said.absorb("key", key)
    said.absorb("inputs", flat(before))
    said.absorb("outputs", flat(after))
    said.absorb("order", order)
    said.absorb("cover", cover, a + b)
    t, f = said.challenges("questions", n), rest[:n]
    said.absorb("answers", proof[224 : 256 + 32 * n])
    v = said.challenge("factor")
    whole = add(add(mul(v, order), cover), com(f, 0))
    known_shuffle(said, whole, [(v * i + t[i]) % L for i in range(n)], known, rest[n:])
    for half, extra, end in ((0, a, base(z)), (1, b, mul(z, key))):
        left = sub(dot(f, [p[half] for p in after]), dot(t, [p[half] for p in before]))
        need(add(left, extra) == end, "a false shuffle")


def known_shuffle(
    said: Transcript, whole: bytes, numbers: list[int], points: list[bytes], rest: list[int]
) -> None:
    n, (cover, cross, links) = len(numbers), points
    blind_f, blind_e, f, g = rest[0], rest[1], rest[2 : n + 2], rest[n + 2 :]
    x = said.challenge("root")
    said.absorb("content", cover + cross + links)
    e = said.challenge("content")
    need(add(mul(e, whole), cover) == com(f, blind_f), "a false shuffle: cover")
    need(add(mul(e, links), cross) == com(g, blind_e), "a false shuffle: links")
    have, product = (f[0] - e * x) % L, e
    for i in range(n - 1):
        have = (have * (f[i + 1] - e * x) + g[i]) * pow(e, -1, L) % L
    for number in numbers:
        product = product * (number - x) % L
    need(have == product, "a false shuffle: product")
