"""Trio as a guest in the screen's own loop: one thread, so no locks and no data races.

    screen -> node    `GuestEngine.send`, a plain call that never waits
    node -> screen    `publish`, a plain call that never waits

Rules for whoever writes a node: nothing that takes 5 ms runs on the loop (proofs go to threads,
search to a worker process); trio must be allowed to finish, so leaving the block waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import outcome
import trio

from ui.port import COMMANDS_MAX, PublishNews, RunAdvisedNode, UiCommand


class GuestEngine:
    """A node that runs inside this loop.  It is a `Port`."""

    def __init__(self, on_busy: Callable[[], object]) -> None:
        self._uplink, self._commands = trio.open_memory_channel[UiCommand](COMMANDS_MAX)
        self._on_busy = on_busy
        self._scope = trio.CancelScope()

    def send(self, command: UiCommand) -> None:
        """Hand a command to the node; when its queue is full, say so and drop the command."""
        try:
            self._uplink.send_nowait(command)
        except trio.WouldBlock:
            self._on_busy()
        except trio.BrokenResourceError:
            pass  # The node has ended; its last words are on their way to the screen.

    def stop(self) -> None:
        """Let the node say goodbye and end."""
        self._scope.cancel()

    async def run(self, node: RunAdvisedNode, publish: PublishNews) -> None:
        """The life of the node."""
        with self._scope, self._commands:
            await node(self._commands, publish)


@asynccontextmanager
async def guest_engine(
    node: RunAdvisedNode,
    publish: PublishNews,
    on_crash: Callable[[BaseException], object],
    on_busy: Callable[[], object],
    clock: trio.abc.Clock | None = None,
) -> AsyncIterator[GuestEngine]:
    """Run `node` on trio inside this asyncio loop until the block ends."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    engine = GuestEngine(on_busy)

    def finished(result: outcome.Outcome[None]) -> None:
        if isinstance(result, outcome.Error):
            on_crash(result.error)
        done.set_result(None)

    trio.lowlevel.start_guest_run(
        engine.run,
        node,
        publish,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=finished,
        host_uses_signal_set_wakeup_fd=True,
        restrict_keyboard_interrupt_to_checkpoints=True,
        clock=clock,
    )
    try:
        yield engine
    finally:
        engine.stop()
        while not done.done():  # Trio must finish, even while asyncio is being cancelled.
            try:
                await asyncio.shield(done)
            except asyncio.CancelledError:
                continue
