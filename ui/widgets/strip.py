"""A widget that shows a drawing, and says which of its labels was clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from ui.ink import Row, hot_at, to_content
from ui.text import ASCII_OF

Drawing: TypeAlias = Callable[[int], Sequence[Row]]  # From a width in cells to rows.


class Strip(Widget):
    """Rows drawn for the width there is.  Drawings are functions, so that resizing redraws."""

    DEFAULT_CSS = "Strip { height: auto; width: 1fr; }"

    class Clicked(Message):
        """A place with a label was clicked."""

        def __init__(self, strip: Strip, label: str) -> None:
            super().__init__()
            self.strip = strip
            self.label = label

        @property
        def control(self) -> Strip:
            """The strip that was clicked, for `@on`."""
            return self.strip

    def __init__(
        self,
        drawing: Drawing | None = None,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._drawing: Drawing = drawing or (lambda width: [])
        self._drawn: tuple[int, Sequence[Row]] = (-1, [])

    def show(self, drawing: Drawing) -> None:
        """Draw this from now on; what is drawn already is left alone where nothing changed."""
        width, before = self._drawn
        self._drawing, self._drawn = drawing, (-1, [])
        if width != self.content_size.width:
            self.refresh(layout=True)
            return
        rows = self.rows(width)
        if rows != before:
            self.refresh(layout=len(rows) != len(before))

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
        is_light = not self.app.current_theme.dark
        content = to_content(self.rows(self.content_size.width), is_light=is_light)
        if getattr(self.app, "is_ascii", False):
            return Content(content.plain.translate(ASCII_OF), list(content.spans))
        return content

    def on_click(self, event: events.Click) -> None:
        """Tell which label was hit."""
        at = event.get_content_offset(self)
        if at is None:
            return
        label = hot_at(self.rows(self.content_size.width), at.x, at.y)
        if label:
            event.stop()
            self.post_message(self.Clicked(self, label))
