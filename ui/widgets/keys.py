"""The line of keys at the bottom, made from the registry, in the person's language."""

from __future__ import annotations

from collections.abc import Sequence

from ui.actions import actions_of, key_name
from ui.ink import Row, Span, row_width
from ui.text import Words
from ui.widgets.strip import Strip


class KeyLine(Strip):
    """Each shown key of a screen with what it does; clicking does it too."""

    DEFAULT_CSS = "KeyLine { dock: bottom; height: 1; padding: 0 1; }"

    def __init__(self, words: Words, where: str, *, is_ascii: bool = False) -> None:
        super().__init__(lambda width: draw_keys(words, where, width, is_ascii))
        self.where = where

    async def on_strip_clicked(self, event: Strip.Clicked) -> None:
        """Do what the key does."""
        event.stop()
        await self.screen.run_action(event.label)


def draw_keys(words: Words, where: str, width: int, is_ascii: bool = False) -> Sequence[Row]:
    """As many keys as fit."""
    row: Row = []
    for action in actions_of(where):
        if not action.is_shown:
            continue
        cell = [
            Span(key_name(action.key, is_ascii), "bold $footer-key-foreground", action.name),
            Span(" " + words("key." + action.name) + "  ", "", action.name),
        ]
        if row_width(row) + row_width(cell) > width + 2:
            break
        row += cell
    return [row]
