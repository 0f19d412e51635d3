"""The rules of Renaissance in the person's language: how it is played, then all the cards."""

from __future__ import annotations

from core.games.renaissance.cards import FACES, FIRST_EVENT
from core.games.renaissance.printed import CULTURE, EVENTS, PERSONS, Culture, EventCard, Person
from core.games.renaissance.rules_text import RULES
from ui.language.text import Words


def rules(words: Words) -> str:
    """All of it, as Markdown; in English what the game itself says."""
    if not words.has("rules.renaissance"):
        return RULES
    cards = words(
        "rules.renaissance.cards",
        culture="\n".join(_culture_row(words, card) for card in CULTURE),
        persons="\n".join(_person_row(words, person) for person in PERSONS),
        events="\n".join(
            _event_row(words, FACES[FIRST_EVENT + index], event)
            for index, event in enumerate(EVENTS)
        ),
    )
    return words("rules.renaissance") + cards


def _culture_row(words: Words, card: Culture) -> str:
    symbols = _symbols(words, card.symbols)
    if card.is_double:
        symbols = words("rules.renaissance.double", symbol=symbols)
    genius = words.name("value", card.genius) if card.genius else "-"
    return f"| {card.copies} | {symbols} | {genius} |"


def _person_row(words: Words, person: Person) -> str:
    symbol = words.name("face", person.symbol) if person.symbol else "-"
    key = ".".join(filter(None, [person.symbol, str(person.value)]))
    return f"| {symbol} | {person.value} | {words(f'rules.renaissance.person.{key}')} |"


def _event_row(words: Words, face: str, event: EventCard) -> str:
    series = words.name("value", event.series)
    paths = " ".join(f"{one + 1}-{other + 1}" for one, other in event.plan.paths)
    name, symbols = words.name("face", face), _symbols(words, event.symbols)
    cells = (series, name, symbols, event.plan.spaces, paths, str(event.dice))
    return f"| {' | '.join(cells)} |"


def _symbols(words: Words, symbols: tuple[str, ...]) -> str:
    return words.listed(words.name("face", symbol) for symbol in symbols)
