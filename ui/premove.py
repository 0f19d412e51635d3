"""A card or a place that is chosen while others think, and played as soon as its owner is asked.

Chess servers call it a premove.  Nobody hears of it before: it is given as late as a choice that
needs no thought, so its time tells no more than that.  It answers the next question of the owner's
own turn and no other; where it is not on offer by then, it is dropped, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable

from core.view import Offer
from ui.look import AheadPlace
from ui.picture import Picture, why_not
from ui.story import turn_of


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

    def turn(self, picture: Picture, number: int) -> bool:
        """Choose a hand card ahead, or no more; False: one cannot, as nobody else is to act."""
        face = picture.hand[number - 1].card.face
        if face is None or not may_premove(picture):
            return False
        before = self.face
        self.forget()
        self.face = "" if face == before else face
        return True

    def turn_place(self, picture: Picture, label: str) -> bool:
        """The same for a place of the board, where that means the same in every turn."""
        there = picture.look.ahead(picture.view).get(label)
        if there is None or not may_premove(picture):
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

    def named(self, picture: Picture) -> str:
        """What is chosen ahead, as the person knows it; empty where nothing is."""
        return picture.look.named(picture.words, self.face) if self.face else self.label

    def due(self, picture: Picture) -> Offer | None:
        """What answers the open question, if it was chosen ahead and is on offer."""
        if not (self.face or self.label) or not is_asked_in_own_turn(picture):
            return None
        numbers = [str(number) for number in self._numbers(picture)]
        notation = self._there.notation if self._there else ""
        chosen = (pick.offer for pick in picture.picks
                  if pick.label in numbers or pick.offer.text == notation)  # fmt: skip
        return next(chosen, None)

    def why_gone(self, picture: Picture, about: Callable[[Picture, str], str]) -> str:
        """Why what was chosen ahead cannot be done any more; empty while it can, or may yet.

        `about` tells what a place of the board is, and why it cannot be chosen.
        """
        words, numbers = picture.words, self._numbers(picture)
        name = self.named(picture)
        if not name or picture.view.is_over:
            return ""
        if self.face and not numbers:
            return words("premove.lost", what=name)
        if not is_asked_in_own_turn(picture) or self.due(picture) is not None:
            return ""
        why = why_not(picture, numbers[0]) if self.face else about(picture, self.place)
        return words("premove.gone", what=name, why=why)

    def _numbers(self, picture: Picture) -> list[int]:
        """The numbers of the hand cards with that face."""
        if not self.face:
            return []
        return [at for at, held in enumerate(picture.hand, 1) if held.card.face == self.face]


def may_premove(picture: Picture) -> bool:
    """Whether others are to act, and I am not."""
    view = picture.view
    return view.seat is not None and bool(view.to_act) and view.seat not in view.to_act


def is_asked_in_own_turn(picture: Picture) -> bool:
    """Whether I am to choose one thing, in my own turn where the game has turns."""
    view = picture.view
    is_own = turn_of(picture.news) in (None, view.seat)
    return picture.is_my_turn and is_own and picture.look.several(view) < 2
