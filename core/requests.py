"""What a game can ask of the world, and the events that answer.

A game never acts, shuffles or rolls by itself.  It returns one request, the world answers with
one event, and the signed log is nothing but those events in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

Player: TypeAlias = int  # A seat, counted from 0 in the order of play.
Card: TypeAlias = int  # A piece of cardboard: an index into the table's flat lists.
Face: TypeAlias = int  # What is printed on it: an index into the game's tuple of faces.


class Action(NamedTuple):
    """One thing a player can choose to do: a verb of the game, cards, a number."""

    verb: str
    cards: tuple[Card, ...] = ()
    number: int = 0


class Fact(NamedTuple):
    """Something that followed and that everybody can see, as the rules report it: see `Table.tell`.

    `kind` is one of `Game.tells`, perhaps with words of the notation behind it, as in
    `counts science`.  The cards are numbers: a fact knows no face.
    """

    kind: str
    seat: Player = -1  # To whom it happened; -1: to nobody.
    cards: tuple[Card, ...] = ()
    number: int = 0
    other: Player = -1  # Who did it, or who gets it.


@dataclass(frozen=True, slots=True)
class Claim:
    """What a choice asserts about hidden cards: each of `cards` shows one of `faces`."""

    cards: tuple[Card, ...]
    faces: tuple[Face, ...]


def make_action(verb: str, cards: tuple[Card, ...]) -> Action:
    """The same as `Action(verb, cards)`: what a NamedTuple does, but compiled."""
    return tuple.__new__(Action, (verb, cards, 0))


_made: Final[dict[str, list[Action | None]]] = {}  # By verb and number.


def numbered(verb: str, number: int) -> Action:
    """The same as `Action(verb, (), number)`, made once, for rules that offer it time and again.

    The number is not negative, and some ten thousand at most: there is a place for each below it.
    """
    made = _made.get(verb)
    if made is None:
        made = _made[verb] = []
    if number >= len(made):
        made += [None] * (number + 1 - len(made))
    action = made[number]
    if action is None:
        action = made[number] = Action(verb, (), number)
    return action


# ---- requests: the one thing the world must supply before the game can go on ----


@dataclass(frozen=True, slots=True)
class Choice:
    """`player` must pick one of `Game.legal_actions`."""

    player: Player


@dataclass(frozen=True, slots=True)
class Secret:
    """Each of `players` picks one legal action; nothing is shown until all of them have."""

    players: tuple[Player, ...]


@dataclass(slots=True, init=False)
class Reveal:
    """Show `cards` to `player`, or to everybody when `player` is None."""

    cards: tuple[Card, ...]
    player: Player | None

    def __init__(self, cards: tuple[Card, ...], player: Player | None) -> None:
        """Written out, because compiled code would make it by a call into Python."""
        self.cards, self.player = cards, player


@dataclass(slots=True, init=False)
class Shuffle:
    """Mix every pile within itself: the numbers stay, and what they mean is forgotten.

    With `player` None nobody knows the new order.  Otherwise the piles are that player's own
    cards and only that player knows which is which: the way one mixes a hand before playing
    from it, so that nobody can tell the card played now from the card drawn then.
    """

    piles: tuple[tuple[Card, ...], ...]
    player: Player | None

    def __init__(self, piles: tuple[tuple[Card, ...], ...], player: Player | None = None) -> None:
        """Written out, as that of a Reveal."""
        self.piles, self.player = piles, player


@dataclass(frozen=True, slots=True)
class Roll:
    """A number from 0 to `sides` - 1 that no player controls."""

    sides: int


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended; `Game.scores` and `Game.winners` may be called."""


Request: TypeAlias = Choice | Secret | Reveal | Shuffle | Roll | Over


def to_act(request: Request) -> tuple[Player, ...]:
    """The seats that a request waits for; empty when the machines answer by themselves."""
    match request:
        case Choice(player):
            return (player,)
        case Secret(players):
            return players
    return ()


# ---- events: what the signed log carries, one per request ----


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to a Choice."""

    action: Action


@dataclass(frozen=True, slots=True)
class Opened:
    """The answers to a Secret, in the order of its players, all shown at once."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Revealed:
    """The answer to a Reveal.  `faces` is empty when only one player was shown the cards."""

    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The answer to a Shuffle: it has been done."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """The answer to a Roll."""

    number: int


Event: TypeAlias = Chosen | Opened | Revealed | Shuffled | Rolled
