"""Machines that stop at the worst moments: nothing is lost, nothing is signed twice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.base.entry import Entry, parse_entry
from p2p.log.game_file import read_game
from p2p.log.secrets_file import SecretsFile
from p2p.log.shared import log_in
from p2p.session import failure_detector
from p2p.session.commands import Resume
from p2p.session.failure_detector import TICK_S
from p2p.session.news import Notice
from p2p.session.session import Session
from tests.p2p.nodes import (
    PATIENCE_S,
    Person,
    check_nothing_signed_twice,
    check_one_log,
    check_same_clean_files,
    has_entries,
    people,
    play_a_while,
    sitting_down,
)
from tests.p2p.outspoken import Outspoken

pytestmark = pytest.mark.usefixtures("quick_proofs")


def stopping_at(person: Person, kind: str, skip: int = 0) -> type[Session]:
    """Sessions of `person`, who is gone when an entry of this kind is on disk and not yet sent."""
    left = [skip]

    class Stopping(Outspoken):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self._say_all = self.membership.flush
            self.membership.flush = self._stop_before  # type: ignore[method-assign]

        async def _stop_before(self, *, with_acks: bool) -> None:
            if kind in map(kind_of, self.membership.outbox):
                left[0] -= 1
                if left[0] < 0:
                    person.stop()
            await self._say_all(with_acks=with_acks)  # Its first checkpoint ends who is stopped.

        async def broadcast(self, message: list[object]) -> None:
            await trio.lowlevel.checkpoint()
            await super().broadcast(message)

    return Stopping


def kind_of(message: list[object]) -> str:
    """Of the entry that is to be sent, if it is one."""
    match message:
        case ["entry", bytes(raw)]:
            return parse_entry(raw).kind
    return ""


async def resume(party: list[Person], entries: int | None = None) -> None:
    """Everybody sits down again, to the end or until all have seen so many entries."""
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for person in party:
                person.news.clear()
                nursery.start_soon(person.do, Resume(person.path))
            if entries is not None:
                for person in party:
                    await person.until(has_entries(entries))
                for person in party:
                    person.stop()


@pytest.mark.slow
async def test_who_stops_before_sending_what_is_on_disk_says_it_again(tmp_path: Path) -> None:
    """One game in which a machine stops at one kind of entry after the other."""
    party = people(tmp_path, 2, seed=5)
    victim = party[1]
    places = [("shuffle", 0), ("prove", 0), ("share", 0), ("seal", 1), ("unseal", 1), ("choose", 2)]
    first = {1: stopping_at(victim, "key")}
    async with sitting_down(party, {"deal": "draft"}, first) as nursery:
        await victim.stopped.wait()
        for kind, skip in places:
            assert not victim.has_finished and victim.failure is None
            make_session = stopping_at(victim, kind, skip)
            await victim.do(Resume(victim.path), make_session)
            assert last_signed(victim).kind == kind
        nursery.start_soon(victim.do, Resume(victim.path))
    check_same_clean_files(party)
    assert all(person.has_finished for person in party)


def last_signed(person: Person) -> Entry:
    """The last entry in a secrets file."""
    secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
    secrets.close()
    return parse_entry(secrets.entries[-1])


async def test_a_table_that_stops_as_a_whole_goes_on_where_it_was(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=6)
    await play_a_while(party, 50)
    before = [log_in(person.path) for person in party]
    await resume(party, entries=80)
    check_one_log(party)
    for person, log in zip(party, before, strict=True):
        assert log_in(person.path)[: len(log)] == log


async def test_a_torn_last_record_is_cut_off_and_asked_for_again(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=7)
    await play_a_while(party, 40)
    for person, cut in zip(party, (1, 100), strict=True):
        os.truncate(person.path, person.path.stat().st_size - cut)
        with person.path.with_suffix(".secret").open("ab") as secret:
            secret.write(b"\0\0\1\0half a rec")
    await resume(party, entries=60)
    check_one_log(party)


async def test_a_file_that_lost_much_is_filled_again_by_the_others(tmp_path: Path) -> None:
    """The log is not synced as the secrets are: after a power cut a long piece may be missing."""
    party = people(tmp_path, 2, seed=8, is_brief=False)
    await play_a_while(party, 200)
    offset, _ = read_game(party[1].path).entries[6]
    os.truncate(party[1].path, offset)
    await resume(party, entries=220)
    check_one_log(party)


@pytest.mark.slow
async def test_who_stops_just_before_the_end_gets_the_end_from_the_others(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=9)
    async with sitting_down(party, cheats={1: stopping_at(party[1], "finish")}):
        await party[1].stopped.wait()
        party[0].stop()
    await resume(party)
    check_same_clean_files(party)
    finished = log_in(party[0].path)
    await resume(party)  # Again, now that it is over: nothing is played twice.
    assert log_in(party[0].path) == finished
    assert not any(person.failure for person in party)


@pytest.mark.slow
async def test_who_comes_back_after_the_others_have_left_hears_how_to_get_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failure_detector, "NOBODY_CAME_S", TICK_S)
    party = people(tmp_path, 2, seed=9)
    left, late = party
    async with sitting_down(party):
        pass
    entries = read_game(late.path).entries
    offset = next(at for at, raw in entries if parse_entry(raw).kind == "finish")
    os.truncate(late.path, offset)
    for person in party:
        person.news.clear()
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(late.do, Resume(late.path))
            await late.until(lambda news: isinstance(news, Notice) and "resumes it" in news.hint)
            assert not late.has_finished
            nursery.start_soon(left.do, Resume(left.path))
    check_same_clean_files(party)
    assert left.has_finished and late.has_finished
    assert not any("resumes it" in news.hint for news in left.news if isinstance(news, Notice))


async def test_a_game_without_its_secret_part_is_not_resumed_with_another_key(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 2, seed=11)
    await play_a_while(party, 20)
    party[1].path.with_suffix(".secret").unlink()
    await party[1].do(Resume(party[1].path))
    assert ".secret is lost" in str(party[1].failure)
    await party[0].do(Resume(party[1].path))
    told = str(party[0].failure)
    assert ".secret is lost" in told or "somebody else" in told
    check_nothing_signed_twice(party[:1])
