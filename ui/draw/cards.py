"""Cards side by side; as lines where there is no room for frames, and as words where no lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from ui.draw.marks import FAINT, MUTED
from ui.draw.panels import CardPicture, Light, cap, card, fill
from ui.ink import Row, Span, beside, pad, row_width

CARD_CELLS_MIN: Final = 14
CARD_CELLS_MAX: Final = 34
CARD_ROWS_MIN: Final = 4
NAME_CELLS_MAX: Final = 20


def draw_cards(cards: Sequence[CardPicture], width: int, height: int) -> list[Row]:
    """The cards in at most so many rows."""
    if not cards or height <= 0:
        return []
    widths = _widths(cards, width)
    if widths and height >= CARD_ROWS_MIN:
        blocks = [card(it, cells, height) for it, cells in zip(cards, widths, strict=True)]
        return fill(beside(blocks), width, height)
    if len(cards) <= height:
        names = min(max(cell_len(it.name) for it in cards), NAME_CELLS_MAX)
        return fill([_line(it, names, width) for it in cards], width, len(cards))
    rows = flow_cells([_chip(it) for it in cards], width - 2)
    return fill([[Span(" "), *row] for row in rows], width, min(len(rows), height))


def _widths(cards: Sequence[CardPicture], width: int) -> list[int]:
    """How wide each card is; none where names would be cut too short."""
    each = min(width // len(cards), CARD_CELLS_MAX)
    return [each] * len(cards) if each >= CARD_CELLS_MIN else []


def _line(it: CardPicture, names: int, width: int) -> Row:
    is_lit = it.light in (Light.CHOSEN, Light.LEGAL)
    style = f"bold {it.color}".strip() if is_lit else MUTED
    mark = "▶" if it.light is Light.CHOSEN else " "
    row = [*(cap(it.key) or [Span("   ", FAINT)]), Span(f"{mark}{pad(it.name, names)}  ", style)]
    for part in it.rows:
        if row_width([*row, *part]) <= width:
            row += [*part, Span("  ")]
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
        for cell in cells[start : start + across]:
            row += [*cell, Span(" " * (each - row_width(cell)))]
        rows.append(row)
    return rows
