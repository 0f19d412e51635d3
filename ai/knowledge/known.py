"""Which knowledge belongs to which game.  Adding one is a file and a line here."""

from __future__ import annotations

from typing import Final

from ai.knowledge import Knowledge
from ai.knowledge.carta import CartaKnowledge
from ai.knowledge.dominion import DominionKnowledge
from ai.knowledge.renaissance import RenaissanceKnowledge
from core.game import Game

KNOWN: Final[dict[str, type[Knowledge]]] = {
    "carta": CartaKnowledge,
    "dominion": DominionKnowledge,
    "renaissance": RenaissanceKnowledge,
}


def find_knowledge(game: Game) -> Knowledge:
    """What is known of a game; nothing but its rules where nobody has written more."""
    return KNOWN.get(game.slug, Knowledge)(game)
