"""A tiny game to search in: play numbers from a hidden hand, first to the goal wins.

Seats take turns to play a card from hand to their own row and draw another.  A thief (face 0) also
takes the last card of a row that its player then names.  Whoever has `GOAL` points in the row
wins at once; when hands and deck are empty, the most points win.  With the option `secret` all
seats play at the same time and thieves are plain zeros.  With `team` seats 0, 2 play 1, 3.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.game import Game, Option, highest
from core.requests import Action, Choice, Over, Player, Request, Secret, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table

GOAL = 9
HAND_CARDS = 2
STAGE, TURN, THIEF = range(3)
DECK = 0
NAMES = ("thief", "one", "two", "three", "four")
FACES = (0, 1, 1, 2, 2, 3, 4) * 3


def hand(seat: int) -> int:
    return 1 + 2 * seat


def row(seat: int) -> int:
    return 2 + 2 * seat


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    places = [Place("deck", Sight.NOBODY)]
    for seat in range(players):
        places.append(Place(f"seat{seat}.hand", Sight.OWNER, seat))
        places.append(Place(f"seat{seat}.row", Sight.EVERYONE, seat))
    table = Table(Layout(players, NAMES, places, ("stage", "turn", "thief"), options))
    table.lay_out(DECK, FACES)
    return table


def advance(table: Table) -> Request:
    seats = range(table.layout.players)
    if table.counters[STAGE] == 0:
        table.counters[STAGE] = 1
        return Shuffle((tuple(table.zones[DECK]),))
    if table.counters[STAGE] == 1:
        table.counters[STAGE] = 2
        for seat in seats:
            _draw(table, seat)
        if table.owed:
            return table.owed[0]
    empty = not any(table.zones[hand(seat)] for seat in seats)
    if empty or any(_points(table, seat) >= GOAL for seat in seats):
        return Over()
    if table.layout.options["secret"]:
        return Secret(tuple(seat for seat in seats if table.zones[hand(seat)]))
    if not table.counters[THIEF] and not table.zones[hand(table.counters[TURN])]:
        _end_turn(table)
        return table.owed[0] if table.owed else advance(table)
    last = table.zones[row(table.counters[TURN])][-1:]
    if table.counters[THIEF] == 1:  # A card has just been turned up.
        table.counters[THIEF] = 0
        if table.face[last[0]] == 0 and _victims(table, table.counters[TURN]):
            table.counters[THIEF] = 2
            return Choice(table.counters[TURN])
        _end_turn(table)
        return table.owed[0] if table.owed else advance(table)
    return Choice(table.counters[TURN])


def _draw(table: Table, seat: int) -> None:
    while table.zones[DECK] and len(table.zones[hand(seat)]) < HAND_CARDS:
        table.move(table.zones[DECK][-1], DECK, hand(seat))


def _end_turn(table: Table) -> None:
    _draw(table, table.counters[TURN])
    table.counters[TURN] = (table.counters[TURN] + 1) % table.layout.players


def _points(table: Table, seat: int) -> int:
    return sum(max(0, table.face[card]) for card in table.zones[row(seat)])


def _victims(table: Table, seat: int) -> list[int]:
    seats = range(table.layout.players)
    return [other for other in seats if other != seat and table.zones[row(other)]]


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    if table.counters[THIEF] == 2:
        return [Action("rob", number=seat) for seat in _victims(table, player)]
    offered: dict[int, Action] = {}
    for card in table.zones[hand(player)]:
        offered.setdefault(observation[card], Action("play", (card,)))
    return [offered[face] for face in sorted(offered)]


def apply(table: Table, player: Player, action: Action) -> None:
    if action.verb == "rob":
        if action.number not in _victims(table, player):
            raise RulesError("there is nobody to rob")
        table.move(table.zones[row(action.number)][-1], row(action.number), row(player))
        table.counters[THIEF] = 0
        _end_turn(table)
        return
    table.move(action.cards[0], hand(player), row(player))
    if table.layout.options["secret"]:
        _draw(table, player)
    else:
        table.counters[THIEF] = 1


def describe(table: Table, action: Action, observation: Observation) -> str:
    if action.verb == "rob":
        return f"rob seat{action.number}"
    face = observation[action.cards[0]]
    return f"play {NAMES[face] if face >= 0 else '?'}"


def scores(table: Table) -> tuple[int, ...]:
    return tuple(_points(table, seat) for seat in range(table.layout.players))


def winners(table: Table) -> tuple[Player, ...]:
    sides = [team(table, seat) for seat in range(table.layout.players)]
    won = {sides[seat] for seat in highest(scores(table))}
    return tuple(seat for seat, side in enumerate(sides) if side in won)


def team(table: Table, player: Player) -> int:
    return player % 2 if table.layout.options["team"] else player


def phase(table: Table) -> str:
    return "rob" if table.counters[THIEF] else "play"


RACE = Game(
    slug="race",
    players=range(2, 5),
    faces=NAMES,
    options=(
        Option("secret", (False, True)),
        Option("team", (False, True), (4,)),
    ),
    rules="First to nine.",
    setup=setup,
    advance=advance,
    legal_actions=legal_actions,
    apply=apply,
    describe=describe,
    scores=scores,
    winners=winners,
    team=team,
    phase=phase,
)
