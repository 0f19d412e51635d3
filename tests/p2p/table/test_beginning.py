"""A game begins when all have it on their disks: nobody has a seat that is not on its own."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from p2p.base.identity import Identity
from p2p.base.limits import (
    HELD_UP_BY_HOST_MAX,
    HELD_UP_BY_ONE_MAX,
    KEEP_S,
    MEASURE_S,
    Role,
)
from p2p.base.roster import BotTerms, Seat, parse_roster
from p2p.net.announcements import TableAd
from p2p.net.link import Link
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import Gathering
from p2p.table import gathering
from p2p.table.gathering import SeatingList
from p2p.table.guest import Guest, SeatRefused, take_seat
from p2p.table.held_up import HASTE_S, HeldUp
from tests.p2p.nodes import HERE, PATIENCE_S, Person, check_one_log, has_entries, people
from tests.p2p.table.test_gathering import PORT, call, is_taken, open_table, roster_of, sit


async def fill_by_hand(host: Person, by: Identity | None = None) -> tuple[Link, bytes]:
    """A guest who fills a table, and says nothing when it hears so; and the game's id."""
    link = await call(host, by)
    await link.send(sit())
    while True:
        match await link.receive():
            case ["roster", value, _]:
                return link, parse_roster(value).game_id


def games(person: Person) -> list[str]:
    """The files of games of a home."""
    return sorted(file.name for file in (person.home / "games").glob("*"))


async def test_who_leaves_before_all_have_the_game_frees_its_seat_for_another(
    tmp_path: Path,
) -> None:
    """A machine that died as the game began had a seat in it, and no file to come back with."""
    host, early, late = people(tmp_path, 3, seed=44)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.do, OpenTable("carta", 3, is_local=True))
            await host.until(lambda news: isinstance(news, Gathering))
            join = JoinTable(f"{HERE}:{host.port}", is_local=True)
            nursery.start_soon(early.do, join)
            await early.until(lambda news: isinstance(news, Gathering))
            link, _ = await fill_by_hand(host)
            while not (begun := games(early)):
                await trio.lowlevel.checkpoint()
            await link.aclose()
            await host.until(lambda news: news is host.news[-1] and is_taken(news, 2))
            nursery.start_soon(late.do, join)
            for person in (host, early, late):
                await person.until(has_entries(10))
            for person in (host, early, late):
                person.stop()
    check_one_log([host, early, late])
    assert not set(begun) & set(games(early)), "the game that never began is taken away again"


async def test_who_never_says_that_it_has_the_game_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "KEEP_S", 0.2)
    async with open_table(tmp_path, 2) as host:
        link, game_id = await fill_by_hand(host)
        await link.send(["kept", game_id[::-1]])  # About another game: that does not count.
        with pytest.raises(trio.EndOfChannel):
            await link.receive()
        await host.until(lambda news: news is host.news[-1] and is_taken(news, 1))


@pytest.mark.parametrize("is_silent", [True, False])
async def test_who_lets_a_full_table_wait_again_and_again_gets_no_seat_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_silent: bool
) -> None:
    """It never says that it has the game, or is gone when the table is full."""
    monkeypatch.setattr(gathering, "KEEP_S", 0.2 if is_silent else PATIENCE_S)
    eve = Identity.generate()
    async with open_table(tmp_path, 2) as host:
        for _ in range(HELD_UP_BY_ONE_MAX):
            link, _ = await fill_by_hand(host, by=eve)
            count = len(host.news)
            if is_silent:
                with pytest.raises(trio.EndOfChannel):
                    await link.receive()
            await link.aclose()
            await host.until(lambda news, n=count: news in host.news[n:] and is_taken(news, 1))
        link = await call(host, eve)
        await link.send(sit())
        assert await link.receive() == ["refused", "this table has waited for you too often"]
        other, _ = await fill_by_hand(host)
        await link.aclose()
        await other.aclose()


