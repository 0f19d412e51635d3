"""What is told of a game: one line for what is one thing to a player."""

from __future__ import annotations

from tests.core.games.civilization.stage import Stage


def test_a_whole_move_is_told_in_one_line() -> None:
    """C92: a group of three figures."""
    stage = Stage().city(0, "2.2").tech(0, "masonry").army(0, "5.5", 2).scout(0, "5.5")
    told = stage.phase("move").table.told = []
    stage.do("move 5.5 2+1", "go 5.6").pass_all()
    assert [fact.kind for fact in told if fact.kind.startswith("moved")] == ["moved 5.5 5.6 2+1"]
