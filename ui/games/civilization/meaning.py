"""What a choice would give or does, for somebody who does not know it by heart."""

from __future__ import annotations

from typing import Final

from core.games.civilization.faces import TECH_KEYS, WONDER_KEYS
from core.games.civilization.printed import BUILDINGS, TECHNOLOGIES
from ui.games.civilization.rules import building_text, tech_text
from ui.games.civilization.words import item_name, name, tech_name
from ui.language.text import Words

_MADE: Final = ("make", "free", "split", "also", "play", "rescue")
_LEARNED: Final = ("learn", "liberty", "power")
_FORMS: Final = {"government": "gov", "civ": "civ"}
_BUILDINGS: Final = {each.key: each for each in BUILDINGS}


def choice_text(words: Words, notation: str, *, is_card: bool = False) -> str:
    """What is learned, built or changed to does; empty for what says so by itself.

    What an event does stands on its card, unless that has no room for it (`is_card`).
    """
    verb, *rest = [*notation.split(), ""]
    if is_card and verb == "event":
        return f"{words.name('face', rest[0])}: {words(f'text.civilization.{rest[0]}')}"
    if verb in _MADE:
        return item_text(words, rest[0].partition(".")[0])
    if verb in _LEARNED:
        return tech_line(words, rest[0].partition(":")[0])
    form = "gov.anarchy" if verb == "anarchy" else f"{_FORMS.get(verb, '')}.{rest[0]}"
    text = f"text.civilization.{form}"
    return f"{name(words, form)}: {words(text)}" if words.has(text) else ""


def tech_line(words: Words, key: str) -> str:
    """A technology by its key, and all that it does; empty for no technology."""
    if key not in TECH_KEYS:
        return ""
    return f"{tech_name(words, key)}: {tech_text(words, TECHNOLOGIES[TECH_KEYS.index(key)])}"


def item_text(words: Words, key: str) -> str:
    """A building and what it yields; a wonder, a figure, a unit type, walls and what they do."""
    what = item_name(words, key)
    if key in _BUILDINGS:
        return f"{what}: {building_text(words, _BUILDINGS[key])}"
    text = f"text.civilization.{key}" if key in WONDER_KEYS else f"text.civilization.item.{key}"
    return f"{what}: {words(text)}" if words.has(text) else ""