class Sitting:
    """The link of a guest who says what it is told to, until it gets up."""

    peer_name = "eve"

    def __init__(self, host: str, peer: bytes = b"") -> None:
        self.remote_host, self.peer = host, peer or Identity.generate().public
        self._send, self._receive = trio.open_memory_channel[object](8)
        self.heard, self.gone = list[object](), trio.Event()

    def say(self, word: object) -> None:
        """Something, to the opener."""
        self._send.send_nowait(word)

    def become(self, role: Role) -> None: ...

    async def send(self, value: object) -> None:
        self.heard.append(value)

    async def receive(self) -> object:
        return await self._receive.receive()

    async def aclose(self) -> None:
        self.gone.set()
        self._send.close()

    @property
    def is_refused(self) -> bool:
        """Whether it gets no seat, since the table has waited too often."""
        return ["refused", "this table has waited for you too often"] in self.heard


class Filling:
    """A table of three that fills, and waits until all have the game."""

    def __init__(self, nursery: trio.Nursery, seats: int = 3) -> None:
        ad = TableAd("ab" * 8, "table", "carta", seats, 1, bytes(32), HERE, PORT)
        host = Seat(bytes(32), "host", bytes(32))
        self.seats, self._nursery = SeatingList(ad, (), host, lambda: None), nursery
        nursery.start_soon(self.seats.keep_everywhere)

    async def admit(self, *links: Sitting, terms: object = None) -> None:
        """Guests sit down, one after the other."""
        for link in links:
            word = ["sit", "eve", bytes(32), terms, b"", PORT]
            self._nursery.start_soon(self.seats.admit, cast(Link, link), word)
            await wait_all_tasks_blocked()

    def kept(self) -> list[object]:
        """What a guest says that has the game."""
        return ["kept", self.seats.roster().game_id]


@pytest.fixture
async def filling(nursery: trio.Nursery) -> Filling:
    """Such a table."""
    return Filling(nursery)


LAN_HOST = "192.0.2.7"


async def test_all_who_let_it_wait_in_one_time_are_sent_away(
    filling: Filling, autojump_clock: MockClock
) -> None:
    """Else one after the other of some who agree on it would hold the table."""
    pair = [Identity.generate().public for _ in range(2)]
    for host in ("192.0.2.7", "192.0.2.8"):
        links = [Sitting(host, peer=peer) for peer in pair]
        await filling.admit(*links)
        await trio.sleep(KEEP_S + 1)
        assert all(link.gone.is_set() and not link.is_refused for link in links)
    links = [Sitting("192.0.2.9", peer=peer) for peer in pair]
    await filling.admit(*links)
    assert all(link.is_refused for link in links)


