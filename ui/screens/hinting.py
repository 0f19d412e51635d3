"""Hints at a table: asked for by one key, thought elsewhere, and shown where they hide least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2p.session.news import TableChanged
from ui.draw.frame import Frame
from ui.draw.scene import TINY_ROWS
from ui.model.view_model import ViewModel
from ui.port import Explain, Explained
from ui.screens.reading import ReadingScreen
from ui.widgets.hint import draw_hint
from ui.widgets.rows import RowsWidget

if TYPE_CHECKING:
    from ai.advice.explain import Explanation
    from p2p.base.roster import DecisionPoint

PANEL_CELLS: Final = 52
PANEL_ROWS: Final = 7  # Over the board, at most; the same key shows all.
TINY_PANEL_ROWS: Final = 5


class HintingScreen(ReadingScreen):
    """A screen of a table at which one can ask what a good bot would do."""

    def __init__(self) -> None:
        super().__init__()
        self.hinted_count = -1  # The choice that a hint was asked for; -1: none is on the screen.
        self.explanation: Explanation | None = None  # The hint, once it has been thought ...
        self.is_first_look = False  # ... or, as long as it is being thought, a quick one.
        self.thought_s = 0  # For how long it has been thought about.

    @property
    def is_thinking(self) -> bool:
        """Whether a hint was asked for that is not there yet."""
        return self.hinted_count >= 0 and (self.explanation is None or self.is_first_look)

    def action_hint(self) -> None:
        """Ask what search thinks of my choice; once it has said, show all of it."""
        model, turn = self.model, self._turn()
        if model is None or turn is None:
            self.show_toast(self.words("hint.none"))
        elif self.explanation is not None:
            from ui.screens.pages import hint_page

            self.app.push_screen(hint_page(model, self.explanation, self.is_first_look))
        elif self.hinted_count != model.news.event_count:
            self.hinted_count, self.thought_s = model.news.event_count, 0
            self.base_app.send(Explain(turn))
            self.redraw()

    def _turn(self) -> DecisionPoint | None:
        """The choice to think about."""
        model = self.model
        return model.news.turn if model and model.is_my_turn else None

    def hear_hint(self, news: Explained) -> None:
        """A hint has been thought, perhaps for a choice that is gone."""
        if news.entry == self.hinted_count:
            self.explanation, self.is_first_look = news.explanation, news.is_first_look
            self.redraw()

    def forget_hint(self) -> None:
        """The choice has gone, or nobody wants to know any more: think about it no further."""
        if self.hinted_count >= 0:
            if self.is_thinking:
                self.base_app.send(Explain(None))
            self.hinted_count, self.explanation, self.is_first_look = -1, None, False

    def forget_old_hint(self, news: TableChanged) -> None:
        """Not the hint for the choice that is open still."""
        if news.event_count != self.hinted_count or not news.view.offers:
            self.forget_hint()

    def draw_hint_panel(self, model: ViewModel, frame: Frame) -> None:
        """Over what happened, where that has a column; else just above what is asked."""
        self.set_class(self.hinted_count >= 0, "-hinted")
        if self.hinted_count < 0:
            return  # What has no width would be laid out again, and all beside it, at each press.
        panel = self.query_one("#hint-panel", RowsWidget)
        explanation, seconds = self.explanation, self.thought_s if self.is_thinking else None
        cells = frame.side_width or min(PANEL_CELLS, self.size.width)
        below = 0 if frame.side_width else len(frame.prompt) + len(frame.hand)
        panel.styles.width = cells
        panel.styles.margin = (0, 0, below, self.size.width - cells)
        rows_max = TINY_PANEL_ROWS if self.size.height < TINY_ROWS else PANEL_ROWS
        rows_max = self.size.height // 2 if frame.side_width else rows_max
        panel.show(lambda width: draw_hint(model, explanation, width, rows_max, seconds))
