"""Collections of garbage: none while the program starts, full ones while nobody presses a key.

A full collection goes through every object of the screen and takes 50 ms and more, so that now and
then a press would be seen late.  A program that starts makes much and leaves little behind: modules
and classes that stay.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import trio

QUIET_S: Final = 5.0  # Without a key press for so long, a step of 50 ms disturbs nobody.
EVERY_S: Final = 30.0  # Between two; whoever only waits should cost next to nothing.
NEVER: Final = 1_000_000  # Collections of the middle generation between two full ones.


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Until the block ends, or `collect_when_quiet` begins."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def has_much_been_made() -> bool:
    """Whether Python has collected the middle generation since the last full collection.

    At a table where nobody does anything it has not, and a full one would find next to nothing.
    """
    return gc.get_count()[-1] > 0


async def collect_when_quiet(quiet_s: Callable[[], float]) -> None:
    """Collect now and then, but only when `quiet_s`, the time without a press, is long enough.

    What has been imported by now stays, and is looked at no more.
    """
    young, middle, old = gc.get_threshold()
    gc.freeze()
    gc.enable()
    gc.set_threshold(young, middle, NEVER)
    try:
        while True:
            await trio.sleep(EVERY_S)
            if quiet_s() >= QUIET_S and has_much_been_made():
                gc.collect()
    finally:
        gc.set_threshold(young, middle, old)
        gc.unfreeze()
