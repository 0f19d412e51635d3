"""Kuhn's poker (Kuhn 1950): three cards, one to each of two seats, one round of bets.

Small enough to try every game of it, and what a seat knows is known from the books: its card and
the bets so far.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.game import Game
from core.requests import Action, Choice, Over, Player, Request, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

FACES = ("jack", "queen", "king")
DECK, HANDS, SHOWN = 0, (1, 2), (3, 4)
STAGE, MADE, FIRST_BET = range(3)  # Counters; from FIRST_BET on what was done, bet by bet.
BEGIN, DEAL, BET, OVER = range(4)
VERBS = ("pass", "bet")


def bets(table: Table) -> tuple[str, ...]:
    """What was done so far."""
    made = table.counters[MADE]
    return tuple(VERBS[number] for number in table.counters[FIRST_BET : FIRST_BET + made])


def ends(done: tuple[str, ...]) -> bool:
    return len(done) > 1 and done != ("pass", "bet")


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    hands = [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(2)]
    shown = [Place(f"seat{seat}.shown", Sight.EVERYONE, seat) for seat in range(2)]
    places = [Place("deck", Sight.NOBODY), *hands, *shown]
    table = Table(Layout(2, FACES, places, ("stage", "made", "one", "two", "three"), options))
    table.lay_out(DECK, range(3))
    return table


def advance(table: Table) -> Request:
    stage, done = table.counters[STAGE], bets(table)
    if stage == BEGIN:
        table.counters[STAGE] = DEAL
        return Shuffle((tuple(table.zones[DECK]),))
    if stage == DEAL:
        table.counters[STAGE] = BET
        for hand in HANDS:
            table.draw(1, DECK, hand)
        return table.owed[0]
    if stage == BET and not ends(done):
        return Choice(len(done) % 2)
    if stage == BET and done[-1] == done[-2]:  # Two passes, or a bet that was called.
        table.counters[STAGE] = OVER
        for hand, shown in zip(HANDS, SHOWN, strict=True):
            table.draw(1, hand, shown)
        return table.owed[0]
    return Over()


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    return [Action(verb) for verb in VERBS]


def apply(table: Table, player: Player, action: Action) -> None:
    if action not in legal_actions(table, player, []):
        raise RulesError("pass or bet")
    table.counters[FIRST_BET + table.counters[MADE]] = VERBS.index(action.verb)
    table.counters[MADE] += 1


def scores(table: Table) -> tuple[int, ...]:
    done = bets(table)
    if done[-1] == done[-2]:
        stake = 2 if done[-1] == "bet" else 1
        first, second = (table.public_face(table.zones[shown][0]) for shown in SHOWN)
        won = stake if first > second else -stake
    else:
        won = 1 if len(done) == 2 else -1  # Whoever passed after the bet has lost.
    return won, -won


def winners(table: Table) -> tuple[Player, ...]:
    return (0,) if scores(table)[0] > 0 else (1,)


KUHN = Game(
    slug="kuhn",
    players=range(2, 3),
    faces=FACES,
    rules="The higher card wins, unless somebody passes after a bet.",
    setup=setup,
    advance=advance,
    legal_actions=legal_actions,
    apply=apply,
    scores=scores,
    winners=winners,
)
