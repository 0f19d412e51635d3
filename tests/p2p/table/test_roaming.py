"""A table of real nodes that quit and come back somewhere else, on this machine's loopback."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Interface
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from p2p.base.limits import NETWORK_POLL_S
from p2p.log.secrets_file import SecretsFile
from p2p.net.interfaces import Interface
from p2p.net.link import Address
from p2p.net.presence import new_presence
from p2p.session.commands import Resume
from p2p.session.news import Notice
from p2p.session.session import Session
from p2p.table import mesh, roaming
from tests.p2p.nodes import (
    HERE,
    PATIENCE_S,
    Person,
    check_one_log,
    has_entries,
    people,
    play_a_while,
)


def kept_addresses(person: Person) -> list[tuple[str, int]]:
    """Where the seats were when this person got up."""
    secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
    secrets.close()
    return secrets.addresses


@contextmanager
def ports_taken(party: list[Person], first: int = 0) -> Iterator[None]:
    """Somebody else listens where these persons did, from the seat `first` on."""
    with ExitStack() as stack:
        for seat, person in list(enumerate(party))[first:]:
            other = stack.enter_context(socket.socket())
            # A link that this port has closed may still be waiting for late packets.
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind((HERE, kept_addresses(person)[seat][1]))
            other.listen()
        yield


async def resume(party: list[Person], entries: int, at: dict[int, tuple[str, ...]]) -> None:
    """Everybody sits down again until all have seen so many entries."""
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            for seat, person in enumerate(party):
                person.news.clear()
                nursery.start_soon(person.do, Resume(person.path, at.get(seat, ())))
            for person in party:
                await person.until(has_entries(entries))
            for person in party:
                person.stop()


async def test_seats_whose_ports_are_all_taken_find_each_other(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=71)
    await play_a_while(party, 30)
    before = [kept_addresses(person) for person in party]
    with ports_taken(party):
        await resume(party, 50, {})
    for seat, person in enumerate(party):
        assert kept_addresses(person)[seat] != before[seat][seat]
        told = [news.text for news in person.news if isinstance(news, Notice)]
        assert sum("is taken" in text for text in told) == 1, told
    check_one_log(party)


async def test_without_announcements_somebody_says_where_one_of_the_others_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third is found through the first."""
    party = people(tmp_path, 3, seed=72)
    await play_a_while(party, 30)

    async def be_silent(*_: object, **__: object) -> None: ...

    monkeypatch.setattr(roaming.beacon, "broadcast_seat", be_silent)
    first = f"{HERE}:{kept_addresses(party[0])[0][1]}"
    with ports_taken(party, first=1):
        for person in party[1:]:
            _forget_all_addresses(person)
        await resume(party, 50, {1: (first,), 2: (first,)})
    check_one_log(party)


def _forget_all_addresses(person: Person) -> None:
    """Let somebody know only where nobody is."""
    secrets = SecretsFile.reopen(person.path.with_suffix(".secret"))
    secrets.keep_addresses([(HERE, 9) for _ in secrets.addresses])
    secrets.close()


async def test_an_address_that_is_none_is_refused_before_anything_is_opened(
    tmp_path: Path,
) -> None:
    party = people(tmp_path, 2, seed=73)
    await play_a_while(party, 20)
    await party[0].do(Resume(party[0].path, ("nowhere",)))
    assert "is not an address" in str(party[0].failure)


async def test_whoever_is_elsewhere_announces_that_at_once(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next announcement that is due anyhow may be a second away."""
    here, there = (
        [Interface("eth0", IPv4Interface(f"10.77.0.{host}/24"), 2)] for host in (1, 101)
    )
    nowhere = [Interface("lo", IPv4Interface("127.0.0.1/8"), 1)]
    seen = iter([here, here, there, nowhere])
    told, alone = list[tuple[str, float]](), list[bool]()

    class Quiet:
        async def move(self, places: list[Address]) -> None:
            told.extend((host, trio.current_time() - began) for host, _ in places)

        def note_network(self, *, is_alone: bool) -> None:
            alone.append(is_alone)

        def moved(self, _: object) -> None:
            told.append(("moved", trio.current_time() - began))

        def shout(self, _: object) -> None:
            told.append(("shout", trio.current_time() - began))

    quiet = Quiet()
    monkeypatch.setattr(roaming, "interfaces_up", lambda: next(seen, nowhere))
    monkeypatch.setattr(roaming.beacon, "shout_seat", quiet.shout)
    session = cast("Session", SimpleNamespace(relaying=quiet, failure_detector=quiet))
    began = trio.current_time()
    with trio.move_on_after(5 * NETWORK_POLL_S):
        await roaming.follow_networks(
            session, cast("mesh.Mesh", quiet), new_presence(bytes(32), 0, 4000)
        )
    moved_s = 2 * NETWORK_POLL_S
    assert told == [
        ("10.77.0.1", 0.0), ("moved", moved_s), ("shout", moved_s), ("10.77.0.101", moved_s),
        ("moved", moved_s + NETWORK_POLL_S), ("shout", moved_s + NETWORK_POLL_S),
    ]  # fmt: skip
    assert alone == [False, False, True], "a machine with loopback alone is on no network"
