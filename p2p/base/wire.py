"""Values as bytes, in exactly one way: canonical CBOR in length-prefixed frames.

    frame = length of the payload, 4 bytes big-endian | payload
    payload = one item of CBOR in the core deterministic encoding (RFC 8949, section 4.2.1)

What is signed and hashed are these bytes, so one value must have one encoding: shortest lengths,
keys of maps in the order of their encodings, no floats, no tags, nothing indefinite, no key twice.
`decode` refuses the rest by encoding again what it read.  It never allocates what a length claims,
only what has arrived: lengths are checked against the limits first and against the bytes next.
A value of a megabyte may still be a million values inside each other, which take seconds: so their
heads are counted before anything is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cbor2

from p2p.base.errors import MalformedFrame
from p2p.base.limits import DEPTH_MAX, FRAME_BYTES_MAX, INTEGER_BITS_MAX, ITEMS_MAX

FRAME_HEADER_BYTES: Final = 4
_GIVEN_IN_1_BYTE, _GIVEN_IN_8_BYTES = 24, 27  # What is no small number itself (RFC 8949, 3).
_TEXTS: Final = (2, 3)  # Major types: strings of bytes, and of text.
_INTEGER_LIMIT: Final = 1 << INTEGER_BITS_MAX


def encode(value: object) -> bytes:
    """The one encoding of a value of int, bytes, str, bool, None, list, tuple and dict.

    >>> encode([1, {"b": b"", "a": None}]).hex()
    '8201a26161f6616240'
    """
    try:
        encoded = cbor2.dumps(_plain(value, 0))
    except _NotPlainError as error:
        raise AssertionError(f"we tried to send {error}") from error
    assert len(encoded) <= FRAME_BYTES_MAX, "we tried to send a frame beyond the limit"
    return encoded


def decode(raw: bytes, items_max: int = ITEMS_MAX) -> object:
    """The value of one canonical encoding, of so many items at most; arrays become lists.

    Raises:
        MalformedFrame: the bytes are no canonical encoding, or beyond the limits.
    """
    if len(raw) > FRAME_BYTES_MAX:
        raise MalformedFrame(f"a frame of {len(raw)} bytes; {FRAME_BYTES_MAX} are allowed")
    if len(raw) > items_max:  # Every item takes a byte.
        _check_items(raw, items_max)
    try:
        value = cbor2.loads(
            raw, max_depth=DEPTH_MAX, allow_indefinite=False, allow_duplicate_keys=False
        )
        again = cbor2.dumps(_plain(value, 0))
    except (cbor2.CBORError, _NotPlainError, UnicodeError, TypeError, ValueError) as error:
        raise MalformedFrame(f"these bytes are no frame: {error}") from error
    if again != raw:
        raise MalformedFrame("these bytes are not in canonical form")
    return value


def _check_items(raw: bytes, items_max: int) -> None:
    """Count the items of a value, however deep, by their heads (RFC 8949, section 3)."""
    at = count = 0
    while at < len(raw):
        major, given = raw[at] >> 5, raw[at] & 0x1F
        at, count = at + 1, count + 1
        if count > items_max:
            raise MalformedFrame(f"a value of more than {items_max} items")
        if given > _GIVEN_IN_8_BYTES:
            raise MalformedFrame("a length that is none, or is not said beforehand")
        if given >= _GIVEN_IN_1_BYTE:
            size = 1 << given - _GIVEN_IN_1_BYTE
            given = int.from_bytes(raw[at : at + size])
            at += size
        if major in _TEXTS:
            at += given


def frame(payload: bytes) -> bytes:
    """A payload with its length in front, as it goes over a link or into a file."""
    assert len(payload) <= FRAME_BYTES_MAX, "we tried to send a frame beyond the limit"
    return len(payload).to_bytes(FRAME_HEADER_BYTES) + payload


class FrameReader:
    """Cuts a stream of bytes into payloads.  No I/O: bytes go in, payloads come out."""

    def __init__(self, bytes_max: int = FRAME_BYTES_MAX) -> None:
        self.bytes_max = bytes_max  # May be raised once a peer has proven who it is.
        self._waiting = bytearray()

    def feed(self, received: bytes | bytearray) -> None:
        """Take in what a read returned; any cut is fine."""
        self._waiting += received

    def next(self) -> bytes | None:
        """The next whole payload, or None until more bytes are fed.

        Raises:
            MalformedFrame: the next frame claims to be longer than `bytes_max`.
        """
        if len(self._waiting) < FRAME_HEADER_BYTES:
            return None
        size = int.from_bytes(self._waiting[:FRAME_HEADER_BYTES])
        if size > self.bytes_max:
            raise MalformedFrame(f"a frame of {size} bytes; {self.bytes_max} are allowed")
        end = FRAME_HEADER_BYTES + size
        if len(self._waiting) < end:
            return None
        payload = bytes(self._waiting[FRAME_HEADER_BYTES:end])
        del self._waiting[:end]
        return payload

    def __iter__(self) -> Iterator[bytes]:
        """The payloads that are whole by now."""
        while (payload := self.next()) is not None:
            yield payload


class _NotPlainError(ValueError):
    """A value that has no place on the wire."""


def _plain(value: object, depth: int) -> object:
    """The value with the keys of its maps in canonical order.

    The order is by encoded key, which cbor2's own `canonical=True` (RFC 7049: shorter keys first)
    is not when a map has keys of several kinds.
    """
    kind = type(value)
    if kind is bytes or kind is str or kind is bool or value is None:
        return value
    if isinstance(value, int):
        if not -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
            raise _NotPlainError("an integer of more than 64 bits")
        return value
    if isinstance(value, list | tuple):
        _check_depth(depth)
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        _check_depth(depth)
        keys = sorted(value, key=_encoded_key)
        return {key: _plain(value[key], depth + 1) for key in keys}
    raise _NotPlainError(f"a value of type {kind.__name__}")


def _check_depth(depth: int) -> None:
    if depth >= DEPTH_MAX:
        raise _NotPlainError(f"more than {DEPTH_MAX} arrays or maps inside each other")


def _encoded_key(key: object) -> bytes:
    if type(key) is not int and type(key) is not str:
        raise _NotPlainError("a map with a key that is neither text nor an integer")
    return cbor2.dumps(_plain(key, 0))
