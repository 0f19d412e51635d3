"""The games that other installed packages announce, before any of them is imported.

A package offers a game by an entry point.  It has all of its game: a module with a `GAME`, and
where somebody has written them, modules `bot` and `look` beside it and a folder `locales`.

    [project.entry-points."hostless.games"]
    gin_rummy = "gin_rummy"

What cannot be used is left out, and `REFUSED_PACKAGES` says why: one package never stops the
others.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

ENTRY_POINT_GROUP: Final = "hostless.games"
_REASON_LETTERS_MAX: Final = 200
REFUSED_PACKAGES: Final[list[str]] = []
"""What is left out and why: a line each."""


@cache
def announced() -> tuple[EntryPoint, ...]:
    """What other packages announce, in the order of its names."""
    return tuple(sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name))


def refuse(what: str, why: str) -> None:
    """Note that a part of another package is left out."""
    line = f"{what} is left out: {why}"
    if line not in REFUSED_PACKAGES:
        REFUSED_PACKAGES.append(line)


def game_called(slug: str) -> str:
    """How the line about a game begins that is left out."""
    return f"the game {slug} of the package "


def refused_game(slug: str) -> str:
    """Why the game that a package announces by this name is left out; nothing if none is."""
    begun = game_called(slug)
    return next((line for line in REFUSED_PACKAGES if line.startswith(begun)), "")


def reason(error: Exception) -> str:
    """An error on one line."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return "".join(letter for letter in text if letter.isprintable())[:_REASON_LETTERS_MAX]
