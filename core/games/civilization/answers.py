"""Who can answer a play, with what, and who wants to be asked (section 4)."""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.board import (
    CITY_MARK,
    FIRST_BUILDING,
    NEIGHBOURS,
)
from core.games.civilization.faces import ERA_OF_CARD, FIRST_EVENT, FIRST_PERSON, IS_GIFT, PAYS
from core.games.civilization.frames import (
    ACTION_PLAY,
    AIM,
    EVENT_PLAY,
    HAS_GIFT,
    ITEM,
    LEG_PLAY,
    MASK,
    NOTE,
    OTHER,
    POWER_PLAY,
    SEAT,
    TYPE,
    WHICH,
)
from core.games.civilization.layout import (
    CITY_AT,
    EVENTS,
    FIELDS,
    FIGURE,
    FIGURES,
    FROZEN,
    GROUND,
    GUARD,
    MARK,
    MOVE_AT,
    POINTS,
    TOKENS,
)
from core.games.civilization.powers import POWERS
from core.games.civilization.printed import EVENT_KINDS, RESOURCES
from core.games.civilization.targets import (
    BREAD,
    DEFECTION,
    DEFECTIONS,
    JOUSTING,
    MASS_DEFECTION,
    PRIMETIME,
    WHOLESALE,
    defectors,
    within,
)
from core.games.civilization.ways import way_of_leg
from core.games.civilization.wealth import MASS_MEDIA, is_enemy_at, is_used, knows, set_used
from core.table import HIDDEN, RulesError, Table

_SPY: Final = 1 << RESOURCES.index("spy")
# Bits of the guard (4.4).
AIMED: Final = 0
EVENTS_ALL: Final = 1
WONDERS_ONLY: Final = 2
ACTIONS_ALL: Final = 3
POWERS_ALL: Final = 4
NEAR_MOVES: Final = 5
MOVES_ALL: Final = 6
NO_DEALS: Final = 8
GUARD_BITS: Final = 9
_WONDER_ITEMS: Final = 30  # City actions: from here to 41 items are wonders (see `items.py`).


# ---- what is possible by what everybody sees (4.3) ----


def may_have_spy(table: Table, seat: int) -> bool:
    """A spy comes from a hut or village marker or from a gift event."""
    if table.zones[EVENTS[seat]]:
        return True
    return any(table.face[card] == HIDDEN or PAYS[table.face[card]] & _SPY
        for card in table.zones[TOKENS[seat]])  # fmt: skip


def has_spy_power(table: Table, seat: int, number: int) -> bool:
    """Whether an ability that costs a spy is known, unused, and perhaps payable."""
    if not knows(table, seat, POWERS[number].technology) or is_used(table, seat, number):
        return False
    return may_have_spy(table, seat)


def holds_era(table: Table, seat: int, era: int) -> bool:
    """Whether a seat holds an event card with a back of an era."""
    return any(ERA_OF_CARD[card] == era for card in table.zones[EVENTS[seat]])


def may_cancel_event(table: Table, at: int, seat: int) -> bool:
    """IW1: whether it is possible that a seat can cancel the event of a play."""
    counters = table.counters
    if knows(table, counters[at + SEAT], MASS_MEDIA):
        return False
    if has_spy_power(table, seat, powers.CIVIL_SERVICE_POWER):
        return True
    is_aimed = counters[at + TYPE] == EVENT_PLAY and counters[at + MASK] >> seat & 1
    if is_aimed and holds_era(table, seat, 0):
        return True
    return holds_era(table, seat, 1) or holds_era(table, seat, 2)


def may_answer(table: Table, at: int, seat: int) -> bool:
    """4.3: whether it is possible, by what everybody sees, that a seat can answer a play."""
    if not (table.zones[EVENTS[seat]] or table.zones[TOKENS[seat]]):  # For speed.
        return False
    counters = table.counters
    sort = counters[at + TYPE]
    if sort == EVENT_PLAY:
        return may_cancel_event(table, at, seat)
    if sort == POWER_PLAY:
        if has_spy_power(table, seat, powers.MASS_MEDIA_POWER) or holds_era(table, seat, 2):
            return True
        return bool(counters[at + NOTE] & HAS_GIFT) and may_cancel_event(table, at, seat)
    if sort == ACTION_PLAY:
        return has_spy_power(table, seat, powers.WRITING)
    return may_strike(table, at, seat)


def may_strike(table: Table, at: int, seat: int) -> bool:
    """IW4: Communism, or one of the Defection events with somebody in range."""
    if has_spy_power(table, seat, powers.COMMUNISM):
        return True
    for era, number in ((0, DEFECTION), (1, MASS_DEFECTION), (2, WHOLESALE)):
        if holds_era(table, seat, era) and striking_places(table, at, seat, number):
            return True
    return False


def striking_places(table: Table, at: int, seat: int, number: int) -> list[int]:
    """4.2: the places of a leg, 0 before leaving, at which an event would have a target."""
    counters, squares = table.counters, within(table, seat, EVENT_KINDS[number].amount)
    way, was, found = way_of_leg(table, at), counters[MOVE_AT], []
    for place, square in enumerate(way):
        counters[MOVE_AT] = square
        if defectors(table, seat, number, squares):
            found.append(place)
    counters[MOVE_AT] = was
    return found


def freezing_places(table: Table, at: int, seat: int) -> list[int]:
    """Communism: squares of the way where the group could stay without meeting anybody."""
    counters, mover = table.counters, table.counters[at + SEAT]
    frozen = counters[FROZEN : FROZEN + 4]
    return [
        place for place, square in enumerate(way_of_leg(table, at))
        if square + 1 not in frozen and not is_hostile(table, square, mover)
    ]  # fmt: skip


