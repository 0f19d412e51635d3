"""A strong key from a weak password that both ends know; a stranger gets one guess for each run.

CPace, CPACE-RISTR255-SHA512, with initiator and responder and with key confirmation:
draft-irtf-cfrg-cpace-21, sections 6.3, 7.2, 8.1, 8.3 and 10.4; Abdalla, Haase and Hesse, "Security
analysis of CPace" (ASIACRYPT 2021).  Whoever listens, or answers without the password, learns
nothing that could be tried out at home.

    both          g = point of SHA-512(CPaceRistretto255, password, zeros, ci, sid)
    A -> B        Ya = ya g
    B -> A        Yb = yb g,  HMAC(mac key, Yb, ADb)
    A -> B                    HMAC(mac key, Ya, ADa)
    both          K = ya Yb = yb Ya,  key = SHA-512(CPaceRistretto255_ISK, sid, K, Ya, ADa, Yb, ADb)

`ci` and `sid` have to name both ends and this very channel, or somebody in between could pass the
messages on.

What this does not protect against: guesses made one after the other at the door, which have to be
counted there; a password that was told to somebody; and whoever times this very process, since
Python's integers are not constant-time.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final, NamedTuple

from p2p.crypto import sodium
from p2p.crypto.group import Point, random_scalar
from p2p.crypto.transcript import ProofError

_TAG_BYTES: Final = 64
_DSI: Final = b"CPaceRistretto255"
_BLOCK_BYTES: Final = 128  # Of SHA-512.


class Statement(NamedTuple):
    """What one end says in the open: its share, and text that belongs to it."""

    share: bytes
    text: bytes

    def encoded(self) -> bytes:
        """Both, each with its length."""
        return _framed(self.share, self.text)


class CpaceRun:
    """One end of one run."""

    def __init__(
        self, password: bytes, ci: bytes, sid: bytes, text: bytes, scalar: int | None = None
    ) -> None:
        """`text` says which end this is; the other has to have another one."""
        self._sid, self._scalar = sid, random_scalar() if scalar is None else scalar
        generator = Point(sodium.from_hash(_hash(generator_string(password, ci, sid))))
        self.mine = Statement((generator * self._scalar).encoded, text)

    def key_with(self, theirs: Statement, *, is_initiator: bool) -> bytes:
        """The key of 64 bytes that both have whose passwords are the same.

        Raises:
            ProofError: their share is no point, the identity, or our own.
        """
        if theirs.share == self.mine.share:
            raise ProofError("This is our own share.")
        secret = Point.parse(theirs.share) * self._scalar
        first, second = (self.mine, theirs) if is_initiator else (theirs, self.mine)
        said = _framed(_DSI + b"_ISK", self._sid, secret.encoded)
        return _hash(said + first.encoded() + second.encoded())

    def tags(self, theirs: Statement, *, is_initiator: bool) -> tuple[bytes, bytes]:
        """What confirms the key to the other end, and what the other end must say; once each.

        Raises:
            ProofError: see `key_with`.
        """
        key = self.key_with(theirs, is_initiator=is_initiator)
        mac_key = _hash(b"CPaceMac" + self._sid + key)
        return _tag(mac_key, self.mine), _tag(mac_key, theirs)


def generator_string(password: bytes, ci: bytes, sid: bytes) -> bytes:
    """What is hashed to the generator: the password fills the first block, whatever its length."""
    taken = len(_framed(password)) + len(_framed(_DSI)) + 1
    return _framed(_DSI, password, bytes(max(0, _BLOCK_BYTES - taken)), ci, sid)


def _tag(mac_key: bytes, said: Statement) -> bytes:
    return hmac.digest(mac_key, said.encoded(), "sha512")


def _hash(said: bytes) -> bytes:
    return hashlib.sha512(said).digest()


def _framed(*parts: bytes) -> bytes:
    """Each part behind its length in LEB128 (section 6.3: lv_cat)."""
    return b"".join(_leb128(len(part)) + part for part in parts)


def _leb128(number: int) -> bytes:
    """Seven bits a byte, the lowest first.

    >>> _leb128(300).hex()
    'ac02'
    """
    low, rest = number & 0x7F, number >> 7
    return bytes([low]) if not rest else bytes([low | 0x80]) + _leb128(rest)
