"""Games by the thousand on a virtual network, disk and clock; the same seed gives the same game.

    lab.py simulate --games 2000                all games, with all kinds of faults
    lab.py simulate --games 1 --seed 17 --game carta         one of them again
    lab.py simulate --games 200 --real          with the real group instead of the fast
    lab.py simulate --games 500 --cheaters      one cheater at every table
    lab.py simulate --games 500 --cheaters --mixed   and all else goes wrong as well
    lab.py simulate --games 500 --cheaters --companions   the same, with bots of the opener
    lab.py simulate --games 500 --cheaters --open         the same, with a bot that all work out
    lab.py simulate --games 500 --cheaters --damaged      the same, and damaged files
    lab.py simulate --games 500 --replaced      the same, and a bot plays on for it
    lab.py simulate --games 500 --lonely        with escrow, and one who is gone
    lab.py simulate --games 500 --keyless       the same without escrow
    lab.py simulate --games 500 --returning     one who comes back to a bot in the seat
    lab.py simulate --games 500 --outage        a switch that is off for a while
    lab.py simulate --games 500 --last-moment   some are back as they are given up
    lab.py simulate --games 500 --mixed         all of these at one table
    lab.py simulate --games 500 --companions    the same, with bots of the opener
    lab.py simulate --games 500 --open          the same, with a bot that all work out
    lab.py simulate --games 500 --damaged       the same, and files that are damaged
    lab.py simulate --games 500 --regretful     people who take back what was heard
    lab.py simulate --games 500 --leaving       people who leave for good
    lab.py simulate --games 500 --apart         two who never reach each other
    lab.py simulate --remove "share proof"      until a missing check is noticed
    lab.py simulate --remove all                every check in turn

One line for every seed that fails, and one at the end.  What is simulated and what is checked is
in `docs/lab/reliability.md`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from tests.simulation.cheaters import Kind
from tests.simulation.cheaters import Outcome as Ending
from tests.simulation.cheating import choose, choose_amid_troubles, try_kind
from tests.simulation.plan import (
    Plan,
    make_apart_plan,
    make_companions_plan,
    make_damaged_plan,
    make_last_moment_plan,
    make_leaving_plan,
    make_lonely_plan,
    make_mixed_plan,
    make_open_plan,
    make_outage_plan,
    make_plan,
    make_regretful_plan,
    make_returning_plan,
)
from tests.simulation.removed import REMOVALS, first_failure
from tests.simulation.stage import Outcome, simulate

DESCRIPTION: Final = "Play simulated games and check what has to hold in them."
GAMES: Final = ("beads", "carta", "dominion", "renaissance")
# Where a cheater is not the only trouble, and whether some of the others leave for good.
AMID: Final = {"mixed": False, "companions": False, "open": True, "damaged": True}


class Played(NamedTuple):
    """How one game went."""

    name: str
    seed: int
    failures: list[str]
    height: int = 0
    seconds: float = 0.0
    faults: int = 0
    trace: str = ""
    end: str = ""  # Of the cheater.


class Mode(NamedTuple):
    """A kind of faults among honest people."""

    make: Callable[[int, str], Plan]
    help: str
    end: Callable[[Outcome], str] = lambda _: ""  # What became of it.


def _returned(done: Outcome) -> str:
    return "had it back" if "new key" in done.kinds else "nobody was replaced"


def _went_back(done: Outcome) -> str:
    return "went back" if "take back" in done.kinds else "nobody went back"


def _left(done: Outcome) -> str:
    if "new key" in done.kinds:
        return "somebody was let go and came back"
    return "somebody was let go" if "replace" in done.kinds else "nobody was let go"


MODES: Final = {
    "lonely": Mode(make_lonely_plan, "with escrow, and one who is gone"),
    "keyless": Mode(partial(make_lonely_plan, is_escrowed=False), "the same without escrow"),
    "returning": Mode(make_returning_plan, "one who comes back to a bot in the seat", _returned),
    "outage": Mode(make_outage_plan, "a switch that is off for a while"),
    "last-moment": Mode(make_last_moment_plan, "some who are back as they are given up"),
    "mixed": Mode(make_mixed_plan, "all of these at one table", _left),
    "companions": Mode(make_companions_plan, "the same, with bots of the opener", _left),
    "open": Mode(make_open_plan, "the same, with a bot that all work out", _left),
    "damaged": Mode(make_damaged_plan, "the same, and files of games that are damaged", _left),
    "regretful": Mode(make_regretful_plan, "people who take back what was heard", _went_back),
    "leaving": Mode(make_leaving_plan, "people who leave for good", _left),
    "apart": Mode(make_apart_plan, "two who never reach each other"),
}


def play(seed: int, game: str, *, is_real: bool, mode: str = "") -> Played:
    """One game of honest people."""
    make, _, end = MODES.get(mode, Mode(make_plan, ""))
    done = simulate(seed, make(seed, game), is_real=is_real)
    return Played(
        game, seed, done.failures, done.height, done.seconds, done.faults, done.trace, end(done)
    )


def play_with_a_cheater(seed: int, _: str, *, is_real: bool) -> Played:
    """One game with a cheater that the seed chooses, as it chooses its seat and its moment."""
    return played_by(*choose(seed), seed, is_real=is_real)


def play_without_the_cheater(seed: int, _: str, *, is_real: bool) -> Played:
    """The same where a bot can play on for the cheater, with its key or without."""
    kind, seat, nth, plan = choose(seed)
    is_escrowed = seed % 2 == 0 and not plan.bots  # A bot's key is in nobody's escrow.
    plan = replace(plan, plays_on=True, is_escrowed=is_escrowed)
    return played_by(kind, seat, nth, plan, seed, is_real=is_real)


def play_a_cheater_amid_troubles(seed: int, _: str, *, is_real: bool, mode: str) -> Played:
    """One game with a cheater at which all else goes wrong as well: is anybody honest hurt?"""
    make, do_leave = MODES[mode].make, AMID[mode]
    kind, seat, nth, plan = choose_amid_troubles(seed, make, do_leave=do_leave)
    tried = try_kind(kind, seat, seed, nth, plan, is_real=is_real, is_amid_troubles=True)
    end = "cheated" if tried.did else "no opportunity"
    return Played(kind.name, seed, tried.failures, tried.height, faults=len(plan.faults), end=end)


def played_by(kind: Kind, seat: int, nth: int, plan: Plan, seed: int, *, is_real: bool) -> Played:
    """One game with this cheater."""
    tried = try_kind(kind, seat, seed, nth, plan, is_real=is_real)
    end = kind.outcome.name.lower() if tried.did else "no opportunity"
    if plan.plays_on and tried.did and kind.outcome is Ending.NAMED:
        end += " and replaced" if tried.is_finished else " as the table stopped"
    return Played(kind.name, seed, tried.failures, tried.height, faults=len(plan.faults), end=end)


def played(arguments: argparse.Namespace) -> Iterator[Played]:
    """All games, in the order of their seeds."""
    games = GAMES if arguments.game == "all" else (arguments.game,)
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    names = [games[index % len(games)] for index in range(len(seeds))]
    chosen: Callable[..., Played] = partial(play, mode=arguments.mode)
    if arguments.cheaters:
        amid = partial(play_a_cheater_amid_troubles, mode=arguments.mode)
        chosen = amid if arguments.mode in AMID else play_with_a_cheater
    chosen = play_without_the_cheater if arguments.replaced else chosen
    one = partial(chosen, is_real=arguments.real)
    if arguments.jobs == 1:
        yield from map(one, seeds, names)
        return
    with ProcessPoolExecutor(arguments.jobs) as pool:
        yield from pool.map(one, seeds, names)


def play_all(arguments: argparse.Namespace) -> int:
    """Play, and say what failed."""
    started, counted, ends, failed = time.monotonic(), Counter[str](), Counter[str](), 0
    for each in played(arguments):
        if each.failures:
            failed += 1
            print(f"{each.name}, --seed {each.seed}, fails: {each.failures[0]}", flush=True)
        elif arguments.games == 1:
            print(f"{each.name}: {each.height} entries, trace {each.trace}, {each.end}")
        counted.update(games=1, entries=each.height, seconds=int(each.seconds), faults=each.faults)
        ends.update([each.end] if each.end else [])
    took = time.monotonic() - started
    print(
        f"{counted['games']} games, {counted['entries']} entries, {counted['faults']} faults, "
        f"{counted['seconds'] / 3600:.1f} virtual hours in {took:.0f} s; {failed} failed"
    )
    if ends:
        print(", ".join(f"{count} {end.replace('_', ' ')}" for end, count in ends.most_common()))
    return 1 if failed else 0


def remove(checks: list[str]) -> int:
    """Take each of these checks out of every node, and play until somebody notices."""
    missed = 0
    for check in checks:
        started = time.process_time()
        games, failure = first_failure(check)
        took = time.process_time() - started
        missed += not failure
        found = f"after {games} games: {failure[:80]}" if failure else "NOT NOTICED"
        print(f"{check:20} {took:5.1f} s  {found}", flush=True)
    return 1 if missed else 0


def main(arguments: list[str]) -> int:
    """Do what the caller wants."""
    chosen = read(arguments)
    if chosen.remove:
        return remove(sorted(REMOVALS) if chosen.remove == "all" else [chosen.remove])
    return play_all(chosen)


def read(arguments: list[str]) -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(description=DESCRIPTION)
    parser.add_argument("--games", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first; each next is one more")
    parser.add_argument("--game", choices=[*GAMES, "civilization", "all"], default="all")
    parser.add_argument("--real", action="store_true", help="with the real group, ten times slower")
    modes = parser.add_mutually_exclusive_group()
    for name, mode in MODES.items():
        modes.add_argument(
            f"--{name}", dest="mode", action="store_const", const=name, default="", help=mode.help
        )
    parser.add_argument("--cheaters", action="store_true", help="one at every table")
    parser.add_argument("--replaced", action="store_true", help="the same, and a bot plays on")
    parser.add_argument("--remove", choices=[*REMOVALS, "all"], help="a check, from every node")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args(arguments)
