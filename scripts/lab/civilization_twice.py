"""Compare two readings of the rules of Civilization at every step of random games.

    lab.py civilization_twice               300 games over all seats and options
    lab.py civilization_twice --games 20 --first-seed 7

The second reading (tests/core/games/civilization/naive.py) is slow, plain, and written from the
rules and not from our code.  The first difference ends it, with the seed; and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.core.games.civilization.second_reading import Comparison


def main(arguments: list[str]) -> int:
    """Play, compare, and say how much was compared."""
    parser = argparse.ArgumentParser(description="Compare two readings of the same rules.")
    parser.add_argument("--games", type=int, default=300, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="S")
    chosen = parser.parse_args(arguments)
    comparison, started = Comparison(), time.monotonic()
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.games):
        try:
            comparison.play(seed)
        except AssertionError:
            print(f"FAILED: seed {seed}", file=sys.stderr)
            raise
    for name, count in sorted(comparison.compared.items()):
        print(f"  {count:8,} {name}")
    print(f"{chosen.games} games, no difference, {time.monotonic() - started:.0f} s")
    return 0
