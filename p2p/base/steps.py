"""Waiting in step: whoever does something small again and again does it when others do."""

from __future__ import annotations

import trio


async def sleep_in_step(every_s: float) -> None:
    """Sleep until the next whole multiple of `every_s` seconds of trio's clock.

    So all that is done every half second is done by one waking of the program, which costs more
    than what it is woken for: with a screen, each waking goes through a thread.
    """
    now = trio.current_time()
    await trio.sleep_until((now // every_s + 1) * every_s)
