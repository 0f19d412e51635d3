"""Where a moving group can go, and by which way (C90 to C108, D1)."""

from __future__ import annotations

from typing import Final

from core.games.civilization.board import (
    CITY_MARK,
    HUT,
    NEIGHBOURS,
    TERRAIN_COUNT,
    VILLAGE_MARK,
    WATER,
    is_unexplored,
    step_to,
)
from core.games.civilization.frames import ITEM
from core.games.civilization.layout import (
    ARMIES,
    FIGURES,
    FROZEN,
    GOVERNMENT,
    GROUND,
    GROUP,
    MARK,
    MOVE_AT,
    MOVE_FROM,
    MOVER,
    OUTSKIRTS,
    POINTS,
    RESTING,
    SQUARES,
)
from core.games.civilization.wealth import (
    FLIGHT,
    IS_DEMOCRACY,
    NAVIGATION,
    ON_WATER,
    REPUBLIC,
    stacking,
    techs,
)
from core.native import i64
from core.table import Table

PASS: Final = 1  # Bits of what can be done with a square.
REST: Final = 2
ENTER: Final = 4  # The move ends there: a hut, a village, an enemy.
_OVER_WATER: Final = ON_WATER | 1 << NAVIGATION
_NOWHERE: Final = -1  # Where a square is come to from that no way has led to.
COUNT: Final = tuple([bits.bit_count() for bits in range(1 << FIGURES)])  # Of figures, as bits.


class Group:
    """Figures of a seat (as bits) that rest on `origin`: what the rules of moving ask."""

    __slots__ = ("crosses", "flies", "form", "has_scouts", "limit", "origin",
                 "seat", "size", "stops")  # fmt: skip

    def __init__(self, table: Table, seat: int, figures: int, origin: int) -> None:
        self.seat = seat
        self.take(figures, origin)
        have = techs(table, seat)
        self.stops = have & ON_WATER != 0
        self.crosses = have & _OVER_WATER != 0  # C95
        self.flies, self.limit = have >> FLIGHT & 1 == 1, stacking(table, seat)
        self.form = table.counters[GOVERNMENT[seat]]

    def take(self, figures: int, origin: int) -> None:
        """Consist of other figures of the seat."""
        self.origin, self.size = origin, COUNT[figures]
        self.has_scouts = figures >> ARMIES != 0


def moving_group(table: Table) -> Group:
    """The group that is moving now."""
    counters = table.counters
    return Group(table, counters[MOVER] - 1, counters[GROUP], counters[MOVE_FROM])


def use_of(table: Table, group: Group, square: i64) -> i64:
    """What a group can do with a square, as bits; 0 if it cannot even enter."""
    counters = table.counters
    ground: i64 = counters[GROUND + square]
    if not ground:
        return 0  # C97
    is_water = (ground - 1) % TERRAIN_COUNT == WATER
    if is_water and not group.crosses:
        return 0
    may_stop = group.stops or not is_water
    over: i64 = PASS if group.flies else 0  # C108
    rest: i64 = counters[RESTING + square] - 1
    mark: i64 = counters[MARK + square]
    if mark >= CITY_MARK:  # C106, whoever has been frozen in it.
        if (mark - CITY_MARK) // 3 == group.seat:
            return PASS
        return over | (0 if group.has_scouts or group.form == IS_DEMOCRACY else ENTER)
    if rest >= 0 and rest & 3 != group.seat:  # C104, C105
        return over | (ENTER if may_stop and not group.has_scouts else 0)
    if mark == HUT:  # C101
        return over | (0 if group.has_scouts and group.form != REPUBLIC else ENTER)
    if mark == VILLAGE_MARK:
        return over | (0 if group.has_scouts else ENTER)
    there: i64 = (rest >> 2 & 7) + (rest >> 5) if rest >= 0 else 0
    if square == group.origin:
        there -= group.size
    return PASS | (REST if may_stop and there + group.size <= group.limit else 0)


