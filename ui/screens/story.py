"""The log of a game by turns, which can be folded: a line leads to the position after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ui.draw.marks import MUTED
from ui.draw.story import draw_story
from ui.key_bindings import KeyBinding, key_name, key_of, textual_bindings
from ui.model.prompt import prompt
from ui.model.story import Told, told
from ui.model.view_model import ViewModel
from ui.screens.base import BaseScreen, PageOver
from ui.terminal.spans import Span, wrap
from ui.widgets.options import Options

LINE_CELLS_MIN: Final = 20
_NEED_FILE: Final = ("jump", "rules")  # Keys that show the table as it was.
Jump: TypeAlias = Callable[[int, PageOver | None], object]


class StoryPage(BaseScreen):
    """What happened, line by line; enter or a click shows the table after a line."""

    where = "log"
    BINDINGS = [each for each in textual_bindings("log") if getattr(each, "key", "") != "enter"]

    def __init__(self, model: ViewModel, jump: Jump, *, stays: bool) -> None:
        """`jump` shows the position after so many events, and perhaps a page over it.

        Where that is a screen of its own the log `stays` below it, and one comes back to it.
        """
        super().__init__()
        self._stays, self._model = stays, model
        self._lines = told(model, model.news.lines)
        self._jump = jump
        self._is_folded = False

    def parts(self) -> Iterator[Widget]:
        """A title, what the table waits for now, and the lines."""
        yield Static(f" {self.words('log.title')}", id="title")
        yield Static(self._asked(), id="asked")
        yield Options(id="tables")
        hint = Static(self.words("table.no_lines"), id="hint")
        hint.display = not self._lines
        yield hint

    def show(self, model: ViewModel) -> None:
        """Tell what has happened since, and whose turn it is: nobody misses it by reading."""
        before, self._model = self._lines, model
        self._lines = told(model, model.news.lines)
        asked = self.query_one("#asked", Static)
        asked.update(self._asked())
        asked.set_class(self._is_my_turn, "-mine")
        if self._lines != before:
            self.query_one("#hint").display = not self._lines
            self.show_keys()
            self._grow(before)

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen, or below what is."""
        return self.is_mounted and self.is_attached

    @property
    def _is_my_turn(self) -> bool:
        return self._stays and self._model.is_my_turn

    def _asked(self) -> Content:
        """What the bar of the table says; nothing where one looks at the past."""
        if not self._stays:
            return Content()
        asked, name = prompt(self._model), key_name(key_of(self.where, "back"))
        way = self.words("log.to_table", name=name)
        sign, texts = ("▶", (asked, way)) if self._is_my_turn else ("·", (asked,))
        room = max(self.app.size.width - 3, LINE_CELLS_MIN)
        whole = " · ".join(texts)
        lines = [line for each in ((whole,) if cell_len(whole) <= room else texts)
                 for line in wrap(each, room)]  # fmt: skip
        rows = [f" {' ' if at else sign} {line}" for at, line in enumerate(lines)]
        return self.content([[Span(row)] for row in rows])

    def label_key(self, binding: KeyBinding) -> str:
        """Without a line only the way back means anything; who looks on has no file."""
        is_idle = not self._lines and binding.name != "back"
        if self._stays and self._model.news.path is None:
            is_idle = is_idle or binding.name in _NEED_FILE
        return "" if is_idle else super().label_key(binding)

    def on_mount(self) -> None:
        """The newest line is under the bar."""
        super().on_mount()
        self.query_one(OptionList).focus()
        self.query_one("#asked").set_class(self._is_my_turn, "-mine")
        self.after_layout(self._fill, len(self._lines) - 1)

    def _grow(self, before: Sequence[Told]) -> None:
        """Add the new lines, which a reader at the end follows; show all where older ones changed.

        Choices that are told by what followed from them, or were taken back, are no more there.
        """
        options, under = self.query_one(OptionList), self._under()
        is_at_end = options.highlighted in (None, options.option_count - 1)
        is_longer = not self._is_folded and self._lines[: len(before)] == before
        if not is_longer:
            self._fill(len(self._lines) - 1 if is_at_end else under)
            return
        options.add_options(self._options(range(len(before), len(self._lines))))
        if is_at_end:
            options.highlighted = options.option_count - 1
            options.call_after_refresh(options.scroll_to_highlight)

    def _options(self, shown: Iterable[int]) -> list[Option]:
        width = max(self.size.width - 6, LINE_CELLS_MIN)
        return [Option(self.content(self._rows(at, width)), id=str(at)) for at in shown]

    def _fill(self, under: int) -> None:
        """Show the lines, or the turns alone, with the bar on a line or on the turn it is in."""
        options = self.query_one(OptionList)
        shown = [
            at for at, each in enumerate(self._lines) if each.is_heading or not self._is_folded
        ]
        options.clear_options()
        options.add_options(self._options(shown))
        before = [row for row, at in enumerate(shown) if at <= under]
        if shown:
            options.highlighted = before[-1] if before else 0
            options.call_after_refresh(options.scroll_to_highlight)  # It has just grown.

    def _rows(self, at: int, width: int) -> Sequence[list[Span]]:
        line = self._lines[at]
        rows = draw_story([line], width)
        count = self._inside(at) if self._is_folded and line.is_heading else 0
        return [[*rows[0], Span(f"  ▸ {count}", MUTED)], *rows[1:]] if count else rows

    def _inside(self, at: int) -> int:
        """How many lines a turn has."""
        later = (
            place for place in range(at + 1, len(self._lines)) if self._lines[place].is_heading
        )
        return next(later, len(self._lines)) - at - 1

    def _under(self) -> int:
        options = self.query_one(OptionList)
        at = options.highlighted
        return -1 if at is None else int(options.get_option_at_index(at).id or -1)

    def action_fold(self) -> None:
        """Show the turns alone, or all lines again."""
        under = self._under()
        self._is_folded = not self._is_folded
        self._fill(under)

    def action_jump(self) -> None:
        """Show the table after the line under the bar."""
        self.query_one(OptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Show the table after this line."""
        line: Told = self._lines[int(event.option.id or 0)]
        self._leave_for(line.entry + 1, None)

    def action_rules(self) -> None:
        """Show the rules at what was asked when this happened."""
        under = self._under()
        if under >= 0:
            self._leave_for(self._lines[under].entry, "rules")

    def _leave_for(self, position: int, page: PageOver | None) -> None:
        if not self._stays:
            self.app.pop_screen()
        self._jump(position, page)
