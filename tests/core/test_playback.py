"""Where to jump in a log."""

from __future__ import annotations

from core.games.carta import GAME as CARTA
from core.playback import Record, turn_marks
from core.requests import Action, Choice, Chosen, Reveal, Revealed, Roll, Rolled, Secret
from core.testing.worlds import BlindGame

END = Chosen(Action("end"))
MINE: Record = (Choice(0), END)
THEIRS: Record = (Choice(1), END)


def test_a_turn_begins_where_another_seat_chooses_than_before() -> None:
    shown: Record = (Reveal((3,), None), Revealed((1,)))
    drawn: Record = (Reveal((4,), 0), Revealed())
    history = [(Roll(2), Rolled(0)), MINE, shown, MINE, drawn, THEIRS, MINE]
    assert turn_marks(history) == [1, 5, 6]


def test_turns_of_a_real_game_begin_with_choices() -> None:
    world = BlindGame(CARTA, 3, {}, seed=4)
    for _ in world.play():
        pass
    turns = turn_marks(world.history)
    assert len(turns) > 10
    assert all(isinstance(world.history[turn][0], Choice | Secret) for turn in turns)
