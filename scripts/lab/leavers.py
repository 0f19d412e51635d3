"""Whether it pays to leave: the win share of a seat that leaves when that suits it.

    python3 scripts/lab.py leavers [--games 2000] [--seed 1] [--only hand]

Three sit at a table of the smallest games in which leaving could pay (`tests/p2p/luck.py`), by
the very code that plays, over stand-ins for points.  A seat that stays wins a third.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, pstdev
from unittest.mock import patch

from core.games import GAMES
from tests.p2p.leavers import TRICKS, Leaving
from tests.p2p.luck import HIGH_CARD, ODDS
from tests.simulation.volume_group import volume_group

SIGMAS = 1.96  # On either side, for 95 %.


def main(arguments: Sequence[str]) -> int:
    """A line for each trick, without and with keys in escrow."""
    parser = argparse.ArgumentParser(description="Whether it pays to leave.")
    parser.add_argument("--games", type=int, default=2000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--only", choices=TRICKS, nargs="+", default=TRICKS, help="these tricks")
    options = parser.parse_args(arguments)
    kinds = [(trick, is_escrowed) for trick in options.only for is_escrowed in (False, True)]
    with ProcessPoolExecutor() as workers:
        for said in workers.map(partial(line, options.games, options.seed), kinds):
            print(said, flush=True)
    return 0


def line(games: int, first: int, kind: tuple[str, bool]) -> str:
    """Win share with its interval, and how often the seat has left."""
    trick, is_escrowed = kind
    shares, times = list[float](), 0
    games_of_luck = {game.slug: game for game in (ODDS, HIGH_CARD)}
    with patch.dict(GAMES, games_of_luck), volume_group():
        for seed in range(first, first + games):
            room = Leaving(seed, trick, is_escrowed=is_escrowed)
            shares.append(room.play())
            times += room.times
    mean, wide = fmean(shares), SIGMAS * pstdev(shares) / sqrt(games)
    escrow = "yes" if is_escrowed else "no"
    return (
        f"| {trick} | {escrow} | {100 * mean:.1f} % | "
        f"{100 * (mean - wide):.1f} to {100 * (mean + wide):.1f} % | {times / games:.2f} |"
    )
