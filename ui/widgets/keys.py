"""The line of keys at the bottom, made from the registry, in the person's language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from ui.key_bindings import KeyBinding, bindings_of, key_name
from ui.language.text import Words
from ui.terminal.spans import Row, Span, row_width
from ui.widgets.rows import RowsWidget

LabelKey: TypeAlias = Callable[[KeyBinding], str]  # By which sentence; empty: it means nothing now.
# The page on which all keys stand, and the ways out: these stay where not all have room.
_KEPT: Final = ("help", "leave", "to_lobby", "quit_program")


def usual_label_key(binding: KeyBinding) -> str:
    """By which sentence a key is shown where a screen has nothing else to say."""
    return binding.sentence if binding.is_shown else ""


class KeyLine(RowsWidget):
    """Each key of a screen that means something, with what it does; clicking does it too."""

    DEFAULT_CSS = "KeyLine { dock: bottom; height: 1; padding: 0 1; }"

    def __init__(
        self, words: Words, where: str, *, is_ascii: bool = False, said: LabelKey = usual_label_key
    ) -> None:
        self.where, self._said = where, said
        self.speak(words, is_ascii=is_ascii)
        super().__init__(self.drawing)

    def speak(self, words: Words, *, is_ascii: bool) -> None:
        """Name the keys in this language, and with these signs, from the next time on."""
        self.drawing = partial(draw_keys, words, self.where, is_ascii=is_ascii, said=self._said)

    def show_keys(self) -> None:
        """Show them in place of anything else, as they are meant now."""
        self.show(self.drawing)

    def on_rows_widget_clicked(self, event: RowsWidget.Clicked) -> None:
        """Do what the key does, not before this is over: it may remove the screen that we are on.

        Whoever awaited that here would wait for themselves.
        """
        event.stop()
        self.app.call_later(self.screen.run_action, event.label)


def draw_keys(
    words: Words,
    where: str,
    width: int,
    is_ascii: bool = False,
    *,
    said: LabelKey = usual_label_key,
) -> Sequence[Row]:
    """As many keys as fit; the one that shows all of them, and the way out, are always there."""
    every = [(binding, said(binding)) for binding in bindings_of(where)]
    cells = [_cell(binding, words(sentence), is_ascii) for binding, sentence in every if sentence]
    while row_width(_joined(cells)) > width + 2:
        others = [at for at, cell in enumerate(cells) if cell[0].hot not in _KEPT]
        if not others:
            break
        cells.pop(others[-1])
    return [_joined(cells)]


def _cell(binding: KeyBinding, text: str, is_ascii: bool) -> Row:
    return [
        Span(key_name(binding.key, is_ascii), "bold $footer-key-foreground", binding.name),
        Span(f" {text}  ", "", binding.name),
    ]


def _joined(cells: Sequence[Row]) -> Row:
    return [span for cell in cells for span in cell]
