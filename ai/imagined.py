"""Going on in an imagined game, where a complete deal answers everything but choices.

It is `core.engine.settle` for a table that nobody else will ever see, so it keeps only what later
moves can depend on: the faces that have been turned up and who has seen which card.  Families of
hidden cards are left as they were, and so are the cards that a player mixes in the own hand: both
exist to keep real players from knowing too much, and an imagined deal is known anyway.
"""

from __future__ import annotations

from typing import Final

from core.chance import Chance
from core.engine import Pending, shuffle_deal
from core.game import Game
from core.requests import Choice, Face, Over, Reveal, Roll, Secret, Shuffle
from core.table import HIDDEN, Table

_CHOICES_MAX: Final = 100_000  # A random game of any rules ends long before.


def go_on(game: Game, table: Table, deal: list[Face], chance: Chance) -> Pending:
    """Go on until somebody must choose or the game is over; `chance` shuffles and rolls."""
    if table.deal is not deal:
        _begin(table, deal)
    while True:
        request = game.advance(table)
        if isinstance(request, Choice):  # The commonest first: search comes here all the time.
            return request
        if isinstance(request, Secret | Over):
            return request
        _answer(table, deal, request, chance)


def play_at_random(game: Game, table: Table, deal: list[Face], chance: Chance) -> int:
    """Play to the end, choosing at random among what is legal; gives the number of choices."""
    choices = 0
    _begin(table, deal)
    while choices < _CHOICES_MAX:
        request = game.advance(table)
        if isinstance(request, Choice):
            player = request.player
            actions = game.legal_actions(table, player, deal)
            game.apply(table, player, actions[chance.below(len(actions))])
            choices += 1
        elif isinstance(request, Secret):
            for player in request.players:
                game.apply(table, player, chance.pick(game.legal_actions(table, player, deal)))
                choices += 1
        elif isinstance(request, Over):
            break
        else:
            _answer(table, deal, request, chance)
    return choices


def _begin(table: Table, deal: list[Face]) -> None:
    """From here on, what comes into sight is seen at once."""
    table.deal = deal
    owed, table.owed = table.owed, []
    for reveal in owed:
        table.reveal(reveal.cards, reveal.player, deal)


def _answer(
    table: Table, deal: list[Face], request: Shuffle | Roll | Reveal, chance: Chance
) -> None:
    if isinstance(request, Shuffle):
        if request.player is None:
            _mix(table, deal, request, chance)
    elif isinstance(request, Roll):
        table.rolled = chance.below(request.sides)
    else:  # The game asked by itself, and not by moving a card.
        table.reveal(request.cards, request.player, deal)


def _mix(table: Table, deal: list[Face], shuffle: Shuffle, chance: Chance) -> None:
    face, seen = table.face, table.seen
    for pile in shuffle.piles:
        shuffle_deal(deal, pile, chance)
        for card in pile:
            face[card], seen[card] = HIDDEN, 0
