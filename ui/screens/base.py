"""What all screens share: the app as they see it, its language, the line of keys.

`BaseApp` is the app as far as screens need it, so that no screen knows `ui.app` and its modes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias, cast

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from core.requests import Player
from p2p.net.announcements import TableAd
from p2p.net.people import Neighbor
from p2p.session.commands import JoinTable, OpenTable, Rematch, Resume, Watch
from p2p.session.news import Gathering, OwnGame, TableChanged

if TYPE_CHECKING:
    from ai.advice.win_probability import WinCurve

from ui.choices.unsent import UnsentNote
from ui.key_bindings import KeyBinding
from ui.language.error_texts import error_text
from ui.language.text import Words, load
from ui.lobby.own_games import awaited_at
from ui.model.notes import Notes
from ui.model.talk import TalkHeard
from ui.port import Learn, Port, UiCommand, UiNews
from ui.settings import Settings
from ui.terminal.breaking import break_lines_everywhere
from ui.terminal.driver import Outside
from ui.terminal.spans import Row, to_content
from ui.widgets.keys import KeyLine, usual_label_key
from ui.widgets.rows import RowsWidget

PageOver: TypeAlias = Literal["review", "rules"]  # What may be shown over a position at once.
WIDTH_MIN: Final = 56  # Cells.
HEIGHT_MIN: Final = 15  # Lines.


class BaseApp(App[int]):
    """What screens may know and ask for."""

    def __init__(
        self, port: Port, settings: Settings, name: str, games: Callable[[], Sequence[Path]]
    ) -> None:
        """`games` lists the game files of this machine, the newest first."""
        super().__init__()
        break_lines_everywhere()
        self.port = port
        self.settings = settings
        self.words = load(settings.language)
        self.subscribers: dict[str, BaseScreen] = {}  # Screens that are told the news.
        self.tables: tuple[TableAd, ...] = ()
        self.people: tuple[Neighbor, ...] = ()
        self.own_games: tuple[OwnGame, ...] = ()  # Of mine, at which others are now.
        self.knows_own_games = False  # The node has looked at the files.
        self.gathering: Gathering | None = None
        self.newest: TableChanged | None = None
        self.is_seated = False  # News of a table that was left are no longer of interest.
        self.is_sitting_down = False  # A table was asked for, and has not shown itself yet,
        self.is_asking_again = False  # and it is the one of before.
        self.is_learning = False  # This table is explained.
        self.is_going_on = False  # It is a game of before, and nothing was said of that yet.
        self.has_lobby = True  # Where one comes back to.
        self.awaits_bots = False  # I opened it, and bots of mine take all other seats.
        self.is_second = False  # Another program has this home open as well.
        self._told_title = ""
        self.is_alone: Callable[[], bool] = lambda: False  # Whether the machine has no network.
        self.courses: dict[Path, WinCurve] = {}  # How games went, as far as it was found out.
        self.talk = TalkHeard()
        self.notes, self.unsent = Notes(), UnsentNote()
        self.list_games = games
        self.person_name = name
        self.my_words = ""  # The four by which others know me; none where I have no key.

    @property
    def awaited(self) -> list[OwnGame]:
        """My games at which others wait for me while I sit somewhere else."""
        return awaited_at(self.own_games, None if self.newest is None else self.newest.path)

    @property
    def is_ascii(self) -> bool:
        """Whether drawings use ASCII only."""
        return self.settings.is_ascii

    def tell_outside(self, title: str, notice: str = "") -> None:
        """Tell whoever looks at another window: by the title, and by a notice if that is wanted."""
        is_asked = self.settings.has_notices and not self.app_focus
        driver: object = self._driver
        if isinstance(driver, Outside) and (title != self._told_title or notice):
            self._told_title = title
            driver.tell_outside(title, notice if is_asked else "")

    def send(self, command: UiCommand) -> None:
        """Ask the node for something."""
        if isinstance(command, OpenTable | JoinTable | Resume | Watch | Rematch):
            self.clear_notifications()  # What the lobby had to say is of no use there.
            self.is_seated = self.is_sitting_down = True
            self.is_learning = isinstance(command, Learn)
            self.is_going_on = isinstance(command, Resume)
            if not isinstance(command, Rematch):  # That is the table of before, once more.
                free = command.seats - 1 - command.bots if isinstance(command, OpenTable) else 1
                self.awaits_bots = not free
            self.talk.forget()
            self.is_asking_again = isinstance(command, Rematch)
        self.port.send(command)

    def show_help(self, where: str, signs: Sequence[Row] = ()) -> None:
        """Show every key, those of this screen first, and before them the signs of a board."""
        raise NotImplementedError

    def look_back(
        self, path: Path, position: int, seat: Player | None, page: PageOver | None = None
    ) -> None:
        """Show a position of a game file, as this seat saw it if that is known, and a page."""
        raise NotImplementedError

    def practise(self, path: Path, seat: Player | None) -> None:
        """Play on against bots in a seat, from where a game file ends."""
        raise NotImplementedError

    async def to_lobby(self) -> None:
        """Back to the first screen; what a left table still says is ignored."""
        raise NotImplementedError

    def show_settings(self) -> None:
        """Ask for language, colours, characters, over whatever is shown."""
        raise NotImplementedError

    async def use_settings(self, settings: Settings, name: str) -> None:
        """Use new settings at once and keep them; the name is for the next start."""
        raise NotImplementedError

    def show_error(self, error: Exception) -> None:
        """Say what went wrong above whatever is shown, in the person's language."""
        self.notify(error_text(self.words, error), markup=False)


