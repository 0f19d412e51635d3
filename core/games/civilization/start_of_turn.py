"""The Start of Turn segment (C31 to C42, 3.4): founding, governments, wonders, squares to send."""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.board import (
    AROUND,
    FIRST_BUILDING,
    WATER,
    is_apart,
    terrain_at,
)
from core.games.civilization.effects import enter_anarchy
from core.games.civilization.faces import wonder
from core.games.civilization.figures import (
    armies_on,
    put_city,
    room_on,
    scouts_on,
    set_figure,
    supply_army,
    supply_scout,
)
from core.games.civilization.frames import (
    BY_PRACTICE,
    CITY,
    ITEM,
    SEAT,
    SHIFT,
    STAGE,
    STEP,
    STUDY,
    pop,
    push,
    top,
    touch,
    win,
)
from core.games.civilization.layout import (
    ANARCHY_SINCE,
    CHANGED,
    CITIES,
    CITY_AT,
    CIV,
    CULTURE,
    DIRECT,
    FIGURE,
    FIGURES,
    GOVERNMENT,
    GROUND,
    IDLE,
    MARK,
    NOBODY,
    PANAMA,
    READY,
    SCOUT_AT,
    SCOUTS,
    SENT,
    TURN,
    WONDER_AT,
)
from core.games.civilization.learning import is_fresh, is_unlocked, learn, learnable
from core.games.civilization.printed import GOVERNMENTS
from core.games.civilization.targets import others
from core.games.civilization.wealth import (
    ANARCHY,
    PANAMA_CANAL,
    REPUBLIC,
    ROME,
    cities_of,
    city_limit,
    figures_at,
    gain_trade,
    has_wonder,
    is_enemy_at,
    is_used,
    sent,
    set_used,
)
from core.requests import Action, numbered
from core.table import Observation, Table

STONEHENGE: Final = wonder("stonehenge")
COLOSSUS: Final = wonder("colossus")
LOUVRE: Final = wonder("louvre")
HANGING_GARDENS: Final = wonder("hanging_gardens")
STATUE: Final = wonder("statue_of_liberty")
OPERA_HOUSE: Final = wonder("sydney_opera_house")
_TO_ANARCHY: Final = Action("anarchy")


def open_segment(table: Table, seat: int) -> None:
    """C31: what needs no choice is booked when the segment opens."""
    counters = table.counters
    counters[CHANGED[seat]] = 0
    for scout in range(SCOUTS):  # C146
        counters[DIRECT[seat] + scout] = max(counters[DIRECT[seat] + scout], 0)
    if has_wonder(table, seat, STONEHENGE):
        counters[CULTURE[seat]] += 1
    if has_wonder(table, seat, LOUVRE):
        counters[CULTURE[seat]] += 3
    if has_wonder(table, seat, COLOSSUS):
        gain_trade(table, seat, 3)
    if has_wonder(table, seat, PANAMA_CANAL):
        counters[PANAMA] += 1
        touch(table)


# ---- founding ----


def is_site(table: Table, seat: int, square: int) -> bool:
    """C33: whether a city can be founded on a square."""
    counters = table.counters
    around = AROUND[square]
    if terrain_at(table, square) in (-1, WATER) or len(around) < 8:
        return False
    for each in range(table.layout.players):
        for city in range(CITIES):
            center = counters[CITY_AT[each] + city] - 1
            if center >= 0 and not is_apart(center, square):
                return False
    for at in around:
        if not counters[GROUND + at] or 0 < counters[MARK + at] < FIRST_BUILDING:
            return False
        if is_enemy_at(table, at, seat):
            return False
    is_held = is_enemy_at(table, square, seat) or 0 < counters[MARK + square] < FIRST_BUILDING
    return not is_held


