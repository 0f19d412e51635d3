"""The keys that pick: a number for each card of the hand, a letter for every other offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple

from core.games import GAMES
from core.requests import Player
from core.view import CardView, Offer, View
from p2p.session.news import SeatState
from ui.language.text import Words
from ui.look import Look, Ware
from ui.model.sentences import SEAT_WORD, offer_sentence

# Verbs that keep one letter all game long.
OWN_LETTERS: Final = {
    "end": "e", "treasures": "t", "skip": "s", "stop": "s", "pass": "s", "show": "s"
}  # fmt: skip
_LETTERS: Final = "abcdgijkmnovwxyz"  # What the keys of the table screen leave, but for those.


class OfferPick(NamedTuple):
    """An offer with the label that picks it, and the place on the table that means it too."""

    label: str  # "3" for a hand card, "a" for anything else.
    offer: Offer
    text: str  # What it does, in the person's language.
    place: str = ""  # A zone, or `seat1` for a whole seat.


class HandStack(NamedTuple):
    """A card of my hand as it is shown, and how many like it there are."""

    card: CardView
    copies: int


def in_order(cards: Iterable[CardView], view: View, look: Look) -> list[CardView]:
    """Cards by face, as the look or else the game lists them, then by back; unseen ones first."""
    game = GAMES.get(view.game)
    printed = game.faces if game is not None and not look.faces else ()
    places = {face: place for place, face in enumerate(printed)}

    def order(card: CardView) -> tuple[object, ...]:
        place = places.get(card.face or "", look.order(card.face))
        return (card.face is not None, place, card.back, card.card)

    return sorted(cards, key=order)


def hand_of(view: View, look: Look) -> tuple[HandStack, ...]:
    """My hand in the order in which it is shown.

    Where a seat owns a pack of cards, equal ones are shown once.
    """
    cards = in_order(_my_cards(view, look), view, look)
    if not look.pack:
        return tuple(HandStack(card, 1) for card in cards)
    groups: dict[tuple[str | None, str], list[CardView]] = {}
    for card in cards:
        groups.setdefault((card.face, card.back), []).append(card)
    return tuple(
        HandStack(replace(like[0], is_public=all(card.is_public for card in like)), len(like))
        for like in groups.values()
    )


def _my_cards(view: View, look: Look) -> Sequence[CardView]:
    zones = [f"seat{view.seat}.{zone}" for zone in look.hand(view)]
    return [card for zone in zones for card in view.zones.get(zone, ())]


def _zone_of(view: View, offer: Offer, look: Look) -> str:
    """Which zone of mine the card of an offer lies in."""
    card = offer.action.cards[0]
    zones = [f"seat{view.seat}.{zone}" for zone in look.hand(view)]
    return next(zone for zone in zones if any(each.card == card for each in view.zones[zone]))


def make_picks(
    words: Words, view: View, seats: Sequence[SeatState], look: Look
) -> tuple[OfferPick, ...]:
    """Every offer under its label: hand cards by number first, then the rest by letter.

    Equal cards of the hand are one offer, and each of them has a number that picks it.  Whatever
    else can be done with a card has a letter.
    """
    texts = offer_texts(words, view, seats, look)
    numbered: list[OfferPick] = []
    used: set[int] = set()
    for number, held in enumerate(hand_of(view, look), 1):
        for index, offer in enumerate(view.offers):
            if len(offer.action.cards) == 1 and _is_like(
                offer.action.cards[0], held.card, _my_cards(view, look)
            ):
                zone = _zone_of(view, offer, look)
                numbered.append(OfferPick(str(number), offer, texts[offer.text], zone))
                used.add(index)
                break
    for label, offer in look.also(view).items():
        numbered.append(OfferPick(label, offer, texts[offer.text]))
    rest = [offer for index, offer in enumerate(view.offers) if index not in used]
    return (*numbered, *_lettered(view, texts, rest, look))


def offer_texts(
    words: Words, view: View, seats: Sequence[SeatState], look: Look
) -> Mapping[str, str]:
    """What choosing each offer would do, by its notation: as its game says it, or its words."""
    own = look.offered(words, view, seats)
    return {
        each.text: own.get(each.text)
        or offer_sentence(words, seats, each.text, view.game, view.phase)
        for each in view.offers
    }


def _is_like(number: int, card: CardView, mine: Sequence[CardView]) -> bool:
    """Whether the offered card is this one, or cannot be told from it."""
    if number == card.card:
        return True
    return any(
        other.card == number and (other.face, other.back) == (card.face, card.back)
        for other in mine
    )


def _lettered(
    view: View, texts: Mapping[str, str], offers: Sequence[Offer], look: Look
) -> list[OfferPick]:
    """The wares keep their letters as long as there are any; everything else gets those left.

    What has a label of its own comes in the order in which the look names it, so that the first
    arrow picks what people mean most often.
    """
    singles = _LETTERS + _LETTERS.upper()
    wares = look.wares(view)
    by_want = sorted(wares, key=lambda ware: ware.is_unwanted)
    own = {ware.zone: letter for ware, letter in zip(by_want, singles, strict=False)}
    rest, said = {offer.text for offer in offers}, look.labels(view)
    said = {text: label for text, label in said.items() if text in rest}
    order = {text: at for at, text in enumerate(said)}
    offers = sorted(offers, key=lambda offer: order.get(offer.text, len(order)))
    places = [place_of(view, offer, wares) for offer in offers]
    is_shopping = any(place in own for place in places)
    used = {label[0] for label in said.values()} | (set(own.values()) if is_shopping else set())
    pairs = (first + second for first in _LETTERS for second in _LETTERS)
    free = (label for label in chain(singles, pairs) if not {label, label[0]} & used)
    picks: list[OfferPick] = []
    for offer, place in zip(offers, places, strict=True):
        label = said.get(offer.text) or own.get(place) or OWN_LETTERS.get(offer.action.verb, "")
        label = label if label and label not in {pick.label for pick in picks} else next(free)
        picks.append(OfferPick(label, offer, texts[offer.text], place))
    return picks


def place_of(view: View, offer: Offer, wares: Sequence[Ware] = ()) -> str:
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
    zone = next((ware.zone for ware in wares if names == [ware.face]), zone)
    return zone if zone in view.zones or not names else ""
