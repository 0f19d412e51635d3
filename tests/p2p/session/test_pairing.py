"""Words that a table compares aloud: the same for all who sit at it, and for nobody in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from core.errors import HostlessError
from p2p.crypto.keys import make_key
from p2p.session.commands import Compared, JoinTable, OpenTable
from p2p.session.news import Gathering, News, TableChanged
from p2p.session.pairing import FILE_NAME, Acquaintances, table_words
from p2p.table.node import Node
from tests.p2p.nodes import HERE, PATIENCE_S, Person, has_entries, people, sitting_down

GAME = bytes(32)


def test_the_words_follow_from_the_table_and_every_key_in_its_order() -> None:
    keys = tuple(make_key()[1] for _ in range(3))
    words = table_words(GAME, keys)
    assert len(words.split()) == 4
    others = [
        table_words(bytes([1]) * 32, keys),
        table_words(GAME, keys[::-1]),
        table_words(GAME, keys[:2]),
        table_words(GAME, (*keys[:2], make_key()[1])),
    ]
    assert words not in others


def test_somebody_met_once_is_known_at_the_next_start(tmp_path: Path) -> None:
    ann, ben = bytes([1]) * 32, bytes([2]) * 32
    here = Acquaintances(tmp_path)
    assert here.strangers([ann, ben]) == [ann, ben]
    here.meet([ann])
    assert here.strangers([ann, ben]) == Acquaintances(tmp_path).strangers([ann, ben]) == [ben]


def test_a_line_that_is_torn_or_no_identity_is_nobody(tmp_path: Path) -> None:
    ann = bytes([1]) * 32
    Acquaintances(tmp_path).meet([ann])
    path = tmp_path / FILE_NAME
    path.write_text(path.read_text() + "zz\n" + "ab" * 31 + "\n" + "\u00e9" * 64, "utf-8")
    assert Acquaintances(tmp_path).strangers([ann, bytes(32)]) == [bytes(32)]


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(HostlessError, match="cannot read"):
        Acquaintances(tmp_path).strangers([bytes(32)])


def snapshots(person: Person) -> list[TableChanged]:
    """The snapshots of a table with keys that somebody saw."""
    return [news for news in person.news if isinstance(news, TableChanged) and news.pairing]


async def test_everybody_at_a_table_reads_the_same_words_and_who_is_a_stranger(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 3)
    Acquaintances(party[0].home).meet([party[1].config.identity.public])
    async with sitting_down(party):
        for person in party:
            await person.until(has_entries(8))
        for person in party:
            person.stop()
    assert len({snapshot.pairing for person in party for snapshot in snapshots(person)}) == 1
    strangers = [snapshots(person)[-1].strangers for person in party]
    assert strangers == [(party[2].name,), (party[0].name, party[2].name), tuple(
        person.name for person in party[:2]
    )]  # fmt: skip


async def test_whoever_has_compared_the_words_sees_no_strangers_any_more(tmp_path: Path) -> None:
    host, guest = people(tmp_path, 2)
    node = Node(host.receive, host.config)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            node.serve_in(nursery)
            await node.obey(OpenTable("carta", 2, is_local=True))
            await host.until(lambda news: isinstance(news, Gathering))
            nursery.start_soon(guest.do, JoinTable(f"{HERE}:{host.port}", is_local=True))
            await host.until(lambda news: isinstance(news, TableChanged) and bool(news.strangers))
            await node.obey(Compared())
            await host.until(
                lambda news: isinstance(news, TableChanged) and bool(news.pairing)
                and not news.strangers
            )  # fmt: skip
            nursery.cancel_scope.cancel()
    assert not Acquaintances(host.home).strangers([guest.config.identity.public])


async def test_of_those_who_are_asked_at_once_the_snapshot_says_who_has_answered(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 3)
    ada, grace, mary = party
    grace.pause = mary.pause = trio.Event()

    def has_chosen(*seats: int) -> Callable[[News], bool]:
        return lambda news: isinstance(news, TableChanged) and news.chosen == seats

    async with sitting_down(party, {"deal": "draft"}):
        await grace.until(lambda news: isinstance(news, TableChanged) and bool(news.view.offers))
        for person in party:
            news = await person.until(has_chosen(0))
            assert isinstance(news, TableChanged) and news.view.to_act == (0, 1, 2)
            assert bool(news.view.offers) == (person is not ada)
        grace.pause.set()
        for person in party:
            await person.until(
                lambda news: isinstance(news, TableChanged) and news.event_count > 20
            )
            person.stop()
