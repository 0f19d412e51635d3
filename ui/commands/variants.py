"""What `--option k=v` means for a game."""

from __future__ import annotations

from collections.abc import Iterable

from core.game import Option, complete_options
from core.games import find_game
from core.table import OptionValue, RulesError


def chosen_options(slug: str, seats: int, given: Iterable[Iterable[str]]) -> dict[str, OptionValue]:
    """The options given on the command line, checked.

    >>> chosen_options("carta", 4, [["deal=draft", "team=true"]])
    {'deal': 'draft', 'team': True}

    Raises:
        RulesError: the game has no such option or value.
    """
    game = find_game(slug)
    known = {option.key: option for option in game.options}
    chosen: dict[str, OptionValue] = {}
    for text in (each for group in given for each in group):
        key, is_pair, value = text.partition("=")
        if not is_pair:
            raise RulesError(f"an option is KEY=VALUE, not {text[:40]!r}")
        chosen[key] = _value(known[key], value) if key in known else value
    complete_options(game, seats, chosen)
    return chosen


def _value(option: Option, text: str) -> OptionValue:
    """The value that is written like this, also with hyphens; else the text itself.

    >>> chosen_options("dominion", 2, [["kingdom=first-game"]])
    {'kingdom': 'first_game'}
    """
    plain = text.lower().replace("-", "_")
    found = (each for each in option.values if str(each).lower() in (plain, text.lower()))
    return next(found, plain if option.is_made_of_parts(plain) else text)
