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

    printed.py  what is on the cards               scoring.py  culture and characters
    cards.py    faces, zones, counters, options    payment.py  debts, stone by stone
    hands.py    taking, drawing, mixing            turn.py     set-up, turns, refills, the end
    rows.py     rows of culture cards              ending.py   who wins
    stones.py   supplies, spots, who may place     choices.py  what may be done, and its notation
    text.py     the rules for players              actions.py  doing it

What stays hidden.  Whoever puts a card on the own pile proves that it is a character and shows
nothing else; hands are mixed before a new card could be followed.  Hands are shown at the end only
by those whose stones are level.

A game can go on for ever if the seats want it to: who has no stone to place may pass.  It never has
to: see G33 in `stones.liftable`.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.game import Game, Option
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
from core.games.renaissance.text import RULES
from core.native import mypyc_attr
from core.requests import Action, Card, Claim, Player, Request
from core.table import Eyes, Layout, OptionValue, Table


@mypyc_attr(allow_interpreted_subclasses=True)
class Renaissance(Game):
    """The rules of Die Wiege der Renaissance."""

    slug = "renaissance"
    players = range(2, 5)
    faces: tuple[str, ...] = FACES
    options: tuple[Option, ...] = OPTIONS
    rules = RULES

    def setup(self, players: int, options: Mapping[str, OptionValue]) -> Table:
        """1.1: the talon and all events, face up; the stones in the supplies."""
        layout = Layout(players, FACES, places(players), counter_names(players), options)
        table = Table(layout)
        table.lay_out(TALON, TALON_FACES)
        table.lay_out(EVENT_DECK, EVENT_FACES)
        turn.new_counters(table)
        return table

    def advance(self, table: Table) -> Request:
        """Carry on until something is needed from outside."""
        return turn.advance(table)

    def legal_actions(self, table: Table, player: Player, eyes: Eyes) -> list[Action]:
        """What `player` may do now."""
        return choices.legal_actions(table, player, eyes)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        """Do it, or raise RulesError when everybody can see that it is against the rules."""
        actions.apply(table, player, action)

    def claim(self, table: Table, player: Player, action: Action) -> Claim | None:
        """What `hide` asserts about the card; nothing for any other action."""
        return actions.claim(table, player, action)

    def describe(self, table: Table, action: Action, eyes: Eyes) -> str:
        """The notation of an action."""
        return choices.describe(table, action, eyes)

    def scores(self, table: Table) -> tuple[int, ...]:
        """13.2: the stones of every seat, of a team those of both."""
        return ending.scores(table)

    def winners(self, table: Table) -> tuple[Player, ...]:
        """13.2, 14.4: the seats that won."""
        return ending.winners(table)

    def team(self, table: Table, player: Player) -> int:
        """14.1: the side of a seat."""
        return side_of(table, player)

    def phase(self, table: Table) -> str:
        """The key of what is going on, one of `cards.PHASES`."""
        return PHASES[table.counters[PHASE]]

    def back(self, table: Table, card: Card) -> str:
        """Events have a back of their own."""
        return "" if card < len(TALON_FACES) else "event"
