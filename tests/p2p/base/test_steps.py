"""What is done again and again wakes the program once for all of it."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from p2p.base.steps import sleep_in_step


async def test_whoever_waits_in_step_is_woken_together_whenever_they_began(
    autojump_clock: MockClock,
) -> None:
    woken: list[float] = []

    async def wait(first_s: float) -> None:
        await trio.sleep(first_s)
        for _ in range(3):
            await sleep_in_step(0.5)
            woken.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        for first_s in (0.0, 0.1, 0.4):
            nursery.start_soon(wait, first_s)
    assert len(woken) == 9 and len(set(woken)) == 3
    assert all(at % 0.5 == 0 for at in woken)
