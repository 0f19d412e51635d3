"""The end of a game: a row for each seat, a column for each source of points; what led to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from core.requests import Player
from ui.draw.marks import FAINT, MUTED, YOU, seat_style
from ui.draw.panels import fit, panel
from ui.draw.story import draw_story
from ui.model.clocks import time_result
from ui.model.result import (
    NONE,
    cells,
    column_width,
    columns,
    headings,
    how_won,
    is_scored,
    own_key,
    ranked,
    reason,
    tie_breaks,
)
from ui.model.story import Told, hurts, story
from ui.model.view_model import SeatModel, ViewModel
from ui.terminal.spans import Row, Span, beside, pad, right, wrap

_NAME_CELLS: Final = 14
_NAME_CELLS_MIN: Final = 6
_GAP: Final = 2
_GAP_MIN: Final = 1  # Where the headings would be cut otherwise.
_BAR_CELLS: Final = 16
_LAST_ROWS: Final = 12  # Of what happened, at the end.
_BESIDE_CELLS: Final = 76  # From here on two panels have room side by side.


def draw_result(model: ViewModel, width: int) -> list[Row]:
    """Who has how many points and why, in a panel of at most this width; then what decided."""
    words = model.words
    rows = _table(model, width - 4)
    why = [text for text in (how_won(model), reason(model)) if text]
    lines = [line for text in why for line in wrap(text, width - 4)]
    rows += [[], *([Span(line, "bold")] for line in lines)] if lines else []
    ran_out = [line for text in time_result(words, model.news) for line in wrap(text, width - 4)]
    rows += [[], *([Span(line, MUTED)] for line in ran_out)] if ran_out else []
    return panel(words("end.why"), rows, width)


def draw_moments(model: ViewModel, width: int, rows_max: int = _LAST_ROWS) -> list[Row]:
    """What hurt me in this game, and how it ended: beside each other where there is room."""
    words, told, hurt = model.words, story(model), hurts(model)
    is_beside = bool(hurt) and width >= _BESIDE_CELLS
    cells = width // 2 if is_beside else width
    blocks = [(words("end.hurt"), _last(hurt, cells - 4, rows_max))] if hurt else []
    if told:
        blocks.append((words("end.last"), _last(told, cells - 4, rows_max)))
    high = max((len(rows) for _, rows in blocks), default=0) + 2 if is_beside else 0
    panels = [panel(title, rows, cells, high) for title, rows in blocks]
    return beside(panels) if is_beside else [row for each in panels for row in each]


def _last(told: Sequence[Told], width: int, rows_max: int) -> list[Row]:
    """The last sentences, as many as are whole."""
    rows: list[Row] = []
    for each in reversed(told):
        before = draw_story([each], width)
        if len(before) + len(rows) > rows_max:
            break
        rows = before + rows
    return rows


def _table(model: ViewModel, width: int) -> list[Row]:
    names, texts = _sources(model)
    sizes = [max(column_width([name, *(row[at] for row in texts.values())]), 3)
             for at, name in enumerate(names)]  # fmt: skip
    gap = _GAP if width - 2 - sum(sizes) - _GAP * len(sizes) >= _NAME_CELLS_MIN else _GAP_MIN
    left = width - 2 - sum(sizes) - gap * len(sizes)
    if left < _NAME_CELLS_MIN:
        return _turned_table(model, names, texts, width)
    name_cells = min(_NAME_CELLS, left)
    rows: list[Row] = [[
        Span(" " * (2 + name_cells)),
        *(Span(" " * gap + right(name, size), MUTED)
          for name, size in zip(names, sizes, strict=True)),
    ]]  # fmt: skip
    has_bar = is_scored(model) and left - name_cells > _BAR_CELLS + _GAP
    for seat in ranked(model):
        row: Row = [
            Span("★ " if seat.has_won else "  ", YOU),
            Span(pad(seat.name, name_cells), seat_style(seat.seat, model.view.seat)),
        ]
        for at, (text, size) in enumerate(zip(texts[seat.seat], sizes, strict=True)):
            is_first = at == 0 and seat.has_won and is_scored(model)  # The points of a winner.
            style = "bold" if is_first else FAINT if text == NONE else ""
            row.append(Span(" " * gap + right(text, size), style))
        rows.append(fit([*row, _bar(model, seat)] if has_bar else row, width))
    return rows


def _turned_table(
    model: ViewModel, names: Sequence[str], texts: Mapping[Player, Sequence[str]], width: int
) -> list[Row]:
    """A row for each source and a column for each seat, where the headings would be cut."""
    seats, first = ranked(model), column_width(names)
    size = (width - first) // len(seats)
    heads = [right(("★ " if seat.has_won else "") + seat.name, size - 1) for seat in seats]
    styles = [seat_style(seat.seat, model.view.seat) for seat in seats]
    rows: list[Row] = [[
        Span(" " * first),
        *(Span(f" {head}", style) for head, style in zip(heads, styles, strict=True)),
    ]]  # fmt: skip
    for at, name in enumerate(names):
        cells_of = [texts[seat.seat][at] for seat in seats]
        row = [Span(right(text, size), FAINT if text == NONE else "") for text in cells_of]
        rows.append([Span(pad(name, first), MUTED), *row])
    return rows


def _sources(model: ViewModel) -> tuple[list[str], dict[Player, list[str]]]:
    """The headings of all columns, and what each seat has in them: points first, if they count."""
    names = [model.words(own_key(model, "end.score"))] if is_scored(model) else []
    texts = {each.seat: [str(each.score)] * len(names) for each in model.seats}
    account, seats = model.view.account, [each.seat for each in model.seats]
    if account is not None:
        keys, breaks = columns(account), tie_breaks(model.words, account)
        names += [*headings(model.words, keys), *(name for name, _ in breaks)]
        for seat in seats:
            texts[seat] += [*cells(account, seat, keys), *(of[seat] for _, of in breaks)]
    for reached in model.look.reached(model.words, model.view):
        names.append(reached.heading)
        for seat in seats:
            texts[seat].append(reached.texts[seat])
    return names, texts


def _bar(model: ViewModel, seat: SeatModel) -> Span:
    """The points as a length."""
    most = max([each.score or 0 for each in model.seats] + [1])
    bar = "■" * round(max(seat.score or 0, 0) * _BAR_CELLS / most)
    return Span(" " * _GAP + bar, seat_style(seat.seat, model.view.seat))
