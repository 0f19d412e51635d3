"""A card or a place that is chosen while others think, and played as soon as its owner is asked.

Chess servers call it a premove.  Nobody hears of it before: it is given as late as a choice that
needs no thought, so its time tells no more than that.  It answers the next question of the owner's
own turn and no other; where it is not on offer by then, or something else lies on the place, it is
dropped, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable

from core.view import Offer
from ui.look import AheadPlace
from ui.model.story import turn_of
from ui.model.view_model import ViewModel
from ui.model.why_not import why_not


class Premove:
    """What one person has chosen ahead at one table: a card of the hand by its face, or a place."""

    def __init__(self) -> None:
        self.face = ""  # None is chosen.
        self.label = ""  # Of a place of the board, as it is typed,
        self._there: AheadPlace | None = None  # and what is done where.

    @property
    def place(self) -> str:
        """The place of the board that is chosen ahead; empty where none is."""
        return self._there.place if self._there else ""

    def turn(self, model: ViewModel, number: int) -> bool:
        """Choose a hand card ahead, or no more; False: one cannot, as nobody else is to act."""
        face = model.hand[number - 1].card.face
        if face is None or not may_premove(model):
            return False
        before = self.face
        self.forget()
        self.face = "" if face == before else face
        return True

    def turn_place(self, model: ViewModel, label: str) -> bool:
        """The same for a place of the board, where that means the same in every turn."""
        there = ahead_place(model, label)
        if there is None or not may_premove(model):
            return False
        before = self.label
        self.forget()
        if label != before:
            self.label, self._there = label, there
        return True

    def forget(self) -> None:
        """Nothing is chosen ahead any more."""
        self.face = self.label = ""
        self._there = None

    def named(self, model: ViewModel) -> str:
        """What is chosen ahead, as the person knows it; empty where nothing is."""
        return model.look.named(model.words, self.face) if self.face else self.label

    def due(self, model: ViewModel) -> Offer | None:
        """What answers the open question, if it was chosen ahead and is on offer."""
        is_asked = is_asked_in_own_turn(model) and not lies_another(model, self._there)
        if not (self.face or self.label) or not is_asked:
            return None
        numbers = [str(number) for number in self._numbers(model)]
        notation = self._there.notation if self._there else ""
        chosen = (pick.offer for pick in model.picks
                  if pick.label in numbers or pick.offer.text == notation)  # fmt: skip
        return next(chosen, None)

    def why_gone(self, model: ViewModel, about: Callable[[ViewModel, str], str]) -> str:
        """Why what was chosen ahead cannot be done any more; empty while it can, or may yet.

        `about` tells what a place of the board is, and why it cannot be chosen.
        """
        words, numbers = model.words, self._numbers(model)
        name = self.named(model)
        if not name or model.view.is_over:
            return ""
        if self.face and not numbers:
            return words("premove.lost", what=name)
        if lies_another(model, self._there):
            return words("premove.another", what=name)
        if not is_asked_in_own_turn(model) or self.due(model) is not None:
            return ""
        why = why_not(model, numbers[0]) if self.face else about(model, self.place)
        return words("premove.gone", what=name, why=why)

    def _numbers(self, model: ViewModel) -> list[int]:
        """The numbers of the hand cards with that face."""
        if not self.face:
            return []
        return [at for at, held in enumerate(model.hand, 1) if held.card.face == self.face]


class TypedPremove:
    """The same in lines of text: the choice as it was typed."""

    def __init__(self) -> None:
        self._typed = ""  # None is chosen.
        self._there: AheadPlace | None = None  # What it names, where that is a place of the board.

    def keep(self, model: ViewModel, typed: str) -> str:
        """Choose ahead, or nothing any more; what is said of it.

        A number is refused: it names a place in a list that is not there yet.
        """
        if not may_premove(model):
            return model.words("premove.none")
        if typed[:1].isdigit():
            return model.words("premove.number")
        self._typed, self._there = typed, ahead_place(model, typed)
        return model.words("premove.typed" if typed else "premove.nothing", what=typed)

    def dropped(self, model: ViewModel) -> list[str]:
        """That it is dropped, once something else lies on the place."""
        if not lies_another(model, self._there):
            return []
        typed, self._typed, self._there = self._typed, "", None
        return [model.words("premove.another", what=typed)]

    def take(self, model: ViewModel) -> str:
        """What was typed, once it is asked for, and no second time; else nothing."""
        if not self._typed or not is_asked_in_own_turn(model):
            return ""
        typed, self._typed, self._there = self._typed, "", None
        return typed


def ahead_place(model: ViewModel, typed: str) -> AheadPlace | None:
    """The place of the board that is chosen ahead by its label, or by what is done there."""
    places = model.look.ahead(model.view)
    by_notation = {place.notation: place for place in places.values()}
    return places.get(typed) or by_notation.get(typed)


def lies_another(model: ViewModel, there: AheadPlace | None) -> bool:
    """Whether something else lies on the place than when it was chosen."""
    now = ahead_place(model, there.notation) if there else None
    return bool(now and there and now.face != there.face)


def may_premove(model: ViewModel) -> bool:
    """Whether others are to act, and I am not."""
    view = model.view
    return view.seat is not None and bool(view.to_act) and view.seat not in view.to_act


def is_asked_in_own_turn(model: ViewModel) -> bool:
    """Whether I am to choose one thing, in my own turn where the game has turns."""
    view = model.view
    is_own = turn_of(model.news) in (None, view.seat)
    return model.is_my_turn and is_own and model.look.several(view) < 2
