"""A bot that somebody's program runs: it goes when that program has gone.

The program holds the other end of the bot's standard input and says nothing there, so that end is
closed when it has ended, by a signal that nobody can catch as well.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Final

import trio

GOODBYE_S: Final = 2.0  # For getting up politely; then the bot ends wherever it stands.
ABANDONED: Final = 1
_STANDARD_INPUT: Final = 0


async def while_sponsored(play: Callable[[], Awaitable[object]]) -> None:
    """Play to the end, or until the program at the other end of standard input has gone."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_end_with_sponsor, nursery.cancel_scope)
        await play()
        nursery.cancel_scope.cancel()


async def _end_with_sponsor(playing: trio.CancelScope) -> None:
    # Not sys.stdin: whoever is blocked in there keeps Python from ending.
    while await trio.to_thread.run_sync(os.read, _STANDARD_INPUT, 1, abandon_on_cancel=True):
        pass
    threading.Thread(target=_end_soon, daemon=True).start()
    playing.cancel()


def _end_soon() -> None:
    time.sleep(GOODBYE_S)
    os._exit(ABANDONED)
