"""What is wrong with a screen, as far as that is seen without looking at its picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len
from textual.containers import VerticalScroll
from textual.widgets import Static

from p2p.base.identity import words
from tests.ui.driving import whole_text
from tests.ui.fakes import NAMES, WORDS
from ui.app import HostlessApp
from ui.terminal.spans import row_width
from ui.widgets.rows import RowsWidget

_CODE: Final = re.compile(r"\b[a-z]+=\w+|\b[a-z]+_[a-z_]+\b|\b[a-z]+\.[a-z]+\.[a-z]+|\{\w*\}")
_LATIN: Final = re.compile(r"[A-Za-z]{3,}")
_SQUARES: Final = (  # A row of a map, whose signs touch: on a small screen and on a broad one.
    re.compile(r"^[ \d]\d [ -~]{32}"),
    re.compile(r"^[ \d]\d [ -~]{48}"),
)
# Names of games, keys, people, tables and programs; what is written alike in every language.
_NAMES: Final = {
    *NAMES, *" ".join(WORDS).split(), *words(b"\x01" * 32).split(), "blue", "otter", "carta",
    "bert", "cleo", "hostless", "Carta", "Impera", "Victoria", "Dominion", "Die", "Wiege", "der",
    "Renaissance", "Civilization", "enter", "esc", "tab", "space", "backspace", "home", "end",
    "up", "down", "left", "right", "ctrl", "shift", "English", "III", "HOST", "PORT", "Unicode",
    "Textual", "audit", "TCP", "UDP",
}  # fmt: skip


def complaints(app: HostlessApp) -> list[str]:
    """One line each."""
    return [*_wide(app), *_high(app), *_codes(app), *_foreign(app)]


def _strips(app: HostlessApp) -> Iterator[RowsWidget]:
    return (strip for strip in app.screen.query(RowsWidget) if strip.display and strip.region.area)


def _wide(app: HostlessApp) -> Iterator[str]:
    """Rows that are cut at the edge of their part of the screen."""
    for strip in _strips(app):
        width = strip.content_size.width
        for row in strip.rows(width):
            text = "".join(span.text for span in row)
            if row_width(row) > width and cell_len(text.rstrip()) > width:
                yield f"#{strip.id} is {width} wide and cuts: {text.rstrip()}"
    for static in app.screen.query(Static):
        text = str(static.visual)
        region = static.region
        if static.display and region.height == 1 and cell_len(text) > region.width:
            yield f"#{static.id} is {region.width} wide and cuts: {text}"


def _high(app: HostlessApp) -> Iterator[str]:
    """Parts that are longer than the screen and cannot be scrolled."""
    for strip in _strips(app):
        is_scrolled = any(isinstance(each, VerticalScroll) for each in strip.ancestors)
        rows = len(strip.rows(strip.content_size.width))
        if not is_scrolled and rows > strip.container_viewport.height:
            yield f"#{strip.id} has {rows} rows"


def _codes(app: HostlessApp) -> Iterator[str]:
    for line in whole_text(app).splitlines():
        for code in _CODE.findall(line):
            yield f"code {code!r} in: {line.strip()}"


def _foreign(app: HostlessApp) -> Iterator[str]:
    """Latin words on a screen in another script."""
    if app.words.code == "en":
        return
    squares = _SQUARES[app.size.width >= 100]
    for line in whole_text(app).splitlines():
        found = [word for word in _LATIN.findall(squares.sub("", line)) if not _is_name(word)]
        if found:
            yield f"{', '.join(found)} in: {line.strip()}"


def _is_name(word: str) -> bool:
    """Whether it is written alike in every language; a panel may lie over the end of a name."""
    is_part = any(name.startswith(word) for name in NAMES)
    return is_part or not _NAMES.isdisjoint({word, word.lower()})
