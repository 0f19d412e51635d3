"""What a program loads while its event loop runs, so that no step of the loop takes long for it.

The rules of a game are imported when somebody asks for that game, which takes 10 to 20 ms.  And all
that was ever imported would be gone through by each full collection of garbage, for 30 ms.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from core.game import Game
from core.games import find_game, is_loaded


async def load_game(slug: str) -> Game:
    """The game with this slug, whose rules are imported beside the loop if they are not here.

    Raises:
        RulesError: there is none.
    """
    return find_game(slug) if is_loaded(slug) else await trio.to_thread.run_sync(find_game, slug)


@contextmanager
def loaded_stays() -> Iterator[None]:
    """What has been loaded by now is not looked at by collections of garbage in this block."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
