"""Two seats that call each other keep one link, the same at both ends, whoever is first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from p2p.base.errors import HandshakeFailed
from p2p.base.identity import Identity
from p2p.base.limits import GIVING_WAY_S, REDIAL_LAST_S, Role
from p2p.net.link import Address, Link, NobodyThere
from p2p.session.news import Notice
from p2p.session.session import Session
from p2p.table import mesh
from p2p.table.mesh import Mesh
from p2p.table.router import LinkRouter

GAME = bytes(32)
ME = Identity.generate(), "me"
ELSEWHERE = "Eve was turned away: it does not sit at this table"


class Wire:
    """Both ends of a link, without a network."""

    def __init__(self, caller: int, called: int) -> None:
        ways = [trio.open_memory_channel[object](100) for _ in range(2)]
        self.ends = {
            caller: End(self, ways[0][0], ways[1][1], called),
            called: End(self, ways[1][0], ways[0][1], caller),
        }
        self.caller = caller


class End:
    """One end: what the mesh uses of a link."""

    fault = None
    remote_port = 4000

    def __init__(
        self,
        wire: Wire,
        out: trio.MemorySendChannel[object],
        into: trio.MemoryReceiveChannel[object],
        other: int,
    ) -> None:
        self.wire, self._out, self._into = wire, out, into
        self.remote_host, self.local_host = f"10.0.0.{other}", "10.0.0.9"

    async def send(self, value: object) -> None:
        """Say something, if the other end hears it."""
        await self._out.send(value)

    async def receive(self) -> object:
        """What the other end says next."""
        return await self._into.receive()

    async def aclose(self) -> None:
        """Hang up when the other end has heard all."""
        self._out.close()

    def become(self, role: Role) -> None:
        """Be this to the other end."""
        self.role = role

    def give_up(self) -> None:
        """Hang up."""
        self._out.close()
        self._into.close()


class Seat:
    """A seat with a mesh, and the links that its session hears and has heard."""

    def __init__(self, world: World, number: int, *, is_other_out: bool = False) -> None:
        self.number, self.world = number, world
        self.heard: list[End] = []
        self.now: list[End] = []
        self.places = SimpleNamespace(of=self.known, link=lambda *_: None, on_news=int)
        identities = [SimpleNamespace(identity=bytes([each])) for each in range(2)]
        roster = SimpleNamespace(seats=identities, open_seats=lambda: ())
        others = [] if is_other_out else [1 - number]
        replica = SimpleNamespace(me=number, others=others, roster=roster, game_id=GAME)
        relaying = SimpleNamespace(places=self.places)
        self.told: list[object] = []  # What was said by links that were not taken.
        instances = SimpleNamespace(
            mine=lambda: ["claim", number], refusal=self.refusal, note_free=lambda _: None
        )
        session = SimpleNamespace(
            replica=replica, relaying=relaying, attend=self.attend, tell=self.tell,
            instances=instances,
        )  # fmt: skip
        self.refuses: list[object] | None = None
        self.mesh = Mesh(cast(Session, session), ME)
        self.life = trio.CancelScope()

    async def refusal(self, seat: int, claim: object) -> list[object] | None:
        """What a session says to another program on that seat."""
        assert claim == ["claim", seat]
        return self.refuses

    async def tell(self, seat: int, link: End, message: object) -> None:
        self.told.append(message)

    def known(self, seat: int) -> list[Address]:
        return [("10.0.0.1", 4000 + seat)]

    async def attend(self, seat: int, link: End) -> None:
        """What a session does: hear the link until it ends."""
        self.heard.append(link)
        self.now.append(link)
        try:
            while True:
                await link.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError, trio.BrokenResourceError):
            link.give_up()
        finally:
            self.now.remove(link)

    async def live(self) -> None:
        """Keep in touch until this program ends."""
        with self.life:
            async with trio.open_nursery() as nursery:
                self.mesh.begin(nursery, {})


class World:
    """Two seats; calls of each take as long as a test says."""

    def __init__(self) -> None:
        self.seats = [Seat(self, number) for number in range(2)]
        self.dial_s = [0.01, 0.01]  # By caller.
        self.answer_s = 0.01  # Until a question arrives.
        self.is_open = True
        self.calls: list[tuple[float, int]] = []

    async def connect_any(self, places: list[Address], *_: object, expected: bytes) -> Link:
        """What reaches the other seat outside."""
        caller = 1 - expected[0]
        self.calls.append((trio.current_time(), caller))
        await trio.sleep(self.dial_s[caller])
        if not self.is_open:
            raise NobodyThere("nobody answers")
        wire = Wire(caller, 1 - caller)
        self.nursery.start_soon(self._bring, wire)
        return cast(Link, wire.ends[caller])

    async def _bring(self, wire: Wire) -> None:
        end = wire.ends[1 - wire.caller]
        try:
            assert await end.receive() == ["mesh", GAME, ["claim", wire.caller]]
            await trio.sleep(self.answer_s)
            await self.seats[1 - wire.caller].mesh.take_in(
                wire.caller, cast(Link, end), ["claim", wire.caller]
            )
        except (trio.EndOfChannel, trio.BrokenResourceError):
            return  # The caller has given it up.

    def check_one_link(self) -> Wire:
        """Both hear the same link now, and no other."""
        (here,), (there,) = self.seats[0].now, self.seats[1].now
        assert here.wire is there.wire
        return here.wire


@asynccontextmanager
async def meeting(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """Two seats whose calls go through a world in memory."""
    world = World()
    monkeypatch.setattr(mesh, "connect_any", world.connect_any)
    async with trio.open_nursery() as nursery:
        world.nursery = nursery
        yield world
        nursery.cancel_scope.cancel()


async def test_the_higher_seat_is_first_when_both_are_there(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with meeting(monkeypatch) as world:
        for seat in world.seats:
            world.nursery.start_soon(seat.live)
        await trio.sleep(10)
        assert world.check_one_link().caller == 1
        assert [caller for _, caller in world.calls] == [1]


async def test_who_was_replaced_before_the_others_began_again_can_come_back(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that had gone on with the game while a seat was open never answered its owner."""
    async with meeting(monkeypatch) as world:
        world.seats[0] = Seat(world, 0, is_other_out=True)
        for seat in world.seats:
            world.nursery.start_soon(seat.live)
        await trio.sleep(10)
        world.check_one_link()


