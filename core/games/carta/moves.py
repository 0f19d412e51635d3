"""Moves that several rules share: drawing, and mixing a hand so that nobody can follow a card."""

from __future__ import annotations

from core.games.carta.cards import AGES, DECK, HAND
from core.requests import Shuffle
from core.table import Table


def draw(table: Table, seat: int, count: int) -> int:
    """Draw up to `count` cards from the top of the deck; gives how many there were."""
    return table.draw(count, DECK, HAND[seat])


def mix_hidden(table: Table, seat: int) -> Shuffle | None:
    """The owner mixes the cards that others have not seen, each age by itself (backs show it).

    Otherwise a card played later could be told apart as the one drawn just now.
    """
    return table.mix_hand(HAND[seat], AGES)


def mix_whole(table: Table, seat: int) -> Shuffle | None:
    """E15: the owner mixes the whole hand, each age by itself, with the cards others know."""
    return table.mix_hand(HAND[seat], AGES, also_seen=True)
