"""The commentary of a first game: a panel beside the board, or some rows above the question."""

from __future__ import annotations

from collections.abc import Sequence

from ui.draw.marks import MUTED
from ui.draw.panels import fill, panel, ruled
from ui.draw.scene import Scene
from ui.terminal.spans import Row, Span, wrap

_ROWS_SHARE = 6  # With its title it takes at most one row of so many, above the question.


def lesson_panel(scene: Scene, width: int, room: int) -> list[Row]:
    """All of it in a panel; nothing where there are not so many rows."""
    rows = _rows(scene.lesson, width - 4)
    if not rows or len(rows) + 2 > room:
        return []
    return panel(scene.words("lesson.title"), rows, width, is_live=scene.model.is_my_turn)


def lesson_rows(scene: Scene) -> list[Row]:
    """The most important of it above the question; nothing where rows are too dear."""
    if not scene.lesson or scene.is_tiny:
        return []
    rows = _rows(scene.lesson[:1], scene.width - 2)[: scene.height // _ROWS_SHARE - 1]
    title = scene.words("lesson.title")
    shown = ruled(title, rows, scene.width, is_live=scene.model.is_my_turn)
    return fill(shown, scene.width, len(shown))


def _rows(texts: Sequence[str], width: int) -> list[Row]:
    rows: list[Row] = []
    for at, text in enumerate(texts):
        rows += [[]] if at else []
        rows += [[Span(line, MUTED if at else "")] for line in wrap(text, width)]
    return rows
