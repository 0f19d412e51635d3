"""A piece of a log with false signatures: what it costs whoever hears it."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.base.entry import Entry, Position, heads_of, sign_entry
from p2p.base.errors import BadSignature
from p2p.base.identity import Identity
from p2p.base.limits import PIECE_ENTRIES_MAX
from p2p.log.replica import Replica
from p2p.session import catching_up
from p2p.session.catching_up import CatchingUp
from tests.p2p.beads import BEADS
from tests.p2p.room import Room
from tests.p2p.session.test_catching_up import receive, whole


def made_up(victim: Replica) -> list[Entry]:
    """A long log that a stranger has signed for seat 2, behind what somebody has."""
    stranger, entries = Identity.generate(), list[Entry]()
    height, head = victim.height, victim.head
    for place in range(PIECE_ENTRIES_MAX):  # The first is none that would be taken in at once.
        at, said = Position(height, head, bytes(48)), ["choose" if place else "replace", b""]
        entries.append(sign_entry(stranger, victim.game_id, (2, 0), at, said))
        ((height, head),) = heads_of(entries[-1:], height, head)
    return entries


async def test_a_piece_with_false_signatures_costs_as_many_checks_as_there_are_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A frame of 100 KiB cost 512, and whoever brought it could go on."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    room = Room(3, game="beads")
    victim, checked = room.replicas[0], list[Entry]()
    check = catching_up.check_signature

    def counted(entry: Entry, identity: bytes) -> None:
        checked.append(entry)
        check(entry, identity)

    monkeypatch.setattr(catching_up, "check_signature", counted)
    raws = [entry.raw for entry in made_up(victim)]
    with pytest.raises(BadSignature):
        receive(CatchingUp(whole(victim)), 1, ["log", victim.height, 9999, raws])
    assert len(checked) == 3
