"""Seats of open bots: nobody sits there, and everybody can say what they would say.

Every secret of such a seat follows from its nonce in the roster: its identity, its game key, its
salts, the order in which it shuffles.  So each machine at the table signs the seat's entries for
itself, byte for byte the same as all others do, and sends none.  The seat has no sponsor and can
neither leave nor cheat; the price is that its hand lies open.

It adds nothing to the secrecy of other cards and takes nothing away: a deck is closed as long as
one seat that is not open shuffles honestly.  Whoever signs something else in its name is not heard,
because nobody takes its entries from others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.identity import Identity

_SEATS_KEPT: Final = 256


@lru_cache(maxsize=_SEATS_KEPT)
def open_identity(nonce: bytes) -> Identity:
    """The identity of an open seat with this nonce, with the secret that everybody knows."""
    secret = hashlib.sha256(b"hostless open seat" + nonce).digest()
    return Identity(Ed25519PrivateKey.from_private_bytes(secret))


class OpenVault:
    """What a seat must not lose; here it follows from the nonce: see `p2p.play.Vault`."""

    def __init__(self, nonce: bytes) -> None:
        self.seed = hashlib.sha256(b"hostless open seed" + nonce).digest()
        self._hidden: dict[int, Sequence[object]] = {}

    def remember(self, height: int, value: Sequence[object]) -> None:
        """Keep what an entry hides, for a later one that shows or proves it."""
        self._hidden[height] = value

    def recall(self, height: int) -> Sequence[object]:
        """What the entry at this height hides."""
        return self._hidden[height]
