"""An identity that signs the same words as often as it likes, each time with another signature.

Ed25519 asks a signer to take the one number that follows from key and message (RFC 8032, 5.1.6).
Nobody can see whether it did: any other is as good, and every signature by it holds.
"""

from __future__ import annotations

import ctypes
import hashlib
from typing import Final

from p2p.base.identity import Identity
from p2p.crypto import sodium

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_base = sodium._bind("crypto_scalarmult_ed25519_base_noclamp", 2)


class SigningAgain(Identity):
    """The same person, and signatures that are all different."""

    def __init__(self, identity: Identity) -> None:
        super().__init__(identity.key)
        self._count = 0

    def sign(self, message: bytes) -> bytes:
        """Another signature each time."""
        self._count += 1
        secret = bytearray(hashlib.sha512(self.key.private_bytes_raw()).digest()[:32])
        secret[0] &= 248
        secret[31] = secret[31] & 63 | 64
        point = _times_base(self._count)
        hashed = hashlib.sha512(point + self.public + message).digest()
        challenge = int.from_bytes(hashed, "little")
        answer = (self._count + challenge * int.from_bytes(secret, "little")) % ORDER
        return point + answer.to_bytes(32, "little")


def _times_base(scalar: int) -> bytes:
    point = ctypes.create_string_buffer(32)
    assert _base(point, scalar.to_bytes(32, "little")) == 0, "it is a point"
    return point.raw
