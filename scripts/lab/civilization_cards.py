"""Every card of Civilization, and how to make it do nothing; for `lab.py mutate_cards`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any, Final

from core.games import civilization
from core.games.civilization import effects, faces, powers, wealth
from core.games.civilization.printed import BUILDINGS, EVENT_KINDS, GOVERNMENTS

TESTS: Final = tuple(
    f"test_{name}.py"
    for name in ("components", "start_of_turn", "trade", "cities", "movement", "battles",
                 "aftermath", "windows", "research", "setup")
)  # fmt: skip
NO_GOVERNMENT: Final = -5
_FORMS: Final = {
    "republic": "REPUBLIC", "democracy": "IS_DEMOCRACY", "communism": "IS_COMMUNISM",
    "feudalism": "FEUDALISM", "monarchy": "IS_MONARCHY", "fundamentalism": "FUNDAMENTALISM",
    "anarchy": "ANARCHY",
}  # fmt: skip


def modules() -> list[ModuleType]:
    """All modules of the game."""
    names = [each.name for each in pkgutil.iter_modules(civilization.__path__)]
    return [importlib.import_module(f"core.games.civilization.{name}") for name in names]


def replace(name: str, value: Any) -> None:
    """Put another value in the place of a name, wherever it has been imported."""
    for module in modules():
        if hasattr(module, name):
            setattr(module, name, value)


def mutations() -> Iterator[tuple[str, Callable[[], None]]]:
    """Every card, and how to make it do nothing."""
    for number, event in enumerate(EVENT_KINDS):
        yield f"event/{event.key}", partial(_no_event, number)
    for number, power in enumerate(powers.POWERS):
        yield f"power/{power.key}", partial(_no_power, number)
    for number, key in enumerate(faces.TECH_KEYS):
        yield f"technology/{key}", partial(_no_technology, number)
    for number, key in enumerate(faces.WONDER_KEYS):
        yield f"wonder/{key}", partial(_no_wonder, number)
    for form in GOVERNMENTS[1:]:
        yield f"government/{form}", partial(replace, _FORMS[form], NO_GOVERNMENT)
    for key in faces.CIV_KEYS:
        yield f"civilization/{key}", partial(replace, key.upper(), NO_GOVERNMENT)
    for number, building in enumerate(BUILDINGS):
        yield f"building/{building.key}", partial(_no_building, number)


def _nothing(*arguments: object) -> None:
    """What a card does that does nothing."""


def _no_event(number: int) -> None:
    key, face = EVENT_KINDS[number].key, faces.FIRST_EVENT + number
    if number in effects._EVENTS:
        effects._EVENTS[number] = _nothing
    elif faces.IS_GIFT[face]:
        pays = list(faces.PAYS)
        pays[face] = 0
        replace("PAYS", tuple(pays))
    else:
        names = {"bread_and_circuses": "BREAD", "jousting_tourney": "JOUSTING"}
        replace(names.get(key, "PRIMETIME"), NO_GOVERNMENT)


def _no_power(number: int) -> None:
    if number in effects._POWERS:
        effects._POWERS[number] = _nothing
    else:  # In battles: nobody can use it.
        known = wealth.is_used
        replace("is_used", lambda table, seat, at: at == number or known(table, seat, at))


def _no_technology(number: int) -> None:
    if number == wealth.SPACE_FLIGHT:  # It does nothing but win.
        replace("_check_space_flight", _nothing)
    knows = wealth.knows
    replace("knows", lambda table, seat, at: at != number and knows(table, seat, at))
    mine = (wealth._WORD[number], wealth._BIT[number])
    for name in ("_SPEEDS", "_LIMITS"):
        replace(name, tuple(each for each in getattr(wealth, name) if each[:2] != mine))
    replace("_LOW_SAILING", wealth._LOW_SAILING & ~(mine[1] if mine[0] == 0 else 0))
    replace("_LOW_NAVIGATION", wealth._LOW_NAVIGATION & ~(mine[1] if mine[0] == 0 else 0))
    replace("_HIGH_SAILING", wealth._HIGH_SAILING & ~(mine[1] if mine[0] == 1 else 0))


def _no_wonder(number: int) -> None:
    has = wealth.has_wonder
    replace("has_wonder", lambda table, seat, at: at != number and has(table, seat, at))


def _no_building(number: int) -> None:
    icons = list(importlib.import_module("core.games.civilization.board").MARK_ICONS)
    icons[3 + number] = (0, 0, 0, 0)
    replace("MARK_ICONS", tuple(icons))
