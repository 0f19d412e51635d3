"""Taking seats: whoever comes, goes, lies or babbles, the table fills or says why not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from core.errors import HostlessError
from core.game import complete_options
from core.games import GAMES, find_game
from p2p.base.clock import TimeControl
from p2p.base.identity import Identity
from p2p.base.limits import Role
from p2p.base.names import is_clean_name, numbered
from p2p.base.roster import Roster, Seat, rules_id
from p2p.log.game_file import read_game
from p2p.net.announcements import TableAd
from p2p.net.link import Link, connect
from p2p.net.listening import open_listener
from p2p.session.commands import Command, JoinTable, Leave, OpenTable
from p2p.session.news import Gathering, News, Notice
from p2p.table import gathering, router
from p2p.table.gathering import Me, SeatedGuest, SeatingList, gathering_of
from p2p.table.guest import Discardable, Guest, SeatRefused, take_seat
from p2p.table.node import run_node
from p2p.table.terms import terms_text
from tests.p2p.nodes import (
    HERE,
    PATIENCE_S,
    Person,
    check_one_log,
    has_entries,
    people,
    sitting_down,
)

PORT = 4000  # Where a guest made by hand says that it listens.


def sit(name: str = "eve") -> list[object]:
    """The words with which one takes a seat."""
    return ["sit", name, bytes(32), None, b"", PORT]


def is_taken(news: News, count: int) -> bool:
    """Whether a snapshot shows so many seats taken."""
    return isinstance(news, Gathering) and news.table.taken == count


@asynccontextmanager
async def open_table(folder: Path, seats: int) -> AsyncIterator[Person]:
    """A table that waits for guests; it is closed at the end."""
    (host,) = people(folder, 1)
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.do, OpenTable("carta", seats, is_local=True))
            await host.until(lambda news: isinstance(news, Gathering))
            yield host
            host.stop()


async def call(host: Person, identity: Identity | None = None) -> Link:
    """A link to the table from a guest made by hand."""
    return await connect((HERE, host.port), identity or Identity.generate(), "eve")


async def test_a_guest_that_leaves_frees_its_seat_for_another(tmp_path: Path) -> None:
    async with open_table(tmp_path, 3) as host:
        first = await call(host)
        await first.send(sit())
        await host.until(lambda news: is_taken(news, 2))
        count = len(host.news)
        await first.aclose()
        await host.until(lambda news: news in host.news[count:] and is_taken(news, 1))
        second = await call(host)
        await second.send(sit("mallory"))
        answer = await second.receive()
        assert isinstance(answer, list) and answer[0] == "gathering" and answer[2] == 1
        await second.aclose()


async def test_a_person_who_gets_up_frees_the_seat_though_the_program_stays(
    tmp_path: Path,
) -> None:
    """By its own program, which must close the link; and may sit down once more."""
    (guest,) = people(tmp_path / "guest", 1)
    send, receive = trio.open_memory_channel[Command](10)
    async with open_table(tmp_path, 3) as host, trio.open_nursery() as nursery:
        nursery.start_soon(run_node, receive, guest.receive, guest.config)
        for _ in range(2):
            await send.send(JoinTable(f"{HERE}:{host.port}", is_local=True))
            count = len(host.news)
            await host.until(lambda news, n=count: news in host.news[n:] and is_taken(news, 2))
            await guest.until(lambda news: isinstance(news, Gathering))
            count = len(host.news)
            await send.send(Leave())
            await host.until(lambda news, n=count: news in host.news[n:] and is_taken(news, 1))
        await send.aclose()
    assert not guest.notices


async def test_nobody_sits_on_two_seats(tmp_path: Path) -> None:
    async with open_table(tmp_path, 4) as host:
        me = Identity.generate()
        one, other = await call(host, me), await call(host, me)
        await one.send(sit())
        await one.receive()
        await other.send(sit())
        assert await other.receive() == ["refused", "you already sit at this table"]
        with pytest.raises(trio.EndOfChannel):
            await other.receive()
        assert isinstance(host.news[-1], Gathering) and host.news[-1].table.taken == 2
        await one.aclose()


async def test_a_table_that_has_begun_refuses_a_guest_in_one_line(tmp_path: Path) -> None:
    party = people(tmp_path, 3, seed=40)
    async with sitting_down(party[:2]) as nursery:
        nursery.start_soon(party[2].do, JoinTable(f"{HERE}:{party[0].port}", is_local=True))
        await party[2].until(lambda news: isinstance(news, Notice))
        for person in party[:2]:
            person.stop()
    assert party[2].notices in (["no seat: the game has begun"], ["no seat: the table is full"])


@pytest.mark.parametrize(
    "word",
    [
        ["sit"], ["sit", "x" * 900, bytes(32), None, b"", PORT], sit("a\nb"), None,
        ["sit", "eve", b"short", None, b"", PORT], ["sit", "eve", bytes(32), None, b"", 0],
        ["mesh", b""], ["watch"], [], {"sit": 1}, "sit",
    ],
)  # fmt: skip
async def test_a_caller_that_says_something_else_is_turned_away_and_the_table_goes_on(
    tmp_path: Path, word: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "GAME_BEGINS_S", 0.05)
    async with open_table(tmp_path, 2) as host:
        link = await call(host)
        await link.send(word)
        with pytest.raises(trio.EndOfChannel):
            await link.receive()
        assert [text.startswith("eve was turned away: ") for text in host.notices] == [True]
        assert isinstance(host.news[0], Gathering) and host.news[0].table.taken == 1


async def test_a_caller_that_says_nothing_is_turned_away_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "FIRST_MESSAGE_S", 0.05)
    async with open_table(tmp_path, 2) as host:
        link = await call(host)
        with pytest.raises(trio.EndOfChannel):
            await link.receive()
        assert host.notices == ["eve was turned away: it did not say what it wants"]


async def test_an_opener_who_leaves_ends_the_guests_wait_with_one_line(tmp_path: Path) -> None:
    guest = people(tmp_path, 2)[1]
    async with trio.open_nursery() as nursery, open_table(tmp_path, 3) as host:
        nursery.start_soon(guest.do, JoinTable(f"{HERE}:{host.port}", is_local=True))
        await guest.until(lambda news: isinstance(news, Gathering))
    assert guest.notices == ["the table was closed by the one who opened it"]


async def test_a_home_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    party = people(tmp_path, 2, seed=41)
    blocked = tmp_path / "a file"
    blocked.write_text("")
    party[1].config = replace(party[1].config, home=blocked)
    async with sitting_down(party) as _:
        await party[1].done.wait()
        party[0].stop()
    (notice,) = party[1].notices
    assert "cannot write" in notice and "\n" not in notice


# ---- openers that cheat ----


def never_kept(*_: object) -> Discardable:
    """No such game begins."""
    raise AssertionError("a game that is not to be played was kept")


def seat(identity: bytes, name: str, nonce: bytes = bytes(32)) -> Seat:
    """A seat of a roster made by hand."""
    return Seat(identity, name, nonce)


async def answer_of(roster_for: object, host: Identity) -> Exception:
    """What a guest says to an opener made by hand that sends this roster after a promise."""
    mine = Me(Identity.generate().public, "grace").seat()
    guest = Identity.generate()
    mine = replace(mine, identity=guest.public)
    heard: list[Gathering] = []
    async with open_listener(host, "host", host=HERE) as listener:
        link = await connect((HERE, listener.port), guest, "grace")
        there = await anext(listener)
        ad = TableAd("ab" * 8, "table", "carta", 2, 2, host.public, HERE, listener.port)
        await there.send(["gathering", ad.plain(), 1, [["host", host.public, None, b""]] * 2])
        assert callable(roster_for)
        await there.send(roster_for(mine))
        with pytest.raises(HostlessError) as caught:
            await take_seat(link, Guest(mine, PORT, heard.append, never_kept))
        await link.aclose()
    assert len(heard) == 1
    return caught.value


def roster_of(host: bytes, mine: Seat, **changes: object) -> list[object]:
    """The message that begins a game, with something changed."""
    rules = rules_id(find_game("carta"))
    honest = Roster("carta", rules, (), "table", (seat(host, "host"), mine))
    changed = replace(honest, **changes)  # type: ignore[arg-type]
    return ["roster", changed.plain(), [["", PORT], [HERE, PORT]]]


async def test_a_roster_without_our_fresh_nonce_is_refused() -> None:
    host = Identity.generate()

    def stale(mine: Seat) -> list[object]:
        return roster_of(host.public, replace(mine, nonce=bytes(32)))

    error = await answer_of(stale, host)
    assert isinstance(error, SeatRefused) and "without us" in str(error)


async def test_a_game_other_than_the_one_announced_is_refused() -> None:
    host = Identity.generate()

    def other(mine: Seat) -> list[object]:
        return roster_of(host.public, mine, options=(("deal", "draft"),))

    assert "another game than the one announced" in str(await answer_of(other, host))


@pytest.mark.parametrize("game", GAMES)
def test_what_people_agree_on_is_announced_whatever_options_a_game_has(game: str) -> None:
    """What is cut off would be neither read nor compared with the roster."""
    options = complete_options(find_game(game), 3, {})
    table = OpenTable(
        game, 3, options=dict(options), opens_hands=True, password="x", is_escrowed=True,
        grace_s=45, clock=TimeControl(1200, 10),
    )  # fmt: skip
    agreed = "password=asked clock=20+10 hands=open escrow=yes grace=45"
    assert terms_text(table).startswith(agreed)


@pytest.mark.parametrize("name", ["host", "HOST", "h\u043est"])
async def test_a_roster_with_two_names_that_look_the_same_is_refused(name: str) -> None:
    """Whoever looks at the screen would take one seat for the other."""
    host = Identity.generate()

    def alike(mine: Seat) -> list[object]:
        roster = roster_of(host.public, mine, seats=(seat(host.public, "host"), mine))
        plain = cast("list[list[list[object]]]", roster[1])
        plain[5] = [seat(host.public, "host").plain(), mine.plain(), seat(bytes(32), name).plain()]
        return [*roster[:2], [["", PORT]] * 3]

    assert "look the same" in str(await answer_of(alike, host))


async def test_rules_other_than_ours_are_refused() -> None:
    host = Identity.generate()

    def other(mine: Seat) -> list[object]:
        return roster_of(host.public, mine, rules=bytes(32))

    assert "another version of the rules" in str(await answer_of(other, host))


@pytest.mark.parametrize(
    "words", [["roster"], ["roster", 1, []], ["roster", [], []], [], "hello", ["refused", 1]]
)
async def test_an_opener_that_babbles_is_left_with_one_line(words: object) -> None:
    error = await answer_of(lambda _: words, Identity.generate())
    assert isinstance(error, SeatRefused) and str(error)


async def test_addresses_that_do_not_fit_the_roster_are_refused() -> None:
    host = Identity.generate()

    def few(mine: Seat) -> list[object]:
        return [*roster_of(host.public, mine)[:2], [["", PORT]]]

    assert "words we do not know" in str(await answer_of(few, host))


@pytest.mark.parametrize("where", ["..", "example.org", "\0", "x" * 5000])
async def test_nobody_is_sent_to_look_up_names(where: str) -> None:
    host = Identity.generate()

    def named(mine: Seat) -> list[object]:
        return [*roster_of(host.public, mine)[:2], [["", PORT], [where, PORT]]]

    assert "words we do not know" in str(await answer_of(named, host))


@pytest.mark.parametrize("name", ["\x1b[2J", "eve\n", "x" * 33, "\u202eeve"])
async def test_names_that_no_screen_should_show_are_not_shown(name: str) -> None:
    host = Identity.generate()
    seats = [[name, host.public, None, b""], ["grace", bytes(32), None, b""]]
    assert await gathering_error(host, seats) == "the table answers in words we do not know"


async def test_a_bot_that_is_none_at_a_table_is_one_clear_line() -> None:
    host = Identity.generate()
    seats = [["host", host.public, [1, 2], b""], ["grace", bytes(32), None, b""]]
    assert "a bot is a program" in await gathering_error(host, seats)


async def gathering_error(
    host: Identity, seats: list[object], seat: int = 1, game: str = "carta", count: int = 2
) -> str:
    """What a guest says to an opener who shows these seats; its screen has seen nothing."""
    mine = Me(Identity.generate().public, "grace").seat()
    async with open_listener(host, "host", host=HERE) as listener:
        link = await connect((HERE, listener.port), Identity.generate(), "grace")
        there = await anext(listener)
        ad = TableAd("ab" * 8, "table", game, count, 2, host.public, HERE, listener.port)
        await there.send(["gathering", ad.plain(), seat, seats])
        shown: list[Gathering] = []
        with pytest.raises(SeatRefused) as caught:
            await take_seat(link, Guest(mine, PORT, shown.append, never_kept))
        await link.aclose()
    assert shown == []
    return str(caught.value)


class Slow:
    """The link of a guest to whom every sending may be held up."""

    remote_host = HERE

    def __init__(self) -> None:
        self.peer, self.sent = Identity.generate().public, list[object]()
        self.gates: list[trio.Event] = []

    def become(self, role: Role) -> None:
        self.role = role

    async def send(self, value: object) -> None:
        self.sent.append(value)
        if self.gates:
            await self.gates.pop(0).wait()

    async def receive(self) -> object:
        await trio.sleep_forever()


async def test_two_who_sit_down_at_once_are_both_told_before_the_game_begins() -> None:
    """Whoever hears a roster before the table that was promised takes it for another game."""
    ad = TableAd("ab" * 8, "table", "carta", 4, 1, bytes(32), HERE, PORT)
    seats = SeatingList(ad, (), Seat(bytes(32), "host", bytes(32)), lambda: None)
    first, second, third = (Slow() for _ in range(3))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seats.admit, cast(Link, first), sit("a"))
        await wait_all_tasks_blocked()
        gates = [trio.Event(), trio.Event()]
        first.gates = list(gates)
        for link, name in ((second, "b"), (third, "c")):
            nursery.start_soon(seats.admit, cast(Link, link), sit(name))
            await wait_all_tasks_blocked()
        gates[0].set()
        await wait_all_tasks_blocked()
        assert third.sent == [] and not seats.full.is_set()
        gates[1].set()
        await seats.full.wait()
        assert third.sent
        nursery.cancel_scope.cancel()


async def test_two_of_one_name_are_told_apart_by_a_number(tmp_path: Path) -> None:
    """The roster says so: the names are the same on every screen and in every file."""
    party = people(tmp_path, 3, seed=20)
    for person in party:
        person.config = replace(person.config, name="Ada" if person is party[1] else "ada")
    async with sitting_down(party):
        for person in party:
            await person.until(has_entries(20))
        for person in party:
            person.stop()
    names = [seat.name for seat in read_game(party[2].path).roster.seats]
    assert names == ["ada", "Ada (2)", "ada (3)"]
    check_one_log(party)


class Calling:
    """The link of an opener who says that we are called otherwise."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def send(self, value: object) -> None: ...

    async def receive(self) -> object:
        return ["called", self._name]

    async def aclose(self) -> None: ...


