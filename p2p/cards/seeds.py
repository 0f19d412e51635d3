"""The secrets of a shuffle, which follow from one seed of 32 bytes.

    masks    H("hostless/masks/1"; seed), 64 bytes for each card, modulo L
    order    H("hostless/order/1"; seed), 16 bytes for each index; the indices, sorted by them

A seat that shuffles says its deck in one entry and proves it in a later one.  If its machine stops
between the two, the seed is all that it has to find again.  More cards change none of the first
masks, so that masks can be made before it is known how many cards there are.

What this does not protect against: a seed that is known.  It is drawn anew for every shuffle, and
only its seat's vault has it until the shuffle is proven.
"""

from typing import Final

from p2p.cards import entropy
from p2p.cards.transcript import WIDE_BYTES, hash_bytes, reduced

SEED_BYTES: Final = 32
PLACE_BYTES: Final = 16
"""For each index: two are never equal."""


def fresh_seed() -> bytes:
    """Give the seed of one shuffle."""
    return entropy.fresh_bytes(SEED_BYTES)


def masks_of(seed: bytes, count: int) -> list[int]:
    """Give the masks of so many cards."""
    wide = hash_bytes("hostless/masks/1", seed, size_bytes=WIDE_BYTES * count)
    return reduced(wide, count)


def order_of(seed: bytes, count: int) -> list[int]:
    """Give the indices below count in an order that nobody can foretell without the seed."""
    drawn = hash_bytes("hostless/order/1", seed, size_bytes=PLACE_BYTES * count)
    return sorted(range(count), key=lambda at: drawn[PLACE_BYTES * at : PLACE_BYTES * (at + 1)])
