"""What has to go where something is put on a square (C68): nobody loses it without reading so."""

from __future__ import annotations

from typing import Final

from core.games.civilization.board import (
    CITY_MARK,
    FIRST_BUILDING,
    PERSON_MARK,
    WONDER_MARK,
)
from core.games.civilization.faces import BUILDING_KEYS, PERSON_KEYS, WONDER_KEYS
from core.games.civilization.frames import AIM, CITY, ITEM
from core.games.civilization.items import is_sited, second_sites, sites
from core.games.civilization.layout import MARK
from core.requests import Player
from core.table import Table
from core.view import View
from ui.games.civilization.position import (
    ITEMS,
    frame_of,
    square_name,
    square_of,
    table_of,
    what_is_placed,
)
from ui.games.civilization.words import item_name
from ui.language.text import Words

_FIGURES: Final = ("army", "scout")
PUT: Final = ("site", "place", "great")  # Whose sentences say the square.
_BUILT: Final = ("make", "free", "split")


def mark_key(table: Table, square: int) -> str:
    """The building, wonder or great person on a square, by its key; empty for none."""
    mark = table.counters[MARK + square]
    if not FIRST_BUILDING <= mark < CITY_MARK:
        return ""
    if mark >= PERSON_MARK:
        return PERSON_KEYS[mark - PERSON_MARK]
    if mark >= WONDER_MARK:
        return WONDER_KEYS[mark - WONDER_MARK]
    return BUILDING_KEYS[mark - FIRST_BUILDING]


def replaced(view: View, table: Table, notation: str) -> tuple[int, str]:
    """The square of a choice and what has to go from it, by its key; empty for nothing.

    What is built is as good as put there where there is but one square for it.
    """
    verb, *rest = notation.split()
    if verb in PUT:
        square = square_of(rest[-1])
        is_figure = verb != "great" and what_is_placed(view, table) in _FIGURES
        return square, "" if is_figure else mark_key(table, square)
    found = _sites(table, view.seat, verb, rest)
    return (found[0], mark_key(table, found[0])) if len(found) == 1 else (-1, "")


def _sites(table: Table, seat: Player | None, verb: str, rest: list[str]) -> list[int]:
    """Where a building or a wonder that a city is told to make can stand."""
    item = ITEMS[rest[0]] if seat is not None and verb in (*_BUILT, "also") else -1
    if seat is None or item < 0 or not is_sited(item) or rest[0] in _FIGURES:
        return []
    if verb != "also":
        return sites(table, seat, int(rest[-1]), item)
    counters, at = table.counters, frame_of(table, "action")
    first = (counters[at + ITEM], counters[at + AIM])
    return second_sites(table, seat, counters[at + CITY], first, item)


def is_loss(view: View) -> bool:
    """Whether the only choice there is puts something in the place of something of one's own."""
    table = table_of(view)
    return len(view.offers) == 1 and bool(replaced(view, table, view.offers[0].text)[1])


def over_text(words: Words, view: View, table: Table, notation: str, key: str) -> str:
    """`in the place of Hanging Gardens`, by the sentence of a key; empty where nothing goes."""
    square, gone = replaced(view, table, notation)
    if not gone:
        return ""
    return words(key, what=item_name(words, gone), where=square_name(square))
