"""A seat goes through its life cycle as the table in the code says, and as it is drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2p.log.membership_change import REPLACE, RESTORE
from p2p.log.seating import SEAT_LIFE, SeatEvent, Seating, SeatPhase, phase_in
from tests.p2p.room import Room

DRAWING = Path(__file__).resolve().parents[3] / "ARCHITECTURE.md"


def seating() -> Seating:
    """The seats of a table where nothing has happened yet."""
    return Seating(Room(3).roster)


@pytest.mark.parametrize("state", SeatPhase)
@pytest.mark.parametrize("event", SeatEvent)
def test_a_seat_changes_as_the_table_says_and_in_no_other_way(
    state: SeatPhase, event: SeatEvent
) -> None:
    seats = seating()
    seats.seat_epochs[1] = 3 * 4 + state
    if (state, event) not in SEAT_LIFE:
        with pytest.raises(AssertionError, match="cannot"):
            seats.change(1, event)
        return
    seats.change(1, event)
    assert phase_in(seats.seat_epochs[1]) is SEAT_LIFE[state, event]
    assert 0 < seats.seat_epochs[1] - (3 * 4 + state) <= 3, "numbers go on, and none is used twice"
    assert seats.seat_epochs[0] == seats.seat_epochs[2] == 0


def test_the_events_are_the_kinds_of_entries_that_a_replica_knows() -> None:
    assert (SeatEvent.REPLACE, SeatEvent.RESTORE) == (REPLACE, RESTORE)


def test_the_drawing_shows_the_table() -> None:
    text = DRAWING.read_text("utf-8")
    drawn = text[text.index("**A seat**") : text.index("**A link**")]
    assert re.findall(r"entry `([^`]+)`", drawn) == [SeatEvent.REPLACE, SeatEvent.RESTORE]
    states = next(line for line in drawn.splitlines() if "---->" in line)
    names = [state.name.lower() for state in SeatPhase]
    assert re.findall(r"\w+", states) == [*names, names[0]]
    epochs = re.findall(r"epoch 3k(?: \+ (\d))?", drawn)
    assert [phase_in(int(plus or 0)) for plus in epochs] == [*SeatPhase, SeatPhase.OWNED]
    walked = [SeatPhase.OWNED]
    for event in (SeatEvent.REPLACE, SeatEvent.RESTORE):
        walked.append(SEAT_LIFE[walked[-1], event])
    assert walked == [SeatPhase.OWNED, SeatPhase.OPEN, SeatPhase.OWNED]
