"""Dominion, whole: 2 to 6 seats, both editions of the base game, any kingdom.

The rules are numbered as in `text.RULES` (D1 to D18); the code cites those numbers.

Notation, the same for ever; X is the key of a card (copper, throne_room):

    play X               an Action, or a Treasure
    treasures X X ...    several Treasures at once
    buy X                stop          no more Actions; no more cards to pick
    end                  the turn is over
    gain X               what an effect lets one gain
    discard X, trash X   put X         on top of a deck
    keep X, aside X      Library: to the hand, or set aside
    take X               Thief: of the Treasures that were trashed
    reveal X             a Moat, or the Victory card that Bureaucrat wants
    show                 the whole hand: there is no such card
    turn                 Chancellor: the deck, onto the discard pile
    pass                 do not reveal a Moat, do not pick a card
    top X                nothing is in play at the clean-up: X lies on top of the discard pile
    choose X             a kind of the kingdom, when it is drafted
    strike X             a kind that will not be in the kingdom

    cards.py       cards, zones, counters, phases   turn.py     set-up, turns, the end
    kingdoms.py    the ten kinds                    picks.py    what effects let one pick
    piles.py       decks, hands, discard piles      choices.py  what may be done, and its notation
    steps.py       what texts are made of           actions.py  doing it
    card_texts.py  the text of every card           scoring.py  points and winners
    rules_text.py  the rules for players            story.py    what a story of a game tells

What stays hidden.  A deck is mixed by all and seen by nobody.  Hand cards are discarded unseen,
only the top of a discard pile is turned up.  Whenever cards join a hand in mid-turn their owner
mixes it, and so does whoever looks at cards and puts them back: no number can be followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, Mechanics
from core.games.dominion import actions, choices, scoring, turn
from core.games.dominion.cards import (
    BASIC_KINDS,
    COPPER,
    DECK,
    ESTATE,
    KEYS,
    KINGDOM,
    KINGDOM_KINDS,
    NOBODY,
    PHASE,
    PHASES,
    PICKED,
    SEATS_MAX,
    START,
    TURN,
    counter_names,
    pile_heights,
    places,
)
from core.games.dominion.kingdoms import OPTIONS, kinds_of, named_kingdom
from core.games.dominion.rules_text import RULES
from core.games.dominion.story import STEERING, TELLS
from core.requests import Action, Player, Request
from core.table import Layout, Observation, OptionValue, Table


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    """D2 to D4: the supply, and every seat's first ten cards, face up.

    All kinds of the edition are laid out when the kingdom is found only in the game.
    """
    layout = Layout(players, KEYS, places(players), counter_names(players), options)
    table = Table(layout)
    kingdom = named_kingdom(options) or kinds_of(options["edition"])
    for face, count in enumerate(pile_heights(players)):
        if face < BASIC_KINDS or face in kingdom:
            table.lay_out(face, [face] * count)
    for seat in range(players):
        table.lay_out(DECK[seat], [COPPER] * 7 + [ESTATE] * 3)
    counters = table.counters
    counters[TURN] = counters[START] = counters[PICKED] = NOBODY
    counters[KINGDOM : KINGDOM + KINGDOM_KINDS] = [NOBODY] * KINGDOM_KINDS
    return table


def phase(table: Table) -> str:
    """The key of what is going on, one of `cards.PHASES`."""
    return PHASES[table.counters[PHASE]]


class _Mechanics(Mechanics):
    def advance(self, table: Table) -> Request | None:
        return turn.advance(table)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        return choices.legal_actions(table, player, observation)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        actions.apply(table, player, action)


_MECHANICS: Final = _Mechanics()
GAME: Final = Game(
    slug="dominion",
    players=range(2, SEATS_MAX + 1),
    faces=KEYS,
    options=OPTIONS,
    rules=RULES,
    setup=setup,
    advance=_MECHANICS.advance,
    legal_actions=_MECHANICS.legal_actions,
    apply=_MECHANICS.apply,
    claim=actions.claim,
    describe=choices.describe,
    scores=scoring.scores,
    winners=scoring.winners,
    account=scoring.account,
    phase=phase,
    tells=TELLS,
    steering=STEERING,
)
