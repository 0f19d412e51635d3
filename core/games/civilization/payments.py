"""What can be paid with what (C86 to C88): market tokens, markers, gift events."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from core.games.civilization import powers
from core.games.civilization.culture import by_face
from core.games.civilization.faces import (
    FIRST_EVENT,
    FIRST_HUT,
    FIRST_PERSON,
    FIRST_TILE,
    IS_GIFT,
    PAYS,
)
from core.games.civilization.layout import (
    EVENTS,
    GREAT_DECK,
    MARKET_TOKENS,
    TASK_TIMES,
    TOKENS,
)
from core.games.civilization.powers import ANY, POWERS
from core.games.civilization.printed import MARKET_KINDS
from core.games.civilization.targets import (
    power_targets,
)
from core.games.civilization.wealth import is_used, knows
from core.table import HIDDEN, Observation, RulesError, Table


def is_power_ready(table: Table, seat: int, number: int) -> bool:
    """C86, C180: known, not used in this turn, and it could do something."""
    power = POWERS[number]
    if not knows(table, seat, power.technology) or is_used(table, seat, number):
        return False
    if number == powers.PHILOSOPHY:
        return bool(table.zones[GREAT_DECK])
    if number == powers.POTTERY_POWER:
        times = table.counters[TASK_TIMES[seat] + powers.TASK_POTTERY]
        return times < powers.TASK_TIMES_MAX
    targets = power_targets(table, seat, number)
    return targets is None or bool(targets)


def may_pay(table: Table, seat: int, number: int) -> bool:
    """4.3: whether it is possible, by what everybody sees, that a seat can pay."""
    power = POWERS[number]
    counters, events = table.counters, len(table.zones[EVENTS[seat]])
    if power.resource == ANY:
        return sources(table, seat) + events >= power.tokens
    if power.resource < MARKET_KINDS and counters[MARKET_TOKENS[seat] + power.resource]:
        return True
    if events:
        return True
    wanted = 1 << power.resource
    markers = table.zones[TOKENS[seat]]
    return any(table.face[at] == HIDDEN or PAYS[table.face[at]] & wanted for at in markers)


def sources(table: Table, seat: int) -> int:
    """C87: tokens and markers, each of which pays for "any"."""
    market = table.counters[MARKET_TOKENS[seat] : MARKET_TOKENS[seat] + MARKET_KINDS]
    return sum(market) + len(table.zones[TOKENS[seat]])


def payments(
    table: Table, seat: int, number: int, observation: Observation
) -> list[tuple[int, ...]]:
    """What an ability can be announced with.

    That is nothing (a market token, or sources enough), or the marker or gifts that it takes.
    """
    power = POWERS[number]
    if power.resource == ANY:
        lacking = max(power.tokens - sources(table, seat), 0)
        gifts = gifts_of(table, seat, observation)
        return _distinct(combinations(gifts, lacking), observation)
    found: list[tuple[int, ...]] = []
    if power.resource < MARKET_KINDS and table.counters[MARKET_TOKENS[seat] + power.resource]:
        found.append(())
    return found + [(card,) for card in payers(table, seat, 1 << power.resource, observation)]


def payers(table: Table, seat: int, wanted: int, observation: Observation) -> list[int]:
    """Own markers and gift events that can stand for a resource, one of each face."""
    cards = [*table.zones[TOKENS[seat]], *table.zones[EVENTS[seat]]]
    fit = [card for card in cards if PAYS[observation[card]] & wanted]
    return [action.cards[0] for action in by_face("", fit, observation, table.face)]


def gifts_of(table: Table, seat: int, observation: Observation) -> list[int]:
    """Gift events of the own hand."""
    return [card for card in table.zones[EVENTS[seat]] if IS_GIFT[observation[card]]]


def _distinct(ways: Iterable[tuple[int, ...]], observation: Observation) -> list[tuple[int, ...]]:
    found = dict[tuple[int, ...], tuple[int, ...]]()
    for way in ways:
        found.setdefault(tuple(sorted([observation[card] for card in way])), way)
    return list(found.values())


def check_payment(table: Table, seat: int, number: int, cards: tuple[int, ...]) -> None:
    """Refuse a payment that everybody can see to be wrong."""
    power = POWERS[number]
    events, markers = table.zones[EVENTS[seat]], table.zones[TOKENS[seat]]
    if power.resource == ANY:
        lacking = max(power.tokens - sources(table, seat), 0)
        is_fit = len(set(cards)) == len(cards) == lacking and all(at in events for at in cards)
    elif cards:
        is_fit = len(cards) == 1 and (cards[0] in events or cards[0] in markers)
    else:
        is_fit = power.resource < MARKET_KINDS
        is_fit = is_fit and table.counters[MARKET_TOKENS[seat] + power.resource] > 0
    if not is_fit:
        raise RulesError("this does not pay for the ability")
    wanted = -1 if power.resource == ANY else 1 << power.resource
    for card in cards:
        if table.face[card] != HIDDEN and not PAYS[table.face[card]] & wanted:
            raise RulesError("this card does not pay for the ability")


def check_payer(face: int, wanted: int) -> None:
    """C87, C88: a marker shows the resource, or a gift event can stand for it."""
    is_card = FIRST_HUT <= face < FIRST_TILE or FIRST_EVENT <= face < FIRST_PERSON
    if not is_card or not PAYS[face] & wanted:
        raise RulesError("this card does not pay for the ability")
