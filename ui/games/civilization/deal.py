"""A deal as two scales: what each side gives, and the amounts that can be named."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len

from core.games.civilization.frames import CITY, SEAT
from core.games.civilization.layout import ASKED, DEAL_KINDS, GIVEN
from core.games.civilization.trade import DEAL_KEYS
from core.requests import Player
from core.table import Table
from ui.draw.marks import CAP, LIT, MUTED
from ui.draw.panels import wrapped
from ui.draw.scene import Scene
from ui.games.civilization.position import frame_of
from ui.games.civilization.words import amount_of, name
from ui.terminal.spans import Row, Span, pad

NAMED_CELLS: Final = 1000  # Where names have room at any length.
_NAME_CELLS_MIN: Final = 3
OFFERED_KINDS = tuple(range(DEAL_KINDS))


def parties(table: Table) -> tuple[Player, Player] | None:
    """Who offers and to whom; None where no deal is under way."""
    at = frame_of(table, "deal")
    return None if at < 0 else (table.counters[at + SEAT], table.counters[at + CITY])


def title(scene: Scene, table: Table, width: int = NAMED_CELLS) -> str:
    """Between whom, in so many cells."""
    both = parties(table)
    assert both is not None, "a deal is under way"
    names = [scene.name_of(seat) for seat in both]
    return _with_names(
        lambda name, other: scene.words("civilization.deal", name=name, other=other), names, width
    )


def _with_names(say: Callable[..., str], names: list[str], width: int) -> str:
    """A sentence in so many cells: the longest name is cut first, and what it says stays."""
    text = say(*names)
    while cell_len(text) > width and max(map(cell_len, names)) > _NAME_CELLS_MIN:
        at = max(range(len(names)), key=lambda each: cell_len(names[each]))
        names[at] = pad(names[at], cell_len(names[at]) - 1).rstrip()
        text = say(*names)
    return text


def _gives(scene: Scene, seat: Player, width: int) -> str:
    """Above what a seat gives."""
    if seat == scene.view.seat:
        return scene.words("civilization.gives_me")
    name = scene.model.seats[seat].name
    return _with_names(lambda name: scene.words("civilization.gives", name=name), [name], width)


def kind_name(scene: Scene, kind: int) -> str:
    """What changes hands."""
    key = DEAL_KEYS[kind]
    section = "good" if kind < 2 else "resource" if kind < 6 else "back"
    return name(scene.words, f"{section}.{key}")


def deal_rows(scene: Scene, table: Table, width: int) -> list[Row]:
    """The two scales, then a row for each kind with the amounts that have a key."""
    both = parties(table)
    if both is None:
        return []
    counters, words = table.counters, scene.words
    half = max(width // 2 - 1, 10)
    rows: list[Row] = [[
        Span(pad(_gives(scene, seat, half - 1), half), scene.style_of(seat))
        for seat in both
    ]]  # fmt: skip
    sides = [
        [_so_many(scene, counters[block + kind], kind, half)
         for kind in OFFERED_KINDS if counters[block + kind]] or [words("civilization.nothing")]
        for block in (GIVEN, ASKED)
    ]  # fmt: skip
    rows += [
        [Span(pad(text, half), LIT) for text in pair] for pair in zip_longest(*sides, fillvalue="")
    ]
    if scene.view.phase == "deal":
        rows += _amounts(scene, width)
    return rows


def _so_many(scene: Scene, number: int, kind: int, cells: int) -> str:
    """So many of a kind; where that is too long, its name is cut and never the number."""
    what = kind_name(scene, kind)
    text = amount_of(scene.words, number, what)
    over = cell_len(text) - cells
    return amount_of(scene.words, number, pad(what, cell_len(what) - over)) if over > 0 else text


def _amounts(scene: Scene, width: int) -> list[Row]:
    rows: list[Row] = []
    for verb in ("give", "ask"):
        for kind in OFFERED_KINDS:
            picks = [(pick, pick.offer.action.number % 128) for pick in scene.model.picks
                     if pick.offer.text.startswith(f"{verb} {DEAL_KEYS[kind]} ")]  # fmt: skip
            if not picks:
                continue
            key = picks[0][0].label[:2]
            title = scene.words(f"civilization.group.{verb}", what=kind_name(scene, kind))
            row: Row = [Span(f"{key} ", "bold $accent"),
                        Span(f"{title} ", MUTED)]  # fmt: skip
            for pick, amount in picks:
                style = CAP if pick.label in scene.picked else LIT
                row += [Span(f"{amount}", style, pick.label), Span(" ")]
            rows += wrapped(row, width, "   ")
    return rows
