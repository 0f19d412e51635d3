"""A program that another one runs: it goes when that one has gone.

The other one holds the far end of its standard input, which closes when that has ended, also by a
signal that nobody can catch.  A bot is told nothing there; a browser's tab gets its keys there
(`ui.terminal.driver`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Final

import trio

_GOODBYE_S: Final = 2.0  # For getting up politely; then the bot ends wherever it stands.
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
    end_soon()
    playing.cancel()


def end_soon(goodbye_s: float = _GOODBYE_S) -> None:
    """See to it that this process ends, wherever it stands when the time for a goodbye is over."""
    threading.Thread(target=_end_after, args=(goodbye_s,), daemon=True).start()


def _end_after(goodbye_s: float) -> None:
    time.sleep(goodbye_s)
    os._exit(ABANDONED)
