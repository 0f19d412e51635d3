"""What a game is: a declaration, and a handful of functions over a table.

The functions are pure but for the table they are handed.  They never see a clock, a network, a
random number, or a face that the seat in question has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, NamedTuple, TypeAlias

from core.native import mypyc_attr
from core.requests import Action, Card, Claim, Player, Request
from core.table import HIDDEN, Observation, OptionValue, RulesError, Table

POINTS_CRITERION: Final = "points"
_USUAL_SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class Option:
    """A variant that the table agrees on before the game: its key, its values, the default first.

    `players` limits the option to some numbers of seats; empty means all.  Where there are too
    many values to list them, `parts_count` different ones of `parts` with commas between them
    are a value, too.

    `only_with` is another option and its value, without which this one changes nothing: nobody is
    asked for it then, but it may be named all the same.
    """

    key: str
    values: tuple[OptionValue, ...]
    players: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    parts_count: int = 0
    only_with: tuple[str, OptionValue] | None = None

    def matters(self, players: int, chosen: Mapping[str, OptionValue]) -> bool:
        """Whether it changes anything with so many seats, beside what else is chosen."""
        key, needed = self.only_with or ("", True)
        is_used = not key or chosen.get(key) == needed
        return is_used and (not self.players or players in self.players)

    def is_made_of_parts(self, value: OptionValue) -> bool:
        """Whether `value` names as many different parts as it takes."""
        names = value.split(",") if self.parts and isinstance(value, str) else []
        is_known = set(names) <= set(self.parts)
        return bool(names) and is_known and len(names) == len(set(names)) == self.parts_count


class Source(NamedTuple):
    """A part of a seat's points: what they are for, how many of it, and the points.

    `each` is what one of them gives, or 0 where it is not as simple as that.
    """

    key: str
    number: int
    points: int
    each: int = 0


class Account(NamedTuple):
    """Why somebody won: the points of each seat by their sources, and what decides, in order.

    A criterion has a key and a value for each seat; more is better, and the first one in which two
    seats differ decides between them.  `POINTS_CRITERION` is that of the points.
    """

    sources: tuple[tuple[Source, ...], ...]
    criteria: tuple[tuple[str, tuple[int, ...]], ...]


Setup: TypeAlias = Callable[[int, Mapping[str, OptionValue]], Table]
Advance: TypeAlias = Callable[[Table], Request | None]
LegalActions: TypeAlias = Callable[[Table, Player, Observation], list[Action]]
Apply: TypeAlias = Callable[[Table, Player, Action], None]
ClaimOf: TypeAlias = Callable[[Table, Player, Action], Claim | None]
Describe: TypeAlias = Callable[[Table, Action, Observation], str]
Scores: TypeAlias = Callable[[Table], tuple[int, ...]]
Winners: TypeAlias = Callable[[Table], tuple[Player, ...]]
AccountOf: TypeAlias = Callable[[Table], Account]
Team: TypeAlias = Callable[[Table, Player], int]
Phase: TypeAlias = Callable[[Table], str]
Back: TypeAlias = Callable[[Table, Card], str]
ActsAs: TypeAlias = Callable[[Table, Player], str]


def no_claim(table: Table, player: Player, action: Action) -> Claim | None:
    """Nothing: no action says anything about a hidden card."""
    return None


def notation(table: Table, action: Action, observation: Observation) -> str:
    """The verb, the keys of the faces, and the number unless it is 0, as in `play 13`."""
    names = table.layout.faces
    words = [action.verb]
    for card in action.cards:
        face = observation[card]
        words.append("?" if face == HIDDEN else names[face])
    if action.number:
        words.append(str(action.number))
    return " ".join(words)


def alone(table: Table, player: Player) -> int:
    """The own number: everybody plays alone."""
    return player


def one_phase(table: Table) -> str:
    """`play`: there is only one phase."""
    return "play"


def one_back(table: Table, card: Card) -> str:
    """Nothing: all backs are alike."""
    return ""


def as_itself(table: Table, player: Player) -> str:
    """Nothing: every seat chooses for itself."""
    return ""


def highest(scores: Sequence[int]) -> tuple[Player, ...]:
    """The seats with the most points.

    >>> highest((3, 7, 7))
    (1, 2)
    """
    best = max(scores)
    return tuple([player for player, score in enumerate(scores) if score == best])


@mypyc_attr(allow_interpreted_subclasses=True)
class Mechanics:
    """`advance`, `legal_actions` and `apply` of a game; each is what `Game` says of it.

    They are called at every choice of every imagined game.  Compiled code calls a method of a
    compiled class as C calls a function, and a function that it was handed by way of Python.  So a
    game of ours makes the three methods of one object, and hands those over in its `Game`.
    """

    def advance(self, table: Table) -> Request | None:
        """See `Game.advance`."""
        raise NotImplementedError

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        """See `Game.legal_actions`."""
        raise NotImplementedError

    def apply(self, table: Table, player: Player, action: Action) -> None:
        """See `Game.apply`."""
        raise NotImplementedError


class _Functions(Mechanics):
    """The mechanics of a game of which some are functions."""

    def __init__(self, advance: Advance, legal_actions: LegalActions, apply: Apply) -> None:
        self._advance, self._legal_actions, self._apply = advance, legal_actions, apply

    def advance(self, table: Table) -> Request | None:
        return self._advance(table)

    def legal_actions(self, table: Table, player: Player, observation: Observation) -> list[Action]:
        return self._legal_actions(table, player, observation)

    def apply(self, table: Table, player: Player, action: Action) -> None:
        self._apply(table, player, action)


def _mechanics_of(advance: Advance, legal_actions: LegalActions, apply: Apply) -> Mechanics:
    """The object of which all three are methods, where there is one; otherwise one that calls them.

    It is asked of the three themselves, so a game in which one was replaced has mechanics of its
    own.
    """
    owners = [getattr(each, "__self__", None) for each in (advance, legal_actions, apply)]
    mechanics = owners[0]
    if isinstance(mechanics, Mechanics) and owners.count(mechanics) == len(owners):
        return mechanics
    return _Functions(advance, legal_actions, apply)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """The rules of one game: what is in its box, and a handful of functions over a table."""

    slug: str
    """The key of the game on the command line and in files."""
    players: range
    faces: tuple[str, ...]
    """Stable keys of the printed faces; a face is an index into it."""
    rules: str
    """The rules in our own words, as Markdown, shown in the app."""

    setup: Setup
    """The table with every card of the game laid out face up, before anything is dealt.

    It is given the number of seats, and options that are complete and checked."""
    advance: Advance
    """Carry on until something is needed from outside.  Called when no reveal is owed.

    None where cards were moved and there is nothing to ask: what is owed is paid, if anything is,
    and then it is called again."""
    legal_actions: LegalActions
    """What a player, who knows exactly this observation, may do now.

    Never empty, the same order on every machine, and one action only where several would be the
    same to the player (equal cards)."""
    apply: Apply
    """Do what a player has chosen.

    Raises RulesError when everybody can see that it is against the rules."""
    scores: Scores
    """Points per seat once the game is over."""
    winners: Winners
    """The seats that won; several when the victory is shared.  See `highest`."""

    options: tuple[Option, ...] = ()
    account: AccountOf | None = None
    """Points by source and what decided, once the game is over; None: nothing but the points."""
    claim: ClaimOf = no_claim
    """What an action asserts about hidden cards and therefore has to be proven with it."""
    describe: Describe = notation
    """The stable English notation of an action, as in `play military`.

    Unique among the legal actions up to equal faces; a card not seen in the observation is `?`."""
    team: Team = alone
    """The side a seat is on.  Its own number in a game without teams."""
    phase: Phase = one_phase
    """A stable key for what is going on, as in `play` or `effects`."""
    back: Back = one_back
    """What everybody sees on the back of a card; empty when all backs are alike."""
    acts_as: ActsAs = as_itself
    """For whom a seat chooses and draws now, if not for itself: a key, as in `natives`.

    The story tells it of them then, by sentences of the game: `[line] "SLUG.VERB_natives"`, and
    `"SLUG.drawn_natives_one"`, `"SLUG.drawn_natives_many"`."""
    tells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What the story of a game is told in: the kinds of `Table.tell`, and verbs of actions.

    With each, the counters and open zones for which it speaks, as patterns (`seat*.coins`): whoever
    has read that line knows what changed there.  A card that is named in a line needs no pattern.
    """
    steering: tuple[str, ...] = ()
    """Counters that steer the rules and tell players nothing, as patterns."""
    mechanics: Mechanics = field(init=False)
    """How to call `advance`, `legal_actions` and `apply` where it is done often."""

    def __post_init__(self) -> None:
        """Find out how the three are called."""
        mechanics = _mechanics_of(self.advance, self.legal_actions, self.apply)
        object.__setattr__(self, "mechanics", mechanics)

    def __repr__(self) -> str:
        """As in `Game(carta)`: the rules would fill the screen."""
        return f"Game({self.slug})"


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


def usual_seats(game: Game) -> int:
    """How many sit down where nobody says it: three, or as near to that as the game allows."""
    return min(game.players, key=lambda seats: abs(seats - _USUAL_SEATS))


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
