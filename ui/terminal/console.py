"""Letters on a filled ground, as the console of Linux shows them.

It has eight colours for grounds, and a bold letter is the same letter in a brighter colour.  In
reverse it makes the ground darker and the letter brighter: bold black on yellow becomes grey on
brown, which nobody can read.  So there the ground and the letter are said one by one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

LINUX_CONSOLE: Final = "linux"  # What such a console calls itself.
_PLAIN: Final = 8  # So many colours are no brighter ones.
_GREY: Final = 8  # The bright black: as a ground it would be black.
_DARK: Final = (1, 3, 4, 5)  # Red, brown, blue, magenta: a black letter is too dark on them.
_NOT_BOLD: Final = Style(bold=False)


class OnConsole(LineFilter):
    """Every filled ground with a letter that stands out from it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same, as such a console can show it."""
        return [
            Segment(text, on_console(style) if style else style, control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def on_console(style: Style) -> Style:
    """The style for what is in reverse; any other as it is.

    >>> white_on_brown = on_console(Style.parse("bold reverse bright_yellow"))
    >>> white_on_brown.reverse, white_on_brown.color.number, white_on_brown.bgcolor.number
    (False, 15, 3)
    >>> black_on_green = on_console(Style.parse("bold reverse green"))
    >>> black_on_green.reverse, black_on_green.color.number, black_on_green.bgcolor.number
    (False, 0, 2)
    """
    number = style.color.number if style.color else None
    if not style.reverse:
        return style
    if number is None:
        return style + _NOT_BOLD
    if number == _GREY:
        return style + Style(reverse=False, bgcolor="default")
    ground = number % _PLAIN
    is_dark = ground in _DARK
    letter = "bright_white" if is_dark else "black"
    return style + Style(reverse=False, bold=is_dark, color=letter, bgcolor=f"color({ground})")


def filters_for(kind: str) -> list[LineFilter]:
    """What this kind of terminal needs, by the name it has in TERM."""
    return [OnConsole()] if kind == LINUX_CONSOLE else []
