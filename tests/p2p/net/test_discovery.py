"""Tables appear by themselves, change, and disappear; on this machine's loopback."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest
import trio

from p2p.base.names import NameRefused
from p2p.net import beacon
from p2p.net.announcements import Way
from p2p.net.discovery import Sightings, TableAd, announcing, browsing
from tests.limits import HANGS_S

SEEN_WITHIN_S = 3.0
TICK_S = 0.02


def make_ad() -> TableAd:
    """A table that no other run of these tests announces."""
    name = "Ada's 테이블"
    return TableAd(secrets.token_hex(8), name, "carta", 3, 1, secrets.token_bytes(32), "", 4000)


async def wait_for(sightings: Sightings, ad: TableAd, taken: int | None, way: Way | None) -> float:
    """How many seconds until the table is seen with so many seats taken; gone, if None.

    They are counted by a clock beside it in this process: where the machine is busy with something
    else, both come to nothing, and only what the program itself takes is counted.
    """
    ticks: list[None] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(count, ticks)
        await _wait_for(sightings, ad, taken, way)
        nursery.cancel_scope.cancel()
    return len(ticks) * TICK_S


async def count(ticks: list[None]) -> None:
    """Tick."""
    while True:
        await trio.sleep(TICK_S)
        ticks.append(None)


async def _wait_for(sightings: Sightings, ad: TableAd, taken: int | None, way: Way | None) -> None:
    with trio.fail_after(HANGS_S):
        async for tables in sightings:
            seen = {table.key: table for table in tables}.get(ad.key)
            if taken is None and seen is None:
                break
            if seen is not None and seen.taken == taken and way in (None, seen.heard_by):
                assert (seen.port, seen.name) == (ad.port, ad.name)
                assert seen.host.startswith("127."), "only loopback was spoken on"
                break


async def test_a_table_appears_changes_and_disappears_within_three_seconds() -> None:
    ad = make_ad()
    async with browsing(is_local=True) as sightings:
        async with announcing(ad, is_local=True) as update:
            assert await wait_for(sightings, ad, 1, None) < SEEN_WITHIN_S
            update(replace(ad, taken=2))
            assert await wait_for(sightings, ad, 2, None) < SEEN_WITHIN_S
        assert await wait_for(sightings, ad, None, None) < SEEN_WITHIN_S
        assert sightings.troubles == {}


async def test_dns_sd_alone_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    async def say_nothing(*_: object, **__: object) -> None: ...

    monkeypatch.setattr(beacon, "broadcast", say_nothing)
    ad = replace(make_ad(), options="deal=draft " * 9)
    async with announcing(ad, is_local=True) as update, browsing(is_local=True) as sightings:
        assert await wait_for(sightings, ad, 1, "dns-sd") < SEEN_WITHIN_S
        for taken in (2, 3, 2, 3):
            update(replace(ad, taken=taken))
        assert await wait_for(sightings, ad, 3, "dns-sd") < SEEN_WITHIN_S
        (seen,) = [table for table in sightings.current if table.key == ad.key]
        assert seen.options == ad.options
        assert not seen.is_joinable


async def test_looking_starts_at_once_and_shows_the_empty_lan() -> None:
    async with browsing(is_local=True) as sightings:
        with trio.fail_after(HANGS_S):
            assert isinstance(await anext(sightings), tuple)


async def test_a_table_with_a_name_that_nobody_would_show_is_not_announced() -> None:
    with pytest.raises(NameRefused):
        async with announcing(replace(make_ad(), name="x" * 10_000), is_local=True):
            pytest.fail("it was announced")
