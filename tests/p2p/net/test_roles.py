"""What somebody may bring and cost us depends on who it is to us by now: tried at real links."""

from __future__ import annotations

import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import cast

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from p2p.base.errors import Flooding, MalformedFrame
from p2p.base.identity import Identity
from p2p.base.limits import (
    ALLOWANCES,
    LOOP_BYTES_MAX,
    SHOWN_BYTES,
    STALLED_S_MAX,
    Role,
)
from p2p.base.wire import FrameReader, decode, encode, frame
from p2p.net import link as links
from p2p.net.certificate import dialling_context
from p2p.net.handshake import Proven, Stream, meet_listener
from p2p.net.link import Link, connect
from p2p.net.listening import open_listener
from tests.limits import HANGS_S
from tests.p2p.wiretap import BROKEN, HOST, at

ADA, BOB = Identity.generate(), Identity.generate()
CUT_OFF = [Role.STRANGER, Role.GUEST, Role.SPECTATOR]


@asynccontextmanager
async def called_by(role: Role) -> AsyncIterator[tuple[Link, Link]]:
    """A link that somebody has dialled, and what we have of it: the caller is this to us."""
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        theirs = await connect(at(listener), BOB, "Bob")
        mine = await anext(listener)
        assert mine.role is Role.STRANGER, "whoever calls begins as one"
        mine.become(role)
        with trio.fail_after(HANGS_S):
            yield mine, theirs
        theirs.give_up()


async def fault_of(mine: Link) -> object:
    """What ended the link, once it has ended."""
    with suppress(*BROKEN):
        while True:
            await mine.receive()
    return mine.fault


@pytest.mark.parametrize("role", CUT_OFF)
async def test_a_frame_longer_than_a_role_allows_ends_the_link_before_it_arrives(
    role: Role,
) -> None:
    async with called_by(role) as (mine, theirs):
        await theirs.send(["sit", bytes(ALLOWANCES[role].frame_bytes)])
        fault = await fault_of(mine)
    assert isinstance(fault, MalformedFrame) and fault.peer == BOB.public


@pytest.mark.parametrize("role", [Role.STRANGER, Role.GUEST])
async def test_m8_a_short_frame_of_many_items_ends_the_link(role: Role) -> None:
    async with called_by(role) as (mine, theirs):
        await theirs.send([[]] * ALLOWANCES[role].items)
        assert isinstance(await fault_of(mine), MalformedFrame)


@pytest.mark.parametrize("role", CUT_OFF)
async def test_whoever_is_no_member_and_pings_without_end_loses_the_link(role: Role) -> None:
    async with called_by(role) as (mine, theirs):
        with suppress(trio.BrokenResourceError):
            for _ in range(10 * ALLOWANCES[role].frames_burst):
                await theirs.send(0)
        fault = await fault_of(mine)
    assert isinstance(fault, Flooding) and role.value in str(fault)


@pytest.mark.parametrize("role", [Role.STRANGER, Role.GUEST])
async def test_whoever_is_no_member_and_sends_few_frames_that_are_long_loses_the_link(
    role: Role,
) -> None:
    """A spectator has no long ones: see `test_limits.py`."""
    may = ALLOWANCES[role]
    async with called_by(role) as (mine, theirs):
        count = may.bytes_burst // may.frame_bytes + 1
        assert count < may.frames_burst, "it is for their bytes"
        with suppress(trio.BrokenResourceError):
            for _ in range(count):
                await theirs.send(bytes(may.frame_bytes - 3))
        fault = await fault_of(mine)
    assert isinstance(fault, Flooding) and role.value in str(fault)


async def test_a_member_that_sends_more_bytes_than_it_may_waits(autojump_clock: MockClock) -> None:
    may, size = ALLOWANCES[Role.MEMBER], LOOP_BYTES_MAX - 3  # No thread, of which no clock knows.
    count = 2 * may.bytes_burst // size
    async with called_by(Role.MEMBER) as (mine, theirs):
        began = trio.current_time()
        async with trio.open_nursery() as nursery:

            async def send_all() -> None:
                for _ in range(count):
                    await theirs.send(bytes(size))
                    await theirs.drain()

            nursery.start_soon(send_all)
            sizes = [len(cast("bytes", await mine.receive())) for _ in range(count)]
            assert sizes == [size] * count
        lacking = count * size - may.bytes_burst
        assert trio.current_time() - began >= lacking / may.bytes_per_s - 1


