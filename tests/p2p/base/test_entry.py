"""One entry: which bytes are one, and what its signature covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from p2p.base.entry import (
    DIGEST_BYTES,
    ENTRY_COUNT_MAX,
    HASH_BYTES,
    KIND_LETTERS_MAX,
    Entry,
    Position,
    check_signature,
    parse_entry,
    sign_entry,
)
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.identity import Identity
from p2p.base.wire import encode

PARTS: Final = ["game", "seat", "epoch", "height", "head", "digest", "kind", "body"]


def entry(**other: object) -> Entry:
    """An entry with its parts as given."""
    return parse_entry(raw_entry(**other))


def raw_entry(**other: object) -> bytes:
    """The bytes of an entry with its parts as given, unsigned."""
    honest = [bytes(32), 0, 0, 0, bytes(32), bytes(48), "choose", None]
    parts = {**dict(zip(PARTS, honest, strict=True)), **other}
    return encode([encode(list(parts.values())), bytes(64)])


@pytest.mark.parametrize("part", ["seat", "epoch", "height"])
def test_a_count_is_at_least_zero_and_below_its_limit(part: str) -> None:
    assert entry(**{part: ENTRY_COUNT_MAX - 1}) is not None
    for count in (-1, ENTRY_COUNT_MAX, None, "0", True, False):
        with pytest.raises(MalformedFrame):
            entry(**{part: count})


@pytest.mark.parametrize("part", ["game", "head", "digest"])
def test_a_hash_has_its_length(part: str) -> None:
    size = DIGEST_BYTES if part == "digest" else HASH_BYTES
    for wrong in (b"", bytes(size - 1), bytes(size + 1), "x" * size):
        with pytest.raises(MalformedFrame):
            entry(**{part: wrong})


def test_hashes_that_are_all_too_short_are_none() -> None:
    with pytest.raises(MalformedFrame):
        entry(game=b"", head=b"")


def test_a_kind_is_a_short_text() -> None:
    assert entry(kind="x" * KIND_LETTERS_MAX) is not None
    for wrong in ("x" * (KIND_LETTERS_MAX + 1), b"choose", None):
        with pytest.raises(MalformedFrame):
            entry(kind=wrong)


@pytest.mark.parametrize(
    "raw",
    [
        encode(1),
        encode([b"", bytes(64)]),
        encode([encode([]), bytes(64)]),
        encode([encode([1, 2]), bytes(64), 0]),
        raw_entry()[:-1],
        raw_entry() + b"\0",
        b"",
    ],
)
def test_other_bytes_are_no_entry(raw: bytes) -> None:
    with pytest.raises(MalformedFrame):
        parse_entry(raw)


def test_a_signature_is_over_every_byte_of_an_entry() -> None:
    mine, at = Identity.generate(), Position(0, bytes(32), bytes(48))
    signed = sign_entry(mine, bytes(32), (0, 0), at, ["choose", None])
    check_signature(signed, mine.public)
    with pytest.raises(BadSignature):
        check_signature(signed, Identity.generate().public)
    for place in range(len(signed.payload)):
        payload = bytearray(signed.payload)
        payload[place] ^= 1
        with pytest.raises(BadSignature):
            check_signature(replace(signed, payload=bytes(payload)), mine.public)
