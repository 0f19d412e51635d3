"""What was proven at a table: what was checked, whose words these are, what would be caught."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ui.draw.marks import GOOD, KEY, LIT, MUTED
from ui.draw.panels import panel, wrapped
from ui.model.fairness import checked_texts, pairing_texts
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, pad

_NAME_CELLS: Final = 14


def draw_fairness(model: ViewModel, width: int) -> list[Row]:
    """Panels of this width, and above them the words that are to be compared."""
    words, news, inner = model.words, model.news, width - 4
    aloud = [[Span(" "), *row] for row in _told(pairing_texts(words, news), width - 2, "", LIT)]
    checked = _checked(model, inner)
    caught = _told([words("fair.seats"), words("fair.caught")], inner, "", MUTED)
    seats = [_seat(model, at, inner) for at, seat in enumerate(model.seats) if seat.state.words]
    rows = [*aloud, *([[]] if aloud else []), *panel(words("fair.checked"), checked, width)]
    rows += panel(words("fair.four_words"), seats, width) if seats else []
    return [*rows, *panel(words("fair.how"), caught, width)]


def _checked(model: ViewModel, width: int) -> list[Row]:
    """Every kind of proof behind its sign, last what is still being checked."""
    texts, fair = checked_texts(model), model.news.fairness
    if not fair.pending and fair.shuffles:
        return _told(texts, width, "✓ ", "")
    return [*_told(texts[:-1], width, "✓ ", ""), *_told(texts[-1:], width, "· ", "")]


def _told(texts: Sequence[str], width: int, sign: str, style: str) -> list[Row]:
    """Sentences, each behind its sign; further lines begin where the first one does."""
    rows: list[Row] = []
    for text in texts:
        rows += wrapped([Span(sign, GOOD), Span(text, style)], width, " " * len(sign))
    return rows


def _seat(model: ViewModel, at: int, width: int) -> Row:
    """Whose program checked, and the four words by which one knows it."""
    seat = model.seats[at]
    cells = min(_NAME_CELLS, width // 2)
    style = "bold" if seat.seat == model.view.seat else ""
    return [Span(pad(seat.name, cells) + "  ", style), Span(seat.state.words, KEY)]
