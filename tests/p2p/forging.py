"""Game files written anew, with one thing changed, and signed by everybody again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from p2p.base.identity import Identity
from p2p.base.wire import encode, frame
from p2p.log.game_file import MAGIC

Fields = list[Any]  # [game, seat, seat epoch, height, parent, digest, kind, body]
SEAT, EPOCH, HEIGHT, PARENT, DIGEST, KIND, BODY = range(1, 8)


class Game(NamedTuple):
    """A roster, entries as fields in the order of the log, and everybody's identity."""

    roster: Any
    entries: list[Fields]
    identities: Sequence[Identity]

    def where(self, kind: str, number: int = 0) -> int:
        """The place of the n-th entry of this kind."""
        return [at for at, each in enumerate(self.entries) if each[KIND] == kind][number]


def signed(game: Game, fields: Fields) -> bytes:
    """An entry as its seat would sign it."""
    payload = encode(fields)
    signature = game.identities[fields[SEAT]].sign(b"hostless entry" + payload)
    return encode([payload, signature])


def chained(game: Game) -> list[bytes]:
    """The entries in their order, each answering what now stands before its step."""
    head, done = hashlib.sha256(b"hostless game" + encode(game.roster)).digest(), list[bytes]()
    step, answered = list[bytes](), None
    for fields in game.entries:
        if step and fields[HEIGHT] != answered:
            hashes = b"".join(hashlib.sha256(b"hostless entry" + raw).digest() for raw in step)
            head, step = hashlib.sha256(b"hostless head" + head + hashes).digest(), []
        answered = fields[HEIGHT]
        step.append(signed(game, [*fields[:PARENT], head, *fields[DIGEST:]]))
        done.append(step[-1])
    return done


def file_of(game: Game, raws: Sequence[bytes], more: Sequence[object] = ()) -> bytes:
    """The bytes of a file of these entries, and some records behind them."""
    records = [["roster", game.roster], *(["entry", raw] for raw in raws), *more]
    return MAGIC + b"".join(frame(encode(record)) for record in records)


def forged(game: Game, at: int, change: Callable[[Fields], None]) -> bytes:
    """The whole file, with one entry changed by its signer and everybody's consent."""
    entries = [list(fields) for fields in game.entries]
    change(entries[at])
    return file_of(game, chained(game._replace(entries=entries)))
