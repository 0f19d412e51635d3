"""What bots know of each game, where somebody has written more than its rules.

    carta.py  civilization.py  dominion/  renaissance.py    one a game, called by its slug

Such a module, or the module `bot` in a package of somebody else, has a `KNOWLEDGE`: a class that
inherits from `ai.search.knowledge.Knowledge`.
"""

from __future__ import annotations

from functools import cache

from ai.search.by_score import ByScore
from ai.search.knowledge import Knowledge
from core.game import Game
from core.games import find_part
from core.plugins import refuse


def find_knowledge(game: Game) -> Knowledge:
    """What is known of a game; where nobody has written more, what its own score says."""
    return knowledge_of(game.slug)(game)


@cache
def knowledge_of(slug: str) -> type[Knowledge]:
    """The class of what is known of a game, by its slug."""
    module = find_part(slug, __name__, "bot")
    if module is None:
        return ByScore
    found = getattr(module, "KNOWLEDGE", None)
    if isinstance(found, type) and issubclass(found, Knowledge):
        return found
    refuse(module.__name__, "its KNOWLEDGE is not a class that inherits from Knowledge")
    return ByScore
