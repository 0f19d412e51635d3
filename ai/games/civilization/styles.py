"""What bots with a style like in Civilization: `ai.search.styles` says what the styles are."""

from __future__ import annotations

from typing import Final

import core.games.civilization.layout as c
from ai.search.styles import ATTACKER_STYLE, BUILDER_STYLE, FULL, OPPORTUNIST_STYLE
from core.games.civilization.board import CITY_MARK, HUT, VILLAGE_MARK
from core.games.civilization.cities import CITY_STEP
from core.games.civilization.faces import BUILDING_KEYS, WONDER_KEYS
from core.games.civilization.items import ITEM_KEYS
from core.games.civilization.wealth import is_enemy_at
from core.requests import Action, Player
from core.table import Table

_MAKING: Final = ("make", "also", "split", "free")
_GOING: Final = ("go", "via")
_PEACEFUL: Final = ("scout", "walls")
_ARMING: Final = ("barracks", "academy")
_HALF: Final = FULL // 2
_LIKED: Final = {
    BUILDER_STYLE: ("found", "settle", "learn", "arts", "advance", "great", "liberty", "opera"),
    ATTACKER_STYLE: ("raze", "ruin", "seize", "loot", "infiltrate"),
    OPPORTUNIST_STYLE: ("coin", "harvest", "reap", "task", "discover", "gardens", "accept"),
}


def lean(style: str, table: Table, player: Player, action: Action) -> int:
    """How much a style likes what a verb does, what a city makes, and where figures go."""
    verb, _, number = action
    if verb in _MAKING:
        return _making(style, ITEM_KEYS.get(number % CITY_STEP, ""))
    if verb in _GOING:
        return _going(style, table, player, number)
    if verb == "move":  # Armies set out, or scouts alone.
        return _HALF if style == ATTACKER_STYLE and number // c.SQUARES % 16 else 0
    return FULL if verb in _LIKED[style] else 0


def _making(style: str, key: str) -> int:
    if key in BUILDING_KEYS or key in WONDER_KEYS:
        if style == ATTACKER_STYLE:
            return FULL if key in _ARMING else 0
        return FULL if style == BUILDER_STYLE else 0
    if key == "scout":
        return _HALF if style == OPPORTUNIST_STYLE else 0
    return FULL if style == ATTACKER_STYLE and key not in _PEACEFUL else 0


def _going(style: str, table: Table, player: Player, square: int) -> int:
    """To whoever is there, or to what lies there for the taking."""
    mark = table.counters[c.MARK + square]
    if style == ATTACKER_STYLE:
        is_foreign = mark >= CITY_MARK and (mark - CITY_MARK) // c.CITIES != player
        return FULL if is_foreign or is_enemy_at(table, square, player) else 0
    return FULL if style == OPPORTUNIST_STYLE and mark in (HUT, VILLAGE_MARK) else 0
