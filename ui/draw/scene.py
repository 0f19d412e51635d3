"""What a board is drawn from, and what a board of a game gives: pure functions of a scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.requests import Player
from core.view import View
from p2p.session.news import SaidLine
from ui.draw.marks import seat_style
from ui.draw.panels import Light
from ui.language.text import Words
from ui.model.picks import OfferPick
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row

SIDE_CELLS: Final = 100  # From this width on there is a column of facts beside the board.
BROAD_CELLS: Final = 160
TINY_ROWS: Final = 20  # Below, a card is a line.
LOW_SCREEN_ROWS: Final = 24  # Below, a row that says little is left out.
ROOMY_ROWS: Final = 30


@dataclass(frozen=True, slots=True)
class Scene:
    """A view model, what the person has picked and begun to type, and the size of the screen."""

    model: ViewModel
    picked: tuple[str, ...] = ()
    typed: str = ""  # The beginning of a label.
    width: int = 80
    height: int = 24
    talk: tuple[SaidLine, ...] = ()  # What was said at the table.
    can_take_back: bool = False  # Whether my last choice is still on this machine alone.
    note: str = ""  # What the bar says beside the question,
    soon: str = ""  # and in place of what is picked, where that is sent by itself.
    lesson: tuple[str, ...] = ()  # What is explained in a first game, the question first.
    mark: str = ""  # What stands where others read what was proven.
    sign: str = ""  # What moves before the bar while a bot thinks.
    waited: str = ""  # For how long somebody else has been waited for.
    read: str = ""  # What can be read only and is under the cursor, as in `about:35`.

    @property
    def words(self) -> Words:
        """The sentences of the person's language."""
        return self.model.words

    @property
    def view(self) -> View:
        """What the person may see."""
        return self.model.view

    @property
    def has_side(self) -> bool:
        """Whether there is a column beside the board; what it says must not be lost without it."""
        return self.width >= SIDE_CELLS

    @property
    def is_broad(self) -> bool:
        """Whether there is width for more text on everything."""
        return self.width >= BROAD_CELLS

    @property
    def is_tiny(self) -> bool:
        """Whether a card has to be a line."""
        return self.height < TINY_ROWS

    @property
    def is_low(self) -> bool:
        """Whether every row counts."""
        return self.height < LOW_SCREEN_ROWS

    @property
    def is_roomy(self) -> bool:
        """Whether rows need not be counted."""
        return self.height >= ROOMY_ROWS

    @property
    def cursor(self) -> str:
        """The label that was picked last."""
        return self.picked[-1] if self.picked else ""

    def pick_of(self, notation: str) -> OfferPick | None:
        """The pick of an offer by its notation, where it is offered now."""
        picks = self.model.picks
        return next((pick for pick in picks if pick.offer.text == notation), None)

    def light_of(self, label: str) -> Light:
        """How a card with this label is lit now."""
        if label and label in self.picked:
            return Light.CHOSEN
        return Light.LEGAL if self.model.pick(label) else Light.QUIET

    def name_of(self, seat: Player) -> str:
        """What a seat is called here: mine is `you`."""
        return self.words("board.you") if seat == self.view.seat else self.model.seats[seat].name

    def of_seat(self, key: str, seat: Player, **parts: object) -> str:
        """A sentence about a seat; about mine it is another one, whose key ends with `_me`."""
        if seat == self.view.seat:
            return self.words(f"{key}_me", **parts)
        return self.words(key, name=self.model.seats[seat].name, **parts)

    def style_of(self, seat: Player) -> str:
        """The colour of a seat's name."""
        return seat_style(seat, self.view.seat)


class Column(NamedTuple):
    """What stands above the prompt, and below it: the hand and the choices."""

    above: Sequence[Row]
    below: Sequence[Row]


class GameBoard(NamedTuple):
    """How one game is drawn; every function gets the scene, and the cells and rows there are."""

    column: Callable[[Scene, int, int], Column]
    side: Callable[[Scene, int], Sequence[Row]]  # Panels; the story takes the rest.
    status: Callable[[ViewModel], str]  # Where in the game we are, for the first line.
    legend: Callable[[ViewModel], Sequence[Row]]  # Every sign of the board, explained.
    # What a place of the board is, for somebody who clicks on it; empty: it is no such place.
    about: Callable[[ViewModel, str], str] = lambda model, place: ""
    # Whether a place that is read shows the cursor on the board, and what it is stands below.
    has_cursor: Callable[[str], bool] = lambda place: False
