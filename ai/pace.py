"""Keeping the promise of a level on a busy machine: by which part of its budget a bot goes on.

The roster binds a bot to a number of iterations for a choice.  A bot that needed too long for what
it did says with its choice that it goes on with a third of them, or a tenth, as soon as lots are
drawn anew; one that has time again, with the whole.  It says so before it can know what it will
choose (`p2p.game.hurry`), and whoever audits does exactly that part again.  So the first choices on
a machine that gets busy are late.
"""

from __future__ import annotations

from typing import Final

from core.bot_levels import PARTS

_SLACK_PERCENT: Final = 120  # Most choices are clear before the whole budget is used.


def part_in_time(iterations: int, promise_s: float, done: int, taken_s: float) -> int:
    """The largest part of `iterations` for which there is time, where `done` took so long."""
    for part in PARTS:
        if taken_s / done * (iterations // part) <= promise_s * _SLACK_PERCENT / 100:
            return part
    return PARTS[-1]
