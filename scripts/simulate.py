#!/usr/bin/env python3
"""Games by the thousand on a virtual network, disk and clock; the same seed gives the same game.

    python3 scripts/simulate.py --games 2000                every game, in every weather
    python3 scripts/simulate.py --games 1 --seed 17 --game carta         one of them again
    python3 scripts/simulate.py --games 200 --real          with the real group instead of the fast

One line for every seed that fails, and one at the end.  What is simulated and what is checked is
in `docs/reliability.md`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.simulation.plan import make_plan
from tests.simulation.stage import simulate

DESCRIPTION: Final = "Play simulated games and check what has to hold in them."
GAMES: Final = ("beads", "carta", "dominion", "renaissance")


class Played(NamedTuple):
    """How one game went."""

    game: str
    seed: int
    failures: list[str]
    height: int
    seconds: float
    faults: int
    trace: str


def play(seed: int, game: str, *, is_real: bool) -> Played:
    """One game."""
    outcome = simulate(seed, make_plan(seed, game), is_real=is_real)
    return Played(
        game, seed, outcome.failures, outcome.height, outcome.seconds, outcome.faults, outcome.trace
    )


def played(arguments: argparse.Namespace) -> Iterator[Played]:
    """All games, in the order of their seeds."""
    games = GAMES if arguments.game == "all" else (arguments.game,)
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    names = [games[index % len(games)] for index in range(len(seeds))]
    one = partial(play, is_real=arguments.real)
    if arguments.jobs == 1:
        yield from map(one, seeds, names)
        return
    with ProcessPoolExecutor(arguments.jobs) as pool:
        yield from pool.map(one, seeds, names)


def main() -> int:
    """Play, and say what failed."""
    arguments = parse_arguments()
    started, counted, failed = time.monotonic(), Counter[str](), 0
    for each in played(arguments):
        if each.failures:
            failed += 1
            print(f"{each.game} --seed {each.seed} fails: {each.failures[0]}", flush=True)
        elif arguments.games == 1:
            print(f"{each.height} entries in {each.seconds:.0f} s, trace {each.trace}")
        counted.update(games=1, entries=each.height, seconds=int(each.seconds), faults=each.faults)
    took = time.monotonic() - started
    print(
        f"{counted['games']} games, {counted['entries']} entries, {counted['faults']} faults, "
        f"{counted['seconds'] / 3600:.1f} virtual hours in {took:.0f} s; {failed} failed"
    )
    return 1 if failed else 0


def parse_arguments() -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(description=DESCRIPTION)
    parser.add_argument("--games", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first; each next is one more")
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--real", action="store_true", help="with the real group, ten times slower")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
