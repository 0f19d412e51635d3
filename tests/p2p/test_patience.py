"""Patience at one machine: what others say about a silent seat while I am busy, or early."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

import pytest

from core.games import GAMES
from p2p.cards.group import scalar_to_bytes
from p2p.dropout.keyring import Keyring
from p2p.dropout.patience import Patience
from p2p.ledger import FileVault, Ledger
from p2p.relaying import Relaying
from p2p.replica import Replica
from tests.p2p.beads import Beads
from tests.p2p.test_absence import Table, kind_is, word


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", Beads())


class Session:
    """A running game that keeps what it is asked to send; `meanwhile` happens at each sending."""

    def __init__(self, replica: Replica) -> None:
        self.replica, self.links = replica, set[int]()
        self.ledger, self.vault = cast("Ledger", None), cast("FileVault | None", None)
        self.relaying = Relaying(self)
        self.sent: list[tuple[int, list[object]]] = []
        self.meanwhile: Callable[[], Awaitable[None]] | None = None

    def wake(self) -> None:
        """Nobody sleeps here."""

    async def broadcast(self, message: list[object]) -> None:
        for seat in self.replica.others:
            await self.send(seat, message)

    async def send(self, seat: int, message: list[object]) -> None:
        self.sent.append((seat, message))
        if self.meanwhile is not None:
            await self.meanwhile()

    async def catch_up(self, seat: int, height: int) -> None:
        raise AssertionError("nobody is behind in these tests")


def part_of(table: Table, holder: int, gone: int) -> bytes:
    """A holder's part of a key."""
    return scalar_to_bytes(table.replicas[holder].play.escrow.part_of(gone))


async def test_a_part_of_a_second_key_may_arrive_while_those_of_the_first_are_said_again() -> None:
    table = Table(4)
    table.run(kind_is("choose"))
    session = Session(table.replicas[0])
    keys = Keyring(session)
    for gone in (2, 3):
        others = [seat for seat in range(4) if seat != gone]
        assert await keys.gather(gone, others, me=0) is None, "the parts of others are missing"

    async def hear_of_another() -> None:
        keys.hear_part(2, 1, part_of(table, 2, 1))

    session.sent.clear()
    session.meanwhile = hear_of_another
    await keys.repeat(me=0)
    assert {message[2] for _, message in session.sent} == {2, 3}
    assert not keys.hear_part(2, 1, part_of(table, 2, 1)), "it is no news any more"


async def test_whoever_comes_late_to_a_step_is_told_again_who_is_gone() -> None:
    """My word was void for a seat that had not closed the step before; its own says it is here."""
    table = Table(3)
    table.run(kind_is("choose"))
    session = Session(table.replicas[0])
    patience = Patience(session, lambda _: None)
    mine, theirs = word(table.replicas[0], 1), word(table.replicas[2], 1)
    height = session.replica.position.height
    session.replica.absence.hear(mine)
    for _ in range(2):
        await patience.hear(2, theirs.plain(height))
    assert session.sent == [(2, mine.plain(height))], "once, or it would never end"


async def test_whoever_has_given_no_word_answers_none() -> None:
    table = Table(3)
    table.run(kind_is("choose"))
    session = Session(table.replicas[0])
    theirs = word(table.replicas[2], 1)
    await Patience(session, lambda _: None).hear(2, theirs.plain(session.replica.position.height))
    assert session.sent == []
