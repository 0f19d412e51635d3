"""Talk at the table: a line is typed in the place of the keys, so that no card is ever covered.

While somebody types, the keys of the game do nothing; before and after, no key of the game talks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from textual import events
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input

from p2p.base.limits import SAID_LETTERS_MAX
from p2p.session.commands import Reaction, SayLine
from p2p.session.news import SaidLine, TableChanged
from ui.draw.talk import draw_talk, newest_row, numbered_row
from ui.key_bindings import KeyBinding, bindings_of, key_name
from ui.model.pause import next_sign, why_no_sign
from ui.model.talk import Hearer, listeners, mute_sentence, reactions, trimmed, why_nobody_hears
from ui.screens.base import BaseScreen
from ui.terminal.spans import Row
from ui.terminal.toasts import SHORT_TOAST_S
from ui.widgets.keys import KeyLine
from ui.widgets.rows import RowsWidget

SHOWN_S: Final = 10.0  # How long a line stands in the place of the keys.
TYPING_LINES_MAX: Final = 4  # Above the line that is typed,
TYPING_ROWS_MIN: Final = 20  # where there is room for them.


class TalkingScreen(BaseScreen):
    """A screen of a table at which people talk."""

    AUTO_FOCUS = ""  # Keys are the game's until somebody begins to type a line.
    newest: TableChanged | None
    said_now: SaidLine | None = None  # What stands in the place of the keys.
    bar: tuple[tuple[str, Callable[[], object]], ...] = ()  # What a number does, while it is asked.
    bar_title = ""

    def talk_parts(self) -> Iterator[Widget]:
        """The line that is typed, and what was said lately above it."""
        with Vertical(id="talk"):
            yield RowsWidget(id="talk-lines")
            yield Input(
                placeholder=self.words("talk.write"),
                max_length=SAID_LETTERS_MAX,
                select_on_focus=False,  # What was typed ahead of the focus is no selection.
                compact=True,
                disabled=True,
                id="talk-line",
            )

    async def relabel(self) -> None:
        """Say everything again, the line that is typed included."""
        await super().relabel()
        self.query_one("#talk-line", Input).placeholder = self.words("talk.write")
        self.draw_talk_line()

    @property
    def is_talking(self) -> bool:
        """Whether a line is being typed."""
        return self.has_class("-talking")

    @property
    def talk_rows(self) -> int:
        """The rows that talk takes beyond the one of the keys."""
        if self.bar:
            return len(self._bar_rows()) - 1
        return min(len(self._last_rows()), self._lines_max()) if self.is_talking else 0

    def _lines_max(self) -> int:
        return TYPING_LINES_MAX if self.size.height >= TYPING_ROWS_MIN else 0

    def _last_rows(self) -> list[Row]:
        lines = self.base_app.talk.lines[-TYPING_LINES_MAX:]
        return draw_talk(self.words, lines, self._me(), max(self.size.width - 4, 1))[
            -TYPING_LINES_MAX:
        ]

    @property
    def has_seat(self) -> bool:
        """Whether I have a seat here, as far as that is known."""
        return self.newest is None or self.newest.view.seat is not None

    def label_key(self, binding: KeyBinding) -> str:
        """No key of those who play where somebody looks on, nor one to talk where nobody hears."""
        if binding.is_for_seated and not self.has_seat:
            return ""
        is_talk = binding.name in ("talk", "react")
        return "" if is_talk and not self._is_heard() else super().label_key(binding)

    def _is_heard(self) -> bool:
        """Whether a person sits here with me, as far as that is known."""
        return self.newest is None or bool(listeners(self.newest))

    def _me(self) -> int | None:
        return self.newest.view.seat if self.newest else None

    def redraw(self) -> None:
        """Draw the table, which may have become lower or higher."""
        raise NotImplementedError

    def show_toast(self, sentence: str, seconds: float = SHORT_TOAST_S) -> None:
        """Say something over the table for a moment."""
        raise NotImplementedError

    # ---- what is heard ----

    def hear(self, said: SaidLine, *, is_beside: bool) -> None:
        """A line has come; `is_beside`: there is a panel for it beside the board."""
        if said.is_mine:
            self.said_now = None  # That is my answer to it.
        if not is_beside and not self.is_talking:
            self.said_now = said  # Mine too: nothing else shows that it was said.
            self.set_timer(SHOWN_S, lambda: self._show_keys(said))
        self.draw_talk_line()

    def _show_keys(self, said: SaidLine) -> None:
        if self.said_now is said:
            self.said_now = None
            self.draw_talk_line()

    def draw_talk_line(self) -> None:
        """The last line of the screen, and what stands above it while somebody types."""
        line, said = self.query_one(KeyLine), self.said_now
        line.styles.height = 1
        if self.bar:
            line.styles.height = len(self._bar_rows())
            line.show(lambda width: self._bar_rows())
        elif said is not None:
            key = next(each.key for each in bindings_of("table") if each.name == "talk")
            answer = self.words("talk.answer", name=key_name(key, self.base_app.is_ascii))
            answer = "" if said.is_mine else answer
            line.show(lambda width: newest_row(self.words, said, self._me(), width, answer))
        else:
            line.show_keys()
        rows = self._last_rows()[-self._lines_max() :] if self._lines_max() else []
        self.query_one("#talk-lines", RowsWidget).show(lambda width: rows)

    def _bar_rows(self) -> Sequence[Row]:
        texts = [text for text, _ in self.bar]
        return numbered_row(self.bar_title, texts, max(self.size.width - 2, 1))

    # ---- what is said ----

    def _may_talk(self) -> bool:
        why = why_nobody_hears(self.words, self.newest)
        if not self.base_app.settings.hears_talk:
            why = self.words("talk.off")
        if why:
            self.show_toast(why)
        return not why

    def action_talk(self) -> None:
        """Begin to type a line."""
        if self._may_talk():
            self._close_bar()
            self.add_class("-talking")
            line = self.query_one("#talk-line", Input)
            line.disabled = False
            line.focus()
            self.said_now = None
            self.redraw()
            self.draw_talk_line()

    def _say_line(self) -> None:
        """Say what was typed; an empty line only closes."""
        text = trimmed(self.query_one("#talk-line", Input).value)
        if text:
            self.base_app.send(SayLine(text))
        self.close_talk()

    def close_talk(self) -> None:
        """Back to the game."""
        line = self.query_one("#talk-line", Input)
        line.clear()
        line.disabled = True
        self.set_focus(None)
        self.remove_class("-talking")
        self._close_bar()
        self.redraw()

    # ---- reactions, muting ----

    def action_react(self) -> None:
        """Show the reactions, each under a number."""
        if self._may_talk():
            each = reactions(self.words)
            self._ask("talk.react", [(text, partial(self._react, it)) for it, text in each])

    def _react(self, reaction: Reaction) -> None:
        self.base_app.send(SayLine(reaction))

    def action_pause(self) -> None:
        """Stop the clocks for a pause that everybody sees; while there is one, let them run."""
        sign = next_sign(self.newest)
        if why := why_no_sign(self.words, self.newest, sign):
            self.show_toast(why)
        else:
            self.base_app.send(SayLine(sign))

    def action_mute(self) -> None:
        """Show the other persons, each under a number."""
        if self._may_talk():
            self._ask("talk.mute", [
                (self._mute_text(each), partial(self._mute, each))
                for each in listeners(self.newest)
            ])  # fmt: skip

    def _mute_text(self, each: Hearer) -> str:
        is_muted = self.base_app.talk.is_muted(each)
        return f"{each.name} ({self.words('talk.is_muted')})" if is_muted else each.name

    def _mute(self, each: Hearer) -> None:
        is_muted = self.base_app.talk.turn(each)
        self.said_now = None
        self.draw_talk_line()
        self.show_toast(mute_sentence(self.words, each.name, is_muted=is_muted))

    def _ask(self, title: str, choices: Sequence[tuple[str, Callable[[], object]]]) -> None:
        self.bar, self.bar_title = tuple(choices), self.words(title)
        self.redraw()
        self.draw_talk_line()

    def _close_bar(self) -> None:
        self.bar = ()
        self.draw_talk_line()

    def take_key(self, event: events.Key) -> bool:
        """A key that begins talk, or comes while somebody talks; whether it was one.

        Bindings are looked at only after the screen has seen a key, and whoever types fast is
        ahead of the focus: no letter of a line may pick a card.
        """
        if self.bar:
            self.action_number(event.character or "")
        elif self.is_talking and event.key == "enter":
            self._say_line()
        elif self.is_talking and event.is_printable and event.character:
            self.query_one("#talk-line", Input).insert_text_at_cursor(event.character)
        elif not self.is_talking and event.key in self._beginnings():
            self._beginnings()[event.key]()
        else:
            return False
        event.stop()
        return True

    def _beginnings(self) -> dict[str, Callable[[], object]]:
        """By key: what begins talk here."""
        begin = {"talk": self.action_talk, "react": self.action_react}  # No label is like these.
        return {
            each.key: begin[each.name] for each in bindings_of(self.where) if each.name in begin
        }

    def action_number(self, number: str) -> None:
        """Do what stands under a number; anything else closes the line."""
        chosen = dict(zip(map(str, range(1, len(self.bar) + 1)), self.bar, strict=True)).get(number)
        self._close_bar()
        self.redraw()
        if chosen is not None:
            chosen[1]()
            self.redraw()
