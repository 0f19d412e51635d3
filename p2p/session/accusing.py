"""What is done when somebody has cheated: the evidence is kept, and whoever can be reached is told.

Whoever names a seat does not go home at once.  Another seat may be out of reach just then; it
would be told nothing, and would wait for us.  So we stay until all others have stopped as well, at
most for a while, and give the log and the evidence to everybody who is linked, or links anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterator, Sequence
from typing import Final

import trio

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.log.membership.evidence import parse_statement
from p2p.log.membership.log import EntryRef
from p2p.log.membership.messages import REASON_CONVICTED, Change, message_of
from p2p.log.membership_change import may_change
from p2p.log.notes import Evidence
from p2p.log.replica import Replica
from p2p.session.catching_up import CatchingUp
from p2p.session.relaying import Relaying
from p2p.session.table import RunningTable

WARNS_S: Final = 30.0  # For seats that are out of reach; a link that broke is found dead after 10.


def restore_guilty(evidence: Sequence[Evidence], replica: Replica) -> None:
    """Name again who has cheated, as the game file says, when a game goes on.

    Raises:
        HostlessError: it cannot, because nobody can play for a seat that has.
    """
    for each in evidence:
        change, terms = Change(each.seat, REASON_CONVICTED), replica.roster.replacement
        is_replaced = terms is not None and may_change(replica.play, change)
        if each.seat not in replica.open_seats and not is_replaced:
            raise HostlessError(f"this game was stopped: {each.sentence}")
        error = PeerError(replica.roster.seats[each.seat].identity, each.sentence)
        error.seat, error.evidence = each.seat, each.raws
        replica.guilty[each.seat] = error


class Accusation:
    """What one seat has done, as we tell the others."""

    def __init__(
        self, table: RunningTable, relaying: Relaying, catching_up: CatchingUp, error: PeerError
    ) -> None:
        self._table, self._error = table, error
        self._relaying, self._catching_up = relaying, catching_up

    async def tell(self) -> None:
        """Give what shows it to everybody who is there."""
        table = self._table
        for raw in table.replica.entries.lately():
            await table.broadcast(["entry", raw])
        for message in self._messages():
            await table.broadcast(message)
        await table.broadcast(table.have())

    def _messages(self) -> Iterator[list[object]]:
        raws = self._error.evidence
        for raw in raws:
            match parse_statement(raw):
                case EntryRef():
                    yield ["entry", raw]
                case said:
                    yield message_of(said)
        yield from self._relaying.newest_of(self._error.seat)  # It may be all that is wrong.

    async def halt(self) -> None:
        """Keep the evidence, and tell everybody that the table halts here."""
        seat = self._error.seat
        if seat is not None and self._table.replica.guilty.get(seat) is not self._error:
            self._table.game_file.keep_evidence(seat, str(self._error), self._error.evidence)
        await self.tell()
        await self._table.broadcast(["stopped"])

    async def stay(self, messages: AsyncIterable[tuple[object, list[object]]]) -> None:
        """Tell those who come later, until all others have stopped too or it takes too long."""
        with trio.move_on_after(WARNS_S):
            if not self._missing():
                return
            async for _, message in messages:
                await self._answer(message)
                if not self._missing():
                    return

    def _missing(self) -> set[int]:
        return set(self._table.replica.others) - self._table.stopped - {self._error.seat}

    async def _answer(self, message: list[object]) -> None:
        match message:
            case [int(seat), ["have", int(height), int()]]:
                await self._tell(seat, height)
            case ["linked", int(seat)]:
                await self._tell(seat, self._table.replica.height)
            case [int(seat), ["stopped"]]:
                self._table.stopped.add(seat)

    async def _tell(self, seat: int, height: int) -> None:
        await self._catching_up.serve(seat, height)
        for message in self._messages():
            await self._table.send(seat, message)
        await self._table.send(seat, ["stopped"])
