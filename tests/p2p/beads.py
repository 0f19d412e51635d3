"""The smallest game that needs every kind of entry there is, so that a whole one takes no time.

A deck of beads (a red, a green and a blue one for every seat, twice) is shuffled in two halves and
two beads go to every seat.  Seat 0 mixes its hand.  A die is rolled, all bid secretly, seat 0 makes
a claim about a hidden bead, seat 1 gives a bead to seat 0, seat 0 plays one face up, a bead of
seat 1 goes back into the deck, which is shuffled again, and its top bead is turned up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.game import Game, Option, highest
from core.requests import (
    Action,
    Choice,
    Claim,
    Face,
    Over,
    Player,
    Request,
    Roll,
    Secret,
    Shuffle,
)
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

FACES = ("red", "green", "blue")
SIDES = 6
BIDS = 3
DECK, BOARD, HANDS = 0, 1, 2  # The hand of seat p is zone HANDS + p.
PHASE, POINTS = 0, 1  # The points of seat p are counter POINTS + p.
BIDDING, SAYING, GIVING, PLAYING = 5, 6, 7, 8


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    hands = [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(players)]
    places = [Place("deck", Sight.NOBODY), Place("board", Sight.EVERYONE), *hands]
    counters = ["phase", *(f"seat{seat}.points" for seat in range(players))]
    table = Table(Layout(players, FACES, places, counters, options))
    table.lay_out(DECK, [0, 1, 2] * 2 * players)
    return table


def advance(table: Table) -> Request:
    phase, table.counters[PHASE] = table.counters[PHASE], table.counters[PHASE] + 1
    deck, players = table.zones[DECK], table.layout.players
    match phase:
        case 0:
            half = len(deck) // 2
            return Shuffle((tuple(deck[:half]), tuple(deck[half:])))
        case 1:
            for seat in range(players):
                table.move(deck[-1], DECK, HANDS + seat)
                table.move(deck[-1], DECK, HANDS + seat)
        case 2:
            return Shuffle((tuple(table.zones[HANDS]),), 0)
        case 3:
            return Roll(SIDES)
        case 4:
            return Secret(tuple(range(players)))
        case 5 | 7:
            return Choice(0)
        case 6:
            return Choice(1)
        case 8:
            table.move(table.zones[HANDS + 1][0], HANDS + 1, DECK)
            return Shuffle((tuple(deck),))
        case 9:
            table.move(deck[-1], DECK, BOARD)
        case _:
            return Over()
    return table.owed[0]


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    hand = table.zones[HANDS + player]
    match table.counters[PHASE]:
        case 5:
            return [Action("bid", (), number) for number in range(BIDS)]
        case 6:
            return [Action("say", (card,), observation[card]) for card in hand]
        case 7:
            return [Action("give", (card,)) for card in hand]
    return [Action("play", (card,)) for card in hand]


def apply(table: Table, player: Player, action: Action) -> None:
    verb, cards, number = action
    due = {BIDDING: "bid", SAYING: "say", GIVING: "give", PLAYING: "play"}
    if verb != due[table.counters[PHASE]]:
        raise RulesError(f"cannot {verb} now")
    if len(cards) != (0 if verb == "bid" else 1):
        raise RulesError("a bid takes no bead and everything else takes one")
    match verb:
        case "bid" if number < BIDS:
            table.counters[POINTS + player] += number
        case "say":
            table.counters[POINTS + player] += table.rolled
        case "give":
            table.move(cards[0], HANDS + player, HANDS)
        case "play":
            table.move(cards[0], HANDS + player, BOARD)
        case _:
            raise RulesError("no such bid")


def claim(table: Table, player: Player, action: Action) -> Claim | None:
    """A bead is the one said, or the next in the order of faces."""
    if action.verb != "say":
        return None
    count = len(FACES)
    return Claim(action.cards, (action.number % count, (action.number + 1) % count))


def describe(table: Table, action: Action, observation: Observation) -> str:
    faces: list[Face] = [observation[card] for card in action.cards]
    return f"{action.verb} {faces} {action.number}"


def scores(table: Table) -> tuple[int, ...]:
    return tuple(table.counters[POINTS:])


def winners(table: Table) -> tuple[Player, ...]:
    return highest(scores(table))


def phase(table: Table) -> str:
    return str(table.counters[PHASE])


BEADS: Final = Game(
    slug="beads",
    players=range(2, 5),
    faces=FACES,
    options=(Option("spare", (0, 1)),),
    rules="Every kind of entry, once.",
    setup=setup,
    advance=advance,
    legal_actions=legal_actions,
    apply=apply,
    claim=claim,
    describe=describe,
    scores=scores,
    winners=winners,
    phase=phase,
)
