"""Asking a worker process, and asking once more where it has died before it answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import trio
from trio_parallel import BrokenWorkerError  # type: ignore[import-untyped]

from core.errors import HostlessError

_TRIES: Final = 5  # In a row; then it is not by chance that it dies.
_PAUSE_FIRST_S: Final = 0.1
_log: Final = logging.getLogger("hostless.bots")
T = TypeVar("T")


async def with_retries(ask: Callable[[], Awaitable[T]]) -> T:
    """What a worker answers, whichever it is: a decision is the same in every one.

    Raises:
        HostlessError: one worker after the other has died.
    """
    pause_s = _PAUSE_FIRST_S
    for tries_left in reversed(range(_TRIES)):
        try:
            return await ask()
        except BrokenWorkerError as error:
            _log.warning("a process that thought for a bot has died: %s", error)
            if not tries_left:
                raise HostlessError(
                    f"the process that thinks for bots has died {_TRIES} times in a row",
                    "resume the game when this machine has more memory to spare",
                ) from error
        await trio.sleep(pause_s)
        pause_s *= 2
    raise AssertionError("the last try answers or raises")
