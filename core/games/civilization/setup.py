"""The set-up (C5 to C26): what is laid out and shuffled, then one row of choices a seat."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from core.games.civilization.board import (
    AROUND,
    WATER,
    WONDER_MARK,
    home_corner,
    lay_homes,
    terrain_at,
)
from core.games.civilization.faces import (
    EVENT_CARDS,
    FIRST_WONDER,
    HUT_CARDS,
    PERSON_CARDS,
    TILE_CARDS,
    UNIT_CARDS,
    VILLAGE_CARDS,
    WONDER_CARDS,
    tech,
)
from core.games.civilization.figures import (
    put_city,
    put_mark,
    room_on,
    set_figure,
    supply_of,
)
from core.games.civilization.frames import (
    CAPITAL,
    CIV_CHOICE,
    COURSE,
    FIRST_WONDER_SITE,
    GAIN,
    ITEM,
    NOTE,
    PLACE_FIGURE,
    SETUP,
    STAGE,
    pop,
    push,
    top,
)
from core.games.civilization.layout import (
    ACTIVE,
    BOX,
    CITY_AT,
    CIV,
    EVENT_DECK,
    FIRST,
    FORCES,
    GOVERNMENT,
    GREAT_DECK,
    GUARD,
    HUT_PILE,
    LEFT_OVER,
    MARKET,
    OWN_WONDERS,
    SUPPLY,
    TILE_PILE,
    TRADE,
    UNIT_DECK,
    VILLAGE_PILE,
    WALLS,
    WONDER_DECK,
    WONDER_MARKET,
)
from core.games.civilization.printed import (
    BUILDING_MARKERS,
    CIVILIZATIONS,
    GOVERNMENTS,
    NEUTRAL_SLOTS,
)
from core.games.civilization.wealth import (
    AMERICA,
    CHINA,
    EGYPT,
    GERMANY,
    RUSSIA,
    set_known,
    trade_income,
)
from core.requests import Action, Request, Roll, Shuffle, numbered
from core.table import Observation, Table

PRACTICE_CIVS: Final = 4  # 8.1: without Egypt and Rome, which come last.
WONDER_SPACES: Final = 4
DEFAULT_GUARD: Final = 0b000100101  # 4.4: what is aimed at me, wonders, moves that can reach me.
_UNITS_AT_START: Final = (0, 1, 2)  # C6: infantry, mounted, artillery.


def lay_out(table: Table) -> None:
    """C2, C5 to C15: everything, face up, as the box is opened."""
    for at, cards in enumerate(UNIT_CARDS):
        table.lay_out(UNIT_DECK + at, cards)
    for at, cards in enumerate(EVENT_CARDS):
        table.lay_out(EVENT_DECK + at, cards)
    table.lay_out(GREAT_DECK, PERSON_CARDS)
    for at, cards in enumerate(WONDER_CARDS):
        table.lay_out(BOX if is_practice(table) else WONDER_DECK + at, cards)
    table.lay_out(HUT_PILE, HUT_CARDS)
    table.lay_out(VILLAGE_PILE, VILLAGE_CARDS)
    table.lay_out(TILE_PILE, TILE_CARDS)
    counters, players = table.counters, table.layout.players
    counters[MARKET : MARKET + 4] = [players] * 4  # C12
    counters[SUPPLY : SUPPLY + len(BUILDING_MARKERS)] = BUILDING_MARKERS
    for seat in range(players):
        counters[GUARD[seat]] = DEFAULT_GUARD
        counters[CIV[seat]] = -1
    push(table, SETUP)


def is_practice(table: Table) -> bool:
    """8.1: the practice game, without Egypt, Rome and wonders."""
    return table.layout.options["practice"] is True


def civ_count(table: Table) -> int:
    """How many civilizations can be chosen from."""
    return PRACTICE_CIVS if is_practice(table) else len(CIVILIZATIONS)


def ways_of_civs(table: Table) -> list[tuple[int, ...]]:
    """C5: all ways to give out the civilizations."""
    return list(permutations(range(civ_count(table)), table.layout.players))


# ---- the steps, by stage ----


def step(table: Table) -> Request | None:
    """The next step of the set-up."""
    at = top(table)
    stage = table.counters[at + STAGE]
    table.counters[at + STAGE] += 1
    return _STAGES[stage](table)


def _roll_first(table: Table) -> Request | None:
    return Roll(table.layout.players)  # C16


def _give_civs(table: Table) -> Request | None:
    """C5: by one roll, or chosen seat by seat from the first player on."""
    counters, players = table.counters, table.layout.players
    counters[FIRST] = counters[ACTIVE] = table.rolled
    if table.layout.options["civs"] == "random":
        return Roll(len(ways_of_civs(table)))
    for step in range(players - 1, -1, -1):
        push(table, CIV_CHOICE, (counters[FIRST] + step) % players)
    return None


def _take_civs(table: Table) -> Request | None:
    """C10, C13, C14: homes are laid; everything that is drawn from is shuffled at once."""
    counters = table.counters
    if table.layout.options["civs"] == "random":
        for seat, civ in enumerate(ways_of_civs(table)[table.rolled]):
            counters[CIV[seat]] = civ
    players = range(table.layout.players)
    lay_homes(table, [CIVILIZATIONS[counters[CIV[seat]]].tile for seat in players])
    first = [*range(UNIT_DECK, UNIT_DECK + 4), *range(EVENT_DECK, EVENT_DECK + 3), GREAT_DECK]
    decks = [*first, *range(WONDER_DECK, WONDER_DECK + 3), HUT_PILE, VILLAGE_PILE, TILE_PILE]
    return Shuffle(tuple([tuple(table.zones[zone]) for zone in decks if table.zones[zone]]))


def _deal(table: Table) -> Request | None:
    """C6, C9, C13: tiles that are left over, Egypt's wonder, the market, standing forces."""
    counters, players = table.counters, table.layout.players
    spare = len(table.zones[TILE_PILE]) - len(NEUTRAL_SLOTS[players])
    table.draw(spare, TILE_PILE, LEFT_OVER)
    for seat in range(players):
        if counters[CIV[seat]] == EGYPT:
            table.draw(1, WONDER_DECK, OWN_WONDERS[seat])
    fill_market(table)
    for seat in range(players):
        for unit in _UNITS_AT_START:
            table.draw(1, UNIT_DECK + unit, FORCES[seat])
        if counters[CIV[seat]] == GERMANY:
            table.draw(2, UNIT_DECK, FORCES[seat])  # C19
    return None


