"""A game begins when all have it on their disks: nobody has a seat that is not on its own."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
import trio

from p2p.base.identity import Identity
from p2p.base.roster import Seat, parse_roster
from p2p.net.announcements import TableAd
from p2p.net.link import Link
from p2p.session.news import Gathering, JoinTable, OpenTable
from p2p.table import gathering
from p2p.table.guest import SeatRefused, Visitor, take_seat
from tests.p2p.nodes import HERE, PATIENCE_S, Person, check_one_log, has_entries, people
from tests.p2p.table.test_gathering import PORT, call, is_taken, open_table, roster_of, sit


async def fill_by_hand(host: Person, name: str = "eve") -> tuple[Link, bytes]:
    """A guest who fills a table, and says nothing when it hears so; and the game's id."""
    link = await call(host)
    await link.send(sit(name))
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
        kept = await take_seat(cast(Link, link), Visitor(mine, PORT, lambda _: None, keep))
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
