"""What a front end holds of its node: one method, and news that arrive by themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias

import trio

from p2p.news import Command, News

COMMANDS_MAX: Final = 64  # Commands a person can be ahead of the node.

Publish: TypeAlias = Callable[[News], object]
Node: TypeAlias = Callable[[trio.MemoryReceiveChannel[Command], Publish], Awaitable[None]]


class Port(Protocol):
    """The way from a front end to its node."""

    def send(self, command: Command) -> None:
        """Ask for something.  Never waits; a node that is too busy makes a notice appear."""
        ...
