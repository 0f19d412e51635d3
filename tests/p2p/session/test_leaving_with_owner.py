"""A bot leaves with whoever runs it, once that has gone for good or for the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.games import GAMES
from p2p.session.leaving import Leaving
from tests.p2p.beads import BEADS
from tests.p2p.changing import OpenRoom, kind_is, secret_of
from tests.p2p.room import with_sponsors
from tests.p2p.session.tables import QuietTable, membership_at
from tests.simulation.volume_group import volume_group

OWNER, BOT = 2, 1


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the smallest game be found, and its proofs be made quickly."""
    monkeypatch.setitem(GAMES, "beads", BEADS)
    with volume_group():
        yield


def bot_whose_owner_went(seed: int) -> tuple[OpenRoom, Leaving]:
    """Three at a table; 1 is a bot of 2, and has 2's going in its log."""
    room = OpenRoom(3, seed)
    room.run(kind_is("choose"))
    replica = room.replicas[BOT]
    leaving = Leaving(QuietTable(replica), membership_at(QuietTable(replica)))
    room.lose(OWNER)
    room.remove(OWNER)
    replica.roster = with_sponsors(replica.roster, {BOT: OWNER})
    leaving.note_gone(OWNER)
    return room, leaving


def test_a_bot_leaves_with_its_owner_once_that_is_in_force(seed: int) -> None:
    room, leaving = bot_whose_owner_went(seed)
    replica = room.replicas[BOT]
    replica.committed = replica.height - 1
    leaving.follow_owner()
    assert not leaving.is_leaving
    replica.committed = replica.height
    leaving.follow_owner()
    assert leaving.is_leaving


def test_a_bot_stays_with_its_owner_whose_going_was_refused(seed: int) -> None:
    """Its farewell was final, and its owner was back in time."""
    room, leaving = bot_whose_owner_went(seed)
    replica = room.replicas[BOT]
    assert replica.tip.below is not None, "the change stands on a log"
    replica.tip = replica.tip.below
    replica.committed = replica.height + 1  # Others have more by now, without that change.
    leaving.follow_owner()
    assert not leaving.is_leaving


def test_a_bot_that_is_the_only_member_stays_for_whoever_is_back(seed: int) -> None:
    """Its program ended, its owner was there again, and nobody gave anybody a seat."""
    room, leaving = bot_whose_owner_went(seed)
    replica = room.replicas[BOT]
    key = secret_of(room, 0)
    room.lose(0)
    room.leave(0, key)
    assert replica.tip.members == {BOT}
    replica.committed = replica.height
    leaving.follow_owner()
    assert not leaving.is_leaving


def test_a_bot_stays_where_somebody_else_goes(seed: int) -> None:
    room, leaving = bot_whose_owner_went(seed)
    replica = room.replicas[BOT]
    other = Leaving(QuietTable(replica), membership_at(QuietTable(replica)))
    other.note_gone(0)
    replica.committed = replica.height
    other.follow_owner()
    assert not other.is_leaving and not leaving.is_leaving
