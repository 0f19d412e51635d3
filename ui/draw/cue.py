"""What moves: a mark on what has just changed, for each view that comes, and who takes long.

Nothing waits for it: keys are taken meanwhile, and the next drawing is without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from ui.model.clocks import minutes
from ui.terminal.spans import Row, Span

CUE_S: Final = 0.18  # Long enough to be seen, and too short to be waited for.
SHARE_MAX: Final = 0.25  # Of the letters on a board; where more are new, all of it is.
_THOUGHT_S: Final = 2  # A bot that thinks longer is seen to think, by a dot that wanders.
_DOTS: Final = ("·  ", " · ", "  ·", " · ")
_WAITED_S: Final = 10  # Who is waited for longer than this has a clock,
_WAITED_STEP_S: Final = 5  # which is drawn again so often: a screen at rest costs nothing.
_STYLE: Final = "reverse"
_BORDERS: Final = frozenset(" │─┌┐└┘├┤┬┴┼╭╮╰╯┃━┏┓┗┛·|+-")


def mark_changes(before: Sequence[Row], after: Sequence[Row]) -> list[Row]:
    """The rows with marks on the words that are new; nothing where that is none, or too much."""
    # A board is drawn from its top; the hand below it may leave it another row.
    earlier = [_text(row) for row in (*before, *after[len(before) :])]
    changed = [_changed(old, _text(new)) for old, new in zip(earlier, after, strict=False)]
    count, letters = sum(map(len, changed)), sum(len(_text(row)) for row in after)
    if not 0 < count <= letters * SHARE_MAX:
        return []
    return [list(_marked(row, places)) for row, places in zip(after, changed, strict=True)]


def sign_of_thought(seconds: int) -> str:
    """What stands before the bar after so many seconds of thought; a dot goes a step in each.

    >>> sign_of_thought(1), sign_of_thought(2), sign_of_thought(3)
    ('', '  ·', ' · ')
    """
    return _DOTS[seconds % len(_DOTS)] if seconds >= _THOUGHT_S else ""


def time_waited(seconds: int) -> str:
    """For how long somebody has been waited for, in minutes and seconds; nothing while it is short.

    >>> time_waited(9), time_waited(14), time_waited(129)
    ('', '0:10', '2:05')
    """
    steps = seconds // _WAITED_STEP_S * _WAITED_STEP_S
    return minutes(steps) if seconds >= _WAITED_S else ""


def _text(row: Row) -> str:
    return "".join(span.text for span in row)


def _changed(old: str, new: str) -> set[int]:
    """The places of all words of a row in which a letter is another one than before."""
    if old == new:
        return set()
    shorter = old.ljust(len(new))
    places = {at for at, letter in enumerate(new) if letter != shorter[at]} - _borders(new)
    for is_word, group in groupby(range(len(new)), lambda at: new[at] not in _BORDERS):
        word = set(group)
        if is_word and word & places:
            places |= word
    return places


def _borders(text: str) -> set[int]:
    return {at for at, letter in enumerate(text) if letter in _BORDERS}


def _marked(row: Row, places: set[int]) -> Iterator[Span]:
    at = 0
    for span in row:
        letters = enumerate(span.text, at)
        at += len(span.text)
        for is_new, group in groupby(letters, lambda letter: letter[0] in places):
            part = "".join(letter for _, letter in group)
            yield Span(part, f"{span.style} {_STYLE}".strip() if is_new else span.style, span.hot)
