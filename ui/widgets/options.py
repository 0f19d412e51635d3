"""A list with a bar that can be set off without colour."""

from __future__ import annotations

from textual.style import Style
from textual.widgets import OptionList


class Options(OptionList):
    """A list of Textual's, in which `reverse` holds for the bar too: there it is left out."""

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """The style of the list, or of a part of it."""
        style = super().get_visual_style(*component_classes, partial=partial)
        parts = [self.get_component_styles(name).text_style for name in component_classes]
        return style + Style(reverse=True) if any(part.reverse for part in parts) else style
