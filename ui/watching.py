"""Looking on: a node without a seat, who hears the log of a table and checks all of it.

It holds no secret and is shown none: the picture is the public one, verified entry by entry.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

import trio

from p2p.discovery import TableAd, browsing, parse_address
from p2p.errors import HostlessError, PeerError
from p2p.fairness import Fairness
from p2p.identity import words
from p2p.news import Command, Leave, Notice, SeatState, TableChanged
from p2p.replica import Replica
from p2p.roster import Roster, parse_roster
from ui.port import Publish

FIND_TABLE_S: Final = 6.0  # How long a table is looked for before we say that it is not there.


class Wire(Protocol):
    """What a watcher needs of a link."""

    async def send(self, value: object) -> None:
        """Put a message on its way."""

    async def receive(self) -> object:
        """The next message."""

    async def aclose(self) -> None:
        """Hang up."""


Dial: TypeAlias = Callable[[], Awaitable[Wire]]


class Watcher:
    """A node that looks on at one table until it ends or the person has seen enough."""

    def __init__(self, publish: Publish, dial: Dial) -> None:
        self.failure: Exception | None = None
        self._publish, self._dial = publish, dial
        self._scope, self._done = trio.CancelScope(), trio.Event()

    def serve_in(self, nursery: trio.Nursery) -> None:
        """Begin to look on."""
        nursery.start_soon(self._watch)

    async def obey(self, command: Command) -> None:
        """Whoever looks on can only stop."""
        if isinstance(command, Leave):
            self._scope.cancel()
            await self._done.wait()

    async def idle(self) -> None:
        """Wait until there is nothing more to see."""
        await self._done.wait()

    async def run(self, commands: trio.MemoryReceiveChannel[Command]) -> None:
        """Look on until the channel closes."""
        async with trio.open_nursery() as nursery:
            self.serve_in(nursery)
            async for command in commands:
                await self.obey(command)
            nursery.cancel_scope.cancel()

    async def _watch(self) -> None:
        try:
            with self._scope:
                link = await self._dial()
                try:
                    await self._follow(link)
                finally:
                    with trio.CancelScope(shield=True):
                        await link.aclose()
        except (HostlessError, PeerError) as error:
            self.failure = error
            self._publish(Notice(str(error), getattr(error, "hint", "")))
        finally:
            self._done.set()

    async def _follow(self, link: Wire) -> None:
        await link.send(["watch"])
        replica: Replica | None = None
        try:
            while replica is None or not replica.is_over:
                match await link.receive():
                    case ["roster", value, _]:
                        replica = Replica(parse_roster(value))
                    case ["entry", bytes(raw)] if replica is not None:
                        await self._hear(replica, raw)
                    case ["refused", str(reason)]:
                        raise HostlessError(reason)
        except (trio.EndOfChannel, trio.ClosedResourceError, trio.BrokenResourceError) as error:
            why = "no game is played there yet" if replica is None else "the table has closed"
            raise HostlessError(why) from error

    async def _hear(self, replica: Replica, raw: bytes) -> None:
        """One entry of the log; its proofs are verified beside the loop."""
        replica.receive(raw)
        while await trio.to_thread.run_sync(replica.advance):
            pass
        while replica.obligations:
            obligation = replica.obligations.pop(0)
            await trio.to_thread.run_sync(replica.settle_obligation, *obligation)
        self._publish(picture_of(replica))


def picture_of(replica: Replica) -> TableChanged:
    """What somebody without a seat sees."""
    dealing = replica.play.dealing
    counted = dealing.fairness if dealing is not None else Fairness()
    return TableChanged(
        entry=len(replica.play.events),
        view=replica.view(),
        seats=watched_seats(replica.roster),
        lines=tuple(replica.play.narrator.lines),
        fairness=replace(counted, entries=len(replica.log)),
        doing=replica.step.kind if replica.step is not None else "",
        is_finished=replica.is_over,
    )


def watched_seats(roster: Roster) -> tuple[SeatState, ...]:
    """Who sits there; how their links are is not for onlookers to know."""
    names = {seat.identity: seat.name for seat in roster.seats}
    return tuple(
        SeatState(seat.name, words(seat.identity), "up", seat.is_bot, names.get(seat.sponsor, ""))
        for seat in roster.seats
    )


async def find_game_in_progress(target: str) -> tuple[tuple[str, int], bytes | None]:
    """Where a table is, by id, name or HOST:PORT (empty: any), and who must answer there.

    Raises:
        HostlessError: no such table was seen in time, or the address is none.
    """
    if ":" in target:
        return parse_address(target), None
    with trio.move_on_after(FIND_TABLE_S):
        table = await _sighted(target)
        return (table.host, table.port), table.opener
    what = f"no table called {target[:40]!r}" if target else "no table"
    raise HostlessError(f"{what} was seen on this network; try watch HOST:PORT")


async def _sighted(target: str) -> TableAd:
    async with browsing() as sightings:
        async for tables in sightings:
            found = [ad for ad in tables if target in ("", ad.table_id, ad.name)]
            if found:
                return found[0]
    raise HostlessError("this machine has stopped listening for tables")
