"""What is wrong with games of other packages, for the person who has installed them."""

from __future__ import annotations

from core.plugins import REFUSED_PACKAGES, announced
from ui.language.error_texts import translate_error
from ui.language.text import Words


def plugin_errors(words: Words) -> list[str]:
    """What of them is left out and why, a line each; nothing where no package has a game."""
    if not announced():
        return []
    from ai.games import knowledge_of
    from core.games import PACKAGES
    from ui.games import look_of

    for slug in PACKAGES:  # Whatever they bring is tried now, rather than at a table.
        knowledge_of(slug)
        look_of(slug)
    return [translate_error(words, line) for line in REFUSED_PACKAGES]
