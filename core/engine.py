"""The whole engine: start a game, apply one event after another.

Two doors lead into the same rules.  `apply_event` takes the events of a log, on machines that each
know only a part of the faces.  `run_until_choice` answers every request but a choice from a
complete deal, for tournaments and for whoever checks a game whose cards have all been opened.

    apply_event       <-  narrate.Narrator.apply  <-  p2p/game/script.py, a table on the network
                      <-  KnownTable.apply_event  <-  Referee and Match
                      <-  p2p/audit/game.py, which reads a finished game a second time
    run_until_choice  <-  ai/tournaments/arena.py; search has a faster one of its own,
                          ai/search/transitions.py
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from core.chance import Chance
from core.game import Game, complete_options
from core.requests import (
    Card,
    Choice,
    Chosen,
    Event,
    Face,
    Opened,
    Over,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.table import OptionValue, RulesError, Table

ENGINE_VERSION: Final = 1  # Peers with different numbers cannot play together.
Pending: TypeAlias = Choice | Secret | Over  # What `run_until_choice` stops at.


def start(game: Game, players: int, options: Mapping[str, OptionValue]) -> Table:
    """A fresh table, of which nothing has been asked yet.

    Raises:
        RulesError: the number of seats or an option is not one the game has.
    """
    return game.setup(players, complete_options(game, players, options))


def next_request(game: Game, table: Table) -> Request:
    """What is needed now.  Reveals that moves have made necessary come first.

    Asking moves the game: call it once, and answer what it asked for.
    """
    while not table.owed:
        request = game.mechanics.advance(table)
        if request is not None:
            return request
    return table.owed[0]


def apply_event(game: Game, table: Table, request: Request, event: Event) -> Request:
    """Apply the event that answers `request`, and return the next request.

    Raises:
        RulesError: everybody can see that the event is against the rules.
    """
    match request, event:
        case Choice(player), Chosen(action):
            game.mechanics.apply(table, player, action)
        case Secret(players), Opened(actions) if len(actions) == len(players):
            for player, action in zip(players, actions, strict=True):
                game.mechanics.apply(table, player, action)
        case Reveal(), Revealed(faces):
            _reveal(table, request, list(faces))
        case Shuffle(piles, owner), Shuffled():
            for pile in piles:
                table.mix(pile, owner)
        case Roll(sides), Rolled(number) if 0 <= number < sides:
            table.rolled = number
        case _:
            raise RulesError(f"{event} does not answer {request}")
    return next_request(game, table)


def _reveal(table: Table, request: Reveal, faces: list[Face]) -> None:
    cards, player = request.cards, request.player
    if len(faces) != (len(cards) if player is None else 0):
        raise RulesError(f"{len(faces)} faces do not answer {request}")
    if table.owed:  # Otherwise the game asked by itself.
        table.owed.pop(0)
    if player is None:
        table.turn_up(cards, faces)
    else:
        table.show(cards, player)


def run_until_choice(game: Game, table: Table, deal: list[Face], chance: Chance) -> Pending:
    """Go on from `start`, or from an action just applied, until somebody must choose.

    `deal` names the face of every card.  Shuffles permute it in place;
    `chance` decides them and the rolls.
    """
    mechanics = game.mechanics
    while True:
        while table.owed:
            reveal = table.owed.pop(0)
            if reveal.player is None:
                table.turn_up_dealt(reveal.cards, deal)
            else:
                table.show(reveal.cards, reveal.player)
        request = mechanics.advance(table)
        if request is None:
            continue
        if isinstance(request, Choice):  # The commonest first: random games come here often.
            return request
        if isinstance(request, Shuffle):
            for pile in request.piles:
                chance.shuffle_at(deal, pile)
                table.mix(pile, request.player)
        elif isinstance(request, Roll):
            table.rolled = chance.below(request.sides)
        elif not isinstance(request, Reveal):
            return request
        elif not table.owed:  # The game asks by itself, and not for what is owed.
            table.owed.append(request)


def shuffle_deal(deal: list[Face], pile: tuple[Card, ...], chance: Chance) -> None:
    """Shuffle the faces of `pile` among its numbers."""
    chance.shuffle_at(deal, pile)
