"""The screen: it shows what the node tells and sends what the person asks, and decides nothing."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.driver import Driver
from textual.filter import Monochrome, NoColor
from textual.message import Message
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender

from core.errors import HostlessError
from core.requests import Player
from p2p.session.commands import CLOCK_SIGNS, BeSeen, Browse
from p2p.session.news import (
    Accused,
    BotEnded,
    Elsewhere,
    Gathering,
    Notice,
    OwnGame,
    OwnGames,
    PeopleSeen,
    SaidLine,
    TableChanged,
    TablesSeen,
)
from ui.choices.asked_back import answer, is_asked
from ui.key_bindings import bindings_of, key_name, use_keymap
from ui.language.text import load
from ui.model.talk import said_sentence
from ui.port import Port, Reviewed, UiCommand, UiNews, WinCurveTraced
from ui.process.fault import is_fault
from ui.screens.base import BaseApp, BaseScreen, PageOver
from ui.screens.lobby import LobbyScreen
from ui.screens.search import KeySearch
from ui.settings import Settings
from ui.terminal.console import filters_for
from ui.terminal.driver import lasting
from ui.terminal.spans import Row
from ui.terminal.stylesheet import LastingStylesheet
from ui.terminal.themes import HOUSE, for_terminal, palette
from ui.terminal.toasts import NEWS_TOAST_S, READ_CELLS_PER_S


class BlankEnds(ScrollBarRender):
    """A bar to scroll by whose ends are whole cells, without signs that are no ASCII."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * len(ScrollBarRender.VERTICAL_BARS)
    HORIZONTAL_BARS = VERTICAL_BARS


class NewsMessage(Message):
    """News from the node on the way to the screen; a newer table replaces an older one."""

    def __init__(self, news: UiNews) -> None:
        super().__init__()
        self.news = news

    def can_replace(self, message: Message) -> bool:
        """Whether `message`, still in the queue, is older news of the same kind."""
        return (
            isinstance(message, NewsMessage)
            and type(self.news) is type(message.news)
            and isinstance(self.news, TableChanged | TablesSeen | PeopleSeen | OwnGames | Reviewed)
        )


# These are imported when they are first needed: the first paint is the lobby.


def _gathering_screen() -> BaseScreen:
    from ui.screens.gathering import GatheringScreen

    return GatheringScreen()


def _table_screen() -> BaseScreen:
    from ui.screens.table import TableScreen

    return TableScreen()


