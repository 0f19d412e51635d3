"""Leave out what one card does, card after card, and wait for a test to fail.

    lab.py mutate_cards dominion                      every step of every card
    lab.py mutate_cards dominion library sentry       of some of them
    lab.py mutate_cards civilization                  every card
    lab.py mutate_cards civilization event wonder     only of these sorts
    lab.py mutate_cards civilization technology/pottery
    lab.py mutate_cards civilization effects          every step of a module

A test that has a name is not yet a test that notices.  For each card, or step of a card, the tests
of the game run in a process of their own in which it does nothing; the first test that fails has
noticed.  For a step of a module only the tests run that reach it.  What nobody missed is printed,
and decides the exit code: 1.

Processes are forked, so this runs where there is `fork`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

import pytest

from core.games.dominion.card_texts import TEXTS
from core.games.dominion.cards import KEYS
from core.table import Table
from scripts.lab import civilization_cards
from scripts.lab.reached import ROOT, Change, Reached

FOLDER: Final = ROOT / "tests" / "core" / "games"
# Without a step a test may run for ever; that is noticed, too, after so many times what it takes.
PATIENCE: Final = 5
PYTEST: Final = ("-s", "-p", "no:terminal", "-p", "no:cacheprovider")


class Subject(NamedTuple):
    """A game, and the tests that have to notice."""

    changes: Callable[[], Iterator[Change]]
    tests: tuple[str, ...]


def dominion_steps() -> Iterator[Change]:
    """Every step of every text, as `library/2`."""
    for face, text in TEXTS.items():
        for place in range(len(text)):
            yield Change(f"{KEYS[face]}/{place + 1}", partial(_leave_out, face, place))


def _leave_out(face: int, place: int) -> None:
    text = TEXTS[face]
    TEXTS[face] = (*text[:place], _nothing, *text[place + 1 :])


def _nothing(table: Table) -> None:
    """Do nothing."""


SUBJECTS: Final = {
    "dominion": Subject(
        dominion_steps,
        ("test_own_cards.py", "test_attacks.py", "test_mixing.py", "test_course.py"),
    ),
    "civilization": Subject(civilization_cards.mutations, civilization_cards.TESTS),
}


class Leaving:
    """A plugin of pytest: runs the tests as they are, then with one change after another."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self.missed: list[str] = []
        self._changes = changes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Collected once, the tests run in a process of their own for every change."""
        reached = Reached(sorted({each.path for each in self._changes if each.path}))
        session.config.pluginmanager.register(reached)
        has_failed = _run(session.items)
        session.config.pluginmanager.unregister(reached)
        if not has_failed:
            self._try_out(session, reached)
        return True

    def _try_out(self, session: pytest.Session, reached: Reached) -> None:
        items = {item.nodeid: item for item in session.items}
        for name, make, path, line, end in self._changes:
            fit = reached.tests_for(path, line, end) if path else list(items)
            cpu_s_max = 1 + PATIENCE * sum(reached.tests[test][0] for test in fit)
            if not _is_noticed(make, [items[test] for test in fit], cpu_s_max):
                self.missed.append(name)
                print(f"nobody missed {name}", flush=True)


def _is_noticed(make: Callable[[], None], tests: Sequence[pytest.Item], cpu_s_max: float) -> bool:
    """Whether a test fails, or does not end, in a process in which this has been done."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_VIRTUAL, cpu_s_max)  # Its signal ends it.
        make()
        os._exit(_run(tests))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def _run(tests: Sequence[pytest.Item]) -> bool:
    """Whether one of some tests fails; those after it are left out."""
    for test in tests:
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=None)
        if test.session.testsfailed:
            return True
    return False


def main(arguments: list[str]) -> int:
    """Leave out one thing after another."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("game", choices=SUBJECTS)
    parser.add_argument("cards", nargs="*", metavar="CARD", help="a card, a sort, or sort/card")
    given = parser.parse_args(arguments)
    subject, wanted = SUBJECTS[given.game], set(given.cards)
    found = [
        each
        for each in subject.changes()
        if not wanted or wanted & {each.name, each.name.split("/")[0]}
    ]
    leaving = Leaving(found)
    paths = [str(FOLDER / given.game / name) for name in subject.tests]
    if pytest.main([*PYTEST, *paths], [leaving]):
        print("the tests fail as it is", file=sys.stderr)
        return 2
    print(f"{len(found)} left out, {len(found) - len(leaving.missed)} noticed")
    return 1 if leaving.missed else 0
