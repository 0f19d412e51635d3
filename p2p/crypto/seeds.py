"""The secrets of a shuffle, which follow from one seed of 32 bytes.

    masks    H("hostless/masks/1"; seed), 64 bytes for each card, modulo L
    order    H("hostless/order/1"; seed), 16 bytes for each index; the indices, sorted by them

    seed     H("hostless/seed/1"; x, hint), from the seat's key and 32 bytes that it says aloud

A seat that shuffles says its deck in one entry, with the hint, and proves it in a later one.  If
its machine stops between the two, or everybody speaks for the seat by then
(`p2p.session.membership`), the key is all that is needed to go on.  More cards change none of the
first masks, so that masks can be made before it is known how many cards there are.

What this does not protect against: a key that is known.  Then the orders of all that its seat has
shuffled are; a deck is closed as long as another seat's are not.  The hint is drawn anew for every
shuffle: two with one hint would show what differs between their cards.
"""

from typing import Final

from p2p.crypto import entropy
from p2p.crypto.transcript import WIDE_BYTES, hash_bytes, reduced

SEED_BYTES: Final = 32
HINT_BYTES: Final = 32
KEY_BYTES: Final = 32
PLACE_BYTES: Final = 16
"""For each index: two are never equal."""


def fresh_hint() -> bytes:
    """Give the hint of one shuffle."""
    return entropy.fresh_bytes(HINT_BYTES)


def seed_of(secret: int, hint: bytes) -> bytes:
    """Give the seed of the shuffle with this hint by the seat with this secret."""
    key = secret.to_bytes(KEY_BYTES, "little")
    return hash_bytes("hostless/seed/1", key, hint, size_bytes=SEED_BYTES)


def masks_of(seed: bytes, count: int) -> list[int]:
    """Give the masks of so many cards."""
    wide = hash_bytes("hostless/masks/1", seed, size_bytes=WIDE_BYTES * count)
    return reduced(wide, count)


def order_of(seed: bytes, count: int) -> list[int]:
    """Give the indices below count in an order that nobody can foretell without the seed."""
    drawn = hash_bytes("hostless/order/1", seed, size_bytes=PLACE_BYTES * count)
    return sorted(range(count), key=lambda at: drawn[PLACE_BYTES * at : PLACE_BYTES * (at + 1)])
