"""After the end of a game people talk on at their table, until they leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from core.games import GAMES
from p2p.session.commands import JoinTable, Leave, OpenTable, SayLine
from p2p.session.news import Gathering, News, SaidLine, TableChanged
from p2p.table.node import Node
from tests.p2p.beads import BEADS
from tests.p2p.nodes import HERE, PATIENCE_S, Person, check_same_clean_files, people


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


def is_over(news: News) -> bool:
    return isinstance(news, TableChanged) and news.is_finished


def hears(text: str, person: Person) -> bool:
    return any(isinstance(news, SaidLine) and news.text == text for news in person.news)


async def test_people_talk_on_after_the_end_until_one_of_them_leaves(tmp_path: Path) -> None:
    ada, bert = people(tmp_path, 2)
    nodes = [Node(each.receive, replace(each.config, talks_on=True)) for each in (ada, bert)]
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for node in nodes:
                node.serve_in(nursery)
            await nodes[0].obey(OpenTable("beads", 2, is_local=True))
            await ada.until(lambda news: isinstance(news, Gathering))
            await nodes[1].obey(JoinTable(f"{HERE}:{ada.port}", is_local=True))
            for person in (ada, bert):
                await person.until(is_over)
            await nodes[0].obey(SayLine("well played"))
            await bert.until(lambda news: hears("well played", bert))
            await nodes[1].obey(SayLine("thank you"))
            await ada.until(lambda news: hears("thank you", ada))
            await nodes[1].obey(Leave())
            await nodes[0].idle()  # Nobody is left who would hear.
    check_same_clean_files([ada, bert])


def is_played(news: News) -> bool:
    return isinstance(news, TableChanged) and news.view.is_over


@pytest.mark.parametrize("turn", range(6))  # Who is sooner is left to chance.
async def test_whoever_leaves_as_all_is_played_has_the_result_in_the_file(
    turn: int, tmp_path: Path
) -> None:
    """Who wanted to play again at once had a game without a winner, and nobody to finish it.

    In one run of six one of them left before its own signature was sent, and the other had none.
    """
    ada, bert = people(tmp_path, 2)
    nodes = [Node(each.receive, each.config) for each in (ada, bert)]

    async def leave(node: Node, person: Person) -> None:
        await person.until(is_played)
        await node.obey(Leave())

    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for node in nodes:
                node.serve_in(nursery)
            await nodes[0].obey(OpenTable("beads", 2, is_local=True))
            await ada.until(lambda news: isinstance(news, Gathering))
            await nodes[1].obey(JoinTable(f"{HERE}:{ada.port}", is_local=True))
            async with trio.open_nursery() as leaving:
                for node, person in zip(nodes, (ada, bert), strict=True):
                    leaving.start_soon(leave, node, person)
            for node in nodes:
                await node.idle()
            nursery.cancel_scope.cancel()
    check_same_clean_files([ada, bert])
