"""The rules of a game as a person reads them."""

from __future__ import annotations

from core.games import find_game
from ui.games import look_of
from ui.text import Words


def rules_text(words: Words, game: str) -> str:
    """The rules as Markdown, in the person's language; in English where there is no other.

    A game that composes its own text does so (`Look.rules`); else it is the sentence `rules.GAME`.
    """
    own = look_of(game).rules
    if own is not None:
        return own(words)
    key = f"rules.{game}"
    return words(key) if words.has(key) else find_game(game).rules
