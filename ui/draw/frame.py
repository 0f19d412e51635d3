"""The whole table: first line, board, prompt, hand, and the column beside them.

The prompt stands directly above what it asks about.  All rows together are as many as the screen
has, so that nothing moves when a choice is picked, and the hand never goes away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Final, NamedTuple

from rich.cells import cell_len

from p2p.session.news import LOW_S
from ui.draw.lesson import lesson_panel, lesson_rows
from ui.draw.marks import BAD, GOOD, LINK_DOT, LIT, MUTED, clip
from ui.draw.panels import fill
from ui.draw.scene import GameBoard, Scene
from ui.draw.story import story_panel, story_rows, untold
from ui.draw.talk import talk_panel
from ui.draw.zones import ZONES
from ui.key_bindings import key_name, key_of
from ui.model.away import is_cut_off, is_played, seat_note
from ui.model.clocks import ABOUT_SIGN, clock_of, my_low_s, time_sign
from ui.model.fairness import fairness_line
from ui.model.prompt import prompt
from ui.model.several import several_sentence
from ui.model.view_model import SeatModel, ViewModel, seat_marks
from ui.terminal.spans import Row, Span, pad, row_width, wrap

SIDE_WIDTH: Final = 36
BROAD_SIDE_WIDTH: Final = 52
PROMPT_LINES_MAX: Final = 2  # Where it takes more than one to say it.
STORY_ROWS_MIN: Final = 4
TALK_STORY_ROWS: Final = 8  # What happened keeps so many rows where something was said.
KEY_ROWS: Final = 1
HURRY: Final = "bold $warning"  # Little time is left.
_CONFIRMS: Final = ("picked", "picked_short", "picked_only")  # In ever fewer words.
_MARK_CELLS: Final = 4  # What stands before a question, and a cell behind it.
_BETWEEN: Final = " · "  # The parts of a status.


class Frame(NamedTuple):
    """The rows of each part of the screen, by the part's name there."""

    title: Sequence[Row]
    board: Sequence[Row]
    prompt: Sequence[Row]
    hand: Sequence[Row]
    side: Sequence[Row]
    side_width: int
    untold: tuple[str, ...] = ()  # What hurt me since my last turn, and found no row.
    has_talk: bool = False  # Whether what was said stands in the side column.


def legend(model: ViewModel) -> list[Row]:
    """Every sign of this table: those of its board, and that of clocks where there are any."""
    clocks: list[Row] = [[Span(f" {pad(ABOUT_SIGN, 7)}", LIT), Span(model.words("clock.about"))]]
    return [*board_of(model).legend(model), *(clocks if model.news.clocks else [])]


def board_of(model: ViewModel) -> GameBoard:
    """The board of a game; its zones by their names where nobody has drawn one."""
    if not model.look.board:
        return ZONES
    board = import_module(model.look.board).BOARD
    assert isinstance(board, GameBoard), f"{model.look.board} draws no board"
    return board


def draw_table(scene: Scene) -> Frame:
    """Everything, for the size of the scene."""
    board = board_of(scene.model)
    side_width = 0
    if scene.has_side:
        side_width = BROAD_SIDE_WIDTH if scene.is_broad else SIDE_WIDTH
    width = scene.width - side_width
    asked = draw_prompt(scene, width)
    height = scene.height - 1 - KEY_ROWS
    side: list[Row] = []
    has_talk = has_lesson = False
    if side_width:
        side, has_talk, has_lesson = _side(scene, board, side_width, height)
    taught = [] if has_lesson else lesson_rows(replace(scene, width=width))
    whole, scene = scene, replace(scene, height=scene.height - len(taught))
    height = scene.height - 1 - KEY_ROWS
    rows = height - len(asked)
    column = board.column(scene, width, rows)
    below = fill(column.below, width, min(len(column.below), rows))
    above = list(column.above)
    free = rows - len(below) - len(above)
    if not side and free > 0:
        above += story_rows(scene, width, free)
    return Frame(
        draw_title(whole, board), [*fill(above, width, rows - len(below)), *taught], asked, below,
        side, side_width, () if side else untold(scene, [*above, *below]), has_talk,
    )  # fmt: skip


