"""What a bot has chosen for a person who was gone, told when the seat is the person's again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.narrate import Line
from ui.model.sentences import offer_sentence
from ui.model.view_model import ViewModel


class Substituted:
    """What one person was told of what became of the seat meanwhile."""

    def __init__(self) -> None:
        """Nothing was chosen for anybody yet."""
        self._last: Line | None = None  # What I chose last myself,
        self._lost: Line | None = None  # and what of that the others have never had.
        self._told: tuple[Line, ...] = ()
        self._path: Path | None = None  # Of the game that this is about.

    def hear(self, model: ViewModel) -> str:
        """What to say about this moment; mostly nothing."""
        news, me = model.news, model.view.seat
        if me is None:
            return ""
        if news.path != self._path:
            self._path, self._last, self._lost, self._told = news.path, None, None, ()
        lines = [each for each in news.lines if each.kind == "chosen" and each.is_by(me)]
        own = [at for at, line in enumerate(lines) if (line.entry, me) not in news.by_bots]
        chosen = tuple(lines[own[-1] + 1 if own else 0 :])  # Since I chose last.
        is_gone = news.seats[me].is_bot
        if is_gone and self._last is not None and self._last not in lines:
            self._lost = self._last  # It stood in my log alone, which has gone back.
        self._last = lines[own[-1]] if own else None
        if is_gone or not chosen or chosen == self._told:
            return ""
        self._told = chosen
        return self._sentence(model, chosen)

    def _sentence(self, model: ViewModel, chosen: Sequence[Line]) -> str:
        words, lost, self._lost = model.words, self._lost, None
        what = words.parted(_deed(model, line) for line in chosen)
        said = [words.count("silence.chosen", len(chosen), what=what)]
        said += [words("silence.lost", what=_deed(model, lost))] if lost is not None else []
        return words.in_a_row(said)


def _deed(model: ViewModel, line: Line) -> str:
    return offer_sentence(model.words, model.news.seats, line.text, model.view.game)
