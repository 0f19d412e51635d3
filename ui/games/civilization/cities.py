"""My cities: what each yields and can make, with its key, its cost, or why it cannot."""

from __future__ import annotations

from typing import Final

from core.games.civilization.items import (
    ITEM_KEYS,
    budget,
    cost,
    is_placeable,
    stock,
    trade_for,
)
from core.games.civilization.layout import CITY_AT, CIV, LEFT
from core.games.civilization.wealth import arts, cities_of, output, production
from core.requests import Player
from core.table import Table
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, FAINT, LIT, MUTED
from ui.draw.panels import cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.labels import CITY_LETTERS, labels
from ui.games.civilization.position import square_name
from ui.games.civilization.words import item_name, name
from ui.ink import Row, Span

_VERBS: Final = ("make", "harvest", "arts", "reap", "free", "split", "also")


def city_rows(scene: Scene, table: Table, width: int, *, is_full: bool = False) -> list[Row]:
    """A heading for each city; where it may act, what it can do."""
    seat = scene.view.seat
    if seat is None or table.counters[CIV[seat]] < 0 or not cities_of(table, seat):
        return [[Span(scene.words("civilization.no_city"), MUTED)]]
    rows: list[Row] = []
    for city in cities_of(table, seat):
        rows += wrapped(_heading(scene, table, seat, city), width, "  ")
        cells = _cells(scene, city)
        if cells:
            cells += _impossible(scene, table, seat, city) if is_full else []
            rows += [[Span("  "), *row] for row in flow_cells(cells, width - 2)]
    return rows


def _heading(scene: Scene, table: Table, seat: Player, city: int) -> Row:
    words = scene.words
    text = words(
        "civilization.city_line", city=name(words, f"city.{city}"),
        where=square_name(table.counters[CITY_AT[seat] + city] - 1),
        production=production(table, seat, city), trade=output(table, seat, city, 0),
        culture=arts(table, seat, city),
    )  # fmt: skip
    is_open = bool(table.counters[LEFT[seat] + city])
    in_city = scene.view.phase == "city"
    note = "" if is_open or not in_city else f" · {words('civilization.city_acted')}"
    return [Span(f"{CITY_LETTERS[city]} ", "bold $accent" if is_open and in_city else MUTED),
            Span(text, LIT if is_open and in_city else ""),
            *([Span(note, MUTED)] if note else [])]  # fmt: skip


def _cells(scene: Scene, city: int) -> list[Row]:
    """What this city can do, each with its key."""
    known, cells = labels(scene.view), list[Row]()
    picks = {pick.offer.text: pick for pick in scene.picture.picks}
    order = sorted(scene.view.offers, key=lambda offer: _order(offer.action.verb))
    for offer in order:
        verb, *rest = offer.text.split()
        if verb in _VERBS[:6] and rest[-1] == str(city) and offer.text in known:
            label = picks[offer.text].label
            style = CAP if label in scene.picked else LIT
            cells.append(
                [*cap(label), Span(f" {what_is_offered(scene, offer.text)}", style, label)]
            )
    return cells


def _order(verb: str) -> int:
    return _VERBS.index(verb) if verb in _VERBS else len(_VERBS)


def what_is_offered(scene: Scene, notation: str) -> str:
    """What is made, with its cost."""
    words, seat = scene.words, scene.view.seat
    verb, *rest = notation.split()
    from ui.games.civilization.position import table_of

    table, city = table_of(scene.view), int(rest[-1])
    assert seat is not None, "only a seat has cities"
    if verb == "arts":
        return words("civilization.arts", number=arts(table, seat, city))
    if verb in ("harvest", "reap"):
        goods = "+".join(name(words, f"resource.{key}") for key in rest[:-1])
        return words("civilization.harvest", what=goods)
    what = item_name(words, rest[0])
    if verb == "free":
        return f"{what} 0"
    item = next(number for number, key in ITEM_KEYS.items() if key == rest[0])
    price = cost(table, seat, item)
    trade = trade_for(table, seat, price - production(table, seat, city))
    more = "+…" if verb == "split" else ""
    if trade and verb == "make":
        price_text = words("civilization.costs_trade", cost=price, trade=trade)
    else:
        price_text = words("civilization.costs", cost=price)
    return f"{what}{more} {price_text}"


def _impossible(scene: Scene, table: Table, seat: Player, city: int) -> list[Row]:
    """What cannot be made, faint, with the reason."""
    words, cells = scene.words, list[Row]()
    purse = budget(table, seat, city)
    for item in stock(table, seat):
        key = ITEM_KEYS[item]
        price = cost(table, seat, item)
        if price > purse:
            why = words("civilization.too_dear", number=price - purse)
        elif not is_placeable(table, seat, city, item):
            why = words("civilization.no_place")
        else:
            continue
        cells.append([Span(f"{item_name(words, key)} {price} ({why})", FAINT)])
    return cells
