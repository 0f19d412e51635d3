"""What a log of events means to somebody who leafs through it: how far to undo, where to jump.

A player may take back entries from the end of the log as long as each of them is that player's own
choice.  Whatever showed, shuffled or rolled something, and every choice of somebody else, is a
wall: an undo never changes whose turn it is to think, and never lets anybody see a card twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from core.requests import Choice, Chosen, Event, Player, Request, Reveal, Secret

Record: TypeAlias = tuple[Request, Event]  # A request, and the event that answered it.


def undo_reach(history: Sequence[Record], player: Player) -> int:
    """How many entries from the end `player` may take back without asking anybody.

    >>> from core.requests import Action, Rolled, Roll
    >>> mine = (Choice(0), Chosen(Action("end")))
    >>> undo_reach([(Roll(6), Rolled(3)), mine, mine], 0)
    2
    >>> undo_reach([mine], 1)
    0
    """
    reach = 0
    for request, event in reversed(history):
        if not isinstance(event, Chosen) or request != Choice(player):
            break
        reach += 1
    return reach


def choice_marks(history: Iterable[Record]) -> list[int]:
    """The positions (entries before them) at which somebody has to choose."""
    asked = enumerate(request for request, _ in history)
    return [entry for entry, request in asked if isinstance(request, Choice | Secret)]


def turn_marks(history: Iterable[Record]) -> list[int]:
    """The positions at which another seat begins to choose than before, or all choose at once."""
    marks, chooser = [], None
    for entry, (request, _) in enumerate(history):
        if isinstance(request, Choice | Secret) and request != chooser:
            marks.append(entry)
            chooser = request
    return marks


def reveal_marks(history: Iterable[Record]) -> list[int]:
    """The positions at which a card is about to be shown to everybody."""
    asked = enumerate(request for request, _ in history)
    return [
        entry for entry, request in asked if isinstance(request, Reveal) and request.player is None
    ]
