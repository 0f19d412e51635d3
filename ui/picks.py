"""The keys that pick: a number for each card of the hand, a letter for every other offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from core.requests import Player
from core.view import CardView, Offer, View
from p2p.news import SeatState
from ui.looks import Look
from ui.sentences import SEAT_WORD, offer_sentence
from ui.text import Words

# Verbs that keep one letter all game long.
OWN_LETTERS: Final = {"end": "e", "skip": "s", "treasures": "t"}
LETTERS: Final = "abcdgijkmnouvwxyz"  # What the keys of the table screen leave, but for those.


class Pick(NamedTuple):
    """An offer with the label that picks it, and the place on the table that means it too."""

    label: str  # "3" for a hand card, "a" for anything else.
    offer: Offer
    text: str  # What it does, in the person's language.
    place: str = ""  # A zone, or `seat1` for a whole seat.


def hand_of(view: View, look: Look) -> tuple[CardView, ...]:
    """My hand in the order in which it is shown: by face, then by back."""
    if view.seat is None:
        return ()
    cards = view.zones.get(f"seat{view.seat}.hand", ())
    return tuple(sorted(cards, key=lambda card: (look.order(card.face), card.back, card.card)))


def make_picks(
    words: Words, view: View, seats: Sequence[SeatState], look: Look
) -> tuple[Pick, ...]:
    """Every offer under its label: hand cards by number first, then the rest by letter.

    Equal cards of the hand are one offer, and each of them has a number that picks it.
    """
    hand = hand_of(view, look)
    numbered: list[Pick] = []
    used: set[int] = set()
    for number, card in enumerate(hand, 1):
        for index, offer in enumerate(view.offers):
            if len(offer.action.cards) == 1 and _is_like(offer.action.cards[0], card, hand):
                text = offer_sentence(words, seats, offer.text)
                numbered.append(Pick(str(number), offer, text, f"seat{view.seat}.hand"))
                used.add(index)
    rest = [offer for index, offer in enumerate(view.offers) if index not in used]
    return (*numbered, *_lettered(words, view, seats, rest))


def _is_like(number: int, card: CardView, hand: Sequence[CardView]) -> bool:
    """Whether the offered card is this one, or cannot be told from it."""
    if number == card.card:
        return True
    return any(
        other.card == number and (other.face, other.back) == (card.face, card.back)
        for other in hand
    )


def _lettered(
    words: Words, view: View, seats: Sequence[SeatState], offers: Sequence[Offer]
) -> list[Pick]:
    labels = iter([*LETTERS, *(first + second for first in LETTERS for second in LETTERS)])
    picks = []
    for offer in offers:
        label = OWN_LETTERS.get(offer.action.verb) or next(labels)
        text = offer_sentence(words, seats, offer.text)
        picks.append(Pick(label, offer, text, place_of(view, offer)))
    return picks


def place_of(view: View, offer: Offer) -> str:
    """Where on the table an offer points: the zone of its card, or the seat and face it names."""
    for card in offer.action.cards[:1]:
        for zone, cards in view.zones.items():
            if any(each.card == card for each in cards):
                return zone
    _, *rest = offer.text.split()
    target: Player | None = view.seat
    for word in rest:
        seat = SEAT_WORD.match(word)
        if seat:
            target = int(seat[1])
    names = [word.partition(".")[0] for word in rest if not SEAT_WORD.match(word)]
    zone = f"seat{target}.{names[-1]}" if names else f"seat{target}"
    return zone if zone in view.zones or not names else ""
