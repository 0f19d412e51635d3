"""The first screen: tables appear by themselves; one key starts a game against bots."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from textual import events
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from core.game import usual_seats
from core.games import GAMES, find_game
from p2p.net.announcements import TableAd
from p2p.session.commands import JoinTable, OpenTable, Resume, Watch
from p2p.session.news import Notice, OwnGame, OwnGames, PeopleSeen, TablesSeen
from ui.draw.lobby_side import LobbySide, draw_aim, draw_lobby_side, heading
from ui.draw.marks import CAP, MUTED
from ui.draw.people import draw_here, draw_people
from ui.draw.starts import START_CELLS_MIN, START_ROWS, draw_starts
from ui.draw.tables import draw_tables
from ui.key_bindings import KeyBinding, key_of, textual_bindings
from ui.language.plugin_errors import plugin_errors
from ui.lobby.open_tables import table_note
from ui.lobby.own_games import GameFileSummary, game_text, is_fresh, state_text, summary_of
from ui.lobby.people import by_table, by_where
from ui.port import UiNews
from ui.screens.base import BaseScreen
from ui.terminal.spans import Row, Span, row_width, wrap
from ui.terminal.toasts import SHORT_TOAST_S
from ui.widgets.options import Options
from ui.widgets.rows import RowsWidget

FIRST_GAME: Final = next(iter(GAMES))
LOOK_S: Final = 1.0  # Between two looks at whether there is a network.
OWN_MAX: Final = 4  # Games that are not over, or at which somebody is; `g` shows all.
ROWS_AROUND: Final = 5  # Title, keys, and air.
HINT_ROWS: Final = 4  # What is said below the list, where it is not in it.
LAST_MAX: Final = 10  # Games of mine that are told beside the list, where there is room.
LOBBY_SIDE_CELLS: Final = 38  # The column of panels beside the list,
BROAD_SIDE_CELLS: Final = 56  # the same on
BROAD_LOBBY_CELLS_MIN: Final = 150  # a broad screen, and
LOBBY_SIDE_AIR: Final = 1  # the space before it.
OWN_MARGIN: Final = "   "  # Before what is said of an own game on further lines, and
LEARN_MARGIN: Final = "    "  # of the first game.
LIST_AIR: Final = 5  # Beside a line of the list.
SCROLLED_AIR: Final = 4  # The same beside panels: its edges, and a bar to scroll by.
ROW_CELLS_MIN: Final = 20
JUST_CAME_S: Final = 0.7  # Whoever presses enter so soon meant what was there before.
_OWN: Final = "own-"  # My own games at which somebody is.
_LEARN: Final = "learn"  # A first game, for who has played none.
_TABLE: Final = "t-"  # One on the network.
_START: Final = "start-"  # The options that are always there, one a game.


class LobbyScreen(BaseScreen):
    """The tables on the LAN, and the ways to one."""

    where = "lobby"
    BINDINGS = [each for each in textual_bindings("lobby") if getattr(each, "key", "") != "enter"]

    def __init__(self) -> None:
        super().__init__()
        self._placed: str | None = None  # What the program, not the person, put under the bar,
        self._placed_at = -math.inf  # and when.
        self._has_moved = False
        self._is_alone = False  # As it was when it was looked at last.
        self._is_newcomer = False  # Who has no game file yet.
        self._is_roomy = False  # Whether there is room for a card for each game.
        self._looking: Timer | None = None
        self._size_shown = (-1, -1)  # For which the lines were made.
        self._hint_shown = ""
        self._last: list[GameFileSummary] = []  # My newest games.
        self._rows_listed = 0

    def parts(self) -> Iterator[Widget]:
        """A title and a list: tables first, then games against bots; panels where there is room."""
        yield Static(self._title(), id="title")
        with Horizontal(id="ways"):
            with Vertical():
                yield Static(self.words("lobby.welcome"), id="welcome")
                yield Options(id="tables")
                yield RowsWidget(self._draw_aim, id="aim")
                yield RowsWidget(self._draw_people, id="people")
                yield Static(id="hint")
            yield RowsWidget(self._draw_side, id="lobby-side")

    @property
    def _has_room(self) -> bool:
        """Whether headings and panels have room."""
        classes = self.sized(self.app.size)  # Not yet those of the screen, when it is new.
        return classes["-wide"] and classes["-tall"]

    @property
    def _list_cells(self) -> int:
        """How wide a line of the list may be."""
        width = self.app.size.width
        if self._has_room:
            return width - self._side_cells - LOBBY_SIDE_AIR - SCROLLED_AIR
        return max(width - LIST_AIR, ROW_CELLS_MIN)

    @property
    def _side_cells(self) -> int:
        is_broad = self.app.size.width >= BROAD_LOBBY_CELLS_MIN
        return BROAD_SIDE_CELLS if is_broad else LOBBY_SIDE_CELLS

    def _draw_aim(self, width: int) -> list[Row]:
        """What the game under the bar is about, below the list, if it is whole there."""
        if not self._has_room or not self._is_roomy:
            return []
        rows = draw_aim(self.words, self._game_to_learn(), width - 2)
        room = self.app.size.height - ROWS_AROUND - self._rows_listed
        return [[Span(" "), *row] for row in rows] if len(rows) <= room else []

    def _draw_side(self, width: int) -> list[Row]:
        base_app = self.base_app
        people = by_where(self.words, base_app.people, base_app.tables)
        me = base_app.person_name, base_app.my_words
        side = LobbySide(*me, self._is_newcomer, people, self._last)
        return draw_lobby_side(self.words, side, width, self.app.size.height - 3)

    def _draw_people(self, width: int) -> list[Row]:
        return draw_here(self.words, self.base_app.people, self.base_app.tables, width)

    def on_mount(self) -> None:
        """Show what is known already."""
        self._is_newcomer = not self.base_app.list_games()
        self.show_tables(self.base_app.tables)
        self.query_one(OptionList).focus()
        self._looking = self.set_interval(LOOK_S, self._look_around)
        for line in plugin_errors(self.words):
            self.notify(line, markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """There may be more room in a line, or less."""
        super().on_resize(event)
        if event.size != self._size_shown:
            self.after_layout(self.show_tables, self.base_app.tables)
            self.set_timer(LOOK_S, self._look_at_files)

    def _look_around(self) -> None:
        """Say whether there is a network at all."""
        self._is_alone = self.base_app.is_alone()
        if self.query(OptionList):  # It is made anew in another language just now.
            self._show_hint()

    def _look_at_files(self) -> None:
        """What I have played last, where that is shown; the first paint does not wait for it."""
        if self._has_room and self.query("#lobby-side"):
            files, now = self.base_app.list_games()[:LAST_MAX], time.time()
            kept = (summary_of(self.words, path, now) for path in files)
            self._last = [each for each in kept if each is not None]
            self.query_one("#lobby-side", RowsWidget).show(self._draw_side)

    async def relabel(self) -> None:
        """Say everything again, tables included."""
        await self.recompose()
        await super().relabel()
        self.show_tables(self.base_app.tables)
        self.query_one(OptionList).focus()

    def on_screen_suspend(self) -> None:
        """Nobody sees what is said here: a program that waits at a table need not wake for it."""
        if self._looking is not None:
            self._looking.pause()
        if self.base_app.is_seated:  # Who comes back from a table has not moved the bar since.
            self._placed, self._has_moved = self._under_bar(), False

    def on_screen_resume(self) -> None:
        """The list has the keys again."""
        if self._looking is not None:
            self._looking.resume()
        if self._is_newcomer and self.base_app.list_games():
            self._is_newcomer = False
            self.show_tables(self.base_app.tables)
        self.query_one(OptionList).focus()
        self._show_hint()
        self.set_timer(LOOK_S, self._look_at_files)

    def _title(self) -> Content:
        is_second = self.base_app.is_second
        key, style = ("app.second", "$text-warning") if is_second else ("app.subtitle", MUTED)
        title = f" {self.words('app.title')} "
        return Content.assemble((title, "bold"), " ", (self.words(key), style))

    def label_key(self, binding: KeyBinding) -> str:
        """What enter does with what is under the bar; nothing with a table nobody here knows."""
        if binding.name != "join_table":
            return super().label_key(binding)
        chosen = self._under_bar()
        if chosen.startswith((_START, _LEARN)):
            return "lobby.enter_starts"
        if chosen.startswith(_OWN):
            return "lobby.enter_goes_on"
        tables = [ad for ad in self.base_app.tables if f"{_TABLE}{ad.target}" == chosen]
        if tables and not any(ad.is_understood for ad in tables):
            return ""
        is_full = bool(tables) and not any(ad.is_joinable for ad in tables)
        return "key.watch" if is_full else binding.sentence

    def _under_bar(self) -> str:
        """The id of the line there; that of a start before there are any."""
        options = [each.highlighted_option for each in self.query(OptionList)]
        return next((each.id for each in options if each and each.id), _START)

    def receive(self, news: UiNews) -> None:
        """Tables come and go, or one that was asked for cannot be had."""
        if isinstance(news, TablesSeen | OwnGames | PeopleSeen):
            self.show_tables(self.base_app.tables)
        elif isinstance(news, Notice):
            self._show_hint()

    def show_tables(self, tables: tuple[TableAd, ...]) -> None:
        """My own games that are not over, the tables, and below them lines that start a game.

        The bar lies where somebody is, until the person has moved it: then what is under it
        stays there.
        """
        options, self._size_shown = self.query_one(OptionList), self.app.size
        before = options.highlighted
        chosen = None if before is None else options.get_option_at_index(before).id
        mine = self._own_games(tables)
        own = [Option(self._own_row(game), id=f"{_OWN}{key}") for key, game in mine.items()]
        others = [ad for ad in tables if not (ad.is_played and ad.table_id in mine)]
        others.sort(key=lambda ad: not ad.is_joinable)  # Those with a seat for me first.
        sitting = by_table(self.base_app.people, others)
        drawn = draw_tables(self.words, others, self._list_cells, sitting)
        seen = [
            Option(self.content([row]), id=f"{_TABLE}{ad.target}")
            for ad, row in zip(others, drawn, strict=True)
        ]
        self._hint_shown = self._hint(is_empty=not seen)
        options.clear_options()
        listed = self._sections(own, seen)
        self._rows_listed = sum(_height(each) for each in listed if each is not None)
        options.add_options(listed)
        # The list tells a moment later that the person has moved the bar; it may not move back.
        self._has_moved = self._has_moved or chosen not in (None, self._placed)
        kept = chosen if self._has_moved and chosen is not None else ""
        ids = [option.id for option in options.options]
        options.highlighted = ids.index(kept if kept in ids else self._likeliest(ids, chosen))
        if (placed := ids[options.highlighted]) != chosen:
            # There is nothing to take for something else where nothing was before.
            self._placed_at = -math.inf if chosen is None else time.monotonic()
            self._placed, self._has_moved = placed, False
        self.query_one("#people", RowsWidget).show(self._draw_people)
        self.query_one("#lobby-side", RowsWidget).styles.width = self._side_cells
        self.query_one("#lobby-side", RowsWidget).show(self._draw_side)
        self._show_hint()
        self.show_keys()

    def _sections(self, own: Sequence[Option], seen: Sequence[Option]) -> list[Option | None]:
        """The list: my games, tables, starts; where there is room, each part with a heading."""
        rows = [*own, *seen]
        if not self._has_room:
            line = [None] if rows and not self.base_app.is_ascii else []  # Textual draws it.
            return [*rows, *line, *self._starts(sum(map(_height, rows)) + HINT_ROWS)]
        first = [self._heading("own_title", is_live=True), *own] if own else []
        rest = [*seen, *([self._hint_row()] if self._hint_shown else [])]
        tables = [self._heading("tables_title"), *rest] if rest else []
        above = [*first, *tables, self._heading("starts_title")]
        return [*above, *self._starts(sum(map(_height, above)))]

    def _heading(self, key: str, *, is_live: bool = False) -> Option:
        row = heading(self.words(f"lobby.{key}"), self._list_cells, is_live=is_live)
        return Option(self.content([[], row]), disabled=True)

    def _hint_row(self) -> Option:
        lines = wrap(self._hint_shown, self._list_cells - 2)
        return Option(self.content([[Span(f" {line}", MUTED)] for line in lines]), disabled=True)

    def _own_games(self, tables: Sequence[TableAd]) -> dict[str, OwnGame]:
        """The newest of mine, and every one that is played now, by the ids of their tables."""
        seen = {ad.table_id for ad in tables}
        own = enumerate(self.base_app.own_games)
        return {each.table_id: each for at, each in own if at < OWN_MAX or each.table_id in seen}

    def _likeliest(self, ids: Sequence[str | None], before: str | None) -> str | None:
        """Where the bar lies by itself; among what is as likely it stays where it was `before`.

        A game of mine at which somebody is; one that was played just now, whose others are heard
        of a moment later; a table where I can sit down; a game that was played just now with bots
        alone; another table; else the first line.
        """
        own, now = self.base_app.own_games, time.time()
        usual = [each for each in ids if each is not None]  # Headings have none.
        awaited = [f"{_OWN}{game.table_id}" for game in own if game.here]
        fresh = {f"{_OWN}{game.table_id}": game.has_people for game in own if is_fresh(game, now)}
        shared = [key for key, has_people in fresh.items() if has_people]
        for_all = [ad for ad in self.base_app.tables if ad.is_joinable and not ad.kept]
        open_now = {f"{_TABLE}{ad.target}" for ad in for_all}
        free = [each for each in usual if each in open_now]
        tables = [each for each in usual if each.startswith(_TABLE)]
        for group in (awaited, shared, free, list(fresh), tables):
            if there := [each for each in group if each in usual]:
                return before if before in there else there[0]
        return usual[0]

    def _show_hint(self) -> None:
        """What to do where no table is to be seen, or what is under way."""
        ids = [option.id or _START for option in self.query_one(OptionList).options]
        hint = self._hint(is_empty=not any(each.startswith(_TABLE) for each in ids))
        if hint != self._hint_shown and self._has_room:  # It stands in the list there.
            self.show_tables(self.base_app.tables)
        self.query_one("#hint", Static).update("" if self._has_room else hint)

    def _hint(self, *, is_empty: bool) -> str:
        if self._is_looking and not self.base_app.is_sitting_down:
            return self.words("lobby.looking")  # One of the tables in sight may be mine.
        if not is_empty or any(game.here for game in self.base_app.own_games):
            return ""
        if self.base_app.is_sitting_down:
            return self.words("lobby.sitting_down")
        return self.words("lobby.alone" if self._is_alone else "lobby.none")

    def _starts(self, rows_taken: int) -> list[Option]:
        """What starts a game, one each, in the order of every list; the first one has a key.

        A newcomer sees before them how to learn one, everybody else after them.
        """
        width, keys = self._list_cells, {FIRST_GAME: key_of("lobby", "play_bots")}
        needed = rows_taken + len(GAMES) * START_ROWS + ROWS_AROUND
        self._is_roomy = needed <= self.app.size.height and width >= START_CELLS_MIN
        drawn = draw_starts(self.words, keys, width, is_roomy=self._is_roomy)
        starts = [Option(self.content(rows), id=_START + game) for game, rows in drawn.items()]
        learn = Option(self._learn_row(self._game_to_learn()), id=_LEARN)
        return [learn, *starts] if self._is_newcomer else [*starts, learn]

    def _learn_row(self, game: str) -> Content:
        """That a game is explained, with the key for it: the one under the bar."""
        key = "lesson.lobby" if self._is_newcomer else "lesson.lobby_more"
        text = self.words(key, game=self.words.name("game", game))
        cap = Span(f" {key_of('lobby', 'learn')} ", CAP)
        first, *more = wrap(text, self._list_cells - row_width([cap]) - 1)
        rows = [[cap, Span(f" {first}")], *([Span(LEARN_MARGIN + line)] for line in more)]
        return self.content([*rows, *([[Span(" ")]] if self._is_roomy else [])])

    def _own_row(self, game: OwnGame) -> Content:
        width = self._list_cells - len(OWN_MARGIN)
        row, state = game_text(self.words, game), state_text(self.words, game, time.time())
        lines = [f"\n{OWN_MARGIN}{line}" for line in wrap(state, width)]
        return Content.assemble((row, "bold"), ("".join(lines), MUTED))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Notice that the person has moved the bar, and say which game would be explained."""
        self._has_moved = self._has_moved or event.option.id != self._placed
        if any(option.id == _LEARN for option in event.option_list.options):
            row = self._learn_row(self._game_to_learn())
            event.option_list.replace_option_prompt(_LEARN, row)
        self.query_one("#aim", RowsWidget).show(self._draw_aim)
        self.show_keys()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do what the line says, but not if the bar came there by itself a moment ago."""
        chosen = event.option.id or ""
        if not self._has_moved and (reason := self._why_wait()):
            self.app.clear_notifications()
            self.notify(reason, timeout=SHORT_TOAST_S, markup=False)
            return
        if chosen == _LEARN:
            self._learn(FIRST_GAME)
        elif chosen.startswith(_START):
            self._play_bots(chosen.removeprefix(_START))
        elif chosen.startswith(_OWN):
            self._go_on(chosen.removeprefix(_OWN))
        else:
            self._go_to_table(chosen.removeprefix(_TABLE))

    def _why_wait(self) -> str:
        """Why the line under the bar may not be meant; empty where nothing speaks against it."""
        if self._is_looking:
            return self.words("lobby.looking")
        has_just_come = time.monotonic() - self._placed_at < JUST_CAME_S
        enter = key_of("lobby", "join_table")
        return self.words("lobby.just_came", enter=enter) if has_just_come else ""

    @property
    def _is_looking(self) -> bool:
        """Whether a game of mine may yet come before what is listed."""
        return not (self._is_newcomer or self.base_app.knows_own_games)

    def _go_on(self, table_id: str) -> None:
        """Sit down again where others are."""
        for game in self.base_app.own_games:
            if game.table_id == table_id:
                self.base_app.send(Resume(game.path))

    def _go_to_table(self, target: str) -> None:
        """Sit down where there is a seat, look on where there is none."""
        tables = [ad for ad in self.base_app.tables if ad.target == target]
        if tables and not any(ad.is_understood for ad in tables):
            self.notify(table_note(self.words, tables[0]), markup=False)
            return
        is_full = bool(tables) and not any(ad.is_joinable for ad in tables)
        if any(ad.asks_password for ad in tables) and not is_full:
            from ui.screens.opening import JoinScreen

            self.app.push_screen(JoinScreen(target, "lobby.password_title"))
        else:
            self.base_app.send(Watch(target) if is_full else JoinTable(target))

    def action_join_table(self) -> None:
        """Take a seat at the table under the bar."""
        self.query_one(OptionList).action_select()

    def action_watch(self) -> None:
        """Look on at the table under the bar, or at any when the bar is on none."""
        chosen = self._under_bar()
        target = chosen.removeprefix(_TABLE) if chosen.startswith(_TABLE) else ""
        meant = [ad for ad in self.base_app.tables if target in ("", ad.target)]
        if chosen.startswith(_OWN):  # There is a seat for me, and its clock would begin to run.
            enter = key_of("lobby", "join_table")
            self.notify(self.words("lobby.own_game", enter=enter), markup=False)
        elif meant and not any(ad.is_played for ad in meant):
            self.notify(self._why_no_game(meant[0], is_under_bar=bool(target)), markup=False)
        else:
            self.base_app.send(Watch(target))

    def _why_no_game(self, ad: TableAd, *, is_under_bar: bool) -> str:
        """Why there is nothing to look on at, and what can be done instead."""
        if not is_under_bar:
            return self.words("lobby.none_begun", watch=key_of("lobby", "watch"))
        if not ad.is_understood:
            return table_note(self.words, ad)
        names = {name: key_of("lobby", name) for name in ("join_table", "watch")}
        return self.words("lobby.not_begun", **names)

    def action_learn(self) -> None:
        """A first game with a commentary: of the game under the bar, where there is one."""
        self._learn(self._game_to_learn())

    def _game_to_learn(self) -> str:
        game = self._game_under_bar()
        return game if self.words.explains(game) else FIRST_GAME

    def _game_under_bar(self) -> str:
        """The game that the line there starts; the first one where it starts none."""
        game = self._under_bar().removeprefix(_START)
        return game if game in GAMES else FIRST_GAME

    def _learn(self, game: str) -> None:
        from ui.model.lesson import first_game

        self.base_app.send(first_game(game))

    def action_play_bots(self) -> None:
        """A game against bots on this machine, with everything as usual."""
        self._play_bots(FIRST_GAME)

    def _play_bots(self, game: str) -> None:
        seats = usual_seats(find_game(game))
        self.base_app.send(OpenTable(game, seats, seats - 1, is_local=True))

    def action_open_table(self) -> None:
        """Ask what table to open: at first one of the game under the bar."""
        from ui.screens.opening import OpenScreen

        self.app.push_screen(OpenScreen(self._game_under_bar()))

    def action_join_address(self) -> None:
        """Ask for an address."""
        from ui.screens.opening import JoinScreen

        self.app.push_screen(JoinScreen())

    def action_people(self) -> None:
        """Who is on this network, and the words that tell who that is."""
        from ui.screens.pages import Page

        here = self.base_app.people, self.base_app.tables
        seen = self.base_app.settings.is_seen
        drawing = partial(draw_people, self.words, *here, am_i_seen=seen)
        self.app.push_screen(Page(self.words("people.title"), drawing))

    def action_replays(self) -> None:
        """The games kept on this machine."""
        from ui.screens.replays import ReplaysScreen

        self.app.push_screen(ReplaysScreen())


def _height(option: Option) -> int:
    """How many lines an option takes."""
    return str(option.prompt).count("\n") + 1
