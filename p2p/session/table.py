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
from p2p.log.acks import ack_of
from p2p.log.ledger import Ledger, SecretsFile
from p2p.log.membership.log import Log
from p2p.log.membership.messages import Ack, message_of, sign_as
from p2p.log.replica import Replica
from p2p.net.link import Link, post_to_all
from p2p.session.news import News, Notice

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
        self._kept_acks = b""  # The head for which the file last shows who has acknowledged it.
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

    async def acknowledge(self, seat: int | None = None) -> None:
        """Say that I have this log, to one or all; it is on disk before.

        What I acknowledge binds me: after a crash I must not acknowledge anything else in its
        place.  While some of the log is not in the file, nothing is said: it will be, when it is.
        """
        replica = self.replica
        if self.ledger.count < replica.height or not replica.height:
            return
        self.ledger.sync()
        self.keep_acks()
        message = message_of(signed_ack(replica, replica.tip))
        if seat is None:
            await self.broadcast(message)
        else:
            await self.send(seat, message)

    def refuse_choice(self, text: str) -> None:
        """Let the person here choose once more."""
        self.publish(Notice(text, "choose once more", is_news=True, asks_again=True))

    def keep_acks(self) -> None:
        """Write into the file by what all have acknowledged the log, once they have.

        From there on it is never taken back: whoever goes on from below it, in another file, has
        signed both.
        """
        replica, height = self.replica, self.replica.height
        if not height or replica.head == self._kept_acks or not replica.is_agreed():
            return
        if (self.ledger.count, self.ledger.last) != (height, replica.log[-1].raw):
            return
        honest = [seat for seat in replica.others if seat not in replica.guilty]
        acks = replica.acks.at(height)
        if replica.is_seated and honest and all(acks[seat].signature for seat in honest):
            mine = signed_ack(replica, replica.tip)
            signed = {ack.seat: ack.signature for ack in [mine, *map(acks.__getitem__, honest)]}
            self.ledger.acknowledge([signed.get(seat) for seat in replica.seats])
            self._kept_acks = replica.head

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


def signed_ack(replica: Replica, log: Log) -> Ack:
    """The word of my seat that it has this log."""
    assert replica.identity is not None and replica.me is not None, "whoever has a seat says so"
    return sign_as(replica.identity, replica.game_id, ack_of(log, replica.me))
