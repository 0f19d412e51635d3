"""Values, frames and signatures: sections 1 and 2 of the protocol."""

from __future__ import annotations

from typing import Any

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAGIC = b"hostless game 13\n"
_HIGH = 1 << 255
SMALL_ORDER = {
    ((y | sign) % (1 << 256)).to_bytes(32, "little")
    for order_8 in ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"]
    for y in (int.from_bytes(bytes.fromhex(order_8), "little") % _HIGH, 0, 1, 2**255 - 20)
    for sign in (0, _HIGH)
}  # fmt: skip


class Refused(Exception):
    """What is wrong, and who signed it (None: nobody did)."""

    def __init__(self, seat: int | None, why: str) -> None:
        super().__init__(f"seat {seat}: {why}" if seat is not None else why)
        self.seat, self.why = seat, why


def need(true: Any, why: str, seat: int | None = None) -> None:
    if not true:
        raise Refused(seat, why)


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
    need(content.startswith(MAGIC), "not a game file of version 11")
    at, found = len(MAGIC), []
    while at < len(content):
        end = at + 4 + int.from_bytes(content[at : at + 4], "big")
        need(at + 4 <= end <= len(content), f"a torn frame at byte {at}")
        found.append(decode(content[at + 4 : end]))
        at = end
    return found


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
