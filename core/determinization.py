"""Determinization: a complete deal that fits everything a seat knows, for search to play out.

Every family of hidden cards has a public count of its faces.  What the seat knows of a family is
taken out of the count, and the rest is dealt at random to the cards it does not know, so each
deal that the seat cannot tell from the true one is as likely as any other.  Zones of which
claims have proven what they hold are dealt first.

`observation_of` goes the other way: what a seat knows of a complete deal.

Honest limit: when a face-up card has been mixed into a family, its face may be imagined on a card
of that family that was drawn earlier.  The true deal is always among those imagined.
"""

from __future__ import annotations

from core.chance import Chance
from core.native import i64
from core.requests import Card, Face
from core.table import HIDDEN, Observation, Table


def determinize(table: Table, observation: Observation, chance: Chance) -> list[Face]:
    """The face of every card on the table, agreeing with `observation` and with the families."""
    return Determinizer(table, observation).sample(chance)


class Determinizer:
    """Samples deals that fit what a seat knows: for search, which takes thousands of one position.

    It looks at the table once, which has to stay as it is.
    """

    __slots__ = ("blanks", "known", "left", "narrowed")

    def __init__(self, table: Table, observation: Observation) -> None:
        self.known = known = table.face[:]
        counts = [family[:] for family in table.family_counts]
        self.blanks: list[list[Card]] = [[] for _ in counts]
        family_of = table.family_of
        card: i64
        for card in range(len(known)):
            if known[card] == HIDDEN:
                if observation[card] == HIDDEN:
                    self.blanks[family_of[card]].append(card)
                else:
                    known[card] = observation[card]
                    counts[family_of[card]][known[card]] -= 1
        self.left = [_faces(unseen) for unseen in counts]
        for faces, cards in zip(self.left, self.blanks, strict=True):
            assert len(faces) == len(cards), "a family does not have as many faces as cards"
        self.narrowed: list[tuple[Card, int, tuple[Face, ...]]] = []
        for zone, allowed in table.layout.narrow:
            for card in table.zones[zone]:
                if known[card] == HIDDEN:
                    self.narrowed.append((card, family_of[card], allowed))
                    self.blanks[family_of[card]].remove(card)

    def sample(self, chance: Chance) -> list[Face]:
        """The face of every card, in one of all ways that fit; each is as likely."""
        deal = self.known[:]
        left = [faces[:] for faces in self.left]
        for narrow, family, allowed in self.narrowed:
            deal[narrow] = chance.pick([face for face in left[family] if face in allowed])
            left[family].remove(deal[narrow])
        for faces, cards in zip(left, self.blanks, strict=True):
            chance.shuffle(faces)
            place: i64
            for place in range(len(cards)):
                deal[cards[place]] = faces[place]
        return deal


def _faces(counts: list[int]) -> list[Face]:
    return [face for face, count in enumerate(counts) for _ in range(count)]


def observation_of(table: Table, deal: Observation, player: int | None) -> list[Face]:
    """What `player` (None: a spectator) knows of a complete deal."""
    if player is None:
        return table.face[:]
    bit = 1 << player
    return [
        face if face != HIDDEN else (deal[card] if table.seen[card] & bit else HIDDEN)
        for card, face in enumerate(table.face)
    ]