async def test_a_member_that_sends_more_than_it_may_waits_and_loses_nothing(
    autojump_clock: MockClock,
) -> None:
    count = 3 * ALLOWANCES[Role.MEMBER].frames_burst
    async with called_by(Role.MEMBER) as (mine, theirs):
        began = trio.current_time()
        async with trio.open_nursery() as nursery:

            async def send_all() -> None:
                for number in range(count):
                    await theirs.send([number])
                    await theirs.drain()

            nursery.start_soon(send_all)
            assert [await mine.receive() for _ in range(count)] == [[n] for n in range(count)]
        lacking = count - ALLOWANCES[Role.MEMBER].frames_burst
        assert trio.current_time() - began >= lacking / ALLOWANCES[Role.MEMBER].frames_per_s - 1


async def test_a_long_frame_of_a_member_is_decoded_beside_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[threading.Thread] = []

    def noting(raw: bytes, items_max: int) -> object:
        threads.append(threading.current_thread())
        return decode(raw, items_max)

    monkeypatch.setattr(links, "decode", noting)
    async with called_by(Role.MEMBER) as (mine, theirs):
        said: list[object] = [bytes(LOOP_BYTES_MAX - 3), bytes(LOOP_BYTES_MAX + 1), "short"]
        for each in said:
            await theirs.send(each)
        assert [await mine.receive() for _ in said] == said, "and the order stays"
    here = threading.current_thread()
    assert [thread is here for thread in threads] == [True, False, True]


@pytest.mark.parametrize("role", CUT_OFF)
async def test_what_waits_for_whoever_reads_nothing_is_bounded_by_its_role(role: Role) -> None:
    link = deaf(role)
    size = min(1 << 14, ALLOWANCES[role].sent_bytes // 4)
    posted = 0
    with suppress(trio.BrokenResourceError):
        while posted <= 2 * ALLOWANCES[role].sent_bytes:
            link.post(frame(encode(bytes(size))))
            posted += size
    assert posted <= ALLOWANCES[role].sent_bytes
    assert isinstance(link.fault, Flooding)


class Deaf(trio.abc.Stream):
    """A connection whose other end is there and takes nothing in."""

    async def send_all(self, _: bytes | bytearray | memoryview) -> None:
        """For ever."""
        await trio.sleep_forever()

    async def wait_send_all_might_not_block(self) -> None:
        """Nobody asks."""

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """A ping now and then: it is not silent."""
        await trio.sleep(5)
        return frame(encode(0))

    async def aclose(self) -> None:
        """Nothing is open."""
        await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("role", CUT_OFF)
async def test_what_waits_for_somebody_who_reads_nothing_of_a_socket_ends_its_link(
    role: Role,
) -> None:
    """The system takes some in; then the queue grows, and then it ends."""
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        tcp = await trio.open_tcp_stream(*at(listener))
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
        stream = trio.SSLStream(tcp, dialling_context())
        await meet_listener(stream, (BOB, "Bob"))  # And from here on it reads nothing.
        mine = await anext(listener)
        mine.become(role)
        with trio.fail_after(HANGS_S), suppress(trio.BrokenResourceError):
            while True:
                await mine.send(bytes(1 << 15))
        assert isinstance(mine.fault, Flooding) and "take in" in str(mine.fault)
        await trio.aclose_forcefully(stream)


@pytest.mark.parametrize("role", CUT_OFF)
async def test_who_pings_and_takes_nothing_in_is_let_go_of(
    role: Role, autojump_clock: MockClock
) -> None:
    link = deaf(role)
    began = trio.current_time()
    await link.run()
    assert isinstance(link.fault, Flooding) and "take in" in str(link.fault)
    assert STALLED_S_MAX <= trio.current_time() - began < 2 * STALLED_S_MAX


def deaf(role: Role) -> Link:
    """A link to somebody who takes nothing in."""
    proven = Proven(BOB.public, "Bob", FrameReader(), bytes(32))
    link = Link(cast(Stream, Deaf()), proven, (HOST, 4000))
    link.become(role)
    return link


async def test_a_link_can_be_drained_and_says_when_it_has_ended() -> None:
    async with called_by(Role.SPECTATOR) as (mine, theirs):
        for _ in range(4):
            for _ in range(4):
                mine.post(frame(encode(bytes(SHOWN_BYTES // 4))))
            await mine.drain()
            assert [len(str(await theirs.receive())) > 0 for _ in range(4)] == [True] * 4
        theirs.give_up()
        assert await fault_of(mine) is None
        with pytest.raises(BROKEN):
            await mine.drain()
