"""The specification says enough about going back: a second reader follows it, with real proofs."""

from __future__ import annotations

import cbor2
import pytest

from core.games import GAMES
from p2p.base.wire import encode
from tests.p2p.beads import BEADS
from tests.p2p.game.test_going_back import go_back, is_choosing
from tests.p2p.room import Room
from tests.p2p.stranger_back import read_beads_gone_back


def test_a_second_reader_of_the_specification_goes_back_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "beads", BEADS)
    room = Room(2, seed=6, game="beads")
    room.run(lambda each: len(each.play.events) == 9 and is_choosing(each))
    go_back(room, 7)
    room.run()
    roster = cbor2.loads(encode(room.roster.plain()))
    heads, result = read_beads_gone_back(roster, iter([each.raw for each in room.replicas[0].log]))
    assert heads[-1] == room.replicas[0].head
    game = room.replicas[0].play.game
    assert result[0] == list(game.scores(room.replicas[0].play.table))