def _side(scene: Scene, board: GameBoard, width: int, height: int) -> tuple[list[Row], bool, bool]:
    """The game's panels, what was said where there is room for it; what happened has the rest.

    And whether there was room for what was said, and for what is explained in a first game.
    """
    rows = list(board.side(scene, width))[: height - STORY_ROWS_MIN]
    lesson = lesson_panel(scene, width, height - len(rows) - STORY_ROWS_MIN)
    rows += lesson
    room = height - len(rows) - TALK_STORY_ROWS
    talk = talk_panel(scene.words, scene.talk, scene.view.seat, width, room)
    told = story_panel(scene, width, height - len(rows) - len(talk))
    return fill([*rows, *told, *talk], width, height), bool(talk), bool(lesson)


# ---- the first line ----


def draw_title(scene: Scene, board: GameBoard) -> list[Row]:
    """The game, where we are in it, who sits here, and what was proven."""
    model, width = scene.model, scene.width
    name = f" {scene.words.name('game', scene.view.game)}"
    proven, style = (scene.mark, "bold $warning") if scene.mark else _proven(model, width)
    told = board.status(model)
    noted = _noted(scene, width - cell_len(_whole_parts(told, 0)) - 4)
    if noted:  # Who is away, and how much time is left, matters more.
        free = width - row_width(noted) - cell_len(_whole_parts(told, 0)) - 6
        proven = proven if cell_len(name) + cell_len(proven) <= free else ""
        name = name if cell_len(name) <= free else ""
    status: Row = [Span(told, MUTED)]
    is_long = not noted and _is_long(name, told, proven, width)
    if is_long and proven.startswith("✓"):
        proven = f"✓ {scene.words('board.fair_short')}"
    if is_long and _is_long(name, told, proven, width):
        name = ""  # What is going on matters more.
    room = max(width - cell_len(name) - cell_len(proven) - 4, 0)
    everybody = _seats(scene, model.seats)
    if row_width(status) + row_width(everybody) + 3 <= room:
        middle = [*status, Span("   "), *everybody]
    else:
        middle = [*noted, Span(_whole_parts(told, room - row_width(noted)), MUTED)]
    middle = clip(middle, room)
    gap = " " * max(width - cell_len(name) - row_width(middle) - cell_len(proven) - 3, 1)
    head = [Span(name, "bold"), Span("  " if name else " ")]
    return [[*head, *middle, Span(gap), Span(proven, style, "fairness")]]


def _is_long(name: str, told: str, proven: str, width: int) -> bool:
    return sum(map(cell_len, (name, told, proven))) + 4 > width


def _whole_parts(text: str, width: int) -> str:
    """As many parts of a status as fit, the first in any case: no word is cut behind them."""
    first, *parts = text.split(_BETWEEN)
    for part in parts:
        if cell_len(first + _BETWEEN + part) > width:
            break
        first += _BETWEEN + part
    return first


