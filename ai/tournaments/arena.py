"""Tournaments: paired deals with the seats rotated, on any executor, stopped and gone on with.

Every deal is played once for each rotation of the seats (duplicate deals), so that neither the luck
of the cards nor the first move favours anybody.  A game is a pure function of its match, so any
executor of `concurrent.futures` gives the same results, on this machine or on many, and so does a
tournament that was killed and goes on from its file (`results.py`).

    Tournament       who plays what: an endless list of matches, always the same
    TournamentState  which of them have been played, and what counts
    play_tournament  plays what is missing; play_matches: on an executor; play_game: one of them
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Final

from ai.games import find_knowledge
from ai.players.foreign_program import ForeignProgram
from ai.players.players import Decider, find_player
from ai.tournaments.ratings import Sprt
from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice
from core.errors import HostlessError
from core.game import Game, complete_options
from core.games import find_game
from core.requests import Action, Over, Player, to_act
from core.table import OptionValue, RulesError, Table

GAME_CHOICES_MAX: Final = 5_000  # A game that goes on longer is nobody's.
ARENA_GAMES_MAX: Final = 1_000_000
AHEAD_PER_WORKER: Final = 2  # Games handed to the executor before results are read.


@dataclass(frozen=True, slots=True)
class ArenaMatch:
    """One game to be played: who sits where, and the seed of everything that is drawn."""

    game: str
    players: tuple[str, ...]  # By seat.
    seed: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    speed: int = 0  # Of the levels, in iterations a second; 0: that of plain Python.


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended.  Nobody wins a game that had to be broken off."""

    match: ArenaMatch
    shares: tuple[int, ...]  # Of the victory, by seat, in thousandths.
    scores: tuple[int, ...]
    sides: tuple[int, ...]  # Who played together.
    choices: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays what; how many games is another question.

    With fewer seats than players it is a round robin: on every deal, every choice of that many
    players sits down together.  `options` is complete.

    Raises:
        RulesError: there is no such game, player, option or number of seats.
    """

    game: str
    players: tuple[str, ...]
    seats: int
    seed: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    speed: int = 0  # Of the levels, in iterations a second; 0: that of plain Python.

    def __post_init__(self) -> None:
        rules = find_game(self.game)
        object.__setattr__(self, "options", complete_options(rules, self.seats, self.options))
        table, knowledge = rules.setup(self.seats, self.options), find_knowledge(rules)
        for name in self.players:
            find_player(rules, name)
            if missing := knowledge.missing(name, table):
                raise RulesError(f"{name} needs {missing}, which is not in this game")
        if self.seats > len(self.players):
            seats, count = self.seats, len(self.players)
            raise RulesError(
                f"{seats} seats need as many players, not {count}: name one more than once"
            )

    @property
    def games_per_deal(self) -> int:
        """How often every deal is played."""
        return comb(len(self.players), self.seats) * self.seats

    def matches(self) -> Iterator[ArenaMatch]:
        """The matches without end, always the same."""
        deals = Chance(self.seed)
        while True:
            deal = deals.next()
            for seated in combinations(self.players, self.seats):
                for rotation in range(self.seats):
                    players = seated[rotation:] + seated[:rotation]
                    yield ArenaMatch(self.game, players, deal, self.options, self.speed)


class TournamentState:
    """How far a tournament has come: the same whatever the order in which games end.

    Only games before which none is missing count, and the sequential test, if there is one, is
    asked at the end of every deal.
    """

    def __init__(self, tournament: Tournament, games: int, sprt: Sprt | None = None) -> None:
        if not 0 < games <= ARENA_GAMES_MAX:
            raise RulesError(f"the number of games is 1 to {ARENA_GAMES_MAX}, not {games}")
        if sprt and tournament.seats < len(tournament.players):
            raise RulesError("the sequential test is for players who all sit at one table")
        self.tournament = tournament
        self.games = games
        self.accepted: float | None = None  # The Elo that the test has settled on.
        self.counted: list[Result] = []
        self.sprt = sprt
        self._won = 0.0  # By the first player's side.
        self._waiting: dict[int, Result] = {}

    @property
    def is_over(self) -> bool:
        """Whether every game has been played, or the test has its answer."""
        return self.accepted is not None or len(self.counted) == self.games

    def add(self, number: int, result: Result) -> None:
        """Take in the result of one game."""
        self._waiting[number] = result
        while not self.is_over and len(self.counted) in self._waiting:
            self._count(self._waiting.pop(len(self.counted)))

    def missing(self) -> Iterator[tuple[int, ArenaMatch]]:
        """The games still to be played, with their numbers."""
        for number, match in zip(range(self.games), self.tournament.matches(), strict=False):
            if number >= len(self.counted) and number not in self._waiting:
                yield number, match

    def _count(self, result: Result) -> None:
        rotation = len(self.counted) % self.tournament.games_per_deal
        self.counted.append(result)
        if self.sprt:
            self._won += result.shares[-rotation] / 1000  # Where the first player sits then.
            if rotation == self.tournament.games_per_deal - 1:
                sides = max(result.sides) + 1
                self.accepted = self.sprt.accepted(self._won, len(self.counted), sides)


def play_tournament(
    state: TournamentState,
    executor: Executor,
    workers: int,
    tell: Callable[[int, Result], None],
    ahead: int = AHEAD_PER_WORKER,
) -> None:
    """Play what is missing of a tournament; `tell` hears of every game as soon as it has ended."""
    for number, result in play_matches(state.missing(), executor, workers * ahead):
        tell(number, result)
        state.add(number, result)
        if state.is_over:
            break


def play_matches(
    matches: Iterable[tuple[int, ArenaMatch]], executor: Executor, handed: int
) -> Iterator[tuple[int, Result]]:
    """Play numbered matches on any executor, which has so many of them at a time.

    The results come as the games end.

    Raises:
        HostlessError: a foreign program failed; it says in which game.
    """
    running: dict[Future[Result], int] = {}
    for number, match in matches:
        running[executor.submit(play_game, match)] = number
        if len(running) >= handed:
            yield from _ended(running)
    while running:
        yield from _ended(running)


def _ended(running: dict[Future[Result], int]) -> Iterator[tuple[int, Result]]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in sorted(done, key=running.__getitem__):
        number = running.pop(future)
        try:
            result = future.result()
        except HostlessError as error:
            hint = f"{error.hint}; --only {number} plays this game alone"
            raise HostlessError(f"game {number}: {error}", hint) from error
        yield number, result


def play_game(match: ArenaMatch, look: Callable[[Table], None] | None = None) -> Result:
    """Play one match to the end.  Every player sees the public table and its own observation.

    `look` is shown the table as it is then.

    Raises:
        RulesError: there is no such game, player, option or number of seats.
        HostlessError: a foreign program failed.
    """
    game = find_game(match.game)
    with ExitStack() as stack:
        deciders = [find_player(game, name, match.speed) for name in match.players]
        for decider in deciders:
            if isinstance(decider, ForeignProgram):
                stack.callback(decider.close)
        table = game.setup(len(deciders), complete_options(game, len(deciders), match.options))
        result = _played(match, game, table, deciders)
    if look is not None:
        look(table)
    return result


def _played(match: ArenaMatch, game: Game, table: Table, deciders: Sequence[Decider]) -> Result:
    winners, choices = play_out(game, table, deciders, match.seed)
    sides = tuple([game.team(table, seat) for seat in range(len(deciders))])
    won = {sides[seat] for seat in winners}
    shares = tuple([1000 // len(won) if side in won else 0 for side in sides])
    return Result(match, shares, tuple(game.scores(table)), sides, choices)


def play_out(
    game: Game, table: Table, deciders: Sequence[Decider], seed: int
) -> tuple[tuple[Player, ...], int]:
    """Play from a fresh table on; who won, and how many choices it took.

    Nobody wins a game that had to be broken off.
    """
    deal, chance, choices = table.face[:], Chance(seed), 0
    seeds = Chance(~seed)
    while choices < GAME_CHOICES_MAX:
        pending = run_until_choice(game, table, deal, chance)
        if isinstance(pending, Over):
            return game.winners(table), choices
        asked = to_act(pending)
        answers: list[Action] = []
        for seat in asked:
            observation = observation_of(table, deal, seat)
            answers.append(deciders[seat](table.copy(), observation, seat, seeds.next()))
        for seat, action in zip(asked, answers, strict=True):
            game.apply(table, seat, action)
        choices += len(asked)
    return (), choices
