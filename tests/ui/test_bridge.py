"""Trio as a guest: commands in, news out, and a goodbye whatever happens."""

from __future__ import annotations

import asyncio
import time

import pytest
import trio
import trio.testing

from p2p.session.commands import Browse, Command, Leave
from p2p.session.news import News, Notice
from tests.limits import HANGS_S
from tests.ui.fakes import ui
from ui.backend.bridge import guest_engine
from ui.port import COMMANDS_MAX, PublishNews


class Desk:
    """Collects what reaches the screen's side."""

    def __init__(self) -> None:
        self.news: list[News] = []
        self.crashes: list[BaseException] = []
        self.busy_count = 0

    def busy(self) -> None:
        self.busy_count += 1

    async def until(self, count: int) -> None:
        deadline = time.monotonic() + HANGS_S
        while len(self.news) < count:
            assert time.monotonic() < deadline, f"only {len(self.news)} news came"
            await asyncio.sleep(0.001)


async def echo(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
    try:
        async for command in commands:
            publish(Notice(type(command).__name__))
    finally:
        with trio.CancelScope(shield=True):
            await trio.sleep(0.01)
            publish(Notice("goodbye"))


@ui
async def test_commands_reach_the_node_and_news_come_back() -> None:
    desk = Desk()
    async with guest_engine(echo, desk.news.append, desk.crashes.append, desk.busy) as engine:
        engine.send(Browse())
        engine.send(Leave())
        await desk.until(2)
    assert desk.news == [Notice("Browse"), Notice("Leave"), Notice("goodbye")]


@ui
async def test_leaving_the_block_waits_for_the_goodbye_even_when_cancelled() -> None:
    desk = Desk()

    async def live() -> None:
        async with guest_engine(echo, desk.news.append, desk.crashes.append, desk.busy):
            await asyncio.sleep(60)

    task = asyncio.create_task(live())
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert desk.news == [Notice("goodbye")]


@ui
async def test_a_full_queue_says_busy_and_drops_the_command() -> None:
    async def deaf(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        await trio.sleep_forever()

    desk = Desk()
    async with guest_engine(deaf, desk.news.append, desk.crashes.append, desk.busy) as engine:
        for _ in range(COMMANDS_MAX + 3):
            engine.send(Browse())
    assert desk.busy_count == 3


@ui
async def test_a_crash_of_the_node_is_told_and_later_commands_go_nowhere() -> None:
    async def broken(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        raise RuntimeError("the network fell over")

    desk = Desk()
    async with guest_engine(broken, desk.news.append, desk.crashes.append, desk.busy) as engine:
        await asyncio.sleep(0.05)
        engine.send(Browse())
    assert "fell over" in repr(desk.crashes)


@ui
async def test_a_minute_of_the_network_passes_in_no_time() -> None:
    clock = trio.testing.MockClock()

    async def patient(commands: trio.MemoryReceiveChannel[Command], publish: PublishNews) -> None:
        await trio.sleep(60)
        publish(Notice("a minute later"))
        await trio.sleep_forever()

    desk = Desk()
    started = time.monotonic()
    async with guest_engine(patient, desk.news.append, desk.crashes.append, desk.busy, clock):
        await asyncio.sleep(0.02)
        assert desk.news == []
        # Through the token: jump() alone would not wake the thread that sleeps for trio.
        trio.lowlevel.current_trio_token().run_sync_soon(clock.jump, 60)
        await desk.until(1)
    assert time.monotonic() - started < 30, "half of that minute, on the busiest machine"
