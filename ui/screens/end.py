"""The end of a game: who won and why, and people who still talk, or play again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from textual import events
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from p2p.base.identity import words as four_words
from p2p.net.announcements import TableAd
from p2p.net.people import Neighbor
from p2p.session.commands import Leave, Rematch
from p2p.session.news import PeopleSeen, SaidLine, TableChanged, TablesSeen
from ui.draw.course import draw_course
from ui.draw.marks import KEY, LINK_DOT, MUTED
from ui.draw.panels import fill
from ui.draw.result import draw_moments, draw_result
from ui.draw.talk import draw_talk
from ui.key_bindings import KeyBinding, key_name, key_of, textual_bindings
from ui.model.result import certain_texts, result
from ui.model.talk import listeners
from ui.model.view_model import ViewModel, view_model
from ui.port import Explain, TraceWinCurve, UiNews, WinCurveTraced
from ui.screens.talking import TalkingScreen
from ui.terminal.spans import Row, Span, beside, center, wrap
from ui.terminal.toasts import MEDIUM_TOAST_S
from ui.widgets.rows import RowsWidget

if TYPE_CHECKING:
    from ai.advice.win_probability import WinCurve

END_CELLS_MAX: Final = 100
BROAD_END_CELLS_MIN: Final = 150  # From here on what happened stands beside the result.
BROAD_END_CELLS_MAX: Final = 190
BROAD_CURVE_ROWS: Final = 3  # Of each seat.
BROAD_LAST_ROWS: Final = 16
_NEED_FILE: Final = ("look_back", "review", "turning")
SAID_ROWS_MAX: Final = 5  # Of what was said, below the result.


def waiting_again(
    news: TableChanged, tables: Sequence[TableAd], people: Sequence[Neighbor] = ()
) -> tuple[str, ...]:
    """Who of a game that is over has opened a table for it again, or sits there, as they say.

    Whoever does not let others see where they are is known by the seats that are taken.
    """
    others = {seat.words: seat.name for seat in news.seats if seat.link != "me"}
    again = [ad for ad in tables if ad.is_joinable and ad.game == news.view.game]
    again = [ad for ad in again if four_words(ad.opener) in others]
    there = set[str]()
    for ad in again:
        said = {four_words(ad.opener), *(each.words for each in people if each.where == ad.key)}
        unsaid = {each.words for each in news.seats if each.link != "me" and not each.is_bot} - said
        bots = sum(each.is_bot for each in news.seats)
        is_for_us = bool(ad.kept) and not ad.is_filled
        are_all_there = is_for_us and ad.taken - bots >= len(said) + len(unsaid)
        there |= said | unsaid if are_all_there else said
    return tuple(name for words, name in others.items() if words in there)


def draw_end(model: ViewModel, width: int, course: WinCurve | None = None) -> list[Row]:
    """Who won, the points of everybody, what makes it certain, and what led to it."""
    words = model.words
    rows: list[Row] = [[], [Span(center(result(model), width), "bold $text-accent")], []]
    is_mine = model.mine is not None and model.news.path is not None
    said = [*[words("end.keys")] * is_mine, *certain_texts(model)]
    below: list[Row] = [[], *(row for text in said for row in _centered(text, width))]
    if width >= BROAD_END_CELLS_MIN:
        return [*rows, *_beside(model, width, course), *below]
    inner = min(width - 2, END_CELLS_MAX)
    panels = [*_set_in(_draw_outcome(model, inner, course), width, inner), *below]
    return [*rows, *panels, [], *_set_in(draw_moments(model, inner), width, inner)]


def _draw_outcome(
    model: ViewModel, width: int, course: WinCurve | None, curve_rows: int = 1
) -> list[Row]:
    """Who won and why, and how the chances went."""
    rows = draw_result(model, width)
    is_kept = model.news.path is not None
    return [*rows, [], *draw_course(model, course, width, curve_rows)] if is_kept else rows


def _beside(model: ViewModel, width: int, course: WinCurve | None) -> list[Row]:
    """The same on a broad screen, with what led to it at its side."""
    inner = min(width - 2, BROAD_END_CELLS_MAX)
    left = inner * 3 // 5
    outcome = _draw_outcome(model, left, course, BROAD_CURVE_ROWS)
    moments = draw_moments(model, inner - left - 1, BROAD_LAST_ROWS)
    return _set_in(beside([fill(outcome, left, len(outcome)), moments], 1), width, inner)


def _set_in(rows: Sequence[Row], width: int, inner: int) -> list[Row]:
    margin = Span(" " * ((width - inner) // 2))
    return [[margin, *row] for row in rows]


def _centered(text: str, width: int) -> list[Row]:
    return [[Span(center(line, width), MUTED)] for line in wrap(text, width - 4)]


class EndScreen(TalkingScreen):
    """The end of a game."""

    where = "end"
    BINDINGS = textual_bindings("end")
    AUTO_FOCUS = "#reading"  # The arrows scroll it.

    def __init__(self, model: ViewModel) -> None:
        super().__init__()
        self._model, self.newest = model, model.news
        self._is_traced = False  # It was asked how the game went.
        self._waiting: tuple[str, ...] = ()  # Who has opened the same table once more.

    def parts(self) -> Iterator[Widget]:
        """The result, what was said, and a line to type."""
        yield Static(self._title(), id="title")
        with VerticalScroll(id="reading"):
            yield RowsWidget(self._draw, id="result")
        yield RowsWidget(self._draw_people, id="end-talk")
        yield from self.talk_parts()

    async def relabel(self) -> None:
        """Say everything again, the result included."""
        await super().relabel()
        model = self._model
        self._model = view_model(self.words, model.news, model.notes)
        self.query_one("#title", Static).update(self._title())
        self.redraw()

    def _title(self) -> str:
        return f" {self.words.name('game', self._model.view.game)}"

    def label_key(self, binding: KeyBinding) -> str:
        """The way back leads to the table; who looked on has no file to look back in."""
        if binding.name in _NEED_FILE and self._model.news.path is None:
            return ""
        return "end.table" if binding.name == "back" else super().label_key(binding)

    def _draw(self, width: int) -> list[Row]:
        return draw_end(self._model, width, self._course)

    @property
    def _course(self) -> WinCurve | None:
        path = self._model.news.path
        return None if path is None else self.base_app.courses.get(path)

    def _trace(self) -> None:
        """Find out how the game went, as soon as its file is complete."""
        news = self._model.news
        if news.path is not None and news.is_finished and self._course is None:
            self._is_traced = True
            self.base_app.send(TraceWinCurve(news.path))

    def on_screen_resume(self) -> None:
        """Also when a page is closed on which something else was thought about."""
        self._trace()

    def _draw_people(self, width: int) -> list[Row]:
        """Who waits to play again, who of the other persons is still here, what was said last."""
        people = listeners(self._model.news)
        if not people:  # I have looked on, or played against bots alone.
            return self._draw_waiting(width)
        here: Row = [Span(f" {self.words('again.here')}  ", MUTED)]
        for each in people:
            is_at_next = each.name in self._waiting  # No link leads there, and nobody is gone.
            link = "up" if is_at_next else self._model.news.seats[each.seat].link
            glyph, style = LINK_DOT.get(link, LINK_DOT["up"])
            here += [Span(f"{glyph} ", style), Span(f"{each.name}  ")]
        lines, me = self.base_app.talk.lines[-SAID_ROWS_MAX:], self._model.view.seat
        said = draw_talk(self.words, lines, me, max(width - 2, 1))[-SAID_ROWS_MAX:]
        return [*self._draw_waiting(width), here, *([Span(" "), *row] for row in said)]

    def _draw_waiting(self, width: int) -> list[Row]:
        """Who would like to play again and waits, where no result is so long that it hides it."""
        if not self._waiting:
            return []
        key = "again.waiting_one" if len(self._waiting) == 1 else "again.waiting_many"
        if self._model.view.seat is None:  # These seats are kept for others.
            key = "again.opened"
        again, lobby = (key_name(key_of("end", each)) for each in ("rematch", "to_lobby"))
        names = self.words.listed(self._waiting)
        text = self.words(key, names=names, again=again, lobby=lobby)
        return [[Span(f" {line}", KEY)] for line in wrap(text, width - 2)]

    def on_mount(self) -> None:
        """Somebody may have been faster."""
        super().on_mount()
        self.receive(TablesSeen(self.base_app.tables))  # With the people whom the app knows.

    def on_unmount(self) -> None:
        """Be told no more, and think about it no further."""
        if self._is_traced and self._course is None:
            self.base_app.send(Explain(None))
        self.base_app.subscribers.pop(self.where, None)

    def receive(self, news: UiNews) -> None:
        """Others talk, leave, or play again; the last proofs may still be coming in."""
        if not self.is_mounted or not self.query("#result"):
            return  # On its way in or out.
        match news:
            case TableChanged() if news.view.is_over:
                notes = self._model.notes
                self.newest, self._model = news, view_model(self.words, news, notes)
                self._trace()
            case TablesSeen() | PeopleSeen():
                tables, people = self.base_app.tables, self.base_app.people
                self._waiting = waiting_again(self._model.news, tables, people)
            case SaidLine() | WinCurveTraced():
                pass
            case _:
                return
        self.redraw()

    def redraw(self) -> None:
        """Draw the result, and the people below it."""
        self.query_one("#result", RowsWidget).show(self._draw)
        self.query_one("#end-talk", RowsWidget).show(self._draw_people)

    def _lines_max(self) -> int:
        return 0  # What was said stands there already.

    def show_toast(self, sentence: str, seconds: float = MEDIUM_TOAST_S) -> None:
        """Say something over the page for a moment."""
        self.notify(sentence, timeout=seconds, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Keys that talk, and those of a line that is typed."""
        self.take_key(event)

    def close_talk(self) -> None:
        """Back to the page; the arrows scroll it."""
        super().close_talk()
        self.set_focus(self.query_one("#reading"))

    def action_back(self) -> None:
        """Close the line that is typed, or the page."""
        if self.is_talking or self.bar:
            self.close_talk()
        else:
            super().action_back()

    async def action_rematch(self) -> None:
        """Open the same table once more, or sit down where somebody has."""
        path = self._model.news.path
        if path is not None:
            self.base_app.send(Rematch(path))
            await self.app.pop_screen()

    def action_look_back(self) -> None:
        """Leaf through the game, with every hand whose key was opened."""
        news = self._model.news
        if news.path is not None:
            self.base_app.look_back(news.path, 0, news.view.seat)

    def action_turning(self) -> None:
        """Show the moment at which the game turned."""
        news, course = self._model.news, self._course
        if course is None or course.turned is None or news.path is None:
            self.show_toast(self.words("course.soon" if course is None else "course.even"))
        else:
            self.base_app.look_back(news.path, course.turned.entry, news.view.seat)

    def action_review(self) -> None:
        """Which of my choices cost most."""
        news = self._model.news
        if news.path is not None:
            self.base_app.look_back(news.path, 0, news.view.seat, "review")

    async def action_to_lobby(self) -> None:
        """Get up from the table."""
        await self.app.pop_screen()
        self.base_app.send(Leave())
        await self.base_app.to_lobby()
