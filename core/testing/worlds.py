"""Worlds that a game can be played in without a network, for tests.

In one the dealer knows every face, as search and the referee do.  In the other every seat is a
machine that knows its own observation and nothing else, as peers are; the dealer stands in for the
cryptography between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from core.chance import Chance
from core.determinization import observation_of
from core.engine import next_request, run_until_choice, shuffle_deal, start
from core.game import Game
from core.narrate import Narrator
from core.playback import Record
from core.requests import (
    Action,
    Choice,
    Chosen,
    Event,
    Face,
    Opened,
    Over,
    Player,
    Request,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
    to_act,
)
from core.table import HIDDEN, Observation, OptionValue, RulesError, Table

ADVANCES_MAX = 2_000  # As many shuffles, rolls and reveals lie between no two choices.
CHOICES_MAX = 20_000  # A game that takes longer is taken for one that never ends.
ENOUGH = 3_000  # Steps of a game in which one check looks at it: of a long game fewer are played.


def temper(seed: int) -> int:
    """How often, out of ten, the players of a game do what is offered last.

    That is mostly to leave it at that.  Where everybody always does anything at all, areas stay
    empty and half of the rules never matter.
    """
    return (0, 5, 9)[seed % 3]


def pick(actions: list[Action], chance: Chance, calm: int) -> Action:
    """Any of `actions`, the last one rather when the players are calm."""
    return actions[-1] if chance.below(10) < calm else chance.pick(actions)


def _legal(game: Game, table: Table, seat: Player, observation: Observation) -> list[Action]:
    actions = game.legal_actions(table, seat, observation)
    assert actions, f"seat {seat} has to choose in {game.phase(table)!r}, and nothing is legal"
    return actions


def _that_asks(game: Game) -> Game:
    """The same game, which complains when it goes on for ever without a choice."""
    count = 0

    def advance(table: Table) -> Request | None:
        nonlocal count
        request = game.advance(table)
        count = 0 if isinstance(request, Choice | Secret | Over) else count + 1
        assert count < ADVANCES_MAX, (
            f"`advance` was asked {count} times without a choice in {game.phase(table)!r}, and "
            f"gives {request} again: it has to change the state before"
        )
        return request

    return replace(game, advance=advance)


class World(Protocol):
    """A game that is played step by step."""

    @property
    def steps(self) -> int:
        """How many have been played."""


WorldT = TypeVar("WorldT", bound=World)


def worlds(
    game: Game, games: int, make: Callable[[Game, int], WorldT], enough: int = ENOUGH
) -> Iterator[WorldT]:
    """So many random games, with seeds from 0; a game that is long ends the row earlier.

    The setting of each is printed for whoever reads a failure.
    """
    played = 0
    for seed in range(games):
        if played >= enough:
            return
        world = make(game, seed)
        yield world
        played += world.steps


@dataclass
class Dealer:
    """Knows the face of every card, and answers whatever is not a choice."""

    chance: Chance
    deal: list[Face]

    def answer(self, table: Table, request: Request) -> Event:
        """The event that answers a shuffle, a roll or a reveal."""
        match request:
            case Shuffle(piles):
                for pile in piles:
                    shuffle_deal(self.deal, pile, self.chance)
                return Shuffled()
            case Roll(sides):
                return Rolled(self.chance.below(sides))
            case Reveal(cards, None):
                return Revealed(tuple(self.deal[card] for card in cards))
            case Reveal():
                return Revealed()
        raise AssertionError(f"{request} is for a player to answer")


@dataclass
class Peer:
    """One machine: a public table, and the observation of one seat."""

    game: Game
    seat: Player
    table: Table
    request: Request
    observation: list[Face]
    narrator: Narrator

    def choose(self, chance: Chance, calm: int) -> Action:
        """Any legal action."""
        return pick(_legal(self.game, self.table, self.seat, self.observation), chance, calm)

    def receive(self, event: Event, deal: list[Face]) -> None:
        """One event of the log, and of `deal` only what this seat can decrypt of it."""
        match self.request, event:
            case Shuffle(piles, owner), _:
                for card in [card for pile in piles for card in pile]:
                    self.observation[card] = deal[card] if owner == self.seat else HIDDEN
            case Reveal(cards, None), Revealed(faces):
                for card, face in zip(cards, faces, strict=True):
                    self.observation[card] = face
            case Reveal(cards, self.seat), _:
                for card in cards:
                    self.observation[card] = deal[card]
        self.request = self.narrator.apply(self.table, self.request, event)


@dataclass
class BlindGame:
    """A game between machines that each know a part; iterate it event by event."""

    game: Game
    players: int
    options: Mapping[str, OptionValue]
    seed: int
    machines: int = 0  # The seats whose tables there are; 0: all.
    history: list[Record] = field(default_factory=list)
    deals: list[list[Face]] = field(default_factory=list)  # The true deal before each event.

    def __post_init__(self) -> None:
        self.game = _that_asks(self.game)
        self.chance = Chance(self.seed)
        self.peers = [self._peer(seat) for seat in range(self.machines or self.players)]
        self.dealer = Dealer(Chance(self.seed + 1), self.peers[0].table.face[:])

    @property
    def steps(self) -> int:
        """Choices that were made."""
        return sum(isinstance(request, Choice | Secret) for request, _ in self.history)

    def _peer(self, seat: Player) -> Peer:
        table = start(self.game, self.players, self.options)
        request = next_request(self.game, table)
        return Peer(self.game, seat, table, request, table.face[:], Narrator(self.game))

    def play(self) -> Iterator[Record]:
        """Play to the end; what is yielded has just happened."""
        while not isinstance(request := self.peers[0].request, Over):
            self.deals.append(self.dealer.deal[:])
            event = self._event(request)
            self.history.append((request, event))
            for peer in self.peers:
                peer.receive(event, self.dealer.deal)
            assert len(self.history) < CHOICES_MAX, f"no end after {CHOICES_MAX} events"
            yield request, event

    def _event(self, request: Request) -> Event:
        match request:
            case Choice(player):
                return Chosen(self._choice(player))
            case Secret(players):
                return Opened(tuple(self._choice(player) for player in players))
        return self.dealer.answer(self.peers[0].table, request)

    def _choice(self, player: Player) -> Action:
        calm = temper(self.seed)
        if player < len(self.peers):
            return self.peers[player].choose(self.chance, calm)
        table = self.peers[0].table
        observation = observation_of(table, self.dealer.deal, player)
        return pick(_legal(self.game, table, player, observation), self.chance, calm)


@dataclass
class OpenGame:
    """A game in which the one who plays it knows every face; iterate it choice by choice."""

    game: Game
    players: int
    options: Mapping[str, OptionValue]
    seed: int
    choices: int = 0

    def __post_init__(self) -> None:
        self.game = _that_asks(self.game)
        self.chance = Chance(self.seed)
        self.table = start(self.game, self.players, self.options)
        self.deal = self.table.face[:]

    @property
    def steps(self) -> int:
        """Choices that were made."""
        return self.choices

    def play(self) -> Iterator[Choice | Secret]:
        """Play to the end; what is yielded is about to be answered at random."""
        while True:
            pending = run_until_choice(self.game, self.table, self.deal, self.chance)
            if isinstance(pending, Over):
                return
            yield pending
            self.act(pending)

    def to_end(self) -> Table:
        """Play what is left of the game; gives its table."""
        for _ in self.play():
            pass
        return self.table

    def act(self, pending: Choice | Secret) -> None:
        """Let everybody who is asked do anything that is legal."""
        for seat in to_act(pending):
            actions = _legal(self.game, self.table, seat, self.deal)
            action = pick(actions, self.chance, temper(self.seed))
            try:
                self.game.apply(self.table, seat, action)
            except RulesError as error:
                raise AssertionError(f"{action} is legal for seat {seat}, and refused") from error
        self.choices += 1
        assert self.choices < CHOICES_MAX, f"no end after {CHOICES_MAX} choices"


def open_game(game: Game, seed: int) -> OpenGame:
    """A game of random choices in any setting, which is printed."""
    return OpenGame(game, *_printed_setting(game, seed), seed)


def blind_game(game: Game, seed: int) -> BlindGame:
    """The same between machines that know only their own cards."""
    return BlindGame(game, *_printed_setting(game, seed), seed)


def followed_game(game: Game, seed: int) -> BlindGame:
    """The very same game as `blind_game`, at the table of one machine: for what all tables show."""
    return BlindGame(game, *_printed_setting(game, seed), seed, machines=1)


def _printed_setting(game: Game, seed: int) -> tuple[int, dict[str, OptionValue]]:
    players, options = any_setting(game, seed)
    print(f"seed {seed}: {players} seats, {options}")  # Shown when the test fails.
    return players, options


def play_random(
    game: Game, players: int, options: Mapping[str, OptionValue], seed: int
) -> OpenGame:
    """A finished game of random choices."""
    played = OpenGame(game, players, options, seed)
    played.to_end()
    return played


def any_setting(
    game: Game, seed: int, seats: Sequence[int] | None = None
) -> tuple[int, dict[str, OptionValue]]:
    """A number of seats (of `seats`) and options for it, every variant as likely as the default."""
    chance = Chance(seed)
    players = chance.pick(seats or game.players)
    options = {
        option.key: chance.pick(option.values)
        for option in game.options
        if not option.players or players in option.players
    }
    return players, options


def every_card(table: Table) -> list[int]:
    """The numbers of all cards in all zones, sorted."""
    return sorted(card for cards in table.zones for card in cards)
