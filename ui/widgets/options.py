"""A list with a bar that can be set off without colour."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style as Ink
from textual.color import Color
from textual.strip import Strip
from textual.style import Style
from textual.widgets import OptionList


class Options(OptionList):
    """A list of Textual's, in which `reverse` holds for the bar too: there it is left out."""

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """The style of the list, or of a part of it."""
        style = super().get_visual_style(*component_classes, partial=partial)
        parts = [self.get_component_styles(name).text_style for name in component_classes]
        return style + Style(reverse=True) if any(part.reverse for part in parts) else style

    def render_line(self, y: int) -> Strip:
        """A line; in a bar in reverse every hue would be a ground of its own."""
        line = super().render_line(y)
        inks = [segment.style or Ink.null() for segment in line]
        if not all(ink.reverse for ink in inks):
            return line
        bar = super().get_visual_style("option-list--option-highlighted").rich_style
        plain = Ink(color=bar.color, bgcolor=bar.bgcolor)
        parts = [
            Segment(each.text, ink if self._is_cap(ink) else ink + plain)
            for each, ink in zip(line, inks, strict=True)
        ]
        return Strip(parts, line.cell_length)

    def _is_cap(self, ink: Ink) -> bool:
        accent = Color.parse(self.app.theme_variables["accent"]).rich_color
        return ink.color == accent
