"""Whole tables of real nodes in one process: files equal, audits clean, everybody at the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.log.shared import log_in
from p2p.session.commands import Browse, Command, JoinTable, Leave, OpenTable, Resume
from p2p.session.news import Gathering, News, Notice, OwnGames, TableChanged
from p2p.table import node
from p2p.table.finding import Found, Wanted, choose
from p2p.table.node import run_node
from tests.p2p.nodes import (
    HERE,
    PATIENCE_S,
    check_one_log,
    check_same_clean_files,
    has_entries,
    kinds,
    people,
    sitting_down,
)


async def test_two_seats_play_a_basic_game_and_keep_the_same_file(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=1, is_brief=False)
    async with sitting_down(party):
        pass
    check_same_clean_files(party)
    assert all(person.has_finished and person.failure is None for person in party)
    assert not any(person.notices for person in party)


@pytest.mark.slow
async def test_three_seats_draft_in_secret_and_keep_the_same_file(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=2, is_brief=False)
    async with sitting_down(party, {"deal": "draft"}):
        pass
    check_same_clean_files(party)
    assert kinds(party[0].path)["unseal"] > 3


async def test_four_seats_in_teams_keep_one_log(tmp_path: Path) -> None:
    party = people(tmp_path, 4, seed=3, is_brief=False)
    async with sitting_down(party, {"team": True}):
        for person in party:
            await person.until(has_entries(150))
        for person in party:
            person.stop()
    check_one_log(party)
    assert not any(person.notices for person in party)


async def test_a_node_goes_on_after_whatever_it_cannot_do(tmp_path: Path) -> None:
    """Each thing that cannot be done is one line, and the next command is carried out."""
    (person,) = people(tmp_path, 1)
    send, receive = trio.open_memory_channel[Command](10)
    rubbish = tmp_path / "rubbish.hostless"
    rubbish.write_bytes(b"rubbish")
    impossible: list[Command] = [
        OpenTable("go", 2, is_local=True),
        OpenTable("carta", 9, is_local=True),
        OpenTable("carta", 2, options={"deal": "none"}, is_local=True),
        OpenTable("carta", 2, bots=2, is_local=True),
        JoinTable("nowhere:port"),
        JoinTable(f"{HERE}:1"),
        Resume(tmp_path / "missing.hostless"),
        Resume(rubbish),
    ]
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_node, receive, person.receive, person.config)
            for count, command in enumerate(impossible, 1):
                await send.send(command)
                await person.until(lambda _, count=count: len(person.notices) == count)
            await send.send(OpenTable("carta", 2, is_local=True))
            await person.until(lambda news: isinstance(news, Gathering))
            await send.send(Leave())
            await send.aclose()
    assert all(notice and "\n" not in notice for notice in person.notices)
    assert len(person.notices) == len(impossible)


async def test_a_player_may_get_up_and_sit_down_again_at_the_same_table(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=4)
    send, receive = trio.open_memory_channel[Command](10)
    async with sitting_down(party[:1], seats=2) as nursery:
        nursery.start_soon(run_node, receive, party[1].receive, party[1].config)
        await send.send(JoinTable(f"{HERE}:{party[0].port}", is_local=True))
        await party[1].until(has_entries(30))
        await send.send(Leave())
        await party[0].until(is_away)
        await send.send(Resume(party[1].path))
        for person in party:
            await person.until(has_entries(60))
        await send.send(Leave())
        await send.aclose()
        party[0].stop()
    check_one_log(party)


async def test_who_joins_a_table_at_which_they_sit_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its name they are seated; by its address, which tells no table, they are told what to do.

    Their program knows as soon as the game begins that it is theirs, so that the first paint of
    the lobby offers it.
    """
    party = people(tmp_path, 2, seed=5)
    send, receive = trio.open_memory_channel[Command](10)
    async with sitting_down(party[:1], seats=2) as nursery:
        opened = await party[0].until(lambda news: isinstance(news, Gathering))
        assert isinstance(opened, Gathering)
        table = replace(opened.table, host=HERE, taken=2)

        async def find(target: str, is_wanted: Wanted) -> Found:
            """What a network shows that has no other table."""
            return choose(target, [table], is_wanted)

        nursery.start_soon(run_node, receive, party[1].receive, party[1].config)
        await send.send(Browse())
        await send.send(JoinTable(f"{HERE}:{table.port}", is_local=True))
        own = await party[1].until(lambda news: isinstance(news, OwnGames) and bool(news.games))
        assert isinstance(own, OwnGames) and own.games[0].table_id == table.table_id
        await party[1].until(has_entries(20))
        await send.send(Leave())
        await party[0].until(is_away)
        await send.send(JoinTable(f"{HERE}:{table.port}", is_local=True))
        await party[1].until(lambda news: isinstance(news, Notice) and "resume" in news.text)
        before = len(log_in(party[0].path))
        monkeypatch.setattr(node, "find_table", find)
        await send.send(JoinTable(table.table_id, is_local=True))
        for person in party:
            await person.until(has_entries(before + 10))
        await send.send(Leave())
        await send.aclose()
        party[0].stop()
    check_one_log(party)


def is_away(news: News) -> bool:
    """Whether a snapshot shows that the second seat is away after the game has begun."""
    is_begun = isinstance(news, TableChanged) and news.fairness.entries >= 20
    return is_begun and news.seats[1].link == "away"
