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
    pools = [_faces(pool) for pool in table.pools]
    blanks: list[list[int]] = [[] for _ in pools]
    for card, family in enumerate(table.kin):
        if deal[card] != HIDDEN:
            continue
        if observation[card] == HIDDEN:
            blanks[family].append(card)
        else:
            deal[card] = observation[card]
            pools[family].remove(observation[card])
    for zone, faces in table.layout.narrow:
        for card in table.zones[zone]:
            if deal[card] == HIDDEN:
                family = table.kin[card]
                deal[card] = chance.pick([face for face in pools[family] if face in faces])
                pools[family].remove(deal[card])
                blanks[family].remove(card)
    for pool, cards in zip(pools, blanks, strict=True):
        assert len(pool) == len(cards), "a family does not have as many faces as cards"
        chance.shuffle(pool)
        for card, face in zip(cards, pool, strict=True):
            deal[card] = face
    return deal


def _faces(pool: list[int]) -> list[Face]:
    return [face for face, count in enumerate(pool) for _ in range(count)]


def blindfold(table: Table, deal: Observation, player: int | None) -> list[Face]:
    """What `player` (None: a spectator) knows of a complete deal."""
    if player is None:
        return table.face[:]
    bit = 1 << player
    return [
        face if face != HIDDEN else (deal[card] if table.seen[card] & bit else HIDDEN)
        for card, face in enumerate(table.face)
    ]
