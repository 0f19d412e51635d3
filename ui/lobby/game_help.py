"""The games and their options, as the help of a command lists them: from the games themselves."""

from __future__ import annotations

import textwrap
from typing import Final

from core.game import Game, Option
from core.games import GAMES
from ui.language.text import Words
from ui.terminal.spans import wrap

WIDTH: Final = 78


def game_help(words: Words) -> str:
    """Every game with its seats, its options and their values; the first value is the usual one."""
    return "\n\n".join([words("usage.games"), *(_game(words, game) for game in GAMES.values())])


def _game(words: Words, game: Game) -> str:
    first, last = game.players[0], game.players[-1]
    key = "usage.seats_of" if first < last else "usage.seats_exactly"
    seats = words(key, first=first, last=last)
    lines = [f"{game.slug}  {words.name('game', game.slug)}, {seats}"]
    own = words.of(game.slug)
    for option in game.options:
        label = f"  {option.key}="
        lines += textwrap.wrap(
            _values(words, option), WIDTH, initial_indent=label, subsequent_indent=" " * 6,
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip
        lines += [f"      {line}" for line in wrap(about_option(own, option), WIDTH - 6)]
    return "\n".join(lines)


def about_option(words: Words, option: Option) -> str:
    """What an option does, and each of its values; nothing where its game does not say it."""
    key = f"about.{option.key}"
    return words(key) if words.has(key) else ""


def _values(words: Words, option: Option) -> str:
    values = " | ".join(str(value).lower() for value in option.values)
    if option.parts:
        parts = ", ".join(option.parts)
        values += " | " + words("usage.parts", count=option.parts_count, parts=parts)
    if option.players:
        seats = words.listed(map(str, option.players))
        values += "  " + words("usage.only_seats", seats=seats)
    if option.only_with:
        key, value = option.only_with
        values += "  " + words("usage.only_with", setting=f"{key}={str(value).lower()}")
    return values
