"""What a log of events means to somebody who leafs through it: where to jump."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from core.requests import Choice, Event, Request, Secret

Record: TypeAlias = tuple[Request, Event]  # A request, and the event that answered it.


def turn_marks(history: Iterable[Record]) -> list[int]:
    """The positions at which another seat begins to choose than before, or all choose at once."""
    marks, chooser = [], None
    for entry, (request, _) in enumerate(history):
        if isinstance(request, Choice | Secret) and request != chooser:
            marks.append(entry)
            chooser = request
    return marks
