"""What happened last: a panel beside the board, or a few lines where there is no room for one."""

from __future__ import annotations

from ui.draw.marks import MUTED
from ui.draw.panels import fill, panel, ruled
from ui.draw.scene import Scene
from ui.ink import Row, Span, pad, wrap
from ui.picture import Picture, story_lines


def story_panel(scene: Scene, width: int, height: int) -> list[Row]:
    """A panel of this size."""
    rows = draw_story(scene.picture, width - 4, height - 2)
    return panel(scene.words("board.log"), rows, width, height)


def story_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """The same under a line, in at most so many rows; nothing where there is no room."""
    if height < 2:
        return []
    rows = draw_story(scene.picture, width - 2, height - 1)
    return fill(ruled(scene.words("board.log"), rows, width), width, height)


def draw_story(picture: Picture, width: int, height: int) -> list[Row]:
    """The last sentences of the story, the newest at the bottom."""
    rows: list[Row] = []
    for sentence, is_mine in story_lines(picture)[-height:]:
        first, *rest = wrap(sentence, width - 1)
        style = "" if is_mine else MUTED
        rows += [
            [Span(pad(line, width), style)] for line in (first, *(f" {each}" for each in rest))
        ]
    if not rows:
        return [[Span(picture.words("table.no_lines"), MUTED)]]
    shown = rows[-height:]
    shown[-1] = [span._replace(style="bold") for span in shown[-1]]
    return shown
