"""What happened: a panel beside the board, or a few lines where there is no room for one.

When my turn begins it tells what has happened since the one before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final

from ui.draw.cached import cached_for_model
from ui.draw.marks import BAD, LIT, MUTED, YOU
from ui.draw.panels import fill, panel, ruled
from ui.draw.scene import Scene
from ui.language.text import Words
from ui.model.story import Told, is_turn_new, since_mine, story
from ui.model.view_model import ViewModel
from ui.terminal.spans import Row, Span, wrap

_PANEL_ROWS_MIN: Final = 4
_UNTITLED_ROWS_MAX: Final = 2  # So few are worth more than a title.


def story_panel(scene: Scene, width: int, height: int) -> Sequence[Row]:
    """A panel of this size; when my turn begins a second one, for what is new."""
    return _panel(scene.model, width, height)


@cached_for_model
def _panel(model: ViewModel, width: int, height: int) -> Sequence[Row]:
    words, lines, told = model.words, since(model), story(model)
    older = [each for each in told if not lines or each.entry < lines[0].entry]
    rows = draw_story(older, width - 4)
    new: list[Row] = []
    if lines:
        shown = fitting(lines, width - 4, height - 2)
        size = max(len(shown) + 2, _PANEL_ROWS_MIN)
        new = panel(_since_title(model), shown, width, size)
    room = height - len(new)
    if room < _PANEL_ROWS_MIN:
        return fill(new, width, height)
    return [*panel(words("board.log"), _newest(words, rows, room - 2), width, room), *new]


def story_rows(scene: Scene, width: int, height: int) -> Sequence[Row]:
    """The same under a line, in at most so many rows; in few rows only what matters most."""
    return _rows(scene.model, width, height) if height > 0 else []


@cached_for_model
def _rows(model: ViewModel, width: int, height: int) -> Sequence[Row]:
    lines, room = since(model), width - 2
    if height <= _UNTITLED_ROWS_MAX:
        rows = _deeds_abreast(model.words, lines, room, height) or _untitled(model, room, height)
        return fill([[Span(" "), *row] for row in rows], width, height)
    told = lines or story(model)
    title = _since_title(model) if lines else model.words("board.log")
    is_over = model.view.is_over  # Then what came last says how it ended.
    rows = draw_story(told, room) if is_over else fitting(told, room, height - 1)
    rows = rows[-(height - 1) :]
    return fill(ruled(title, rows or _newest(model.words, [], 1), width), width, height)


def _untitled(model: ViewModel, width: int, height: int) -> list[Row]:
    """The same without a title; where nothing is new for me, of the last turn of each seat."""
    if lines := since(model):
        return fitting(lines, width, height)
    told = story(model)
    turns = [at for at, each in enumerate(told) if each.is_heading][-model.view.players :]
    return fitting(told[turns[0] :] if turns else told, width, height)


def _deeds_abreast(words: Words, lines: Sequence[Told], width: int, height: int) -> list[Row]:
    """What each of the others did, one after another, where there are fewer rows than turns.

    Where that has no room, what came of each turn; then without what followed.  Nothing where not
    even this fits, or where somebody did something to me.
    """
    deeds = [each for each in lines if each.is_deed]
    choices = [each for each in deeds if not each.is_consequence]
    if any(each.is_hurt for each in lines):
        return []
    for told in (deeds, _outcomes(lines), choices):
        rows = wrap(words.parted([each.text for each in told]), width - 1)
        if len(told) > height >= len(rows):
            return [[Span(f" {row}", MUTED)] for row in rows]
    return []


def _outcomes(lines: Sequence[Told]) -> list[Told]:
    """Of each turn what followed first from its deeds; where nothing did, the last of them."""
    found, turn = dict[int, Told](), 0
    for each in lines:
        turn += each.is_heading
        if each.is_deed and not (turn in found and found[turn].is_consequence):
            found[turn] = each
    return list(found.values())


def since(model: ViewModel) -> list[Told]:
    """What to tell when my turn begins, until I have done something in it."""
    is_new = model.is_my_turn and (model.look.has_rounds or is_turn_new(model))
    return since_mine(model) if is_new else []


def _since_title(model: ViewModel) -> str:
    return model.words("board.since_choice" if model.look.has_rounds else "board.since")


def untold(scene: Scene, rows: Sequence[Row]) -> tuple[str, ...]:
    """What hurt me since my last turn, where these rows do not say it."""
    hurts = tuple(each.text for each in since(scene.model) if each.is_hurt)
    is_said = any(span.text.lstrip().startswith("! ") for row in rows for span in row)
    return () if is_said else hurts


def draw_story(lines: Sequence[Told], width: int) -> list[Row]:
    """Sentences: turns as headings, consequences set in, what hurts me marked."""
    rows: list[Row] = []
    for each in lines:
        indent = "" if each.is_heading else "  " if each.is_consequence else " "
        style = BAD if each.is_hurt else YOU if each.is_mine and each.is_heading else ""
        style = style or (LIT if each.is_heading else "" if each.is_mine else MUTED)
        text = f"! {each.text}" if each.is_hurt else each.text
        first, *rest = wrap(text, width - len(indent) - 1)
        rows += [[Span(indent + line, style)] for line in (first, *(f" {more}" for more in rest))]
    return rows


def fitting(lines: Sequence[Told], width: int, height: int) -> list[Row]:
    """As many as fit: what hurt me before all else, then what came last in each turn."""
    kept = list(lines)
    high = len(draw_story(kept, width))
    while high > height and kept:
        least = _least(kept)
        kept.remove(least)
        high -= len(draw_story([least], width))
    return draw_story(kept, width)


def newest(lines: Sequence[Told], width: int, height: int) -> list[Row]:
    """As many of the last lines as fit whole: of a battle the last blow counts."""
    rows = draw_story(lines, width)
    for at in range(len(lines)):
        if len(rows) <= height:
            break
        rows = rows[len(draw_story(lines[at : at + 1], width)) :]
    return rows


def _least(lines: list[Told]) -> Told:
    """What a reader misses least: a turn without anything, harmless lines of the longest turn.

    Then headings: the last line of a turn says as well whose it was.
    """
    headings = [each for each in lines if each.is_heading]
    empty = [one for one, two in pairwise(lines) if one.is_heading and two.is_heading]
    empty += [each for each in lines[-1:] if each.is_heading]
    plain = [each for each in lines if not (each.is_heading or each.is_hurt)]
    turn_of = list(accumulate(each.is_heading for each in lines))
    lengths = Counter(turn for each, turn in zip(lines, turn_of, strict=True) if each in plain)
    length_of = {each: lengths[turn] for each, turn in zip(lines, turn_of, strict=True)}
    plain.sort(key=lambda each: (not each.is_routine, each.is_deed, -length_of[each],
                                 not each.is_consequence))  # fmt: skip
    spare = [each for each in plain if length_of[each] > 1]
    is_last = len(plain) == 1 and not any(each.is_hurt for each in lines)
    return next(iter([*empty, *spare, *headings, *([] if is_last else plain), *lines]))


def _newest(words: Words, rows: list[Row], height: int) -> list[Row]:
    """The last rows, at the bottom."""
    if not rows:
        return [[Span(words("table.no_lines"), MUTED)]]
    shown = rows[-height:] if height > 0 else []
    return [*([Span(" ")] for _ in range(height - len(shown))), *shown]
