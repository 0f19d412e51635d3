"""A first game on the screen: what it is about on a page, then a commentary beside the table."""

from __future__ import annotations

from ui.model.view_model import ViewModel
from ui.screens.answering import AnsweringScreen


class TeachingScreen(AnsweringScreen):
    """A screen of a table that can be explained."""

    def __init__(self) -> None:
        super().__init__()
        self.lesson: tuple[str, ...] = ()  # What is explained now.
        self.is_goal_told = False
        self._said_small = ""  # What was said over a table that has no rows for it.

    def teach(self, model: ViewModel) -> None:
        """Explain this moment, if that is wanted here."""
        self.lesson = ()
        if not (self.base_app.is_learning or self.base_app.is_going_on):
            return
        from ui.model.lesson import is_like_a_first_game, lesson_texts  # Few games are first ones.

        if self.base_app.is_going_on:
            self.base_app.is_going_on = False
            if is_like_a_first_game(model):
                self.show_toast(self.words("lesson.again"))
        if not self.base_app.is_learning:
            return

        self.lesson = lesson_texts(model)
        if not self.is_goal_told:
            self.is_goal_told = True
            self._show_goal(model)

    def unsaid_lesson(self, *, is_tiny: bool) -> str:
        """What is to be said over the table of a very small screen, which has no rows for it."""
        text, before = " ".join(self.lesson[:1]), self._said_small
        self._said_small = text
        return text if is_tiny and text != before else ""

    def _show_goal(self, model: ViewModel) -> None:
        from ui.model.lesson import goal_texts
        from ui.screens.pages import GoalPage

        texts, game = goal_texts(model.words, model.view.game), model.view.game
        if texts:
            self.app.push_screen(GoalPage(self.words, game, texts))

    def action_explain(self) -> None:
        """Explain this table from now on, or no more."""
        model = self.model
        if model is None:
            return
        self.base_app.is_learning = not self.base_app.is_learning
        self.is_goal_told = False
        self.teach(model)
        key = "on" if self.base_app.is_learning else "off"
        if self.base_app.is_learning and not self.lesson:
            key = "none"
        self.redraw()
        self.show_toast(self.words(f"lesson.{key}"))
