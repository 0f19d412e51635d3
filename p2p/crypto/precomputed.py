"""What a seat can work out before it knows the cards of its next shuffle.

Masks and the covers of a proof are random numbers times fixed points: only what they are added to
depends on the cards. Made while nobody waits, they leave 3 N of the 7 N multiplications of a
shuffle and its proof (Groth 2010, section 5) for the moment when everybody does.

    masks         m_i            and  (m_i G, m_i Y); they follow from a hint and the key
    covers        d_i            and the running sums of  -d_i H_i
    inner covers  d'_i           and the running sums of  d'_i H_i
    carries       D_i, D_1 = d'_1, and the running sums of  -D_i d'_(i+1) H_i

Running sums serve a pile of any size up to the one expected. Blindings and the permutation are
not made beforehand. A precomputed shuffle is good for one: whoever uses it twice shows the order of
both.

What this does not protect against: a machine that is put back, with this process, to a moment
before a shuffle uses what was made beforehand. Other one-time numbers depend on the statement and
so would differ; these do not. Such a machine also signs two entries in answer to one log, which
ends the game for its seat; the decks stay closed as long as one other seat that shuffles is honest.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from p2p.crypto.group import IDENTITY, L, Point, base
from p2p.crypto.masking import LIST_CARDS_MAX, Masked, fresh_hint, masks_of, seed_of
from p2p.crypto.pedersen import bases
from p2p.crypto.sure import make_sure
from p2p.crypto.transcript import Transcript

_PROTOCOL: Final = "hostless/ahead/1"
SIZES_KEPT: Final = 8  # Of the last shuffles under a key; the largest is expected,
GROWTH_CARDS: Final = 4  # and some cards more.


class Prefixes(NamedTuple):
    """Numbers, and for every k the sum of the first k of them times their bases."""

    numbers: list[int]
    sums: list[Point]

    def commitment(self, count: int, blinding: int) -> Point:
        """Give the commitment to the first `count` numbers."""
        return self.sums[count] + base(blinding)


class PrecomputedShuffle(NamedTuple):
    """One-time numbers for one shuffle of at most `room` cards under a key."""

    hint: bytes
    seed: bytes
    masks: list[int]
    zeros: list[Masked]
    covers: Prefixes
    inner_covers: Prefixes
    carries: list[int]
    cross: Prefixes

    @property
    def room(self) -> int:
        """How many cards it is enough for."""
        return len(self.masks)


def precompute(secret: int, key: Point, room: int) -> PrecomputedShuffle:
    """Give what one shuffle of up to `room` cards under `key` needs; `secret` is the seat's own.

    The numbers depend on the secret and on fresh entropy: a weak random source alone does not make
    them known.
    """
    make_sure(2 <= room <= LIST_CARDS_MAX, "One card needs no cover, and lists have a limit.")
    nonces = Transcript(_PROTOCOL, key.encoded).nonces(3 * room, [secret])
    covers, inner, carries = nonces[:room], nonces[room : 2 * room], nonces[2 * room :]
    carries[0] = inner[0]
    hint = fresh_hint()
    seed = seed_of(secret, hint)
    masks = masks_of(seed, room)
    cross = [-carries[at] * inner[at + 1] % L for at in range(room - 1)]
    return PrecomputedShuffle(
        hint,
        seed,
        masks,
        [Masked(base(mask), key * mask) for mask in masks],
        Prefixes(covers, _sums([-cover for cover in covers])),
        Prefixes(inner, _sums(inner)),
        carries,
        Prefixes(cross, _sums(cross)),
    )


class PrecomputedShuffles:
    """Precomputed shuffles, one for each key that a seat shuffles under.

    Safe when one thread fills it and another takes from it.
    """

    def __init__(self, secret: int) -> None:
        """Begin empty, for the seat with this secret."""
        self._secret = secret
        self._sizes: dict[Point, deque[int]] = {}
        self._shuffles: dict[Point, PrecomputedShuffle] = {}

    def take(self, key: Point, count: int) -> PrecomputedShuffle | None:
        """Give what is there for a shuffle of so many cards; None if there is not enough."""
        if count < 2:
            return None
        self._sizes.setdefault(key, deque(maxlen=SIZES_KEPT)).append(count)
        return self._shuffles.pop(key) if self._room(key) >= count else None

    def lacks(self) -> list[tuple[Point, int]]:
        """Give the keys for which there is too little, and how many cards are to be expected."""
        kept = list(self._sizes.items())  # Another thread may take something meanwhile.
        expected = [(key, _expected(sizes)) for key, sizes in kept]
        return [(key, room) for key, room in expected if self._room(key) < room]

    def _room(self, key: Point) -> int:
        numbers = self._shuffles.get(key)
        return 0 if numbers is None else numbers.room

    def fill(self) -> None:
        """Make what is lacking: a quarter of a millisecond a card."""
        for key, room in self.lacks():
            self._shuffles[key] = precompute(self._secret, key, room)


def _expected(sizes: Iterable[int]) -> int:
    """How many cards the next shuffle may have: piles grow, and not all are alike."""
    return min(max(sizes) + GROWTH_CARDS, LIST_CARDS_MAX)


def _sums(numbers: Sequence[int]) -> list[Point]:
    products = (row * number for row, number in zip(bases(len(numbers)), numbers, strict=True))
    return list(accumulate(products, initial=IDENTITY))
