"""Entries by which seats change hands, heard by somebody who is far behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.games import GAMES
from p2p.base.entry import Entry
from p2p.base.limits import EARLY_CHANGES_MAX
from p2p.session.catching_up import EarlyEntries
from tests.p2p.beads import BEADS
from tests.p2p.log.test_votes import Table, kind_is


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


@pytest.fixture
def gone() -> Entry:
    """The entry by which everybody begins to speak for seat 1."""
    table = Table(3)
    table.run(kind_is("choose"))
    table.lose(1)
    return table.replace_seat(1)


def test_it_waits_until_its_step_is_open(gone: Entry) -> None:
    early = EarlyEntries[str]()
    assert early.keep(gone, gone.height - 2, 0, "a link")
    assert early.due(gone.height - 1) == []
    assert early.due(gone.height) == [(gone, 0, "a link")]
    assert early.due(gone.height) == [], "once"


def test_what_is_due_now_does_not_wait_and_other_entries_never_do(gone: Entry) -> None:
    early = EarlyEntries[str]()
    assert not early.keep(gone, gone.height, 0, "a link")
    assert not early.keep(replace(gone, kind="choose"), 0, 0, "a link")
    assert early.due(gone.height) == []


def test_a_seat_that_brings_many_keeps_nobody_elses_away(gone: Entry) -> None:
    early = EarlyEntries[str]()
    for number in range(2 * EARLY_CHANGES_MAX):
        assert early.keep(replace(gone, hash=b"%d" % number), 0, 0, "a link")
    assert early.keep(gone, 0, 2, "another")
    due = early.due(gone.height)
    assert len(due) == EARLY_CHANGES_MAX + 1 and due[-1] == (gone, 2, "another")
