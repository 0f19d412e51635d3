"""What bots know of each game, where somebody has written more than its rules.

    carta.py  renaissance.py  dominion/    one module or folder a game, called by its slug

Such a module has a `KNOWLEDGE`: a class like `ai.knowledge.Knowledge`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from ai.knowledge import Knowledge
from core.game import Game


def find_knowledge(game: Game) -> Knowledge:
    """What is known of a game; nothing but its rules where nobody has written more."""
    return _knowledge(game.slug)(game)


@cache
def _knowledge(slug: str) -> type[Knowledge]:
    module = f"{__name__}.{slug}"
    if find_spec(module) is None:
        return Knowledge
    found: type[Knowledge] = import_module(module).KNOWLEDGE
    return found