def fill_market(table: Table) -> None:
    """C9, C66: the market has four wonders as long as there are any, the older eras first."""
    while len(table.zones[WONDER_MARKET]) < WONDER_SPACES:
        for era in range(3):
            if table.zones[WONDER_DECK + era]:
                table.draw(1, WONDER_DECK + era, WONDER_MARKET)
                break
        else:
            return


def _begin_seats(table: Table) -> Request | None:
    """C17: the seats, one after the other, from the first player on."""
    counters, players = table.counters, table.layout.players
    for step in range(players):
        seat = (counters[FIRST] + players - 1 - step) % players
        _push_seat(table, seat)
    return None


def _push_seat(table: Table, seat: int) -> None:
    """C18 to C25, the last thing first; the frame of the capital is on top."""
    counters = table.counters
    civ = counters[CIV[seat]]
    if civ == AMERICA:
        at = push(table, GAIN, seat)
        counters[at + NOTE] = 1  # C25: it must be placed.
    push(table, PLACE_FIGURE, seat, item=1)
    push(table, PLACE_FIGURE, seat)
    if civ == RUSSIA:
        push(table, PLACE_FIGURE, seat)
    if civ == EGYPT:
        push(table, FIRST_WONDER_SITE, seat)
    push(table, CAPITAL, seat)


def _begin_game(table: Table) -> Request | None:
    pop(table)
    push(table, COURSE)
    return None


_STAGES: Final = (_roll_first, _give_civs, _take_civs, _deal, _begin_seats, _begin_game)

# ---- choices ----


def civ_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C5: the civilizations that nobody has."""
    taken = [table.counters[CIV[each]] for each in range(table.layout.players)]
    return [numbered("civ", civ) for civ in range(civ_count(table)) if civ not in taken]


def choose_civ(table: Table, seat: int, action: Action) -> None:
    """C5: by choice."""
    table.counters[CIV[seat]] = action.number
    pop(table)


def capital_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C18: the four middle squares of the home tile."""
    x, y = home_corner(table, seat)
    return [numbered("capital", 16 * (y + at // 2 + 1) + x + at % 2 + 1) for at in range(4)]


def place_capital(table: Table, seat: int, action: Action) -> None:
    """C18, C19, C21, C22: the capital, and what the civilization begins with."""
    counters = table.counters
    civ = counters[CIV[seat]]
    put_city(table, seat, action.number)
    counters[WALLS[seat]] = int(civ == CHINA)
    start = CIVILIZATIONS[civ]
    set_known(table, seat, tech(start.technology))
    counters[GOVERNMENT[seat]] = GOVERNMENTS.index(start.government)
    pop(table)


def site_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C19, C64: Egypt's wonder goes to dry land beside the capital."""
    center = table.counters[CITY_AT[seat]] - 1
    dry = [at for at in AROUND[center] if terrain_at(table, at) != WATER]
    return [numbered("site", at) for at in dry]


def place_first_wonder(table: Table, seat: int, action: Action) -> None:
    """C19: Egypt's wonder."""
    face = table.public_face(table.zones[OWN_WONDERS[seat]][-1])
    put_mark(table, action.number, WONDER_MARK + face - FIRST_WONDER)
    pop(table)


def figure_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C20: outskirts of the capital, not on water, within the limit."""
    center = table.counters[CITY_AT[seat]] - 1
    dry = [at for at in AROUND[center] if terrain_at(table, at) != WATER]
    return [numbered("place", at) for at in dry if room_on(table, seat, at)]


def place_figure(table: Table, seat: int, action: Action) -> None:
    """C20, C23: an army or a scout; with the last one the trade dial is set."""
    is_scout = table.counters[top(table) + ITEM] == 1
    set_figure(table, seat, supply_of(table, seat, is_scout), action.number)
    pop(table)
    if is_scout:
        table.counters[TRADE[seat]] = trade_income(table, seat)
