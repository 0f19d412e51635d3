"""Repeatable numbers for imagined games.  Never used for a card that somebody really holds.

A linear congruential generator modulo 2**40 of which only the high 32 bits are used, started from
a seed that has been mixed well, so that neighbouring seeds have nothing in common.  The numbers
are the same on every platform, every Python and in compiled code: no product reaches 2**62, so
machine words hold them.  The multiplier was chosen by the spectral test (Knuth volume 2, section
3.3.4): in every dimension from 2 to 6 the lattice is at least 0.77 times as fine as the finest
there can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from core.native import i64

T = TypeVar("T")
_MASK: Final = (1 << 40) - 1
_MULTIPLIER: Final = 2387525
_STEP: Final = 0x9E3779B97
_SEED_MASK: Final = (1 << 64) - 1


class Chance:
    """A stream of repeatable numbers that starts from any int.

    >>> Chance(7).below(6) == Chance(7).below(6)
    True
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state: i64 = (_mix(seed & _SEED_MASK) if seed else _ZERO) >> 24

    def copy(self) -> Chance:
        """The same stream, going on from here by itself."""
        return _resumed(self.state)

    def __reduce__(self) -> tuple[object, ...]:
        """How a stream is sent to another process, compiled or not."""
        return _resumed, (self.state,)

    def next(self) -> int:
        """The next 62 bits, for seeds."""
        high: int = self.below(1 << 31)
        low: int = self.below(1 << 31)
        return high << 31 | low

    def below(self, count: i64) -> i64:
        """A number from 0 to `count` - 1, at most 2**31; the bias is under `count` / 2**32."""
        self.state = state = (self.state * _MULTIPLIER + _STEP) & _MASK
        return (state >> 8) * count >> 32

    def pick(self, choices: Sequence[T]) -> T:
        """One of `choices`."""
        return choices[self.below(len(choices))]

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle in place (Fisher-Yates, Knuth volume 2, algorithm P)."""
        state = self.state  # `below`, written out: imagining a deal is mostly this.
        last: i64
        for last in range(len(cards) - 1, 0, -1):
            state = (state * _MULTIPLIER + _STEP) & _MASK
            other = (state >> 8) * (last + 1) >> 32
            cards[last], cards[other] = cards[other], cards[last]
        self.state = state

    def shuffle_at(self, faces: list[T], places: tuple[int, ...]) -> None:
        """The same among the faces at these places only; all others stay where they are.

        Of any type: compiled code then passes objects on and makes no numbers of them.
        """
        state = self.state
        last: i64
        for last in range(len(places) - 1, 0, -1):
            state = (state * _MULTIPLIER + _STEP) & _MASK
            here: i64 = places[last]
            there: i64 = places[(state >> 8) * (last + 1) >> 32]
            faces[here], faces[there] = faces[there], faces[here]
        self.state = state


def _resumed(state: i64) -> Chance:
    chance = Chance(0)  # Which is mixed already.
    chance.state = state
    return chance


def _mix(seed: int) -> int:
    """Every bit of the seed in every bit (Steele, Lea, Flood 2014, SplitMix64, figure 16)."""
    seed = (seed + 0x9E3779B97F4A7C15) & _SEED_MASK
    seed = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & _SEED_MASK
    seed = ((seed ^ (seed >> 27)) * 0x94D049BB133111EB) & _SEED_MASK
    return seed ^ (seed >> 31)


_ZERO: Final = _mix(0)
