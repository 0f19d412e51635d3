"""Small decks, seats and spoiled bytes for the tests of the card mathematics."""

import hashlib
from collections.abc import Callable, Iterator

from p2p.crypto.group import L, Point, base, hash_to_point
from p2p.crypto.masking import Masked, make_shares, open_form, remask, strip
from p2p.crypto.transcript import ProofError

CONTEXT = b"version 1, game 7, step 3, seat 0, test"
OTHER_CONTEXT = b"version 1, game 8, step 3, seat 0, test"
SECRET, OTHER_SECRET, THIRD_SECRET = 1234567890123456789, 987654321987654321, 31415926535
KEY, OTHER_KEY, THIRD_KEY = base(SECRET), base(OTHER_SECRET), base(THIRD_SECRET)
NOT_A_POINT = bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371")
IDENTITY_BYTES = bytes(32)


def face(number: int) -> Point:
    """Give the point of a face."""
    return hash_to_point("test face", number.to_bytes(2, "little"))


def deck(*numbers: int, key: Point = KEY) -> list[Masked]:
    """Give cards under a key, each with a mask of its own."""
    masks = range(1001, 1001 + len(numbers))
    pairs = zip(numbers, masks, strict=True)
    return [remask(open_form(face(number), key), key, mask) for number, mask in pairs]


def read(secret: int, cards: list[Masked]) -> list[Point]:
    """Give what cards under one key say."""
    shares = make_shares(secret, cards)
    return [strip(card, [share]).b for card, share in zip(cards, shares, strict=True)]


def is_accepted(verify: Callable[..., None], *statement: object) -> bool:
    """Whether a proof is accepted."""
    try:
        verify(*statement)
    except ProofError:
        return False
    return True


def spoiled(proof: bytes, points_count: int = 0) -> Iterator[tuple[str, bytes]]:
    """Give every way to spoil a proof of points and then scalars, each with a name."""
    yield "empty", b""
    yield "cut", proof[:-1]
    yield "cut by a field", proof[:-32]
    yield "longer", proof + b"\0"
    yield "longer by a field", proof + bytes(32)
    for start in range(0, len(proof), 32):
        is_point = start < points_count * 32
        yield from _spoiled_field(proof, start, is_point)


def _spoiled_field(proof: bytes, start: int, is_point: bool) -> Iterator[tuple[str, bytes]]:
    """Give the ways to spoil one field of 32 bytes."""
    field = proof[start : start + 32]
    number = int.from_bytes(field, "little")
    wrong = {
        "zero": IDENTITY_BYTES,
        "one bit": bytes([field[0] ^ 1]) + field[1:],
        "not a point": NOT_A_POINT,
        "another point": KEY.encoded,
    }
    if not is_point:
        wrong = {
            "zero": bytes(32),
            "one more": ((number + 1) % L).to_bytes(32, "little"),
            "the same modulo L": (number + L).to_bytes(32, "little"),
            "L itself": L.to_bytes(32, "little"),
            "top bit": field[:31] + bytes([field[31] | 0x80]),
        }
    for name, value in wrong.items():
        yield f"field {start // 32}: {name}", proof[:start] + value + proof[start + 32 :]


def predictable(seed: str) -> Callable[[int], bytes]:
    """Give a source of bytes that is the same every time: for frozen proofs only."""
    drawn = 0

    def draw(size_bytes: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return hashlib.shake_256(f"{seed} {drawn}".encode()).digest(size_bytes)

    return draw
