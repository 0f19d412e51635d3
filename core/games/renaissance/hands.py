"""What comes into a hand, and how its owner mixes it so that nobody can follow a card.

Cards from the display are known to everybody in the hand as well.  A person goes to the own pile
unseen, and at a real table it could be any that is known or any unseen card: so before a card
action known persons are mixed with the unseen cards.  Before a duel only the unseen cards are, and
both only when something new has come.  Who has to mix, and what, everybody can tell from outside.
"""

from __future__ import annotations

from typing import Final

from core.games.renaissance.cards import (
    FIRST_EVENT,
    FIRST_PERSON,
    FRESH,
    HAND,
    TALON,
    VALUE,
)
from core.native import i64
from core.requests import Card, Face, Shuffle
from core.table import HIDDEN, Table

_UNSEEN: Final = 1  # Bits of `fresh`: what has come since the last mix.
_KNOWN_PERSON: Final = 2


def is_person(face: i64) -> bool:
    """Whether a face is a character card."""
    return FIRST_PERSON <= face < FIRST_EVENT


def person_total(faces: list[Face]) -> int:
    """8.4: the values of the persons among `faces`; one more for each that is not alone."""
    total: i64 = 0
    met: i64 = 0  # Values as bits: those of one person at least, and of several.
    shared: i64 = 0
    face: i64
    for face in faces:
        value: i64 = VALUE[face] if is_person(face) else 0
        if value:
            total += value
            if met >> value & 1:
                total += 1 if shared >> value & 1 else 2
                shared |= 1 << value
            met |= 1 << value
    return total


def draw(table: Table, seat: int) -> None:
    """5.1: the top card of the talon comes into the hand."""
    table.move(table.zones[TALON][-1], TALON, HAND[seat])
    counters, fresh = table.counters, FRESH[seat]
    counters[fresh] = counters[fresh] | _UNSEEN  # Faster than |= when compiled.


def take(table: Table, seat: int, card: Card, source: int) -> None:
    """A card that everybody sees comes into the hand."""
    table.move(card, source, HAND[seat])
    if is_person(table.public_face(card)):
        table.counters[FRESH[seat]] |= _KNOWN_PERSON


def mix_before_actions(table: Table, seat: int) -> Shuffle | None:
    """The unseen cards and the known persons, if any of them are new."""
    fresh, table.counters[FRESH[seat]] = table.counters[FRESH[seat]], 0
    if not fresh:
        return None
    face, hand = table.face, table.zones[HAND[seat]]
    cards = [card for card in hand if face[card] == HIDDEN or face[card] >= FIRST_PERSON]
    return table.mix_own(seat, cards)


def mix_before_duel(table: Table, seat: int) -> Shuffle | None:
    """The unseen cards, if any of them are new."""
    fresh = table.counters[FRESH[seat]]
    table.counters[FRESH[seat]] = fresh & ~_UNSEEN
    return table.mix_hand(HAND[seat]) if fresh & _UNSEEN else None
