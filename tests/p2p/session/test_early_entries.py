"""Changes of members, heard by somebody who is far behind."""

from __future__ import annotations

import pytest

from p2p.base.limits import EARLY_BYTES_MAX, EARLY_CHANGES_MAX
from p2p.log.membership.log import ChangeItem
from p2p.log.membership.messages import REASON_SILENT, Change
from p2p.log.notes import InForceNote
from p2p.session.shown_changes import EarlyChanges

NOTE = InForceNote(9, ())


def gone(number: int = 0) -> ChangeItem:
    """That seat 1 is gone, behind one log or another."""
    return ChangeItem(number.to_bytes(32, "big"), Change(1, REASON_SILENT), 0)


@pytest.fixture
def early() -> EarlyChanges:
    """Where nothing waits yet."""
    return EarlyChanges()


def test_it_waits_until_its_step_begins(early: EarlyChanges) -> None:
    early.keep(0, gone(), NOTE)
    assert early.due(gone(1).parent) == []
    assert early.due(gone().parent) == [(gone(), NOTE)]
    assert early.due(gone().parent) == [], "once"


def test_a_seat_that_brings_many_keeps_nobody_elses_away(early: EarlyChanges) -> None:
    early.keep(2, gone(), NOTE)
    for number in range(1, 2 * EARLY_CHANGES_MAX + 1):
        early.keep(0, gone(number), NOTE)
    assert early.due(gone().parent) == [(gone(), NOTE)]
    kept = [number for number in range(1, 2 * EARLY_CHANGES_MAX + 1)
            if early.due(gone(number).parent)]  # fmt: skip
    assert kept == list(range(EARLY_CHANGES_MAX + 1, 2 * EARLY_CHANGES_MAX + 1)), "the newest"


def test_long_ones_take_no_more_memory_than_few_short_ones(early: EarlyChanges) -> None:
    """Whoever brings them has signed nothing; their proof may be anything."""
    long = InForceNote(9, (), (bytes(EARLY_BYTES_MAX // 3),))
    early.keep(2, gone(), NOTE)
    for number in range(1, 10):
        early.keep(0, gone(number), long)
    kept = [decided for decided, _ in early.all()]
    assert kept == [gone(), gone(8), gone(9)], "the newest"


def test_the_same_once_more_counts_once(early: EarlyChanges) -> None:
    long = InForceNote(9, (), (bytes(EARLY_BYTES_MAX // 3),))
    early.keep(0, gone(), NOTE)
    for _ in range(9):
        early.keep(0, gone(1), long)
    assert len(early.all()) == 2
