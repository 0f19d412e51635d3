"""What was said at the table: a panel beside the board, or rows above the line that is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.requests import Player
from p2p.session.news import SaidLine
from ui.draw.marks import KEY, MUTED, seat_style
from ui.draw.panels import fill, panel
from ui.language.text import Words
from ui.model.talk import said_text
from ui.terminal.spans import Row, Span, row_width, wrap

PANEL_LINES_MAX: Final = 6
_PANEL_ROWS_MIN: Final = 3
_LINES_LOOKED_AT: Final = 12


def draw_talk(words: Words, lines: Sequence[SaidLine], me: Player | None, width: int) -> list[Row]:
    """Each line under the name of whoever said it, in the colour of the seat."""
    rows: list[Row] = []
    for said in lines:
        name = words("board.you") if said.is_mine else said.name
        first, *more = wrap(words("talk.line", name=name, text=said_text(words, said)), width)
        head = Span(first[: len(name)], seat_style(said.seat, me))
        rows.append([head, Span(first[len(name) :])])
        rows += [[Span(f" {part}")] for line in more for part in wrap(line, width - 1)]
    return rows


def talk_panel(
    words: Words, lines: Sequence[SaidLine], me: Player | None, width: int, room: int
) -> list[Row]:
    """The newest lines in a panel of at most so many rows; nothing where there is no room."""
    height = min(PANEL_LINES_MAX + 2, room)
    if not lines or height < _PANEL_ROWS_MIN:
        return []
    rows = draw_talk(words, lines[-_LINES_LOOKED_AT:], me, width - 4)[-(height - 2) :]
    return panel(words("talk.title"), rows, width)


def newest_row(
    words: Words, said: SaidLine, me: Player | None, width: int, answer: str
) -> list[Row]:
    """One line in the place of the keys, for a moment; where it has room, the key that answers."""
    tail = f"  {answer}"
    row = draw_talk(words, [said], me, width - len(tail) - 2)
    if len(row) > 1 and len(whole := draw_talk(words, [said], me, width - 2)) == 1:
        row, tail = whole, ""
    more = [Span("…")] if len(row) > 1 else []
    shown: Row = [*row[0], *more]
    gap = " " * max(width - row_width(shown) - len(tail) * 2, 1)
    return [[*shown, Span(gap + tail, MUTED, "talk")]]


def numbered_row(title: str, texts: Sequence[str], width: int) -> list[Row]:
    """A line of things to press a number for, over as many rows as they need."""
    rows: list[Row] = [[Span(f"{title} ", "bold")]]
    for number, text in enumerate(texts, 1):
        hot = f"number('{number}')"
        cell = [Span(f" {number}", KEY, hot), Span(f" {text} ", "", hot)]
        if row_width(rows[-1]) + row_width(cell) > width:
            rows.append([])
        rows[-1] += cell
    return fill(rows, width, len(rows))
