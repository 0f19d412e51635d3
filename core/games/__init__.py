"""Every game we have, by its slug.  To add one: a module or folder here, a word in `OURS`."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from core.game import Game, did_you_mean
from core.table import RulesError

OURS: Final = ("carta", "dominion", "renaissance")


def _ours() -> dict[str, Game]:
    found: dict[str, Game] = {}
    for slug in OURS:
        found[slug] = import_module(f"{__name__}.{slug}").GAME
    return found


GAMES: Final = _ours()


def find_game(slug: str) -> Game:
    """The game with this slug.

    Raises:
        RulesError: there is none; the message lists those there are.
    """
    if slug not in GAMES:
        called = f"{slug[:40]!r}{did_you_mean(slug[:40], GAMES)}"
        raise RulesError(f"no game is called {called}; choose one of: {', '.join(GAMES)}")
    return GAMES[slug]
