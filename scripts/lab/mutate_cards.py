"""Leave out what one card does, card after card, and wait for a test to fail.

    lab.py mutate_cards dominion                      every step of every card
    lab.py mutate_cards dominion library sentry       of some of them
    lab.py mutate_cards civilization                  every card
    lab.py mutate_cards civilization event wonder     only of these sorts
    lab.py mutate_cards civilization technology/pottery
    lab.py mutate_cards civilization effects          every step of a module

A test that has a name is not yet a test that notices.  For each card, or step of a card, the tests
of the game run in a process of their own in which it does nothing; the first test that fails has
noticed.  What nobody missed is printed, and decides the exit code: 1.

Processes are forked, so this runs where there is `fork`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import pytest

from core.games.dominion.card_texts import TEXTS
from core.games.dominion.cards import KEYS
from core.table import Table
from scripts.lab import civilization_cards

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests" / "core" / "games"
Mutation: TypeAlias = tuple[str, Callable[[], None]]  # What is left out, and how.


class Subject(NamedTuple):
    """A game, the tests that have to notice, and how long they may take."""

    mutations: Callable[[], Iterator[Mutation]]
    tests: tuple[str, ...]
    cpu_s_max: float  # Without a step a test may run for ever; that is noticed, too.


def dominion_steps() -> Iterator[Mutation]:
    """Every step of every text, as `library/2`."""
    for face, text in TEXTS.items():
        for place in range(len(text)):
            yield f"{KEYS[face]}/{place + 1}", partial(_leave_out, face, place)


def _leave_out(face: int, place: int) -> None:
    text = TEXTS[face]
    TEXTS[face] = (*text[:place], _nothing, *text[place + 1 :])


def _nothing(table: Table) -> None:
    """Do nothing."""


SUBJECTS: Final = {
    "dominion": Subject(
        dominion_steps,
        ("test_own_cards.py", "test_attacks.py", "test_mixing.py", "test_course.py"),
        5.0,
    ),
    "civilization": Subject(civilization_cards.mutations, civilization_cards.TESTS, 600.0),
}


def is_noticed(mutate: Callable[[], None], game: str) -> bool:
    """Whether a test fails, or does not end, in a process in which this has been done."""
    child = os.fork()
    if not child:
        os._exit(0 if _fails(mutate, game) else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _fails(mutate: Callable[[], None], game: str) -> bool:
    subject = SUBJECTS[game]
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, subject.cpu_s_max)
    mutate()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        paths = [str(FOLDER / game / name) for name in subject.tests]
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *paths])
    return code == pytest.ExitCode.TESTS_FAILED


def _give_up(*_: object) -> None:
    raise AssertionError("no end")


def main(arguments: list[str]) -> int:
    """Leave out one thing after another."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("game", choices=SUBJECTS)
    parser.add_argument("cards", nargs="*", metavar="CARD", help="a card, a sort, or sort/card")
    given = parser.parse_args(arguments)
    if is_noticed(lambda: None, given.game):
        print("the tests fail as it is", file=sys.stderr)
        return 2
    missed, count = 0, 0
    for name, mutate in SUBJECTS[given.game].mutations():
        if given.cards and not {name, name.split("/")[0]} & set(given.cards):
            continue
        count += 1
        if not is_noticed(mutate, given.game):
            missed += 1
            print(f"nobody missed {name}", flush=True)
    print(f"{count} left out, {count - missed} noticed")
    return 1 if missed else 0