class HostlessApp(BaseApp):
    """Lobby, tables, replays: a mode each."""

    CSS_PATH = "app.tcss"
    TITLE = "hostless"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        "lobby": LobbyScreen,
        "gathering": _gathering_screen,
        "table": _table_screen,
    }
    DEFAULT_MODE = "lobby"
    BINDINGS = [Binding("ctrl+z", "suspend_process", show=False)]

    def __init__(
        self,
        port: Port,
        settings: Settings,
        *,
        first: UiCommand | None = None,
        keep: Callable[[Settings, str], object] = lambda settings, name: None,
        name: str = "",
        games: Callable[[], Sequence[Path]] = tuple,
        opening: Callable[[], Screen[Any]] | None = None,
        admit: Callable[[BaseException], Sequence[str]] | None = None,
    ) -> None:
        """`first` is sent as soon as there is a screen; `keep` writes settings and `name`.

        `games` lists the game files of this machine, the newest first; `opening` makes a screen
        to begin with instead of the lobby; `admit` says what to read about a fault of ours.
        """
        super().__init__(port, settings, name, games)
        self.register_theme(HOUSE)
        self.set_reactive(App.theme, settings.theme)  # No style is parsed for another one first.
        self.stylesheet = LastingStylesheet(self.get_css_variables())
        self.crash: BaseException | None = None
        self._pressed_at = 0.0
        self._read_at = math.inf  # When whatever lies over the screen has surely been read.
        self._was_asked: tuple[Path | None, Player, int] | None = None  # To go back.
        self._first, self._keep, self._opening = first, keep, opening
        self._admit, self.has_lobby = admit, opening is None
        self.when_painted: Callable[[], object] = lambda: None  # Called once, by the first screen.

    def get_driver_class(self) -> type[Driver]:
        """What paints: it may not wait for ever for a terminal that was closed."""
        return lasting(super().get_driver_class())

    def get_css_variables(self) -> dict[str, str]:
        """Those of Textual, and our palette in the theme that the person has chosen."""
        given = super().get_css_variables()
        ours = palette(self.current_theme, given, has_color=not self.no_color)
        self.theme_variables = {**given, **ours}
        return self.theme_variables

    def on_mount(self) -> None:
        """Begin to look, and do what the command line asked for."""
        self._use_theme()
        self._filters += filters_for(os.environ.get("TERM", ""))
        if self.settings.keys:
            self._use_keys()
        self.send(Browse())
        if self.settings.is_seen:
            self.send(BeSeen(True))
        if self._first is not None:
            self.send(self._first)
        if self._opening is not None:
            self.push_screen(self._opening())
        self.screen.call_after_refresh(self.when_painted)

    def _use_theme(self) -> None:
        """Show the chosen theme, as far as the terminal has the colours for it."""
        ScrollBar.renderer = BlankEnds if self.is_ascii else ScrollBarRender
        theme = self.available_themes[self.settings.theme]
        colors = None if self.is_headless else self.console.color_system
        self.set_reactive(App.theme, for_terminal(theme, colors))
        self.mutate_reactive(App.theme)  # It may be that of the beginning, which nobody was told.
        if self.no_color and self.current_theme.ansi:
            # Chosen by Textual before there was a theme: greys, and black for a terminal's own.
            self._filters = [
                NoColor() if isinstance(it, Monochrome) else it for it in self._filters
            ]

    def _use_keys(self) -> None:
        """Bind the keys that the person has chosen, and say which cannot be used."""
        from ui.keymap import read_keymap

        keymap, wrong = read_keymap(self.words, self.settings.keys)
        use_keymap(keymap)
        self.set_keymap(keymap)
        for line in wrong:
            self.notify(line, timeout=NEWS_TOAST_S, markup=False)

    @on(Driver.SignalResume)
    def repaint(self) -> None:
        """A shell has brought the program back: nothing of it is on the terminal any more."""
        self.refresh(layout=True)
        self.screen.refresh(layout=True)

    async def on_event(self, event: events.Event) -> None:
        """Remember when a key was pressed last; what was read by then covers nothing any more."""
        if isinstance(event, events.Key):
            self._pressed_at = time.monotonic()
            if self._pressed_at >= self._read_at:
                self.clear_notifications()
        await super().on_event(event)

    def notify(self, message: str, **how: Any) -> None:
        """Say something over the screen for a moment: until it was read and a key is pressed."""
        now = time.monotonic()
        begins = now if self._read_at == math.inf else max(now, self._read_at)  # One by one.
        self._read_at = begins + cell_len(message) / READ_CELLS_PER_S
        super().notify(message, **how)

    @property
    def quiet_s(self) -> float:
        """For how long no key has been pressed."""
        return time.monotonic() - self._pressed_at

    # ---- news ----

    def publish(self, news: UiNews) -> None:
        """Called by the node, at any time."""
        self.post_message(NewsMessage(news))

    def say_busy(self) -> None:
        """The node cannot take another command now."""
        self.publish(Notice(self.words("app.busy"), asks_again=True))

    def engine_crashed(self, error: BaseException) -> None:
        """The node has ended: show a fault of ours; anything else the command line says."""
        self.crash = error
        if self._admit is None or not is_fault(error) or not self.is_running:
            self.exit(return_code=1)
        else:
            self.call_later(self._show_fault, self._admit(error))

    def _show_fault(self, texts: Sequence[str]) -> None:
        from ui.screens.pages import FaultPage

        self.push_screen(FaultPage(self.words, texts))

    def _fatal_error(self) -> None:
        """A fault in a screen: leave, and let the command line say it.  Textual would print it."""
        self.crash = self._exception
        self._close_messages_no_wait()

    async def on_news_message(self, event: NewsMessage) -> None:
        """Show it where it belongs, whatever page lies over it."""
        if isinstance(event.news, Gathering | TableChanged | Notice):
            self.is_sitting_down = False
            is_before = isinstance(event.news, TableChanged) and event.news.view.is_over
            self.is_asking_again = self.is_asking_again and is_before
        match event.news:
            case TablesSeen(tables):
                self.tables = tables
            case PeopleSeen(people):
                self.people = people
            case OwnGames(games):
                self._hear_of_own_games(games)
            case Gathering() as news if self.is_seated:
                self.gathering = news
                await self._go_to("gathering")
            case TableChanged() as news if self.is_seated:
                self.newest = news
                await self._go_to("table")
                await self._ask_to_go_back(news)
            case Accused(_, name, sentence, is_replaced=True):
                text = f"{self.words('accused.replaced', name=name)} {sentence}"
                self.notify(text, timeout=NEWS_TOAST_S, markup=False)
            case Accused() as news:
                from ui.screens.pages import accused_page

                self.push_screen(accused_page(self.words, news))
            case BotEnded(name, reason, then):
                text = self.words(f"bot_ended.{then}", name=name, reason=reason)
                self.notify(text, timeout=NEWS_TOAST_S, markup=False)
            case Elsewhere() as news if self.is_seated:
                from ui.screens.pages import ElsewherePage

                self.push_screen(ElsewherePage(self.words, news))
            case SaidLine() as news:
                self._hear(news)
            case WinCurveTraced(path, course):
                self.courses[path] = course
            case Notice(ends_table=True) as news:
                await self._leave_ended(news)
            case Notice(text, hint):
                self.notify(self.words.parted([text, hint]), timeout=NEWS_TOAST_S, markup=False)
        for screen in self.subscribers.values():
            screen.receive(event.news)

    async def _leave_ended(self, news: Notice) -> None:
        """Back to the lobby: there is no table any more to wait or play at; a result stays."""
        shown = self.newest if self.current_mode == "table" else None
        is_played = shown is not None and not shown.view.is_over
        if is_played or self.current_mode == "gathering":
            await self.to_lobby()
        text = self.words.parted([news.text, news.hint])
        if is_played:  # It was as if the game went on, and a notice is gone in a moment.
            from ui.screens.pages import stopped_page

            await self.push_screen(stopped_page(self.words, text))
        else:
            self.notify(text, timeout=NEWS_TOAST_S, markup=False)

    async def _ask_to_go_back(self, news: TableChanged) -> None:
        """Ask the person once what somebody asks the table, as long as that is open."""
        from ui.screens.pages import AskedBackPage

        asked, page = news.asked_back, self.screen
        place = (news.path, asked.seat, asked.height) if asked and is_asked(news) else None
        if isinstance(page, AskedBackPage) and place != self._was_asked:
            await self.pop_screen()
        if asked is None or place in (None, self._was_asked):
            return
        self._was_asked, no = place, answer(news, agrees=False)
        if self.talk.is_seat_muted(asked.seat, news.seats) and no is not None:
            self.send(no)
        else:
            self.push_screen(AskedBackPage(self.words, news))

    def _hear_of_own_games(self, games: tuple[OwnGame, ...]) -> None:
        """Ring once if somebody has come to one of them, or it is my turn there."""
        awaited = {game.path for game in self.awaited}
        is_somebody_back = self._tell_who_is_back(games)
        self.own_games, self.knows_own_games = games, True
        is_new = is_somebody_back or {game.path for game in self.awaited} - awaited
        if is_new and self.settings.has_bell:
            self.bell()

    def _tell_who_is_back(self, games: Sequence[OwnGame]) -> bool:
        """Say whether somebody sits down again at a game of mine where I am not, and who."""
        is_anybody = False
        before = {game.path: game.here for game in self.own_games}
        sat_at = self.newest.path if self.newest is not None else None
        gathering = self.gathering.table.table_id if self.gathering is not None else ""
        is_on_the_way = self.is_sitting_down and self.is_going_on  # To one of them.
        for game in games:
            fresh = [name for name in game.here if name not in before.get(game.path, ())]
            is_here = game.path == sat_at or game.table_id == gathering  # It is about to be dealt.
            if fresh and not (is_here or is_on_the_way or game.am_i_there):
                name = self.words.name("game", game.game)
                text = self.words("kept.back", names=self.words.listed(fresh), game=name)
                self.notify(text, timeout=NEWS_TOAST_S, markup=False)
                is_anybody = True
        return is_anybody

    def _hear(self, said: SaidLine) -> None:
        """Keep what somebody said; where a page lies over the table, say it over that."""
        seats = () if self.newest is None else self.newest.seats
        is_on = self.settings.hears_talk or said.reaction in CLOCK_SIGNS
        is_wanted = self.is_seated and is_on and self.talk.hear(said, seats)
        hears = self.screen in (self.subscribers.get("table"), self.subscribers.get("end"))
        if is_wanted and not said.is_mine and not hears:
            self.notify(said_sentence(self.words, said), timeout=NEWS_TOAST_S, markup=False)

    async def _go_to(self, mode: str) -> None:
        """Show another mode; pages over a table, or over one that fills, end with it."""
        if self.current_mode == mode:
            return
        while self.current_mode != "lobby" and len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.switch_mode(mode)

    async def to_lobby(self) -> None:
        """Back to the first screen; what a left table still says is ignored."""
        self.is_seated = self.is_sitting_down = self.is_asking_again = False
        if self.newest is not None and self.newest.is_finished:  # The node has to look first.
            over = self.newest.path
            self.publish(OwnGames(tuple(game for game in self.own_games if game.path != over)))
        self.gathering = self.newest = None
        self.clear_notifications()  # What a table had to say is of no use here.
        self.tell_outside(self.TITLE or "")
        await self._go_to("lobby")

    def look_back(
        self, path: Path, position: int, seat: Player | None, page: PageOver | None = None
    ) -> None:
        """Show a position of a game file, as this seat saw it if that is known, and a page."""
        from ui.screens.opened import look_back

        look_back(self, path, position, seat, page)

    def practise(self, path: Path, seat: Player | None) -> None:
        """Play on against bots in a seat, from where a game file ends."""
        from ui.screens.opened import practise

        practise(self, path, seat)

    # ---- help, settings, the palette ----

    def show_help(self, where: str, signs: Sequence[Row] = ()) -> None:
        """Show every key, those of this screen first, and before them the signs of a board."""
        from ui.screens.pages import help_page

        self.push_screen(help_page(self.words, self.is_ascii, where, signs))

    def show_settings(self) -> None:
        """Ask for language, colours, characters, over whatever is shown."""
        from ui.screens.preferences import SettingsScreen

        self.push_screen(SettingsScreen())

    async def use_settings(self, settings: Settings, name: str) -> None:
        """Use new settings at once and keep them; the name is for the next start."""
        if settings.is_seen != self.settings.is_seen:
            self.send(BeSeen(settings.is_seen))
        self.settings, self.words = settings, load(settings.language)
        self._use_theme()
        for mode in ("gathering", "table"):
            if mode in self.subscribers and mode != self.current_mode:
                del self.subscribers[mode]
                await self.remove_mode(mode)
                self.add_mode(mode, self.MODES[mode])
        await self.pop_screen()
        self.clear_notifications()  # In the language of before.
        try:
            self._keep(settings, name)
        except HostlessError as error:
            self.show_error(error)
        shown = [each for each in self.screen_stack if isinstance(each, BaseScreen)]
        for screen in dict.fromkeys([*shown, self.subscribers["lobby"]]):
            await screen.relabel()

    def clear_notifications(self) -> None:
        """Take away what lies over the screen, and its frames.

        Textual leaves these, and two dozen of them push what is said next off the screen for good.
        """
        super().clear_notifications()
        self._read_at = math.inf
        self.screen.query("ToastHolder").remove()

    def action_help_quit(self) -> None:
        """Say how to leave, to whoever presses ctrl+c; Textual would say it in English."""
        self.clear_notifications()
        self.notify(self.words("app.ends"), markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: what the keys of this screen do."""
        if isinstance(screen, BaseScreen):
            first = {each.name: each.key for each in reversed([*bindings_of(screen.where)])}
            for name, key in first.items():
                run = partial(screen.run_action, name)
                written = key_name(key, self.is_ascii)
                yield SystemCommand(self.words("key." + name), written, run)

    def action_command_palette(self) -> None:
        """Open the palette, in the person's language."""
        if not isinstance(self.screen, KeySearch):
            self.push_screen(KeySearch(self.words, is_ascii=self.is_ascii))
