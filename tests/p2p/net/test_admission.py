"""The doorway: whoever crowds it makes room, and nobody who got what they came for does."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p.base.limits import (
    CALLERS_MAX,
    CALLERS_PER_HOST_MAX,
    CALLS_BURST_MAX,
    CALLS_PER_S_MAX,
    VAIN_CALLS_MAX,
    VAIN_PERIOD_S,
    Role,
)
from p2p.net.admission import Bucket, Call, Callers

HONEST = "10.0.0.7"


async def crowd(
    callers: Callers,
    nursery: trio.Nursery,
    role: Role = Role.STRANGER,
    each: int = CALLERS_PER_HOST_MAX,
) -> list[Call]:
    """Fill the doorway, with so many calls from each host."""
    calls: list[Call] = []
    for number in range(CALLERS_MAX):
        call = callers.admit(f"10.0.66.{number // each}")
        assert call is not None
        call.role = lambda: role
        calls.append(call)
        nursery.start_soon(wait, callers, call)
    await trio.testing.wait_all_tasks_blocked()
    return calls


async def wait(callers: Callers, call: Call) -> None:
    """Stand at the door and say nothing."""
    with callers.stay(call):
        await trio.sleep_forever()


def call_in_vain(callers: Callers, host: str, count: int) -> None:
    """Come and go so often without having got anything."""
    for _ in range(count):
        call = callers.admit(host)
        assert call is not None
        with callers.stay(call):
            pass


async def test_who_is_silent_and_many_makes_room_for_who_is_few() -> None:
    callers = Callers()
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery)
        with ExitStack() as inside:
            for _ in range(CALLERS_PER_HOST_MAX - 4):
                call = callers.admit(HONEST)
                assert call is not None
                inside.enter_context(callers.stay(call))
            await trio.testing.wait_all_tasks_blocked()
        ended = [call for call in calls if call.scope.cancel_called]
        assert len(ended) == CALLERS_PER_HOST_MAX - 4 and calls[0] in ended, "who waited longest"
        nursery.cancel_scope.cancel()


async def test_nobody_is_turned_out_for_a_host_that_has_as_many() -> None:
    callers = Callers()
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery)
        assert callers.admit("10.0.66.0") is None
        assert not any(call.scope.cancel_called for call in calls)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("role", [Role.GUEST, Role.SPECTATOR, Role.MEMBER])
async def test_whoever_got_what_it_came_for_stays(role: Role) -> None:
    callers = Callers()
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery, role)
        assert callers.admit(HONEST) is None
        assert not any(call.scope.cancel_called for call in calls)
        nursery.cancel_scope.cancel()


async def test_a_host_calls_at_a_bounded_rate(autojump_clock: MockClock) -> None:
    callers = Callers()

    def call_often() -> int:
        taken = 0
        for _ in range(3 * CALLS_BURST_MAX):
            call = callers.admit(HONEST)
            if call is not None:
                taken += 1
                with callers.stay(call):
                    call.role = lambda: Role.MEMBER
        return taken

    assert call_often() == CALLS_BURST_MAX
    await trio.sleep(2)
    assert call_often() == 2 * CALLS_PER_S_MAX
    assert callers.admit("10.0.0.8") is not None, "others are not meant"


async def test_a_newcomer_finds_a_place_among_as_many_hosts_as_there_are_places(
    autojump_clock: MockClock,
) -> None:
    """One machine with many addresses: each of them has one caller, and none came for anything."""
    callers = Callers()
    for number in range(CALLERS_MAX):
        call_in_vain(callers, f"10.0.66.{number}", 2)
    async with trio.open_nursery() as nursery:
        calls = await crowd(callers, nursery, each=1)
        assert callers.admit(HONEST) is not None
        await trio.testing.wait_all_tasks_blocked()
        assert [call.scope.cancel_called for call in calls] == [True, *[False] * (CALLERS_MAX - 1)]
        nursery.cancel_scope.cancel()


async def test_a_host_that_calls_in_vain_is_taken_in_more_and_more_rarely(
    autojump_clock: MockClock,
) -> None:
    """What a caller costs us before it is known is a handshake, so these have to be few."""
    callers, taken = Callers(), 0
    for _ in range(int(20 * VAIN_PERIOD_S)):
        await trio.sleep(0.05)
        call = callers.admit("10.0.66.6")
        if call is not None:
            taken += 1
            with callers.stay(call):
                pass
    assert taken <= 20 + VAIN_PERIOD_S * CALLS_PER_S_MAX / VAIN_CALLS_MAX
    assert callers.burden("10.0.66.6") > callers.burden(HONEST) == 0
    await trio.sleep(VAIN_PERIOD_S)
    assert callers.burden("10.0.66.6") == 0, "that is forgotten after a while"


@pytest.mark.parametrize(
    ("role", "has_misbehaved", "burden"),
    [(Role.MEMBER, False, 0), (Role.MEMBER, True, 1), (Role.GUEST, False, 1),
     (Role.SPECTATOR, False, 1)],
)  # fmt: skip
async def test_only_who_stayed_to_play_and_kept_to_the_rules_has_not_called_in_vain(
    role: Role, has_misbehaved: bool, burden: int
) -> None:
    """Otherwise one could sit down and get up, or look on and leave, a thousand times a minute."""
    callers = Callers()
    call = callers.admit(HONEST)
    assert call is not None
    with callers.stay(call):
        call.role = lambda: role
        call.has_misbehaved = lambda: has_misbehaved
    assert callers.burden(HONEST) == burden


async def test_a_bucket_says_how_long_to_wait_for_what_was_taken(autojump_clock: MockClock) -> None:
    bucket = Bucket(per_s=4, burst=8)
    assert [bucket.take(1) for _ in range(8)] == [0.0] * 8
    assert bucket.take(2) == 0.5
    await trio.sleep(60)
    assert (bucket.take(8), bucket.take(1)) == (0.0, 0.25), "no more is saved up than the burst"
