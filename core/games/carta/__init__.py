"""Carta Impera Victoria, whole: 2 to 4 seats, both deals, teams, every effect and option.

The rules are numbered as in `text.RULES`; the code cites those numbers (`# 5.4`), the edge cases
(`# E15`) and the differences between the printed editions (`# F8`) that it decides.

Notation, the same for ever; X is a domain key (military religion economy science culture utopia):

    play X              step 1, and the play part of an effect (number 0, one card)
    skip                no card in hand can be played, which is then proven
    use military.1      begin a permanent effect: X.1, X.2 (number 4 * domain + level),
    use military.x      a discard effect (level 3), or `use culture.0`, Inspiration (level 0)
    copy science.2      what Inspiration copies (the same number)
    discard X           from the hand or the own area, as the effect says
    return X            take a card back from the own area to the hand
    take X              from the discard pile to the hand, or from the middle of the draft
    give X              a card back to the victim of an Inquisition
    target seat1        whose hand Inquisition takes (number 8 * seat)
    target seat1 X      where Embargo or Democracy lies (number 8 * seat + 1 + domain)
    keep X              in the draft
    end                 no more effects: draw, and the turn is over

    cards.py    cards, zones, counters, options      turn.py        set-up, turns, the end
    moves.py    drawing and mixing                   effects.py     what effects need and begin
    choices.py  what may be done, and its notation   actions.py     doing it
    scoring.py  who wins                             rules_text.py  the rules for players
    story.py    what a story of a game tells

A game can go on for ever if the seats want it to: with Oligarchy both may take back what they
discard and never draw.  Whoever plays imagined games has to stop somewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, Mechanics
from core.games.carta import actions, choices, scoring, turn
from core.games.carta.cards import (
    BACKS,
    COPIES,
    DECK,
    DOMAINS,
    OPTIONS,
    PHASE,
    PHASES,
    counter_names,
    places,
)
from core.games.carta.rules_text import RULES
from core.games.carta.story import STEERING, TELLS
from core.requests import Action, Card, Player, Request
from core.table import Layout, Observation, OptionValue, Table


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    """1.1: every card face up in the deck, age III at the bottom."""
    layout = Layout(players, DOMAINS, places(players), counter_names(players), options)
    table = Table(layout)
    for copies in COPIES.values():
        table.lay_out(DECK, [face for face, count in enumerate(copies) for _ in range(count)])
    turn.new_counters(table)
    return table


def phase(table: Table) -> str:
    """The key of what is going on, one of `cards.PHASES`."""
    return PHASES[table.counters[PHASE]]


def back(table: Table, card: Card) -> str:
    """E30: the age of a card: I, II or III."""
    return BACKS[card]


class _Mechanics(Mechanics):
    def advance(self, table: Table) -> Request | None:
        return turn.advance(table)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        return choices.legal_actions(table, player, observation)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        actions.apply(table, player, action)


_MECHANICS: Final = _Mechanics()
GAME: Final = Game(
    slug="carta",
    players=range(2, 5),
    faces=DOMAINS,
    options=OPTIONS,
    rules=RULES,
    setup=setup,
    advance=_MECHANICS.advance,
    legal_actions=_MECHANICS.legal_actions,
    apply=_MECHANICS.apply,
    claim=actions.claim,
    describe=choices.describe,
    scores=scoring.majority_points,
    winners=scoring.winning_seats,
    account=scoring.account,
    team=scoring.side_of,
    phase=phase,
    back=back,
    tells=TELLS,
    steering=STEERING,
)
