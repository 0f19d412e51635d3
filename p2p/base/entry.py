"""One signed entry of the log: who says what, as an answer to which state.

    [payload, signature]
    payload = [game, seat, number, parent, height, head, digest, kind, body]

`number` counts the entries of one seat and `parent` is the hash of its previous one, so two
entries of one seat with one number are a proof of equivocation that convinces anybody.  `height`
and `head` name the log that the entry answers, `digest` the public state at that point.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from core.table import Table
from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity, verify
from p2p.base.wire import decode, encode

HASH_BYTES: Final = 32
DIGEST_BYTES: Final = 48
KIND_LETTERS_MAX: Final = 16
ENTRY_NUMBER_MAX: Final = 1 << 32
CHAIN_START: Final = bytes(HASH_BYTES)  # The parent of a seat's first entry.
_LABEL: Final = b"hostless entry"


@dataclass(frozen=True, slots=True)
class Entry:
    """A parsed entry together with the exact bytes that were signed and sent."""

    game: bytes
    seat: int
    number: int
    parent: bytes
    height: int
    head: bytes
    digest: bytes
    kind: str
    body: object
    raw: bytes
    payload: bytes
    signature: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """What an entry answers: the log so far and the public state there."""

    height: int
    head: bytes
    digest: bytes


def sign_entry(
    identity: Identity, game: bytes, place: tuple[int, int, bytes], at: Position, said: list[object]
) -> Entry:
    """A new entry; `place` is (seat, number, parent), `said` is [kind, body]."""
    payload = encode([game, *place, at.height, at.head, at.digest, *said])
    return parse_entry(encode([payload, identity.sign(_LABEL + payload)]))


def parse_entry(raw: bytes) -> Entry:
    """An entry from bytes; its signature is not checked yet.

    Raises:
        MalformedFrame: the bytes are not canonical or not an entry.
    """
    match decode(raw):
        case [bytes(payload), bytes(signature)]:
            hashed = hashlib.sha256(_LABEL + raw).digest()
            return Entry(*_parse_payload(payload), raw, payload, signature, hashed)
    raise MalformedFrame("this is not an entry")


def _parse_payload(
    payload: bytes,
) -> tuple[bytes, int, int, bytes, int, bytes, bytes, str, object]:
    match decode(payload):
        case [
            bytes(game), int(seat), int(number), bytes(parent),
            int(height), bytes(head), bytes(digest), str(kind), body,
        ] if (
            len(game) == len(parent) == len(head) == HASH_BYTES
            and len(digest) == DIGEST_BYTES
            and len(kind) <= KIND_LETTERS_MAX
            and all(_is_count(count) for count in (seat, number, height))
        ):  # fmt: skip
            return game, seat, number, parent, height, head, digest, kind, body
    raise MalformedFrame("this is not an entry")


def _is_count(value: int) -> bool:
    return type(value) is int and 0 <= value < ENTRY_NUMBER_MAX  # True is no number on the wire.


def check_signature(entry: Entry, identity: bytes) -> None:
    """Make sure that `identity` signed the entry.

    Raises:
        BadSignature: it did not.
    """
    verify(identity, entry.signature, _LABEL + entry.payload)


def next_head(head: bytes, entry: Entry) -> bytes:
    """The head of the log once `entry` has been added."""
    return hashlib.sha256(b"hostless head" + head + entry.hash).digest()


def misplaced(entry: Entry, at: Position, kind: str, table: Table) -> str:
    """What is wrong with the state that an entry was written in, or its kind; empty: nothing."""
    if entry.digest != at.digest:
        sections = table.sections()
        places = [slice(8 * index, 8 * index + 8) for index in range(len(sections))]
        names = [name for name, place in zip(sections, places, strict=True)
                 if entry.digest[place] != at.digest[place]]  # fmt: skip
        return f"has other {' and '.join(names)} than we"
    return "" if entry.kind == kind else f"wrote {entry.kind!r} where {kind!r} was due"
