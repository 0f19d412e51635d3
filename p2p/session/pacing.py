"""How often a person is told of what goes on by itself: the same only once in a while.

A peer can do the same wrong thing a thousand times a second.  All notices of a node pass here
before anybody prints them.  What has just changed at the table, and what answers the person, is
always said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

from p2p.session.news import News, Notice, TableChanged

REPEAT_S: Final = 60.0  # Before the same is said once more,
BURST_MAX: Final = 20  # and of whatever kind, so many notices at once,
PER_S_MAX: Final = 0.5  # and per second on average.
TEXTS_MAX: Final = 256  # That are remembered.


class Paced:
    """Publishes news, but not one notice again and again."""

    def __init__(self, publish: Callable[[News], object]) -> None:
        self._publish = publish
        self._said: dict[tuple[str, str], float] = {}  # When each was said last.
        self._left, self._at_s = float(BURST_MAX), 0.0
        self._later = list[Notice]()

    def __call__(self, news: News) -> None:
        """Publish it now, or drop it: a notice that was just said, or one too many."""
        if not isinstance(news, Notice) or news.is_news or self._is_due(news):
            self._publish(news)
        if isinstance(news, TableChanged):
            later, self._later = self._later, []
            for notice in later:
                self._publish(notice)

    def say_at_table(self, notice: Notice) -> None:
        """Publish it once a table is shown: before that, a notice says that there is none."""
        self._later.append(notice)

    def _is_due(self, notice: Notice) -> bool:
        now, text = trio.current_time(), (notice.text, notice.hint)
        said = self._said.pop(text, None)
        if said is not None and now - said < REPEAT_S:
            self._said[text] = said
            return False
        self._left = min(BURST_MAX, self._left + (now - self._at_s) * PER_S_MAX)
        self._at_s = now
        if self._left < 1:
            return False
        self._left -= 1
        self._said[text] = now
        if len(self._said) > TEXTS_MAX:
            del self._said[next(iter(self._said))]
        return True
