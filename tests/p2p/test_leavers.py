"""Seats that leave because it pays: the game goes on, and the log says what they did."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.audit.game import read_log
from tests.p2p.leavers import TRICKS, Leaving
from tests.p2p.luck import HIGH_CARD, ODDS
from tests.p2p.records import record_of
from tests.simulation.volume_group import volume_group

pytestmark = pytest.mark.usefixtures("short_escrow")
GAMES_EACH = 3


@pytest.fixture(autouse=True)
def luck_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both be found."""
    for game in (ODDS, HIGH_CARD):
        monkeypatch.setitem(GAMES, game.slug, game)


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("is_escrowed", [False, True])
def test_a_game_ends_whatever_a_seat_leaves_for(trick: str, *, is_escrowed: bool) -> None:
    """Without its key the file names what it withheld; with it, only a false seal convicts it.

    Whoever leaves for another hand has withheld nothing: the file says from where on it was gone.
    """
    with volume_group():
        for seed in range(GAMES_EACH):
            room = Leaving(seed, trick, is_escrowed=is_escrowed)
            share = room.play()
            found = read_log(record_of(room.replicas[0], notes=room.notes))
            assert 0 <= share <= 1 and found.is_signed and not found.damage
            has_gone = room.times > 0
            withholds = has_gone and not is_escrowed and trick != "hand"
            assert (room.me in found.withheld) == withholds
            assert has_gone == (room.me in found.replaced)
            is_false = has_gone and is_escrowed and trick == "false seal"
            assert set(found.guilty) == ({room.me} if is_false else set())