def _proven(model: ViewModel, width: int) -> tuple[str, str]:
    words, news = model.words, model.news
    if news.fairness.pending or (news.pairing and news.strangers):
        line = fairness_line(words, news)
        return pad(line, min(cell_len(line), width // 2)), "bold $warning"
    proofs = news.fairness.shuffles + news.fairness.shares + news.fairness.claims
    return (f"✓ {words('board.fair', number=proofs)}" if proofs else words("fair.none")), GOOD


def _noted(scene: Scene, width: int) -> Row:
    """The seats of which something has to be said, as many as fit; mine is always one of them."""
    news = scene.model.news
    seats = [
        seat for seat in scene.model.seats
        if _note(scene, seat) or _time_left(scene, seat) or is_played(news, seat.seat)
    ]  # fmt: skip
    while len(seats) > 1 and row_width(_seats(scene, seats)) > width:
        seats.remove(next(seat for seat in reversed(seats) if not seat.is_me))
    return _seats(scene, seats)


def _seats(scene: Scene, seats: Sequence[SeatModel]) -> Row:
    row: Row = []
    for seat in seats:
        glyph, style = LINK_DOT.get(seat.state.link, LINK_DOT["up"])
        row += [Span(f"{glyph} ", style), Span(f"{_seat_text(scene, seat)}  ", _hurry(scene, seat))]
    return row


def _seat_text(scene: Scene, seat: SeatModel) -> str:
    words = scene.words
    marks = words.listed(seat_marks(scene.model, seat.seat))
    name = f"{seat.name} ({marks})" if marks else seat.name
    note, time = _note(scene, seat), _time_left(scene, seat)
    return f"{name} - {note}" if note else f"{name} {time}" if time else name


def _time_left(scene: Scene, seat: SeatModel) -> str:
    return time_sign(scene.words, scene.model.news, seat.seat)


def _hurry(scene: Scene, seat: SeatModel) -> str:
    """How a seat is written: mine is to be seen where there is little time, beside its words."""
    news, clock = scene.model.news, clock_of(scene.model.news, seat.seat)
    if not seat.is_me or clock is None:
        return MUTED
    low_s = my_low_s(news)
    is_urgent = clock.is_up or low_s == min(LOW_S)
    return BAD if is_urgent else HURRY if low_s else MUTED


def _note(scene: Scene, seat: SeatModel) -> str:
    """Why a seat does not play as it should; that a bot plays for it, the mark of a bot says."""
    is_said = seat.state.is_bot and is_played(scene.model.news, seat.seat)
    return "" if is_said else seat_note(scene.words, scene.model.news, seat.seat)


# ---- the prompt ----


def draw_prompt(scene: Scene, width: int) -> list[Row]:
    """The one bar that says whose turn it is and what to do, with the keys for it."""
    model, words = scene.model, scene.words
    text, silence = prompt(model), model.news.silence
    if silence is not None and not (model.is_my_turn or is_cut_off(model.news)):
        text = words("table.silent_keys")
    if scene.picked:
        text = scene.soon or _confirmed(scene, width)
    mark = " ▶ " if model.is_my_turn else scene.sign or " · "
    if model.news.away and not scene.picked:
        more = [[Span(pad(f"   {scene.note}", width))]] if scene.note else []
        return [*_whole_prompt(scene, mark, text, width), *more]
    keys, room, apart = "", width - cell_len(text) - 6, scene.note
    if model.is_my_turn and not scene.picked:
        keys = _ways(scene, room)
        named = model.look.ways(scene.view)
        apart = apart or (words(named) if named and scene.is_roomy and not keys else "")
    is_open = scene.can_take_back and not scene.picked
    back = words("back.keys", name=key_name(key_of("table", "take_back"))) if is_open else ""
    keys = words("table.look_on") if model.mine is None else back or keys or scene.waited
    keys = scene.note if scene.note and not scene.picked else keys
    below: list[Row] = []
    if apart and not scene.picked and (cell_len(keys) > room or not keys):
        below = [[Span(pad(f"   {apart}", width))]]  # It is to be seen, with a row of its own.
    keys = "" if cell_len(keys) > room else keys
    if cell_len(text) > width - len(mark) - 1:
        return [*_whole_prompt(scene, mark, text, width), *below]
    text = pad(f"{mark}{text}", width - cell_len(keys) - 1)
    clicked = "take_back" if keys and keys == back else "confirm"
    return [[*_clickable(scene, text), Span(f"{keys} ", "", clicked)], *below]


def _ways(scene: Scene, room: int) -> str:
    """How one chooses, as the game says it or as usual, in so many cells; nothing where none is."""
    named, words = scene.model.look.ways(scene.view), scene.words
    known = (named, f"{named}_short", "board.keys", "board.keys_short")
    ways = [words(key) for key in known if words.has(key)]
    return next((way for way in ways if cell_len(way) <= room), "")


def _confirmed(scene: Scene, width: int) -> str:
    """What is picked, and the keys for it, which the last row has too: in one row if it fits."""
    what = several_sentence(scene.model, scene.picked)
    cancels = scene.words("table.cancels")
    texts = [scene.words(f"table.{key}", what=what, cancels=cancels) for key in _CONFIRMS]
    return next((text for text in texts if cell_len(text) <= width - _MARK_CELLS), texts[0])


def _clickable(scene: Scene, text: str) -> Row:
    """What the bar says: a click on it confirms, but where it says how to cancel."""
    before, cancels, after = text.partition(scene.words("table.cancels"))
    if not scene.picked or not cancels:
        return [Span(text, "", "confirm")]
    return [Span(before, "", "confirm"), Span(cancels, "", "take_back"), Span(after, "", "confirm")]


def _whole_prompt(scene: Scene, mark: str, text: str, width: int) -> list[Row]:
    """What the bar says, on more than one line where it is long; `…` where it ends too early."""
    room = width - len(mark) - 1
    lines = wrap(text, room)
    rest = " ".join(lines[PROMPT_LINES_MAX - 1 :])
    first, *more = [*lines[: PROMPT_LINES_MAX - 1], *([pad(rest, room)] if rest else [])]
    lines = [mark + first, *(" " * len(mark) + line for line in more)]
    return [_clickable(scene, pad(line, width)) for line in lines]