def founders(table: Table, seat: int) -> list[tuple[int, int]]:
    """C32 to C36: squares where the seat can found, with the kind it gives up (1: an army)."""
    if len(cities_of(table, seat)) >= city_limit(table, seat):
        return []
    counters, found = table.counters, []
    is_republic = counters[GOVERNMENT[seat]] == REPUBLIC
    first = FIGURE[seat] if is_republic else SCOUT_AT[seat]
    places = [at - 1 for at in counters[first : FIGURE[seat] + FIGURES] if at]
    for square in sorted({*places}) if len(places) > 1 else places:
        if is_site(table, seat, square) and _has_way_out(table, seat, square):
            if scouts_on(table, seat, square):
                found.append((square, 0))
            if is_republic and armies_on(table, seat, square):
                found.append((square, 1))
    return found


def _has_way_out(table: Table, seat: int, square: int) -> bool:
    """C36: whether all other own figures of the square find a place around it."""
    others_there = len(figures_at(table, seat, square)) - 1
    return sum([room_on(table, seat, at) for at in AROUND[square]]) >= others_there


def found_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C34: where a scout can be given up for a city, and in a Republic an army."""
    found = founders(table, seat)
    offers = [numbered("found", square) for square, kind in found if not kind]
    return offers + [numbered("settle", square) for square, kind in found if kind]


def found(table: Table, seat: int, action: Action) -> None:
    """C34 to C38: the figure is given up, the city stands, other figures move out."""
    square = action.number
    own = armies_on if action.verb == "settle" else scouts_on
    set_figure(table, seat, own(table, seat, square)[0], NOBODY)
    put_city(table, seat, square)
    cities = len(cities_of(table, seat))
    if cities == CITIES and table.layout.options["practice_end"] is True:
        win(table, NOBODY, BY_PRACTICE)  # C178
    if table.counters[CIV[seat]] == ROME:
        push(table, STEP, seat)  # C38
    if figures_at(table, seat, square):
        push(table, SHIFT, seat, item=square)


def shift_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C36: where the next figure of a founded square goes; armies first."""
    square = table.counters[top(table) + ITEM]
    return [numbered("shift", at) for at in AROUND[square] if room_on(table, seat, at)]


def shift(table: Table, seat: int, action: Action) -> None:
    """C36: one figure moves out of the square of the new city."""
    square = table.counters[top(table) + ITEM]
    set_figure(table, seat, figures_at(table, seat, square)[0], action.number)
    if not figures_at(table, seat, square):
        pop(table)


# ---- governments ----


def anarchy_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C40, C41: from any other government, once in a segment."""
    counters = table.counters
    if counters[GOVERNMENT[seat]] == ANARCHY or counters[CHANGED[seat]]:
        return []
    return [_TO_ANARCHY]


def go_to_anarchy(table: Table, seat: int, action: Action) -> None:
    """C40: the first half of a change."""
    table.counters[CHANGED[seat]] = 1
    enter_anarchy(table, seat)


def government_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C39, C40, E26: directly after the unlocking, or out of Anarchy of an earlier turn."""
    counters = table.counters
    if counters[CHANGED[seat]]:
        return []
    is_free = counters[GOVERNMENT[seat]] == ANARCHY and (
        counters[ANARCHY_SINCE[seat]] < counters[TURN]
    )
    return [
        numbered("government", form)
        for form in range(len(GOVERNMENTS))
        if form != ANARCHY
        and (is_fresh(table, seat, form) or (is_free and is_unlocked(table, seat, form)))
    ]


def change_government(table: Table, seat: int, action: Action) -> None:
    """C39 to C42: the new government is in force at once."""
    table.counters[GOVERNMENT[seat]] = action.number
    table.counters[CHANGED[seat]] = 1
    touch(table)


# ---- squares that are sent ----


