"""Persons at real nodes, one of whom is left: it claims the win, or goes on alone, or neither."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from core.requests import Action
from p2p.audit.audit import audit_file
from p2p.base.roster import DecisionPoint
from p2p.log.ledger import SecretsFile
from p2p.log.shared import log_in
from p2p.log.votes import ALONE, REPLACE
from p2p.session.news import ClaimWin, GoOnAlone, News, Notice, Resume, TableChanged
from p2p.session.session import Session
from tests.p2p.base.test_open_seats import party
from tests.p2p.nodes import (
    PATIENCE_S,
    Person,
    check_nothing_signed_twice,
    check_one_log,
    has_entries,
    kinds,
)
from tests.p2p.session.test_leaving import at_a_table, table
from tests.simulation.volume_group import volume_group


@pytest.fixture(autouse=True)
def waits_are_short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let tables agree on a second of grace, and proofs be made quickly."""
    for module in ("p2p.base.roster", "p2p.table.gathering"):
        monkeypatch.setattr(f"{module}.GRACE_S_MIN", 1)
    with volume_group():
        yield


class Pensive:
    """Lets a person think until the game may go on."""

    def __init__(self, person: Person) -> None:
        self.may_go_on = trio.Event()
        self.may_go_on.set()
        self._person = person
        person.config = replace(person.config, player=self.decide)

    async def decide(self, turn: DecisionPoint) -> Action:
        await self.may_go_on.wait()
        return await self._person.decide(turn)


def is_silent(news: News) -> bool:
    """Whether the one who is left is told so."""
    return isinstance(news, TableChanged) and news.silence is not None


def is_unverified(news: News) -> bool:
    """Whether a picture says that one seat speaks for all."""
    return isinstance(news, TableChanged) and news.unverified is not None


def says(text: str) -> object:
    """Whether a notice has these words."""
    return lambda news: isinstance(news, Notice) and text in news.text


async def silenced(first: Person, other: Person) -> TableChanged:
    """The other is gone; what the first is told then."""
    other.stop()
    await other.stopped.wait()
    news = await first.until(is_silent)
    assert isinstance(news, TableChanged)
    return news


@pytest.mark.slow
async def test_one_goes_on_alone_and_the_other_keeps_its_own_game(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    first, other = persons
    pensive = Pensive(first)
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        news = await silenced(first, other)
        assert news.silence is not None and news.silence.names == (other.name,)
        assert news.silence.may_go_on and news.unverified is None
        assert kinds(first.path)[REPLACE] == 0, "nothing happens before the person says so"
        before = log_in(other.path)
        pensive.may_go_on = trio.Event()
        assert not sessions[0].membership.obey(GoOnAlone())
        await first.until(is_unverified)
        async with trio.open_nursery() as nursery:
            back = Kept()
            nursery.start_soon(other.do, Resume(other.path), back.make)
            await other.until(says("has gone on alone"))
            await other.until(is_silent)
            assert back.session.membership.obey(ClaimWin())
            other.stop()
        pensive.may_go_on.set()
        await first.until(lambda news: is_unverified(news) and is_finished(news))
    assert log_in(other.path)[: len(before)] == before and kinds(other.path)[REPLACE] == 0
    assert not first.accused and not other.accused
    check_nothing_signed_twice(persons)
    alone, claimed = audit_file(first.path), audit_file(other.path)
    assert alone.holds and alone.is_finished and alone.unverified is not None
    assert alone.unverified.name == first.name and alone.claim is None
    assert claimed.holds and not claimed.is_finished and claimed.unverified is None
    assert claimed.claim is not None and claimed.claim.seat == 1 and claimed.claim.silent == (0,)


class Kept:
    """Makes a session that a test can reach into."""

    session: Session

    def make(self, *arguments: object) -> Session:
        self.session = Session(*arguments)  # type: ignore[arg-type]
        return self.session


def is_finished(news: News) -> bool:
    """Whether the result is signed."""
    return isinstance(news, TableChanged) and news.is_finished


async def test_a_claim_is_void_as_soon_as_both_go_on(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    first, other = persons
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        await silenced(first, other)
        assert sessions[0].membership.obey(ClaimWin())
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


async def test_whoever_is_not_left_can_neither_claim_nor_go_on(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        for command in (ClaimWin(), GoOnAlone()):
            assert not sessions[0].membership.obey(command)
        for person in persons:
            person.stop()
    assert persons[0].notices.count("the others are not silent for long enough") == 2
    check_one_log(persons)
    assert audit_file(persons[0].path).claim is None and not kinds(persons[0].path)[REPLACE]


async def test_a_machine_that_stopped_just_after_its_word_goes_on_alone(tmp_path: Path) -> None:
    """Its vote may have been heard: it has gone on, whether it remembers that or not."""
    persons = party(tmp_path, 2)
    first, other = persons
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        await silenced(first, other)
        head = sessions[0].replica.position.head
        first.stop()
    secrets = SecretsFile.reopen(first.path.with_suffix(".secret"))
    secrets.keep_vote(head, 1, ALONE, None)
    secrets.close()
    first.news.clear()
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, Resume(first.path))
            await first.until(is_unverified)
            first.stop()
    assert kinds(first.path)[REPLACE] == 1 and audit_file(first.path).unverified is not None
