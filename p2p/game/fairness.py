"""What has been proven at a table, counted: the line on screen that says the game is fair."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unverified:
    """From this entry on one seat has spoken for all: see `p2p.session.alone`."""

    entry: int
    name: str  # Of who has gone on alone.


@dataclass(frozen=True, slots=True)
class Fairness:
    """What has been proven so far, counted."""

    shuffles: int = 0  # Shuffle proofs verified, each by one seat.
    shares: int = 0  # Batches of key shares verified.
    transfers: int = 0  # Cards that changed hands in secret, proven.
    claims: int = 0  # Claims about hidden cards, proven.
    entries: int = 0  # Signed entries, each chained and with an agreeing digest.
    pending: int = 0  # Proofs still being verified.
