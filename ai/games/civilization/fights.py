"""How a bot fights a battle of Civilization: which unit it plays, and against whom."""

from __future__ import annotations

from typing import Final

import core.games.civilization.layout as c
from ai.games.civilization.worths import Worths
from core.games.civilization.battle_turns import open_fronts, side_on_turn
from core.games.civilization.battles import is_native, seat_of, strength
from core.games.civilization.printed import BEATS, UNIT_LEAST
from core.games.civilization.wealth import rank
from core.requests import Face, Player
from core.table import Table

_AIRCRAFT: Final = 3


def unit_worth(table: Table, seat: Player, face: Face, worths: Worths) -> int:
    """What a unit of the hand is worth where it does best: against an enemy, or in a new front."""
    side = side_on_turn(table)
    kind, more = divmod(face, 3)
    mine = UNIT_LEAST[kind] + more
    if kind != _AIRCRAFT and not is_native(table, side):
        mine += rank(table, seat, kind) - 1
    best = _new_front(mine, worths)
    for front in open_fronts(table, side):
        best = max(best, _attack(table, kind, mine, front, worths))
    return best


def front_worth(table: Table, front: int, worths: Worths) -> int:
    """What the unit that was played is worth in a front; 0 is a new one."""
    side, card = side_on_turn(table), table.counters[c.UNIT_PLAYED] - 1
    mine = strength(table, side, card)
    if not front:
        return _new_front(mine, worths)
    return _attack(table, table.public_face(card) // 3, mine, front, worths)


def _new_front(mine: int, worths: Worths) -> int:
    return worths.front + worths.front_strength * mine


def _attack(table: Table, kind: int, mine: int, front: int, worths: Worths) -> int:
    """C118 to C120: who falls; of two of which one trumps, the other may not get to strike."""
    side = side_on_turn(table)
    rival = _enemy_in(table, side, front)
    theirs = strength(table, 1 - side, rival)
    other = table.public_face(rival) // 3
    kills = mine + 3 * table.counters[c.IRON] >= theirs - table.counters[c.WOUNDS + rival]
    falls = theirs >= mine
    if BEATS[kind] == other:
        falls = falls and not kills
    elif BEATS[other] == kind:
        kills = kills and not falls
    worth = worths.kill * theirs if kills else 0
    return worth - worths.loss * mine if falls else worth


def _enemy_in(table: Table, side: int, front: int) -> int:
    for card in table.zones[c.FRONT[seat_of(table, 1 - side)]]:
        if table.counters[c.FRONT_OF + card] == front:
            return card
    raise AssertionError("a front that can be attacked has an enemy in it")
