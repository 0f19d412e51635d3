"""Keeping the promise of a level on a busy machine: which part of its budget a bot uses.

The roster binds a bot to a number of iterations for a choice, which is the most that it does.  It
first does a tenth of them and looks at the clock.  Then it does the whole if there is time for
that, or else a third; where there is not even time for a third, what it has found stands.  So a
choice is always that of one of these parts, and whoever audits tries them, the whole first.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from ai.search import Decision

PARTS: Final = (1, 3, 10)  # One in so many: what the levels are apart.
_SLACK_PERCENT: Final = 120  # Most choices are clear before the whole budget is used.


def decide_in_time(
    decide: Callable[[int], Decision],
    iterations: int,
    promise_s: float,
    clock: Callable[[], float] = perf_counter,
) -> Decision:
    """What `decide` says with the largest part of `iterations` that there is time for."""
    begin = clock()
    first = decide(PARTS[-1])
    if not first.iterations:
        return first
    taken_s = clock() - begin
    left_s = promise_s * _SLACK_PERCENT / 100 - taken_s
    for part in PARTS[:-1]:
        if taken_s / first.iterations * (iterations // part) <= left_s:
            return decide(part)
    return first
