"""What a seat keeps to itself while a game is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Vault(Protocol):
    """What a seat must not lose between two starts of the machine."""

    seed: bytes  # 32 secret bytes, made once for this game: key, salts and rolls come from it.

    def remember(self, height: int, value: Sequence[object]) -> None:
        """Keep what an entry at this height hides, for a later one that shows or proves it."""
        ...

    def recall(self, height: int) -> Sequence[object]:
        """What the entry at this height hides."""
        ...


class Sealed(NamedTuple):
    """A secret choice that a seat has committed to and not shown yet."""

    height: int  # Of the log when it was.
    context: bytes
    commitment: bytes
