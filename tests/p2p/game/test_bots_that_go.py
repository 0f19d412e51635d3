"""A bot that goes while it is to choose: nobody can know beforehand what is chosen for it then."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.audit.game import read_log
from p2p.crypto.commitments import mix
from p2p.crypto.vrf import vrf_value
from tests.p2p import drawing
from tests.p2p.changing import BOT, kind_is, secret_of
from tests.p2p.drawing import DRAW
from tests.p2p.game.test_dealt_before import content_of
from tests.p2p.records import record_of
from tests.p2p.room import Room, Terms
from tests.p2p.test_verifier import NOBODY, verified


@pytest.mark.parametrize("kind", ["lot", "choose", "share"])
def test_who_lets_a_bot_go_knows_nothing_of_what_is_chosen_for_it(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """All work that out by another program: a sponsor compared the two, and kept the better."""
    monkeypatch.setitem(GAMES, "draw", DRAW)
    monkeypatch.setattr(drawing, "SEATS", 1)  # The same seat chooses all the time.
    room = Room(3, game="draw", terms=Terms(bots=(0,), replacement=BOT))
    room.chooser = lambda _, actions: actions[-1]
    room.run(kind_is(kind))
    witness, secret = room.replicas[-1], secret_of(room, 0)
    lots, height = witness.play._vrf_values, witness.height
    place = witness.play._context(0, "lot")
    due = mix(place, tuple(vrf_value(secret_of(room, seat), place) for seat in range(3)))
    room.lose(0)
    room.leave(0, secret)
    room.run(lambda each: any(entry.kind == "choose" for entry in each.log[height:]))
    kinds = [entry.kind for entry in witness.log[height:]]
    assert "lot" in kinds[kinds.index("replace") :]
    assert witness.play._vrf_values not in (lots, due)
    room.chooser = lambda _, actions: actions[0]
    room.run()
    found = read_log(record_of(witness, notes=room.notes))
    assert found.is_signed and not found.damage and not found.guilty
    assert verified(content_of(room)) == (False, NOBODY)
