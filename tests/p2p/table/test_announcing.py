"""A table that is played stays in the lobbies of others, whoever of its people is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from p2p.base.roster import BotTerms, Roster
from p2p.log.secrets_file import SecretsFile
from p2p.net.announcements import Key, TableAd
from p2p.net.discovery import browsing
from p2p.session.commands import Resume, Watch
from p2p.session.news import Notice, TableChanged
from p2p.session.session import Session
from p2p.table import announcing
from p2p.table.announcing import INSTEAD_S, opened_key, played_ad, stay_announced
from p2p.table.kept_games import roster_in, table_id_of
from tests.p2p.nodes import PATIENCE_S, Person, has_entries, people, play_a_while
from tests.p2p.room import Room

PORT = 27_486
A_WHILE_S = INSTEAD_S + 3.0


@dataclass
class Board:
    """What is announced now, and how often something was put up."""

    shown: list[TableAd] = field(default_factory=list)
    count: int = 0

    @asynccontextmanager
    async def announcing(self, ad: TableAd) -> AsyncIterator[None]:
        await trio.lowlevel.checkpoint()
        self.shown.append(ad)
        self.count += 1
        try:
            yield
        finally:
            self.shown.remove(ad)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    """Where announcements are put up in place of a network."""
    board = Board()
    monkeypatch.setattr(announcing, "announcing", board.announcing)
    return board


def a_session(roster: Roster, me: int, *linked: int) -> Session:
    """A program on a seat that is linked to others."""
    links: dict[int, object] = dict.fromkeys(linked)
    replica = SimpleNamespace(roster=roster, me=me)
    return cast(Session, SimpleNamespace(replica=replica, links=links))


async def test_whoever_opened_a_table_and_comes_back_announces_it_as_played(
    autojump_clock: MockClock, board: Board
) -> None:
    roster = Room(players=3).roster
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stay_announced, a_session(roster, 0), PORT)
        await trio.sleep(1.5)
        (ad,) = board.shown
        assert (ad.key, ad.is_played, ad.port) == (opened_key(roster), True, PORT)
        assert (ad.name, ad.opener_name) == (roster.table, roster.seats[0].name)
        nursery.cancel_scope.cancel()
    assert not board.shown


async def test_while_the_opener_is_away_the_lowest_seat_that_is_there_announces_the_table(
    autojump_clock: MockClock, board: Board
) -> None:
    roster = Room(players=3).roster
    second, third = a_session(roster, 1, 0, 2), a_session(roster, 2, 0, 1)
    links = cast("dict[int, object]", second.links)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stay_announced, second, PORT)
        nursery.start_soon(stay_announced, third, PORT)
        await trio.sleep(A_WHILE_S)
        assert not board.shown, "the opener does it"
        for session in (second, third):
            del session.links[0]
        await trio.sleep(INSTEAD_S - 1.0)
        assert not board.shown, "others still show what the opener announced"
        await trio.sleep(A_WHILE_S)
        (ad,) = board.shown
        assert ad.key == (table_id_of(roster), roster.seats[1].identity), "whoever answers there"
        assert ad.opener_name == roster.seats[1].name
        links[0] = None
        await trio.sleep(1.5)
        assert not board.shown and board.count == 1
        nursery.cancel_scope.cancel()


async def test_a_link_that_is_lost_for_a_moment_moves_no_announcement(
    autojump_clock: MockClock, board: Board
) -> None:
    session = a_session(Room(players=2).roster, 1, 0)
    links = cast("dict[int, object]", session.links)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stay_announced, session, PORT)
        for _ in range(5):
            del links[0]
            await trio.sleep(INSTEAD_S - 1.0)
            links[0] = None
            await trio.sleep(1.5)
        assert not board.count
        nursery.cancel_scope.cancel()


async def test_bots_and_games_against_bots_alone_are_not_announced(
    autojump_clock: MockClock, board: Board
) -> None:
    roster = Room(players=2).roster
    ada, bot = roster.seats[0], replace(roster.seats[1], bot_terms=BotTerms())
    for me in (0, 1):
        await stay_announced(a_session(replace(roster, seats=(ada, bot)), me), PORT)
    assert not board.count


async def test_a_played_table_is_announced_with_the_terms_that_it_was_opened_with(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 2, seed=70)
    await play_a_while(party, 5)
    roster = roster_in(party[0].path)
    assert roster is not None
    ad = played_ad(replace(roster, opens_hands=True), 0, PORT)
    assert ad.options.startswith("hands=open") and ad.game == "carta"


def forget_that_all_were_here(person: Person) -> None:
    """Let a machine know that the others were on other machines of the network."""
    secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
    secrets.keep_addresses([("192.0.2.9", 9) for _ in secrets.addresses])
    secrets.close()


async def seen_as_played(key: Key) -> TableAd:
    """The table, once it is to be seen on the network with all seats taken."""
    async with browsing() as sightings:
        async for tables in sightings:
            for ad in tables:
                if ad.key == key and ad.is_played:
                    return ad
    raise AssertionError("sightings have no end")


@asynccontextmanager
async def looked_on_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[list[Person], Person, trio.Nursery]]:
    """Two persons who left a table and came back to it, and somebody who looks on through one."""
    monkeypatch.setattr(announcing, "INSTEAD_S", 0.0)
    *party, spectator = people(tmp_path, 3, seed=77)
    await play_a_while(party, 20)
    for person in party:
        forget_that_all_were_here(person)
        person.news.clear()
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for person in party:
                nursery.start_soon(person.do, Resume(person.path))
            ad = await seen_as_played((table_at(party[0]), party[0].config.identity.public))
            nursery.start_soon(spectator.do, Watch(ad.target))
            assert await spectator.until(has_entries(25))
            yield party, spectator, nursery
            for person in (*party, spectator):
                person.stop()


async def test_somebody_looks_on_at_a_table_that_its_people_left_and_came_back_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its opener, and then with the other one alone."""
    async with looked_on_at(tmp_path, monkeypatch) as (party, spectator, nursery):
        spectator.stop()
        await spectator.done.wait()
        party[0].stop()
        ad = await seen_as_played((table_at(party[0]), party[1].config.identity.public))
        spectator.news.clear()
        nursery.start_soon(spectator.do, Watch(ad.target))
        assert await spectator.until(has_entries(20))


async def test_whoever_looks_on_goes_on_through_another_seat_when_the_one_that_showed_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody hosts a table, so nobody who leaves it closes it for those who look on."""
    async with looked_on_at(tmp_path, monkeypatch) as (party, spectator, _):
        party[0].stop()
        await spectator.until(lambda news: isinstance(news, Notice))
        spectator.news.clear()
        snapshot = await spectator.until(lambda news: isinstance(news, TableChanged))
        assert isinstance(snapshot, TableChanged) and snapshot.fairness.entries >= 25
        await spectator.until(
            lambda news: isinstance(news, TableChanged) and news.seats[0].link == "away"
        )


def table_at(person: Person) -> str:
    """The id of the table at which somebody played."""
    roster = roster_in(person.path)
    assert roster is not None
    return table_id_of(roster)
