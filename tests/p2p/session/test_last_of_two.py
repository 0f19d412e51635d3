"""Persons at real nodes, one of whom is left: it claims the win, or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from p2p.audit.audit import audit_file
from p2p.log.membership_change import REPLACE
from p2p.session.commands import ClaimWin, Resume
from p2p.session.news import News, TableChanged
from tests.p2p.base.test_open_seats import party
from tests.p2p.nodes import (
    PATIENCE_S,
    Person,
    check_one_log,
    has_entries,
    kinds,
)
from tests.p2p.session.test_leaving import at_a_table, table
from tests.simulation.volume_group import volume_group

pytestmark = pytest.mark.usefixtures("short_escrow")


@pytest.fixture(autouse=True)
def waits_are_short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let tables agree on a second of grace, and proofs be made quickly."""
    for module in ("p2p.base.roster", "p2p.table.terms"):
        monkeypatch.setattr(f"{module}.GRACE_S_MIN", 1)
    with volume_group():
        yield


def is_silent(news: News) -> bool:
    """Whether the one who is left is told so."""
    return isinstance(news, TableChanged) and news.silence is not None


async def silenced(first: Person, other: Person) -> TableChanged:
    """The other is gone; what the first is told then."""
    other.stop()
    await other.stopped.wait()
    news = await first.until(is_silent)
    assert isinstance(news, TableChanged)
    return news


async def test_a_claim_is_void_as_soon_as_both_go_on(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    first, other = persons
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        await silenced(first, other)
        assert sessions[0].get_up(ClaimWin())
        first.stop()
    report = audit_file(first.path)
    assert report.holds and report.claim is not None and report.claim.height == report.entries
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for person in persons:
                person.news.clear()
                nursery.start_soon(person.do, Resume(person.path))
            for person in persons:
                await person.until(has_entries(report.entries + 10))
            for person in persons:
                person.stop()
    check_one_log(persons)
    assert audit_file(first.path).claim is None and report.entries < audit_file(first.path).entries


async def test_whoever_is_not_left_cannot_claim(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        assert not sessions[0].get_up(ClaimWin())
        for person in persons:
            person.stop()
    assert persons[0].notices.count("the others are not silent for long enough") == 1
    check_one_log(persons)
    assert audit_file(persons[0].path).claim is None and not kinds(persons[0].path)[REPLACE]
