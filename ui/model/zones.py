"""The zones and numbers of a table that nobody has drawn, by whose they are: each by its own name.

What the board for any game and the lines of text share.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TypeVar

from core.games import GAMES
from core.requests import Player
from core.view import CardView, View
from ui.language.text import Words

T = TypeVar("T")


def zones_of(view: View, owner: Player | None) -> dict[str, tuple[CardView, ...]]:
    """The zones of a seat, or of nobody, but for the hand that is shown as such."""
    return {
        name: cards
        for name, cards in _of(view.zones, owner).items()
        if name != "hand" or owner is None or owner != view.seat
    }


def numbers_of(view: View, owner: Player | None) -> dict[str, int]:
    """The counters of a seat, or of nobody, but for those that only the rules need."""
    prefix = "" if owner is None else f"seat{owner}."
    game = GAMES.get(view.game)
    hidden = ("_*", *(game.steering if game is not None else ()))
    return {
        name: number
        for name, number in _of(view.counters, owner).items()
        if not any(fnmatchcase(each, mask) for each in (name, prefix + name) for mask in hidden)
    }


def zone_name(words: Words, name: str, owner: Player | None) -> str:
    """What a zone is called, with its owner told elsewhere."""
    known = words.name("term" if owner is None else "face", name)
    return words("board.hand") if name == "hand" else known.replace("_", " ")


def numbers_text(words: Words, view: View, owner: Player | None) -> str:
    """The numbers side by side; empty where there are none."""
    numbers = numbers_of(view, owner).items()
    return " · ".join(filter(None, (_number_text(words, *each) for each in numbers)))


def _number_text(words: Words, name: str, number: int) -> str:
    """A counter with its number, or what the game says for that; empty: it is not worth a word."""
    if words.has(f"counter.{name}.{number}"):
        return words(f"counter.{name}.{number}")
    return f"{words.name('counter', name).replace('.', ' ')} {number}"


def _of(named: Mapping[str, T], owner: Player | None) -> dict[str, T]:
    prefix = "" if owner is None else f"seat{owner}."
    return {
        name.removeprefix(prefix): value
        for name, value in named.items()
        if (name.startswith(prefix) if prefix else not name.startswith("seat"))
    }
