"""A hint on the screen: every legal action with its key, its chance to win, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ui.backend.hints import expected_sentence, unsure_sentence, win_text
from ui.draw.marks import KEY, MUTED
from ui.model.sentences import offer_sentence
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, pad, right, wrap

if TYPE_CHECKING:
    from ai.advice.explain import Explanation, Prospect

KEY_WIDTH: Final = 4  # Of mark, key and gap, where no key is longer than usual.
WIN_WIDTH: Final = 7
VISITS_WIDTH: Final = 8
VISITS_CELLS_MIN: Final = 40  # In less, how often each was tried stands on the page alone.
LINE_ROWS_MAX: Final = 2  # Of the expected moves, in the panel,
LOW_ROWS: Final = 5  # which has one row for them where it is so low.
BOTH_ROWS_MIN: Final = 9  # Of a panel that says of a doubtful hint also what is expected.


def draw_hint(
    model: ViewModel, explanation: Explanation | None, width: int, rows_max: int | None = None,
    seconds: int | None = None,
) -> Sequence[Row]:  # fmt: skip
    """The hint in at most `rows_max` rows; None: there is none yet.

    As long as it is being thought about, `seconds` are for how long.
    """
    words = model.words
    if explanation is None:
        waited = [words("hint.waited", seconds=seconds)] if seconds else []
        return _text(words.in_a_row([words("hint.thinking"), *waited]), width)
    line_max = 1 if rows_max is not None and rows_max <= LOW_ROWS else LINE_ROWS_MAX
    line = _expected(model, explanation, width, None if rows_max is None else line_max)
    if unsure := unsure_sentence(words, explanation):
        said = _text(unsure, width)
        line = said if rows_max is not None and rows_max < BOTH_ROWS_MIN else [*said, *line]
    ranked = explanation.ranked()
    room = len(ranked) if rows_max is None else max(rows_max - len(line) - 1, 1)
    more = _more(model, len(ranked) - room, width) if len(ranked) > room else []
    shown = ranked[: max(room - len(more), 1)]
    more = _more(model, len(ranked) - len(shown), width) if more else []
    rows = [_title(model, seconds, width)]
    keys = max([KEY_WIDTH, *(len(_label(model, prospect)) + 2 for prospect in shown)])
    rows += [_prospect(model, explanation, prospect, width, keys) for prospect in shown]
    return [*rows, *more, *line]


def _more(model: ViewModel, left: int, width: int) -> list[Row]:
    """How many choices are on the page alone, and how one gets there."""
    lines = wrap(model.words("hint.more", number=left), width - KEY_WIDTH)
    return [[Span(" " * KEY_WIDTH + line, MUTED)] for line in lines]


def _title(model: ViewModel, seconds: int | None, width: int) -> Row:
    words = model.words
    visits = _visits_width(width)
    columns = right(words("hint.win"), WIN_WIDTH)
    columns += right(words("hint.tried"), visits) if visits else ""
    said = words("hint.title")
    if seconds is not None:
        said = words("hint.first_look_so_far" if seconds else "hint.first_look", seconds=seconds)
    title = pad(said, width - WIN_WIDTH - visits)
    return [Span(title, "bold"), Span(columns, MUTED)]


def _label(model: ViewModel, prospect: Prospect) -> str:
    """The key of a choice; empty where a screen has none for it."""
    return next((pick.label for pick in model.picks if pick.offer.action == prospect.action), "")


def _prospect(
    model: ViewModel, explanation: Explanation, prospect: Prospect, width: int, keys: int
) -> Row:
    is_best, label = prospect.action == explanation.best, _label(model, prospect)
    seats, view = model.news.seats, model.view
    what = offer_sentence(model.words, seats, prospect.text, view.game, view.phase)
    visits = _visits_width(width)
    tried = f"{prospect.visits or '':>{visits}}" if visits else ""
    room = width - keys - WIN_WIDTH - visits
    mark, style = ("▸", "bold") if is_best else (" ", "")
    return [
        Span(f"{mark}{label:<{keys - 1}}", KEY, label),
        Span(pad(what, room), style, label),
        Span(f"{win_text(prospect):>{WIN_WIDTH}}", style, label),
        Span(tried, MUTED, label),
    ]


def _visits_width(width: int) -> int:
    return VISITS_WIDTH if width >= VISITS_CELLS_MIN else 0


def _expected(
    model: ViewModel, explanation: Explanation, width: int, rows_max: int | None
) -> list[Row]:
    """The expected moves: all of them, or as many as fit."""
    rows: list[Row] = []
    for count in range(1, len(explanation.line) + 1):
        longer = _text(expected_sentence(model, explanation, count), width)
        if rows and rows_max is not None and len(longer) > rows_max:
            break
        rows = longer
    return rows


def _text(text: str, width: int) -> list[Row]:
    return [[Span(pad(line, width), MUTED)] for line in wrap(text, width)]
