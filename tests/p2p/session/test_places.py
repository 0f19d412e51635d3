"""Where a seat may be is heard from many, believed from nobody, and bounded."""

from __future__ import annotations

from typing import cast

import pytest
import trio
from trio.testing import MockClock

from core.games import GAMES
from p2p.base.errors import BadSignature, MalformedFrame
from p2p.base.limits import PLACES_ANNOUNCED_MAX, PLACES_BURST_MAX, PLACES_GIVEN_MAX
from p2p.log.secrets_file import SecretsFile
from p2p.net.link import Address
from p2p.session.places import Places
from tests.p2p.beads import BEADS
from tests.p2p.room import Room

FIRST: list[Address] = [("", 4000), ("10.0.0.1", 4001), ("10.0.0.2", 4002)]


@pytest.fixture(autouse=True)
def beads_are_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the smallest game be found."""
    monkeypatch.setitem(GAMES, "beads", BEADS)


class Memory:
    """What a secrets file keeps."""

    def __init__(self) -> None:
        self.addresses = list(FIRST)
        self.places: dict[int, list[object]] = {}

    def keep_addresses(self, addresses: list[Address]) -> None:
        self.addresses = list(addresses)

    def keep_place(self, seat: int, message: list[object]) -> None:
        self.places[seat] = message


def table(memory: Memory | None = None) -> tuple[Places, list[Places], list[int]]:
    """My places at a table of three (seat 0), everybody's, and the seats I was told of."""
    everybody = [Places(replica) for replica in Room(3, game="beads").replicas]
    told: list[int] = []
    everybody[0].remember(cast("SecretsFile", memory or Memory()))
    everybody[0].on_news = told.append
    return everybody[0], everybody, told


async def test_a_seat_is_first_looked_for_where_it_was_heard_last() -> None:
    mine, (_, other, _), told = table()
    assert mine.of(1) == [("10.0.0.1", 4001)]
    mine.give([("10.9.9.9", 9)])
    said = other.stay([("10.0.0.7", 4007), ("fe80::7", 4007)])
    assert said is not None and mine.receive(said)
    mine.announce(1, ("10.0.0.8", 4008))
    assert mine.of(1) == [
        ("10.0.0.8", 4008), ("10.9.9.9", 9), ("10.0.0.7", 4007), ("fe80::7", 4007),
        ("10.0.0.1", 4001),
    ]  # fmt: skip
    assert mine.of(2) == [("10.9.9.9", 9), ("10.0.0.2", 4002)]
    assert told == [1, 1]


async def test_nothing_is_kept_any_more_when_the_files_of_the_game_are_closed() -> None:
    memory = Memory()
    mine, (_, other, _), _ = table(memory)
    mine.forget_memory()
    said = other.stay([("10.0.0.7", 4007)])
    assert said is not None and mine.receive(said)
    mine.link(1, "10.0.0.9", 4009)
    assert mine.of(1)[0] == ("10.0.0.9", 4009)  # It is known, for as long as this lasts,
    assert memory.addresses == FIRST and memory.places == {}  # and not written down.


async def test_what_is_heard_again_is_no_news() -> None:
    mine, (_, other, _), told = table()
    said = other.stay([("10.0.0.7", 4007)])
    assert said is not None and mine.receive(said) and not mine.receive(said)
    for _ in range(5):
        mine.announce(1, ("10.0.0.7", 4007))
    assert told == [1]
    assert other.stay([("10.0.0.7", 4007)]) is None, "nobody is told twice"


async def test_an_older_word_does_not_take_the_place_of_a_newer_one() -> None:
    mine, (_, other, _), _ = table()
    older, newer = other.stay([("10.0.0.7", 1)]), other.stay([("10.0.0.8", 2)])
    assert older is not None and newer is not None
    assert mine.receive(newer) and not mine.receive(older)
    assert mine.of(1)[0] == ("10.0.0.8", 2)


