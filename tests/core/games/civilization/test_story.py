"""What is told of a game: one line for what is one thing to a player."""

from __future__ import annotations

from core.games.civilization import GAME
from core.narrate import Narrator
from core.requests import Choice, Chosen
from tests.core.games.civilization.stage import Stage


def test_a_whole_move_is_told_in_one_line() -> None:
    """C92: a group of three figures."""
    stage = Stage().city(0, "2.2").tech(0, "masonry").army(0, "5.5", 2).scout(0, "5.5")
    told = stage.phase("move").table.told = []
    stage.do("move 5.5 2+1", "go 5.6").pass_all()
    assert [fact.kind for fact in told if fact.kind.startswith("moved")] == ["moved 5.5 5.6 2+1"]


def test_a_target_is_told_as_what_it_was_when_it_was_named() -> None:
    """Afterwards nothing is asked that says whether a number is a square, a figure or a seat."""
    stage = Stage().city(0, "2.2").city(1, "10.10").holds(0, "drought").phase("start")
    stage.do("event drought")
    (text, *_) = stage.offered("target")
    narrator = Narrator(GAME)
    action = stage.action(f"target {text}", 0)
    narrator.apply(stage.table, Choice(0), Chosen(action))
    assert narrator.lines[0].text == f"target {text}"
    assert "." in text, "a square"


def test_a_deal_that_is_proposed_is_told_with_whom_it_is_proposed_to() -> None:
    """C48: `ada is done` said nothing of it."""
    stage = Stage().has(0, trade=5).phase("trade")
    told = stage.table.told = []
    stage.do("offer seat1", "give trade 3", "done")
    proposed = [fact for fact in told if fact.kind == "proposed"]
    assert [(fact.seat, fact.other) for fact in proposed] == [(0, 1)]
