"""Lots that were drawn for a bot stand, whoever goes or comes back before it has chosen.

Whoever runs the bot knows what it will choose, and has two of the votes by which an owner comes
back.  If lots were drawn anew then, it could let the owner in just when it does not like them.
"""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.audit.game import read_log
from tests.p2p.changing import BOT, secret_of
from tests.p2p.drawing import DRAW, SEATS, is_asked, let
from tests.p2p.game.test_dealt_before import content_of
from tests.p2p.records import record_of
from tests.p2p.room import Room, Terms
from tests.p2p.test_verifier import verified

PERSON, BOT_SEAT, AWAY = range(SEATS)


@pytest.fixture(autouse=True)
def a_game_of_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "draw", DRAW)


def lots(room: Room) -> int:
    """How many were drawn."""
    return sum(entry.kind == "lot" for entry in room.replicas[0].log)


@pytest.mark.parametrize("is_back", [True, False])
def test_a_bot_decides_by_the_lots_that_were_drawn_before_somebody_came_back_or_went(
    *, is_back: bool
) -> None:
    room = Room(SEATS, game="draw", terms=Terms((BOT_SEAT,), replacement=BOT))
    owner = room.replicas[AWAY]
    let(room, PERSON, "pass")
    let(room, BOT_SEAT, "pass")
    room.run(is_asked(AWAY))
    if is_back:
        key = secret_of(room, AWAY)
        room.lose(AWAY)
        room.leave(AWAY, key)
    else:
        let(room, AWAY, "pass")
    let(room, PERSON, "pass")
    room.run(is_asked(BOT_SEAT))
    before, seed = lots(room), room.replicas[BOT_SEAT].play.decision_seed(BOT_SEAT)
    if is_back:
        room.catch_up(owner)
        room.give_back(owner)
    else:
        room.lose(AWAY)
        room.leave(AWAY)
    room.run(is_asked(BOT_SEAT))
    assert lots(room) == before
    assert room.replicas[BOT_SEAT].play.decision_seed(BOT_SEAT) == seed
    room.run()
    found = read_log(record_of(room.replicas[0], notes=room.notes))
    assert found.is_signed and not found.damage and not found.guilty
    assert verified(content_of(room)) == (False, None)
