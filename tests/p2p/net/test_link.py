"""A link carries values both ways, and whatever its peer does it ends in an orderly manner."""

from __future__ import annotations

import errno
import socket
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from p2p.base.errors import Flooding, MalformedFrame
from p2p.base.identity import Identity
from p2p.base.limits import (
    PING_INTERVAL_S,
    PROTOCOL_VERSION,
    RECEIVE_FRAMES_MAX,
    SEND_BYTES_MAX,
    SILENCE_S_MAX,
)
from p2p.base.wire import encode, frame
from p2p.net.link import Link, connect, let_writers_run
from p2p.net.listening import AddressTaken, open_listener
from tests.limits import HANGS_S
from tests.p2p.wiretap import BROKEN, HOST, RawEnd, at, linked, raw_listener

ADA, BOB = Identity.generate(), Identity.generate()


async def welcome(listener_end: RawEnd) -> None:
    """The listener's half of a handshake that believes everything."""
    await listener_end.say(["hostless", PROTOCOL_VERSION, "Ada", bytes(32)])
    await listener_end.receive()
    await listener_end.say(["welcome"])


async def fault_after(*said: bytes) -> Link:
    """The link of somebody whose peer says these bytes, once it has ended."""
    async with raw_listener(ADA) as listener, trio.open_nursery() as nursery:

        async def answer() -> None:
            end = await listener.accept()
            await welcome(end)
            for piece in said:
                await end.stream.send_all(piece)

        nursery.start_soon(answer)
        link = await connect(at(listener), BOB, "Bob")
        with pytest.raises(trio.BrokenResourceError):
            await link.receive()
        with pytest.raises(trio.BrokenResourceError):
            await link.send("anything")
        await link.aclose()
        return link


async def test_values_arrive_in_order_and_unchanged() -> None:
    values = [[number, b"x" * number, {"a": None}] for number in range(500)]
    async with linked() as (mine, theirs):
        async with trio.open_nursery() as nursery:

            async def send_all() -> None:
                for value in values:
                    await mine.send(value)

            nursery.start_soon(send_all)
            assert [await theirs.receive() for _ in values] == values
        await theirs.send("and back")
        assert await mine.receive() == "and back"


async def test_what_is_said_in_one_go_is_one_write_that_comes_before_anything_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[bytes] = []
    async with linked() as (mine, theirs):
        await trio.testing.wait_all_tasks_blocked()
        send_all = mine._stream.send_all

        async def noting(content: bytes) -> None:
            written.append(content)
            await send_all(content)

        monkeypatch.setattr(mine._stream, "send_all", noting)
        pieces = [frame(encode(value)) for value in ("one", "two", "three")]
        for piece in pieces:
            mine.post(piece)
        assert mine.has_more_to_send
        await let_writers_run([mine])
        assert not mine.has_more_to_send and written == [b"".join(pieces)]
        assert [await theirs.receive() for _ in pieces] == ["one", "two", "three"]


async def test_who_has_nothing_to_say_gives_way_to_nobody() -> None:
    async with linked() as (mine, _):
        await trio.testing.wait_all_tasks_blocked()
        assert not mine.has_more_to_send
        with trio.testing.assert_no_checkpoints():
            await let_writers_run([mine])


async def test_what_was_sent_before_closing_arrives_whole() -> None:
    async with linked() as (mine, theirs):
        for number in range(100):
            await mine.send([number, bytes(10_000)])
        async with trio.open_nursery() as nursery:
            nursery.start_soon(mine.aclose)
            for number in range(100):
                assert await theirs.receive() == [number, bytes(10_000)]
            with pytest.raises(trio.EndOfChannel):
                await theirs.receive()
        with pytest.raises(trio.ClosedResourceError):
            await mine.receive()
        with pytest.raises(trio.ClosedResourceError):
            await mine.send(1)
        with pytest.raises(trio.BrokenResourceError):
            await theirs.send(1)
        assert mine.fault is theirs.fault is None


async def test_both_may_close_at_once_and_twice() -> None:
    async with linked() as (mine, theirs), trio.open_nursery() as nursery:
        for link in (mine, theirs, mine, theirs):
            nursery.start_soon(link.aclose)
    with pytest.raises(trio.ClosedResourceError):
        await mine.receive()


@pytest.mark.parametrize(
    "said",
    [
        b"\xff\xff\xff\xff",
        (1 << 20 | 1).to_bytes(4),
        frame(b"\x18\x01"),
        frame(b"\x81" * 1000 + b"\x00"),
        frame(b"\xfb\x3f\xf0" + bytes(6)),
        frame(b""),
        frame(encode(1)) + frame(b"\xff"),
    ],
)
async def test_a_malformed_frame_ends_the_link_and_blames_the_peer(said: bytes) -> None:
    link = await fault_after(said)
    assert isinstance(link.fault, MalformedFrame)
    assert link.fault.peer == ADA.public


async def test_values_before_a_malformed_frame_are_still_received() -> None:
    async with raw_listener(ADA) as listener, trio.open_nursery() as nursery:

        async def answer() -> None:
            end = await listener.accept()
            await welcome(end)
            await end.stream.send_all(frame(encode(["fine"])) + frame(b"\xff"))

        nursery.start_soon(answer)
        link = await connect(at(listener), BOB, "Bob")
        assert await link.receive() == ["fine"]
        with pytest.raises(trio.BrokenResourceError):
            await link.receive()


