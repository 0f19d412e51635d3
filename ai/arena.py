"""Tournaments: the same deals with the seats turned, and how sure the result is.

Every deal is played once for each turn of the seats, so that neither the luck of the cards nor the
first move favours anybody.  A game is a pure function of its match, so any executor of
`concurrent.futures` gives the same results, on this machine or on many.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from math import sqrt
from multiprocessing import get_context
from typing import Final

from ai.knowledge import REWARD_ONE
from ai.knowledge.known import find_knowledge
from ai.players import find_player
from core.chance import Chance
from core.engine import settle
from core.game import complete_options
from core.games import find_game
from core.imagine import blindfold
from core.requests import Action, Choice, Over
from core.table import OptionValue, RulesError

CHOICES_MAX: Final = 5_000  # A game that goes on longer is nobody's.
GAMES_MAX: Final = 1_000_000
_SURE: Final = 1.959964  # Standard errors of a 95 % interval.
_AHEAD_PER_WORKER: Final = 4  # Games handed to the executor before results are read.


@dataclass(frozen=True, slots=True)
class Match:
    """One game to be played: who sits where, and the seed of everything that is drawn."""

    game: str
    players: tuple[str, ...]  # By seat.
    seed: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended.  Nobody wins a game that had to be broken off."""

    match: Match
    shares: tuple[int, ...]  # Of the victory, by seat, in thousandths.
    scores: tuple[int, ...]
    choices: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How often a player won, a shared victory counted in parts, with a 95 % interval."""

    player: str
    games: int
    won: float
    rate: float
    at_least: float
    at_most: float


def play_game(match: Match) -> Result:
    """Play one match to the end.  Every player sees the public table and its own eyes.

    Raises:
        RulesError: there is no such game, player, option or number of seats.
    """
    game = find_game(match.game)
    deciders = [find_player(game, name) for name in match.players]
    seats = len(deciders)
    table = game.setup(seats, complete_options(game, seats, match.options))
    deal, chance, choices = table.face[:], Chance(match.seed), 0
    seeds = Chance(~match.seed)
    while choices < CHOICES_MAX:
        pending = settle(game, table, deal, chance)
        if isinstance(pending, Over):
            shares = find_knowledge(game).rewards(table)
            permille = tuple([share * 1000 // REWARD_ONE for share in shares])
            return Result(match, permille, tuple(game.scores(table)), choices)
        asked = (pending.player,) if isinstance(pending, Choice) else pending.players
        answers: list[Action] = []
        for seat in asked:
            eyes = blindfold(table, deal, seat)
            answers.append(deciders[seat](table.copy(), eyes, seat, seeds.next()))
        for seat, action in zip(asked, answers, strict=True):
            game.apply(table, seat, action)
        choices += len(asked)
    return Result(match, (0,) * seats, tuple(game.scores(table)), choices)


def pairings(
    game: str, players: Sequence[str], games: int, seed: int, options: Mapping[str, OptionValue]
) -> Iterator[Match]:
    """The matches of a tournament: every deal once for each turn of the seats."""
    seeds = Chance(seed)
    deal = 0
    for number in range(games):
        turn = number % len(players)
        if turn == 0:
            deal = seeds.next()
        seated = (*players[turn:], *players[:turn])
        yield Match(game, seated, deal, options)


def run(matches: Iterable[Match], executor: Executor, workers: int) -> Iterator[Result]:
    """Play the matches on any executor; the results come in the order of the matches."""
    waiting: list[Future[Result]] = []
    for match in matches:
        waiting.append(executor.submit(play_game, match))
        if len(waiting) >= workers * _AHEAD_PER_WORKER:
            yield waiting.pop(0).result()
    for future in waiting:
        yield future.result()


def tally(results: Iterable[Result], players: Sequence[str]) -> list[Standing]:
    """The standings, in the order of `players`; the results are in the order of `pairings`."""
    won, games = [0] * len(players), 0
    for games, result in enumerate(results, 1):
        turn = (games - 1) % len(players)
        for seat, share in enumerate(result.shares):
            won[(seat + turn) % len(players)] += share
    return [_standing(name, games, share) for name, share in zip(players, won, strict=True)]


def _standing(player: str, games: int, won_permille: int) -> Standing:
    rate = won_permille / 1000 / games if games else 0.0
    at_least, at_most = wilson(rate, games)
    return Standing(player, games, won_permille / 1000, rate, at_least, at_most)


def wilson(rate: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson 1927, "Probable Inference", page 210).

    >>> [round(bound, 3) for bound in wilson(0.95, 200)]
    [0.91, 0.973]
    """
    if not games:
        return 0.0, 1.0
    square = _SURE * _SURE
    middle = rate + square / (2 * games)
    reach = _SURE * sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    whole = 1 + square / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def arena(game: str, players: Sequence[str], games: int, seed: int, json_lines: bool) -> int:
    """Play a tournament on every core, print it, and give the exit code.

    With `json_lines` every game is a line of JSON as soon as it has ended, and the standings are
    the last one.  What was asked for wrongly is one line on standard error, and 2.
    """
    try:
        _check(game, players, games)
    except RulesError as wrong:
        print(f"arena: {wrong}", file=sys.stderr)
        return 2
    matches = pairings(game, players, games, seed, {})
    workers = min(os.cpu_count() or 1, games)
    results: list[Result] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
        for result in run(matches, executor, workers):
            results.append(result)
            if json_lines:
                print(json.dumps({"game": asdict(result)}), flush=True)
    for standing in tally(results, players):
        print(json.dumps({"standing": asdict(standing)}) if json_lines else sentence(standing))
    return 0


def _check(game: str, players: Sequence[str], games: int) -> None:
    rules = find_game(game)
    complete_options(rules, len(players), {})
    for name in players:
        find_player(rules, name)
    if not 0 < games <= GAMES_MAX:
        raise RulesError(f"the number of games is 1 to {GAMES_MAX}, not {games}")


def sentence(standing: Standing) -> str:
    """A standing in words."""
    low, high = 100 * standing.at_least, 100 * standing.at_most
    return (
        f"{standing.player}: {standing.won:g} of {standing.games} won, "
        f"{100 * standing.rate:.1f} % (95 % interval {low:.1f} to {high:.1f} %)"
    )
