"""The choices that cost a seat most: found while one waits, each of them a way to its moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from core.requests import Player
from ui.key_bindings import KeyBinding, textual_bindings
from ui.port import Explain, Review, Reviewed, UiNews
from ui.replay.recording import Recording
from ui.replay.review import choices_to_review, costly_sentence, review_title
from ui.screens.base import BaseScreen
from ui.widgets.options import Options

if TYPE_CHECKING:
    from ai.review import CostlyChoice, MadeChoice


class ReviewScreen(BaseScreen):
    """How far the search is, then what it has found; enter or a click shows the moment."""

    where = "review"
    BINDINGS = [each for each in textual_bindings("review") if getattr(each, "key", "") != "enter"]

    def __init__(self, recording: Recording, seat: Player, jump: Callable[[int], object]) -> None:
        """`jump` shows the position after so many events."""
        super().__init__()
        self._recording, self._seat, self._jump = recording, seat, jump
        self._shown = recording.positions[-1]
        self._costly: tuple[CostlyChoice, ...] | None = None  # Not found yet.

    def parts(self) -> Iterator[Widget]:
        """A title, the choices, and how far it is."""
        title = review_title(self.words, self._shown, self._seat)
        yield Static(Content(f" {title}"), id="title")
        yield Options(id="tables")
        yield Static(self.words("review.begun"), id="hint")

    def label_key(self, binding: KeyBinding) -> str:
        """Nothing leads anywhere as long as nothing was found."""
        is_idle = binding.name == "jump" and not self._costly
        return "" if is_idle else super().label_key(binding)

    def on_mount(self) -> None:
        """Think about everything that the seat chose."""
        super().on_mount()
        self.query_one(OptionList).focus()
        self.run_worker(self._gather, thread=True, exclusive=True)

    def on_unmount(self) -> None:
        """Nobody wants to know any more."""
        if self._costly is None:
            self.base_app.send(Explain(None))
        self.base_app.subscribers.pop(self.where, None)

    def _gather(self) -> None:
        """Play the game once more, beside the loop."""
        choices = choices_to_review(self._recording, self._seat)
        self.app.call_from_thread(self._ask, choices)

    def _ask(self, choices: tuple[MadeChoice, ...]) -> None:
        if self.is_attached:
            self.base_app.send(Review(choices))

    def receive(self, news: UiNews) -> None:
        """How far it is, and what was found."""
        if not isinstance(news, Reviewed) or self._costly is not None:
            return
        hint = self.query_one("#hint", Static)
        self._costly = news.costly
        if news.costly is None:
            hint.update(self.words("review.thinking", done=news.done, steps=news.steps))
            return
        hint.update(self.words("review.found" if news.costly else "review.none"))
        told = (costly_sentence(self.words, self._shown, each) for each in news.costly)
        options = self.query_one(OptionList)
        options.add_options(Option(Content(line)) for line in told)
        options.action_first()
        self.show_keys()

    def action_jump(self) -> None:
        """Show the choice under the bar."""
        self.query_one(OptionList).action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Show the position at which this was chosen."""
        assert self._costly is not None, "there is a line to select"
        choice = self._costly[event.option_index]
        self.app.pop_screen()
        self._jump(choice.entry)
