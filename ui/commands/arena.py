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
from time import monotonic
from typing import Final

from ai.arena import Course, Result, Tournament, hold
from ai.executors import local_cluster, processes, running_cluster
from ai.players import usual_speed
from ai.ratings import Sprt
from ai.results import game_line, head_line, open_results
from ai.standings import tally
from core.games import find_game
from core.table import RulesError
from ui.commands.person import words_of
from ui.commands.ranks import rank_lines
from ui.commands.variants import chosen_options
from ui.complaints import in_words
from ui.plain import print_line
from ui.text import Words

WORKERS_MAX: Final = 256


def run(args: argparse.Namespace) -> int:
    """Play what is missing, count, tell.

    With `--json`, every line that a file of results would get is printed, and then the standings.
    """
    course, workers = _course(args), _workers(args)
    if args.json:
        print(head_line(course.tournament), flush=True)
    with ExitStack() as stack:
        file = None
        if args.results:
            file = stack.enter_context(open_results(args.results, course.tournament))
            for number, result in file.found.items():
                course.add(number, result)

        progress = _Progress(words_of(args), course)

        def tell(number: int, result: Result) -> None:
            if file:
                file.write(number, result)
            if args.json:
                print(game_line(number, result), flush=True)
            elif sys.stderr.isatty():
                progress.show()

        if not course.is_over:
            _hold(args, course, workers, tell)
    _print_standings(words_of(args), course, args.json)
    return 0


def _hold(
    args: argparse.Namespace, course: Course, workers: int, tell: Callable[[int, Result], None]
) -> None:
    """Play what is missing on the machines that are wished for."""
    if not args.dask:
        place = processes if args.dask is None else local_cluster
        with place(workers) as executor:
            hold(course, executor, workers, tell)
        return
    what_is_played = partial(head_line, course.tournament)
    with running_cluster(args.dask, what_is_played) as (executor, threads):
        if args.workers is None:
            hold(course, executor, threads, tell)
        else:  # Of a larger cluster no more is used.
            hold(course, executor, workers, tell, ahead=1)


def _course(args: argparse.Namespace) -> Course:
    """What is to be played, checked."""
    seed = getattr(args, "seed", "0")
    if not seed.isdigit():
        raise RulesError(f"a seed is a whole number, not {seed[:40]!r}")
    players = tuple(split_players(args.players))
    seats = len(players) if args.seats is None else args.seats
    options = chosen_options(args.game, seats, args.option)
    speed = usual_speed(find_game(args.game))
    tournament = Tournament(args.game, players, seats, int(seed), options, speed)
    is_test = args.elo1 is not None
    sprt = Sprt(args.elo0, args.elo1, args.alpha, args.beta) if is_test else None
    return Course(tournament, args.games, sprt)


def split_players(text: str) -> list[str]:
    """The players that are named with commas; one in double quotes may have commas itself.

    >>> split_players('sharp, node bot.mjs,"python3 bot.py a,b"')
    ['sharp', 'node bot.mjs', 'python3 bot.py a,b']
    """
    return next(csv.reader([text], skipinitialspace=True), [""])


class _Progress:
    """One line on a terminal that says how far a tournament is, and how long it will still take."""

    def __init__(self, words: Words, course: Course) -> None:
        self._words, self._course = words, course
        self._begun_at, self._found = monotonic(), len(course.counted)

    def show(self) -> None:
        """Write the line over the one before."""
        done, games = len(self._course.counted), self._course.games
        played = max(1, done - self._found)
        minutes, seconds = divmod(
            round((monotonic() - self._begun_at) / played * (games - done)), 60
        )
        left = f"{minutes}:{seconds:02}"
        line = self._words("arena.progress", done=done, games=games, left=left)
        print(f"\r{line}\033[K", end="\r", file=sys.stderr, flush=True)


def _workers(args: argparse.Namespace) -> int:
    """So many games at once, and no more than there are."""
    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    if not 0 < workers <= WORKERS_MAX:
        raise RulesError(f"the number of workers is 1 to {WORKERS_MAX}, not {workers}")
    return int(min(workers, args.games))


def _print_standings(words: Words, course: Course, is_json: bool) -> None:
    standings = tally(course.counted, course.tournament.players)
    values = [json.dumps({"standing": asdict(standing)}) for standing in standings]
    for line in values if is_json else rank_lines(words, standings):
        print_line(line)
    if course.accepted is not None:
        games, elo = len(course.counted), course.accepted
        accepted = {"elo": elo, "games": games}
        text = f"after {games} games the test accepts that the first is {elo:g} Elo stronger"
        print_line(json.dumps({"accepted": accepted}) if is_json else in_words(words, text))
