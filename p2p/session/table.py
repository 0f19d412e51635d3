"""What the actors of one running game share: its state, its files, its links, and who is told what.

A session makes one table and hands it to every actor around it.  An actor knows the table and, by
name, the few other actors that it needs; it never knows the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, TypeAlias

import trio

from p2p.base.limits import INBOX_MESSAGES_MAX
from p2p.log.game_file import GameFile
from p2p.log.membership.messages import verifier_of
from p2p.log.notes import InForceNote
from p2p.log.objection import Objection
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import SEND_ERRORS, Link, post_to_all
from p2p.session.news import News, Notice

RESULT_S: Final = 5.0  # For the last signatures under a result: a loser may keep its own back.
Inbox: TypeAlias = trio.MemorySendChannel[tuple[object, list[object]]]
Publish: TypeAlias = Callable[[News], object]


class RunningTable:
    """One running game, as one machine has it."""

    def __init__(
        self, replica: Replica, game_file: GameFile, secrets: SecretsFile | None, publish: Publish
    ) -> None:
        """`publish` tells the screen; without `secrets` nothing is signed here."""
        self.replica, self.game_file, self.secrets = replica, game_file, secrets
        self.publish = publish
        self.links: dict[int, Link] = {}  # By seat: who is linked now.
        self._greeted: dict[int, Link | None] = {}  # By seat: on which link, last.
        identities = [seat.identity for seat in replica.roster.seats]
        self.verify = verifier_of(identities, replica.game_id)
        self.stopped: set[int] = set()  # Seats that have stopped the table, as they say.
        self._has_result = trio.Event()  # Of all seats, in the file, and mine is on its way.
        self.inbox: Inbox
        self.inbox, self.messages = trio.open_memory_channel[tuple[object, list[object]]](
            INBOX_MESSAGES_MAX
        )

    @property
    def is_resumed(self) -> bool:
        """Whether I play on from files that were here before this program began."""
        return self.secrets is not None and self.secrets.is_old

    async def broadcast(self, message: list[object]) -> None:
        """Tell every seat that is linked."""
        post_to_all(self.links.values(), message)

    async def send(self, seat: int, message: list[object]) -> None:
        """Tell a seat, if it is linked."""
        link = self.links.get(seat)
        if link is not None:
            with suppress(*SEND_ERRORS):
                await link.send(message)

    async def send_all(self, seat: int, messages: Iterable[list[object]]) -> None:
        """Tell a seat one after the other, if it is linked."""
        for message in messages:
            await self.send(seat, message)

    async def greet(self, seat: int, link: Link | None) -> None:
        """Say where I am to a seat that has heard all else by this link, and now its own entries.

        It may have lost them, and signs others once all have said where they are.
        """
        entries = [entry.raw for entry in self.replica.entries.waiting.of(seat)]
        await self.send_all(seat, [["entry", raw] for raw in entries])
        if self.links.get(seat) is link:  # A newer one has not heard all that.
            self._greeted[seat] = link
            await self.send(seat, self.have())

    async def say_where_i_am(self) -> None:
        """Tell every seat that has been greeted; it sends what I lack."""
        for seat, link in list(self.links.items()):
            if self._greeted.get(seat) is link:
                await self.send(seat, self.have())

    def have(self) -> list[object]:
        """How much of the log is here, and up to which height I know that all have it."""
        return ["have", self.replica.height, self.replica.committed]

    def refuse_choice(self, text: str) -> None:
        """Let the person here choose once more."""
        self.publish(Notice(text, "choose once more", is_news=True, asks_again=True))

    def write_down(self) -> None:
        """Write into the file what the log has come to."""
        for entry in self.replica.log[self.game_file.count :]:
            self.game_file.append(entry.raw)

    def tell_said(self) -> None:
        """All that I had to say has been said: under a result, that is my own signature too.

        Whoever got up as soon as the log had the result left before that signature was sent.
        """
        if self.replica.play.is_signed:
            self._has_result.set()

    async def wait_for_result(self) -> None:
        """Wait a moment for the result, where all is played and somebody here wants to get up.

        The others have the whole log then and go home, so nobody could give me the rest later.
        """
        if self.links and self.replica.view().is_over:  # Nobody else could bring it.
            with trio.move_on_after(RESULT_S):
                await self._has_result.wait()

    def keep_acks(self, signed: dict[int, bytes]) -> None:
        """Write into the file by whose signatures all have acknowledged the log.

        From there on it is never taken back: whoever goes on from below it, in another file, has
        signed both.
        """
        self.write_down()
        if self.replica.height and self.replica.is_seated:
            self.game_file.acknowledge([signed.get(seat) for seat in self.replica.seats])

    def object(self, objection: Objection) -> None:
        """Write into my file that I was let go while I ran, behind the change by which I was."""
        self.write_down()
        self.game_file.object(objection)

    def note_in_force(self, note: InForceNote) -> None:
        """Write into the file by whom a change of members is in force."""
        self.write_down()
        self.game_file.note_in_force(note)

    def wake(self) -> None:
        """Let the session look again at what is due."""
        # A full inbox wakes by itself; a closed one sleeps for good.
        with suppress(trio.WouldBlock, trio.BrokenResourceError):
            self.inbox.send_nowait((None, ["wake"]))

    def close(self) -> None:
        """Let go of the files; links may stand for a moment longer."""
        self.game_file.close()
        secrets, self.secrets = self.secrets, None
        if secrets is not None:
            secrets.close()
