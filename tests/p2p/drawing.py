"""A game in which one draws from a deck, or passes: as small as dealing to one seat allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from core.game import Game
from core.requests import Action, Choice, Over, Player, Request, Shuffle
from core.table import Layout, Observation, OptionValue, Place, RulesError, Sight, Table
from p2p.log.replica import Replica
from tests.p2p.room import Room

SEATS: Final = 3
CARDS, TURNS = 9, 9
DECK, HAND = 0, 1  # The hand of seat p is zone HAND + p.


def setup(players: int, options: Mapping[str, OptionValue]) -> Table:
    hands = [Place(f"seat{seat}.hand", Sight.OWNER, seat) for seat in range(players)]
    places = [Place("deck", Sight.NOBODY), *hands]
    table = Table(Layout(players, tuple(map(str, range(CARDS))), places, ["phase"], options))
    table.lay_out(DECK, list(range(CARDS)))
    return table


def advance(table: Table) -> Request:
    phase = table.counters[0]
    table.counters[0] += 1
    if phase == 0:
        return Shuffle((tuple(table.zones[DECK]),))
    return Over() if phase > TURNS else Choice((phase - 1) % SEATS)


def legal_actions(table: Table, player: Player, observation: Observation) -> list[Action]:
    return [Action("pass"), Action("draw")]


def apply(table: Table, player: Player, action: Action) -> None:
    if action not in legal_actions(table, player, []):
        raise RulesError("one draws or passes")
    if action.verb == "draw":
        table.move(table.zones[DECK][-1], DECK, HAND + player)


DRAW: Final = Game(
    slug="draw", players=range(SEATS, SEATS + 1), faces=tuple(map(str, range(CARDS))), options=(),
    rules="One draws or passes.", setup=setup, advance=advance, legal_actions=legal_actions,
    apply=apply, claim=lambda *_: None, describe=lambda _, action, seen: action.verb,
    scores=lambda table: (0,) * SEATS, winners=lambda table: (0,),
    phase=lambda table: str(table.counters[0]),
)  # fmt: skip


def is_asked(seat: int) -> Callable[[Replica], bool]:
    """Whether this seat is to choose."""
    return lambda each: each.step is not None and (each.step.kind, each.step.writers) == (
        "choose", (seat,)
    )  # fmt: skip


def let(room: Room, seat: int, verb: str) -> None:
    """Let a seat choose, and go on to the next choice."""
    room.run(is_asked(seat))
    (writer,) = (each for each in room.replicas if each.me == seat)
    room.tell_all(writer.write(Action(verb)).raw)
    room.run(lambda each: each.step is None or each.step.kind == "choose")
