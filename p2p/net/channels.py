"""What comes together through a channel is heard together, and answered once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TypeVar

import trio

T = TypeVar("T")


async def put(channel: trio.MemorySendChannel[T], value: T) -> None:
    """Send, and give way to other tasks only where there is no room."""
    try:
        channel.send_nowait(value)
    except trio.WouldBlock:
        await channel.send(value)


def waiting(channel: trio.MemoryReceiveChannel[T]) -> Iterator[T]:
    """What is there to be received by now."""
    with suppress(trio.WouldBlock):
        while True:
            yield channel.receive_nowait()
