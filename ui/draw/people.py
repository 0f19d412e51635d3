"""Who is on the network: a short line of the lobby, the names at a table, and a page of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from p2p.net.announcements import TableAd
from p2p.net.people import Neighbor
from ui.draw.marks import MUTED, clip, person_style
from ui.draw.panels import wrapped
from ui.language.text import Words
from ui.lobby.people import where_text
from ui.terminal.spans import Row, Span, pad, row_width, wrap

_GAP: Final = "  "
_NAME_CELLS_MAX: Final = 24
_ROWS_MAX: Final = 2  # Of the lobby, which shows tables first.


def draw_here(
    words: Words, people: Sequence[Neighbor], tables: Sequence[TableAd], width: int
) -> list[Row]:
    """Each with where they are, as many as two lines hold, and how many more there are."""
    if not people:
        return []
    rows: list[Row] = [[Span(f" {words('people.here')}", MUTED)]]
    for at, person in enumerate(people):
        entry = _entry(words, person, tables)
        rest = len(people) - at
        more = Span(_GAP + words("people.more", number=rest), MUTED)
        is_last_row = len(rows) == _ROWS_MAX
        room = width - row_width(rows[-1]) - (row_width([more]) if is_last_row and rest > 1 else 0)
        if row_width(entry) > room and is_last_row:
            rows[-1].append(more)
            break
        if row_width(entry) > room:
            rows.append([])
        rows[-1] += entry
    return [clip(row, width) for row in rows]


def _entry(words: Words, person: Neighbor, tables: Sequence[TableAd]) -> Row:
    where = where_text(words, person, tables)
    return [Span(_GAP), name_span(person), Span(f" {where}", MUTED)]


def name_span(person: Neighbor) -> Span:
    """The name of somebody, in the colour of their key."""
    name = person.shown_name
    name = pad(name, _NAME_CELLS_MAX) if cell_len(name) > _NAME_CELLS_MAX else name
    return Span(name, person_style(person.identity))


def names_row(people: Sequence[Neighbor], width: int) -> Row:
    """The names of those at a table, in as many cells as there are, filled up."""
    row: Row = []
    for person in people:
        row += [Span(", ", MUTED), name_span(person)] if row else [name_span(person)]
    row = clip(row, width)
    return [*row, Span(" " * (width - row_width(row)))]


def names_cells(people: Sequence[Neighbor]) -> int:
    """How many cells their names need."""
    return sum(row_width([name_span(each)]) + 2 for each in people) - 2 if people else 0


def draw_people(
    words: Words, people: Sequence[Neighbor], tables: Sequence[TableAd], width: int, *,
    am_i_seen: bool,
) -> list[Row]:  # fmt: skip
    """A row for each: name, the words that tell who it is, and where; then what that is worth."""
    cells = min(max((cell_len(each.shown_name) for each in people), default=0), _NAME_CELLS_MAX)
    words_cells = max((cell_len(each.words) for each in people), default=0)
    rows: list[Row] = []
    for each in people:
        name = Span(pad(each.shown_name, cells), person_style(each.identity))
        row = [Span(" "), name, Span(_GAP + pad(each.words, words_cells), "$text-accent")]
        rows += wrapped([*row, Span(_GAP + where_text(words, each, tables), MUTED)], width)
    unseen = [] if am_i_seen else [words("people.unseen")]
    for text in [words("people.rule" if people else "people.none"), *unseen]:
        rows += [[], *([Span(f" {line}", MUTED)] for line in wrap(text, width - 2))]
    return rows
