"""Workers start whatever became of standard error, and of what looks after them."""

from __future__ import annotations

import os
import signal
from contextlib import redirect_stderr
from io import StringIO
from multiprocessing import resource_tracker

from ai.seats.brain import open_brain


class ScreenError(StringIO):
    """What Textual puts in the place of standard error: it has no file."""

    def fileno(self) -> int:
        return -1


def end(process: int) -> None:
    """Kill a child, and wait: until it is gone, it still looks as if it were there."""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


async def test_workers_start_while_a_screen_is_up_and_their_tracker_was_killed() -> None:
    async with open_brain() as brain:
        await brain.warm_up()
        tracker = resource_tracker._resource_tracker._pid  # type: ignore[attr-defined]
    end(tracker)
    screen = ScreenError()
    with redirect_stderr(screen):
        async with open_brain() as brain:
            await brain.warm_up()
            assert brain.workers_count == 1
    assert not screen.getvalue()
