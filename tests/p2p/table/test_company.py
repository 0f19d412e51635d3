"""What a program says of its person: nothing, unless the person allows it."""

from __future__ import annotations

import socket

import pytest
import trio

from p2p.base.limits import PERSON_INTERVAL_S
from p2p.net import beacon
from p2p.net.people import LOBBY, SOME_TABLE, Neighbor
from p2p.session.news import PeopleSeen
from p2p.table.company import Company
from tests.limits import HANGS_S

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
    company = Company(ME, "me", network.shout)
    company.sit(TABLE)
    company.get_up()
    company.be_seen(False)
    assert network.said == []


def test_where_i_sit_is_said_when_it_changes() -> None:
    network = Network()
    company = Company(ME, "me", network.shout)
    company.be_seen(True)
    company.sit(TABLE)
    company.stay()
    company.get_up()
    company.stay()
    company.be_seen(False)
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
    company = Company(ME, "me", network.shout)
    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            for _ in range(2):
                company.begin(nursery, heard.append)
            await trio.sleep(PERSON_INTERVAL_S)
            assert not network.said
            company.be_seen(True)
            await trio.sleep(3 * PERSON_INTERVAL_S)
            for number in range(50):  # In no time: a screen is told once.
                company.hear(Neighbor(ADA, "ada", (f"{number:08x}", ADA)), "10.0.0.7", True)
            await trio.sleep(PERSON_INTERVAL_S)
            nursery.cancel_scope.cancel()
    assert network.said[:3] == [(Neighbor(ME, "me"), False)] * 3
    assert network.said[-1] == (Neighbor(ME, "me"), True), "a farewell"
    assert len(heard) == 1 and len(heard[0].people) == 50
