"""The line of keys at the bottom, made from the registry, in the person's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from ui.actions import KeyAction, actions_of, key_name
from ui.ink import Row, Span, row_width
from ui.text import Words
from ui.widgets.strip import Strip

_ALL: Final = "help"  # The key of the page on which all of them stand.


class KeyLine(Strip):
    """Each shown key of a screen with what it does; clicking does it too."""

    DEFAULT_CSS = "KeyLine { dock: bottom; height: 1; padding: 0 1; }"

    def __init__(
        self, words: Words, where: str, *, is_ascii: bool = False, has_seat: bool = True
    ) -> None:
        drawing = partial(draw_keys, words, where, is_ascii=is_ascii, has_seat=has_seat)
        super().__init__(drawing)
        self.where = where

    def on_strip_clicked(self, event: Strip.Clicked) -> None:
        """Do what the key does, not before this is over: it may remove the screen that we are on.

        Whoever awaited that here would wait for themselves.
        """
        event.stop()
        self.app.call_later(self.screen.run_action, event.label)


def draw_keys(
    words: Words, where: str, width: int, is_ascii: bool = False, *, has_seat: bool = True
) -> Sequence[Row]:
    """As many keys as fit; the one that shows all of them is always there."""
    shown = [action for action in actions_of(where) if action.is_shown]
    meant = [action for action in shown if has_seat or not action.is_for_seated]
    cells = [_cell(words, action, is_ascii) for action in meant]
    while row_width(_joined(cells)) > width + 2 and len(cells) > 1:
        cells.pop(-1 if cells[-1][0].hot != _ALL else -2)
    return [_joined(cells)]


def _cell(words: Words, action: KeyAction, is_ascii: bool) -> Row:
    name = action.name
    return [
        Span(key_name(action.key, is_ascii), "bold $footer-key-foreground", name),
        Span(" " + words("key." + name) + "  ", "", name),
    ]


def _joined(cells: Sequence[Row]) -> Row:
    return [span for cell in cells for span in cell]
