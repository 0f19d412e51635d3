"""Choices that nobody has heard of are lost with the program: how many, for when one comes back.

They are not kept.  What was not sent was not decided: it can still be taken back, and what was
chosen ahead would be sent by itself at a table that may have gone on since.  So only their number
stands beside the game file, in `NAME.unsent`, and whoever sits down again is told once that these
choices are to be made again.  It is a hint: where the file is missing or wrong, nothing is said.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from p2p.session.news import TableChanged
from ui.language.text import Words

UNSENT_SUFFIX: Final = ".unsent"
_FILE_BYTES_MAX: Final = 100


class Unsent(NamedTuple):
    """What one has chosen at a table, and its log does not show."""

    event_count: int  # Of the log;
    given: int  # so many were given to the node there: 0 or 1,
    held: int  # and so many wait here.


NONE_UNSENT: Final = Unsent(0, 0, 0)


class UnsentNote:
    """The note about one table after the other; it lasts as long as the program if not kept."""

    def __init__(self, *, is_kept: bool = False) -> None:
        """No table was seen yet."""
        self._is_kept = is_kept
        self._path: Path | None = None
        self._noted = self._before = NONE_UNSENT  # Of now, and of the program of before.

    def hear(self, words: Words, news: TableChanged, unsent: Unsent) -> str:
        """Note what is unsent at this table now; what to say, once, of what was lost before."""
        if news.path is None:
            return ""
        now = unsent if unsent.given or unsent.held else NONE_UNSENT
        if news.path != self._path:
            self._path = news.path
            self._before = self._noted = _read(news.path) if self._is_kept else NONE_UNSENT
        if now != self._noted and (now != NONE_UNSENT or not self._is_open(news)):
            self._noted = now
            if self._is_kept:
                _write(news.path, now)
        return self._lost(words, news)

    def forget(self) -> None:
        """The table is left: whoever comes back is told as after a new start."""
        self._path = None

    def _is_open(self, news: TableChanged) -> bool:
        """Whether it is not known yet if the last choice of before has come into the log."""
        is_here = news.event_count <= self._before.event_count
        return self._before != NONE_UNSENT and is_here and not news.view.offers

    def _lost(self, words: Words, news: TableChanged) -> str:
        if self._before == NONE_UNSENT or self._is_open(news):
            return ""
        before, self._before = self._before, NONE_UNSENT
        is_given_lost = news.event_count <= before.event_count
        lost = before.held + (before.given if is_given_lost else 0)
        is_told = lost and news.view.seat is not None and not news.view.is_over
        return words.count("back.lost", lost) if is_told else ""


def _read(path: Path) -> Unsent:
    try:
        with path.with_suffix(UNSENT_SUFFIX).open("rb") as file:
            match json.loads(file.read(_FILE_BYTES_MAX)):
                case [int(event_count), int(given), int(held)]:
                    return Unsent(event_count, given, held)
    except (OSError, ValueError):
        return NONE_UNSENT
    return NONE_UNSENT


def _write(path: Path, unsent: Unsent) -> None:
    note = path.with_suffix(UNSENT_SUFFIX)
    with suppress(OSError):  # It costs a sentence; a disk that is full says so elsewhere.
        if unsent == NONE_UNSENT:
            note.unlink(missing_ok=True)
        else:
            note.write_text(json.dumps(unsent), encoding="utf-8")
