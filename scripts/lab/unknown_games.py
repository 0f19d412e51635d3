"""How bots do in a game that nobody has told them anything about.

Gin rummy of the tests, against its greedy player, and against what search imagines with.  Every
deal is played from both seats; the interval is over deals.
"""

from __future__ import annotations

import argparse
import sys
import time
from math import sqrt
from typing import TYPE_CHECKING, Final

from scripts import environment

if TYPE_CHECKING:
    from ai.players import Decider

GAMES: Final = 200
REPORT_EVERY: Final = 10  # Deals.


def share(first: Decider, second: Decider, deal: int, seat: int) -> float:
    """What the first, in that seat, has of the victory of one game."""
    from ai.arena import play_out
    from tests.gin_rummy import GIN_RUMMY as GAME

    deciders = [first, second] if seat == 0 else [second, first]
    winners, _ = play_out(GAME, GAME.setup(2, {}), deciders, deal)
    return (seat in winners) / max(1, len(winners))


def main(arguments: list[str]) -> int:
    """Play what was asked for."""
    from ai.players import find_player, usual_speed
    from core.chance import Chance
    from tests.gin_rummy import GIN_RUMMY, greedy

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--player", default="steady", help="as in the arena")
    parser.add_argument("--against", default="greedy", help="the game's own, or as in the arena")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    speed = usual_speed(GIN_RUMMY)
    first = find_player(GIN_RUMMY, asked.player, speed)
    second = greedy if asked.against == "greedy" else find_player(GIN_RUMMY, asked.against, speed)
    won: list[float] = []
    deals, begin = Chance(asked.seed), time.process_time()
    while 2 * len(won) < asked.games:
        deal = deals.next()
        won.append((share(first, second, deal, 0) + share(first, second, deal, 1)) / 2)
        if len(won) % REPORT_EVERY == 0 or 2 * len(won) >= asked.games:
            _report(won, (time.process_time() - begin) / len(won) / 2)
    return 0


def _report(won: list[float], seconds: float) -> None:
    print(f"{2 * len(won)} games, {rate_text(won)}, {seconds:.1f} s a game", flush=True)


def rate_text(won: list[float]) -> str:
    """The mean of what was won of each deal, in percent, and the half of its 95 % interval."""
    mean = sum(won) / len(won)
    spread = sqrt(sum((each - mean) ** 2 for each in won) / max(1, len(won) - 1) / len(won))
    return f"{100 * mean:.1f} % ± {196 * spread:.1f}"
