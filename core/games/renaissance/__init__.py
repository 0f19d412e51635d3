"""Die Wiege der Renaissance, whole: 2 to 4 seats, teams, every variant.

The rules are numbered as in `text.RULES`; the code cites those numbers (`# 5.4`), and by a G what
the rule book leaves open (`# G13`, see `docs/lab/renaissance.md`).  What is printed on the cards
is our own proposal, in `printed.py` alone.

Notation, the same for ever; X is the key of a card, a.1 the first space of the first event, and
symbols and colors have their names:

    place a.1            a stone                   genius a.1      the genius marker
    swap seat1 red       give a red stone for one's own color
    lift a.1             pick up a piece to move it; to pay, a stone
    pass                 place nothing; in a duel, call nobody
    take X               from the display          stop            no more cards of the bonus
    draw                 from the talon            end             no second card action
    lay X                a culture card            join science    which row a joker joins
    hide X               a character               rotate science  the double on top of a row
    name science         what is scored            pay red         which foreign stone goes first
    call X               in a duel, from the hand  uncover         in a duel, from the pile
    keep X               the one card that returns to the hand

    printed.py     what is on the cards               scoring.py  culture and characters
    cards.py       faces, zones, counters, options    payment.py  debts, stone by stone
    hands.py       taking, drawing, mixing            turn.py     set-up, turns, refills, the end
    rows.py        rows of culture cards              ending.py   who wins
    stones.py      supplies, spots, who may place     choices.py  what may be done, and its notation
    rules_text.py  the rules for players              actions.py  doing it
    story.py       what a story of a game tells

What stays hidden.  Whoever puts a card on the own pile proves that it is a character and shows
nothing else; hands are mixed before a new card could be followed.  Hands are shown at the end only
by those whose stones are level.

A game can go on for ever if the seats want it to: who has no stone to place may pass.  It never has
to: see G33 in `stones.liftable`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, Mechanics
from core.games.renaissance import actions, choices, ending, turn
from core.games.renaissance.cards import (
    EVENT_DECK,
    EVENT_FACES,
    FACES,
    OPTIONS,
    PHASE,
    PHASES,
    TALON,
    TALON_FACES,
    counter_names,
    places,
    side_of,
)
from core.games.renaissance.rules_text import RULES
from core.games.renaissance.story import STEERING, TELLS
from core.requests import Action, Card, Player, Request
from core.table import Layout, Observation, OptionValue, Table


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    """1.1: the talon and all events, face up; the stones in the supplies."""
    layout = Layout(players, FACES, places(players), counter_names(players), options)
    table = Table(layout)
    table.lay_out(TALON, TALON_FACES)
    table.lay_out(EVENT_DECK, EVENT_FACES)
    turn.new_counters(table)
    return table


def phase(table: Table) -> str:
    """The key of what is going on, one of `cards.PHASES`."""
    return PHASES[table.counters[PHASE]]


def back(table: Table, card: Card) -> str:
    """Events have a back of their own."""
    return "" if card < len(TALON_FACES) else "event"


class _Mechanics(Mechanics):
    def advance(self, table: Table) -> Request | None:
        return turn.advance(table)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        return choices.legal_actions(table, player, observation)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        actions.apply(table, player, action)


_MECHANICS: Final = _Mechanics()
GAME: Final = Game(
    slug="renaissance",
    players=range(2, 5),
    faces=FACES,
    options=OPTIONS,
    rules=RULES,
    setup=setup,
    advance=_MECHANICS.advance,
    legal_actions=_MECHANICS.legal_actions,
    apply=_MECHANICS.apply,
    claim=actions.claim,
    describe=choices.describe,
    scores=ending.scores,
    winners=ending.winners,
    account=ending.account,
    team=side_of,
    phase=phase,
    back=back,
    tells=TELLS,
    steering=STEERING,
)
