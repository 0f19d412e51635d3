"""Going on in an imagined game, where a complete deal answers everything but choices.

It is `core.engine.settle` for a table that nobody else will ever see, so it keeps only what later
moves can depend on: the faces that have been turned up and who has seen which card.  Families of
hidden cards are left as they were, and so are the cards that a player mixes in the own hand: both
exist to keep real players from knowing too much, and an imagined deal is known anyway.
"""

from __future__ import annotations

from core.chance import Chance
from core.engine import Pending, shuffle_deal
from core.game import Game
from core.requests import Choice, Face, Over, Reveal, Roll, Secret, Shuffle
from core.table import HIDDEN, Table


def go_on(game: Game, table: Table, deal: list[Face], chance: Chance) -> Pending:
    """Go on until somebody must choose or the game is over; `chance` shuffles and rolls."""
    advance = game.advance
    while True:
        if table.owed:
            _pay(table, deal)
        request = advance(table)
        if isinstance(request, (Choice, Over, Secret)):  # A union would be built anew every time.
            return request
        if isinstance(request, Shuffle):
            if request.player is None:
                _mix(table, deal, request, chance)
        elif isinstance(request, Roll):
            table.rolled = chance.below(request.sides)
        elif not table.owed:  # The game asked by itself, and not by moving a card.
            _show(table, deal, request)


def _pay(table: Table, deal: list[Face]) -> None:
    owed, table.owed = table.owed, []
    for reveal in owed:
        _show(table, deal, reveal)


def _show(table: Table, deal: list[Face], reveal: Reveal) -> None:
    if reveal.player is None:
        face = table.face
        for card in reveal.cards:
            face[card] = deal[card]
    else:
        seen, bit = table.seen, 1 << reveal.player
        for card in reveal.cards:
            seen[card] |= bit


def _mix(table: Table, deal: list[Face], shuffle: Shuffle, chance: Chance) -> None:
    for pile in shuffle.piles:
        shuffle_deal(table, deal, pile, chance)
        for card in pile:
            table.face[card], table.seen[card] = HIDDEN, 0
