"""The sixteen colours as two common terminals show them: xterm, and the console of Linux."""

from __future__ import annotations

from typing import Final

from rich.terminal_theme import TerminalTheme
from textual.color import Color


def _sixteen(text: str) -> TerminalTheme:
    colors = [Color.parse(f"#{each}").rgb for each in text.split()]
    return TerminalTheme(colors[0], colors[7], colors[:8], colors[8:])


XTERM: Final = _sixteen(
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"
    " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
)
CONSOLE: Final = _sixteen(
    "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
    " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
)