async def test_the_lower_seat_calls_as_well(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The higher one may not know where the lower one is."""
    async with meeting(monkeypatch) as world:
        world.seats[1].places.of = lambda _: []
        for seat in world.seats:
            world.nursery.start_soon(seat.live)
        await trio.sleep(GIVING_WAY_S + 1)
        assert world.check_one_link().caller == 0


@pytest.mark.parametrize("answer_s", [0.0, 0.01, 0.3, 1.0])
@pytest.mark.parametrize("late_s", [-0.02, -0.01, -0.001, 0.0, 0.001, 0.01, 0.02, 0.3])
async def test_two_calls_in_the_same_moment_leave_one_link(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, late_s: float, answer_s: float
) -> None:
    async with meeting(monkeypatch) as world:
        world.answer_s = answer_s
        world.dial_s = [0.02, GIVING_WAY_S + 0.02 + late_s]  # Both are through at nearly one time.
        for seat in world.seats:
            world.nursery.start_soon(seat.live)
        await trio.sleep(5)
        world.check_one_link()
        assert len(world.seats[0].heard) == 1, "no link was taken and let go again"


async def test_a_seat_that_calls_again_has_lost_its_older_link(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has moved, or was started anew: only its end knows."""
    async with meeting(monkeypatch) as world:
        world.nursery.start_soon(world.seats[0].live)
        world.nursery.start_soon(world.seats[1].live)
        await trio.sleep(2)
        first = world.check_one_link()
        world.seats[1].life.cancel()  # Of which the other end hears nothing.
        moved = world.seats[1] = Seat(world, 1)
        world.nursery.start_soon(moved.live)
        await trio.sleep(2)
        (now,) = moved.now
        assert [end.wire for end in world.seats[0].now] == [now.wire] != [first]


async def test_links_that_begin_at_an_address_that_is_gone_are_made_anew(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with meeting(monkeypatch) as world:
        for seat in world.seats:
            world.nursery.start_soon(seat.live)
        await trio.sleep(2)
        first = world.check_one_link()
        world.seats[0].mesh.moved(lambda host: host == "10.0.0.9")
        await trio.sleep(2)
        assert world.check_one_link() is first
        world.seats[0].mesh.moved(lambda host: False)
        await trio.sleep(2)
        assert world.check_one_link() is not first


async def test_attempts_become_rarer_until_there_is_news(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with meeting(monkeypatch) as world:
        world.is_open = False
        world.nursery.start_soon(world.seats[1].live)
        await trio.sleep(60)
        gaps = [later - earlier for (earlier, _), (later, _) in pairwise(world.calls)]
        assert gaps[0] < 0.2 and max(gaps[-5:]) <= REDIAL_LAST_S + 0.1 and min(gaps[-5:]) > 0.9
        count = len(world.calls)
        world.seats[1].places.on_news(0)
        await trio.sleep(0.001)
        assert len(world.calls) == count + 1


async def test_news_is_followed_at_once_though_nobody_answers_at_an_old_address(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with meeting(monkeypatch) as world:
        world.dial_s[1] = 5.0
        world.nursery.start_soon(world.seats[1].live)
        await trio.sleep(1)
        world.dial_s[1] = 0.01
        world.seats[1].places.on_news(0)
        await trio.sleep(0.1)
        assert len(world.seats[1].heard) == 1


async def test_whoever_else_answers_is_called_again_and_not_believed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def somebody_else(*_: Any, **__: Any) -> Link:
        raise HandshakeFailed(None, "another peer answers at this address")

    async with meeting(monkeypatch) as world:
        monkeypatch.setattr(mesh, "connect_any", somebody_else)
        world.nursery.start_soon(world.seats[1].live)
        await trio.sleep(5)
        assert not world.seats[1].heard
        monkeypatch.setattr(mesh, "connect_any", world.connect_any)
        await trio.sleep(3)
        assert len(world.seats[1].heard) == 1


@pytest.mark.parametrize("refusing", [0, 1])
async def test_a_program_that_is_not_heard_on_its_seat_is_told_so_whoever_calls(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, refusing: int
) -> None:
    async with meeting(monkeypatch) as world:
        refusal: list[object] = ["busy", ["claim", 1 - refusing], "10.0.0.4"]
        world.seats[refusing].refuses = refusal
        for seat in world.seats:
            world.nursery.start_soon(seat.live)
        await trio.sleep(3)
        other = world.seats[1 - refusing]
        assert other.told and all(told == refusal for told in other.told)
        assert not any(seat.heard for seat in world.seats)
        world.seats[refusing].refuses = None
        await trio.sleep(3)
        world.check_one_link()


@pytest.mark.parametrize(
    ("game", "caller", "is_let_in"),
    [(GAME, 0, True), (bytes([1]) * 32, 0, False), (GAME, 1, False), (GAME, None, False)],
)
async def test_m7_who_plays_another_game_or_sits_elsewhere_does_not_come_in(
    game: bytes, caller: int | None, *, is_let_in: bool
) -> None:
    """Its claim would be held against a seat of ours, and its link replace that seat's."""
    told, heard, closed = list[Notice](), list[int](), list[bool]()
    router = LinkRouter(1, lambda news: told.append(cast(Notice, news)))
    roster = SimpleNamespace(seat_of=lambda peer: caller)
    session = SimpleNamespace(replica=SimpleNamespace(game_id=GAME, me=1, roster=roster))

    async def take_in(seat: int, link: Link, claim: object) -> None:
        heard.append(seat)

    async def receive() -> object:
        return ["mesh", game, ["claim"]]

    async def aclose() -> None:
        closed.append(True)

    router.meet(cast(Session, session), cast(Mesh, SimpleNamespace(take_in=take_in)))
    link = SimpleNamespace(peer=bytes(32), peer_name="Eve", receive=receive, aclose=aclose)
    await router._welcome(cast(Link, link))
    assert (heard, closed) == (([0], []) if is_let_in else ([], [True]))
    # Its program alone dials a game that I have left; nobody asked for anything.
    is_told = not is_let_in and game == GAME
    assert [each.text for each in told] == [ELSEWHERE] * is_told


@pytest.mark.parametrize(
    ("caller", "notices"), [(0, []), (None, ["Eve was turned away: it did not say what it wants"])]
)
async def test_nobody_is_told_of_a_call_that_a_seat_did_not_need(
    caller: int | None, notices: list[str], autojump_clock: MockClock
) -> None:
    """Two seats that call each other at once leave one call over; a stranger's is another thing."""
    told, closed = list[Notice](), list[bool]()
    router = LinkRouter(1, lambda news: told.append(cast(Notice, news)))
    roster = SimpleNamespace(seat_of=lambda peer: caller)
    session = SimpleNamespace(replica=SimpleNamespace(roster=roster))

    async def aclose() -> None:
        closed.append(True)

    router.meet(cast(Session, session), cast(Mesh, SimpleNamespace()))
    link = SimpleNamespace(
        peer=bytes(32), peer_name="Eve", receive=trio.sleep_forever, aclose=aclose
    )
    await router._welcome(cast(Link, link))
    assert ([each.text for each in told], closed) == (notices, [True])
