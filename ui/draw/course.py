"""How the chances went: a line of blocks for each seat, by turn, and where the game turned.

The panel has its height from the start, so nothing on the page moves when they are known.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ui.draw.marks import KEY, MUTED, seat_style
from ui.draw.panels import panel
from ui.key_bindings import key_of
from ui.model.view_model import ViewModel
from ui.replay.course import thinned, turned_sentence
from ui.terminal.spans import Row, Span, pad, wrap

if TYPE_CHECKING:
    from ai.advice.win_probability import WinCurve

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_NAME_CELLS: Final = 14
_TEXT_ROWS: Final = 3


def draw_course(
    model: ViewModel, course: WinCurve | None, width: int, curve_rows: int = 1
) -> list[Row]:
    """A panel of at most this width, as high as ever while nothing is known yet."""
    inner = width - 4
    gap = int(curve_rows > 1)  # Else the curve of a winner would touch what is above it.
    curves: list[Row] = [[] for _ in range(len(model.seats) * (curve_rows + gap) + 1)]
    text = model.words("course.soon")
    if course is not None:
        curves = _curves(model, course, inner - _NAME_CELLS, curve_rows)
        text = turned_sentence(model, course, key_of("end", "turning"))
    lines = wrap(text, inner)[:_TEXT_ROWS]
    rows: list[Row] = [[Span(line, MUTED if course is None else "")] for line in lines]
    below: list[Row] = [[] for _ in range(_TEXT_ROWS - len(lines))]
    return panel(model.words("course.title"), [*rows, *curves, *below], width)


def _curves(model: ViewModel, course: WinCurve, room: int, high: int) -> list[Row]:
    """So many rows for each seat, and a mark below the turn that decided most."""
    shown = thinned(course.numbers, room)
    edges = [at * room // len(shown) for at in range(len(shown) + 1)]  # The turns fill the room.
    rows: list[Row] = []
    for seat in model.seats:
        style = seat_style(seat.seat, model.view.seat)
        cells = [(course.chances[at][seat.seat], right - left)
                 for at, (left, right) in zip(shown, pairwise(edges), strict=True)]  # fmt: skip
        rows += [[]] * (high > 1)
        for row in reversed(range(high)):
            blocks = "".join([_block(chance, row, high) * wide for chance, wide in cells])
            rows.append(
                [Span(pad("" if row else seat.name, _NAME_CELLS), style), Span(blocks, style)]
            )
    if course.turned is None or not model.look.has_winner(model.view):
        return [*rows, []]
    before = sum(course.numbers[at] <= course.turned.number for at in shown) - 1
    return [*rows, [Span(" " * (_NAME_CELLS + edges[before])), Span("▲", KEY)]]


def _block(permille: int, row: int, high: int) -> str:
    """A cell of a column of `high` cells, counted from below, where no chance is a low line."""
    full = min(permille * high * len(_BLOCKS) // 1000, high * len(_BLOCKS) - 1)
    eighths = full - row * len(_BLOCKS)
    return " " if eighths < 0 else _BLOCKS[min(eighths, len(_BLOCKS) - 1)]
