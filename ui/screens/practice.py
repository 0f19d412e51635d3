"""A practice game on the table: from a position of a replay, against bots of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2p.session.commands import Choose
from p2p.session.news import TableChanged
from ui.draw.result import draw_result
from ui.key_bindings import textual_bindings
from ui.model.result import result
from ui.model.view_model import ViewModel
from ui.port import Explain, Explained, UiNews
from ui.replay.practice import BOT_LEVEL
from ui.screens.pages import Page
from ui.screens.table import TableScreen
from ui.terminal.spans import Row, Span
from ui.terminal.toasts import LONG_TOAST_S

if TYPE_CHECKING:
    from p2p.base.roster import DecisionPoint
    from ui.replay.practice import Practice


class PracticeScreen(TableScreen):
    """A table of one person; the bots think beside the node, where hints are thought as well."""

    where = "practice"
    BINDINGS = textual_bindings("practice")

    def __init__(self, practice: Practice) -> None:
        super().__init__()
        self._practice = practice
        self._asked: DecisionPoint | None = None  # What a bot is thinking about.
        self._is_waiting = False  # Nobody else answers at my table meanwhile.

    def begin(self) -> None:
        """Begin, whatever goes on at a table of others."""
        self.mark = self.words("practice.mark")
        self._is_waiting = (
            self.base_app.newest is not None and self.base_app.newest.silence is not None
        )
        self.show_toast(self.words("practice.begun"), LONG_TOAST_S)
        self._go_on()

    def on_unmount(self) -> None:
        """Nobody has to think any more."""
        self.forget_hint()
        if self._asked is not None:
            self.base_app.send(Explain(None))
        self.base_app.subscribers.pop(self.where, None)

    def receive(self, news: UiNews) -> None:
        """What a bot chose, or a hint; of a table of others, that they answer again."""
        if self._is_waiting and isinstance(news, TableChanged) and news.silence is None:
            self._is_waiting = False
            self.show_toast(self.words("practice.back"), LONG_TOAST_S)
        if not isinstance(news, Explained):
            return
        asked, choice = self._asked, news.explanation
        if asked is None:
            super().receive(news)
        elif (asked.event_count, asked.seat) == (news.entry, choice.seat):
            self._asked = None
            self._practice.act(asked.seat, choice.best)
            self._go_on()

    def give(self, choice: Choose) -> None:
        """My choice is made, and bots answer."""
        if choice.event_count == self._practice.entry and self._asked is None:
            self._practice.act(self._practice.me, choice.action)
            self._go_on()

    def _go_on(self) -> None:
        choice, shown = self.pending.hear(self._practice.news())
        self.show(shown)
        if choice is not None:
            self.give(choice)
            return
        self._asked = self._practice.asked()
        if self._asked is not None:
            self.base_app.send(Explain(self._asked, BOT_LEVEL))

    def _tell_outside(self, model: ViewModel, *, is_new: bool) -> None:
        """Nobody waits for me, and a table of mine may have its own title."""

    def _show_end(self, model: ViewModel) -> None:
        """Who has won, once."""
        if model.view.is_over and not self.is_end_shown:
            heading: list[Row] = [[Span(f" {result(model)}", "bold $text-accent")], []]
            title = self.words("practice.mark")
            self.app.push_screen(Page(title, lambda width: [*heading, *draw_result(model, width)]))
        self.is_end_shown = model.view.is_over
