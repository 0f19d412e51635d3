"""The doorway: whoever crowds it makes room, and nobody who has proven who they are does."""

from __future__ import annotations

from contextlib import ExitStack

import trio
import trio.testing
from trio.testing import MockClock

from p2p.base.limits import CALLERS_MAX, CALLERS_PER_HOST_MAX, CALLS_BURST_MAX, CALLS_PER_S_MAX
from p2p.net.admission import Call, Callers

HONEST = "10.0.0.7"


async def crowd(callers: Callers, nursery: trio.Nursery, *, is_proven: bool = False) -> list[Call]:
    """Fill the doorway from as few hosts as can."""
    calls: list[Call] = []

    async def come(host: str) -> None:
        with callers.take_in(host) as call:
            assert call is not None
            call.is_proven = is_proven
            calls.append(call)
            await trio.sleep_forever()

    for number in range(CALLERS_MAX):
        nursery.start_soon(come, f"10.0.66.{number // CALLERS_PER_HOST_MAX}")
        await trio.testing.wait_all_tasks_blocked()
    return calls


async def test_who_is_silent_and_many_makes_room_for_who_is_few() -> None:
    callers = Callers()
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery)
        with ExitStack() as inside:
            for _ in range(CALLERS_PER_HOST_MAX - 4):
                assert inside.enter_context(callers.take_in(HONEST)) is not None
            await trio.testing.wait_all_tasks_blocked()
        ended = [call for call in calls if call.scope.cancel_called]
        assert len(ended) == CALLERS_PER_HOST_MAX - 4 and calls[0] in ended, "who waited longest"
        nursery.cancel_scope.cancel()


async def test_nobody_is_turned_out_for_a_host_that_has_as_many() -> None:
    callers = Callers()
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery)
        with callers.take_in("10.0.66.0") as call:
            assert call is None
        assert not any(call.scope.cancel_called for call in calls)
        nursery.cancel_scope.cancel()


async def test_whoever_has_proven_who_it_is_stays() -> None:
    callers = Callers()
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery, is_proven=True)
        with callers.take_in(HONEST) as call:
            assert call is None
        assert not any(call.scope.cancel_called for call in calls)
        nursery.cancel_scope.cancel()


async def test_a_host_calls_at_a_bounded_rate(autojump_clock: MockClock) -> None:
    callers = Callers()

    def call_often() -> int:
        taken = 0
        for _ in range(3 * CALLS_BURST_MAX):
            with callers.take_in(HONEST) as call:
                taken += call is not None
        return taken

    assert call_often() == CALLS_BURST_MAX
    await trio.sleep(2)
    assert call_often() == 2 * CALLS_PER_S_MAX
    with callers.take_in("10.0.0.8") as call:
        assert call is not None, "others are not meant"
