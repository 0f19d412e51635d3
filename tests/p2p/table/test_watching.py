"""Looking on: the public snapshot, checked entry by entry, and a clear line when it ends early."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import (
    ALLOWANCES,
    FORGIVEN_CALLS_MAX,
    SHOWN_BYTES_BURST,
    SHOWN_BYTES_PER_S,
    SPECTATORS_MAX,
    VAIN_CALLS_MAX,
    Role,
)
from p2p.log.game_file import GameFile
from p2p.log.replay import rewound
from p2p.log.secrets_file import SecretsFile
from p2p.net.announcements import TableAd
from p2p.net.handshake import PROTOCOL_VERSION
from p2p.net.link import Link, connect
from p2p.session import spectators as showing_spectators
from p2p.session.commands import Leave, Watch
from p2p.session.news import News, Notice, TableChanged
from p2p.session.session import Session
from p2p.session.spectators import Spectators
from p2p.table import watching
from p2p.table.finding import why_none
from p2p.table.gathering import Address
from p2p.table.node import Node
from p2p.table.watching import look_on
from tests.p2p.nodes import HERE, PATIENCE_S, has_entries, people, sitting_down
from tests.p2p.room import Room
from tests.p2p.wiretap import BROKEN

ENTRIES = 60


class Tape:
    """A link that plays messages and then closes."""

    def __init__(self, messages: list[object]) -> None:
        self.messages = messages
        self.sent: list[object] = []

    async def send(self, value: object) -> None:
        await trio.lowlevel.checkpoint()
        self.sent.append(value)

    async def receive(self) -> object:
        await trio.lowlevel.checkpoint()
        if self.messages:
            return self.messages.pop(0)
        raise trio.EndOfChannel


@pytest.fixture(scope="module")
def log() -> list[object]:
    """The beginning of a real game, as a door tells it to somebody who looks on."""
    room = Room(players=2, seed=5)
    room.run(lambda replica: len(replica.log) >= ENTRIES)
    entries: list[object] = [["entry", entry.raw] for entry in room.replicas[0].log]
    return [["roster", room.roster.plain(), []], *entries]


async def watch(tape: Tape) -> tuple[list[News], Exception]:
    """Look on until the tape ends: what was shown, and the line at its end."""
    heard: list[News] = []
    with trio.fail_after(PATIENCE_S), pytest.raises((HostlessError, PeerError)) as failed:
        await look_on(cast(Link, tape), heard.append)
    return heard, failed.value


async def test_a_spectator_sees_the_table_grow_and_no_hand(log: list[object]) -> None:
    tape = Tape([*log])
    heard, error = await watch(tape)
    snapshots = [news for news in heard if isinstance(news, TableChanged)]
    assert tape.sent == [["watch"]]
    assert "has closed" in str(error)
    assert snapshots[-1].event_count > snapshots[0].event_count
    assert snapshots[-1].fairness.shuffles >= 2
    assert all(snapshot.is_past for snapshot in snapshots)
    view = snapshots[-1].view
    assert (view.seat, view.offers) == (None, ())
    assert all(card.face is None or card.is_public for card in view.zones["seat0.hand"])


class Ended(Tape):
    """A link that has broken before anything was said."""

    async def send(self, value: object) -> None:
        await trio.lowlevel.checkpoint()
        raise trio.BrokenResourceError("the link to ada ended")


async def test_who_looks_on_over_a_link_that_ends_at_once_reads_that_no_game_is_there() -> None:
    heard, error = await watch(Ended([]))
    assert "no game is played there yet" in str(error) and heard == []


async def test_a_spectator_goes_back_with_the_table(log: list[object]) -> None:
    """A cheater told two things, and what was played since then is void."""
    heard, error = await watch(Tape([*log, *log[:10]]))
    snapshots = [news for news in heard if isinstance(news, TableChanged)]
    assert "has closed" in str(error)
    counts = [snapshot.event_count for snapshot in snapshots]
    assert counts[-1] < counts[-10] == counts[len(log) - 2]
    assert snapshots[-1] == snapshots[8]


async def test_a_spectator_is_not_led_into_another_game(log: list[object]) -> None:
    other = Room(players=2, seed=6)
    heard, error = await watch(Tape([*log[:5], ["roster", other.roster.plain(), []], *log[5:]]))
    assert "another game" in str(error) and len(heard) == 4


async def test_a_changed_entry_is_refused_and_not_shown(log: list[object]) -> None:
    entry = log[5]
    assert isinstance(entry, list)
    raw = bytearray(entry[1])
    raw[-1] ^= 1
    heard, error = await watch(Tape([*log[:5], ["entry", bytes(raw)], *log[6:]]))
    assert isinstance(error, PeerError)
    assert len(heard) == 4


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ([], "no game is played there yet"),
        ([["refused", "the game\nhas begun"]], "the game has begun"),
    ],
)
async def test_a_table_that_shows_nothing_is_one_line(
    messages: list[object], sentence: str
) -> None:
    heard, error = await watch(Tape(messages))
    assert isinstance(error, HostlessError)
    assert sentence in str(error)
    assert heard == []


async def test_a_node_looks_on_until_it_leaves_and_keeps_nothing(tmp_path: Path) -> None:
    *party, spectator = people(tmp_path, 3, seed=61)
    node = Node(spectator.receive, spectator.config)
    async with sitting_down(party), trio.open_nursery() as nursery:
        await party[0].until(has_entries(20))
        node.serve_in(nursery)
        await node.obey(Watch(f"{HERE}:{party[0].port}"))
        shown = await spectator.until(has_entries(30))
        await node.obey(Leave())
        await node.idle()
        for person in party:
            person.stop()
    assert isinstance(shown, TableChanged) and shown.view.seat is None
    assert node.failure is None
    assert not (spectator.home / "games").exists()


def is_notice(text: str) -> Callable[[News], bool]:
    return lambda news: isinstance(news, Notice) and news.text == text


async def test_a_spectator_of_a_table_that_is_left_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "AGAIN_S", 0.2)
    *party, spectator = people(tmp_path, 3, seed=62)
    async with sitting_down(party) as nursery:
        await party[0].until(has_entries(20))
        nursery.start_soon(spectator.do, Watch(f"{HERE}:{party[0].port}"))
        await spectator.until(has_entries(20))
        for person in party:
            person.stop()
        assert await spectator.until(is_notice("the machine that showed this table has gone"))
        told = await spectator.until(is_notice("the table has closed"))
    assert isinstance(told, Notice) and told.hint == "what was shown until then holds"


async def test_who_looks_on_is_told_for_whom_the_table_waits(tmp_path: Path) -> None:
    *party, spectator = people(tmp_path, 4, seed=63)
    async with sitting_down(party) as nursery:
        await party[0].until(has_entries(20))
        nursery.start_soon(spectator.do, Watch(f"{HERE}:{party[0].port}"))
        await spectator.until(has_entries(20))
        party[2].stop()
        told = await spectator.until(
            lambda news: isinstance(news, TableChanged) and news.away != ()
        )
        for person in party[:2]:
            person.stop()
    assert isinstance(told, TableChanged)
    assert [each.name for each in told.away] == [party[2].name]
    assert [seat.link for seat in told.seats] == ["up", "up", "away"]
    assert not told.is_past


def an_ad(**changed: Any) -> TableAd:
    place: Address = (HERE, 4000)
    usual = {"table_id": "0" * 16, "name": "den", "game": "carta", "seats": 2, "taken": 1}
    return TableAd(**{**usual, **changed}, opener=bytes(32), host=place[0], port=place[1])


@pytest.mark.parametrize(
    ("called", "sentence"),
    [
        ([], "no table called 'den' was seen"),
        ([an_ad(taken=2)], "'den' is full"),
        ([an_ad()], "'den' has not begun"),
        (
            [an_ad(), an_ad(version=PROTOCOL_VERSION + 1)],
            f"speaks version {PROTOCOL_VERSION + 1} of the protocol",
        ),
    ],
)
def test_why_a_table_cannot_be_had_is_said(called: list[TableAd], sentence: str) -> None:
    assert sentence in str(why_none("den", called))


class Seated(Tape):
    """The link of somebody who looks on in silence until it hangs up."""

    role = Role.STRANGER

    def __init__(self, host: str = HERE) -> None:
        super().__init__([])
        self.remote_host = host
        self.hung_up = trio.Event()
        self.drained = self.vain_calls = 0

    def burden(self) -> int:
        return self.vain_calls

    def become(self, role: Role) -> None:
        self.role = role

    async def drain(self) -> None:
        self.drained += 1
        await trio.lowlevel.checkpoint()

    async def receive(self) -> object:
        await self.hung_up.wait()
        raise trio.EndOfChannel

    async def aclose(self) -> None:
        self.hung_up.set()
        await trio.lowlevel.checkpoint()


async def test_who_looks_on_is_shown_the_log_anew_when_the_table_goes_back() -> None:
    room = Room(players=2)
    replica = room.replicas[0]
    room.run(lambda each: len(each.log) >= ENTRIES)
    session = Session(replica, cast(GameFile, None), None, lambda _: None)
    link = Seated()
    shown: list[object] = [["roster", room.roster.plain(), []]]
    shown += [["entry", entry.raw] for entry in replica.log]
    async with trio.open_nursery() as nursery:
        session._nursery = nursery
        nursery.start_soon(session.spectators.welcome, cast(Link, link))
        await trio.testing.wait_all_tasks_blocked()
        assert link.sent == shown
        replica.rewind_to(rewound(replica, cast(SecretsFile, room.vaults[0]), 10))
        session._forget_cut()
        await trio.testing.wait_all_tasks_blocked()
        assert link.sent == [*shown, *shown[:11]] and session.spectators.links == [link]
        nursery.cancel_scope.cancel()


def looking_on() -> tuple[Session, Callable[[Seated], Awaitable[None]]]:
    """A session, and what lets somebody look on at it."""
    session = Session(Room(players=2).replicas[0], cast(GameFile, None), None, lambda _: None)

    async def look(link: Seated) -> None:
        with suppress(trio.EndOfChannel):
            await session.spectators.welcome(cast(Link, link))

    return session, look


def told(link: Seated) -> list[object]:
    """What kinds of messages somebody was sent, without the entries of a log."""
    kinds = [cast("list[object]", message)[0] for message in link.sent]
    return [kind for kind in kinds if kind != "entry"]


async def test_only_so_many_look_on_at_one_seat_and_whoever_leaves_makes_room() -> None:
    session, look = looking_on()
    links = [Seated(f"10.0.0.{number}") for number in range(SPECTATORS_MAX)]
    async with trio.open_nursery() as nursery:
        for link in links:
            nursery.start_soon(look, link)
            await trio.testing.wait_all_tasks_blocked()
        assert {(link.role, *told(link)) for link in links} == {(Role.SPECTATOR, "roster")}
        links[3].hung_up.set()
        await trio.testing.wait_all_tasks_blocked()
        assert len(session.spectators.links) == SPECTATORS_MAX - 1
        nursery.start_soon(look, later := Seated())
        await trio.testing.wait_all_tasks_blocked()
        assert cast(Link, later) in session.spectators.links
        assert not any("refused" in told(link) for link in links)
        nursery.cancel_scope.cancel()
    assert session.spectators.links == []


async def test_quiet_strangers_cannot_keep_all_places_whoever_looks_on_longest_gives_way() -> None:
    """With an address for each place nobody can be told from a person who looks on."""
    session, look = looking_on()
    links = [Seated(f"10.0.66.{number}") for number in range(SPECTATORS_MAX)]
    async with trio.open_nursery() as nursery:
        for link in links:
            nursery.start_soon(look, link)
            await trio.testing.wait_all_tasks_blocked()
        for tries in range(FORGIVEN_CALLS_MAX + 1):  # Each of which is a call that brought nothing.
            nursery.start_soon(look, late := Seated("10.0.0.7"))
            late.vain_calls = tries
            await trio.testing.wait_all_tasks_blocked()
            assert told(late) == ["roster"]
            late.hung_up.set()
            await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(look, Seated(f"10.0.67.{tries}"))
            await trio.testing.wait_all_tasks_blocked()
        gone = [told(link) == ["roster", "refused"] for link in links]
        assert gone == [at <= FORGIVEN_CALLS_MAX for at in range(SPECTATORS_MAX)]
        assert len(session.spectators.links) == SPECTATORS_MAX
        nursery.start_soon(look, late := Seated("10.0.0.7"))
        late.vain_calls = FORGIVEN_CALLS_MAX + 1
        await trio.testing.wait_all_tasks_blocked()
        assert told(late) == ["refused"]
        nursery.cancel_scope.cancel()


async def test_one_host_cannot_take_the_places_of_all_who_want_to_look_on() -> None:
    room, shelf = Room(players=2), cast(GameFile, None)
    session = Session(room.replicas[0], shelf, None, lambda _: None)
    greedy = [Seated("10.0.66.6") for _ in range(SPECTATORS_MAX)]
    async with trio.open_nursery() as nursery:
        for link in [*greedy, late := Seated("10.0.0.7")]:
            nursery.start_soon(session.spectators.welcome, cast(Link, link))
            await trio.testing.wait_all_tasks_blocked()
        said = [cast("list[object]", link.sent[0])[0] for link in [*greedy, late]]
        of_host = ALLOWANCES[Role.SPECTATOR].links_per_host
        refused = ["refused"] * (SPECTATORS_MAX - of_host)
        assert said == [*["roster"] * of_host, *refused, "roster"]
        nursery.cancel_scope.cancel()


async def test_who_looks_on_from_a_host_that_misbehaved_gives_way_first() -> None:
    session, look = looking_on()
    links = [Seated(f"10.0.66.{number}") for number in range(SPECTATORS_MAX)]
    links[5].vain_calls = 3
    async with trio.open_nursery() as nursery:
        for link in [*links, first := Seated("10.0.0.7"), second := Seated("10.0.0.8")]:
            nursery.start_soon(look, link)
            await trio.testing.wait_all_tasks_blocked()
        gone = [at for at, link in enumerate(links) if link.hung_up.is_set()]
        assert gone == [0, 5] and links[0] not in session.spectators.links
        assert told(first) == told(second) == ["roster"]
        nursery.cancel_scope.cancel()


async def test_a_host_with_many_who_look_on_makes_room_for_one_with_none() -> None:
    session, look = looking_on()
    links = [Seated(f"10.0.66.{number // 2}") for number in range(SPECTATORS_MAX - 1)]
    async with trio.open_nursery() as nursery:
        for link in [alone := Seated("10.0.0.99"), *links]:
            nursery.start_soon(look, link)
            await trio.testing.wait_all_tasks_blocked()
        for number in range(SPECTATORS_MAX // 2 - 1):
            nursery.start_soon(look, late := Seated(f"10.0.0.{number}"))
            late.vain_calls = VAIN_CALLS_MAX  # Whoever has none is let in all the same.
            await trio.testing.wait_all_tasks_blocked()
            assert told(late) == ["roster"] and not alone.hung_up.is_set()
        nursery.start_soon(look, second := Seated("10.0.0.1"))
        await trio.testing.wait_all_tasks_blocked()
        assert told(second) == ["refused"], "everybody has one, and its host too"
        assert len(session.spectators.links) == SPECTATORS_MAX
        nursery.cancel_scope.cancel()


async def test_m8_whoever_looks_on_and_says_something_is_hung_up_on(tmp_path: Path) -> None:
    """Strangers are let in to look on, so what they send must cost next to nothing."""
    party = people(tmp_path, 2, seed=54)
    async with sitting_down(party):
        await party[0].until(has_entries(10))
        for said in (["watch"], b"x" * 200, [[]] * 30):
            link = await connect((HERE, party[0].port), Identity.generate(), "eve")
            await link.send(["watch"])
            await link.receive()
            await link.send(said)
            with pytest.raises(BROKEN):
                await receive_all(link)
        for person in party:
            person.stop()


async def receive_all(link: Link) -> None:
    """Hear a link until it ends."""
    with trio.fail_after(PATIENCE_S):
        while True:
            await link.receive()


async def test_a_log_is_shown_in_pieces_to_whoever_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing_spectators, "SHOWN_BYTES", 4096)
    room, link = Room(players=2), Seated()
    room.run(lambda each: len(each.log) >= ENTRIES)
    spectators = Spectators(room.replicas[0])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(spectators.welcome, cast(Link, link))
        await trio.testing.wait_all_tasks_blocked()
        size = sum(len(entry.raw) for entry in room.replicas[0].log)
        assert size // 3 / 4096 < link.drained <= size / 4096
        nursery.cancel_scope.cancel()


async def test_those_who_come_to_look_on_again_and_again_have_to_wait(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them gets the log from its beginning; it must not cost what the players need."""
    monkeypatch.setattr(showing_spectators, "SHOWN_BYTES", 4096)
    room = Room(players=2)
    room.run(lambda each: len(each.log) >= ENTRIES)
    spectators = Spectators(room.replicas[0])
    size = sum(len(entry.raw) for entry in room.replicas[0].log)
    enough = 2 * SHOWN_BYTES_BURST // size
    began = trio.current_time()
    for count in range(enough):
        link = cast(Link, Seated())
        await spectators._show_all(link)
        spectators._drop(link)
        assert count or trio.current_time() == began, "the first does not wait"
    assert trio.current_time() - began > 0.9 * SHOWN_BYTES_BURST / SHOWN_BYTES_PER_S
