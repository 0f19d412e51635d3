"""Moves that several rules share: drawing, and mixing a hand so that nobody can follow a card."""

from __future__ import annotations

from core.games.carta.cards import AGES, DECK, HAND
from core.requests import Card, Shuffle
from core.table import HIDDEN, Table


def draw(table: Table, seat: int, count: int) -> int:
    """Draw up to `count` cards from the top of the deck; gives how many there were."""
    deck, hand = table.zones[DECK], HAND[seat]
    drawn = min(count, len(deck))
    for _ in range(drawn):
        table.move(deck[-1], DECK, hand)
    return drawn


def mix_hidden(table: Table, seat: int) -> Shuffle | None:
    """The owner mixes the cards that others have not seen, each age by itself (backs show it).

    Otherwise a card played later could be told apart as the one drawn just now.
    """
    if table.deal is not None:  # Nobody can be misled in an imagined game.
        return None
    face = table.face
    return _mix([card for card in table.zones[HAND[seat]] if face[card] == HIDDEN], seat)


def mix_whole(table: Table, seat: int) -> Shuffle | None:
    """E15: the owner mixes the whole hand, each age by itself, with the cards others know."""
    if table.deal is not None:
        return None
    return _mix(table.zones[HAND[seat]], seat)


def _mix(cards: list[Card], seat: int) -> Shuffle | None:
    if len(cards) < 2:
        return None
    piles: list[list[Card]] = [[], [], []]
    for card in cards:
        piles[AGES[card]].append(card)
    piles.reverse()  # Age I first.
    mixed = tuple([tuple(pile) for pile in piles if len(pile) > 1])
    return Shuffle(mixed, seat) if mixed else None
