"""A card that is chosen while others think, and played as soon as its owner is asked.

Chess servers call it a premove.  Nobody hears of it before: it is given as late as a choice that
needs no thought, so its time tells no more than that.  It answers the next question of the owner's
own turn and no other; where the card is not on offer by then, it is dropped, and that is said.
"""

from __future__ import annotations

from core.view import Offer
from ui.picture import Picture, why_not
from ui.story import turn_of


class Premove:
    """What one person has chosen ahead at one table: a card of the hand, by its face."""

    def __init__(self) -> None:
        self.face = ""  # None is chosen.

    def turn(self, picture: Picture, number: int) -> bool:
        """Choose a hand card ahead, or no more; False: one cannot, as nobody else is to act."""
        face = picture.hand[number - 1].card.face
        if face is None or not may_premove(picture):
            return False
        self.face = "" if face == self.face else face
        return True

    def forget(self) -> None:
        """Nothing is chosen ahead any more."""
        self.face = ""

    def due(self, picture: Picture) -> Offer | None:
        """What answers the open question, if it was chosen ahead and is on offer."""
        if not self.face or not is_asked_in_own_turn(picture):
            return None
        numbers = [str(number) for number in self._numbers(picture)]
        return next((pick.offer for pick in picture.picks if pick.label in numbers), None)

    def why_gone(self, picture: Picture) -> str:
        """Why what was chosen ahead cannot be done any more; empty while it can, or may yet."""
        words, numbers = picture.words, self._numbers(picture)
        if not self.face or picture.view.is_over:
            return ""
        name = picture.look.named(words, self.face)
        if not numbers:
            return words("premove.lost", what=name)
        if is_asked_in_own_turn(picture) and self.due(picture) is None:
            return words("premove.gone", what=name, why=why_not(picture, numbers[0]))
        return ""

    def _numbers(self, picture: Picture) -> list[int]:
        """The numbers of the hand cards with that face."""
        return [at for at, held in enumerate(picture.hand, 1) if held.card.face == self.face]


def may_premove(picture: Picture) -> bool:
    """Whether others are to act, and I am not."""
    view = picture.view
    return view.seat is not None and bool(view.to_act) and view.seat not in view.to_act


def is_asked_in_own_turn(picture: Picture) -> bool:
    """Whether I am to choose one thing, in my own turn where the game has turns."""
    view = picture.view
    is_own = turn_of(picture.news.lines) in (None, view.seat)
    return picture.is_my_turn and is_own and picture.look.several(view) < 2