def is_frozen(table: Table, square: int) -> bool:
    """3.1: nobody leaves that square in this turn."""
    counters = table.counters
    number: i64 = square + 1
    return (
        counters[FROZEN] == number or counters[FROZEN + 1] == number
        or counters[FROZEN + 2] == number or counters[FROZEN + 3] == number
    )  # fmt: skip


def reach(table: Table, group: Group, start: int, points: int) -> list[tuple[int, int, int]]:
    """Squares that can be entered, the nearest first: the steps, and what can be done there."""
    found: list[tuple[int, int, int]] = []
    is_tried = [False] * SQUARES
    is_tried[start] = True
    edge = [] if is_frozen(table, start) else [start]
    for steps in range(1, points + 1):
        following: list[int] = []
        for square in edge:
            for at in NEIGHBOURS[square]:
                if is_tried[at]:
                    continue
                is_tried[at] = True
                use = use_of(table, group, at)
                if use:
                    found.append((at, steps, use))
                if use & PASS and not is_frozen(table, at):
                    following.append(at)
        edge = following
    return found


def can_end(table: Table, group: Group, start: int, points: int) -> bool:
    """C95, E13: whether the group can end its move on or from a square."""
    return bool(use_of(table, group, start) & REST) or can_go(table, group, start, points)


def can_go(table: Table, group: Group, start: int, points: int) -> bool:
    """D1: whether there is a destination at which the move of the group ends."""
    if points > 0 and not is_frozen(table, start):  # For speed.
        for at in NEIGHBOURS[start]:  # Nearly always one of them.
            if use_of(table, group, at) & (REST | ENTER):  # For speed.
                return True
    return any(use & (REST | ENTER) for _, _, use in reach(table, group, start, points))


def way(table: Table, group: Group, start: int, aim: int) -> list[int]:
    """D1: the shortest way, then through least foreign outskirts, then north, east, south, west.

    Squares from `start` to `aim`.  There is one, since reach has found it.
    """
    if aim in NEIGHBOURS[start]:  # For speed.
        return [start, aim]
    came, foreign = [_NOWHERE] * SQUARES, [0] * SQUARES
    came[start] = start
    edge = [start]
    while came[aim] == _NOWHERE:
        edge = _one_step_on(table, group, (came, foreign), edge, aim)
        assert edge, "there is no way, and yet it was offered"
    found = [aim]
    while found[-1] != start:
        found.append(came[found[-1]])
    return found[::-1]


def _one_step_on(
    table: Table, group: Group, best: tuple[list[int], list[int]], edge: list[int], aim: int
) -> list[int]:
    """The squares one step on, with where one comes to each from, and how many foreign ones."""
    came, foreign = best
    following: list[int] = []
    for square in edge:
        for at in NEIGHBOURS[square]:
            is_new = came[at] == _NOWHERE
            if is_new and at != aim and not _may_pass(table, group, at):
                continue
            if not is_new and at not in following:
                continue  # Fewer steps lead there.
            more = foreign[square] + _is_foreign(table, at, group.seat)
            if not is_new:
                if more >= foreign[at]:
                    continue
                following.remove(at)
            following.append(at)  # What is better comes last.
            came[at], foreign[at] = square, more
    return following


def _may_pass(table: Table, group: Group, square: int) -> bool:
    return bool(use_of(table, group, square) & PASS) and not is_frozen(table, square)


def _is_foreign(table: Table, square: int, seat: int) -> bool:
    city = table.counters[OUTSKIRTS + square] - 1
    return city >= 0 and city // 3 != seat


def way_of_leg(table: Table, at: int) -> list[int]:
    """The rest of the way of the leg under way, whose play is `at`."""
    return way(table, moving_group(table), table.counters[MOVE_AT], table.counters[at + ITEM])


def discoveries(table: Table, group: Group, start: int, points: int) -> list[int]:
    """C98, E11, E13: the directions in which a group can turn up a tile."""
    if points < 1:
        return []
    found = [at for at in range(4) if is_unexplored(table, step_to(start, at))]
    if found and start != group.origin and not can_end(table, group, start, points - 1):
        return []
    return found


def move_points(table: Table) -> int:
    """The points that the moving group has left."""
    return table.counters[POINTS]
