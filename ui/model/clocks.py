"""The clocks of a table in words: what is left, that it is little, and that it is used up."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.requests import Player
from p2p.session.news import SeatClock, TableChanged
from ui.language.text import Words

ABOUT_SIGN: Final = "~"  # Before a clock that its owner's program perhaps counts otherwise.


def clock_of(news: TableChanged, seat: Player | None) -> SeatClock | None:
    """The clock of a seat; None where it has none, as that of a bot."""
    return next((each for each in news.clocks if each.seat == seat), None)


def time_left(news: TableChanged, seat: Player) -> str:
    """A person's clock, as `9:32`, or `~9:32` if its owner says otherwise perhaps; or nothing."""
    clock = clock_of(news, seat)
    return "" if clock is None else ABOUT_SIGN * clock.is_about + minutes(clock.seconds())


def minutes(seconds: int) -> str:
    """A time as clocks show it.

    >>> minutes(572), minutes(4)
    ('9:32', '0:04')
    """
    return f"{seconds // 60}:{seconds % 60:02}"


def time_sign(words: Words, news: TableChanged, seat: Player) -> str:
    """A clock with a word that it is used up, or, of my own, that there is little left."""
    clock, time = clock_of(news, seat), time_left(news, seat)
    if clock is not None and clock.is_up:
        return f"{time} {words('clock.up')}"
    low_s = my_low_s(news) if seat == news.view.seat else 0
    return f"{time} {words(f'clock.low_{low_s}')}" if low_s else time


def my_low_s(news: TableChanged) -> int:
    """Below how few seconds my own time is; 0: there is no need to hurry."""
    clock = clock_of(news, news.view.seat)
    return 0 if clock is None or news.view.is_over else clock.low_s()


def used_up(words: Words, news: TableChanged, seat: Player) -> str:
    """That somebody's time is used up, and what follows from it."""
    clock = clock_of(news, seat)
    seconds = 0 if clock is None else clock.increment_s
    who = "mine" if seat == news.view.seat else "seat"
    key = f"clock.up_{who}" if seconds else f"clock.up_{who}_none"
    return words(key, name=news.seats[seat].name, seconds=seconds)


def time_result(words: Words, news: TableChanged) -> list[str]:
    """For whom bots have chosen since there was no time left, and how often."""
    counts = {seat: 0 for _, seat in sorted(news.hastened)}
    for _, seat in news.hastened:
        counts[seat] += 1
    return [words.count("clock.chosen", count, name=news.seats[seat].name)
            for seat, count in sorted(counts.items())]  # fmt: skip


class TimeHeard:
    """What a person has been told of the clocks of one game: each thing once."""

    def __init__(self) -> None:
        """Nothing was told yet."""
        self._path: Path | None = None  # Of the game that this is about.
        self._up: set[Player] = set()  # Whose time is used up, as was said,
        self._more: set[Player] = set()  # whose clock shows more than was counted,
        self._low: set[int] = set()  # and below what mine has been.

    def hear(self, words: Words, news: TableChanged) -> list[str]:
        """Whose time is used up, and whose clock is not believed, where that is new."""
        self._begin(news)
        up = {each.seat for each in news.clocks if each.is_up}
        more = {each.seat for each in news.clocks if each.shows_more}
        fresh, self._up = up - self._up, up
        lines = [used_up(words, news, seat) for seat in sorted(fresh)]
        lines += [words("clock.more", name=news.seats[seat].name)
                  for seat in sorted(more - self._more)]  # fmt: skip
        self._more |= more
        return [] if news.view.is_over else lines

    def warn(self, words: Words, news: TableChanged) -> list[str]:
        """That I have little time left, once for each of the times at which that is said."""
        self._begin(news)
        low_s, clock = my_low_s(news), clock_of(news, news.view.seat)
        if clock is None or not low_s or low_s in self._low or clock.is_up:
            return []
        self._low.add(low_s)
        return [words("clock.warn", time=minutes(clock.seconds()))]

    def _begin(self, news: TableChanged) -> None:
        if news.path != self._path:
            self._path, self._up, self._more, self._low = news.path, set(), set(), set()
