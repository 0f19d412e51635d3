"""Reading whatever lies on a table, also what cannot be chosen: a cursor of its own, and pages."""

from __future__ import annotations

from collections.abc import Iterator

from ui.draw.frame import Frame, board_of, legend
from ui.draw.panels import ABOUT
from ui.draw.places import neighbor, places_of
from ui.model.view_model import ViewModel
from ui.model.why_not import why_no_ware
from ui.screens import pages
from ui.screens.teaching import TeachingScreen
from ui.terminal.toasts import LONG_TOAST_S


def what_is_said(model: ViewModel, face: str) -> str:
    """Of a place of the board by its name there, or of a card by its face."""
    if place := board_of(model).about(model, face):
        return place
    keys = model.look.texts(model.view.options, face)
    text = model.words.in_a_row(model.words(key) for key in keys)
    said = f"{model.look.named(model.words, face)}: {text}"
    return model.words.in_a_row([why_no_ware(model, face), said])


class ReadingScreen(TeachingScreen):
    """A screen of a table on which everything can be read without a mouse."""

    frame: Frame | None  # As it was drawn last.

    def __init__(self) -> None:
        super().__init__()
        self.read = ""  # What the cursor is on where that cannot be chosen, as in `about:35`.
        self.named = ""  # What was typed of the name of a place that cannot be chosen, as in `k1`.

    def tell_about(self, place: str) -> None:
        """Say what a card says, or what a place of the board is, that cannot be picked now."""
        if self.model is not None:
            self.show_toast(what_is_said(self.model, place.removeprefix(ABOUT)), LONG_TOAST_S)

    def tell_about_rest(self, character: str) -> bool:
        """Say why a place cannot be chosen whose name goes on with this; whether one is called so.

        Its beginning was typed before: `k`, then `1`, then `4`.
        """
        for begun in filter(None, (self.named, self.typed)):
            if self._tell_about_name(begun + character):
                self.named = begun + character
                return True
        return False

    def tell_about_key(self, character: str) -> bool:
        """Say why what has this key cannot be chosen now; whether anything has it.

        No place is called by a number alone.
        """
        self.named, self.typed = character, ""
        return not character.isdigit() and self._tell_about_name(character)

    def _tell_about_name(self, name: str) -> bool:
        said = board_of(self.model).about(self.model, name) if self.model else ""
        if said:
            self.show_toast(said, LONG_TOAST_S)
        return bool(said)

    @property
    def marked(self) -> str:
        """What the board marks that cannot be chosen now: what is read, or chosen for my turn."""
        place = self.premove.place
        return self.read or (f"{ABOUT}{place}" if place else "")

    def premove_or_tell(self, place: str) -> None:
        """A click on what cannot be chosen now chooses it for my turn while others think."""
        label, model = place.removeprefix(ABOUT), self.model
        if self.is_played and model and self.premove.turn_place(model, label):
            self.redraw()
        else:
            self.tell_about(place)

    def action_read(self, direction: str) -> None:
        """Go to what lies nearest in a direction, whether it can be chosen or only read."""
        if self.model is None or self.frame is None:
            return
        places = places_of(self.frame, set(self._readable(self.frame)))
        here = next((each for each in (self.read, self.picked) if each in places), "")
        there = neighbor(places, here, direction) if here else self._first(list(places))
        if there.startswith(ABOUT):
            self.pick_alone("")
            self.read = there
            self.redraw()
            if not board_of(self.model).has_cursor(there):
                self.tell_about(there)
        elif there:
            self.pick_alone(there)

    def _readable(self, frame: Frame) -> Iterator[str]:
        """Whatever is drawn and can be chosen or read."""
        assert self.model is not None, "nothing is drawn without a view model"
        for row in (*frame.board, *frame.prompt, *frame.hand, *frame.side):
            for span in row:
                hot = span.hot.partition(",")[0]
                if hot.startswith(ABOUT) or self.model.pick(hot):
                    yield hot

    def _first(self, places: list[str]) -> str:
        """Where the cursor begins: at what can be chosen, else at what stands first."""
        assert self.model is not None, "nothing is drawn without a view model"
        chosen = [each for each in places if self.model.pick(each)]
        return next(iter(chosen or places), "")

    # ---- pages over the table ----

    def action_pile(self) -> None:
        """The discard pile, card by card (it may be searched at any time)."""
        if self.model:
            self.app.push_screen(pages.pile_page(self.model))

    def action_fairness(self) -> None:
        """What was proven, and what would be caught."""
        if self.model:
            self.app.push_screen(pages.FairnessPage(self.model))

    def action_help(self) -> None:
        """The signs of this board, and every key."""
        model = self.model
        self.base_app.show_help(self.where, legend(model) if model else ())

    def action_rules(self) -> None:
        """The rules of the game."""
        if self.model:
            self.app.push_screen(pages.RulesScreen(self.model.view.game, self.model))
