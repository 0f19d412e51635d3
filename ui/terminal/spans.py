"""Rows of spans, which are styled text that can be clicked: what every drawing is made of.

A drawing is computed as plain rows first, so that it can be tested as text, and so that one
widget can hold a whole row of cards.  Widths are cells: a Korean syllable is two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from ui.language.text import ASCII_OF
from ui.terminal.breaking import first_piece, pieces, without_stub

_NUMBERED: Final = re.compile(r"(.*\S) *(\(\d{1,2}\))")  # As in `ada (2)`.
WIDOW_CELLS: Final = 2  # So short a line says nothing by itself: a number, the `I` of a level.


class Span(NamedTuple):
    """Some text, how it looks, and the label of the pick it stands for when clicked."""

    text: str
    style: str = ""
    hot: str = ""


Row: TypeAlias = list[Span]


def pad(text: str, width: int) -> str:
    """The text cut or filled to exactly `width` cells.

    A number in brackets at its end stays: it tells two people of one name apart.

    >>> pad("군사", 6), pad("Military", 4), pad("유토피아", 6), pad("roberta (2)", 8)
    ('군사  ', 'Mil…', '유토… ', 'robe…(2)')
    """
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    if numbered := _NUMBERED.fullmatch(text):
        name, number = numbered.groups()
        head = _cut(name, width - len(number)).rstrip()
        if len(head) > 1:  # Better a name than a number alone.
            return pad(head + number, width)
    return _cut(text, width)


def _cut(text: str, width: int) -> str:
    if width <= 0:
        return ""
    kept = set_cell_size(text, width - 1)
    if not text.startswith(kept):  # Half of a wide letter is left free, behind the sign.
        return set_cell_size(f"{kept.rstrip()}…", width)
    return f"{kept}…"


def right(text: str, width: int) -> str:
    """The text at the right end of `width` cells.

    >>> right("승률", 6)
    '  승률'
    """
    return pad(" " * (width - cell_len(text)) + text, width)


def center(text: str, width: int) -> str:
    """The text in the middle of `width` cells."""
    free = width - cell_len(text)
    return pad(" " * (free // 2) + text, width) if free > 0 else pad(text, width)


def row_width(row: Row) -> int:
    """The cells a row takes."""
    return sum([cell_len(text) for text, _, _ in row])  # Faster than a generator.


def beside(blocks: Sequence[Sequence[Row]], gap: int = 0) -> list[Row]:
    """Blocks of rows set side by side; each block has rows of one width."""
    height = max((len(block) for block in blocks), default=0)
    rows: list[Row] = [[] for _ in range(height)]
    for index, block in enumerate(blocks):
        width = row_width(block[0]) if block else 0
        for y, row in enumerate(rows):
            if index and gap:
                row.append(Span(" " * gap))
            row.extend(block[y] if y < len(block) else [Span(" " * width)])
    return rows


def to_content(rows: Iterable[Row], *, is_light: bool = False, is_ascii: bool = False) -> Content:
    """The rows as something a widget shows; bright colours are dark ones on a light ground."""
    bright, plain = ("ansi_bright_", "ansi_") if is_light else ("", "")
    lines = [
        Content.assemble(
            *((span.text, span.style.replace(bright, plain) if bright else span.style)
              if span.style else span.text for span in row)
        )
        for row in rows
    ]  # fmt: skip
    content = Content("\n").join(lines)
    if is_ascii:  # Every sign has one of as many cells.
        return Content(content.plain.translate(ASCII_OF), list(content.spans))
    return content


def to_text(rows: Iterable[Row]) -> str:
    """The rows without their colours."""
    return "\n".join("".join(span.text for span in row).rstrip() for row in rows)


def hot_at(rows: Sequence[Row], x: int, y: int) -> str:
    """The label under a cell, or nothing."""
    if not 0 <= y < len(rows):
        return ""
    for span in rows[y]:
        width = cell_len(span.text)
        if x < width:
            return span.hot
        x -= width
    return ""


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, broken at spaces where there are any.

    A language without spaces is broken between its letters:

    >>> wrap("シャッフルの証明 123 件を確認。各席が順に伏せた山札をシャッフルし、", 40)
    ['シャッフルの証明 123 件を確認。各席が順', 'に伏せた山札をシャッフルし、']
    """
    return [*_wrapped(text, width)]


@lru_cache(4096)  # At each press of a key the same sentences of the log are drawn again.
def _wrapped(text: str, width: int) -> list[str]:
    width, lines, is_spaced = max(width, 2), [""], False
    for _, gap, piece in pieces(text):
        joined = f"{lines[-1]}{gap}{piece}" if lines[-1] else piece
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        lines = [*(lines if lines[-1] else lines[:-1]), *_chop(piece, width)]
        is_spaced = bool(gap)
    if len(lines) < 2:
        return lines
    return _without_widow(lines, width) if is_spaced else _without_stub(lines, width)


def _without_stub(lines: list[str], width: int) -> list[str]:
    """The same; one letter of Japanese is no last line."""
    line, last = without_stub(lines[-2], lines[-1])
    return [*lines[:-2], line, last] if cell_len(last) <= width else lines


def _without_widow(lines: list[str], width: int) -> list[str]:
    """The same; a last line of one or two letters gets the word before it:

    >>> wrap("2 more for level I", 16)
    ['2 more for', 'level I']
    """
    start, _, word = lines[-2].rpartition(" ")
    joined = f"{word} {lines[-1]}"
    if not start or cell_len(lines[-1]) > WIDOW_CELLS or cell_len(joined) > width:
        return lines
    return [*lines[:-2], start, joined]


def _chop(word: str, width: int) -> list[str]:
    """A word that is longer than a line, in pieces that each fit into one."""
    found = []
    while cell_len(word) > width:
        found.append(first_piece(word, width))
        word = word[len(found[-1]) :]
    return [*found, word]
