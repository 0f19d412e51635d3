"""Carrying on: the top frame does its step, ends itself when it is empty, or asks its seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.games.civilization import (
    aftermath,
    battle_turns,
    cities,
    course,
    culture,
    movement,
    start_of_turn,
    trade,
)
from core.games.civilization.frames import (
    ASKED_KINDS,
    ASKING,
    CHOOSE_FRONT,
    CITY_MENU,
    DISCARD,
    FIGHT,
    GUARDING,
    KIND,
    LOOT,
    MOVE_MENU,
    MOVING,
    NOTE,
    RESEARCH,
    SEAT,
    START_MENU,
    TRADE_MENU,
    WOUND,
    pop,
    push,
    top,
)
from core.games.civilization.layout import (
    CHECK,
    EVENTS,
    GOVERNMENT,
    HOW,
    NEWS,
    PHASE,
    PLAYED,
    SEATS_MAX,
    TURN,
)
from core.games.civilization.learning import is_unlocked
from core.games.civilization.payments import is_power_ready, may_pay
from core.games.civilization.powers import OF_PHASE, POWERS
from core.games.civilization.printed import GOVERNMENTS
from core.games.civilization.research import asked_seats
from core.games.civilization.rules import STEPS
from core.games.civilization.targets import acting_cities
from core.games.civilization.wealth import ANARCHY, hand_limit, knows
from core.requests import Choice, Over, Request
from core.table import RulesError, Table

_OVER: Final = Over()
_CHOICES: Final = tuple([Choice(seat) for seat in range(SEATS_MAX)])  # Made once, for speed.


def advance(table: Table) -> Request | None:
    """Carry on until somebody must choose, or a shuffle, a roll or a reveal is needed.

    Or until a turn has begun: None.  So what belongs to the last one is told before it.
    """
    counters = table.counters
    turn = counters[TURN]
    while True:
        if table.owed:
            return table.owed[0]
        if counters[HOW]:
            counters[PHASE] = course.IN_OVER
            return _OVER
        at = top(table)
        kind = counters[at + KIND]
        request: Request | None = None
        if kind in (FIGHT, CHOOSE_FRONT, WOUND) and table.zones[PLAYED]:
            battle_turns.settle_payment(table)
        elif kind == MOVING and counters[at + NOTE]:
            movement.settle_discovery(table)
        elif counters[CHECK]:
            request = course.check(table)
        elif (mixing := culture.mix_news(table)) is not None:
            request = mixing
        elif kind < ASKING:
            request = STEPS[kind](table)
        elif not _tells_news(table, kind, counters[at + SEAT]):
            is_empty = _EMPTY[kind]
            if is_empty is None or not is_empty(table, counters[at + SEAT]):
                return _CHOICES[counters[at + SEAT]]
            _close(table, kind, counters[at + SEAT])
        if request is not None or counters[TURN] != turn:
            return request


def _tells_news(table: Table, kind: int, active: int) -> bool:
    """4.4: a seat that has drawn a card may turn its guard over before somebody else acts."""
    if kind not in (START_MENU, TRADE_MENU, CITY_MENU, MOVE_MENU):
        return False
    counters, players = table.counters, table.layout.players
    for seat in range(players):
        if counters[NEWS[seat]]:
            counters[NEWS[seat]] = 0
            is_empty = _EMPTY[kind]
            assert is_empty is not None, "every menu knows when it is empty"
            if seat != active or is_empty(table, seat):  # Otherwise its menu has the guard.
                push(table, GUARDING, seat)
                return True
    return False


def _close(table: Table, kind: int, seat: int) -> None:
    if kind == START_MENU:
        start_of_turn.close_segment(table, seat)
    pop(table)


# ---- D11: frames in which there is nothing to do, by what everybody sees ----


def _start_is_empty(table: Table, seat: int) -> bool:
    if table.zones[EVENTS[seat]] or _can_change_form(table, seat):
        return False
    if start_of_turn.founders(table, seat):
        return False
    observation = table.face
    return not (
        start_of_turn.government_offers(table, seat, observation)
        or start_of_turn.gardens_offers(table, seat, observation)
        or start_of_turn.liberty_offers(table, seat, observation)
        or start_of_turn.opera_offers(table, seat, observation)
        or culture.waiting_offers(table, seat, observation)
    )


def _can_change_form(table: Table, seat: int) -> bool:
    """Whether Anarchy would lead to another government."""
    if not start_of_turn.anarchy_offers(table, seat, table.face):
        return False
    form = table.counters[GOVERNMENT[seat]]
    for at in range(len(GOVERNMENTS)):
        if at not in (form, ANARCHY) and is_unlocked(table, seat, at):
            return True
    return False


def _has_power(table: Table, seat: int, phase: str) -> bool:
    for number in OF_PHASE[phase]:
        if (
            knows(table, seat, POWERS[number].technology)
            and may_pay(table, seat, number)
            and is_power_ready(table, seat, number)
        ):
            return True
    return False


def _city_is_empty(table: Table, seat: int) -> bool:
    if table.zones[EVENTS[seat]] or acting_cities(table, seat):
        return False
    if culture.can_advance(table, seat) or cities.task_offers(table, seat, table.face):
        return False
    return not _has_power(table, seat, "city")


def _move_is_empty(table: Table, seat: int) -> bool:
    if table.zones[EVENTS[seat]] or movement.has_group(table, seat):
        return False
    if movement.infiltrate_offers(table, seat, table.face):
        return False
    return not _has_power(table, seat, "move")


def _hand_is_small(table: Table, seat: int) -> bool:
    return len(table.zones[EVENTS[seat]]) <= hand_limit(table, seat)


def _turn_is_over(table: Table, seat: int) -> bool:
    return battle_turns.is_idle(table)


def _loot_is_gone(table: Table, seat: int) -> bool:
    return aftermath.is_looted(table)


_IS_EMPTY: Final[dict[int, Callable[[Table, int], bool]]] = {
    START_MENU: _start_is_empty, TRADE_MENU: trade.is_floor_empty, CITY_MENU: _city_is_empty,
    MOVE_MENU: _move_is_empty, DISCARD: _hand_is_small, FIGHT: _turn_is_over,
    LOOT: _loot_is_gone,
}  # fmt: skip
_EMPTY: Final = tuple([_IS_EMPTY.get(kind) for kind in range(len(ASKED_KINDS))])  # By kind.


def check_asked(table: Table, seat: int) -> None:
    """Refuse a seat that has nothing to choose."""
    at = top(table)
    kind = table.counters[at + KIND]
    if kind == RESEARCH:
        is_asked = seat in asked_seats(table)
    else:
        is_asked = kind >= ASKING and table.counters[at + SEAT] == seat
    if not is_asked or table.counters[HOW]:
        raise RulesError("it is not for this seat to choose")