async def test_a_cut_connection_is_not_mistaken_for_a_goodbye() -> None:
    async with raw_listener(ADA) as listener, trio.open_nursery() as nursery:

        async def answer() -> None:
            end = await listener.accept()
            await welcome(end)
            await trio.aclose_forcefully(end.stream)

        nursery.start_soon(answer)
        link = await connect(at(listener), BOB, "Bob")
        with pytest.raises(trio.BrokenResourceError):
            await link.receive()
        assert link.fault is None


async def test_a_peer_that_takes_nothing_in_holds_up_nobody_and_loses_its_link() -> None:
    async with raw_listener(ADA) as listener, trio.open_nursery() as nursery:

        async def answer() -> None:
            await welcome(await listener.accept())

        nursery.start_soon(answer)
        link = await connect(at(listener), BOB, "Bob")

        async def flood() -> None:
            for _ in range(4 * SEND_BYTES_MAX // (1 << 19)):
                await link.send(bytes(1 << 19))

        with pytest.raises(trio.BrokenResourceError):
            await flood()
        assert isinstance(link.fault, Flooding)
        assert link.fault.peer == ADA.public


async def test_a_full_inbox_makes_the_peer_wait_and_loses_nothing() -> None:
    count = RECEIVE_FRAMES_MAX * 4
    async with linked() as (mine, theirs):
        for number in range(count):
            await mine.send([number])
        await trio.testing.wait_all_tasks_blocked()
        assert [await theirs.receive() for _ in range(count)] == [[n] for n in range(count)]


async def test_a_peer_from_whom_nothing_comes_is_gone(mock_clock: MockClock) -> None:
    async with raw_listener(ADA) as listener, trio.open_nursery() as nursery:

        async def answer() -> None:
            end = await listener.accept()
            await welcome(end)
            while await end.receive() is not None:
                mock_clock.jump(PING_INTERVAL_S)

        nursery.start_soon(answer)
        link = await connect(at(listener), BOB, "Bob")
        began = trio.current_time()
        with pytest.raises(trio.BrokenResourceError):
            await link.receive()
        assert SILENCE_S_MAX <= trio.current_time() - began <= SILENCE_S_MAX + 2 * PING_INTERVAL_S


async def test_an_idle_link_stays_and_measures_its_round_trip() -> None:
    async with linked() as (mine, theirs):
        for _ in range(3):  # The first ping goes out beside the first value.
            await mine.send("here")
            assert await theirs.receive() == "here"
            await theirs.send("there")
            assert await mine.receive() == "there"
        assert mine.round_trip_s is not None
        assert 0 <= mine.round_trip_s < 5


async def test_a_port_that_is_taken_is_one_clear_line() -> None:
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        with pytest.raises(AddressTaken, match=str(listener.port)):
            async with open_listener(BOB, "Bob", host=HOST, port=listener.port):
                pytest.fail("two listeners share a port")


async def test_closing_a_listener_ends_its_links() -> None:
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        link = await connect(at(listener), BOB, "Bob")
        theirs = await anext(listener)
    with pytest.raises(trio.BrokenResourceError):
        await theirs.receive()
    with trio.fail_after(HANGS_S):
        await theirs.aclose()
    with pytest.raises(BROKEN):
        await link.receive()
    await link.aclose()


def loopbacks() -> list[str]:
    """This machine's own addresses, in every family that it has."""
    try:
        with socket.socket(socket.AF_INET6) as asked:
            asked.bind(("::1", 0))
    except OSError:
        return [HOST]
    return [HOST, "::1"]


async def test_both_families_are_listened_to_at_one_port() -> None:
    async with open_listener(ADA, "Ada") as listener:
        for host in loopbacks():
            link = await connect((host, listener.port), BOB, "Bob")
            theirs = await anext(listener)
            assert (link.remote_host, link.local_host) == (host, host)
            assert (theirs.remote_host, theirs.local_host) == (host, host)
            await link.aclose()


def answering_ipv6(number: int) -> Callable[..., Awaitable[list[trio.SocketListener]]]:
    """What listens in one family and says this error in the other."""
    listen = trio.open_tcp_listeners

    async def refuse(port: int, *, host: str) -> list[trio.SocketListener]:
        if ":" in host:
            raise OSError(number, "not here")
        return await listen(port, host=host)

    return refuse


async def test_a_machine_without_ipv6_listens_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trio, "open_tcp_listeners", answering_ipv6(errno.EAFNOSUPPORT))
    async with open_listener(ADA, "Ada") as listener:
        link = await connect((HOST, listener.port), BOB, "Bob")
        assert (await anext(listener)).peer == BOB.public
        await link.aclose()


async def test_a_port_that_is_taken_in_one_family_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        port = listener.port  # Free in a moment.
    monkeypatch.setattr(trio, "open_tcp_listeners", answering_ipv6(errno.EADDRINUSE))
    with pytest.raises(AddressTaken, match="not here"):
        async with open_listener(ADA, "Ada", port=port):
            pytest.fail("the port is taken")
