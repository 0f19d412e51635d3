"""Cards side by side; as lines where there is no room for frames, and as words where no lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import FAINT, MUTED, clip
from ui.draw.panels import CardPicture, Light, cap, card, cut, fill
from ui.terminal.spans import Row, Span, beside, pad, row_width

CARD_CELLS_MIN: Final = 14
CARD_CELLS_MAX: Final = 34
CARD_ROWS_MIN: Final = 4
NAME_CELLS_MAX: Final = 30  # What a card says is to be had elsewhere, its name is not.
_CUT_LAST: Final = 1  # The first two things that a card says are rather cut than left out,
_CUT_CELLS_MIN: Final = 12  # where so much of them is seen.


def draw_cards(cards: Sequence[CardPicture], width: int, height: int) -> list[Row]:
    """The cards in at most so many rows."""
    if not cards or height <= 0:
        return []
    cells = card_cells(len(cards), width)
    if cells and height >= CARD_ROWS_MIN:
        return fill(beside([card(it, cells, height) for it in cards]), width, height)
    if len(cards) <= height:
        names = min(max(cell_len(it.name) for it in cards), NAME_CELLS_MAX)
        return fill([_line(it, names, width) for it in cards], width, len(cards))
    rows = cut(flow_cells([_chip(it) for it in cards], width - 2), width - 2, height)
    return fill([[Span(" "), *row] for row in rows], width, len(rows))


def card_cells(count: int, width: int) -> int:
    """How wide each of so many cards is; 0 where names would be cut too short."""
    each = min(width // count, CARD_CELLS_MAX) if count else 0
    return each if each >= CARD_CELLS_MIN else 0


def _line(it: CardPicture, names: int, width: int) -> Row:
    is_lit = it.light in (Light.CHOSEN, Light.LEGAL)
    style = f"bold {it.color}".strip() if is_lit else MUTED
    mark = "▶" if it.light is Light.CHOSEN else " "
    row = [*(cap(it.key) or [Span("   ", FAINT)]), Span(f"{mark}{pad(it.name, names)}  ", style)]
    for at, part in enumerate(it.rows):
        room = width - row_width(row)
        if row_width(part) <= room:
            row += [*part, Span("  ")]
        elif at <= _CUT_LAST and room >= _CUT_CELLS_MIN:
            row += clip(part, room)
    return [span if span.hot else span._replace(hot=it.hot or it.key) for span in row]


def _chip(it: CardPicture) -> Row:
    is_lit = it.light in (Light.CHOSEN, Light.LEGAL)
    style = f"bold {it.color}".strip() if is_lit else MUTED
    mark = "▶" if it.light is Light.CHOSEN else " "
    row = [*cap(it.key), Span(f"{mark}{it.name}", style)]
    row += [Span(" "), *it.short] if it.short else []
    return [span if span.hot else span._replace(hot=it.hot or it.key) for span in row]


def flow_cells(cells: Sequence[Row], width: int, gap: int = 2) -> list[Row]:
    """Short rows one after the other, broken where the width ends."""
    rows: list[Row] = [[]]
    for cell in cells:
        if rows[-1] and row_width(rows[-1]) + gap + row_width(cell) > width:
            rows.append([])
        rows[-1] += [Span(" " * gap), *cell] if rows[-1] else cell
    return rows


def as_columns(cells: Sequence[Row], width: int, gap: int = 2) -> list[Row]:
    """Short rows side by side, as many as fit, all as wide as the widest."""
    if not cells:
        return []
    each = max(row_width(cell) for cell in cells) + gap
    across = max((width + gap) // each, 1)
    rows: list[Row] = []
    for start in range(0, len(cells), across):
        row: Row = []
        for at, cell in enumerate(cells[start : start + across]):
            row += [Span(" " * (at * each - row_width(row))), *cell]
        rows.append(row)
    return rows
