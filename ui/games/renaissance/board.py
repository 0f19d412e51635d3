"""The table of Renaissance: the events above, my hand and what I may do with it below."""

from __future__ import annotations

from typing import Final

from core.games.renaissance.printed import SERIES
from ui.draw.choices import choices_left, draw_choices
from ui.draw.marks import CAP, LIT
from ui.draw.scene import Column, GameBoard, Scene
from ui.games.renaissance.events import draw_events
from ui.games.renaissance.facts import (
    display_lines,
    display_rows,
    is_taking,
    seat_lines,
    side,
)
from ui.games.renaissance.graph import CULTURE_COLOR, GENIUS_SIGN, PERSON_COLOR, stone
from ui.games.renaissance.hand import draw_hand
from ui.games.renaissance.large import large
from ui.games.renaissance.position import locations
from ui.games.renaissance.why import about
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span

_SCORINGS: Final = {2: 11, 3: 13, 4: 15}  # 13.3
HAND_ROWS: Final = 6
EVENTS_ROWS_MAX: Final = 28
EVENTS_ROWS_MIN: Final = 14  # With fewer, paths are left out.
SCORING_ROWS_MIN: Final = 16
SEAT_ROWS: Final = 2
DISPLAY_ROWS_MAX: Final = 3
_COUNTED: Final = (("▌", PERSON_COLOR), (GENIUS_SIGN, CULTURE_COLOR), (GENIUS_SIGN, PERSON_COLOR))


def column(scene: Scene, width: int, height: int) -> Column:
    """Events, a few lines of facts where there is no column for them, then my hand."""
    hand = draw_hand(scene, width, HAND_ROWS if scene.is_roomy else 2 if scene.is_tiny else 3)
    seats = [] if scene.has_side else seat_lines(scene, width, SEAT_ROWS)
    shown = [] if scene.has_side or scene.is_tiny else display_lines(scene, width, DISPLAY_ROWS_MAX)
    beside = display_rows(scene) if scene.has_side else shown
    spots = set(scene.model.look.labels(scene.view).values())
    picks = [pick for pick in choices_left(scene, [*hand, *beside]) if pick.label not in spots]
    free = height - len(hand) - len(seats)
    room = max(height // 4, free - len(locations(scene.view)) if scene.is_tiny else 2)
    choices = draw_choices(scene, picks, width, min(room, len(picks) + 1))
    if free - len(choices) - len(shown) < _events_rows_min(scene) and not is_taking(scene):
        shown = []  # The display is not asked about; where a piece may go, is.
    rest = free - len(choices) - len(shown)
    if not (scene.has_side or scene.is_tiny):  # What happened needs a row more than paths do.
        rest = max(rest - 1, min(rest, EVENTS_ROWS_MIN))
    above = [*draw_events(scene, width, min(rest, EVENTS_ROWS_MAX)), *seats, *shown]
    if rest - EVENTS_ROWS_MAX > 4:
        above += large(scene, width, rest - EVENTS_ROWS_MAX)
    return Column(above, [*hand, *choices])


def _events_rows_min(scene: Scene) -> int:
    """What the events need before the display: a scoring has more to say."""
    return SCORING_ROWS_MIN if scene.view.phase in ("name", "duel") else EVENTS_ROWS_MIN


# ---- words about it ----


def status(model: ViewModel) -> str:
    """How far the game is, and whose series is in it for certain."""
    words, view = model.words, model.view
    series = view.counters["series"]
    return words(
        "renaissance.status", number=view.counters["scorings"],
        all=_SCORINGS.get(view.players, 0), left=len(view.zones["events"]),
        series=words.name("value", SERIES[series]) if series >= 0 else "-",
    )  # fmt: skip


def legend(model: ViewModel) -> list[Row]:
    """Every sign of the board."""
    words = model.words
    signs: list[Row] = [
        [Span("( 1 )", f"bold {CULTURE_COLOR}")],
        [Span("[ 1 ]", f"bold {PERSON_COLOR}")],
        [Span(*stone(1)), Span(" "), Span(*stone(5))],
        [Span(" 1 ", CAP)],
        [Span(f"g {GENIUS_SIGN}", LIT)],
        [Span("▲  +", LIT)],
        [*(Span(f"{sign} ", color) for sign, color in _COUNTED)],
        [Span("6+2", LIT)],
    ]  # fmt: skip
    texts = words("renaissance.signs").strip().splitlines()
    return [
        [Span(" "), *sign, Span(" " * (9 - sum(len(span.text) for span in sign))), Span(text)]
        for sign, text in zip(signs, texts, strict=True)
    ]


BOARD: Final = GameBoard(column, side, status, legend, about)
