"""Choosing the parts of an option by hand, such as ten kinds of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from string import ascii_letters
from typing import Final

from textual import events
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from core.game import Option
from core.table import OptionValue
from ui.draw.marks import CAP, GOOD, MUTED, color_of
from ui.games import look_of
from ui.key_bindings import textual_bindings
from ui.screens.base import BaseScreen
from ui.terminal.spans import Row, Span, pad, wrap
from ui.widgets.rows import RowsWidget

CELLS_MIN: Final = 19
AIR_CELLS_MIN: Final = 24  # With air around a key,
AIR_COLUMNS_MIN: Final = 4  # where there are so many columns all the same.
CHOSEN: Final = "✓"
LABELS: Final = ascii_letters  # No other letter means anything here.


class PartsScreen(BaseScreen):
    """Every part under a letter that takes it in or out; enter when there are enough of them."""

    where = "parts"
    BINDINGS = textual_bindings("parts")

    def __init__(
        self, game: str, option: Option, options: dict[str, OptionValue],
        done: Callable[[str], object],
    ) -> None:  # fmt: skip
        assert len(option.parts) <= len(LABELS), "there are more parts than letters"
        super().__init__()
        self._game, self._option, self._options, self._done = game, option, options, done
        self.chosen: list[str] = []
        self._last = ""  # The part that was touched last; its text is shown.

    def parts(self) -> Iterator[Widget]:
        """A title, the parts, and what the last one says."""
        yield Static(f" {self.words.of(self._game).name('option', self._option.key)}", id="title")
        with VerticalScroll(id="reading"):
            yield RowsWidget(self._draw, id="parts")
        yield RowsWidget(self._draw_text, id="about")

    def on_mount(self) -> None:
        """The arrows scroll."""
        super().on_mount()
        self.query_one("#reading", VerticalScroll).focus()

    def on_key(self, event: events.Key) -> None:
        """A letter takes its part in, or out again."""
        at = LABELS.find(event.character) if event.character else -1
        if 0 <= at < len(self._option.parts):
            event.stop()
            self._turn(self._option.parts[at])

    def on_rows_widget_clicked(self, event: RowsWidget.Clicked) -> None:
        """So does a click."""
        event.stop()
        self._turn(event.label)

    def _turn(self, part: str) -> None:
        if part in self.chosen:
            self.chosen.remove(part)
        elif len(self.chosen) < self._option.parts_count:
            self.chosen.append(part)
        else:
            self._say_count()
        self._last = part
        self.query_one("#parts", RowsWidget).show(self._draw)
        self.query_one("#about", RowsWidget).show(self._draw_text)

    def action_form_done(self) -> None:
        """Go on with what is chosen, once it is as many as it has to be."""
        if len(self.chosen) < self._option.parts_count:
            self._say_count()
            return
        self.app.pop_screen()
        self._done(",".join(part for part in self._option.parts if part in self.chosen))

    def _say_count(self) -> None:
        self.app.clear_notifications()
        self.notify(self._count(), markup=False)

    def _count(self) -> str:
        return self.words("open.parts", number=len(self.chosen), count=self._option.parts_count)

    def _draw(self, width: int) -> list[Row]:
        least = AIR_CELLS_MIN if width >= AIR_COLUMNS_MIN * AIR_CELLS_MIN else CELLS_MIN
        columns = max(width // least, 1)
        parts = self._option.parts
        table = [
            [span for part in parts[start : start + columns]
             for span in self._cell(part, width // columns)]
            for start in range(0, len(parts), columns)
        ]  # fmt: skip
        count = [[Span(f" {line}", "bold")] for line in wrap(self._count(), width - 2)]
        return [*count, [], *table]

    def _draw_text(self, width: int) -> list[Row]:
        """What the part says that was touched last."""
        keys = look_of(self._game).texts(self._options, self._last) if self._last else ()
        words = self.words.of(self._game)
        lines = [line for key in keys for line in wrap(words(key), width - 4)]
        return [[Span(f"  {line}", MUTED)] for line in lines]

    def _cell(self, part: str, cells: int) -> Row:
        """The key of a part, whether it is chosen, its name, and its cost where it has one."""
        label, look = LABELS[self._option.parts.index(part)], look_of(self._game)
        mark = CHOSEN if part in self.chosen else " "
        key = f" {label} " if cells >= AIR_CELLS_MIN else label
        cost = look.cost(part)
        price = "" if cost is None else f" ({cost})"
        name = self.words.of(self._game).name("face", part)
        weight = "bold" if part in (*self.chosen, self._last) else ""
        room = cells - len(key) - 1 - len(price) - 1
        return [
            Span(key, CAP, part), Span(mark, GOOD, part),
            Span(pad(name, room), f"{weight} {color_of(look.face(part))}".strip(), part),
            Span(f"{price} ", MUTED, part),
        ]  # fmt: skip
