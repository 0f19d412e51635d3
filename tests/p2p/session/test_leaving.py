"""Persons at real nodes, one of whom leaves or falls silent: the others play on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.audit.audit import audit_file
from p2p.log.membership_change import REPLACE
from p2p.session.commands import JoinTable, Leave, OpenTable, Resume
from p2p.session.leaving import AllHaveLeftError
from p2p.session.news import AwayNext, Gathering, Notice, TableChanged
from p2p.session.session import Session
from p2p.table.kept_games import look_into, noted_turn
from p2p.table.node import Node
from tests.p2p.base.test_open_seats import party
from tests.p2p.nodes import (
    HERE,
    PATIENCE_S,
    Person,
    check_nothing_signed_twice,
    check_same_clean_files,
    has_entries,
    kinds,
)

pytestmark = pytest.mark.usefixtures("short_escrow", "quick_proofs")
BEGUN = 60  # Entries after which a game of three has its first choices behind it.


@pytest.fixture(autouse=True)
def waits_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables agree on a second of grace."""
    for module in ("p2p.base.roster", "p2p.table.terms"):
        monkeypatch.setattr(f"{module}.GRACE_S_MIN", 1)


@asynccontextmanager
async def at_a_table(
    persons: list[Person], table: OpenTable, cheats: Mapping[int, type[Session]] | None = None
) -> AsyncIterator[list[Session]]:
    """Everybody sits down and plays; gives the sessions in the order of the seats.

    `cheats` are the sessions of those who have a changed program, by seat.
    """
    made = cheats or {}
    sessions: dict[str, Session] = {}

    def keep(person: Person) -> type[Session]:
        class Kept(made.get(persons.index(person), Session)):  # type: ignore[misc]
            async def run(self) -> None:
                sessions[person.name] = self
                await super().run()

        return Kept

    first, *others = persons
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, table, keep(first))
            await first.until(lambda news: isinstance(news, Gathering))
            for person in others:
                join = JoinTable(f"{HERE}:{first.port}", is_local=True)
                nursery.start_soon(person.do, join, keep(person))
                await person.until(lambda news: isinstance(news, Gathering | TableChanged))
            for person in persons:
                await person.until(has_entries(BEGUN))
            yield [sessions[person.name] for person in persons]


def table(seats: int = 3, *, is_escrowed: bool = True) -> OpenTable:
    """A table of persons."""
    return OpenTable("carta", seats, is_local=True, is_escrowed=is_escrowed, grace_s=1)


def check_played_on(stayed: list[Person], gone: Person) -> None:
    """Those who stayed have the same whole game, in which a bot plays on for one."""
    check_same_clean_files(stayed)
    report = audit_file(stayed[0].path)
    begun = [verdict.name for verdict in report.verdicts if verdict.replaced is not None]
    assert begun == [gone.name] and kinds(stayed[0].path)[REPLACE] == 1
    check_nothing_signed_twice([*stayed, gone])
    for person in stayed:
        assert any("a bot plays on" in text for text in person.notices)


@pytest.mark.slow
async def test_the_last_of_two_plays_on_alone(tmp_path: Path) -> None:
    persons = party(tmp_path, 2)
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        assert not sessions[0].get_up(Leave(is_for_good=True)), "somebody must hear it"
        await persons[0].done.wait()
    check_played_on([persons[1]], persons[0])


@pytest.mark.slow
async def test_two_who_leave_in_the_same_moment_wait_for_nobody(tmp_path: Path) -> None:
    """Each had to be let go by the other, who had said farewell and signed nothing more."""
    persons = party(tmp_path, 2)
    async with at_a_table(persons, table(2, is_escrowed=False)) as sessions:
        for session in sessions:
            assert not session.get_up(Leave(is_for_good=True))
        for person in persons:
            await person.done.wait()
    for person in persons:
        kept = look_into(person.path)
        assert kept is not None and kept.is_left_by_all, "so the lobby does not offer it"
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for person in persons:
                nursery.start_soon(person.do, Resume(person.path))
    for person in persons:  # They waited for each other when they came back.
        assert isinstance(person.failure, AllHaveLeftError)
        (told,) = (each for each in person.news if isinstance(each, Notice) and each.ends_table)
        assert told.text == str(person.failure)


@pytest.mark.slow
async def test_a_seat_that_falls_silent_is_played_for_with_its_own_cards(tmp_path: Path) -> None:
    persons, heard = party(tmp_path, 3), list[int]()

    async def wake() -> None:
        heard.append(len(persons[1].notices))

    players = persons[1].config.players._replace(wake=wake)
    persons[1].config = replace(persons[1].config, players=players)
    async with at_a_table(persons, table()):
        assert not heard
        persons[0].stop()
        await persons[0].stopped.wait()
    check_played_on(persons[1:], persons[0])
    assert heard, "whatever thinks for the seat is got ready"
    assert not any("a bot plays on" in text for text in persons[1].notices[: heard[0]]), "before"


@pytest.mark.slow
async def test_without_escrow_its_cards_are_dealt_anew(tmp_path: Path) -> None:
    persons = party(tmp_path, 3)
    async with at_a_table(persons, table(is_escrowed=False)):
        persons[2].stop()
        await persons[2].stopped.wait()
    check_played_on(persons[:2], persons[2])
    assert kinds(persons[0].path)["blind"] == 2, "once, by each of those who stayed"
    hints = [news.hint for news in persons[0].news if isinstance(news, Notice)]
    assert any("dealt anew" in hint for hint in hints)


async def test_one_of_two_says_that_it_waits(tmp_path: Path) -> None:
    """One vote replaces nobody: either of them may be the one who is cut off."""
    persons = party(tmp_path, 2)
    async with at_a_table(persons, table(2, is_escrowed=False)):
        persons[1].stop()
        news = await persons[0].until(lambda news: isinstance(news, TableChanged) and news.away)
        assert isinstance(news, TableChanged)
        assert [(each.name, each.then) for each in news.away] == [(persons[1].name, AwayNext.LEFT)]
        persons[0].stop()
    assert kinds(persons[0].path)[REPLACE] == 0
    assert audit_file(persons[0].path).holds


@pytest.mark.slow
async def test_a_person_leaves_for_good_by_a_command(tmp_path: Path) -> None:
    """The lobby went on to say who was to act there, also when the game was over."""
    persons = party(tmp_path, 3)
    config = persons[2].config
    config = replace(config, players=config.players._replace(mine=None))  # As with a screen.
    node = Node(persons[2].receive, config)
    first, second, third = persons
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.do, table(is_escrowed=False))
            await first.until(lambda news: isinstance(news, Gathering))
            join = JoinTable(f"{HERE}:{first.port}", is_local=True)
            nursery.start_soon(second.do, join)
            await second.until(lambda news: isinstance(news, Gathering))
            node.serve_in(nursery)
            await node.obey(join)
            await third.until(lambda news: isinstance(news, TableChanged) and news.view.to_act)
            assert noted_turn(third.path)
            await node.obey(Leave(is_for_good=True))
            await node.idle()
            await node.obey(Leave(is_for_good=True))  # From no table at all: nothing happens.
    check_played_on([first, second], third)
    assert noted_turn(third.path) == ()
