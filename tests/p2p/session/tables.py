"""Tables without a network: what an actor says there is kept, and nobody hears it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import cast

from p2p.log.ledger import Ledger, SecretsFile
from p2p.log.replica import Replica
from p2p.net.link import Link
from p2p.session.catching_up import CatchingUp
from p2p.session.forks import Consequences, Forks
from p2p.session.instances import Instances
from p2p.session.membership import Actors, Membership
from p2p.session.news import News
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable
from tests.p2p.acknowledging import acknowledged


class QuietTable(RunningTable):
    """A running game that keeps what is to be sent; `meanwhile` happens at each sending."""

    def __init__(
        self, replica: Replica, links: Collection[int] = (), secrets: SecretsFile | None = None
    ) -> None:
        self.news: list[News] = []
        super().__init__(replica, cast("Ledger", None), secrets, self.news.append)
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

    async def acknowledge(self, seat: int | None = None) -> None:
        assert self.ledger is None, "there is no file here"
        said = acknowledged(self.replica, self.replica.height, self.replica.head)
        await (self.broadcast(said) if seat is None else self.send(seat, said))

    def keep_acks(self) -> None:
        assert self.ledger is None, "there is no file here"

    async def send(self, seat: int, message: list[object]) -> None:
        self.sent.append((seat, message))
        if self.meanwhile is not None:
            await self.meanwhile()


def nothing_follows() -> Consequences:
    """Nobody goes back in these tests."""

    async def denounce(seat: int) -> None:
        raise AssertionError(f"nobody goes back because of seat {seat} in these tests")

    return Consequences(lambda seat, past: True, denounce, lambda is_cheated: None)


def actors_at(table: RunningTable) -> Actors:
    """The actors that a change of membership needs."""
    relaying, catching_up = Relaying(table), CatchingUp(table)
    instances = Instances(table, relaying.places, catching_up)
    return Actors(relaying, Forks(table, nothing_follows()), catching_up, instances)


def membership_at(table: RunningTable) -> tuple[Membership, Relaying]:
    """The membership as this table sees it, and who tells it what neighbours reach."""
    actors = actors_at(table)
    return Membership(table, actors), actors.relaying
