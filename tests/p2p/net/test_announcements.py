"""What is known of the LAN stays true, bounded, and nobody's to divert."""

from __future__ import annotations

from dataclasses import replace

import trio
from trio.testing import MockClock

from p2p.base.limits import SOURCES_MAX, TABLES_SEEN_MAX
from p2p.net.admission import RateLimit
from p2p.net.announcements import Sightings, TableAd

AD = TableAd("0123456789abcdef", "Ada's table", "carta", 3, 1, bytes(32), "10.0.0.7", 4000)
BEACON = replace(AD, heard_by="beacon")
DNS_SD = replace(AD, heard_by="dns-sd")


async def test_a_table_heard_twice_is_shown_once() -> None:
    sightings = Sightings()
    sightings.receive(BEACON)
    sightings.receive(DNS_SD)
    assert sightings.current == (DNS_SD,)
    sightings.lose(AD.key, "dns-sd", AD.host)
    assert sightings.current == (BEACON,)


async def test_the_sender_of_a_beacon_knows_its_address_best() -> None:
    sightings = Sightings()
    sightings.receive(replace(DNS_SD, host="172.17.0.1"))
    sightings.receive(BEACON)
    assert sightings.current == (replace(DNS_SD, more_hosts=("172.17.0.1",)),)
    assert sightings.current[0].places == [(AD.host, AD.port), ("172.17.0.1", AD.port)]


async def test_a_second_voice_cannot_divert_a_table() -> None:
    sightings = Sightings()
    sightings.receive(BEACON)
    sightings.receive(replace(BEACON, host="10.0.0.66"))
    sightings.lose(AD.key, "beacon", "10.0.0.66")
    sightings.receive(replace(BEACON, host="10.0.0.66", opener=b"\x01" * 32))
    assert {(ad.host, ad.opener) for ad in sightings.current} == {
        (AD.host, AD.opener),
        ("10.0.0.66", b"\x01" * 32),
    }


async def test_a_silent_table_is_forgotten_in_time(autojump_clock: MockClock) -> None:
    sightings = Sightings()
    sightings.receive(BEACON, expiry_s=4)
    await trio.sleep(3)
    sightings.forget_silent()
    assert sightings.current == (BEACON,)
    sightings.receive(BEACON, expiry_s=4)
    await trio.sleep(3)
    sightings.forget_silent()
    assert sightings.current == (BEACON,)
    await trio.sleep(2)
    sightings.forget_silent()
    assert sightings.current == ()


async def test_a_flood_of_tables_is_bounded_and_counted() -> None:
    sightings = Sightings()
    for number in range(10 * TABLES_SEEN_MAX):
        sightings.receive(replace(BEACON, table_id=f"{number:08x}"))
    assert len(sightings.current) == TABLES_SEEN_MAX
    assert sightings.ignored_count == 9 * TABLES_SEEN_MAX
    sightings.receive(DNS_SD)
    assert DNS_SD in sightings.current, "one way cannot crowd out the other"


async def test_whoever_announces_most_makes_room_for_others() -> None:
    sightings = Sightings()
    for number in range(2 * TABLES_SEEN_MAX):
        sightings.receive(replace(BEACON, table_id=f"{number:08x}", host="10.0.0.66"))
    honest = [replace(BEACON, table_id=f"{number:016x}", host=f"10.0.1.{number}")
              for number in range(25)]  # fmt: skip
    for ad in [*honest, *honest]:
        sightings.receive(ad)
    assert set(honest) < set(sightings.current)
    assert len(sightings.current) == TABLES_SEEN_MAX
    assert replace(BEACON, table_id="00000000", host="10.0.0.66") in sightings.current, "the first"


async def test_hosts_with_as_many_tables_do_not_push_each_other_out() -> None:
    sightings = Sightings()
    early = [replace(BEACON, table_id=f"{number:08x}", host=f"10.0.{number}.1")
             for number in range(TABLES_SEEN_MAX)]  # fmt: skip
    for ad in [*early, replace(BEACON, host="10.0.0.66")]:
        sightings.receive(ad)
    assert set(sightings.current) == set(early)


async def test_every_change_is_shown_and_nothing_else(autojump_clock: MockClock) -> None:
    sightings = Sightings()
    assert await anext(sightings) == ()
    sightings.receive(BEACON)
    assert await anext(sightings) == (BEACON,)
    sightings.receive(BEACON)
    sightings.ignore()
    with trio.move_on_after(60) as waiting:
        await anext(sightings)
    assert waiting.cancelled_caught
    sightings.receive(replace(BEACON, taken=2))
    assert await anext(sightings) == (replace(BEACON, taken=2),)


async def test_a_source_is_listened_to_at_a_bounded_rate(autojump_clock: MockClock) -> None:
    rate = RateLimit(per_s=2, burst=3)
    assert [rate.allows("eve") for _ in range(5)] == [True, True, True, False, False]
    assert rate.allows("ada"), "the others are heard"
    await trio.sleep(1.01)
    assert [rate.allows("eve") for _ in range(3)] == [True, True, False]
    await trio.sleep(3600)
    assert [rate.allows("eve") for _ in range(4)] == [True, True, True, False]


async def test_forged_sources_do_not_fill_the_memory() -> None:
    rate = RateLimit(per_s=1, burst=1)
    allowed = [rate.allows(str(number)) for number in range(3 * SOURCES_MAX)]
    assert all(allowed)
    assert rate.source_count == SOURCES_MAX
