"""Looking back: the games kept on this machine, and one of them step by step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from core.errors import HostlessError
from core.requests import Player
from p2p.base.errors import PeerError
from p2p.session.commands import Resume
from ui.draw.marks import MUTED
from ui.key_bindings import KeyBinding, key_of, textual_bindings
from ui.lobby.own_games import GameFileSummary, file_row, summary_of
from ui.model.view_model import ViewModel, view_model
from ui.port import Explained, TraceWinCurve, UiNews, WinCurveTraced
from ui.replay.course import turned_sentence
from ui.replay.recording import Recording, read_recording
from ui.screens.base import BaseScreen, PageOver
from ui.screens.table import TableScreen
from ui.terminal.spans import Row, Span
from ui.widgets.options import Options
from ui.widgets.rows import RowsWidget

if TYPE_CHECKING:
    from ai.advice.win_probability import WinCurve
    from p2p.base.roster import DecisionPoint


class ReplaysScreen(BaseScreen):
    """The game files of this machine, the newest first."""

    where = "games"
    BINDINGS = [each for each in textual_bindings("games") if getattr(each, "key", "") != "enter"]

    def __init__(self) -> None:
        super().__init__()
        self._paths: tuple[Path, ...] = ()
        self._over: tuple[bool, ...] = ()  # Which of them have ended.

    def parts(self) -> Iterator[Widget]:
        """A list of files."""
        self._paths, now = tuple(self.base_app.list_games()), time.time()
        told = [summary_of(self.words, path, now) for path in self._paths]
        self._over = tuple(each is not None and each.is_over for each in told)
        rows = [self._row(*each) for each in zip(self._paths, told, strict=True)]
        yield Static(f" {self.words('replay.choose')}", id="title")
        yield Options(*(Option(row) for row in rows), id="tables")
        yield Static("" if self._paths else self.words("replay.none"), id="hint")

    def _row(self, path: Path, told: GameFileSummary | None) -> Content:
        row, state = file_row(self.words, path, told)
        return Content.assemble((row, "bold"), "  ", (state, MUTED))

    def label_key(self, binding: KeyBinding) -> str:
        """Nothing can be done with no game, and nobody sits down again where it has ended."""
        index = next((each.highlighted for each in self.query(OptionList)), None)
        is_over = index is not None and self._over[index]
        is_none = binding.name == "look_back" and not self._paths
        is_ended = binding.name == "resume" and (is_over or not self._paths)
        return "" if is_none or is_ended else super().label_key(binding)

    def on_mount(self) -> None:
        """The list has the keys."""
        self.query_one(OptionList).focus()

    def on_option_list_option_highlighted(self) -> None:
        """The game under the bar may have ended."""
        self.show_keys()

    def on_option_list_option_selected(self) -> None:
        """Enter looks back."""
        self.action_look_back()

    def _chosen(self) -> Path | None:
        index = self.query_one(OptionList).highlighted
        return None if index is None else self._paths[index]

    def action_resume(self) -> None:
        """Sit down again at the game under the bar."""
        path = self._chosen()
        if path is not None:
            self.app.pop_screen()
            self.base_app.send(Resume(path))

    def action_look_back(self) -> None:
        """Read the file beside the loop: every proof is verified on the way."""
        path = self._chosen()
        if path is None:
            return
        self.query_one("#hint", Static).update(self.words("replay.reading"))
        self.run_worker(lambda: self._read(path), thread=True, exclusive=True)

    def _read(self, path: Path) -> None:
        try:
            recording = read_recording(path)
        except (HostlessError, PeerError) as error:
            self.app.call_from_thread(self._refuse, error)
            return
        self.app.call_from_thread(self._show, recording)

    def _refuse(self, error: Exception) -> None:
        self.query_one("#hint", Static).update("")
        self.base_app.show_error(error)

    def _show(self, recording: Recording) -> None:
        self.query_one("#hint", Static).update("")
        self.app.push_screen(ReplayScreen(recording))


class ReplayScreen(TableScreen):
    """A recorded game on the table, position by position."""

    where = "replay"
    BINDINGS = textual_bindings("replay")
    is_played = False

    def __init__(
        self,
        recording: Recording,
        position: int = 0,
        seat: Player | None = None,
        page: PageOver | None = None,
    ) -> None:
        """`seat` is whose hand is shown, where its key was opened; None: what everybody saw.

        `page` is shown over it at once: what cost that seat most, or the rules of this position.
        """
        super().__init__()
        self._page = page
        self._seeks_turning = False  # And is told where it is as soon as that is known.
        self.seat = seat if seat in recording.opened_seats() else None
        self.recording = recording
        self.position = position

    def begin(self) -> None:
        """Begin where we were told to."""
        self.go(self.position)
        pages = {"review": self.action_review, "rules": self.action_rules}
        if self._page is not None:
            self.after_layout(pages[self._page])

    def on_unmount(self) -> None:
        """Be told no more."""
        self.forget_hint()
        self.base_app.subscribers.pop(self.where, None)

    def receive(self, news: UiNews) -> None:
        """Hints, and where it turned; what happens at a table now is not this game."""
        if isinstance(news, Explained):
            super().receive(news)
        elif (
            isinstance(news, WinCurveTraced)
            and news.path == self.recording.path
            and self._seeks_turning
        ):
            self._show_turning(news.course)

    def _turn(self) -> DecisionPoint | None:
        """What somebody had to choose here; known if the key of the seat was opened."""
        return self.recording.turn_at(self.position)

    def _show_end(self, model: ViewModel) -> None:
        """The end is a position like any other."""

    def _tell_outside(self, model: ViewModel, *, is_new: bool) -> None:
        """It is nobody's turn."""

    def go(self, position: int) -> None:
        """Show a position."""
        self.position = max(0, min(position, len(self.recording.positions) - 1))
        news = self.recording.seen_by(self.position, self.seat)
        name = "" if self.seat is None else news.seats[self.seat].name
        self.mark = self.words("replay.hand" if name else "replay.public", name=name)
        self.show(news)

    def _bar(self, width: int) -> list[Row]:
        """Where we are, with a scale that can be clicked."""
        count = len(self.recording.positions) - 1
        words = self.words
        game = words.name("game", self.recording.positions[0].view.game)
        text = " " + words("replay.title", name=game)
        text += "  " + words("replay.position", position=self.position, count=count) + "  "
        cells = max(width - cell_len(text) - 1, 1)
        at = self.position * (cells - 1) // max(count, 1)
        scale = [
            Span("■" if cell == at else "─", "", f"go:{cell * count // max(cells - 1, 1)}")
            for cell in range(cells)
        ]
        return [[Span(text), *scale]]

    def on_rows_widget_clicked(self, event: RowsWidget.Clicked) -> None:
        """A click on the scale goes there; the log and the pages work as at the table."""
        event.prevent_default()
        event.stop()
        where, _, position = event.label.partition(":")
        pages: dict[str, Callable[[], None]] = {
            "pile": self.action_pile,
            "fairness": self.action_fairness,
        }
        if where == "go":
            self.go(int(position))
        elif where in pages:
            pages[where]()

    def _draw(self) -> None:
        super()._draw()
        if self.model and self.is_mounted:
            self.query_one("#prompt", RowsWidget).show(self._bar)

    def look_back(self, position: int, page: PageOver | None = None) -> None:
        """A line of the log leads here."""
        self.go(position)
        if page == "rules":
            self.action_rules()

    def action_change_seat(self) -> None:
        """See the table from the next seat whose key was opened; after the last as a spectator."""
        order = [None, *self.recording.opened_seats()]
        if len(order) == 1:
            self.show_toast(self.words("replay.no_hands"))
            return
        self.seat = order[(order.index(self.seat) + 1) % len(order)]
        self.go(self.position)

    def action_practise(self) -> None:
        """Play on from here against bots, in the seat that is shown or whose choice it is."""
        seat = self._seat_meant()
        if seat is None:
            self.show_toast(self.words("practice.none"))
        elif self.recording.positions[self.position].view.is_over:
            self.show_toast(self.words("practice.over"))
        else:
            from ui.replay.practice import Practice  # Most replays are only looked at.
            from ui.screens.practice import PracticeScreen

            self.app.push_screen(PracticeScreen(Practice(self.recording, self.position, seat)))

    def _seat_meant(self) -> Player | None:
        """The seat that is shown, or whose choice it is, or the first whose key was opened."""
        return self.recording.seat_at(self.position) if self.seat is None else self.seat

    def action_review(self) -> None:
        """Which choices of this seat cost it most."""
        seat = self._seat_meant()
        if seat is None:
            self.show_toast(self.words("replay.no_hands"))
            return
        from ui.screens.review import ReviewScreen  # Most replays are only looked at.

        self.app.push_screen(ReviewScreen(self.recording, seat, self.go))

    def action_turning(self) -> None:
        """Show where the game turned; to find that out takes a moment."""
        path = self.recording.path
        if not self.recording.positions[-1].view.is_over or path is None:
            self.show_toast(self.words("course.over"))
        elif course := self.base_app.courses.get(path):
            self._show_turning(course)
        else:
            self._seeks_turning = True
            self.show_toast(self.words("course.soon"))
            self.base_app.send(TraceWinCurve(path))

    def _show_turning(self, course: WinCurve) -> None:
        self._seeks_turning = False
        last = view_model(self.words, self.recording.positions[-1])
        if course.turned is not None:
            self.go(course.turned.entry)
        key = key_of("replay", "turning")
        self.show_toast(turned_sentence(last, course, key))

    def action_back(self) -> None:
        """To what it was opened from; a file that the command line has named is all there is."""
        if self.base_app.has_lobby:
            super().action_back()
        else:
            self.action_quit_program()

    def action_step_back(self) -> None:
        """One event back."""
        self.go(self.position - 1)

    def action_step_on(self) -> None:
        """One event on."""
        self.go(self.position + 1)

    def action_jump_back(self) -> None:
        """To the turn before."""
        self.go(self.recording.mark_before(self.position))

    def action_jump_on(self) -> None:
        """To the next turn."""
        self.go(self.recording.mark_after(self.position))

    def action_first(self) -> None:
        """To the start."""
        self.go(0)

    def action_last(self) -> None:
        """To the end."""
        self.go(len(self.recording.positions) - 1)
