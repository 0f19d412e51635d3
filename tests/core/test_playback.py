"""How far one may take back alone, and where to jump."""

from __future__ import annotations

from core.games.carta import GAME as CARTA
from core.playback import Record, choice_marks, reveal_marks, turn_marks, undo_reach
from core.requests import (
    Action,
    Choice,
    Chosen,
    Opened,
    Reveal,
    Revealed,
    Roll,
    Rolled,
    Secret,
    Shuffle,
    Shuffled,
)
from core.testing.worlds import BlindGame

END = Chosen(Action("end"))
MINE: Record = (Choice(0), END)
THEIRS: Record = (Choice(1), END)


def test_the_own_choices_at_the_end_can_be_taken_back() -> None:
    assert undo_reach([THEIRS, MINE, MINE], 0) == 2
    assert undo_reach([MINE, MINE], 0) == 2
    assert undo_reach([], 0) == 0


def test_the_choice_of_somebody_else_is_a_wall() -> None:
    assert undo_reach([MINE, THEIRS], 0) == 0
    assert undo_reach([MINE, THEIRS, MINE], 0) == 1


def test_whatever_was_shown_shuffled_rolled_or_opened_is_a_wall() -> None:
    walls: list[Record] = [
        (Reveal((3,), None), Revealed((1,))),
        (Reveal((3,), 0), Revealed()),
        (Shuffle(((1, 2),)), Shuffled()),
        (Shuffle(((1, 2),), 0), Shuffled()),
        (Roll(6), Rolled(2)),
        (Secret((0, 1)), Opened((Action("end"), Action("end")))),
    ]
    for wall in walls:
        assert undo_reach([MINE, wall], 0) == 0
        assert undo_reach([MINE, wall, MINE], 0) == 1


def test_marks_are_the_positions_before_choices_turns_and_reveals() -> None:
    shown: Record = (Reveal((3,), None), Revealed((1,)))
    drawn: Record = (Reveal((4,), 0), Revealed())
    history = [(Roll(2), Rolled(0)), MINE, shown, MINE, drawn, THEIRS, MINE]
    assert choice_marks(history) == [1, 3, 5, 6]
    assert turn_marks(history) == [1, 5, 6]
    assert reveal_marks(history) == [2]


def test_in_a_real_game_nobody_can_undo_past_a_revealed_card() -> None:
    world = BlindGame(CARTA, 3, {}, seed=4)
    for _ in world.play():
        for seat in range(3):
            reach = undo_reach(world.history, seat)
            assert all(
                request == Choice(seat)
                for request, _ in world.history[len(world.history) - reach :]
            )
    turns = turn_marks(world.history)
    assert len(turns) > 10
    assert set(turns) <= set(choice_marks(world.history))
