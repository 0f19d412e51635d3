"""How long bots take for a choice on the clock, beside what their level promises.

    lab.py bot_times                                   all levels, all games, quiet and busy
    lab.py bot_times --levels steady --games carta     one of them
    lab.py bot_times --games civilization --seats 4 --busy 0      four seats, quiet alone
    lab.py bot_times --whole                           without thinking less on a busy machine

For each game a bot is measured as when it sits down, on the machine as it is.  Then it plays: first
so, and then beside busy processes, which do nothing but use up the processor.  Each has a session
of its own, as another program of a desktop or another terminal has: Linux shares out time to
sessions first, and in ours they would go before the bot, which gives way to the screen.  Only its
choices among several legal actions are counted that took some thought; the others are answered at
once.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from scripts import environment

if TYPE_CHECKING:
    from ai.seats.brain import Brain
    from core.game import Game

BUSY: Final = "while True: pass"
CHOICES: Final = 30  # Of every game, level and load.
GAMES: Final = ("carta", "dominion", "renaissance", "civilization")
LEVELS: Final = ("gentle", "steady", "sharp", "strongest")


class Asked(NamedTuple):
    """What is played."""

    game: Game
    level: str
    seats: int
    iterations: int
    choices: int
    is_whole: bool


def main(arguments: list[str]) -> int:
    """Measure, play, print a table."""
    import trio

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", default=GAMES, metavar="SLUG")
    parser.add_argument("--levels", nargs="+", default=LEVELS, choices=LEVELS)
    parser.add_argument("--choices", type=int, default=CHOICES, help="of each kind")
    parser.add_argument("--seats", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--busy", type=int, default=4, help="processes beside it")
    parser.add_argument("--whole", action="store_true", help="always use the whole budget")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", *os.getloadavg(), file=sys.stderr)
    print("| game | level | iterations | promise | beside | choices | median | 95 % | longest |")
    print("|---|---|---|---|---|---|---|---|---|")
    for slug in asked.games:
        trio.run(_game, slug, asked)
    return 0


async def _game(slug: str, asked: argparse.Namespace) -> None:
    from ai.levels import LEVELS as KNOWN
    from ai.seats.brain import open_brain
    from core.games import find_game

    async with open_brain() as brain:
        for level in asked.levels:
            speed = await brain.measure(slug, asked.seats, level)
            budget = KNOWN[level].iterations(speed)
            play = Asked(find_game(slug), level, asked.seats, budget, asked.choices, asked.whole)
            for count in sorted({0, asked.busy}):
                with busy(count):
                    _print(play, count, await _times(brain, play))


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that do nothing but use up the processor."""
    program = [sys.executable, "-c", BUSY]
    started = [subprocess.Popen(program, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


async def _times(brain: Brain, asked: Asked) -> list[float]:
    """The seconds of every choice, of one game after the other."""
    taken: list[float] = []
    deal = 0
    while len(taken) < asked.choices:
        taken += await _play(brain, asked, deal, asked.choices - len(taken))
        deal += 1
    return taken


async def _play(brain: Brain, asked: Asked, deal: int, most: int) -> list[float]:
    from ai.games import find_knowledge
    from ai.levels import LEVELS as KNOWN
    from ai.levels import SearchSettings
    from ai.seats.time_management import SpeedEstimate
    from core.chance import Chance
    from core.determinization import observation_of
    from core.engine import run_until_choice, start
    from core.requests import Over, to_act
    from p2p.game.hurry import WHOLE, Hurry

    game, knowledge, chance = asked.game, find_knowledge(asked.game), Chance(deal)
    hurry, table = Hurry(), start(game, asked.seats, {})
    faces, taken = table.face[:], []
    speed = SpeedEstimate(asked.iterations, KNOWN[asked.level].seconds)
    while not isinstance(pending := run_until_choice(game, table, faces, chance), Over):
        seats = to_act(pending)
        for seat in seats:
            seen = observation_of(table, faces, seat)
            action = knowledge.rollout_policy(table, seat, seen, chance)
            if seat == deal % asked.seats and len(game.legal_actions(table, seat, seen)) > 1:
                settings = SearchSettings(
                    chance.next(), asked.level, asked.iterations, hurry.part_of(seat)
                )
                begin = time.perf_counter()
                decision, alone_s = await brain.decide_timed(game.slug, table, seen, seat, settings)
                action = decision.action
                if decision.iterations:
                    taken.append(time.perf_counter() - begin)
                    speed.note(decision.iterations, alone_s)
                    hurry.note(seat, WHOLE if asked.is_whole else speed.part_in_time)
            elif seat != deal % asked.seats:
                hurry.draw()  # Lots are drawn anew once anybody else has chosen.
            game.apply(table, seat, action)
        if len(taken) >= most:
            break
    return taken


def _print(asked: Asked, beside: int, taken: list[float]) -> None:
    from ai.levels import LEVELS as KNOWN

    ranked = sorted(taken)
    middle, high = ranked[len(ranked) // 2], ranked[math.ceil(0.95 * len(ranked)) - 1]
    cells = [
        *(asked.game.slug, asked.level, f"{asked.iterations:,}"),
        f"{KNOWN[asked.level].seconds} s",
        *(str(beside), str(len(ranked)), *(f"{each:.2f} s" for each in (middle, high, ranked[-1]))),
    ]
    print(f"| {' | '.join(cells)} |", flush=True)
