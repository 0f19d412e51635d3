"""What a game is: a declaration, and a handful of functions over a table.

The functions are pure but for the table they are handed.  They never see a clock, a network, a
random number, or a face that the seat in question has not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

from core.native import mypyc_attr
from core.requests import Action, Card, Claim, Player, Request
from core.table import Eyes, OptionValue, RulesError, Table


@dataclass(frozen=True, slots=True)
class Option:
    """A variant that the table agrees on before the game: its key, its values, the default first.

    `players` limits the option to some numbers of seats; empty means all.  Where there are too
    many values to list them, `parts_count` different ones of `parts` with commas between them
    are a value, too.
    """

    key: str
    values: tuple[OptionValue, ...]
    players: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    parts_count: int = 0

    def is_made_of_parts(self, value: OptionValue) -> bool:
        """Whether `value` names as many different parts as it takes."""
        names = value.split(",") if self.parts and isinstance(value, str) else []
        is_known = set(names) <= set(self.parts)
        return bool(names) and is_known and len(names) == len(set(names)) == self.parts_count


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(Protocol):
    """The rules of one game."""

    slug: str
    """The key of the game on the command line and in files."""
    players: range
    faces: tuple[str, ...]
    """Stable keys of the printed faces; a face is an index into it."""
    options: tuple[Option, ...]
    rules: str
    """The rules in our own words, as Markdown, shown in the app."""

    def setup(self, players: int, options: Mapping[str, OptionValue]) -> Table:
        """The table with every card of the game laid out face up, before anything is dealt.

        `options` is complete and checked.
        """
        ...

    def advance(self, table: Table) -> Request:
        """Carry on until something is needed from outside.  Called when no reveal is owed."""
        ...

    def legal_actions(self, table: Table, player: Player, eyes: Eyes) -> list[Action]:
        """What `player`, who knows exactly `eyes`, may do now.

        Never empty, the same order on every machine, and one action only where several would be
        the same to the player (equal cards).
        """
        ...

    def apply(self, table: Table, player: Player, action: Action) -> None:
        """Do it.

        Raises:
            RulesError: everybody can see that it is against the rules.
        """
        ...

    def claim(self, table: Table, player: Player, action: Action) -> Claim | None:
        """What the action asserts about hidden cards and therefore has to be proven with it."""
        ...

    def describe(self, table: Table, action: Action, eyes: Eyes) -> str:
        """The stable English notation of an action, as in `play military`.

        Unique among the legal actions up to equal faces; a card that `eyes` cannot see is `?`.
        """
        ...

    def scores(self, table: Table) -> tuple[int, ...]:
        """Points per seat once the game is over."""
        ...

    def winners(self, table: Table) -> tuple[Player, ...]:
        """The seats that won; several when the victory is shared."""
        ...

    def team(self, table: Table, player: Player) -> int:
        """The side a seat is on.  Its own number in a game without teams."""
        ...

    def phase(self, table: Table) -> str:
        """A stable key for what is going on, as in `play` or `effects`."""
        ...

    def back(self, table: Table, card: Card) -> str:
        """What everybody sees on the back of a card; empty when all backs are alike."""
        ...


def complete_options(
    game: Game, players: int, given: Mapping[str, OptionValue]
) -> dict[str, OptionValue]:
    """Every option of the game with its value, in the order of the declaration.

    Raises:
        RulesError: no such number of seats, no such option, no such value, or not for this many.
    """
    if players not in game.players:
        least, most = game.players[0], game.players[-1]
        raise RulesError(f"{game.slug} is for {least} to {most} seats, not {players}")
    known = {option.key: option for option in game.options}
    for key, value in given.items():
        if key not in known:
            near = did_you_mean(key, known)
            raise RulesError(f"{game.slug} has no option {key!r}{near}; it has {', '.join(known)}")
        _check_value(known[key], value, players)
    return {option.key: given.get(option.key, option.values[0]) for option in game.options}


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The one of those that are known that was likely meant, as a part of a sentence.

    >>> did_you_mean("crta", ["carta", "dominion"]), did_you_mean("chess", ["carta", "dominion"])
    (' (did you mean carta?)', '')
    """
    near = get_close_matches(given, list(known), 1)
    return f" (did you mean {near[0]}?)" if near else ""


def _check_value(option: Option, value: OptionValue, players: int) -> None:
    allowed = option.values
    is_listed = any(value == each and type(value) is type(each) for each in allowed)
    if not is_listed and not option.is_made_of_parts(value):
        names = ", ".join(str(each).lower() for each in allowed)
        if option.parts:
            names += f", or {option.parts_count} of {', '.join(option.parts)}, with commas"
        near = did_you_mean(str(value), map(str, allowed))
        raise RulesError(f"option {option.key} takes one of {names}, not {value!r}{near}")
    if option.players and value != allowed[0] and players not in option.players:
        seats = " or ".join(map(str, option.players))
        raise RulesError(f"option {option.key} needs {seats} seats, not {players}")
