"""The notation of Civilization as a person reads it: squares, cities, goods, cards by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from core.games.civilization.powers import POWER_KEYS, POWERS
from core.games.civilization.printed import (
    RESOURCES,
    TECHNOLOGIES,
)
from ui.games.civilization.position import square_name, square_of
from ui.language.text import Words

if TYPE_CHECKING:
    from p2p.session.news import SeatState

_TECHNOLOGIES: Final = frozenset(each.key for each in TECHNOLOGIES)
# By verb: what its word names, where the word alone does not say it.
_KINDS: Final = {
    "government": "gov", "civ": "civ", "learn": "tech", "liberty": "tech", "guard": "guard",
    "learned": "tech", "forgot": "tech", "governed": "gov", "civilization": "civ",
    "coin": "place", "uncoined": "place", "task": "place", "ruin": "place", "discover": "dir",
}  # fmt: skip
_LISTED: Final = ("power", "guard")  # Verbs with several things of one kind.
_CITY_LAST: Final = ("make", "free", "split", "arts", "harvest", "reap", "direct")
_IRON: Final = ("iron", "mathematics", "ballistics")  # Paid with a market token if not said.
_OWN_CITIES: Final = ("0", "1", "2")


def name(words: Words, key: str) -> str:
    """One of the nouns of the game; the key where there is none."""
    return words.name("civilization", key)


def tech_name(words: Words, key: str) -> str:
    """The name of a technology."""
    return name(words, f"tech.{key}")


def item_name(words: Words, key: str) -> str:
    """What a city can make: a figure, a unit type, a building, walls or a wonder."""
    item = f"civilization.item.{key}"
    return words(item) if words.has(item) else words.name("face", key)


def placed_name(words: Words, key: str) -> str:
    """What is put on a square: `1 army`; a building, a wonder or a person by its name."""
    figures = {"army": (1, 0), "scout": (0, 1)}
    return group_name(words, *figures[key]) if key in figures else item_name(words, key)


def amount_of(words: Words, number: int, what: str) -> str:
    """So many of something, in the order of the language: `2 trade`."""
    return words("civilization.amount_of", number=number, what=what)


def city_name(words: Words, seats: Sequence[SeatState], word: str) -> str:
    """A city by its number among its owner's, as `1`, or of anybody, as `seat0.1`."""
    from ui.model.sentences import seat_name

    owner, dot, number = word.rpartition(".")
    city = name(words, f"city.{number}")
    if not dot:
        return city
    return words("civilization.city.of", name=seat_name(words, seats, int(owner[4:])), city=city)


def power_name(words: Words, key: str) -> str:
    """A resource ability by its technology, and what it costs."""
    power = POWERS[POWER_KEYS.index(key)]
    cost = RESOURCES[power.resource] if power.resource >= 0 else "any"
    what = tech_name(words, key.partition(":")[0])
    return f"{what} ({name(words, f'resource.{cost}')}" + (
        f"×{power.tokens})" if power.tokens > 1 else ")"
    )


def group_name(words: Words, armies: int, scouts: int) -> str:
    """So many armies and scouts."""
    parts = []
    for count, one, many in ((armies, "army1", "armies"), (scouts, "scout1", "scouts")):
        if count:
            key = one if count == 1 else many
            parts.append(words(f"civilization.{key}", number=count))
    return words.listed(parts)


def word_name(words: Words, seats: Sequence[SeatState], verb: str, word: str) -> str:
    """One word of the notation."""
    from ui.model.sentences import word_name as general

    square, known = square_of(word), words.sentences
    if square >= 0:
        return square_name(square)
    if word.startswith("seat") and "." in word:
        owner, _, what = word.partition(".")
        if what.isdigit():
            return city_name(words, seats, word)
        return words(
            "civilization.figure", name=general(words, seats, owner),
            what=name(words, f"item.{what}"),
        )  # fmt: skip
    kinds = [_KINDS[verb]] if verb in _KINDS else []
    kinds += ["resource", "item", "back", "good", "dir", "tech"]
    if verb in ("target", "siege") and word in _OWN_CITIES:
        kinds = ["city"]
    for kind in kinds:
        if f"civilization.{kind}.{word}" in known and (kind != "tech" or word in _TECHNOLOGIES):
            return known[f"civilization.{kind}.{word}"]
    if word in POWER_KEYS:
        return power_name(words, word)
    return general(words, seats, word)


def say(words: Words, seats: Sequence[SeatState], notation: str) -> Mapping[str, str]:
    """The gaps of all sentences about a notation."""
    verb, *rest = notation.split()
    found = {"what": "", "where": "", "city": "", "more": "", "number": ""}
    if verb in _CITY_LAST and rest and rest[-1] in _OWN_CITIES:
        found["city"] = city_name(words, seats, rest.pop())
    if verb == "infiltrate":
        found["city"] = city_name(words, seats, rest.pop())
    if verb == "reap" and len(rest) > 1:
        found["more"] = word_name(words, seats, verb, rest.pop())
    if verb in ("give", "ask", "answer", "front") and rest:
        found["number"] = rest.pop(0 if verb in ("answer", "front") else -1)
    if verb in ("victory", "defeat"):
        found["more"] = rest.pop()
    if verb in ("move", "moved", "gone"):
        armies, _, scouts = rest.pop().partition("+")
        found["what"] = group_name(words, int(armies), int(scouts))
    squares = [word for word in rest if square_of(word) >= 0]
    found["where"] = " → ".join(square_name(square_of(word)) for word in squares)
    others = rest if verb == "target" else [word for word in rest if word not in squares]
    if verb in _IRON and not others:
        others = ["iron"]
    if others:
        texts = [_thing(words, seats, verb, word) for word in others]
        found["what"] = words.listed(texts) if verb in _LISTED else " ".join(texts)
    return found


def _thing(words: Words, seats: Sequence[SeatState], verb: str, word: str) -> str:
    if verb == "used":
        return tech_name(words, word.partition(":")[0])
    if verb == "power" and word in POWER_KEYS:
        return power_name(words, word)
    return word_name(words, seats, verb, word)
