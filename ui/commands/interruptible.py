"""Running trio so that Ctrl-C ends it in order."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

T = TypeVar("T")


def run_interruptibly(work: Callable[..., Awaitable[T]], *args: object) -> T:
    """`trio.run`, where the first Ctrl-C cancels the work instead of raising wherever it is.

    An exception between any two steps could come in a finalizer, which swallows it, or while a
    library holds a lock.  The second Ctrl-C is Python's own, should the first take too long.

    Raises:
        KeyboardInterrupt: it was interrupted, and everything has been put away.
    """
    results: list[T] = []

    async def wait_for_signal(
        scope: trio.CancelScope, *, task_status: trio.TaskStatus[None]
    ) -> None:
        with trio.open_signal_receiver(signal.SIGINT) as signals:
            task_status.started()
            await anext(aiter(signals))
        scope.cancel()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(wait_for_signal, nursery.cancel_scope)
            results.append(await work(*args))
            nursery.cancel_scope.cancel()

    trio.run(main)
    if not results:
        raise KeyboardInterrupt
    return results[0]
