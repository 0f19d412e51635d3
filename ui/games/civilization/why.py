"""Why a square cannot be chosen now: what the rules of moving say of it, or what is asked."""

from __future__ import annotations

from core.games.civilization.board import (
    CITY_MARK,
    HUT,
    TERRAIN_OF,
    VILLAGE_MARK,
    WATER,
    is_unexplored,
)
from core.games.civilization.layout import GROUND, MARK, MOVE_AT, RESTING
from core.games.civilization.ways import (
    ENTER,
    REST,
    Group,
    is_frozen,
    move_points,
    moving_group,
    use_of,
)
from core.table import Table
from ui.games.civilization.labels import squares_of
from ui.model.prompt import prompt
from ui.model.view_model import ViewModel


def why_no_square(model: ViewModel, table: Table, square: int) -> str:
    """One sentence; nothing where it can be chosen, or is not my turn."""
    offers, phase = model.view.offers, model.view.phase
    asked = {at for offer in offers for at in squares_of(offer)}
    if not model.is_my_turn or square in asked:
        return ""
    words = model.words
    if not asked:
        return words("civilization.why.no_square", ask=prompt(model))
    if phase == "move":
        return words("civilization.why.no_group")
    if phase != "moving":
        return words("civilization.why.unmarked", ask=prompt(model))
    points, key = move_points(table), _moving(table, moving_group(table), square)
    return words(f"civilization.why.{key}", number=points)


def _moving(table: Table, group: Group, square: int) -> str:
    """Why the group that is under way does not go there."""
    counters = table.counters
    use, ground = use_of(table, group, square), counters[GROUND + square]
    if square == counters[MOVE_AT]:
        return "is_there"
    if is_frozen(table, counters[MOVE_AT]):
        return "held"
    if not ground:
        return "unexplored" if is_unexplored(table, square) else "no_ground"
    if TERRAIN_OF[ground] == WATER and not group.crosses:
        return "water"
    if use & (REST | ENTER):
        return "far"
    if TERRAIN_OF[ground] == WATER and not group.stops:
        return "no_rest"
    return _held(table, group, square) or "full"


def _held(table: Table, group: Group, square: int) -> str:
    """Why it does not go to where somebody is, or a hut, a village or a city stands."""
    mark, resting = table.counters[MARK + square], table.counters[RESTING + square] - 1
    if mark >= CITY_MARK and (mark - CITY_MARK) // 3 == group.seat:
        return "own_city"
    is_foreign = resting >= 0 and resting & 3 != group.seat
    if is_foreign or mark >= CITY_MARK or mark in (HUT, VILLAGE_MARK):
        return "scouts" if group.has_scouts else "peace"
    return ""
