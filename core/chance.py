"""Repeatable numbers for imagined games.  Never used for a card that somebody really holds.

SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", figure 16):
the same numbers on every platform, every Python and in compiled code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")
_MASK: Final = (1 << 64) - 1


class Chance:
    """A stream of repeatable numbers that starts from any int.

    >>> Chance(7).below(6) == Chance(7).below(6)
    True
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """The next 64 bits."""
        self.state = state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return state ^ (state >> 31)

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1; the bias of the multiplication is under 2**-32."""
        return ((self.next() >> 32) * count) >> 32

    def pick(self, choices: Sequence[T]) -> T:
        """One of `choices`."""
        return choices[self.below(len(choices))]

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle in place (Fisher-Yates, Knuth volume 2, algorithm P)."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
