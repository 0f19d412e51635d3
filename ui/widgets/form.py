"""A form without boxes to tick: a line per question, left and right go through the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.binding import Binding
from textual.message import Message

from core.table import OptionValue
from ui.terminal.spans import Row, Span, pad, wrap
from ui.widgets.rows import RowsWidget

ARROWS_WIDTH: Final = 8  # Of the pointer before a label, and of the arrows around an answer.
LABEL_WIDTH_MIN: Final = 12
ANSWER_SHARE: Final = 0.6  # Of a line, for the longest answer.


@dataclass(slots=True)
class Question:
    """One line of a form: its key, its label, its answers with how they are written.

    `about` is what the form says of it below, as long as the bar stands there.
    """

    key: str
    label: str
    answers: Sequence[tuple[OptionValue, str]]
    chosen: int = 0
    about: str = ""

    @property
    def value(self) -> OptionValue:
        """The answer that is set."""
        return self.answers[self.chosen][0]


class Form(RowsWidget, can_focus=True):
    """Questions under one another.  Arrows or the mouse; the screen decides when it is done.

    `changed` is called with the form in the moment in which an answer changes, before anything is
    drawn: where an answer decides what else is asked, nobody may see the one without the other.
    `moved` is called when the bar stands on another line.
    """

    BINDINGS = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
    ]

    class Typed(Message):
        """Somebody types, perhaps a name one line too early: nothing here takes letters."""

    def __init__(
        self,
        questions: Sequence[Question],
        changed: Callable[[Form], None] = lambda form: None,
        moved: Callable[[Form], None] = lambda form: None,
    ) -> None:
        super().__init__(self._draw)
        self.questions = list(questions)
        self._changed, self._moved = changed, moved
        self.line = 0

    def value(self, key: str) -> OptionValue:
        """The answer to a question."""
        return next(each.value for each in self.questions if each.key == key)

    def ask(self, questions: Sequence[Question]) -> None:
        """Ask these from now on."""
        self.questions = list(questions)
        self.line = min(self.line, len(self.questions) - 1)
        self.show(self._draw)

    def action_move(self, step: int) -> None:
        """Go to another line; beyond the last one to what stands below the form, if anything."""
        line = self.line + step
        if 0 <= line < len(self.questions) or len(self.screen.focus_chain) < 2:
            self._go_to(line % len(self.questions))
        else:
            (self.screen.focus_next if step > 0 else self.screen.focus_previous)()

    def enter(self, step: int) -> None:
        """The bar comes from above, or from below."""
        self._go_to(0 if step > 0 else len(self.questions) - 1)

    def _go_to(self, line: int) -> None:
        self.line = line
        self.show(self._draw)
        self._moved(self)

    def action_turn(self, step: int) -> None:
        """Go to another answer."""
        question = self.questions[self.line]
        question.chosen = (question.chosen + step) % len(question.answers)
        self._changed(self)
        self.show(self._draw)

    def on_key(self, event: events.Key) -> None:
        """A letter, or a space, changes nothing, and does not vanish without a word."""
        if event.is_printable:
            event.stop()
            self.post_message(self.Typed())

    def watch_has_focus(self, has_focus: bool) -> None:
        """The bar is here only as long as the arrows are."""
        super().watch_has_focus(has_focus)
        self.show(self._draw)

    def on_rows_widget_clicked(self, event: RowsWidget.Clicked) -> None:
        """A click on an arrow is an arrow key."""
        line, _, step = event.label.partition(":")
        if step:
            event.stop()
            self._go_to(int(line))
            self.action_turn(int(step))

    def rows_of_line(self) -> tuple[int, int]:
        """From which row on the line with the bar is drawn, and on how many rows."""
        width = self.content_size.width
        cells = self._label_width(width)
        heights = [
            len(list(self._draw_question(at, question, cells, width)))
            for at, question in enumerate(self.questions)
        ]
        return sum(heights[: self.line]), heights[self.line]

    def _label_width(self, width: int) -> int:
        """As much as the longest label needs, if the longest answer leaves room for it.

        An answer that would take more than its share goes on in a second line.
        """
        answers = [text for question in self.questions for _, text in question.answers]
        both = width - ARROWS_WIDTH
        room = both - min(max(map(cell_len, answers)), int(both * ANSWER_SHARE))
        longest = max(cell_len(question.label) for question in self.questions)
        return min(longest, max(room, LABEL_WIDTH_MIN))

    def _draw(self, width: int) -> list[Row]:
        label_width = self._label_width(width)
        return [
            row
            for index, question in enumerate(self.questions)
            for row in self._draw_question(index, question, label_width, width)
        ]

    def _draw_question(
        self, index: int, question: Question, label_width: int, width: int
    ) -> Iterator[Row]:
        """A line, and more where the label or the answer needs them."""
        here = index == self.line and self.has_focus
        style = "bold $text-accent" if here else ""
        room = max(width - ARROWS_WIDTH - label_width, LABEL_WIDTH_MIN)
        answers = wrap(question.answers[question.chosen][1], room)
        lines = zip_longest(wrap(question.label, label_width), answers, fillvalue="")
        for at, (label, answer) in enumerate(lines):
            yield [
                Span("▸ " if here and not at else "  ", style),
                Span(pad(label, label_width), style, f"{index}:1"),
                Span("   " if at else " ◂ ", "$primary", "" if at else f"{index}:-1"),
                Span(answer, style or "bold", f"{index}:1"),
                *([Span(" ▸ ", "$primary", f"{index}:1")] if at == len(answers) - 1 else []),
            ]
