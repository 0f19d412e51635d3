"""Is there a test for every step of every card?  Leave out one step at a time, and see tests fail.

    lab.py mutate_texts                 all cards of Dominion
    lab.py mutate_texts library sentry  some of them

Every step of every text in `core/games/dominion/texts.py` is replaced in turn by one that does
nothing, and the tests of Dominion run until the first fails.  A step whose absence no test notices
is printed, and decides the exit code: 1.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import signal
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from core.games.dominion.cards import KEYS
from core.games.dominion.texts import TEXTS
from core.table import Table

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests" / "core" / "games" / "dominion"
TESTS_S_MAX: Final = 5.0  # Of processor time; they need one.
TESTS: Final = ("test_own_cards.py", "test_attacks.py", "test_mixing.py", "test_course.py")


def nothing(table: Table) -> None:
    """Do nothing."""


def give_up(*_: object) -> None:
    """Fail a test that runs for ever: without the step nothing moves on."""
    raise AssertionError("no end")


def is_noticed() -> bool:
    """Whether a test fails now."""
    signal.setitimer(signal.ITIMER_VIRTUAL, TESTS_S_MAX)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = pytest.main(
            ["-x", "-q", "-p", "no:cacheprovider", *(str(FOLDER / t) for t in TESTS)]
        )
    return code == pytest.ExitCode.TESTS_FAILED


def main(arguments: list[str]) -> int:
    """Leave out every step once."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("cards", nargs="*", metavar="CARD", help="of Dominion; by default all")
    cards = parser.parse_args(arguments).cards
    signal.signal(signal.SIGVTALRM, give_up)
    if is_noticed():
        print("the tests fail as it is", file=sys.stderr)
        return 2
    began, steps, unnoticed = time.process_time(), 0, 0
    for face, text in list(TEXTS.items()):
        if cards and KEYS[face] not in cards:
            continue
        for place in range(len(text)):
            TEXTS[face] = (*text[:place], nothing, *text[place + 1 :])
            steps += 1
            if not is_noticed():
                unnoticed += 1
                print(f"nobody notices that {KEYS[face]} lacks step {place + 1}", flush=True)
        TEXTS[face] = text
    took_s = time.process_time() - began
    print(f"{steps} steps left out, {steps - unnoticed} noticed, {took_s:.0f} s of processor time")
    return 1 if unnoticed else 0
