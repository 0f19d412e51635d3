"""What worker processes need, in one place: when they start, and that they end with the program.

Beside a screen: Python's multiprocessing keeps a small process that looks after all others (its
resource tracker), starts it with the first worker, and hands it the number of the standard error's
file.  A screen puts an object without a file in that place, and the start would fail with "bad
value(s) in fds_to_keep".  So whoever is about to start a worker calls `prepare` first, and a screen
once it is painted: that takes a moment.

After the program: a worker that waits for a question sees its pipe close, but one that thinks
would go on to the end of its thought.  So each has a thread that waits for nothing but the end of
the program, however it came about.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import cache
from multiprocessing import parent_process, resource_tracker
from threading import Thread
from typing import Final, TypeVar

NICENESS: Final = 10
ORPHANED: Final = 1  # The exit code of a worker whose program is gone.
T = TypeVar("T")


def prepare() -> None:
    """Start what looks after worker processes, if it is not running.

    Costs nothing when it is; may be called at any time, also while a screen is up, and starts it
    again where it has been killed.
    """
    with redirect_stderr(sys.__stderr__), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # That it was killed would be written over the screen.
        resource_tracker.ensure_running()


# ---- in a worker ----


def give_way() -> bool:
    """Let screens and peers go first on this machine: thought can wait, a key press cannot."""
    if hasattr(os, "nice"):  # Not on Windows.
        os.nice(max(0, NICENESS - os.nice(0)))
    return True


@cache
def end_with_program() -> bool:
    """From now on this worker ends as soon as the program that started it has ended."""
    Thread(target=_wait_for_its_end, daemon=True).start()
    return True


def _wait_for_its_end() -> None:
    program = parent_process()
    if program is not None:  # Otherwise this is the program itself.
        program.join()
        os._exit(ORPHANED)


def begin() -> bool:
    """The first thing that a worker does."""
    return end_with_program() and give_way()


def do_aside(work: Callable[..., T], *arguments: object) -> T:
    """Do something in a worker that was not made by us and may not have begun so."""
    begin()
    return work(*arguments)
