"""`arena GAME`: tournaments between bots, with confidence intervals, that can be gone on with."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from itertools import islice
from time import monotonic
from typing import Final

from ai.players.players import usual_speed
from ai.processes.executors import local_cluster, processes, running_cluster
from ai.tournaments.arena import (
    GAME_CHOICES_MAX,
    Result,
    Tournament,
    TournamentState,
    play_game,
    play_tournament,
)
from ai.tournaments.ratings import Sprt
from ai.tournaments.results import begun_speed, game_line, head_line, open_results
from ai.tournaments.standings import tally
from core.games import find_game
from core.table import RulesError
from ui.commands.person import words_of
from ui.commands.ranks import rank_lines
from ui.commands.variants import chosen_options
from ui.language.error_texts import translate_error
from ui.language.text import Words
from ui.plain.loop import print_complaint, print_line

WORKERS_MAX: Final = 256


def run(args: argparse.Namespace) -> int:
    """Play what is missing, count, tell.

    With `--json`, every line that a file of results would get is printed, and then the standings.
    """
    state, workers = _state(args), _workers(args)
    if args.only is not None:
        return _play_only(args.only, state)
    if args.json:
        print(head_line(state.tournament), flush=True)
    with ExitStack() as stack:
        file, found = None, 0
        if args.results:
            file = stack.enter_context(open_results(args.results, state.tournament))
            for number, result in file.found.items():
                state.add(number, result)
                found += number < state.games

        progress = _Progress(words_of(args), found, state.games, workers, is_kept=bool(file))

        def tell(number: int, result: Result) -> None:
            if file:
                file.write(number, result)
            if args.json:
                print(game_line(number, result), flush=True)
            progress.add()

        if not state.is_over:
            with progress if args.json else progress.shown():
                _play_missing(args, state, workers, tell)
    _print_standings(words_of(args), state, args.json)
    return 0


def _play_missing(
    args: argparse.Namespace,
    state: TournamentState,
    workers: int,
    tell: Callable[[int, Result], None],
) -> None:
    """Play what is missing on the machines that are wished for."""
    if not args.dask:
        place = processes if args.dask is None else local_cluster
        with place(workers) as executor:
            play_tournament(state, executor, workers, tell)
        return
    what_is_played = partial(head_line, state.tournament)
    with running_cluster(args.dask, what_is_played) as (executor, threads):
        if args.workers is None:
            play_tournament(state, executor, threads, tell)
        else:  # Of a larger cluster no more is used.
            play_tournament(state, executor, workers, tell, ahead=1)


def _play_only(number: int, state: TournamentState) -> int:
    """Play one game as in the tournament, here and now, and print what a file would get of it."""
    if number >= state.games:
        raise RulesError(f"there is no game {number}; the games are 0 to {state.games - 1}")
    match = next(islice(state.tournament.matches(), number, None))
    print_line(game_line(number, play_game(match)))
    return 0


def _state(args: argparse.Namespace) -> TournamentState:
    """What is to be played, checked."""
    seed = getattr(args, "seed", "0")
    if not seed.isdigit():
        raise RulesError(f"a seed is a whole number, not {seed[:40]!r}")
    players = tuple(split_players(args.players))
    if len(players) < min(2, find_game(args.game).players[0]):
        given = args.players[:40]
        raise RulesError(f"who plays is said with commas, as in steady,random; not {given!r}")
    seats = len(players) if args.seats is None else args.seats
    options = chosen_options(args.game, seats, args.option)
    begun = begun_speed(args.results) if args.results else None
    speed = begun or usual_speed(find_game(args.game))
    tournament = Tournament(args.game, players, seats, int(seed), options, speed)
    return TournamentState(tournament, args.games, _test(args))


def _test(args: argparse.Namespace) -> Sprt | None:
    """The test that ends the tournament early, if one is asked for."""
    given = {key: getattr(args, key) for key in ("elo0", "alpha", "beta")
             if getattr(args, key) is not None}  # fmt: skip
    if args.elo1 is not None:
        return Sprt(**{"elo0": 0.0, "elo1": args.elo1, **given})
    if given:
        raise RulesError(f"--{next(iter(given))} is a part of a test, which --elo1 asks for")
    return None


def split_players(text: str) -> list[str]:
    """The players that are named with commas; one in double quotes may have commas itself.

    >>> split_players('sharp, node bot.mjs,"python3 bot.py a,b"')
    ['sharp', 'node bot.mjs', 'python3 bot.py a,b']
    """
    return next(csv.reader([text], skipinitialspace=True), [""])


class _Progress:
    """How far a tournament is: a line on a terminal, and a sentence when it is interrupted."""

    def __init__(
        self, words: Words, found: int, games: int, workers: int, *, is_kept: bool
    ) -> None:
        self._words, self._is_kept = words, is_kept
        self._found, self._games, self._workers = found, games, workers
        self._played, self._begun_at = 0, monotonic()
        self._is_shown = False

    def shown(self) -> _Progress:
        """The same with its line, from the first game on, where there is a terminal."""
        self._is_shown = sys.stderr.isatty()
        self._show()
        return self

    def add(self) -> None:
        """One more game has been played."""
        self._played += 1
        self._show()

    def __enter__(self) -> None:
        """The tournament begins."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """What is printed next begins an empty line."""
        if self._is_shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        if kind is KeyboardInterrupt:
            key = "arena.stopped" if self._is_kept else "arena.stopped_unkept"
            done = self._found + self._played
            print_complaint(self._words(key, done=done, games=self._games))

    def _show(self) -> None:
        """Write the line over the one before."""
        if not self._is_shown:
            return
        done = self._found + self._played
        key, left = "arena.begun", ""
        if self._played:
            key, (minutes, seconds) = "arena.progress", divmod(round(self._seconds_left()), 60)
            left = f"{minutes}:{seconds:02}"
        line = self._words(key, done=done, games=self._games, left=left)
        print(f"\r{line}\033[K", end="\r", file=sys.stderr, flush=True)

    def _seconds_left(self) -> float:
        """Games that are being played count half: with many at once the first says little."""
        missing = self._games - self._found - self._played
        halves = min(self._workers - 1, missing) / 2
        spent = monotonic() - self._begun_at
        return spent / (self._played + halves) * (missing - halves)


def _workers(args: argparse.Namespace) -> int:
    """So many games at once, and no more than there are."""
    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    if not 0 < workers <= WORKERS_MAX:
        raise RulesError(f"the number of workers is 1 to {WORKERS_MAX}, not {workers}")
    return int(min(workers, args.games))


def _endless(words: Words, state: TournamentState) -> list[str]:
    """How many games were broken off, which nobody has won."""
    count = sum(not any(result.shares) for result in state.counted)
    return [words("arena.endless", count=count, most=GAME_CHOICES_MAX)] if count else []


def _print_standings(words: Words, state: TournamentState, is_json: bool) -> None:
    standings = tally(state.counted, state.tournament.players)
    values = [json.dumps({"standing": asdict(standing)}) for standing in standings]
    for line in values if is_json else [*rank_lines(words, standings), *_endless(words, state)]:
        print_line(line)
    if state.accepted is not None:
        games, elo = len(state.counted), state.accepted
        accepted = {"elo": elo, "games": games}
        assert state.sprt is not None, "a test has accepted it"
        sure, limit = "is" if elo == state.sprt.elo1 else "is not", state.sprt.elo1
        text = f"after {games} games the test accepts that the first {sure} {limit:g} Elo stronger"
        print_line(json.dumps({"accepted": accepted}) if is_json else translate_error(words, text))
