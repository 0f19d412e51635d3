"""Tables without a network: what an actor says there is kept, and nobody hears it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from pathlib import Path
from typing import cast

from p2p.base.errors import PeerError
from p2p.log.game_file import GameFile
from p2p.log.membership.log import Log
from p2p.log.membership.messages import Change
from p2p.log.notes import InForceNote
from p2p.log.replica import Replica
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Link
from p2p.session.catching_up import CatchingUp
from p2p.session.failure_detector import Actors, FailureDetector
from p2p.session.instances import Instances
from p2p.session.membership import Membership, MembershipHooks
from p2p.session.membership_inbox import MembershipInbox
from p2p.session.news import News
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable


class NoFile:
    """In the place of a game file: whatever is written is there at once."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self.accused: list[int] = []  # Whom the evidence in the file is about.
        self.changes: list[InForceNote] = []  # By whom changes of members are in force.
        self.path = Path("game.hostless")

    @property
    def count(self) -> int:
        """How many entries it has: all."""
        return self._replica.height

    def sync(self) -> None:
        """There is nothing to wait for."""

    def cut(self, count: int) -> None:
        """The log is shorter, and so is the file."""

    def keep_evidence(self, seat: int, sentence: str, raws: list[bytes]) -> None:
        """Note whom it is about."""
        assert sentence and raws, "evidence says something"
        self.accused.append(seat)


class QuietTable(RunningTable):
    """A running game that keeps what is to be sent; `meanwhile` happens at each sending."""

    def __init__(
        self, replica: Replica, links: Collection[int] = (), secrets: SecretsFile | None = None
    ) -> None:
        self.news: list[News] = []
        self.no_file = NoFile(replica)
        super().__init__(replica, cast("GameFile", self.no_file), secrets, self.news.append)
        self.sent: list[tuple[int, list[object]]] = []
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.link(links)

    def link(self, seats: Collection[int]) -> None:
        """These seats are linked from now on, and no others."""
        self.links.clear()
        self.links.update(dict.fromkeys(seats, cast("Link", None)))

    async def broadcast(self, message: list[object]) -> None:
        for seat in sorted(self.links):
            await self.send(seat, message)

    def keep_acks(self, signed: dict[int, bytes]) -> None:
        assert signed, "somebody has acknowledged it"

    def note_in_force(self, note: InForceNote) -> None:
        self.game_file.changes.append(note)

    async def send(self, seat: int, message: list[object]) -> None:
        self.sent.append((seat, message))
        if self.meanwhile is not None:
            await self.meanwhile()

    def said(self, kind: str) -> list[list[object]]:
        """All messages of a kind, whoever was to hear them."""
        return [message for _, message in self.sent if message[0] == kind]


class Followed:
    """What follows from what a member does, in these tests: it is kept."""

    def __init__(self) -> None:
        self.cuts = 0
        self.accused: list[PeerError] = []
        self.changed: list[Change] = []

    def hooks(self, catching_up: CatchingUp) -> MembershipHooks:
        """The same, as a member calls it."""

        async def vouched(log: Log) -> Iterable[int]:
            return catching_up.vouched(log)

        return MembershipHooks(self._note_cut, self.accused.append, self.changed.append, vouched)

    def _note_cut(self) -> None:
        self.cuts += 1


def membership_at(table: RunningTable, followed: Followed | None = None) -> Membership:
    """The member that a machine at a quiet table is."""
    membership = Membership(table, (followed or Followed()).hooks(CatchingUp(table)))
    membership.begin()
    return membership


def actors_at(table: RunningTable) -> Actors:
    """The actors that a change of membership needs."""
    relaying, catching_up = Relaying(table), CatchingUp(table)
    instances = Instances(table, relaying.places, catching_up)
    membership = Membership(table, Followed().hooks(catching_up))
    membership.begin()
    return Actors(relaying, membership, catching_up, instances)


def membership_inbox_at(
    table: RunningTable, heard: Callable[[int], object]
) -> tuple[MembershipInbox, Relaying]:
    """What this table hears of members; `heard` is called with whoever has said something new."""
    actors = actors_at(table)
    return MembershipInbox(table, actors, heard, lambda: True), actors.relaying


def failure_detector_at(table: RunningTable) -> tuple[FailureDetector, Relaying]:
    """Who is silent as this table sees it, and who tells it what neighbours reach."""
    actors = actors_at(table)
    return FailureDetector(table, actors), actors.relaying
