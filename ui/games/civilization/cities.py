"""My cities: what each yields and can make, with its key, its cost, or why it cannot."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from core.games.civilization.board import resource_at, shows_coin
from core.games.civilization.course import IN_CITY
from core.games.civilization.items import ITEM_KEYS, budget, cost, is_placeable, stock
from core.games.civilization.layout import ACTIVE, CITY_AT, CIV, FIRST, IDLE, LEFT, ORDER, PHASE
from core.games.civilization.printed import RESOURCES
from core.games.civilization.wealth import arts, cities_of, output, own_squares, production
from core.requests import Player
from core.table import Table
from ui.draw.cards import flow_cells
from ui.draw.marks import CAP, FAINT, LIT, MUTED
from ui.draw.panels import cap, wrapped
from ui.draw.scene import Scene
from ui.games.civilization.labels import CITY_LETTERS, labels
from ui.games.civilization.offered import price_of
from ui.games.civilization.position import ITEMS, square_name, table_of
from ui.games.civilization.words import item_name, name
from ui.language.text import Words
from ui.model.picks import OfferPick
from ui.terminal.spans import Row, Span, pad, row_width

_VERBS: Final = ("make", "harvest", "arts", "reap", "free", "split", "also")


def city_rows(scene: Scene, table: Table, width: int, *, is_full: bool = False) -> list[Row]:
    """A heading for each city; where it may act, what it can do."""
    seat = scene.view.seat
    if seat is None or table.counters[CIV[seat]] < 0 or not cities_of(table, seat):
        return [[Span(scene.words("civilization.no_city"), MUTED)]]
    rows: list[Row] = []
    for city in cities_of(table, seat):
        rows += wrapped(_heading(scene, table, seat, city), width, "  ")
        cells = _cells(scene, city, width - 2)
        if cells:
            cells += _impossible(scene, table, city, width - 2) if is_full else []
            rows += [[Span("  "), *row] for row in _flowing(cells, width - 2)]
    return rows


def _flowing(cells: list[Row], width: int) -> list[Row]:
    """The cells one after the other; below each other they are equally wide.

    So the arrow keys, which go to what is straight ahead, leave none of them out.
    """
    rows = flow_cells(cells, width)
    if len(rows) < len(cells):
        return rows
    widest = max(map(row_width, cells))
    return [[*row, Span(" " * (widest - row_width(row)), "", row[-1].hot)] for row in rows]


def _heading(scene: Scene, table: Table, seat: Player, city: int) -> Row:
    words = scene.words
    text = words(
        "civilization.city_line", city=name(words, f"city.{city}"),
        where=square_name(table.counters[CITY_AT[seat] + city] - 1),
        production=production(table, seat, city), trade=output(table, seat, city, 0),
        culture=arts(table, seat, city),
    )  # fmt: skip
    note = _note(scene, table, seat, city)
    may_act = not note and scene.view.phase == "city" and is_open(table, seat)
    return [Span(f"{CITY_LETTERS[city]} ", "bold $accent" if may_act else MUTED),
            Span(text, LIT if may_act else ""),
            *([Span(f" · {note}", MUTED)] if note else [])]  # fmt: skip


def _note(scene: Scene, table: Table, seat: Player, city: int) -> str:
    """That a city has acted, or that it cannot: of what is still to come nothing is said.

    How often a city may act is counted only from when its owner's part of the phase begins.
    """
    counters = table.counters
    has_begun = (seat - counters[FIRST]) % table.layout.players < counters[ORDER]
    if counters[PHASE] != IN_CITY or (has_begun and counters[LEFT[seat] + city]):
        return ""
    if city == 0 and counters[IDLE[seat]]:  # C41
        return scene.words("civilization.city_idle")
    return scene.words("civilization.city_acted") if has_begun else ""


def city_text(words: Words, table: Table, seat: Player, city: int) -> str:
    """What a new city yields; the coins and the resources in its outskirts, if there are any."""
    around = own_squares(table, seat, city)
    parts = [words(
        "civilization.city_here", production=production(table, seat, city),
        trade=output(table, seat, city, 0), culture=arts(table, seat, city),
    )]  # fmt: skip
    number = sum(shows_coin(table, at) for at in around)
    parts += [words("civilization.city_coins", number=number)] if number else []
    kinds = sorted({resource_at(table, at) for at in around} - {-1})
    goods = words.listed(name(words, f"resource.{RESOURCES[kind]}") for kind in kinds)
    return words.listed([*parts, *([words("civilization.harvest", what=goods)] if goods else [])])


def is_open(table: Table, seat: Player) -> bool:
    """Whether it is a seat's part of City Management."""
    counters = table.counters
    return counters[PHASE] == IN_CITY and counters[ORDER] > 0 and counters[ACTIVE] == seat


