"""Machines that stop at the worst moments: nothing is lost, nothing is signed twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from p2p.entry import parse_entry
from p2p.ledger import FileVault, read_game
from p2p.news import News, Resume, TableChanged
from p2p.session import Session
from tests.p2p.nodes import (
    PATIENCE_S,
    Person,
    check_nothing_signed_twice,
    check_same_clean_files,
    people,
    sitting_down,
)


def stopping_at(person: Person, kind: str, skip: int = 0) -> type[Session]:
    """Sessions of `person`, who is gone when an entry of this kind is on disk and not yet sent."""
    left = [skip]

    class Stopping(Session):
        async def _send_mine(self) -> None:
            if any(parse_entry(raw).kind == kind for raw in self._unsent):
                left[0] -= 1
                if left[0] < 0:
                    person.stop()
            await super()._send_mine()  # Its first checkpoint is where a stopped person ends.

        async def _broadcast(self, message: list[object]) -> None:
            await trio.lowlevel.checkpoint()
            await super()._broadcast(message)

    return Stopping


def events_seen(count: int) -> Callable[[News], bool]:
    """Whether a picture shows so many events."""
    return lambda news: isinstance(news, TableChanged) and news.entry >= count


async def resume(party: list[Person]) -> None:
    """Everybody sits down again."""
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for person in party:
                nursery.start_soon(person.do, Resume(person.path))


@pytest.mark.parametrize(
    ("kind", "skip"),
    [("key", 0), ("shuffle", 0), ("share", 0), ("seal", 1), ("unseal", 1), ("choose", 4)],
)
async def test_who_stops_before_sending_what_is_on_disk_says_it_again(
    tmp_path: Path, kind: str, skip: int
) -> None:
    party = people(tmp_path, 2, seed=5)
    victim = party[1]
    async with sitting_down(
        party, {"deal": "draft"}, {1: stopping_at(victim, kind, skip)}
    ) as nursery:
        await victim.stopped.wait()
        vault = FileVault.reopen(victim.path.with_suffix(".secret"))
        vault.close()
        assert parse_entry(vault.entries[-1]).kind == kind
        assert vault.entries[-1] not in [raw for _, raw in read_game(victim.path).entries[:-1]]
        nursery.start_soon(victim.do, Resume(victim.path))
    check_same_clean_files(party)
    assert all(person.has_finished for person in party)


async def test_a_table_that_stops_as_a_whole_goes_on_where_it_was(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=6)
    async with sitting_down(party):
        await party[2].until(events_seen(40))
        for person in party:
            person.stop()
    entries = [len(read_game(person.path).entries) for person in party]
    await resume(party)
    check_same_clean_files(party)
    assert all(len(read_game(party[0].path).entries) > count for count in entries)


async def test_a_torn_last_record_is_cut_off_and_asked_for_again(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=7)
    async with sitting_down(party):
        await party[0].until(events_seen(30))
        for person in party:
            person.stop()
    for person, cut in zip(party, (1, 100), strict=True):
        os.truncate(person.path, person.path.stat().st_size - cut)
        with person.path.with_suffix(".secret").open("ab") as secret:
            secret.write(b"\0\0\1\0half a rec")
    await resume(party)
    check_same_clean_files(party)


async def test_a_file_that_lost_much_is_filled_again_by_the_others(tmp_path: Path) -> None:
    """The log is not synced as the vault is: after a power cut a long piece may be missing."""
    party = people(tmp_path, 2, seed=8)
    async with sitting_down(party):
        await party[0].until(events_seen(60))
        for person in party:
            person.stop()
    offset, _ = read_game(party[1].path).entries[6]
    os.truncate(party[1].path, offset)
    await resume(party)
    check_same_clean_files(party)


async def test_who_stops_just_before_the_end_gets_the_end_from_the_others(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=9)
    async with sitting_down(party, cheats={1: stopping_at(party[1], "finish")}):
        await party[1].stopped.wait()
        party[0].stop()
    await resume(party)
    check_same_clean_files(party)


async def test_a_finished_game_is_shown_again_and_not_played_again(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=10)
    async with sitting_down(party):
        pass
    before = party[0].path.read_bytes()
    await resume(party)
    assert party[0].path.read_bytes() == before
    assert not any(person.failure for person in party)


async def test_a_game_without_its_secret_part_is_not_resumed_with_another_key(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 2, seed=11)
    async with sitting_down(party):
        await party[0].until(events_seen(8))
        for person in party:
            person.stop()
    party[1].path.with_suffix(".secret").unlink()
    await party[1].do(Resume(party[1].path))
    assert "cannot read" in str(party[1].failure)
    await party[0].do(Resume(party[1].path))
    assert "cannot read" in str(party[0].failure) or "somebody else" in str(party[0].failure)
    check_nothing_signed_twice(party[:1])
