"""Every game we have, by its slug.  Adding one is a file and a line here."""

from __future__ import annotations

from core.game import Game, did_you_mean
from core.games.carta import Carta
from core.games.dominion import Dominion
from core.games.renaissance import Renaissance
from core.table import RulesError

GAMES: dict[str, Game] = {
    game.slug: game
    for game in (
        Carta(),
        Dominion(),
        Renaissance(),
    )
}


def find_game(slug: str) -> Game:
    """The game with this slug.

    Raises:
        RulesError: there is none; the message lists those there are.
    """
    if slug not in GAMES:
        called = f"{slug[:40]!r}{did_you_mean(slug[:40], GAMES)}"
        raise RulesError(f"no game is called {called}; choose one of: {', '.join(GAMES)}")
    return GAMES[slug]
