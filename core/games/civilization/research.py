"""Research (C160 to C169): chosen in secret, opened together, paid with all the trade."""

from __future__ import annotations

from typing import Final

from core.games.civilization.frames import (
    BY_TECHNOLOGY,
    CHOOSE_GIFT,
    GERMANY_FRAME,
    ITEM,
    MASK,
    SEAT,
    STAGE,
    pop,
    push,
    top,
    touch,
    win,
)
from core.games.civilization.layout import (
    CIV,
    FIRST,
    FORCES,
    MARKET,
    MARKET_TOKENS,
    PICK,
    TRADE,
    UNIT_DECK,
)
from core.games.civilization.learning import TRADE_NEEDED, counts, fits, learn
from core.games.civilization.printed import TECHNOLOGIES, UNIT_TYPES
from core.games.civilization.wealth import (
    GERMANY,
    PORCELAIN_TOWER,
    SPACE_FLIGHT,
    TECH_LEVELS,
    coins,
    has_wonder,
    rank,
    techs,
)
from core.requests import Action, Choice, Player, Request, Secret, numbered
from core.table import Observation, Table

NOTHING: Final = 1  # What a seat has picked: 0 not yet, 1 nothing, 2 + a technology.
FIRST_PICK: Final = 2
_NONE: Final = Action("none")
_TOWER: Final = 5  # 3.4: Porcelain Tower.


def studies(table: Table, seat: int) -> list[int]:
    """C161 to C163: technologies that a seat can afford and place."""
    purse = table.counters[TRADE[seat]]
    if has_wonder(table, seat, PORCELAIN_TOWER):
        purse += _TOWER
    if purse < TRADE_NEEDED[1]:  # For speed: nothing is that cheap.
        return []
    have, known, found = counts(table, seat), techs(table, seat), []
    for at, level in enumerate(TECH_LEVELS):
        if TRADE_NEEDED[level] > purse:
            break  # They are sorted by level.
        if not known >> at & 1 and fits(have, at):
            found.append(at)
    return found


def step(table: Table) -> Request | None:
    """C160: those who can choose do so in secret; one alone simply chooses."""
    counters, at = table.counters, top(table)
    players = table.layout.players
    if not counters[at + STAGE]:
        counters[at + STAGE] = 1
        for seat in range(players):
            counters[PICK[seat]] = 0 if studies(table, seat) else NOTHING
        counters[at + MASK] = sum([1 << seat for seat in asked_seats(table)])
    asked = asked_seats(table)
    if asked:
        return Choice(asked[0]) if counters[at + MASK].bit_count() == 1 else Secret(asked)
    pop(table)
    _open(table)
    return None


def asked_seats(table: Table) -> tuple[Player, ...]:
    """The seats that have not picked yet."""
    players = range(table.layout.players)
    return tuple([seat for seat in players if not table.counters[PICK[seat]]])


def research_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C160: a technology, or nothing."""
    return [*[numbered("learn", at) for at in studies(table, seat)], _NONE]


def pick(table: Table, seat: int, action: Action) -> None:
    """C160: kept until all have picked."""
    is_none = action.verb == "none"
    table.counters[PICK[seat]] = NOTHING if is_none else FIRST_PICK + action.number


# ---- opening ----


def _order(table: Table) -> list[int]:
    players = table.layout.players
    return [(table.counters[FIRST] + step) % players for step in range(players)]


def _open(table: Table) -> None:
    """C169: all cards are laid out with what follows; then all pay, then the rest in order."""
    counters = table.counters
    gifts = []
    for seat in _order(table):
        technology = counters[PICK[seat]] - FIRST_PICK
        if technology >= 0:
            kind = raised_type(table, seat, technology)
            learn(table, seat, technology)
            if kind >= 0 and counters[CIV[seat]] == GERMANY:
                gifts.append((seat, kind))
    learners = [seat for seat in _order(table) if counters[PICK[seat]] >= FIRST_PICK]
    for seat in learners:  # C164
        counters[TRADE[seat]] = min(counters[TRADE[seat]], coins(table, seat))
    _check_space_flight(table, learners)
    for seat, kind in reversed(gifts):
        push(table, GERMANY_FRAME, seat, item=kind)


def raised_type(table: Table, seat: int, technology: int) -> int:
    """C168: the unit type whose rank the technology raises or unlocks, or -1."""
    unit = TECHNOLOGIES[technology].unit
    if not unit:
        return -1
    kind = UNIT_TYPES.index(unit)
    better = 1 if kind == 3 else TECH_LEVELS[technology]
    return kind if rank(table, seat, kind) < better else -1


def _check_space_flight(table: Table, learners: list[int]) -> None:
    """C174, C176: more trade left after paying, then turn order."""
    counters = table.counters
    flyers = [seat for seat in learners if counters[PICK[seat]] - FIRST_PICK == SPACE_FLIGHT]
    if flyers:
        win(table, max(flyers, key=lambda seat: counters[TRADE[seat]]), BY_TECHNOLOGY)


# ---- Germany's gifts ----


def germany(table: Table) -> Request | None:
    """C168: a free card of the type, and a market token of its choice."""
    at = top(table)
    seat, kind = table.counters[at + SEAT], table.counters[at + ITEM]
    pop(table)
    table.draw(1, UNIT_DECK + kind, FORCES[seat])
    if gift_offers(table, seat, table.face):
        push(table, CHOOSE_GIFT, seat)
    touch(table)
    return None


def gift_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C168: market tokens that are left."""
    return [numbered("gift", kind) for kind in range(4) if table.counters[MARKET + kind]]


def take_gift(table: Table, seat: int, action: Action) -> None:
    """C168: the token."""
    pop(table)
    table.counters[MARKET + action.number] -= 1
    table.counters[MARKET_TOKENS[seat] + action.number] += 1
