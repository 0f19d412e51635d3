"""Panels and cards: frames around rows.  A square frame is furniture, a round one a card.

A frame speaks: quiet furniture, amber where the table waits for me, heavy where I have chosen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from rich.cells import cell_len

from ui.draw.canvas import FRAME_KINDS
from ui.draw.marks import CAP, FAINT, MUTED, RULE, YOU, clip, clip_and_room
from ui.terminal.breaking import first_piece, pieces, without_stub
from ui.terminal.spans import WIDOW_CELLS, Row, Span, pad, row_width

_NUMBER: Final = re.compile(r"\d+(?:×\d+)?[,.)]?")  # As it stands behind a word.
SEE: Final = "see:"  # Before the label of a choice that a click on the edge of a window leads to.
ABOUT: Final = "about:"  # Before what can be read only: the face of a card, a place of a board.
CORNER_AIR: Final = 6  # Of a frame: what the text in its last line needs beside itself.
TITLE_AIR: Final = 5  # Of a frame: its corners, one dash, a space on both sides of a title.


class Light(StrEnum):
    """How much a card is lit: by that one sees what may be done with it."""

    CHOSEN = "chosen"
    LEGAL = "legal"
    QUIET = "quiet"  # Mine, but not now.
    FAINT = "faint"  # Not possible.


class CardPicture(NamedTuple):
    """A card as it is drawn: its key, what it is called, what it says."""

    key: str  # Empty: no key picks it now.
    name: str
    color: str
    rows: Sequence[Row]
    corner: str = ""
    light: Light = Light.LEGAL
    hot: str = ""  # What a click picks, or asks about; none: the key.
    short: Sequence[Span] = ()  # What follows the name where there is room for no more.


def fit(row: Row, width: int) -> Row:
    """The row, cut or filled to exactly this width."""
    row, missing = clip_and_room(row, width)
    return [*row, Span(" " * missing)] if missing else row


def fill(rows: Sequence[Row], width: int, height: int) -> list[Row]:
    """Exactly so many rows of exactly this width."""
    kept = [fit(row, width) for row in rows[:height]]
    return kept + [[Span(" " * width)]] * (height - len(kept))


def cap(key: str, is_lit: bool = True) -> Row:
    """A key as it stands where it acts; nothing for no key."""
    return [Span(f" {key} ", CAP if is_lit else FAINT, key)] if key else []


class Edge(NamedTuple):
    """What is around something: one of the `FRAME_KINDS`, a title in it above, a corner below."""

    kind: str
    style: str
    title: Row
    corner: Row
    is_tight: bool = False  # The dash before the title is needed for it.


def framed(rows: Sequence[Row], size: tuple[int, int], edge: Edge) -> list[Row]:
    """Rows in a frame of this size."""
    (width, height), lines, style = size, FRAME_KINDS[edge.kind], edge.style
    title, corner = _in_edge(edge.title, width + edge.is_tight), _in_edge(edge.corner, width)
    dash = "" if edge.is_tight else lines.across
    above = lines.across * (width - 2 - len(dash) - row_width(title))
    below = lines.across * (width - 3 - row_width(corner))
    body = fill(rows, width - 4, height - 2)
    left, right = Span(f"{lines.down} ", style), Span(f" {lines.down}", style)
    return [
        [Span(lines.top_left + dash, style), *title, Span(above + lines.top_right, style)],
        *([left, *row, right] for row in body),
        [Span(lines.low_left + below, style), *corner, Span(lines.across + lines.low_right, style)],
    ]


def _in_edge(row: Row, width: int) -> Row:
    return [Span(" "), *clip(row, width - TITLE_AIR), Span(" ")] if row else []


def panel(
    title: str,
    rows: Sequence[Row],
    width: int,
    height: int = 0,
    *,
    is_live: bool = False,
    note: str = "",
) -> list[Row]:
    """Furniture: as high as its rows where no height is given."""
    style = "$accent" if is_live else RULE
    heading = [Span(title, YOU if is_live else f"bold {MUTED}")]
    corner = [Span(note, MUTED)] if note else []
    size = (width, height or len(rows) + 2)
    return framed(rows, size, Edge("square", style, heading, corner))


def ruled(title: str, rows: Sequence[Row], width: int, *, is_live: bool = False) -> list[Row]:
    """A panel where rows are dear: a line with its title, and what is under it."""
    style = "$accent" if is_live else RULE
    heading = clip([Span(title, YOU if is_live else f"bold {MUTED}")], width - 2)
    rest = "─" * (width - 1 - row_width(heading))
    return [
        [Span("─", style), *heading, Span(rest, style)],
        *(fit([Span(" "), *row], width) for row in rows),
    ]


def card(it: CardPicture, width: int, height: int) -> list[Row]:
    """A card of this size."""
    kind = "heavy" if it.light is Light.CHOSEN else "round"
    edge = {Light.CHOSEN: "$accent", Light.LEGAL: it.color}.get(it.light, RULE)
    name = f"bold {it.color}".strip() if it.light in (Light.CHOSEN, Light.LEGAL) else MUTED
    name = FAINT if it.light is Light.FAINT else name
    key = cap(it.key)
    room = width - TITLE_AIR - bool(key)
    called, corner = _with_room(it, width, room - row_width(key))
    if key and cell_len(called) + row_width(key) > room:
        key = [Span(it.key, CAP, it.key)]  # Its air is needed for the name.
    is_tight = bool(key) and cell_len(called) + row_width(key) > room
    air, taken = " " * bool(key), TITLE_AIR - is_tight + row_width([*key, Span(" ")] * bool(key))
    title = [*key, Span(air + _named(called, width - taken), name)]
    rows = cut(card_lines(it, width), width - 4, height - 2)
    rows = [_dimmed(row) for row in rows] if it.light is Light.FAINT else rows
    quiet = FAINT if it.light is Light.FAINT else MUTED
    has_corner = corner and cell_len(corner) <= width - CORNER_AIR
    around = Edge(kind, edge, title, [Span(corner, quiet)] if has_corner else [], is_tight)
    return _clickable(framed(rows, (width, height), around), it.hot or it.key)


def _with_room(it: CardPicture, width: int, room: int) -> tuple[str, str]:
    """The name and the corner, where how many there are stands if the name has no room for it."""
    what, sign, count = it.name.rpartition(" ×")
    corner = f"×{count} {it.corner}" if it.corner else f"×{count}"
    if cell_len(it.name) <= room or not sign or cell_len(corner) > width - CORNER_AIR:
        return it.name, it.corner
    return what, corner


def card_lines(it: CardPicture, width: int) -> list[Row]:
    """All that a card of this width says."""
    return [line for row in it.rows for line in wrapped(row, width - 4)]


def _named(name: str, width: int) -> str:
    """The name of a card; where it is cut, how many there are of it stays whole."""
    what, sign, count = name.rpartition(" ×")
    if cell_len(name) <= width or not sign:
        return name
    return pad(what, width - cell_len(sign + count)) + sign + count


def cut(rows: list[Row], width: int, height: int) -> list[Row]:
    """The rows; where there are more than fit, the last one of these says so."""
    if len(rows) <= height:
        return rows
    *kept, last = rows[:height]
    said = cell_len("".join(span.text for span in last).rstrip())
    sign = [] if said >= width else [Span("…", last[-1].style if last else "")]
    return [*kept, [*clip(last, min(said, width - 1)), *sign]]


def _dimmed(row: Row) -> Row:
    return [span._replace(style=FAINT) for span in row]


def _clickable(rows: list[Row], hot: str) -> list[Row]:
    return [[span if span.hot else span._replace(hot=hot) for span in row] for row in rows]


def window(rows: Sequence[Row], height: int, at: int, width: int) -> list[Row]:
    """As many rows as fit, `at` among them; the edges say how many are beyond, and lead there."""
    room = height - 2
    if len(rows) <= height:
        return list(rows)
    if height < 3:
        first = max(0, min(at, len(rows) - height))
        return list(rows[first : first + height])
    first, last = at - room // 2, at - room // 2 + room
    if first <= 1:  # Nothing is above, so no row says so; the same below.
        first, last = 0, room + 1
    elif len(rows) - last <= 1:
        first, last = len(rows) - room - 1, len(rows)
    above, below = rows[:first], rows[last:]
    return [
        *([_beyond("▲", above, first - room // 2, width)] if above else []),
        *rows[first:last],
        *([_beyond("▼", below, room // 2, width)] if below else []),
    ]


def _beyond(sign: str, rows: Sequence[Row], middle: int, width: int) -> Row:
    """How many rows are beyond an edge; a click leads to the choice nearest to one of them."""
    found = [
        (abs(y - middle), span.hot)
        for y, row in enumerate(rows)
        for span in row
        if span.hot and ":" not in span.hot  # Not what can only be read about.
    ]
    hot = SEE + min(found)[1].partition(",")[0] if found else ""
    return [Span(pad(f" {sign} {len(rows)}", width), MUTED, hot)]


def wrapped(row: Row, width: int, indent: str = "") -> list[Row]:
    """A row of spans in lines of this width, broken between words; long words wherever it is.

    A number stays with the word before it, of which it says how many or which.
    """
    if row_width(row) <= width:
        return [row]
    lines: list[Row] = [[]]
    left, is_spaced = width, False
    for span in row:
        for gap, word in _words(span.text):
            text = gap + word
            if cell_len(text) > left and cell_len(word) <= width - len(indent):
                lines.append([Span(indent)] if indent else [])
                left, text, is_spaced = width - len(indent), word, bool(gap)
            while cell_len(text) > left:  # A word that is longer than a line.
                first = first_piece(text, left) if left > 1 else ""
                _append(lines[-1], span._replace(text=first))
                lines.append([Span(indent)] if indent else [])
                left, text = width - len(indent), text[len(first) :]
                if left < 2:
                    break
            _append(lines[-1], span._replace(text=text))
            left -= cell_len(text)
        behind = span.text[len(span.text.rstrip()) :]
        if behind and left >= len(behind):
            _append(lines[-1], span._replace(text=behind))
            left -= len(behind)
    if not is_spaced:
        return _without_stub(lines, width, indent)
    return lines if indent else _without_widow(lines, width)


def _without_stub(lines: list[Row], width: int, indent: str) -> list[Row]:
    """The same; one letter of Japanese is no last line."""
    if len(lines) < 2 or not lines[-2] or not lines[-1]:
        return lines
    *start, before = lines[-2]
    *indented, last = lines[-1]
    line, text = without_stub(before.text, last.text.rstrip())
    if text == last.text.rstrip() or len(indented) != bool(indent) or cell_len(text) > width:
        return lines
    moved = [*indented, last._replace(text=text)]
    return [*lines[:-2], [*start, before._replace(text=line)], moved]


def _words(text: str) -> list[tuple[str, str]]:
    """(spaces, word) of a text; a number stays with the word before it."""
    found = list[tuple[str, str]]()
    for _, gap, piece in pieces(text):
        if found and gap == " " and _NUMBER.fullmatch(piece):
            before, word = found.pop()
            gap, piece = before, f"{word} {piece}"
        found.append((gap, piece))
    return found


def _append(row: Row, span: Span) -> None:
    """Put a piece behind the others; what looks alike is one span."""
    if row and row[-1][1:] == span[1:]:
        span = span._replace(text=row.pop().text + span.text)
    row.append(span)


def _without_widow(lines: list[Row], width: int) -> list[Row]:
    """The same; a last line of one or two letters gets the word before it, as in `wrap`."""
    left = "".join(span.text for span in lines[-1])
    if len(lines) < 2 or not lines[-2] or not left.strip() or cell_len(left) > WIDOW_CELLS:
        return lines
    *start, last = lines[-2]
    head, gap, word = last.text.rpartition(" ")
    if not gap or not (start or head) or row_width(lines[-1]) + cell_len(word) >= width:
        return lines
    moved = [last._replace(text=word), last._replace(text=" ")]
    return [*lines[:-2], [*start, last._replace(text=head)], [*moved, *lines[-1]]]