class Ended:
    """The link of a guest that has broken when it is answered."""

    peer, remote_host, peer_name = bytes([1]) * 32, HERE, "host"

    def become(self, role: Role) -> None: ...

    async def send(self, value: object) -> None:
        raise trio.BrokenResourceError("the link to host ended")

    async def receive(self) -> object:
        raise trio.BrokenResourceError("the link to host ended")

    async def aclose(self) -> None: ...


async def test_a_guest_whose_link_ends_as_it_is_given_another_name_leaves_its_seat_free() -> None:
    """Else whoever comes with my name and goes at once fills my table with nobody."""
    ad = TableAd("ab" * 8, "table", "carta", 2, 1, bytes(32), HERE, PORT)
    seats = SeatingList(ad, (), Seat(bytes(32), "host", bytes(32)), lambda: None)
    await seats.admit(cast(Link, Ended()), sit("host"))
    assert not seats.guests and not seats.is_closed


@pytest.mark.parametrize("name", ["bob", "ada (1)", "ada (9)", "ada (2) ", "\x1b (2)"])
async def test_an_opener_calls_nobody_what_it_likes(name: str) -> None:
    link, mine = cast(Link, Calling(name)), Seat(bytes(32), "ada", bytes(32))
    visitor = Guest(mine, PORT, lambda _: None, never_kept)
    with pytest.raises(SeatRefused, match="words we do not know"):
        await take_seat(link, visitor)


def test_a_long_name_with_a_number_is_still_a_name() -> None:
    longest = numbered("a" * 30 + " b", 2)
    assert longest == "a" * 28 + " (2)" and is_clean_name(longest)


def test_the_opener_reads_the_address_of_the_network_from_which_a_guest_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(gathering, "address_here", lambda hosts: asked.append(hosts) or "10.0.0.4")
    ad = TableAd("ab" * 8, "table", "carta", 4, 1, bytes(32), "192.168.1.5", PORT)
    seats = SeatingList(ad, (), Seat(bytes(32), "host", bytes(32)), lambda: None)
    for index, host in enumerate((HERE, "10.0.0.7"), 1):
        assert gathering_of(seats).table.host == ad.host
        link = cast(Link, SimpleNamespace(remote_host=host))
        seat = Seat(bytes([index]) * 32, "a", bytes(32))
        seats.guests[index] = SeatedGuest(seat, link, (host, PORT))
    assert gathering_of(seats).table.host == "10.0.0.4"
    assert asked == [[HERE, "10.0.0.7"]]
