"""City Management (C50 to C71): one announcement, one possible window, then the effect (D5)."""

from __future__ import annotations

from typing import Final

from core.games.civilization import powers
from core.games.civilization.board import FIRST_BUILDING, WONDER_MARK
from core.games.civilization.culture import can_advance, pay_step
from core.games.civilization.effects import do_task
from core.games.civilization.faces import FIRST_WONDER
from core.games.civilization.figures import (
    put_mark,
    remove_enemies,
    set_figure,
    supply_army,
    supply_scout,
)
from core.games.civilization.frames import (
    ACTION,
    ACTION_PLAY,
    AIM,
    BASE,
    BATTLE,
    CANCELLED,
    CHOOSE_ITEM,
    CHOOSE_SITE,
    CITY,
    ITEM,
    NOTE,
    OTHER,
    PAID,
    ROW,
    SEAT,
    STAGE,
    STEP,
    TYPE,
    pop,
    push,
    top,
    touch,
)
from core.games.civilization.items import (
    ARTS,
    FIRST_BUILDING_ITEM,
    FIRST_UNIT,
    FIRST_WONDER_ITEM,
    HARVEST,
    SCOUT,
    WALLS_ITEM,
    builds_free,
    cost,
    double_harvests,
    free_buildings,
    harvestable,
    is_sited,
    makeable,
    may_split,
    second_items,
    second_sites,
    sites,
    split_items,
    trade_for,
)
from core.games.civilization.layout import (
    CIV,
    CULTURE,
    FIELDS,
    FORCES,
    LEFT,
    MARKET,
    MARKET_TOKENS,
    OWN_WONDERS,
    SUPPLY,
    TASK_TIMES,
    TRADE,
    UNIT_DECK,
    WALLS,
    WONDER_MARKET,
)
from core.games.civilization.movement import push_loot
from core.games.civilization.printed import BUILDINGS
from core.games.civilization.setup import fill_market
from core.games.civilization.targets import acting_cities
from core.games.civilization.wealth import (
    DEMOCRACY,
    PRINTING_PRESS,
    ROME,
    arts,
    is_used,
    knows,
    production,
    resting,
    set_used,
)
from core.requests import Action, Request, numbered
from core.table import Observation, Table

# Modes of an action.
ORDINARY: Final = 0
FREE: Final = 1
SPLIT: Final = 2
TWICE: Final = 3
CITY_STEP: Final = 64  # A number is item + 64 * city.
_ADVANCE: Final = Action("advance")  # Made once, for speed.
TASK_PRICES: Final = {2: 6, 3: 5}  # Democracy: trade; Printing Press: culture.


def make_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C53: what each city can make."""
    return [
        numbered("make", item + CITY_STEP * city)
        for city in acting_cities(table, seat)
        for item in makeable(table, seat, city)
    ]


def free_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """3.6: Egypt's building for nothing."""
    if not builds_free(table, seat):
        return []
    return [
        numbered("free", item + CITY_STEP * city)
        for city in acting_cities(table, seat)
        for item in free_buildings(table, seat, city)
    ]


def split_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C56: the first of two items."""
    if not may_split(table, seat):
        return []
    return [
        numbered("split", item + CITY_STEP * city)
        for city in acting_cities(table, seat)
        for item in split_items(table, seat, city)
    ]


def arts_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C70: each city that can still act."""
    return [numbered("arts", CITY_STEP * city) for city in acting_cities(table, seat)]


def harvest_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C81: what each city can harvest."""
    return [
        numbered("harvest", kind + CITY_STEP * city)
        for city in acting_cities(table, seat)
        for kind in harvestable(table, seat, city)
    ]


def reap_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C82: two harvests with Angkor Wat."""
    return [
        Action("reap", (), pair + CITY_STEP * city)
        for city in acting_cities(table, seat)
        for pair in double_harvests(table, seat, city)
    ]


