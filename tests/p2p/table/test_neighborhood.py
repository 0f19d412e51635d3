"""What a program says of its person: nothing, unless the person allows it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
import trio

from p2p.base.limits import PERSON_INTERVAL_S
from p2p.net import beacon
from p2p.net.people import LOBBY, SOME_TABLE, Neighbor
from p2p.session.commands import BeSeen, Command, Leave, OpenTable
from p2p.session.news import Gathering, PeopleSeen
from p2p.table.neighborhood import Neighborhood
from p2p.table.node import run_node
from tests.limits import HANGS_S
from tests.p2p.nodes import people

ME, ADA = b"m" * 32, b"a" * 32
TABLE = ("0123456789abcdef", b"o" * 32)


class Network:
    """A shout that remembers."""

    def __init__(self) -> None:
        self.said: list[tuple[Neighbor, bool]] = []

    def shout(self, person: Neighbor, *, is_gone: bool = False) -> None:
        self.said.append((person, is_gone))


def test_nothing_is_said_of_whoever_does_not_allow_it() -> None:
    network = Network()
    neighborhood = Neighborhood(ME, "me", network.shout)
    neighborhood.sit(TABLE)
    neighborhood.get_up()
    neighborhood.be_seen(False)
    assert network.said == []


def test_where_i_sit_is_said_when_it_changes() -> None:
    network = Network()
    neighborhood = Neighborhood(ME, "me", network.shout)
    neighborhood.be_seen(True)
    neighborhood.sit(TABLE)
    neighborhood.stay()
    neighborhood.get_up()
    neighborhood.stay()
    neighborhood.be_seen(False)
    lobby, there, elsewhere = (Neighbor(ME, "me", where) for where in (LOBBY, TABLE, SOME_TABLE))
    assert network.said == [
        (lobby, False),
        *((lobby, True), (there, False)),
        *((there, True), (lobby, False)),
        *((lobby, True), (elsewhere, False)),
        (elsewhere, True),
    ]


@pytest.fixture(autouse=True)
def private_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port of this test's own, so that nobody else on this machine is heard."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("", 0))
        monkeypatch.setattr(beacon, "BEACON_PORT", free.getsockname()[1])


async def test_it_is_said_again_and_others_are_told_of(autojump_clock: trio.abc.Clock) -> None:
    network, heard = Network(), list[PeopleSeen]()
    neighborhood = Neighborhood(ME, "me", network.shout)
    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            for _ in range(2):
                neighborhood.begin(nursery, heard.append)
            await trio.sleep(PERSON_INTERVAL_S)
            assert not network.said
            neighborhood.be_seen(True)
            await trio.sleep(3 * PERSON_INTERVAL_S)
            for number in range(50):  # In no time: a screen is told once.
                neighborhood.hear(Neighbor(ADA, "ada", (f"{number:08x}", ADA)), "10.0.0.7", True)
            await trio.sleep(PERSON_INTERVAL_S)
            nursery.cancel_scope.cancel()
    assert network.said[:3] == [(Neighbor(ME, "me"), False)] * 3
    assert network.said[-1] == (Neighbor(ME, "me"), True), "a farewell"
    assert len(heard) == 1 and len(heard[0].people) == 50


async def test_nodes_say_where_their_persons_sit(tmp_path: Path) -> None:
    """At an announced table, in the lobby again, and gone with the program."""
    ada, bert = people(tmp_path, 2)
    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            to_bert, asked = trio.open_memory_channel[Command](8)
            nursery.start_soon(run_node, asked, bert.receive, bert.config)
            to_ada, asked = trio.open_memory_channel[Command](8)
            nursery.start_soon(run_node, asked, ada.receive, ada.config)
            await to_bert.send(BeSeen(False))
            await to_ada.send(BeSeen(True))
            await to_ada.send(OpenTable("carta", 2))
            gathering = await ada.until(lambda news: isinstance(news, Gathering))
            assert isinstance(gathering, Gathering)
            identity = ada.config.identity.public
            at_table = Neighbor(identity, "ada", gathering.table.key)
            await bert.until(lambda news: news == PeopleSeen((at_table,)))
            await to_ada.send(Leave())
            await bert.until(lambda news: news == PeopleSeen((Neighbor(identity, "ada"),)))
            await to_ada.aclose()
            await bert.until(lambda news: news == PeopleSeen(()))
            await to_bert.aclose()
    assert not [news for news in ada.news if isinstance(news, PeopleSeen)]
