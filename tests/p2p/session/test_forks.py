"""Logs that have parted: how far one goes back, and what is never taken back."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.games import GAMES
from p2p.base.entry import Position, parse_entry
from p2p.base.errors import Equivocation
from p2p.base.wire import encode
from p2p.log.ledger import Ledger
from p2p.log.votes import CONVICTED, vote_of
from p2p.session.forks import Consequences, Forks
from tests.p2p.beads import BEADS
from tests.p2p.log.test_votes import Table, kind_is
from tests.p2p.session.tables import QuietTable
from tests.simulation.volume_group import volume_group

LIAR, ACCOMPLICE = 3, 1


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


@pytest.mark.parametrize("is_settled", [True, False])
async def test_m7_nobody_goes_back_below_what_all_have_said_that_they_have(
    seed: int, *, is_settled: bool
) -> None:
    """Else two who help each other could have every sealed choice made anew, once it is known.

    One signs another seal, long after all were opened, and the other votes where it belongs.
    """
    room = Table(4, seed)
    room.run(kind_is("choose"))
    mine, height = room.replicas[0], room.replicas[0].height
    seal = next(entry for entry in mine.log if entry.seat == LIAR and entry.kind == "seal")
    twin = second(room, seal.raw)
    with pytest.raises(Equivocation) as caught:
        mine.receive(twin)
    mine.guilty[LIAR] = caught.value
    if not is_settled:
        mine._settled = 0
        mine.acks.clear()
    assert (mine.settled > seal.height) == is_settled
    forks = forks_of(room)
    forks.note(parse_entry(twin))
    accomplice = room.replicas[ACCOMPLICE]
    assert accomplice.identity is not None
    at = Position(seal.height, seal.head, b"")
    said = accomplice.votes.sign(
        accomplice.identity, at, vote_of(ACCOMPLICE, LIAR, CONVICTED, True)
    )
    assert await forks.join(seal.height, said) is not is_settled
    assert mine.height == (height if is_settled else seal.height)


def second(room: Table, raw: bytes) -> bytes:
    """Another entry of the same seat that answers the same log."""
    entry = parse_entry(raw)
    place = [entry.game, entry.seat, entry.epoch, entry.height, entry.head]
    payload = encode([*place, entry.digest, entry.kind, bytes(32)])
    signature = room.identities[entry.seat].sign(b"hostless entry" + payload)
    return encode([payload, signature])


def forks_of(room: Table) -> Forks:
    """The forks of seat 0, where the liar can be done without."""

    async def denounce(seat: int) -> None:
        assert seat == LIAR

    table = QuietTable(room.replicas[0], (), cast("Any", room.vaults[0]))
    table.ledger = cast("Ledger", SimpleNamespace(accuse=lambda *_: None))
    follows = Consequences(lambda seat, past: True, denounce, lambda is_cheated: None)
    return Forks(table, follows)
