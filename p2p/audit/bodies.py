"""What stands in an entry, read strictly: whatever is something else proves nothing."""

from __future__ import annotations

from p2p.crypto.masking import Masked, parse_cards
from p2p.crypto.transcript import ProofError


def content_and_proof(body: object) -> tuple[bytes, bytes]:
    """Two byte strings.

    Raises:
        ProofError: it is something else.
    """
    match body:
        case [bytes(content), bytes(proof)]:
            return content, proof
    raise ProofError("a content and its proof were expected")


def list_of(body: object, count: int) -> list[object]:
    """So many values.

    Raises:
        ProofError: it is something else.
    """
    if not isinstance(body, list) or len(body) != count:
        raise ProofError(f"a list of {count} was expected")
    return body


def read_bytes(item: object) -> bytes:
    """Bytes.

    Raises:
        ProofError: it is something else.
    """
    if not isinstance(item, bytes):
        raise ProofError("bytes were expected")
    return item


def read_deck(joined: bytes, count: int) -> list[Masked]:
    """So many cards.

    Raises:
        ProofError: it is something else.
    """
    deck = parse_cards(joined)
    if len(deck) != count:
        raise ProofError(f"{count} cards were expected, and {len(deck)} came")
    return deck
