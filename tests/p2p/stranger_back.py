"""A second reader of a game that goes back, written from `docs/spec/protocol.md`, section 9."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.p2p.stranger import Reader, read_giving, read_rest, read_until_giving


def read_beads_gone_back(roster: list[Any], entries: Iterator[bytes]) -> tuple[list[bytes], Any]:
    """The heads and the result of a game in which seat 1 gives a bead twice, all checked."""
    reader = Reader(roster, entries)
    gained = read_until_giving(reader)
    cards = dict(reader.cards)
    read_giving(reader)
    ((word, events, signatures),) = reader.step("choose", 0)
    assert (word, events) == ("take back", 7), "seven requests were answered before seat 1 gave"
    nobody, signature = signatures
    assert nobody is None, "the writer signs by its entry"
    said = cbor2.dumps([reader.game, reader.height, events, True], canonical=True)
    identity = Ed25519PublicKey.from_public_bytes(roster[5][1][0])
    identity.verify(signature, b"hostless take back" + said)
    reader.close()
    reader.cards = cards
    return read_rest(reader, read_giving(reader), gained)
