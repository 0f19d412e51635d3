"""Two games as small as leaving allows: nothing in them can be played well, so all is luck.

*Odds*: in each of three rounds a roll gives one seat a point, and then all say a number below three
in secret: a seat has a point if it says one more than the next seat did.

*High card*: one of nine cards for each of three seats; all wait once, then each shows its card, and
the highest wins.  A bot that waits and shows for somebody does so as well as anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, highest
from core.requests import Action, Choice, Over, Player, Request, Roll, Secret, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

SEATS, SIDES, ROUNDS = 3, 3, 3
PHASE, LUCKY = 0, 1  # Counters, and behind them the points and what each seat has said.
POINTS, SAID = 2, 2 + SEATS

def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    each = [f"seat{seat}.{what}" for what in ("points", "said") for seat in range(players)]
    places = [Place("board", Sight.EVERYONE)]
    table = Table(Layout(players, ("stone",), places, ["phase", "lucky", *each], options))
    table.lay_out(0, [0])
    return table


def advance(table: Table) -> Request:
    phase = table.counters[PHASE]
    table.counters[PHASE] += 1
    if phase % 2 and phase:
        table.counters[POINTS + table.rolled] += 1
        return Secret(tuple(range(SEATS)))
    if phase:
        said = table.counters[SAID:]
        for seat in range(SEATS):
            table.counters[POINTS + seat] += scores_with(said, seat)
    return Over() if phase == 2 * ROUNDS else Roll(SIDES)


def scores_with(said: list[int], seat: int) -> bool:
    """Whether a seat has a point when these numbers were said."""
    return said[seat] == (said[(seat + 1) % SEATS] + 1) % SIDES


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    return [Action("say", (), number) for number in range(SIDES)]


def apply(table: Table, player: Player, action: Action) -> None:
    if action.verb != "say" or action.cards or action.number >= SIDES:
        raise RulesError("one says a number")
    table.counters[SAID + player] = action.number


def describe(table: Table, action: Action, observation: Observation) -> str:
    return str(action.number)


def scores(table: Table) -> tuple[int, ...]:
    return tuple(table.counters[POINTS:SAID])


ODDS: Final = Game(
    slug="odds", players=range(SEATS, SEATS + 1), faces=("stone",), options=(),
    rules="Luck, and numbers below three.", setup=setup, advance=advance,
    legal_actions=legal_actions, apply=apply, claim=lambda *_: None, describe=describe,
    scores=scores, winners=lambda table: highest(scores(table)),
    phase=lambda table: str(table.counters[PHASE]),
)  # fmt: skip


# ---- the highest card ----

CARDS: Final = 9
DECK, BOARD, HAND = 0, 1, 2  # The hand of seat p is zone HAND + p.


def lay_out_cards(players: int, options: Mapping[str, OptionValue]) -> Table:
    hands = [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(players)]
    places = [Place("deck", Sight.NOBODY), Place("board", Sight.EVERYONE), *hands]
    shown = [f"seat{seat}.shown" for seat in range(players)]
    faces = tuple(map(str, range(CARDS)))
    table = Table(Layout(players, faces, places, ["phase", *shown], options))
    table.lay_out(DECK, list(range(CARDS)))
    return table


def deal_and_ask(table: Table) -> Request:
    phase = table.counters[PHASE]
    table.counters[PHASE] += 1
    deck = table.zones[DECK]
    if phase == 0:
        return Shuffle((tuple(deck),))
    if phase == 1:
        for seat in range(SEATS):
            table.move(deck[-1], DECK, HAND + seat)
        return table.owed[0]
    asked = phase - 2
    return Over() if asked == 2 * SEATS else Choice(asked % SEATS)


def waits(table: Table) -> bool:
    """Whether the seat that is asked only waits."""
    return table.counters[PHASE] - 2 <= SEATS


def wait_or_show(table: Table, player: Player, observation: Observation) -> list[Action]:
    cards = tuple(table.zones[HAND + player])
    return [Action("wait")] if waits(table) else [Action("show", cards)]


def do(table: Table, player: Player, action: Action) -> None:
    if action not in wait_or_show(table, player, []):
        raise RulesError("all wait once, and then show their cards")
    if not waits(table):
        table.move(action.cards[0], HAND + player, BOARD)
        table.counters[1 + player] = 1 + action.cards[0]


def faces_shown(table: Table) -> tuple[int, ...]:
    """What each seat has shown; -1: nothing yet."""
    cards = (table.counters[1 + seat] - 1 for seat in range(SEATS))
    return tuple(-1 if card < 0 else table.face[card] for card in cards)


HIGH_CARD: Final = Game(
    slug="high card", players=range(SEATS, SEATS + 1), faces=tuple(map(str, range(CARDS))),
    options=(), rules="The highest card wins.", setup=lay_out_cards, advance=deal_and_ask,
    legal_actions=wait_or_show, apply=do, claim=lambda *_: None,
    describe=lambda _, action, seen: action.verb, scores=faces_shown,
    winners=lambda table: highest(faces_shown(table)),
    phase=lambda table: str(table.counters[PHASE]),
)  # fmt: skip
