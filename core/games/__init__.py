"""Every game there is, by its slug: ours, and those of other packages that are installed.

Ours are the modules and folders here that `OURS` names.  Their bots are in `ai/games`, their looks
in `ui/games`, under the same name.  How another package offers a game is said in `core.plugins`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from core.game import Game, did_you_mean
from core.plugins import announced, game_called, reason, refuse, refused_game
from core.table import RulesError

OURS: Final = ("carta", "dominion", "renaissance", "civilization")
SLUG_LETTERS_MAX: Final = 32
_SLUG: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


class _Games(MutableMapping[str, Game]):
    """The games by their slugs; one of ours is imported when it is asked for.

    All rules together take as long to import as a screen takes to be painted first.
    """

    def __init__(self) -> None:
        self._games: dict[str, Game | None] = dict.fromkeys(OURS)

    def __getitem__(self, slug: str) -> Game:
        game = self._games[slug]
        if game is None:
            found: Game = import_module(f"{__name__}.{slug}").GAME
            self._games[slug] = game = found
        return game

    def is_loaded(self, slug: str) -> bool:
        """Whether a game is here that need not be imported first."""
        return self._games.get(slug) is not None

    def __setitem__(self, slug: str, game: Game) -> None:
        self._games[slug] = game

    def __delitem__(self, slug: str) -> None:
        del self._games[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, slug: object) -> bool:
        return slug in self._games


GAMES: Final = _Games()
PACKAGES: Final[dict[str, str]] = {}
"""The module of every game that is not ours, by the slug of the game."""


def find_game(slug: str) -> Game:
    """The game with this slug.

    Raises:
        RulesError: there is none; the message lists those there are, or says why the one that a
            package announces is left out.
    """
    if slug not in GAMES:
        if refused := refused_game(slug):
            raise RulesError(refused)
        called = f"{slug[:40]!r}{did_you_mean(slug[:40], GAMES)}"
        raise RulesError(f"no game is called {called}; choose one of: {', '.join(GAMES)}")
    return GAMES[slug]


def is_loaded(slug: str) -> bool:
    """Whether the rules of this game are here already, so that `find_game` costs nothing."""
    return GAMES.is_loaded(slug)


def find_part(slug: str, floor: str, part: str) -> ModuleType | None:
    """The module about a game on a floor above: `FLOOR.SLUG`, or `PACKAGE.PART` of another's.

    None where nobody has written one, or where that of another package cannot be imported.
    """
    if slug not in PACKAGES:
        module = f"{floor}.{slug}"
        return import_module(module) if find_spec(module) else None
    package = PACKAGES[slug]
    module = f"{package}.{part}"
    try:
        has_parts = hasattr(import_module(package), "__path__")  # Otherwise it is one file.
        return import_module(module) if has_parts and find_spec(module) else None
    except Exception as error:  # noqa: BLE001 - somebody else's code, which may do anything.
        refuse(module, reason(error))
        return None


def _take_in(point: EntryPoint) -> None:
    """Offer the game of another package, if it is one."""
    what = f"{game_called(point.name)}{point.dist.name if point.dist else '?'}"
    try:
        game = import_module(point.module).GAME
    except Exception as error:  # noqa: BLE001 - somebody else's code, which may do anything.
        refuse(what, reason(error))
        return
    complaint = _complaint(game)
    if complaint:
        refuse(what, complaint)
        return
    GAMES[game.slug], PACKAGES[game.slug] = game, point.module


def _complaint(game: object) -> str:
    """Why this cannot be a game beside the others; empty when it can."""
    if not isinstance(game, Game):
        return "its GAME is not a Game"
    if not _SLUG.fullmatch(game.slug) or len(game.slug) > SLUG_LETTERS_MAX:
        return f"its slug {game.slug[:40]!r} is not made of small letters, as in gin_rummy"
    if game.slug in GAMES:
        return f"there is a game called {game.slug} already"
    return "" if game.players and game.players[0] > 0 else "its range of players is empty"


for _point in announced():
    _take_in(_point)