def announce(table: Table, seat: int, action: Action) -> None:
    """C50, D5: a city action begins; its places are chosen next."""
    city, item = divmod(action.number, CITY_STEP)
    counters = table.counters
    at = push(table, ACTION, seat, city=city)
    counters[at + TYPE], counters[at + OTHER] = ACTION_PLAY, -1
    verb = action.verb
    if verb in ("arts", "harvest"):
        item = ARTS if verb == "arts" else HARVEST + item
    elif verb == "reap":
        second, item = divmod(item, 8)
        item, counters[at + OTHER], counters[at + PAID] = HARVEST + item, HARVEST + second, TWICE
    else:
        counters[at + PAID] = ("make", "free", "split").index(verb)
    counters[at + ITEM], counters[at + AIM], counters[at + BASE] = item, -1, -1


# ---- the course of an action ----


def step(table: Table) -> Request | None:
    """The next stage of the city action on top."""
    at = top(table)
    stage = table.counters[at + STAGE]
    table.counters[at + STAGE] += 1
    _STAGES[stage](table, at)
    return None


def _first_site(table: Table, at: int) -> None:
    if is_sited(table.counters[at + ITEM]):
        push(table, CHOOSE_SITE, table.counters[at + SEAT], item=AIM)


def _second_item(table: Table, at: int) -> None:
    if table.counters[at + PAID] == SPLIT:
        push(table, CHOOSE_ITEM, table.counters[at + SEAT])


def _second_site(table: Table, at: int) -> None:
    counters = table.counters
    if counters[at + PAID] == SPLIT and is_sited(counters[at + OTHER]):
        push(table, CHOOSE_SITE, counters[at + SEAT], item=BASE)


def item_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C56: the second item."""
    at, counters = top(table) - FIELDS, table.counters
    first = (counters[at + ITEM], counters[at + AIM])
    found = second_items(table, seat, counters[at + CITY], first)
    return [numbered("also", item) for item in found]


def choose_item(table: Table, seat: int, action: Action) -> None:
    """C56: the second item is named."""
    at = pop(table)
    table.counters[at + OTHER] = action.number


def site_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """The squares for the item in question."""
    frame, counters = top(table), table.counters
    at = frame - FIELDS
    city = counters[at + CITY]
    if counters[frame + ITEM] == AIM:
        found = _first_sites(table, seat, at)
    else:
        first = (counters[at + ITEM], counters[at + AIM])
        found = second_sites(table, seat, city, first, counters[at + OTHER])
    return [numbered("site", square) for square in found]


def _first_sites(table: Table, seat: int, at: int) -> list[int]:
    """C56: for two items only those that leave something for the second."""
    counters = table.counters
    item, city = counters[at + ITEM], counters[at + CITY]
    found = sites(table, seat, city, item)
    if counters[at + PAID] == SPLIT:
        found = [each for each in found if second_items(table, seat, city, (item, each))]
    return found


def choose_site(table: Table, seat: int, action: Action) -> None:
    """The square is named."""
    frame = top(table)
    field = table.counters[frame + ITEM]
    at = pop(table)
    table.counters[at + field] = action.number


def _pay_and_ask(table: Table, at: int) -> None:
    """C50, C54, D5: the city has acted, what is missing is paid, the others are asked."""
    counters = table.counters
    seat, city, mode = counters[at + SEAT], counters[at + CITY], counters[at + PAID]
    items = [item for item in (counters[at + ITEM], counters[at + OTHER]) if 0 <= item < ARTS]
    if items and mode != FREE:
        price = sum([cost(table, seat, item) for item in items])
        counters[TRADE[seat]] -= trade_for(table, seat, price - production(table, seat, city))
    counters[LEFT[seat] + city] -= 1
    if mode != ORDINARY:
        once = {FREE: powers.EGYPT_BUILDING, SPLIT: powers.ENGINEERING_SPLIT}
        set_used(table, seat, once.get(mode, powers.ANGKOR_HARVEST))
    push(table, ROW, seat)


def _execute(table: Table, at: int) -> None:
    """The effect, unless it has been cancelled (E35)."""
    counters = table.counters
    seat, city, note = counters[at + SEAT], counters[at + CITY], counters[at + NOTE]
    pairs = [(counters[at + OTHER], counters[at + BASE]), (counters[at + ITEM], counters[at + AIM])]
    pop(table)
    if note & CANCELLED:
        table.tell("cancelled", seat)
        return
    for item, site in reversed(pairs):
        if item >= 0:
            _make(table, seat, city, item, site)
    touch(table)


_STAGES: Final = (_first_site, _second_item, _second_site, _pay_and_ask, _execute)


def _make(table: Table, seat: int, city: int, item: int, site: int) -> None:
    counters = table.counters
    if item < FIRST_UNIT:
        _place_figure(table, seat, item == SCOUT, site)
    elif item < FIRST_BUILDING_ITEM:
        table.draw(1, UNIT_DECK + item - FIRST_UNIT, FORCES[seat])  # C59
    elif item < WALLS_ITEM:
        kind = item - FIRST_BUILDING_ITEM
        put_mark(table, site, FIRST_BUILDING + kind)
        counters[SUPPLY + BUILDINGS[kind].family] -= 1
    elif item == WALLS_ITEM:
        counters[WALLS[seat] + city] = 1
    elif item < ARTS:
        _build_wonder(table, seat, item - FIRST_WONDER_ITEM, site)
    elif item == ARTS:
        counters[CULTURE[seat]] += arts(table, seat, city)
    else:
        counters[MARKET + item - HARVEST] -= 1
        counters[MARKET_TOKENS[seat] + item - HARVEST] += 1


def _place_figure(table: Table, seat: int, is_scout: bool, site: int) -> None:
    """C57, C58: on a blockaded square an army fights at once."""
    owner, armies, _ = resting(table, site)
    if owner in (-1, seat):
        figure = supply_scout(table, seat) if is_scout else supply_army(table, seat)
        set_figure(table, seat, figure, site)
    elif armies:
        at = push(table, BATTLE, seat, item=site)
        table.counters[at + OTHER] = 2
    else:
        remove_enemies(table, seat, site)
        set_figure(table, seat, supply_army(table, seat), site)
        push_loot(table, seat, owner, 1)


def _build_wonder(table: Table, seat: int, wonder: int, site: int) -> None:
    """C64, C66, C68: what lay there goes, the market is filled, Rome makes a free step."""
    card = next(at for at in table.zones[WONDER_MARKET] if table.face[at] == FIRST_WONDER + wonder)
    put_mark(table, site, WONDER_MARK + wonder)
    table.move(card, WONDER_MARKET, OWN_WONDERS[seat])
    fill_market(table)
    if table.counters[CIV[seat]] == ROME:
        push(table, STEP, seat)


# ---- culture and coin tasks ----


def advance_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C71: the next space of the culture track."""
    return [_ADVANCE] if can_advance(table, seat) else []


