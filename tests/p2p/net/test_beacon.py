"""A datagram is a table, a farewell, or nothing."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2p.base.limits import BEACON_BYTES_MAX, BEACONS_BURST_MAX
from p2p.base.wire import encode
from p2p.net import beacon
from p2p.net.announcements import OPTIONS_LETTERS_MAX, Sightings, TableAd
from p2p.net.interfaces import interfaces_up
from p2p.net.presence import Presence, new_presence
from tests.limits import HANGS_S

AD = TableAd("0123456789abcdef", "Ada's table", "carta", 3, 1, bytes(32), "10.0.0.7", 4000)


@pytest.fixture(autouse=True)
def private_port(monkeypatch: pytest.MonkeyPatch) -> int:
    """A port of this test's own, so that nothing else on this machine is heard."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("", 0))
        port: int = free.getsockname()[1]
    monkeypatch.setattr(beacon, "BEACON_PORT", port)
    return port


async def test_the_address_of_a_table_is_where_its_beacon_came_from() -> None:
    sightings = Sightings()
    beacon.take_in(sightings, encode(["hostless", *AD.plain()]), "10.0.0.7")
    assert sightings.current == (replace(AD, heard_by="beacon"),)


async def test_a_farewell_is_believed_from_the_same_address_only() -> None:
    sightings = Sightings()
    farewell = encode(["hostless gone", AD.table_id, AD.opener])
    beacon.take_in(sightings, encode(["hostless", *AD.plain()]), "10.0.0.7")
    beacon.take_in(sightings, farewell, "10.0.0.66")
    assert len(sightings.current) == 1
    beacon.take_in(sightings, farewell, "10.0.0.7")
    assert sightings.current == ()


@pytest.mark.parametrize(
    "datagram",
    [
        b"",
        b"\xff" * 1024,
        encode("hostless"),
        encode([]),
        encode(["another", *AD.plain()]),
        encode(["hostless", *AD.plain(), 0]),
        encode(["hostless", *AD.plain()])[:-1],
        encode(["hostless gone", AD.table_id, b"short"]),
    ],
)
async def test_garbage_is_ignored_and_counted(datagram: bytes) -> None:
    sightings = Sightings()
    beacon.take_in(sightings, datagram, "10.0.0.66")
    assert sightings.current == ()
    assert sightings.ignored_count == 1


@given(st.binary(max_size=BEACON_BYTES_MAX))
def test_no_datagram_raises_anything(datagram: bytes) -> None:
    sightings = Sightings()

    async def take_in() -> None:
        beacon.take_in(sightings, datagram, "10.0.0.66")

    trio.run(take_in)
    assert sightings.ignored_count == 1


def test_the_longest_announcement_fits_a_datagram() -> None:
    longest = replace(AD, name="가" * 32, game="g" * 32, options="😀" * OPTIONS_LETTERS_MAX)
    assert len(encode(["hostless", *longest.plain()])) <= BEACON_BYTES_MAX


async def wait_until(sightings: Sightings, ad: TableAd, *, is_seen: bool) -> None:
    """Wait until a table is in sight, or no longer."""
    with trio.fail_after(HANGS_S):
        async for tables in sightings:
            if is_seen == (ad.key in {table.key for table in tables}):
                return


async def test_a_table_is_heard_and_forgotten_by_beacon_alone() -> None:
    ad = replace(AD, table_id="beac0beac0beac00")
    sightings = Sightings()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon.listen, sightings)
        await trio.testing.wait_all_tasks_blocked()
        async with trio.open_nursery() as voices:
            voices.start_soon(lambda: beacon.broadcast(lambda: ad, is_local=True))
            await wait_until(sightings, ad, is_seen=True)
            voices.cancel_scope.cancel()
        await wait_until(sightings, ad, is_seen=False)
        nursery.cancel_scope.cancel()
    assert sightings.troubles == {}


async def test_a_seat_is_heard_until_it_says_farewell() -> None:
    seat = new_presence(bytes(32), 0, 4000)
    tell, told = trio.open_memory_channel[Presence | bytes](100)

    async with trio.open_nursery() as nursery:

        def notice(heard: Presence, _: str) -> None:
            tell.send_nowait(heard)

        nursery.start_soon(beacon.listen_for_seats, notice, tell.send_nowait)
        await trio.testing.wait_all_tasks_blocked()
        with trio.fail_after(HANGS_S):
            async with trio.open_nursery() as voices:
                voices.start_soon(lambda: beacon.broadcast_seat(seat, is_local=True))
                assert await told.receive() == seat
                voices.cancel_scope.cancel()
            while (said := await told.receive()) == seat:
                pass
        nursery.cancel_scope.cancel()
    assert said == seat.salt


async def test_several_listen_and_whoever_stays_goes_on_hearing() -> None:
    """All in one program share an ear, which the first of them has opened."""
    first, second = Sightings(), Sightings()
    one, another = (replace(AD, table_id=letter * 16) for letter in "ab")
    async with trio.open_nursery() as staying, trio.open_nursery() as nursery:
        async with trio.open_nursery() as leaving:
            leaving.start_soon(beacon.listen, first)
            await trio.testing.wait_all_tasks_blocked()
            staying.start_soon(beacon.listen, second)
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(lambda: beacon.broadcast(lambda: one, is_local=True))
            for heard in (first, second):
                await wait_until(heard, one, is_seen=True)
            leaving.cancel_scope.cancel()
        nursery.start_soon(lambda: beacon.broadcast(lambda: another, is_local=True))
        await wait_until(second, another, is_seen=True)
        staying.cancel_scope.cancel()
        nursery.cancel_scope.cancel()
    assert {ad.table_id for ad in first.current} == {one.table_id}


async def test_whoever_cannot_listen_is_told_why_each_for_itself(private_port: int) -> None:
    heard = [Sightings(), Sightings()]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken, trio.move_on_after(HANGS_S):
        taken.bind(("", private_port))  # And it does not share.
        async with trio.open_nursery() as nursery:
            for each in heard:
                nursery.start_soon(beacon.listen, each)
            while not all(each.troubles for each in heard):
                await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()
    assert all(f"UDP port {private_port}" in each.troubles["beacon"] for each in heard)


async def test_a_flood_from_one_source_is_cut(private_port: int) -> None:
    loopback = interfaces_up(is_local=True)[0].address
    sightings = Sightings()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beacon.listen, sightings)
        await trio.testing.wait_all_tasks_blocked()
        with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as voice:
            for number in range(4 * BEACONS_BURST_MAX):
                flood = replace(AD, table_id=f"{number:08x}")
                await voice.sendto(encode(["hostless", *flood.plain()]), (loopback, private_port))
        with trio.fail_after(HANGS_S):
            while sightings.ignored_count < 2 * BEACONS_BURST_MAX:
                await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    assert len(sightings.current) < 2 * BEACONS_BURST_MAX