def _cells(scene: Scene, city: int, width: int) -> list[Row]:
    """What this city can do, each with its key."""
    known, cells = labels(scene.view), list[Row]()
    picks = {pick.offer.text: pick for pick in scene.model.picks}
    order = sorted(scene.view.offers, key=lambda offer: _order(offer.action.verb))
    for offer in order:
        verb, *rest = offer.text.split()
        if verb in _VERBS[:6] and rest[-1] == str(city) and offer.text in known:
            cells.append(_cell(scene, picks[offer.text], width))
    return cells


def _cell(scene: Scene, pick: OfferPick, width: int) -> Row:
    """The key of something, its name and its price."""
    style, key = CAP if pick.label in scene.picked else LIT, cap(pick.label)
    what, price = _offered(scene, pick.offer.text)
    text = _with_price(what, price, width - row_width(key) - 1)
    return [*key, Span(f" {text}", style, pick.label)]


def _with_price(what: str, price: str, width: int) -> str:
    """A name and what follows it, which is never cut.

    Where room is short the name goes without what it says in brackets; then it is cut.
    """
    room = width - cell_len(f" {price}" if price else "")
    if cell_len(what) > room:
        what = what.partition("(")[0]
    return f"{what if cell_len(what) <= room else pad(what, room)} {price}".rstrip()


def _order(verb: str) -> int:
    return _VERBS.index(verb) if verb in _VERBS else len(_VERBS)


def what_is_offered(scene: Scene, notation: str) -> str:
    """What is made, with its cost."""
    return " ".join(filter(None, _offered(scene, notation)))


def _offered(scene: Scene, notation: str) -> tuple[str, str]:
    """What is made, and its price; nothing for what has none."""
    words, (verb, *rest) = scene.words, notation.split()
    if verb == "arts":
        return words("civilization.arts", number=_arts(scene, int(rest[0]))), ""
    if verb in ("harvest", "reap"):
        goods = "+".join(name(words, f"resource.{key}") for key in rest[:-1])
        return words("civilization.harvest", what=goods), ""
    what = item_name(words, rest[0])
    if verb == "free":
        return what, "0"
    return what + "+…" * (verb == "split"), _price(scene, verb, rest[0], int(rest[-1]))


def _arts(scene: Scene, city: int) -> int:
    assert scene.view.seat is not None, "only a seat has cities"
    return arts(table_of(scene.view), scene.view.seat, city)


def _price(scene: Scene, verb: str, key: str, city: int) -> str:
    """What an item costs; of the first of two not yet how it is paid."""
    words, seat = scene.words, scene.view.seat
    assert seat is not None, "only a seat has cities"
    price, trade = price_of(table_of(scene.view), seat, city, [ITEMS[key]])
    if trade and verb == "make":
        return words("civilization.costs_trade", cost=price, trade=trade)
    return words("civilization.costs", cost=price)


def _impossible(scene: Scene, table: Table, city: int, width: int) -> list[Row]:
    """What cannot be made, faint, with the reason."""
    words, seat, cells = scene.words, scene.view.seat, list[Row]()
    assert seat is not None, "only a seat has cities"
    purse = budget(table, seat, city)
    for item in stock(table, seat):
        price = cost(table, seat, item)
        if price > purse:
            why = words("civilization.too_dear", number=price - purse)
        elif not is_placeable(table, seat, city, item):
            why = words("civilization.no_place")
        else:
            continue
        what = item_name(words, ITEM_KEYS[item])
        cells.append([Span(_with_price(what, f"{price} ({why})", width), FAINT)])
    return cells
