"""A table that fills, in lines of text: who sits there, when that changes, and what was agreed."""

from __future__ import annotations

from p2p.session.news import Gathering
from ui.language.text import Words
from ui.lobby.filling import Ways, gathering_advice, told_terms


class GatheringHeard:
    """What one person has been told of it."""

    def __init__(self, ways: Ways) -> None:
        self.game = "carta"  # Whose rules are read before it begins.
        self._ways = ways
        self._told = ""

    @property
    def is_open(self) -> bool:
        """Whether I sit at a table."""
        return bool(self._told)

    def forget(self) -> None:
        """The table is left."""
        self._told = ""

    def hear(self, words: Words, news: Gathering) -> list[str]:
        """What is new; the terms once."""
        self.game = news.table.game
        taken = sum(1 for seat in news.seats if seat.link != "free")
        names = words.listed(seat.name for seat in news.seats if seat.name)
        line = f"{words('gathering.waiting', taken=taken, seats=news.table.seats)} {names}"
        if line == self._told:
            return []
        is_first, self._told = not self._told, line
        terms = told_terms(words, news.table.game, news.table.options) if is_first else []
        return [line, *terms, *gathering_advice(words, news, self._ways)]
