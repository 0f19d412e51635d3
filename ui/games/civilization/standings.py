"""How near each seat is to each of the four victories, and what everybody can count."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len, set_cell_size

from core.games.civilization.faces import CIV_KEYS, FIRST_WONDER, WONDER_KEYS
from core.games.civilization.items import FIRST_WONDER_ITEM, cost
from core.games.civilization.layout import (
    ARMIES,
    CIV,
    CULTURE,
    EVENTS,
    FIGURE,
    FORCES,
    FRONT,
    GOVERNMENT,
    HAND,
    MARKET,
    MARKET_TOKENS,
    TOKENS,
    TRACK_AT,
    TRADE,
    WONDER_MARKET,
)
from core.games.civilization.learning import counts
from core.games.civilization.natives import holds_natives
from core.games.civilization.printed import (
    GOVERNMENTS,
    MARKET_KINDS,
    RESOURCES,
    TRACK_CULTURE,
    TRACK_TRADE,
    UNIT_TYPES,
)
from core.games.civilization.wealth import (
    cities_of,
    coins,
    crosses_water,
    hand_limit,
    known,
    rank,
    stacking,
    stops_on_water,
    trade_income,
    travel,
)
from core.requests import Player
from core.table import Table
from ui.draw.cards import flow_cells
from ui.draw.marks import FAINT, LIT, MUTED
from ui.draw.panels import wrapped
from ui.draw.scene import Scene
from ui.games.civilization.position import SEAT_LETTERS
from ui.games.civilization.words import item_name, name
from ui.language.text import Words
from ui.look import Reached
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, pad, right

TRACK_END: Final = 21
COINS_END: Final = 15
LEVEL_END: Final = 5
_CELLS: Final = 6
_DISTANCE: Final = ("culture", "level", "coins", "cities")
_ENDS: Final = {"culture": TRACK_END, "level": LEVEL_END, "coins": COINS_END}
_BAR_CELLS: Final = 5  # Of a way to win, as long as its level is high.
_WAY_CELLS: Final = 9  # The bar, and the number behind it.
_GOODS: Final = ("trade", "culture_have", "units", "events", "tokens")
_NAME_CELLS_MIN: Final = 6
_NARROW: Final = 30  # Cells, below which a table has three columns.
_NEAR: Final = 0.75  # Of the way: the number is lit.


def first_name(model: ViewModel, seat: Player) -> str:
    """Who is first in a turn; of me it says so, whatever my name at this table is."""
    return model.words("term.me") if model.seats[seat].is_me else model.seats[seat].name


def level_of(table: Table, seat: Player) -> int:
    """The highest level of a pyramid that has a card."""
    have = counts(table, seat) if table.counters[CIV[seat]] >= 0 else [0] * 6
    return max([level for level in range(6) if have[level]], default=0)


def numbers(table: Table, seat: Player) -> dict[str, int]:
    """Everything that is counted of a seat."""
    counters, zones = table.counters, table.zones
    own = (FORCES,) if holds_natives(table, seat) else (FORCES, HAND, FRONT)
    units = sum(len(zones[block[seat]]) for block in own)
    market = counters[MARKET_TOKENS[seat] : MARKET_TOKENS[seat] + MARKET_KINDS]
    return {
        "culture": counters[TRACK_AT[seat]], "level": level_of(table, seat),
        "coins": coins(table, seat), "cities": len(cities_of(table, seat)),
        "trade": counters[TRADE[seat]], "culture_have": counters[CULTURE[seat]],
        "units": units, "events": len(zones[EVENTS[seat]]),
        "tokens": sum(market) + len(zones[TOKENS[seat]]),
        "armies": sum(1 for at in range(ARMIES) if counters[FIGURE[seat] + at]),
        "techs": len(known(table, seat)),
    }  # fmt: skip


def distance_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """A row for each seat: where it is on the way to each victory, as a bar where that fits."""
    rows = _table(scene, table, width, _DISTANCE, _ENDS)
    return _bars(scene, table, width) if scene.is_broad else rows


def _bars(scene: Scene, table: Table, width: int) -> list[Row]:
    words, first = scene.words, width - _WAY_CELLS * len(_DISTANCE)
    heads = [f"{name(words, f'short.{key}')} {_ENDS.get(key, '')}" for key in _DISTANCE]
    rows: list[Row] = [[Span(" " * first), *(Span(right(head.strip(), _WAY_CELLS), MUTED)
                                             for head in heads)]]  # fmt: skip
    for seat in range(scene.view.players):
        found, style = numbers(table, seat), scene.style_of(seat)
        row: Row = [Span(pad(f"{SEAT_LETTERS[seat]} {scene.name_of(seat)}", first), style)]
        for key in _DISTANCE:
            row += _way_row(found[key], _ENDS.get(key, 0), style)
        rows.append(row)
    return rows


def _way_row(number: int, end: int, style: str) -> Row:
    """One of the ways to win: how much of it is behind a seat, and the number."""
    gone = number * _BAR_CELLS // end if end else 0
    bar = [Span("■" * gone, style), Span("·" * (_BAR_CELLS - gone), FAINT)]
    is_near = end and number >= end * _NEAR
    count = Span(right(str(number), 3), "bold $warning" if is_near else LIT)
    air = Span(" " * (_WAY_CELLS - _BAR_CELLS - 3))
    return [air, *bar, count] if end else [Span(" " * (_WAY_CELLS - 3)), count]


def distances(words: Words, table: Table) -> tuple[Reached, ...]:
    """The same at the end of the game, by what leads to a victory."""
    found = [numbers(table, seat) for seat in range(table.layout.players)]
    return tuple(
        Reached(name(words, f"short.{key}"), tuple(_how_far(each[key], key) for each in found))
        for key in _DISTANCE
    )


def _how_far(count: int, key: str) -> str:
    """`12/21`: how far of how far."""
    return f"{count}/{_ENDS[key]}" if key in _ENDS else str(count)


def goods_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """A row for each seat: what it has in store."""
    return _table(scene, table, width, _GOODS[: (width - _NAME_CELLS_MIN) // _CELLS], {})


def both_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """The victories and trade and culture, where there is one table for all."""
    keys = (*_DISTANCE[:3], "trade", "culture_have")
    if width < _NARROW:
        return _narrow(scene, table, width, keys[:3])
    return _table(scene, table, width, keys[: (width - _NAME_CELLS_MIN) // _CELLS], _ENDS)


def _narrow(scene: Scene, table: Table, width: int, keys: tuple[str, ...]) -> list[Row]:
    """The same where every cell counts: whole headings, and of the names what fits."""
    heads = [name(scene.words, f"short.{key}") for key in keys]
    cells = [cell_len(head) + bool(at) for at, head in enumerate(heads)]
    first = width - sum(cells)
    told = "".join(right(head, room) for head, room in zip(heads, cells, strict=True))
    rows: list[Row] = [[Span(" " * first + told, MUTED)]]
    for seat in range(scene.view.players):
        found = numbers(table, seat)
        told = pad(f"{SEAT_LETTERS[seat]} {scene.name_of(seat)}", first)
        shown = (Span(right(str(found[key]), room), LIT)
                 for key, room in zip(keys, cells, strict=True))  # fmt: skip
        rows.append([Span(told, scene.style_of(seat)), *shown])
    return rows


def cut_table(rows: list[Row], height: int) -> list[Row]:
    """A heading and as many seats as fit; how many are left out stands before the heading."""
    left_out = len(rows) - height
    if left_out <= 0:
        return rows
    (air, *heads), *seats = rows[:height]
    sign = set_cell_size(f"… +{left_out}", len(air.text) - len(air.text.lstrip()))
    return [[air._replace(text=sign + air.text.lstrip(), style=MUTED), *heads], *seats]


def stock_text(scene: Scene, table: Table, seat: Player) -> str:
    """My trade and culture in a few words."""
    found, words = numbers(table, seat), scene.words
    stock = {"trade": found["trade"], "culture": found["culture_have"]}
    return " · ".join(f"{name(words, f'good.{key}')} {number}" for key, number in stock.items())


def _table(
    scene: Scene, table: Table, width: int, keys: tuple[str, ...], ends: dict[str, int]
) -> list[Row]:
    words = scene.words
    heads = [name(words, f"short.{key}") for key in keys]
    cells = [max(_CELLS, cell_len(head) + 1) for head in heads]
    names = [f"{SEAT_LETTERS[at]} {scene.name_of(at)}" for at in range(scene.view.players)]
    if width - sum(cells) < max(map(cell_len, names)):
        cells = [_CELLS] * len(keys)
        heads = [head if cell_len(head) < _CELLS else f"{set_cell_size(head, _CELLS - 2)}."
                 for head in heads]  # fmt: skip
    first = max(width - sum(cells), 4)
    told = "".join(right(head, room) for head, room in zip(heads, cells, strict=True))
    rows: list[Row] = [[Span(" " * first + told, MUTED)]]
    for seat in range(scene.view.players):
        found = numbers(table, seat)
        style = scene.style_of(seat)
        row: Row = [Span(pad(names[seat], first), style)]
        for key, room in zip(keys, cells, strict=True):
            end = ends.get(key, 0)
            shown = f"{found[key]}/{end}" if end else str(found[key])
            is_near = end and found[key] >= end * _NEAR
            row.append(Span(right(shown, room), "bold $warning" if is_near else ""))
        rows.append(row)
    return rows


def limits_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """What I am, the ranks of my units and my limits, and the next step of the culture track.

    In rows of as many facts as fit: no fact is broken that is no longer than a row.
    """
    cells = [[Span(text)] for text in _limits(scene, table)]
    flowed = flow_cells(cells, width) if cells else []
    return [line for row in flowed for line in wrapped(row, width, "  ")]


def _limits(scene: Scene, table: Table) -> list[str]:
    words, seat = scene.words, scene.view.seat
    if seat is None or table.counters[CIV[seat]] < 0:
        return []
    form = table.counters[GOVERNMENT[seat]]
    civ = name(words, f"civ.{CIV_KEYS[table.counters[CIV[seat]]]}")
    water = (
        "yes" if stops_on_water(table, seat) else "cross" if crosses_water(table, seat) else "no"
    )
    income = trade_income(table, seat)
    return [
        words.listed([civ, name(words, f"gov.{GOVERNMENTS[form]}")]),
        words("civilization.ranks", what=_ranks(words, table, seat)),
        words("civilization.help.speed", number=travel(table, seat)),
        words("civilization.help.stack", number=stacking(table, seat)),
        words("civilization.hand_limit", number=hand_limit(table, seat)),
        words("civilization.water", what=words(f"civilization.water.{water}")),
        *([f"{name(words, 'good.trade')} +{income}"] if income else []),
        *track_texts(scene, table),
    ]


def _ranks(words: Words, table: Table, seat: Player) -> str:
    """The ranks of my units, those that are alike in a word: `artillery 2, others 1`."""
    ranks = {at: rank(table, seat, at) for at in range(len(UNIT_TYPES)) if rank(table, seat, at)}
    least = min(ranks.values())
    higher = [f"{item_name(words, UNIT_TYPES[at])} {number}"
              for at, number in ranks.items() if number > least]  # fmt: skip
    key = "ranks_others" if higher else "ranks_all"
    return words.listed([*higher, words(f"civilization.{key}", number=least)])


def track_text(scene: Scene, table: Table) -> str:
    """What my next step on the culture track costs."""
    return " · ".join(track_texts(scene, table))


def track_texts(scene: Scene, table: Table) -> list[str]:
    """Where I am on the culture track, and what my next step there costs."""
    words, seat = scene.words, scene.view.seat
    assert seat is not None, "only a seat has a marker on the track"
    at = table.counters[TRACK_AT[seat]]
    text = words("civilization.track", at=at)
    if at >= TRACK_END:
        return [text]
    trade = TRACK_TRADE[at + 1]
    key = "track_next" if trade else "track_free"
    price = words(f"civilization.{key}", culture=TRACK_CULTURE[at + 1], trade=trade)
    last = [words("civilization.track_end")] if at == TRACK_END - 1 else []
    return [text, words.listed([price, *last])]


def forces_text(scene: Scene, table: Table, seat: Player) -> str:
    """The units that I have, by type and strength, those in a battle too; a word for none."""
    words = scene.words
    zones = scene.view.zones
    own = ("forces",) if holds_natives(table, seat) else ("forces", "battle", "front")
    cards = [card.face for key in own for card in zones[f"seat{seat}.{key}"]]
    faces = sorted(face for face in cards if face)
    parts = [(f"{faces.count(face)}× " if faces.count(face) > 1 else "") + words.name("face", face)
             for face in dict.fromkeys(faces)]  # fmt: skip
    return words.listed(parts) or words("civilization.no_forces")


def market_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """Tokens of the market and the wonders that can be built, with what they cost me."""
    words, seat = scene.words, scene.view.seat or 0
    cells: list[Row] = []
    for kind in range(MARKET_KINDS):
        resource = name(words, f"resource.{RESOURCES[kind]}")
        cells.append([Span(f"{resource} ", MUTED), Span(str(table.counters[MARKET + kind]), LIT)])
    for card in table.zones[WONDER_MARKET]:
        number = table.face[card] - FIRST_WONDER
        if 0 <= number < len(WONDER_KEYS):
            key = WONDER_KEYS[number]
            price = 0
            if table.counters[CIV[seat]] >= 0:
                price = cost(table, seat, FIRST_WONDER_ITEM + number)
            cells.append([Span(f"{words.name('face', key)} ", "$c-violet", f"about:{key}"),
                          Span(f"({price})", LIT, f"about:{key}")])  # fmt: skip
    return flow_cells(cells, width)


def tokens_text(scene: Scene, table: Table, seat: Player) -> str:
    """My open market tokens, by resource."""
    words, counters = scene.words, table.counters
    return words.listed(
        f"{name(words, f'resource.{RESOURCES[kind]}')} {counters[MARKET_TOKENS[seat] + kind]}"
        for kind in range(MARKET_KINDS)
        if counters[MARKET_TOKENS[seat] + kind]
    )