def advance(table: Table, seat: int, action: Action) -> None:
    """C71: pay and enter it."""
    pay_step(table, seat)


def task_offers(table: Table, seat: int, observation: Observation) -> list[Action]:
    """C141: Democracy for 6 trade, Printing Press for 5 culture."""
    counters, found = table.counters, []
    if knows(table, seat, DEMOCRACY) and not is_used(table, seat, powers.DEMOCRACY_TASK):
        found += _paid_task(table, seat, powers.TASK_DEMOCRACY, counters[TRADE[seat]])
    if knows(table, seat, PRINTING_PRESS) and not is_used(table, seat, powers.PRINTING_TASK):
        found += _paid_task(table, seat, powers.TASK_PRINTING, counters[CULTURE[seat]])
    return found


def _paid_task(table: Table, seat: int, task: int, purse: int) -> list[Action]:
    is_left = table.counters[TASK_TIMES[seat] + task] < powers.TASK_TIMES_MAX
    return [numbered("task", task)] if is_left and purse >= TASK_PRICES[task] else []


def do_coin_task(table: Table, seat: int, action: Action) -> None:
    """C141: once per turn each."""
    task = action.number
    is_democracy = task == powers.TASK_DEMOCRACY
    purse = TRADE if is_democracy else CULTURE
    table.counters[purse[seat]] -= TASK_PRICES[task]
    set_used(table, seat, powers.DEMOCRACY_TASK if is_democracy else powers.PRINTING_TASK)
    do_task(table, seat, task)
