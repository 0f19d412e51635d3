"""What membership asks of a game that is played."""

from __future__ import annotations

import pytest

from core.games import GAMES
from p2p.log.replica_game import ReplicaGame
from tests.p2p.beads import BEADS
from tests.p2p.room import Room


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def at_step(kind: str) -> Room:
    """A table of three at which a step of this kind is open."""
    room = Room(3, game="beads", seed=3)
    room.run(lambda replica: replica.step is not None and replica.step.kind == kind)
    return room


def test_whoever_writes_next_is_due_where_the_log_ends_and_nowhere_else() -> None:
    replica = at_step("share").replicas[0]
    game, step = ReplicaGame(replica), replica.step
    assert step is not None and replica.tip.below is not None
    assert game.due(replica.tip) == frozenset(step.writers)
    assert game.due(replica.tip.below) == frozenset()


def test_nobody_is_due_when_the_game_is_over() -> None:
    room = Room(3, game="beads", seed=3)
    room.run()
    game = ReplicaGame(room.replicas[0])
    assert game.due(room.replicas[0].tip) == frozenset()
    assert not game.is_between_requests(room.replicas[0].tip)


@pytest.mark.parametrize(
    ("kind", "is_between"), [("choose", True), ("seal", True), ("unseal", False), ("share", False)]
)
def test_between_two_requests_nothing_of_the_open_one_is_said(kind: str, is_between: bool) -> None:
    replica = at_step(kind).replicas[0]
    game = ReplicaGame(replica)
    assert game.is_between_requests(replica.tip) == is_between
    assert replica.tip.below is not None
    assert not game.is_between_requests(replica.tip.below)


def test_a_request_is_answered_by_a_choice_or_an_opened_seal() -> None:
    room = Room(3, game="beads", seed=3)
    room.run()
    replica = room.replicas[0]
    game, kinds = ReplicaGame(replica), ("choose", "unseal")
    for log in replica.tip.down():
        for seat in replica.seats:
            mine = [entry for entry in replica.log[: log.height] if entry.seat == seat]
            assert game.answered(log, seat) == sum(entry.kind in kinds for entry in mine)
    assert game.answered(replica.tip, 0) > 0 == game.answered(replica.tip, 3)
