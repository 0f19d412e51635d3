"""Natives, whom the left neighbour plays: by its program, if that seat leaves it to it (D10).

The rules do not need this: they ask the seat, and take any answer that is allowed.
"""

from __future__ import annotations

from typing import Final

from core.games.civilization.battle_turns import open_fronts
from core.games.civilization.battles import seat_of, strength
from core.games.civilization.faces import UNIT_FACES
from core.games.civilization.frames import BATTLE, CHOOSE_FRONT, FIGHT, KIND, NATIVES, top
from core.games.civilization.layout import (
    DEFENDER,
    FRONT,
    FRONT_OF,
    HAND,
    IS_NATIVES,
    UNIT_DECK,
    UNIT_PLAYED,
    WOUNDS,
)
from core.games.civilization.printed import BEATS, UNIT_LEAST
from core.requests import Action, numbered
from core.table import Observation, Table

_OF_NATIVES: Final = (BATTLE, NATIVES, FIGHT, CHOOSE_FRONT)  # Where they draw and are played.


def holds_natives(table: Table, seat: int) -> bool:
    """C137: whether the battle hand and the front of a seat are those of natives."""
    return bool(table.counters[IS_NATIVES]) and seat == table.counters[DEFENDER]


def acts_as(table: Table, seat: int) -> str:
    """`natives` for the seat that draws and chooses for them now; nothing for any other."""
    is_theirs = table.counters[top(table) + KIND] in _OF_NATIVES and holds_natives(table, seat)
    return "natives" if is_theirs else ""


def natives_action(table: Table, seat: int, observation: Observation) -> Action | None:
    """What the policy answers for `seat`; None where natives are not what is asked about.

    It kills where it can without dying, else makes a new front, the strongest last; of equal plays
    infantry before mounted before artillery, then the lowest front.
    """
    counters = table.counters
    kind = counters[top(table) + KIND]
    if kind == NATIVES:
        decks = [at for at in range(3) if table.zones[UNIT_DECK + at]]
        return Action("deck", (), max(decks, key=lambda at: len(table.zones[UNIT_DECK + at])))
    if not counters[IS_NATIVES] or seat != seat_of(table, 1):
        return None
    if kind == CHOOSE_FRONT:
        front = _best_front(table, observation, counters[UNIT_PLAYED] - 1)
        return numbered("front", front) if front else Action("new")
    if kind != FIGHT or not table.zones[HAND[seat]]:
        return None
    return Action("play", (_best_unit(table, observation, table.zones[HAND[seat]]),))


def _best_unit(table: Table, observation: Observation, hand: list[int]) -> int:
    by_kind = sorted(hand, key=lambda card: (observation[card] // 3, observation[card], card))
    killers = [card for card in by_kind if _best_front(table, observation, card)]
    return killers[0] if killers else min(by_kind, key=lambda card: _force(observation[card]))


def _force(face: int) -> int:
    assert 0 <= face < UNIT_FACES, "a unit"
    return UNIT_LEAST[face // 3] + face % 3


def _best_front(table: Table, observation: Observation, card: int) -> int:
    """The lowest front where the unit kills and survives; 0 if there is none."""
    counters, mine, kind = table.counters, _force(observation[card]), observation[card] // 3
    rivals = {counters[FRONT_OF + at]: at for at in table.zones[FRONT[seat_of(table, 0)]]}
    for front in open_fronts(table, 1):
        rival = rivals[front]
        theirs = strength(table, 0, rival)
        is_trump = BEATS[kind] == table.public_face(rival) // 3
        if counters[WOUNDS + rival] + mine >= theirs and (is_trump or theirs < mine):
            return front
    return 0
