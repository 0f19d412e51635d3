"""The widget that shows a drawing (`ui.terminal.spans`), and says which label was clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.visual import Visual
from textual.widget import Widget

from ui.terminal.spans import Row, hot_at, to_content

Drawing: TypeAlias = Callable[[int], Sequence[Row]]  # From a width in cells to rows.
LINES_KEPT_MAX: Final = 256  # Of each widget, as they were painted last.


class RowsWidget(Widget):
    """Rows drawn for the width there is.  Drawings are functions, so that resizing redraws."""

    DEFAULT_CSS = """
    RowsWidget { height: auto; width: 1fr; text-wrap: nowrap; text-overflow: clip; }
    """
    auto_links = False  # Nothing to look for: what can be clicked is marked in the rows.

    class Clicked(Message):
        """A place with a label was clicked."""

        def __init__(self, widget: RowsWidget, label: str) -> None:
            super().__init__()
            self.widget = widget
            self.label = label

        @property
        def control(self) -> RowsWidget:
            """The widget that was clicked, for `@on`."""
            return self.widget

    def __init__(
        self,
        drawing: Drawing | None = None,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._drawing: Drawing = drawing or (lambda width: [])
        self._drawn: tuple[int, Sequence[Row]] = (-1, [])
        self._lines: dict[object, Strip] = {}

    def show(self, drawing: Drawing) -> None:
        """Draw this from now on; what is drawn already is left alone where nothing changed."""
        width, before = self._drawn
        self._drawing, self._drawn = drawing, (-1, [])
        if width != self.content_size.width:
            self.refresh(layout=True)
            return
        rows = self.rows(width)
        if len(rows) != len(before):
            self.refresh(layout=True)
            return
        changed = [y for y, row in enumerate(rows) if row != before[y]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def draw_anew(self) -> None:
        """Draw all of it again: in another language, or with other signs."""
        self._drawn, self._lines = (-1, []), {}
        self.refresh(layout=True)

    def on_resize(self) -> None:
        """Draw anew: some drawings fill the height there is."""
        self._drawn = (-1, [])
        self.refresh()

    def rows(self, width: int) -> Sequence[Row]:
        """The rows at a width."""
        if self._drawn[0] != width:
            self._drawn = (width, self._drawing(width))
        return self._drawn[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the drawing has."""
        return len(self.rows(width))

    def render(self) -> Content:
        """The drawing, in ASCII where the terminal wants that."""
        return self._content(self.rows(self.content_size.width))

    def render_line(self, y: int) -> Strip:
        """One line of the drawing; a line that was on the screen before is not made again."""
        width, style = self.content_size.width, self.visual_style
        rows = self.rows(width)
        if y >= len(rows):
            return Strip.blank(width, style.rich_style)
        key = (tuple(rows[y]), width, style, self.app.theme)
        line = self._lines.pop(key, None)
        if line is None:
            lines = Visual.to_strips(self, self._content([rows[y]]), width, 1, style)
            line = lines[0] if lines else Strip.blank(width, style.rich_style)
        self._lines[key] = line  # As the newest.
        if len(self._lines) > LINES_KEPT_MAX:
            del self._lines[next(iter(self._lines))]
        return line

    def _content(self, rows: Sequence[Row]) -> Content:
        is_light, is_ascii = not self.app.current_theme.dark, getattr(self.app, "is_ascii", False)
        return to_content(rows, is_light=is_light, is_ascii=is_ascii)

    def on_click(self, event: events.Click) -> None:
        """Tell which label was hit."""
        at = event.get_content_offset(self)
        if at is None:
            return
        label = hot_at(self.rows(self.content_size.width), at.x, at.y)
        if label:
            event.stop()
            self.post_message(self.Clicked(self, label))
