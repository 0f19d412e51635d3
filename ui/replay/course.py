"""How a game went, in words: when it turned, and what happened there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ui.model.sentences import line_sentence, seat_name
from ui.model.story import begins_turn, is_worth_a_row
from ui.model.view_model import ViewModel
from ui.replay.recording import read_recording

if TYPE_CHECKING:
    from ai.advice.win_probability import TurningPoint, WinCurve

HAPPENED_MAX: Final = 2  # Sentences of what happened in one turn.


def read_course(path: Path) -> WinCurve:
    """How the game in a file went.  In a process of its own: every proof is verified on the way.

    Raises:
        HostlessError: it is not a game file.
        PeerError: a seat cheated, and there is no game after that.
    """
    from ai.advice.win_probability import win_curve

    recording = read_recording(path)
    last = recording.positions[-1].view
    return win_curve(last.game, recording.waypoints(), last.winners)


def turned_sentence(model: ViewModel, course: WinCurve, key: str) -> str:
    """When the game turned, for whom, and what was chosen then; or that no turn did it."""
    words, turned = model.words, course.turned
    if turned is None or not model.look.has_winner(model.view):
        return words("course.even")
    winners = [seat_name(words, model.news.seats, seat) for seat in model.view.winners]
    return words(
        "course.turned", turn=_turn(model, turned, course.numbers[-1] - 1),
        names=words.listed(winners), before=_percent(turned.before_permille),
        after=_percent(turned.after_permille), what=_happened(model, turned), name=key,
    )  # fmt: skip


def course_lines(model: ViewModel, course: WinCurve) -> list[str]:
    """The same as lines of text, with the chances of every seat at the turns that were judged."""
    words = model.words
    rows = [
        words("course.chances", name=seat.name,
              values=words.listed(_percent(chances[seat.seat]) for chances in course.chances))
        for seat in model.seats
    ]  # fmt: skip
    return [*rows, turned_sentence(model, course, "replay")]


def _turn(model: ViewModel, turned: TurningPoint, count: int) -> str:
    """Whose turn it was, as the log calls it; its number where a game has no such headings."""
    words, news = model.words, model.news
    begun = [line for line in news.lines if begins_turn(line) and line.entry <= turned.entry]
    if not begun:
        return words("course.turn", number=turned.number, count=count)
    return line_sentence(words, news.seats, begun[-1], news.view.game)


def _happened(model: ViewModel, turned: TurningPoint) -> str:
    """What was chosen in that turn, first things first."""
    words, news = model.words, model.news
    lines = [line for line in news.lines if turned.entry <= line.entry < turned.end]
    lines = [line for line in lines if is_worth_a_row(line)] or lines
    chosen = [line for line in lines if line.kind == "chosen"] or lines
    told = (line_sentence(words, news.seats, line, news.view.game) for line in chosen)
    return words.parted([*told][:HAPPENED_MAX])


def _percent(permille: int) -> str:
    return f"{round(permille / 10)}%"


def thinned(values: Sequence[int], count: int) -> list[int]:
    """Which of the values to show where there is room for so many."""
    shown = min(len(values), count)
    return [at * (len(values) - 1) // max(shown - 1, 1) for at in range(shown)]
