"""The course of the game (C27 to C30): turns, phases, segments, and what is checked in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.games.civilization.culture import check_hands
from core.games.civilization.frames import (
    BY_ECONOMY,
    BY_TURNS,
    CITY_MENU,
    MOVE_MENU,
    NOTE,
    RESEARCH,
    START_MENU,
    TRADE_MENU,
    push,
    win,
)
from core.games.civilization.layout import (
    ACTIVE,
    CHECK,
    EVENT_DECK,
    EVENT_DISCARD,
    EXTRA,
    FIRST,
    FROZEN,
    GUARDED,
    HOW,
    IDLE,
    IS_FOUGHT,
    LEFT,
    MOVED,
    NOBODY,
    OFFERS,
    ORDER,
    PHASE,
    READY,
    REFUSED,
    SCOUT_AT,
    SEATS_MAX,
    SENT,
    SHEET,
    TURN,
    UNIT_DEAD,
    UNIT_DECK,
    USED,
)
from core.games.civilization.start_of_turn import open_segment
from core.games.civilization.wealth import (
    COINS_TO_WIN,
    cities_of,
    coins,
    gain_trade,
    trade_income,
)
from core.requests import Request, Shuffle
from core.table import Table

PHASES: Final = ("setup", "start", "trade", "city", "move", "research", "over")
IN_SETUP: Final = 0
IN_START: Final = 1
IN_TRADE: Final = 2
IN_CITY: Final = 3
IN_MOVE: Final = 4
IN_RESEARCH: Final = 5
IN_OVER: Final = 6
OFFERS_MAX: Final = 2  # C48


def step(table: Table) -> Request | None:
    """C27: the next segment, or the next phase when all seats have had theirs."""
    counters = table.counters
    players = table.layout.players
    if counters[PHASE] in (IN_SETUP, IN_RESEARCH):
        _begin_turn(table)
        return None
    if counters[ORDER] == players:
        _begin_phase(table, counters[PHASE] + 1)
        return None
    seat = (counters[FIRST] + counters[ORDER]) % players
    counters[ORDER] += 1
    counters[ACTIVE] = seat
    _SEGMENTS[counters[PHASE]](table, seat)
    return None


def _begin_turn(table: Table) -> None:
    """C28, C29: the marker passes on, and what is per turn begins anew."""
    counters, players = table.counters, table.layout.players
    limit = table.layout.options["max_turns"]
    assert isinstance(limit, int), "a number of turns"
    if counters[TURN] == limit:
        win(table, NOBODY, BY_TURNS)  # D15
        return
    if counters[TURN]:
        counters[FIRST] = (counters[FIRST] + 1) % players
    counters[TURN] += 1
    counters[FROZEN : FROZEN + SEATS_MAX] = [0] * SEATS_MAX
    for seat in range(players):
        counters[USED[seat]] = counters[MOVED[seat]] = counters[IDLE[seat]] = 0
        counters[SENT[seat]] = 0
        counters[EXTRA[seat] : EXTRA[seat] + 3] = [0] * 3
        for scout in range(2):  # C145: whoever is on the map when the turn begins.
            if counters[SCOUT_AT[seat] + scout]:
                counters[READY[seat]] |= 1 << scout
    _begin_phase(table, IN_START)


def _begin_phase(table: Table, phase: int) -> None:
    counters, players = table.counters, table.layout.players
    counters[PHASE], counters[ORDER], counters[ACTIVE] = phase, 0, counters[FIRST]
    for seat in range(players):
        counters[GUARDED[seat]] = counters[REFUSED[seat]] = 0
    if phase == IN_TRADE:
        for seat in range(players):
            collect(table, seat)
    elif phase == IN_RESEARCH:
        push(table, RESEARCH)


def collect(table: Table, seat: int) -> None:
    """C43: the trade of all cities; the dial stops at 27."""
    gain_trade(table, seat, trade_income(table, seat))


# ---- segments ----


def _open_start(table: Table, seat: int) -> None:
    at = push(table, START_MENU, seat)
    table.counters[at + NOTE] = len(table.zones[SHEET[seat]])  # C79: who may be placed.
    open_segment(table, seat)


def _open_trade(table: Table, seat: int) -> None:
    table.counters[OFFERS[seat]] = OFFERS_MAX
    push(table, TRADE_MENU, seat)


def _open_city(table: Table, seat: int) -> None:
    """C41, C50: one action for each city; a capital in Anarchy has none."""
    counters = table.counters
    for city in cities_of(table, seat):
        counters[LEFT[seat] + city] = 0 if city == 0 and counters[IDLE[seat]] else 1
    push(table, CITY_MENU, seat)


def _open_move(table: Table, seat: int) -> None:
    push(table, MOVE_MENU, seat)


_SEGMENTS: Final[dict[int, Callable[[Table, int], None]]] = {
    IN_START: _open_start, IN_TRADE: _open_trade, IN_CITY: _open_city, IN_MOVE: _open_move,
}  # fmt: skip

# ---- what is checked after every change ----


def check(table: Table) -> Request | None:
    """C60, C77: decks are filled again; C173, C175: coins; C76: hands."""
    counters, players = table.counters, table.layout.players
    counters[CHECK] = 0
    piles: list[tuple[int, ...]] = []
    for kind in range(0 if counters[IS_FOUGHT] else 4):
        _fill_again(table, UNIT_DECK + kind, UNIT_DEAD + kind, piles)
    for era in range(3):
        _fill_again(table, EVENT_DECK + era, EVENT_DISCARD + era, piles)
    for step in range(players):
        seat = (counters[ACTIVE] + step) % players
        if coins(table, seat) >= COINS_TO_WIN and not counters[HOW]:
            win(table, seat, BY_ECONOMY)
    check_hands(table)
    return Shuffle(tuple(piles)) if piles else None


def _fill_again(table: Table, deck: int, dead: int, piles: list[tuple[int, ...]]) -> None:
    if table.zones[dead] and not table.zones[deck]:
        table.zones[deck], table.zones[dead] = table.zones[dead], []
        if len(table.zones[deck]) > 1:
            piles.append(tuple(table.zones[deck]))
