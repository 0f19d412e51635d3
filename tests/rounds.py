"""A game of two rounds, for tests: all pass a card at once, show one, and shuffle all again.

The last card of each hand goes back unseen, so the same numbers are dealt twice; and points fall
below nothing: who shows the lowest card loses one.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.game import Game, highest
from core.requests import Action, Choice, Over, Player, Request, Secret, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

FACES = tuple(str(value) for value in range(1, 10))
DECK, SHOWN, FIRST = range(3)  # Zones; a hand and a passed card of each seat follow.
STAGE, TURN, ROUND, POINTS = range(4)  # Counters; points of all seats follow.
SHUFFLE, DEAL, PASS, MIX, SHOW, COUNT, OVER = range(7)
HAND_CARDS, ROUNDS = 2, 2


def hand(seat: Player) -> int:
    return FIRST + 2 * seat


def passed(seat: Player) -> int:
    return hand(seat) + 1


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    places = [Place("deck", Sight.NOBODY), Place("shown", Sight.EVERYONE)]
    for seat in range(players):
        places += [Place(f"seat{seat}.{name}", Sight.OWNER, seat) for name in ("hand", "passed")]
    counters = ["stage", "turn", "round", *(f"seat{seat}.points" for seat in range(players))]
    table = Table(Layout(players, FACES, places, counters, options))
    table.lay_out(DECK, range(len(FACES)))
    return table


def advance(table: Table) -> Request | None:
    counters, zones, players = table.counters, table.zones, table.layout.players
    stage = counters[STAGE]
    if stage == SHUFFLE:
        counters[STAGE] = DEAL
        return Shuffle((tuple(zones[DECK]),))
    if stage == DEAL:
        counters[STAGE] = PASS
        for seat in range(players):
            table.draw(HAND_CARDS, DECK, hand(seat))
        return None
    if stage == PASS:
        if not all(zones[passed(seat)] for seat in range(players)):
            return Secret(tuple(range(players)))
        counters[STAGE] = MIX
        for seat in range(players):
            table.move(zones[passed(seat)][0], passed(seat), hand((seat + 1) % players))
        return None
    if stage == MIX:
        seat = counters[TURN]
        counters[TURN] = (seat + 1) % players
        counters[STAGE] = MIX if counters[TURN] else SHOW
        return table.mix_hand(hand(seat))
    if stage == COUNT:
        _count(table)
        return None
    return Over() if stage == OVER else Choice(counters[TURN])


def _count(table: Table) -> None:
    shown = table.zones[SHOWN]
    loser = min(range(len(shown)), key=lambda seat: table.public_face(shown[seat]))
    table.counters[POINTS + loser] -= 1
    table.tell("lost", loser, number=1)
    table.counters[ROUND] += 1
    for zone in (SHOWN, *map(hand, range(table.layout.players))):
        table.move_all(tuple(table.zones[zone]), zone, DECK)
    table.counters[STAGE] = OVER if table.counters[ROUND] == ROUNDS else SHUFFLE


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    verb = "pass" if table.counters[STAGE] == PASS else "show"
    held = {observation[card]: card for card in table.zones[hand(player)]}
    return [Action(verb, (held[face],)) for face in sorted(held)]


def apply(table: Table, player: Player, action: Action) -> None:
    counters, is_pass = table.counters, table.counters[STAGE] == PASS
    if action.verb != ("pass" if is_pass else "show") or len(action.cards) != 1 or action.number:
        raise RulesError("one card is passed, and one shown")
    if not is_pass and player != counters[TURN]:
        raise RulesError(f"it is the turn of seat {counters[TURN]}")
    table.move(action.cards[0], hand(player), passed(player) if is_pass else SHOWN)
    if not is_pass:
        counters[TURN] = (player + 1) % table.layout.players
        counters[STAGE] = SHOW if counters[TURN] else COUNT


def scores(table: Table) -> tuple[int, ...]:
    return tuple(table.counters[POINTS : POINTS + table.layout.players])


TWO_ROUNDS = Game(
    slug="two_rounds", players=range(2, 4), faces=FACES, setup=setup, advance=advance,
    rules="1. Pass a card. 2. Show a card; the lowest loses a point. 3. Shuffle all, once more.",
    legal_actions=legal_actions, apply=apply, scores=scores,
    winners=lambda table: highest(scores(table)),
    tells={"lost": ("seat*.points", "round", "shown"), "pass": (), "show": ()},
    steering=("stage", "turn"),
)  # fmt: skip
