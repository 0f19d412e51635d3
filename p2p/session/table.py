"""What the actors of one running game share: its state, its files, its links, and who is told what.

A session makes one table and hands it to every actor around it.  An actor knows the table and, by
name, the few other actors that it needs; it never knows the session.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

import trio

from p2p.base.limits import INBOX_MESSAGES_MAX
from p2p.log.ledger import Ledger, SecretsFile
from p2p.log.replica import Replica
from p2p.net.link import Link, post_to_all
from p2p.session.news import News

Inbox: TypeAlias = trio.MemorySendChannel[tuple[object, list[object]]]
Publish: TypeAlias = Callable[[News], object]


class RunningTable:
    """One running game, as one machine has it."""

    def __init__(
        self, replica: Replica, ledger: Ledger, secrets: SecretsFile | None, publish: Publish
    ) -> None:
        """`publish` tells the screen; without `secrets` nothing is signed here."""
        self.replica, self.ledger, self.secrets = replica, ledger, secrets
        self.publish = publish
        self.links: dict[int, Link] = {}  # By seat: who is linked now.
        self.stopped: set[int] = set()  # Seats that have stopped the table, as they say.
        self.inbox: Inbox
        self.inbox, self.messages = trio.open_memory_channel[tuple[object, list[object]]](
            INBOX_MESSAGES_MAX
        )

    async def broadcast(self, message: list[object]) -> None:
        """Tell every seat that is linked."""
        post_to_all(self.links.values(), message)

    async def send(self, seat: int, message: list[object]) -> None:
        """Tell a seat, if it is linked."""
        link = self.links.get(seat)
        if link is not None:
            with suppress(trio.ClosedResourceError, trio.BrokenResourceError):
                await link.send(message)

    def wake(self) -> None:
        """Let the session look again at what is due."""
        # A full inbox wakes by itself; a closed one sleeps for good.
        with suppress(trio.WouldBlock, trio.BrokenResourceError):
            self.inbox.send_nowait((None, ["wake"]))

    def close(self) -> None:
        """Let go of the files; links may stand for a moment longer."""
        self.ledger.close()
        secrets, self.secrets = self.secrets, None
        if secrets is not None:
            secrets.close()
