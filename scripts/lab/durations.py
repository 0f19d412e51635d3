"""Which tests `check.py --fast` leaves out: those that took long when all were run.

    export PYTEST_ADDOPTS="--durations=0 --durations-min=0.05"
    check.py tests | tee whole.txt
    lab.py durations whole.txt          writes tests/long.txt, by name

The seconds are those of that machine on that day; only who is in the list matters.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LONG: Final = Path(__file__).resolve().parents[2] / "tests" / "long.txt"
LONG_S: Final = 0.3  # All others together take a minute on two quiet cores.
# "1.23s call     tests/core/test_x.py::test_y[1]": parts of one test, and parameters, are added up.
LINE: Final = re.compile(r"^([\d.]+)s (?:call|setup|teardown) +(\S+?::\w+(?:::\w+)*)")


def seconds(lines: Iterable[str]) -> dict[str, float]:
    """What each test function took in all, in seconds, by its name without parameters."""
    took = dict[str, float]()
    for line in lines:
        if found := LINE.match(line):
            took[found[2]] = took.get(found[2], 0.0) + float(found[1])
    return took


def listed(took: dict[str, float]) -> list[str]:
    """One line for each test that takes long: its name."""
    return sorted(name for name, spent in took.items() if spent > LONG_S)


def main(arguments: list[str]) -> int:
    """Write the list; 0 if there was anything to write."""
    parser = argparse.ArgumentParser("lab.py durations", description=__doc__.split("\n")[0])
    parser.add_argument("log", type=Path, help="what a whole run printed")
    chosen = parser.parse_args(arguments)
    names = listed(seconds(chosen.log.read_text("utf-8", errors="replace").splitlines()))
    if not names:
        print(f"{chosen.log} has no durations: run the tests with --durations=0.")
        return 1
    LONG.write_text("\n".join(names) + "\n", "utf-8")
    print(f"{len(names)} tests take longer than {LONG_S} s.")
    return 0
