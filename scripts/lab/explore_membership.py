"""Explore the rules of membership: everything that can happen at a small table, on the very code.

    python3 scripts/lab.py explore_membership worlds [--seconds 30] [--only NAME ...]
    python3 scripts/lab.py explore_membership broken [--seconds 10] [--only NAME ...]
    python3 scripts/lab.py explore_membership walks [--seconds 60] [--length 70]
    python3 scripts/lab.py explore_membership table

`worlds` counts states and transitions, breadth first, and prints a shortest trace of what is wrong.
`broken` takes one rule out after the other and shows by which trace that is found.  `walks` goes at
random far beyond these bounds.  `table` prints the rules.  docs/lab/membership.md has figures.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from p2p.log.membership.table import TABLE
from tests.p2p.log.membership.breaking import all_broken, worlds_for
from tests.p2p.log.membership.exploring import Limits, explore
from tests.p2p.log.membership.walking import walk
from tests.p2p.log.membership.world import World
from tests.p2p.log.membership.worlds import LARGE, WALKS


def main(arguments: Sequence[str]) -> int:
    """What was asked for; 1 if something is wrong that should not be."""
    parser = argparse.ArgumentParser(description="Explore the rules of membership.")
    parser.add_argument("what", choices=["worlds", "broken", "walks", "table"])
    parser.add_argument("--seconds", type=float, default=30.0, help="for each world")
    parser.add_argument("--length", type=int, default=70, help="steps of a walk")
    parser.add_argument("--heal", type=int, default=31, help="every so many states are healed")
    parser.add_argument("--only", nargs="*", default=[], help="worlds or rules by their names")
    options = parser.parse_args(arguments)
    return {"worlds": worlds, "broken": broken, "walks": walks, "table": table}[options.what](
        options
    )


def worlds(options: argparse.Namespace) -> int:
    """Every world, as far as the time allows."""
    bad = 0
    for name, bounds in LARGE.items():
        if not options.only or name in options.only:
            limits = Limits(3_000_000, options.seconds, options.heal)
            result = explore(World(bounds), limits)
            bad += bool(result.wrong)
            print(f"{name}: {result}", flush=True)
    return bool(bad)


def broken(options: argparse.Namespace) -> int:
    """Every rule taken out alone, in the worlds where it matters."""
    found = count = 0
    for name, rules in all_broken():
        if options.only and not any(name.startswith(only) for only in options.only):
            continue
        count += 1
        began = time.perf_counter()
        for bounds in worlds_for(name):
            result = explore(World(bounds, rules), Limits(3_000_000, options.seconds, 2))
            if result.wrong:
                found += 1
                steps = "; ".join(result.trace)
                print(f"{name}: {result.wrong}, {len(result.trace)} steps: {steps}", flush=True)
                break
        else:
            seconds = time.perf_counter() - began
            print(f"{name}: not found in {seconds:.0f} s", flush=True)
    print(f"{found} of {count} were found")
    return 0


def walks(options: argparse.Namespace) -> int:
    """Random walks; their seeds are part of their names in tests/p2p/log/membership/worlds.py."""
    bad = 0
    for name, (seed, bounds) in WALKS.items():
        if not options.only or name in options.only:
            result = walk(World(bounds), seed, options.length, seconds=options.seconds)
            bad += bool(result.wrong)
            print(f"{name}, seed {seed}: {result}", flush=True)
    return bool(bad)


def table(options: argparse.Namespace) -> int:
    """The rules, as Markdown."""
    del options
    print("| rule | when | if | then |\n|---|---|---|---|")
    for row in TABLE:
        guards = ", ".join(guard.__name__.replace("_", " ") for guard in row.guards) or "-"
        print(f"| {row.name} | {row.when} | {guards} | {row.then} |")
    return 0
