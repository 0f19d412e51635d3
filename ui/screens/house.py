"""What every screen has: the language, the line of keys, and the sentence for tiny terminals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from ui.port import Answered
from ui.text import Words
from ui.widgets.keys import KeyLine

if TYPE_CHECKING:
    from ui.app import HostlessApp

WIDTH_MIN: Final = 56  # Cells.
HEIGHT_MIN: Final = 15  # Lines.


class HouseScreen(Screen[None]):
    """A screen of the house.  Subclasses give `where` and `parts`."""

    where: ClassVar[str] = "page"
    HORIZONTAL_BREAKPOINTS = [
        (0, "-narrow"),
        (WIDTH_MIN, "-small"),
        (78, "-normal"),
        (110, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (HEIGHT_MIN, "-low"), (22, "-tall")]

    @property
    def house(self) -> HostlessApp:
        """The app, as what it is."""
        return cast("HostlessApp", self.app)

    @property
    def words(self) -> Words:
        """Every sentence, in the person's language."""
        return self.house.words

    def compose(self) -> ComposeResult:
        """The parts, in a body that disappears where there is no room for it."""
        yield Static(id="too-small")
        with Vertical(id="body"):
            yield from self.parts()
        yield KeyLine(self.words, self.where, is_ascii=self.house.is_ascii)

    def parts(self) -> Iterator[Widget]:
        """What the screen is made of."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Be on the stage: from now on the app tells this screen what the node says."""
        self.house.stage[self.where] = self
        self.set_class(self.house.is_ascii, "-ascii")

    def hear(self, news: Answered) -> None:
        """News from the node; most screens need not care."""

    async def relabel(self) -> None:
        """Say everything again, in the language there is now."""
        await self.recompose()

    def on_resize(self, event: events.Resize) -> None:
        """Keep the sentence for tiny terminals up to date."""
        width, height = event.size
        sentence = self.words(
            "app.too_small", width=width, height=height, width_min=WIDTH_MIN, height_min=HEIGHT_MIN
        )
        self.query_one("#too-small", Static).update(sentence)

    def action_help(self) -> None:
        """Show every key."""
        from ui.screens.pages import help_page

        self.app.push_screen(help_page(self.words, self.house.is_ascii))

    def action_quit_program(self) -> None:
        """End the program; the node says goodbye by itself."""
        self.app.exit(0)

    def action_back(self) -> None:
        """Close this screen."""
        self.app.pop_screen()
