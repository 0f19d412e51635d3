"""Hidden cards that only their owner can tell apart: which of them an action names.

The rules offer the first of several equal hidden cards.  Choosing that one would say that none of
the cards before it has its face, so a seat names any of them, drawn at random; and whoever looks
at the action later, with the seat's cards in view, takes them for one and the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from core.game import Game
from core.requests import Action, Card
from core.table import HIDDEN, Observation, Table
from p2p.crypto import entropy


def any_equivalent(game: Game, table: Table, observation: Observation, action: Action) -> Action:
    """The same action with any of the equal cards that only `observation` tells apart."""
    cards = list(action.cards)
    for index, card in enumerate(cards):
        same = equivalents(game, table, observation, card)
        equals = [other for other in same if other not in cards or other == card]
        if len(equals) > 1:
            cards[index] = equals[entropy.permutation(len(equals))[0]]
    return action._replace(cards=tuple(cards))


def all_equivalents(
    game: Game, table: Table, observation: Observation, action: Action
) -> Iterator[Action]:
    """Every action that `any_equivalent` may turn this one into."""
    choices = [equivalents(game, table, observation, card) for card in action.cards]
    for cards in product(*choices):
        if len(set(cards)) == len(cards):
            yield action._replace(cards=cards)


def canonical(game: Game, table: Table, observation: Observation, action: Action) -> Action:
    """The action that stands for all of its equivalents."""
    cards: list[Card] = []
    for card in action.cards:
        same = equivalents(game, table, observation, card)
        cards.append(next((other for other in same if other not in cards), card))
    return action._replace(cards=tuple(cards))


def equivalents(game: Game, table: Table, observation: Observation, card: Card) -> list[Card]:
    """`card` and the cards beside it that nobody without `observation` can tell from it."""
    if table.face[card] != HIDDEN or observation[card] == HIDDEN:
        return [card]
    zone = next(cards for cards in table.zones if card in cards)
    return [
        other
        for other in zone
        if table.face[other] == HIDDEN
        and observation[other] == observation[card]
        and table.seen[other] == table.seen[card]
        and game.back(table, other) == game.back(table, card)
    ]
