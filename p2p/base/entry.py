"""One signed entry of the log: who says what, as an answer to which state.

    [payload, signature]
    payload = [game, seat, seat_epoch, height, parent, digest, kind, body]

`height` and `parent`, its head, name the log that the entry answers, `digest` the public state at
that point.  `seat_epoch` says who signs for the seat there (`p2p.log.seating`).  Two entries of one
seat that answer one head are a proof of equivocation that convinces anybody.

All entries of a step answer one head, and no other entry does: the head of the log behind them is
a hash of that head and of all of them (`next_head`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Protocol

from core.table import Table
from p2p.base.errors import MalformedFrame
from p2p.base.identity import Identity, verify
from p2p.base.wire import decode, encode

HASH_BYTES: Final = 32
DIGEST_BYTES: Final = 48
KIND_LETTERS_MAX: Final = 16
ENTRY_COUNT_MAX: Final = 1 << 32
_LABEL: Final = b"hostless entry"


@dataclass(frozen=True, slots=True)
class Entry:
    """A parsed entry together with the exact bytes that were signed and sent."""

    game: bytes
    seat: int
    seat_epoch: int
    height: int
    parent: bytes
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
    identity: Identity, game: bytes, author: tuple[int, int], at: Position, said: list[object]
) -> Entry:
    """A new entry; `author` is (seat, seat epoch), `said` is [kind, body]."""
    payload = encode([game, *author, at.height, at.head, at.digest, *said])
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
) -> tuple[bytes, int, int, int, bytes, bytes, str, object]:
    match decode(payload):
        case [
            bytes(game), int(seat), int(seat_epoch),
            int(height), bytes(parent), bytes(digest), str(kind), body,
        ] if (
            len(game) == len(parent) == HASH_BYTES
            and len(digest) == DIGEST_BYTES
            and len(kind) <= KIND_LETTERS_MAX
            and all(_is_count(count) for count in (seat, seat_epoch, height))
        ):  # fmt: skip
            return game, seat, seat_epoch, height, parent, digest, kind, body
    raise MalformedFrame("this is not an entry")


def _is_count(value: int) -> bool:
    return type(value) is int and 0 <= value < ENTRY_COUNT_MAX  # True is no number on the wire.


def check_signature(entry: Entry, identity: bytes) -> None:
    """Make sure that `identity` signed the entry.

    Raises:
        BadSignature: it did not.
    """
    verify(identity, entry.signature, _LABEL + entry.payload)


class Hashed(Protocol):
    """An entry, as far as a head depends on it."""

    @property
    def hash(self) -> bytes:
        """Of all its bytes."""


def next_head(head: bytes, entries: Iterable[Hashed]) -> bytes:
    """The head of the log once all entries that answer `head` have been added, in their order."""
    hashes = b"".join(entry.hash for entry in entries)
    return hashlib.sha256(b"hostless head" + head + hashes).digest()


def heads_of(entries: Iterable[Entry], height: int, head: bytes) -> Iterator[tuple[int, bytes]]:
    """(height, head) of a log wherever a step of it ends; it is continued by these entries.

    The last one counts as a whole step, although more of its entries may be missing.
    """
    for _, step in groupby(entries, key=lambda entry: entry.parent):
        together = list(step)
        height, head = height + len(together), next_head(head, together)
        yield height, head


def is_answer(entry: Entry, at: Position) -> bool:
    """Whether an entry was written at this place in this log."""
    return (entry.height, entry.parent) == (at.height, at.head)


def misplaced(entry: Entry, at: Position, kind: str, table: Table) -> str:
    """What is wrong with the state that an entry was written in, or its kind; empty: nothing."""
    if entry.digest != at.digest:
        sections = table.sections()
        places = [slice(8 * index, 8 * index + 8) for index in range(len(sections))]
        names = [name for name, place in zip(sections, places, strict=True)
                 if entry.digest[place] != at.digest[place]]  # fmt: skip
        return f"has other {' and '.join(names)} than we"
    return "" if entry.kind == kind else f"wrote {entry.kind!r} where {kind!r} was due"
