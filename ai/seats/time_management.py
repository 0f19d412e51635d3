"""Time management on a busy machine: by which part of its budget a bot keeps its level's promise.

The roster binds a bot to a number of iterations for a choice.  A bot that has lately needed too
long for what it did says with its choice that it goes on with a third of them, or a tenth, as soon
as lots are drawn anew; one that has time again, with the whole.  It says so before it can know what
it will choose (`p2p.game.hurry`), and whoever audits does exactly that part again.  So the first
choices on a machine that gets busy are late.

A part counts for all choices until somebody else has chosen.  So one choice that took a little
longer, or one that was over before it said anything about the machine, is no reason for a part.
"""

from __future__ import annotations

from typing import Final

from core.bot_levels import PARTS

_SLACK_PERCENT: Final = 120  # Most choices are clear before the whole budget is used.


class SpeedEstimate:
    """How fast a bot has thought lately, beginning with what was measured: its budget in time.

    The last choice counts, and of those before as much as is thought in half the time of one.
    """

    def __init__(self, iterations: int, promise_s: float) -> None:
        self._iterations, self._promise_s = iterations, promise_s
        self._done, self._taken_s = float(iterations), promise_s

    def note(self, done: int, taken_s: float) -> None:
        """A choice took so long for so many iterations."""
        kept = min(1.0, self._promise_s / 2 / self._taken_s)
        self._done = self._done * kept + done
        self._taken_s = self._taken_s * kept + taken_s

    @property
    def part_in_time(self) -> int:
        """The largest part of the budget for which there is time."""
        most_s = self._promise_s * _SLACK_PERCENT / 100
        for part in PARTS:
            if self._taken_s / self._done * (self._iterations // part) <= most_s:
                return part
        return PARTS[-1]