@pytest.mark.parametrize(
    ("place", "value", "error"),
    [
        (1, 2, BadSignature),
        (2, 7, BadSignature),
        (3, [["10.0.0.66", 4000]], BadSignature),
        (4, bytes(64), BadSignature),
        (1, 9, MalformedFrame),
        (1, True, MalformedFrame),
        (2, 0, MalformedFrame),
        (2, 1 << 32, MalformedFrame),
        (3, [["localhost", 4000]], MalformedFrame),
        (3, [["224.0.0.251", 4000]], MalformedFrame),
        (3, [["fe80::1%$(x)", 4000]], MalformedFrame),
        (3, [["10.0.0.66", 0]], MalformedFrame),
        (3, [["10.0.0.66", 1]] * 9, MalformedFrame),
        (4, "no bytes", MalformedFrame),
    ],
)
async def test_nobody_says_for_another_where_it_is(
    place: int, value: object, error: type[Exception]
) -> None:
    mine, (_, other, _), told = table()
    said = other.stay([("10.0.0.7", 4007)])
    assert said is not None
    said[place] = value
    with pytest.raises(error):
        mine.receive(said)
    assert not told and mine.of(1) == [("10.0.0.1", 4001)]


async def test_a_word_of_another_game_is_none() -> None:
    mine, _, _ = table()
    said = Places(Room(3, game="beads").replicas[1]).stay([("10.0.0.7", 4007)])
    assert said is not None
    with pytest.raises(BadSignature):
        mine.receive(said)


async def test_a_flood_of_places_is_bounded_and_does_not_hurry_us(
    autojump_clock: MockClock,
) -> None:
    mine, (_, other, _), told = table()
    for number in range(100):
        mine.announce(1, ("10.0.0.66", 1000 + number))
        said = other.stay([("10.0.0.66", 5000 + number)])
        assert said is not None
        mine.receive(said)
    mine.give([("10.9.9.9", 1 + number) for number in range(100)])
    assert len(mine.of(1)) <= PLACES_ANNOUNCED_MAX + PLACES_GIVEN_MAX + 2
    assert len(told) == PLACES_BURST_MAX
    mine.announce(1, ("10.0.0.7", 4007))
    assert mine.of(1)[0] == ("10.0.0.7", 4007), "whoever speaks last is tried first"
    await trio.sleep(60)
    mine.announce(1, ("10.0.0.7", 4008))
    assert len(told) == PLACES_BURST_MAX + 1


async def test_forged_places_do_not_keep_somebody_from_being_found(
    autojump_clock: MockClock,
) -> None:
    mine, (_, other, _), _ = table()
    for _ in range(2 * PLACES_BURST_MAX):
        with pytest.raises(BadSignature):
            mine.receive(["at", 1, 1, [["10.0.0.66", 5000]], bytes(64)])
    said = other.stay([("10.0.0.7", 4007)])
    assert said is not None and mine.receive(said)


async def test_a_link_says_where_a_seat_is_and_that_is_kept() -> None:
    memory = Memory()
    mine, (_, other, _), _ = table(memory)
    mine.link(1, "10.0.0.7", None)
    assert memory.addresses == [("", 4000), ("10.0.0.7", 4001), ("10.0.0.2", 4002)]
    mine.link(1, "10.0.0.8", 4444)
    assert memory.addresses[1] == ("10.0.0.8", 4444)
    said = other.stay([("10.0.0.9", 5000)])
    assert said is not None and mine.receive(said)
    again = Places(mine._replica)
    again.remember(cast("SecretsFile", memory))
    assert again.of(1) == [("10.0.0.9", 5000), ("10.0.0.8", 4444)]


async def test_whoever_has_lost_its_file_finds_out_how_often_it_has_moved() -> None:
    mine, (_, other, _), _ = table()
    for number in range(5):
        said = other.stay([("10.0.0.7", 4000 + number)])
        assert said is not None
        mine.receive(said)
    anew = Places(other._replica)
    ignored = anew.stay([("10.0.0.8", 4000)])
    assert ignored is not None and not mine.receive(ignored)
    for message in mine.greeting(2):
        anew.receive(message)
    said = anew.stay([("10.0.0.8", 4000)])
    assert said is not None and mine.receive(said)


async def test_a_newcomer_is_told_where_everybody_is_but_itself() -> None:
    mine, (_, one, other), _ = table()
    for each in (one, other):
        said = each.stay([("10.0.0.7", 4007)])
        assert said is not None
        mine.receive(said)
    assert mine.stay([("10.0.0.4", 4004)]) is not None
    assert [message[1] for message in mine.greeting(2)] == [0, 1]
