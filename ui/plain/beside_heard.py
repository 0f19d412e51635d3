"""What stands beside a game, in lines of text, for whoever looks on: a pause, a request to go back.

Those who have a seat hear it from each other, as talk and as questions; a screen shows it as long
as it lasts.
"""

from __future__ import annotations

from core.requests import Player
from p2p.session.news import TableChanged
from ui.choices.asked_back import waits_for
from ui.language.text import Words
from ui.model.pause import pause_note, paused_by


class BesideHeard:
    """What somebody who looks on has been told of it."""

    def __init__(self) -> None:
        self._pauser: Player | None = None
        self._asked: tuple[Player, int] | None = None  # Who asked to go back, and where.

    def hear(self, words: Words, news: TableChanged) -> list[str]:
        """What has begun or ended since the last time."""
        if news.view.seat is not None:
            return []
        return [*self._hear_pause(words, news), *self._hear_request(words, news)]

    def _hear_pause(self, words: Words, news: TableChanged) -> list[str]:
        before, self._pauser = self._pauser, paused_by(news)
        if self._pauser == before or news.view.is_over:
            return []
        return [words("pause.over") if self._pauser is None else pause_note(words, news, "")]

    def _hear_request(self, words: Words, news: TableChanged) -> list[str]:
        """Once for each, however many have agreed meanwhile."""
        asked, before = news.asked_back, self._asked
        self._asked = None if asked is None else (asked.seat, asked.height)
        return [waits_for(words, news)] if self._asked not in (None, before) else []
