#!/usr/bin/env python3
"""Every check of this repository, from a clone with Python 3.11 or newer and nothing else.

    python3 scripts/check.py            everything
    python3 scripts/check.py --fast     without the tests that take long
    python3 scripts/check.py types      only the checks that are named

The first run makes ``.venv`` (the same that play.py uses) and installs the test and lint tools.
All checks run even when one fails; the summary at the end says which.  Exit code: 0 when every
check holds, 1 when one does not, 2 for wrong usage, 130 when interrupted.

This file keeps to words that Python 2.7 can read, as play.py does.
"""

from __future__ import print_function

import os
import sys

if sys.version_info < (3, 11):
    sys.exit(
        "hostless needs Python 3.11 or newer, and this is Python %s. "
        "Start it with a newer one, for example: python3.11 %s"
        % (sys.version.split()[0], " ".join(sys.argv))
    )

# The folder of a script is not searched when PYTHONSAFEPATH is set.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import argparse
import shutil
import subprocess
import time
from pathlib import Path

import environment

_IMPORT_LINTER = "from importlinter.cli import lint_imports_command; lint_imports_command()"
PLATFORMS = ("linux", "win32", "darwin")  # What is called on each has to be there.
EVERYTHING = ("core", "p2p", "ai", "ui", "scripts.bench", "scripts.lab")  # Scripts are for Linux.
IN_MEMORY = "/dev/shm"  # On Linux.
ROOM_BYTES = 4 * 1024**3
CHECKS = {  # In this order: what answers soonest comes first.
    "style": [["-m", "ruff", "check", "."]],
    "imports": [["-c", _IMPORT_LINTER]],
    "types": [
        ["-m", "mypy", "--platform", name, "--cache-dir", os.path.join(".mypy_cache", name)]
        + [word for each in (EVERYTHING if name == "linux" else ()) for word in ("-p", each)]
        for name in PLATFORMS
    ],
    "tests": [["-m", "pytest", "-n", "3"]],  # Three at a time on two cores: many wait for somebody.
}


def read_arguments(arguments):
    """What to run."""
    parser = argparse.ArgumentParser("check.py", description="Run every check of this repository.")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    parser.add_argument("--fast", action="store_true", help="leave out the tests that take long")
    parser.add_argument("--fresh", action="store_true", help="make .venv again")
    parser.add_argument("--wheels", type=Path, metavar="DIR", help="install from a folder")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.checks if name not in CHECKS]
    if unknown:
        parser.error("no check called %s; there are: %s" % (unknown[0], ", ".join(CHECKS)))
    return chosen


def run(name, fast):
    """Run one check with its output on the screen; returns whether it holds, and its seconds.

    Where it is several commands, they run at the same time, and what they say comes in their order.
    """
    python, left_out = [str(environment.PYTHON)], ["-m", "not slow and not long"]
    print("\n== " + name, flush=True)
    started = time.monotonic()
    commands = [python + each + (left_out if name == "tests" and fast else [])
                for each in CHECKS[name]]  # fmt: skip
    at_once = {"stdout": subprocess.PIPE, "text": True} if len(commands) > 1 else {}
    running = [subprocess.Popen(command, cwd=environment.ROOT, env=variables(), **at_once)
               for command in commands]  # fmt: skip
    for each in running:
        print(each.communicate()[0] or "", end="", flush=True)
    holds = all(each.returncode == 0 for each in running)
    return holds, time.monotonic() - started


def variables():
    """Those of a program in .venv that keeps what Python has compiled, for tests start many.

    Their files are in memory where the system has a place for that: at each step a game file waits
    for the disk, and there it does not take long.
    """
    kept = environment.environ()
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    if "TMPDIR" not in kept and has_room(IN_MEMORY):
        kept["TMPDIR"] = IN_MEMORY
    return kept


def has_room(folder):
    """Whether the files of all tests can be kept there, some of which are programs."""
    if not os.access(folder, os.W_OK) or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(folder).free >= ROOM_BYTES


def summary(results):
    """The closing lines: one a check, then the verdict."""
    lines = ["== summary"]
    for name, (holds, seconds) in results.items():
        lines.append("%-8s %-6s %6.1f s" % (name, "ok" if holds else "FAILED", seconds))
    failed = [name for name, (holds, _) in results.items() if not holds]
    lines.append("FAILED: " + ", ".join(failed) if failed else "All checks hold.")
    return "\n".join(lines)


def main(arguments):
    """Prepare, run every check, say how it went."""
    chosen = read_arguments(arguments)
    try:
        environment.prepare(("test", "lint"), wheels=chosen.wheels, fresh=chosen.fresh)
        results = {name: run(name, chosen.fast) for name in chosen.checks or CHECKS}
    except environment.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print("\n" + summary(results), flush=True)
    return 0 if all(holds for holds, _ in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