async def test_a_new_identity_each_time_is_known_by_its_host(
    filling: Filling, autojump_clock: MockClock
) -> None:
    for _ in range(HELD_UP_BY_HOST_MAX // 2):
        await filling.admit(Sitting(LAN_HOST), Sitting(LAN_HOST))
        await trio.sleep(KEEP_S + 1)
    newcomer, elsewhere, here = Sitting(LAN_HOST), Sitting("192.0.2.8"), Sitting(HERE)
    await filling.admit(newcomer, elsewhere, here)
    assert newcomer.is_refused and not elsewhere.is_refused
    assert len(filling.seats.guests) == 2, "several persons may be on this machine"


async def test_who_has_the_game_and_goes_when_another_does_not_is_not_to_blame(
    filling: Filling, autojump_clock: MockClock
) -> None:
    ada = Identity.generate().public
    for number in range(HELD_UP_BY_ONE_MAX + 1):
        patient = Sitting("192.0.2.8", peer=ada)
        await filling.admit(patient, Sitting(f"192.0.2.{number + 100}"))
        assert not patient.is_refused
        patient.say(filling.kept())
        await trio.sleep(HASTE_S + 1)
        await patient.aclose()
        await trio.sleep(KEEP_S)
        for guest in list(filling.seats.guests.values()):
            await cast(Sitting, guest.link).aclose()
        await wait_all_tasks_blocked()


async def test_who_has_the_game_and_goes_at_once_again_and_again_gets_no_seat(
    filling: Filling, autojump_clock: MockClock
) -> None:
    eve = Identity.generate().public
    for _ in range(HELD_UP_BY_ONE_MAX):
        hasty, other = Sitting(LAN_HOST, peer=eve), Sitting("192.0.2.8")
        await filling.admit(hasty, other)
        hasty.say(filling.kept())
        await wait_all_tasks_blocked()
        for link in (hasty, other):
            await link.aclose()
            await wait_all_tasks_blocked()
    again = Sitting(LAN_HOST, peer=eve)
    await filling.admit(again)
    assert again.is_refused


async def test_a_bot_that_is_never_measured_gets_no_seat_after_a_while(
    filling: Filling, autojump_clock: MockClock
) -> None:
    eve, unknown = Identity.generate().public, BotTerms("last", "steady").plain()
    for _ in range(HELD_UP_BY_ONE_MAX):
        await filling.admit(Sitting(LAN_HOST, peer=eve), terms=unknown)
        await trio.sleep(MEASURE_S + 1)
    again = Sitting(LAN_HOST, peer=eve)
    await filling.admit(again, terms=unknown)
    assert again.is_refused


def test_bots_of_the_opener_may_fail_as_often_as_its_program_starts_them() -> None:
    held_up, bot = HeldUp(), Seat(bytes(32), "bot", bytes(32), None, bytes([1]) * 32)
    for _ in range(10):
        held_up.note(bot, LAN_HOST)
    assert not held_up.is_too_often(bot, LAN_HOST)


class Telling:
    """The link of an opener who says these things and then is gone."""

    remote_host = HERE

    def __init__(self, *said: object) -> None:
        self._said, self.heard = list(said), list[object]()
        self.is_closed = False

    async def send(self, value: object) -> None:
        self.heard.append(value)

    async def aclose(self) -> None:
        self.is_closed = True

    async def receive(self) -> object:
        await trio.lowlevel.checkpoint()
        if not self._said:
            raise trio.EndOfChannel
        return self._said.pop(0)


class File:
    """A game on a disk."""

    is_there = True

    def discard(self) -> None:
        self.is_there = False


async def hear(*said: object) -> tuple[list[File], Telling, str]:
    """The files that a guest has made, what it said, and why it got no game; empty if it did."""
    host, mine = Identity.generate().public, Seat(bytes(32), "grace", bytes(32))
    ad = TableAd("ab" * 8, "table", "carta", 2, 2, host, HERE, PORT)
    seats = [["host", host, None, b""], ["grace", bytes(32), None, b""]]
    words: dict[object, object] = {
        "gathering": ["gathering", ad.plain(), 1, seats],
        "roster": roster_of(host, mine),
    }
    link, files = Telling(*(words.get(word, [word]) for word in said)), list[File]()

    def keep(*_: object) -> File:
        files.append(File())
        return files[-1]

    try:
        kept = await take_seat(cast(Link, link), Guest(mine, PORT, lambda _: None, keep))
    except SeatRefused as error:
        assert link.is_closed, "no seat is kept for who did not get the game"
        return files, link, str(error)
    assert kept is files[-1] and not link.is_closed
    return files, link, ""


async def test_a_guest_plays_the_game_that_all_have_and_throws_an_earlier_one_away() -> None:
    files, link, error = await hear("gathering", "roster", "gathering", "roster", "begin")
    assert not error and [file.is_there for file in files] == [False, True]
    assert [cast("list[object]", said)[0] for said in link.heard] == ["sit", "kept", "kept"]


async def test_a_guest_that_loses_the_opener_after_it_has_the_game_keeps_it() -> None:
    """The others may play by now: without the file the seat would be lost."""
    files, _, error = await hear("gathering", "roster")
    assert [file.is_there for file in files] == [True] and "as the game began" in error


@pytest.mark.parametrize(
    "said", [["begin"], ["gathering", "begin"], ["gathering", "roster", "roster"]]
)
async def test_an_opener_that_begins_out_of_turn_is_left(said: list[str]) -> None:
    assert "words we do not know" in (await hear(*said))[2]
