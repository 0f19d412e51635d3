"""The keys of what is chosen: a square by its column and row, a city and what it makes, a good."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from core.games.civilization.items import ITEM_KEYS
from core.games.civilization.trade import DEAL_KEYS
from core.view import Offer, View
from ui.games.civilization.position import SEAT_LETTERS, square_name, square_of

CITY_LETTERS: Final = SEAT_LETTERS  # The capital first.
_ITEM_LETTERS: Final = {
    "army": "a", "scout": "o", "infantry": "i", "mounted": "m", "artillery": "r", "aircraft": "f",
    "walls": "w", "harbor": "h", "trading_post": "p", "workshop": "s", "iron_mine": "n",
    "library": "l", "university": "u", "granary": "g", "aqueduct": "q", "market": "k",
    "bank": "b", "temple": "t", "cathedral": "d", "barracks": "y", "academy": "e",
}  # fmt: skip
_ARTS: Final = "c"
_MODES: Final = {"make": "", "free": "x", "split": "y"}
_DEAL_LETTERS: Final = "tcisnwhvamd"
_PREFIX: Final = {"via": "v", "infiltrate": "I", "direct": "D"}
_SUFFIXES: Final = "bcdgijkmnou"
_SEAT: Final = re.compile(r"seat(\d)")
_ONE_KEY: Final = {
    **dict.fromkeys(("none", "spare", "leave", "done", "sheet"), "s"),
    "refuse": "n", "accept": "y", "new": "n",
}  # fmt: skip


def item_letter(key: str) -> str:
    """The letter of something that a city makes; wonders have capital ones."""
    if key in _ITEM_LETTERS:
        return _ITEM_LETTERS[key]
    wonders = [each for number, each in ITEM_KEYS.items() if 30 <= number < 60]
    return chr(ord("A") + wonders.index(key)) if key in wonders else ""


def _of_city(verb: str, rest: list[str]) -> str:
    city = CITY_LETTERS[int(rest[-1])]
    if verb == "arts":
        return city + _ARTS
    if verb == "harvest":
        return city + str(1 + _resource(rest[0]))
    if verb == "reap":
        return f"z{city}{1 + _resource(rest[0])}{1 + _resource(rest[1])}"
    return _MODES[verb] + city + item_letter(rest[0])


def _resource(key: str) -> int:
    return ("iron", "silk", "incense", "wheat").index(key)


def _of_deal(verb: str, rest: list[str]) -> str:
    return verb[0] + _DEAL_LETTERS[DEAL_KEYS.index(rest[0])] + rest[1]


def _also(verb: str, rest: list[str]) -> str:
    return "d" + item_letter(rest[0])


def _guard(verb: str, rest: list[str]) -> str:
    from core.games.civilization.notation import GUARD_KEYS

    return f"G{1 + GUARD_KEYS.index(rest[0])}"


def _of_seat(rest: list[str]) -> str:
    """The letter that a seat has on the map and in every table."""
    seats = [_SEAT.fullmatch(word) for word in rest]
    return next((SEAT_LETTERS[int(found[1])] for found in seats if found), "")


_WAYS: Final[dict[str, Callable[[str, list[str]], str]]] = {
    **dict.fromkeys(("make", "free", "split", "arts", "harvest", "reap"), _of_city),
    **dict.fromkeys(("give", "ask"), _of_deal),
    "also": _also, "guard": _guard,
}  # fmt: skip


def _label(offer: Offer) -> str:
    """The key that an offer should have; none where any will do."""
    verb, *rest = offer.text.split()
    if verb in _WAYS:
        return _WAYS[verb](verb, rest)
    squares = [square_of(word) for word in rest if square_of(word) >= 0]
    if squares:
        return _PREFIX.get(verb, "") + square_name(squares[0])
    return _ONE_KEY.get(verb, "") or _of_seat(rest)


def labels(view: View) -> dict[str, str]:
    """The key of each offer that has one of its own, by its notation.

    Of several offers for one square the largest group, which comes last, has the short key.
    """
    offers = list(view.offers)
    if any(offer.action.verb == "move" for offer in offers):
        offers.reverse()
    found: dict[str, str] = {}
    used: set[str] = set()
    for offer in offers:
        label = _label(offer)
        if not label:
            continue
        keys = (label, *(label + letter for letter in _SUFFIXES))
        label = next(key for key in keys if key not in used)
        used.add(label)
        found[offer.text] = label
    return {offer.text: found[offer.text] for offer in view.offers if offer.text in found}


def squares_of(offer: Offer) -> list[int]:
    """The squares of the map that an offer stands for."""
    squares = map(square_of, offer.text.split()[1:])
    return [square for square in squares if square >= 0]
