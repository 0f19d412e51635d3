"""What the cards say, one under the other, and what the person has noted on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from core.errors import HostlessError
from ui.draw.texts import draw_card
from ui.key_bindings import textual_bindings
from ui.model.notes import NOTE_LETTERS_MAX
from ui.model.picks import OfferPick
from ui.model.view_model import ViewModel, readable_faces, view_model
from ui.screens.base import BaseScreen
from ui.screens.pages import READING_CELLS_MAX
from ui.screens.story import LINE_CELLS_MIN
from ui.widgets.options import Options


def picked_first(model: ViewModel, pick: OfferPick | None) -> list[str]:
    """Every card of this game that says something, what is picked first.

    It may stand anywhere in an offer, as in `make library 0`, where the end is a city.
    """
    words = pick.offer.text.split()[1:] if pick else []
    wanted = {word.partition(".")[0] for word in words if not word.isdigit()}
    return sorted(readable_faces(model), key=lambda face: face.rpartition(".")[2] not in wanted)


class TextsPage(BaseScreen):
    """The cards with a bar on one of them; enter or a click writes a note on that."""

    where = "texts"
    BINDINGS = [each for each in textual_bindings("texts") if getattr(each, "key", "") != "enter"]

    def __init__(
        self, model: ViewModel, pick: OfferPick | None, noted: Callable[[], object]
    ) -> None:
        """`noted` is called when a note has been written or taken away."""
        super().__init__()
        self._model, self._noted = model, noted
        self._faces = picked_first(model, pick)

    def parts(self) -> Iterator[Widget]:
        """A title, the cards, and the line in which a note is written."""
        yield Static(f" {self.words('texts.title')}", id="title")
        yield Options(id="tables")
        yield Input(
            placeholder=self.words("texts.write"),
            max_length=NOTE_LETTERS_MAX,
            select_on_focus=False,
            compact=True,
            disabled=True,
            id="note",
        )

    def on_mount(self) -> None:
        """The first card is under the bar."""
        super().on_mount()
        self.query_one(OptionList).focus()
        self.after_layout(self._fill, 0)

    def on_unmount(self) -> None:
        """Be told no more."""
        self.base_app.subscribers.pop(self.where, None)

    def _fill(self, under: int) -> None:
        cards = self.query_one(OptionList)
        width = min(max(self.size.width - 6, LINE_CELLS_MIN), READING_CELLS_MAX)
        drawn = [draw_card(self._model, face, width) for face in self._faces]
        cards.clear_options()
        cards.add_options(Option(self.content(rows)) for rows in drawn)
        if drawn:
            cards.highlighted = under

    def on_option_list_option_selected(self) -> None:
        """Begin to write."""
        self.action_write_note()

    def action_write_note(self) -> None:
        """Begin to write on the card under the bar; what stands there already can be changed."""
        at, line = self.query_one(OptionList).highlighted, self.query_one("#note", Input)
        if at is not None:
            self.add_class("-writing")
            line.disabled = False
            line.value = self._model.notes.get(self._faces[at], "")
            line.cursor_position = len(line.value)
            line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the note."""
        at = self.query_one(OptionList).highlighted or 0
        news, notes = self._model.news, self.base_app.notes
        try:
            notes.write(news.view.game, self._faces[at], event.value)
        except HostlessError as error:
            self.notify(str(error), markup=False)
        self._model = view_model(self.words, news, notes.of(news.view.game))
        self._close()
        self._fill(at)
        self._noted()

    def _close(self) -> None:
        self.remove_class("-writing")
        self.query_one("#note", Input).disabled = True
        self.query_one(OptionList).focus()

    def action_back(self) -> None:
        """Leave the line as it was; then close the page."""
        if self.has_class("-writing"):
            self._close()
        else:
            self.app.pop_screen()