def is_hostile(table: Table, square: int, seat: int) -> bool:
    """Enemy figures, a hut or village marker, or an enemy city centre."""
    mark = table.counters[MARK + square]
    if 0 < mark < FIRST_BUILDING or is_enemy_at(table, square, seat):
        return True
    return mark >= CITY_MARK and (mark - CITY_MARK) // 3 != seat


# ---- who wants to be asked (4.4) ----


def wants(table: Table, at: int, seat: int) -> bool:
    """Whether the guard of a seat says that it is to be asked about a play."""
    counters = table.counters
    guard, sort = counters[GUARD[seat]], counters[at + TYPE]
    is_aimed = bool(counters[at + MASK] >> seat & 1)
    if sort in (EVENT_PLAY, POWER_PLAY):
        every = EVENTS_ALL if sort == EVENT_PLAY else POWERS_ALL
        return bool(guard >> (AIMED if is_aimed else every) & 1) or bool(guard >> every & 1)
    if sort == ACTION_PLAY:
        items = (counters[at + ITEM], counters[at + OTHER])
        is_wonder = any(_WONDER_ITEMS <= item < _WONDER_ITEMS + 12 for item in items)
        return bool(guard >> ACTIONS_ALL & 1) or (is_wonder and bool(guard >> WONDERS_ONLY & 1))
    if guard >> MOVES_ALL & 1:
        return True
    return bool(guard >> NEAR_MOVES & 1) and can_reach(table, seat)


def can_reach(table: Table, seat: int) -> bool:
    """4.4: whether the moving group could reach a city or figure of a seat with its points."""
    counters = table.counters
    aims = {*counters[FIGURE[seat] : FIGURE[seat] + FIGURES],
            *counters[CITY_AT[seat] : CITY_AT[seat] + 3]}  # fmt: skip
    edge = found = {counters[MOVE_AT]}
    for _ in range(counters[POINTS]):
        edge = {at for on in edge for at in NEIGHBOURS[on] if counters[GROUND + at]} - found
        found = found | edge
    return any(at + 1 in aims for at in found)


# ---- answers ----


def answer_numbers(table: Table, at: int, seat: int, face: int) -> list[int]:
    """What a card with this face could do against a play: what it cancels, or where it strikes.

    0 is the play and 1 the gift event that pays for it; against a leg it is the place.
    """
    counters = table.counters
    sort, actor = counters[at + TYPE], counters[at + SEAT]
    is_event = not pays_for_answer(face)
    number = face - FIRST_EVENT
    if sort == LEG_PLAY:
        if is_event:
            return striking_places(table, at, seat, number) if number in DEFECTIONS else []
        can_freeze = _pays_spy(table, seat, face, powers.COMMUNISM)
        return freezing_places(table, at, seat) if can_freeze else []
    if sort == ACTION_PLAY:
        return [0] if not is_event and _pays_spy(table, seat, face, powers.WRITING) else []
    is_open = not knows(table, actor, MASS_MEDIA)  # 3.2: events that cannot be cancelled.
    if sort == EVENT_PLAY:
        return [0] if is_open and _cancels_event(table, at, seat, face) else []
    found = []
    if number == PRIMETIME or _pays_spy(table, seat, face, powers.MASS_MEDIA_POWER):
        found.append(0)
    is_gift = bool(counters[at + NOTE] & HAS_GIFT) and is_open and number != BREAD
    if is_gift and _cancels_event(table, at, seat, face):
        found.append(1)
    return found


def _cancels_event(table: Table, at: int, seat: int, face: int) -> bool:
    number = face - FIRST_EVENT
    if number in (JOUSTING, PRIMETIME):
        return True
    if number == BREAD:
        return bool(table.counters[at + MASK] >> seat & 1)
    return _pays_spy(table, seat, face, powers.CIVIL_SERVICE_POWER)


def _pays_spy(table: Table, seat: int, face: int, number: int) -> bool:
    if face < 0 or not PAYS[face] & _SPY:
        return False
    return knows(table, seat, POWERS[number].technology) and not is_used(table, seat, number)


def pays_for_answer(face: int) -> bool:
    """Whether a card is the spy that an ability costs: a marker, or a gift event."""
    return not FIRST_EVENT <= face < FIRST_PERSON or IS_GIFT[face]


def power_of_answer(table: Table, at: int, which: int) -> int:
    """The ability that a spy stands for against a play."""
    sort = table.counters[at + TYPE]
    if sort == LEG_PLAY:
        return powers.COMMUNISM
    if sort == ACTION_PLAY:
        return powers.WRITING
    if sort == POWER_PLAY and which == 0:
        return powers.MASS_MEDIA_POWER
    return powers.CIVIL_SERVICE_POWER


def judge_answer(table: Table, at: int, face: int) -> None:
    """An answer has been turned up: it must be one; `at` is its play, two frames up.

    It is an event, or it pays a spy for an ability.
    """
    counters = table.counters
    seat, below = counters[at + SEAT], at - 2 * FIELDS
    which = counters[at + NOTE] // WHICH
    if which not in answer_numbers(table, below, seat, face):
        raise RulesError("this card does not answer what is being done")
    if not pays_for_answer(face):
        counters[at + TYPE], counters[at + ITEM] = EVENT_PLAY, face - FIRST_EVENT
        return
    power = power_of_answer(table, below, which)
    table.tell(f"used {powers.POWER_KEYS[power]}", seat)
    counters[at + TYPE], counters[at + ITEM], counters[at + AIM] = POWER_PLAY, power, 0
    counters[at + AIM] = counters[MOVE_AT]  # What Communism freezes.
    if FIRST_EVENT <= face < FIRST_PERSON:
        counters[at + NOTE] |= HAS_GIFT
    set_used(table, seat, power)