def direct_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C146: another own city for a square with an own scout that gathers, once in a turn.

    A segment in which a square could be sent to and fro would have no end.
    """
    cities, counters = cities_of(table, seat), table.counters
    done = [
        counters[SCOUT_AT[seat] + scout] - 1
        for scout in range(SCOUTS)
        if counters[SENT[seat]] >> scout & 1
    ]
    return [
        Action("direct", (), square + 256 * city)
        for square, aim in sent(table, seat).items()
        for city in cities
        if city != aim and square not in done
    ]


def direct(table: Table, seat: int, action: Action) -> None:
    """C146: it holds for all own scouts of that square."""
    counters = table.counters
    city, square = divmod(action.number, 256)
    for scout in range(SCOUTS):
        if counters[SCOUT_AT[seat] + scout] == square + 1 and counters[READY[seat]] >> scout & 1:
            counters[DIRECT[seat] + scout] = 1 + city
            counters[SENT[seat]] |= 1 << scout


# ---- wonders ----


def gardens_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """3.4: Hanging Gardens: an army (0) or a scout (1) onto the wonder's square."""
    if is_used(table, seat, powers.GARDENS) or not has_wonder(table, seat, HANGING_GARDENS):
        return []
    square = table.counters[WONDER_AT + HANGING_GARDENS] - 1
    if not room_on(table, seat, square):
        return []
    kinds = [0] if supply_army(table, seat) >= 0 else []
    kinds += [1] if supply_scout(table, seat) >= 0 else []
    return [numbered("gardens", kind) for kind in kinds]


def use_gardens(table: Table, seat: int, action: Action) -> None:
    """3.4: once per turn, free of charge."""
    set_used(table, seat, powers.GARDENS)
    figure = supply_scout(table, seat) if action.number else supply_army(table, seat)
    set_figure(table, seat, figure, table.counters[WONDER_AT + HANGING_GARDENS] - 1)


def liberty_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """3.4: Statue of Liberty: a technology that another seat knows."""
    if is_used(table, seat, powers.LIBERTY) or not has_wonder(table, seat, STATUE):
        return []
    known = {at for each in others(table, seat) for at in learnable(table, seat, each)}
    return [numbered("liberty", at) for at in sorted(known)]


def use_liberty(table: Table, seat: int, action: Action) -> None:
    """3.4: once per turn."""
    set_used(table, seat, powers.LIBERTY)
    learn(table, seat, action.number)


def opera_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """3.4: Sydney Opera House: a free step."""
    if is_used(table, seat, powers.OPERA) or not has_wonder(table, seat, OPERA_HOUSE):
        return []
    return [Action("opera")]


def use_opera(table: Table, seat: int, action: Action) -> None:
    """3.4: once per turn."""
    set_used(table, seat, powers.OPERA)
    push(table, STEP, seat)


# ---- the end of the segment ----


def end_segment(table: Table, seat: int, action: Action) -> None:
    """C30: by choice."""
    close_segment(table, seat)
    pop(table)


def close_segment(table: Table, seat: int) -> None:
    """C41: who ends this segment in Anarchy has an idle capital."""
    if table.counters[GOVERNMENT[seat]] == ANARCHY:
        table.counters[IDLE[seat]] = 1


# ---- learning of another seat: Russia, loot, shared ideas ----


def study_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """A technology that the other seat knows, up to a level."""
    at = top(table)
    level, teacher = table.counters[at + ITEM], table.counters[at + CITY]
    return [numbered("learn", each) for each in learnable(table, seat, teacher, level)]


def study(table: Table, seat: int, action: Action) -> None:
    """It is learned for nothing (C165)."""
    pop(table)
    learn(table, seat, action.number)


def teach(table: Table) -> None:
    """3.3: the actor learns first, then the other seat; who can learn nothing does not (E111)."""
    counters, at = table.counters, top(table)
    actor, other = counters[at + SEAT], counters[at + CITY]
    level, stage = counters[at + ITEM], counters[at + STAGE]
    counters[at + STAGE] += 1
    if stage == 2:
        pop(table)
        return
    pupil, teacher = (actor, other) if stage == 0 else (other, actor)
    if learnable(table, pupil, teacher, level):
        push(table, STUDY, pupil, item=level, city=teacher)
