"""Explore the rules of membership: everything that can happen at a small table, on the very code.

    python3 scripts/lab.py explore_membership worlds [--seconds 30] [--only NAME ...] [--full]
    python3 scripts/lab.py explore_membership broken [--seconds 10] [--only NAME ...]
    python3 scripts/lab.py explore_membership held
    python3 scripts/lab.py explore_membership walks [--seconds 60] [--length 70]
    python3 scripts/lab.py explore_membership table

`worlds` counts states and transitions, breadth first, and prints a shortest trace of what is wrong;
`--full` leaves out all that makes a world smaller.  `broken` takes one rule out after the other and
shows by which trace the exploration finds that, and which tests miss it; `held` says the second
alone.  `walks` goes at random far beyond these bounds.  `table` prints the rules.  Seconds are of
the processor.  docs/lab/membership.md has figures.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterator, Sequence

from p2p.log.membership.rules import MEMBERSHIP_RULES
from tests.p2p.log.membership.bounds import FULL, Broken
from tests.p2p.log.membership.breaking import all_broken, worlds_for
from tests.p2p.log.membership.exploring import Limits, explore
from tests.p2p.log.membership.missing import missed_by
from tests.p2p.log.membership.walking import walk
from tests.p2p.log.membership.world import World
from tests.p2p.log.membership.worlds import LARGE, WALKS


def main(arguments: Sequence[str]) -> int:
    """What was asked for; 1 if something is wrong that should not be."""
    does = {"worlds": worlds, "broken": broken, "held": held, "walks": walks, "table": table}
    parser = argparse.ArgumentParser(description="Explore the rules of membership.")
    parser.add_argument("what", choices=does)
    parser.add_argument("--seconds", type=float, default=30.0, help="for each world")
    parser.add_argument("--states", type=int, default=40_000_000, help="at most, of each world")
    parser.add_argument("--length", type=int, default=70, help="steps of a walk")
    parser.add_argument("--heal", type=int, default=31, help="every so many states are healed")
    parser.add_argument("--full", action="store_true", help="every state, nothing made smaller")
    parser.add_argument("--only", nargs="*", default=[], help="worlds or rules by their names")
    options = parser.parse_args(arguments)
    gc.disable()  # Millions of tuples, and no circles among them.
    return does[options.what](options)


def worlds(options: argparse.Namespace) -> int:
    """Every world, as far as the time allows."""
    bad = 0
    for name, bounds in LARGE.items():
        if not options.only or name in options.only:
            limits = Limits(options.states, options.seconds, options.heal)
            result = explore(World(bounds, None, FULL if options.full else None), limits)
            bad += bool(result.wrong)
            print(f"{name}: {result}", flush=True)
    return bool(bad)


def broken(options: argparse.Namespace) -> int:
    """Every rule taken out alone: what the exploration finds where it matters, and which tests."""
    print("| taken out | found as | steps | tests that miss it |\n|---|---|---:|---|")
    count = bare = 0
    for name, rules in _chosen(options):
        found, steps = _find(name, rules, options)
        missing = missed_by(rules)
        count += 1
        bare += not found and not missing
        print(f"| {name} | {found or 'not found'} | {steps} | {_short(missing)} |", flush=True)
    print(f"{bare} of {count} are held by neither")
    return bool(bare)


def _find(name: str, rules: Broken, options: argparse.Namespace) -> tuple[str, str]:
    """What is wrong without a rule, with a shortest trace, in the first world that shows it."""
    are_whole = True
    for bounds in worlds_for(name):
        limits = Limits(options.states, options.seconds, options.heal)
        result = explore(World(bounds, rules), limits)
        if result.wrong:
            steps = "; ".join(result.trace)
            return f"{result.wrong}: `{steps}`" if steps else result.wrong, str(len(result.trace))
        are_whole &= result.is_complete
    return "", "whole" if are_whole else "cut off"


def held(options: argparse.Namespace) -> int:
    """Every rule with the tests that miss it; 1 if there is one without."""
    print("| taken out | tests that miss it |\n|---|---|")
    bare = 0
    for name, rules in _chosen(options):
        missing = missed_by(rules)
        bare += not missing
        print(f"| {name} | {_short(missing)} |")
    return bool(bare)


def _chosen(options: argparse.Namespace) -> Iterator[tuple[str, Broken]]:
    """What can be taken out, as far as it was asked for."""
    for name, rules in all_broken():
        if not options.only or any(name.startswith(only) for only in options.only):
            yield name, rules


def _short(missing: list[str]) -> str:
    """The first test, and how many more there are."""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return f"`{missing[-1]}`{more}" if missing else "none"


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
    for rule in MEMBERSHIP_RULES:
        guards = ", ".join(guard.__name__.replace("_", " ") for guard in rule.guards) or "-"
        print(f"| {rule.name} | {rule.when} | {guards} | {rule.then} |")
    return 0