class BaseScreen(Screen[None]):
    """A screen of the program.  Subclasses give `where` and `parts`."""

    where: ClassVar[str] = "page"
    HORIZONTAL_BREAKPOINTS = [
        (0, "-narrow"),
        (WIDTH_MIN, "-small"),
        (78, "-normal"),
        (110, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (HEIGHT_MIN, "-low"), (22, "-tall")]

    @property
    def base_app(self) -> BaseApp:
        """The app, as what it is."""
        return cast("BaseApp", self.app)

    @property
    def words(self) -> Words:
        """Every sentence, in the person's language."""
        return self.base_app.words

    def compose(self) -> ComposeResult:
        """The parts, in a body that disappears where there is no room for it."""
        yield Static(self._too_small(self.app.size), id="too-small")
        with Vertical(id="body"):
            yield from self.parts()
        yield KeyLine(self.words, self.where, is_ascii=self.base_app.is_ascii, said=self.label_key)

    def label_key(self, binding: KeyBinding) -> str:
        """By which sentence the line of keys shows an action now; empty where it means nothing."""
        return usual_label_key(binding)

    def show_keys(self) -> None:
        """Draw the line of keys: what they mean may have changed."""
        for line in self.query(KeyLine):
            line.show_keys()

    def parts(self) -> Iterator[Widget]:
        """What the screen is made of."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Subscribe: from now on the app tells this screen what the node says."""
        self.base_app.subscribers[self.where] = self
        self.set_class(self.base_app.is_ascii, "-ascii")
        self.update_classes(self.sized(self.app.size), animate=False)

    def sized(self, size: Size) -> dict[str, bool]:
        """The classes of a size, before Textual sets them: else the first layout is for nothing."""
        classes = dict[str, bool]()
        steps = (self.HORIZONTAL_BREAKPOINTS or (), self.VERTICAL_BREAKPOINTS or ())
        for cells, ends in zip(size, steps, strict=True):
            reached = max((end for end, _ in ends if end <= cells), default=0)
            classes |= {name: end == reached for end, name in ends}
        return classes

    def content(self, rows: Sequence[Row]) -> Content:
        """Rows as an option of a list shows them, in this theme and in the signs there are."""
        is_light = not self.app.current_theme.dark
        return to_content(rows, is_light=is_light, is_ascii=self.base_app.is_ascii)

    def receive(self, news: UiNews) -> None:
        """News from the node; most screens need not care."""

    async def relabel(self) -> None:
        """Say everything again, in the language and with the signs there are now."""
        self.set_class(self.base_app.is_ascii, "-ascii")
        self.query_one("#too-small", Static).update(self._too_small(self.size))
        for line in self.query(KeyLine):
            line.speak(self.words, is_ascii=self.base_app.is_ascii)
            line.show_keys()
        for widget in self.query(RowsWidget):
            widget.draw_anew()

    def after_layout(self, show: Callable[..., object], *arguments: object) -> None:
        """Call this once the layout knows what has changed; not if this screen is left by then."""
        self.call_after_refresh(self._while_here, show, *arguments)

    def _while_here(self, show: Callable[..., object], *arguments: object) -> None:
        if self.display:  # Not while it is taken away: its parts go first.
            show(*arguments)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the sentence for tiny terminals up to date; a new one lays the whole screen out."""
        shown, sentence = self.query_one("#too-small", Static), self._too_small(event.size)
        if shown.content != sentence:
            shown.update(sentence)

    def _too_small(self, size: Size) -> str:
        least = {"width_min": WIDTH_MIN, "height_min": HEIGHT_MIN}
        return self.words("app.too_small", width=size.width, height=size.height, **least)

    def action_help(self) -> None:
        """Show every key."""
        self.base_app.show_help(self.where)

    def action_settings(self) -> None:
        """Language, colours, characters."""
        self.base_app.show_settings()

    def action_quit_program(self) -> None:
        """End the program; the node says goodbye by itself."""
        self.app.exit(0)

    def action_back(self) -> None:
        """Close this screen."""
        self.app.pop_screen()
