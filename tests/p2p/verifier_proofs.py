"""Values, the group, hashing and proofs: sections 1, 2, 11 and 12 of `docs/spec/protocol.md`.

The lower half of `verifier.py`; written from the document, and imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_256
from typing import Any

import cbor2
import rbcl
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAGIC = b"hostless game 10\n"
L = 2**252 + 27742317777372353535851937790883648493
NOTHING = bytes(32)  # The encoding of the identity.
_HIGH = 1 << 255
SMALL_ORDER = {
    ((y | sign) % (1 << 256)).to_bytes(32, "little")
    for order_8 in ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"]
    for y in (int.from_bytes(bytes.fromhex(order_8), "little") % _HIGH, 0, 1, 2**255 - 20)
    for sign in (0, _HIGH)
}  # fmt: skip


class Refused(Exception):
    """The file is wrong: by whom (None: nobody signed that), and how."""

    def __init__(self, seat: int | None, why: str) -> None:
        super().__init__(f"seat {seat}: {why}" if seat is not None else why)
        self.seat = seat


def need(true: Any, why: str, seat: int | None = None) -> None:
    if not true:
        raise Refused(seat, why)


# -- Section 1: values ----------------------------------------------------------------------------


def encode(value: Any) -> bytes:
    return cbor2.dumps(value, canonical=True)


def weigh(value: Any, depth: int = 0) -> int:
    """How many items a value has, keys and values of maps among them."""
    need(depth <= 16, "nested too deeply")
    if isinstance(value, list):
        return 1 + sum(weigh(item, depth + 1) for item in value)
    if isinstance(value, dict):
        need(all(type(key) in (int, str) for key in value), "a key that is none")
        return 1 + sum(weigh(each, depth + 1) for pair in value.items() for each in pair)
    need(value is None or isinstance(value, bool | int | bytes | str), "no such values")
    need(not isinstance(value, int) or -(2**64) <= value < 2**64, "an integer too large")
    return 1


def decode(content: bytes) -> Any:
    need(len(content) <= 1 << 20, "a value too long")
    try:
        value = cbor2.loads(content)
    except (cbor2.CBORDecodeError, ValueError):
        raise Refused(None, "not CBOR") from None
    need(weigh(value) <= 4096 and encode(value) == content, "not in the one encoding")
    return value


def frames(content: bytes) -> list[Any]:
    need(content.startswith(MAGIC), "not a game file of version 10")
    at, found = len(MAGIC), []
    while at < len(content):
        end = at + 4 + int.from_bytes(content[at : at + 4], "big")
        need(at + 4 <= end <= len(content), f"a torn frame at byte {at}")
        found.append(decode(content[at + 4 : end]))
        at = end
    return found


# -- Section 2: signatures


def signed(identity: bytes, signature: Any, message: bytes) -> bool:
    if not isinstance(signature, bytes) or len(signature) != 64:
        return False
    if identity in SMALL_ORDER or signature[:32] in SMALL_ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(identity).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


# -- Section 11: the group, hashing, transcripts --------------------------------------------------


def little(number: int, size: int) -> bytes:
    return number.to_bytes(size, "little")


def scalar(content: Any) -> int:
    need(isinstance(content, bytes), "no bytes")
    number = int.from_bytes(content, "little")
    need(len(content) == 32 and number < L, "not a canonical scalar")
    return number


def point(content: Any) -> bytes:
    """A point as it stands in a file, where the identity never belongs."""
    need(isinstance(content, bytes) and len(content) == 32, "not a point")
    need(rbcl.crypto_core_ristretto255_is_valid_point(content), "not a canonical point")
    need(content != NOTHING, "the identity")
    return content


def mul(number: int, p: bytes) -> bytes:
    if number % L == 0 or p == NOTHING:
        return NOTHING
    return rbcl.crypto_scalarmult_ristretto255(little(number % L, 32), p)


def base(number: int) -> bytes:
    if number % L == 0:
        return NOTHING
    return rbcl.crypto_scalarmult_ristretto255_base(little(number % L, 32))


add, sub = rbcl.crypto_core_ristretto255_add, rbcl.crypto_core_ristretto255_sub


def total(points: Any) -> bytes:
    result = NOTHING
    for each in points:
        result = add(result, each)
    return result


def dot(numbers: Any, points: Any) -> bytes:
    return total(mul(n, p) for n, p in zip(numbers, points, strict=True))


def frame(label: str | bytes, value: bytes) -> bytes:
    label = label.encode() if isinstance(label, str) else label
    return little(len(label), 4) + label + little(len(value), 8) + value


def wide(label: str, size: int, *values: bytes) -> bytes:
    said = b"".join(frame("field", value) for value in values)
    return shake_256(frame(label, b"") + said).digest(size)


def to_point(label: str, *values: bytes) -> bytes:
    return rbcl.crypto_core_ristretto255_from_hash(wide(label, 64, *values))


_BASES: list[bytes] = []


def com(numbers: list[int], blinding: int) -> bytes:
    while len(_BASES) < len(numbers):
        _BASES.append(to_point("hostless/commitment bases/1", little(len(_BASES), 4)))
    return add(base(blinding), dot(numbers, _BASES[: len(numbers)]))


class Transcript:
    def __init__(self, protocol: str, context: bytes) -> None:
        self.state = frame("hostless/" + protocol, context)

    def absorb(self, label: str, *values: bytes) -> None:
        self.state += b"".join(frame(label, value) for value in values)

    def challenges(self, label: str, n: int) -> list[int]:
        self.absorb("challenge", label.encode(), little(n, 4))
        out = shake_256(self.state).digest(64 * n)
        return [int.from_bytes(out[64 * i : 64 * i + 64], "little") % L for i in range(n)]

    def challenge(self, label: str) -> int:
        return self.challenges(label, 1)[0]

    def weights(self, n: int) -> list[int]:
        return [1, *self.challenges("weights", n - 1)]


# -- Section 12: proofs.  A pair is (a, b) ---------------------------------------------------------

Pair = tuple[bytes, bytes]


def flat(pairs: list[Pair]) -> bytes:
    return b"".join(a + b for a, b in pairs)


def pieces(content: Any, size: int = 32) -> list[bytes]:
    need(isinstance(content, bytes) and len(content) % size == 0, "cut bytes")
    return [content[i : i + size] for i in range(0, len(content), size)]


def pairs_of(content: Any, count: int) -> list[Pair]:
    halves = [point(half) for half in pieces(content)]
    need(len(halves) == 2 * count and 1 <= count <= 1024, "another number of cards")
    return list(zip(halves[::2], halves[1::2], strict=True))


def scalars(proof: Any, count: int) -> list[int]:
    need(isinstance(proof, bytes) and len(proof) == 32 * count, "a proof of another length")
    return [scalar(piece) for piece in pieces(proof)]


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


# -- Section 12.7: keys in parts -------------------------------------------------------------------


def escrow(public: bytes, boxes: Sequence[bytes], deal: object, ctx: bytes) -> None:
    """A key in parts for the holders of `boxes`."""
    n = len(boxes)
    need(isinstance(deal, bytes) and len(deal) == 2080 * n + 4128, "parts of another length")
    parts, rest = [point(each) for each in pieces(deal[: 32 * n])], deal[32 * n :]
    c, seeds, said = rest[:32], pieces(rest[32 : 32 + 16 * 192], 16), rest[32 + 16 * 192 :]
    need(total(parts) == public, "the parts are not those of the key")
    order = in_order_of(wide("hostless/order/1", 16 * 224, c), 224)
    covered, digests = sorted(order[:32]), dict[int, bytes]()
    shown = dict(zip(covered, pieces(said, 64 * n + 32), strict=True))
    opened = iter(seeds)
    for i in range(224):
        digests[i] = (
            covered_round(parts, shown[i]) if i in shown else seeded_round(boxes, next(opened), ctx)
        )
    t = Transcript("escrow/2", ctx)
    t.absorb("keys", b"".join(boxes))
    t.absorb("parts", b"".join(parts))
    t.absorb("rounds", b"".join(digests[i] for i in range(224)))
    need(t.challenge("challenge") == scalar(c), "a false deal of parts")


def in_order_of(drawn: bytes, count: int) -> list[int]:
    return sorted(range(count), key=lambda i: drawn[16 * i : 16 * i + 16])


def seeded_round(boxes: Sequence[bytes], seed: bytes, ctx: bytes) -> bytes:
    out = wide("hostless/escrow round/1", 64 * (len(boxes) + 1), ctx, seed)
    r, *t = [int.from_bytes(piece, "little") % L for piece in pieces(out, 64)]
    first, closed = base(r), []
    for part, key in zip(t, boxes, strict=True):
        pad = wide("hostless/escrow pad/1", 32, ctx, first, key, mul(r, key))
        closed.append(bytes(x ^ y for x, y in zip(little(part, 32), pad, strict=True)))
    return wide("hostless/escrow digest/1", 32, first + b"".join([*map(base, t), *closed]))


def covered_round(parts: Sequence[bytes], said: bytes) -> bytes:
    n = len(parts)
    d = [scalar(each) for each in pieces(said[32 + 32 * n :])]
    masks = [sub(base(each), part) for each, part in zip(d, parts, strict=True)]
    told = point(said[:32]) + b"".join(masks) + said[32 : 32 + 32 * n]
    return wide("hostless/escrow digest/1", 32, told)
