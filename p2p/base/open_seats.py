"""Seats of open bots: nobody sits there, and everybody can say what they would say.

Every secret of such a seat follows from its nonce in the roster: its identity, its game key, its
salts, the order in which it shuffles.  So each machine at the table signs the seat's entries for
itself, byte for byte the same as all others do, and sends none.  The seat has no sponsor and can
neither leave nor cheat; the price is that its hand lies open.

It adds nothing to the secrecy of other cards and takes nothing away: a deck is closed as long as
one seat that is not open shuffles honestly.  Whoever signs something else in its name is not heard,
because nobody takes its entries from others.

A seat whose owner is gone becomes one, from a certain height of the log on
(`p2p.session.membership`): its game key is known by then, or is lost and has been replaced by one
that follows from a nonce, and everything else that such a seat says follows from that.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.base.identity import Identity

_SEATS_KEPT: Final = 256


@lru_cache(maxsize=_SEATS_KEPT)
def open_identity(nonce: bytes) -> Identity:
    """The identity of an open seat with this nonce, with the secret that everybody knows."""
    secret = hashlib.sha256(b"hostless open seat" + nonce).digest()
    return Identity(Ed25519PrivateKey.from_private_bytes(secret))


def open_seed(nonce: bytes) -> bytes:
    """The seed of an open seat with this nonce, from which its game key follows."""
    return hashlib.sha256(b"hostless open seed" + nonce).digest()


def stand_in_identity(game_id: bytes, seat: int, turn: int) -> Identity:
    """By whom a seat's entries are signed when everybody speaks for it, for the n-th time."""
    return open_identity(stand_in_nonce(game_id, seat, turn))


def stand_in_nonce(game_id: bytes, seat: int, turn: int) -> bytes:
    """From which the identity follows, and the game key, if that of the owner is lost."""
    place = seat.to_bytes(4, "little") + turn.to_bytes(4, "little")
    return hashlib.sha256(b"hostless stand-in" + game_id + place).digest()
