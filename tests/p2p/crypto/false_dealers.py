"""Dealers of a key in parts who cheat as well as they can; what is said is well formed."""

from __future__ import annotations

from collections.abc import Container, Sequence
from unittest.mock import patch

from p2p.crypto import key_sharing
from p2p.crypto.group import Point, base
from p2p.crypto.key_sharing import Deal, deal


def boxes_emptied(
    secret: int, keys: Sequence[Point], context: bytes, rounds: Container[int]
) -> Deal:
    """A deal in which the last recipient finds nothing in these rounds, otherwise honest."""
    honest, seen = key_sharing._round, dict[bytes, int]()

    def bent(
        seed: bytes, keys: Sequence[Point], context: bytes
    ) -> tuple[Point, list[int], list[bytes]]:
        hint, numbers, boxes = honest(seed, keys, context)
        is_wrong = seen.setdefault(seed, len(seen)) in rounds
        return hint, numbers, [*boxes[:-1], bytes(32)] if is_wrong else boxes

    with patch.object(key_sharing, "_round", bent):
        return deal(secret, keys, context)


def parts_moved(shown: Deal) -> Deal:
    """The same deal with parts that add up to the same, of which the dealer knows no number."""
    first, second, *rest = shown.parts
    return shown._replace(parts=[first + base(5), second - base(5), *rest])
