"""A batch: both halves of a card in one point, so that sums over cards cost half as much.

    combined(a, b) = a + q b                   q random; of all at the table, only one knows it

An equation between cards is one for each half.  If either is false, so is the combined one but for
a chance of 1/L, if whoever made the cards could not know q (the random linear combination of
Bellare, Garay and Rabin, EUROCRYPT 1998, section 3, with whole scalars).  To combine a card costs
the multiplication that it saves later; but cards can be combined as soon as they are said, while
those who said them still work on their proofs.

What this does not protect against: a q that a prover knows before it has said its cards.  So a seat
draws its own, from its key and fresh entropy, and never says anything that depends on it but a
verdict.  Seats with different q come to the same verdict but for that chance.
"""

from collections.abc import Iterable
from typing import Final, Self

from p2p.crypto import entropy
from p2p.crypto.group import G, Point, PointSum, scalar_to_bytes
from p2p.crypto.masking import Masked
from p2p.crypto.transcript import hash_bytes, reduced

_LABEL: Final = "hostless/joining/1"
_FRESH_BYTES: Final = 32


class Combiner:
    """A factor between the halves, and the cards that have been combined by it.

    Safe when one thread combines while another looks cards up.
    """

    def __init__(self, factor: int) -> None:
        """Combine by this factor, which those who make cards cannot foresee."""
        self.factor = factor
        self._combined: dict[Masked, Point] = {}

    @classmethod
    def own(cls, secret: int) -> Self:
        """Give one with a factor that nobody else knows; `secret` is that of a key, 0 for none."""
        fresh = entropy.unshared_bytes(_FRESH_BYTES)
        (factor,) = reduced(hash_bytes(_LABEL, scalar_to_bytes(secret), fresh), 1)
        return cls(factor)

    def combine(self, card: Masked) -> None:
        """Work out one card."""
        if card not in self._combined:
            self._combined[card] = card.a + card.b * self.factor

    def of(self, card: Masked) -> Point | None:
        """Give a card that has been combined; None if it has not."""
        return self._combined.get(card)

    def keep(self, cards: Iterable[Masked]) -> None:
        """Forget all other cards."""
        self._combined = {card: self._combined[card] for card in cards if card in self._combined}


class CardSum(PointSum):
    """A sum of scalars times points and times cards, each card combined to one point."""

    def __init__(self, combiner: Combiner) -> None:
        """Begin with nothing."""
        super().__init__()
        self._combiner, self._cards = combiner, dict[Masked, int]()

    def add_card(self, scalar: int, card: Masked) -> None:
        """Add one product."""
        self._cards[card] = self._cards.get(card, 0) + scalar

    def add_mask(self, scalar: int, key: Point) -> None:
        """Add so often the card (G, key): what re-masking by 1 adds to a card."""
        self.add(scalar, G)
        self.add(scalar * self._combiner.factor, key)

    def take_out(self, card: Masked) -> int:
        """Give how often a card is in the sum, and leave it out from now on."""
        return self._cards.pop(card, 0)

    def total(self) -> Point:
        """Give what it comes to."""
        cards, self._cards = self._cards, {}
        for card, scalar in cards.items():
            combined = self._combiner.of(card)
            if combined is not None:
                self.add(scalar, combined)
            else:  # Costs the same as to combine it now.
                self.add(scalar, card.a)
                self.add(scalar * self._combiner.factor, card.b)
        return super().total()
