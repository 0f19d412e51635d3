"""A deal that fits everything a seat knows: what search, hints and statistics play out.

Every family of hidden cards has a public count of its faces.  What the seat knows of a family is
taken out of the count, and the rest is dealt at random to the cards it does not know, so each
deal that the seat cannot tell from the true one is as likely as any other.  Zones of which
claims have proven what they hold are dealt first.

Honest limit: when a face-up card has been mixed into a family, its face may be imagined on a
relative that was drawn earlier.  The true deal is always among those imagined.
"""

from __future__ import annotations

from core.chance import Chance
from core.requests import Face
from core.table import HIDDEN, Observation, Table


def imagine(table: Table, observation: Observation, chance: Chance) -> list[Face]:
    """The face of every card on the table, agreeing with `observation` and with the families."""
    deal = table.face[:]
    left = [_faces(counts) for counts in table.class_counts]
    blanks: list[list[int]] = [[] for _ in left]
    for card, family in enumerate(table.class_of):
        if deal[card] != HIDDEN:
            continue
        if observation[card] == HIDDEN:
            blanks[family].append(card)
        else:
            deal[card] = observation[card]
            left[family].remove(observation[card])
    for zone, faces in table.layout.narrow:
        for card in table.zones[zone]:
            if deal[card] == HIDDEN:
                family = table.class_of[card]
                deal[card] = chance.pick([face for face in left[family] if face in faces])
                left[family].remove(deal[card])
                blanks[family].remove(card)
    for its_faces, cards in zip(left, blanks, strict=True):
        assert len(its_faces) == len(cards), "a family does not have as many faces as cards"
        chance.shuffle(its_faces)
        for place in range(len(cards)):
            deal[cards[place]] = its_faces[place]
    return deal


def _faces(counts: list[int]) -> list[Face]:
    return [face for face, count in enumerate(counts) for _ in range(count)]


def blindfold(table: Table, deal: Observation, player: int | None) -> list[Face]:
    """What `player` (None: a spectator) knows of a complete deal."""
    if player is None:
        return table.face[:]
    bit = 1 << player
    return [
        face if face != HIDDEN else (deal[card] if table.seen[card] & bit else HIDDEN)
        for card, face in enumerate(table.face)
    ]
