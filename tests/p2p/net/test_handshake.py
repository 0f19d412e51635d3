"""Nobody gets a link without proving, to this very listener and now, who they are."""

from __future__ import annotations

import errno
import hashlib
import socket
import ssl
from contextlib import suppress

import pytest
import trio
from cryptography.hazmat.primitives.serialization import Encoding
from trio.testing import MockClock

from p2p.base.errors import HandshakeFailed, MalformedFrame, PeerError, WrongVersion
from p2p.base.identity import Identity
from p2p.base.limits import (
    CALLERS_PER_HOST_MAX,
    CALLS_BURST_MAX,
    HANDSHAKE_BYTES_MAX,
    HANDSHAKE_DEADLINE_S,
    WELCOME_DEADLINE_S,
)
from p2p.base.wire import encode, frame
from p2p.net import interfaces
from p2p.net.certificate import _certify, dialling_context, identity_in
from p2p.net.handshake import PROTOCOL_VERSION, OwnAddress
from p2p.net.link import NobodyThere, connect
from p2p.net.listening import open_listener
from tests.p2p.wiretap import HOST, at, raw_dialler, raw_listener

ADA, BOB, EVE = (Identity.generate() for _ in range(3))
NEWER = PROTOCOL_VERSION + 1


def proof(listener: bytes, certificate: bytes, nonce: bytes) -> bytes:
    """What a dialler signs, written down a second time."""
    label = "hostless link: the dialler's proof"
    return encode([label, PROTOCOL_VERSION, listener, hashlib.sha256(certificate).digest(), nonce])


async def refusal_of(*said: bytes) -> PeerError:
    """How a listener refuses somebody who says these bytes instead of a hello."""
    refusals: list[PeerError] = []
    async with open_listener(ADA, "Ada", host=HOST, on_refusal=refusals.append) as listener:
        async with raw_dialler(listener.port) as end:
            assert await end.receive() is not None, "the listener says hello first"
            for piece in said:
                await end.stream.send_all(piece)
            assert await end.receive() is None, "and hangs up"
        link = await connect(at(listener), BOB, "Bob")
        assert (await anext(listener)).peer == BOB.public, "others are not disturbed"
        await link.aclose()
    (refusal,) = refusals
    return refusal


async def test_both_ends_know_who_the_other_is() -> None:
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        mine = await connect(at(listener), BOB, "Bob", ADA.public)
        theirs = await anext(listener)
        assert (mine.peer, mine.peer_name) == (ADA.public, "Ada")
        assert (theirs.peer, theirs.peer_name) == (BOB.public, "Bob")
        assert (mine.remote_host, mine.remote_port) == at(listener)
        assert theirs.remote_host == HOST
        await mine.aclose()


@pytest.mark.parametrize(
    "said",
    [
        b"\x00\x00\x00\x03abc",
        b"\xff\xff\xff\xff",
        (HANDSHAKE_BYTES_MAX + 1).to_bytes(4),
        frame(b"\x81" * 500),
        frame(b"\x18\x01"),
        frame(encode([])),
        frame(encode(["hostless", True])),
        frame(encode(["another game", 1])),
        frame(encode(["hostless", PROTOCOL_VERSION, "Bob", BOB.public])),
        frame(encode(["hostless", PROTOCOL_VERSION, "Bob", BOB.public, bytes(64)])),
        frame(encode(["hostless", PROTOCOL_VERSION, "Bob", b"", bytes(64)])),
        frame(encode(["hostless", PROTOCOL_VERSION, "Bob", BOB.public, b""])),
        frame(encode(["hostless", PROTOCOL_VERSION, "B\x1bb", BOB.public, bytes(64)])),
        frame(encode(["hostless", PROTOCOL_VERSION, "B" * 33, BOB.public, bytes(64)])),
        frame(encode(["hostless", 1, "", BOB.public, bytes(64)])),
    ],
    ids=lambda said: f"{len(said)} bytes",  # Bob has a new key each time.
)
async def test_garbage_instead_of_a_hello_gets_no_link(said: bytes) -> None:
    assert isinstance(await refusal_of(said), HandshakeFailed)


async def test_a_wrong_version_is_named_on_both_sides() -> None:
    refusal = await refusal_of(frame(encode(["hostless", NEWER, "whatever", 7, 7, 7, 7])))
    assert isinstance(refusal, WrongVersion)
    assert f"version {NEWER}" in str(refusal)
    assert f"we speak {PROTOCOL_VERSION}" in str(refusal)
    async with raw_listener(ADA) as listener, trio.open_nursery() as nursery:

        async def answer() -> None:
            end = await listener.accept()
            await end.say(["hostless", NEWER, {"new": "fields"}])

        nursery.start_soon(answer)
        with pytest.raises(WrongVersion, match=rf"version {NEWER} .* we speak {PROTOCOL_VERSION}"):
            await connect(at(listener), BOB, "Bob")


async def test_a_listener_that_is_somebody_else_is_not_told_who_we_are() -> None:
    async with raw_listener(EVE) as listener, trio.open_nursery() as nursery:
        heard: list[object] = []

        async def spy() -> None:
            end = await listener.accept()
            await end.say(["hostless", PROTOCOL_VERSION, "Ada", bytes(32)])
            heard.append(await end.receive())

        nursery.start_soon(spy)
        with pytest.raises(HandshakeFailed, match="another peer") as caught:
            await connect(at(listener), BOB, "Bob", ADA.public)
        assert caught.value.peer == EVE.public
    assert heard == [None]


async def test_calling_ourselves_is_noticed() -> None:
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        with pytest.raises(OwnAddress):
            await connect(at(listener), ADA, "Ada")


async def test_a_proof_cannot_be_replayed_at_another_time() -> None:
    """Eve saw what Bob said to Ada (as nobody can) and says it again."""
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        async with raw_dialler(listener.port) as first:
            certificate = first.stream.getpeercert(binary_form=True)
            match await first.receive():
                case [*_, bytes(nonce)]:
                    signature = BOB.sign(proof(ADA.public, certificate, nonce))
            hello = ["hostless", PROTOCOL_VERSION, "Bob", BOB.public, signature]
            await first.say(hello)
            assert await first.receive() == ["welcome"]
        async with raw_dialler(listener.port) as second:
            assert await second.receive() is not None
            await second.say(hello)
            assert await second.receive() is None


async def test_a_proof_cannot_be_relayed_to_another_listener() -> None:
    """Bob calls Eve, who passes Ada's nonce on to be Bob at Ada's table."""
    refusals: list[PeerError] = []
    async with (
        open_listener(ADA, "Ada", host=HOST, on_refusal=refusals.append) as table,
        raw_listener(EVE) as trap,
        trio.open_nursery() as nursery,
        raw_dialler(table.port) as ahead,
    ):

        async def relay() -> None:
            behind = await trap.accept()
            await behind.say(await ahead.receive())
            await ahead.say(await behind.receive())
            assert await ahead.receive() is None
            await trio.aclose_forcefully(behind.stream)

        nursery.start_soon(relay)
        with pytest.raises(HandshakeFailed):
            await connect(at(trap), BOB, "Bob")
    assert "signature" in str(refusals[0])


async def test_whoever_only_connects_is_hung_up_on_in_time(mock_clock: MockClock) -> None:
    refusals: list[PeerError] = []
    async with open_listener(ADA, "Ada", host=HOST, on_refusal=refusals.append) as listener:
        silent = await trio.open_tcp_stream(HOST, listener.port)
        async with raw_dialler(listener.port) as end:
            assert await end.receive() is not None
            await end.stream.send_all(b"\x00\x00")  # And then nothing more.
            mock_clock.jump(HANDSHAKE_DEADLINE_S + 0.1)
            assert await end.receive() is None
            assert await silent.receive_some() == b""
        await silent.aclose()
    assert [str(refusal) for refusal in refusals] == [
        "the caller did not say who it is in time"
    ] * 2


async def test_half_of_a_tls_handshake_holds_a_place_for_a_moment_only(
    mock_clock: MockClock,
) -> None:
    """By the time that it has heard the first message the listener has signed something."""
    refusals: list[PeerError] = []
    async with open_listener(ADA, "Ada", host=HOST, on_refusal=refusals.append) as listener:
        half = await trio.open_tcp_stream(HOST, listener.port)
        await half.send_all(client_hello())
        assert len(await half.receive_some()) > 0, "it has answered"
        mock_clock.jump(HANDSHAKE_DEADLINE_S + 0.1)
        while await half.receive_some():
            pass
        await half.aclose()
    assert [str(refusal) for refusal in refusals] == ["the caller did not say who it is in time"]


async def test_a_hello_that_comes_a_byte_at_a_time_has_no_more_time_than_another(
    autojump_clock: MockClock,
) -> None:
    refusals: list[PeerError] = []
    async with (
        open_listener(ADA, "Ada", host=HOST, on_refusal=refusals.append) as listener,
        raw_dialler(listener.port) as end,
    ):
        began = trio.current_time()
        with suppress(trio.BrokenResourceError):
            for byte in (512).to_bytes(4) + bytes(512):
                await end.stream.send_all(bytes([byte]))
                await trio.sleep(HANDSHAKE_DEADLINE_S / 20)
        assert trio.current_time() - began < 3 * HANDSHAKE_DEADLINE_S
    assert [str(refusal) for refusal in refusals] == ["the caller did not say who it is in time"]


def client_hello() -> bytes:
    """The first message of TLS, as a caller sends it."""
    outgoing = ssl.MemoryBIO()
    half = dialling_context().wrap_bio(ssl.MemoryBIO(), outgoing)
    with suppress(ssl.SSLWantReadError):
        half.do_handshake()
    return outgoing.read()


async def test_a_listener_that_says_nothing_does_not_hold_us_up(mock_clock: MockClock) -> None:
    async with raw_listener(EVE) as listener, trio.open_nursery() as nursery:

        async def wait() -> None:
            await listener.accept()
            mock_clock.jump(WELCOME_DEADLINE_S + 0.1)

        nursery.start_soon(wait)
        with pytest.raises(HandshakeFailed, match="in time"):
            await connect(at(listener), BOB, "Bob")


async def test_strangers_from_one_host_cannot_fill_the_doorway() -> None:
    async with open_listener(ADA, "Ada", host=HOST) as listener, trio.open_nursery() as nursery:
        ends = [
            await trio.open_tcp_stream(HOST, listener.port) for _ in range(CALLERS_PER_HOST_MAX)
        ]
        late = await trio.open_tcp_stream(HOST, listener.port)
        assert await late.receive_some() == b"", "the next one is turned away at once"
        for end in [*ends, late]:
            await end.aclose()
        nursery.cancel_scope.cancel()


async def test_a_crowd_is_turned_away_many_at_a_time() -> None:
    """With one of them for each turn of everybody else, others would wait behind the crowd."""
    async with open_listener(ADA, "Ada", host=HOST) as listener:
        crowd = [socket.create_connection(at(listener)) for _ in range(CALLS_BURST_MAX)]
        for each in crowd:
            each.setblocking(False)
        turns = 0
        while sum(map(is_closed, crowd)) < CALLS_BURST_MAX - CALLERS_PER_HOST_MAX:
            turns += 1
            await trio.lowlevel.checkpoint()
        for each in crowd:
            each.close()
    assert turns < CALLS_BURST_MAX


def is_closed(end: socket.socket) -> bool:
    """Whether the other end has hung up."""
    try:
        return end.recv(1) == b""
    except BlockingIOError:
        return False


async def test_nobody_there_is_one_clear_line() -> None:
    sockets = await trio.open_tcp_listeners(0, host=HOST)
    port = sockets[0].socket.getsockname()[1]
    await sockets[0].aclose()
    with pytest.raises(NobodyThere, match=f"nobody answers at {HOST}:{port}"):
        await connect((HOST, port), BOB, "Bob")


@pytest.mark.parametrize("host", ["..", "x" * 64, "\ud7ff", "\u00e9" * 80])
async def test_a_name_that_no_machine_can_have_is_one_clear_line_too(host: str) -> None:
    with pytest.raises(NobodyThere, match="nobody answers at"):
        await connect((host, 4000), BOB, "Bob")


async def test_whoever_does_not_speak_tls_gets_no_link() -> None:
    refusals: list[PeerError] = []
    async with open_listener(ADA, "Ada", host=HOST, on_refusal=refusals.append) as listener:
        tcp = await trio.open_tcp_stream(HOST, listener.port)
        await tcp.send_all(b"GET / HTTP/1.1\r\n\r\n")
        async for _ in tcp:
            pass
        await tcp.aclose()
    assert isinstance(refusals[0], HandshakeFailed)


def test_a_certificate_that_is_only_tolerated_is_none() -> None:
    """A warning about it would go across the screen, and one day it cannot be read any more."""
    der = bytearray(_certify(BOB).public_bytes(Encoding.DER))
    assert identity_in(bytes(der)) == BOB.public
    serial = der.index(bytes.fromhex("a003020102")) + 5
    der[serial + 2] = 0xFF  # Below zero.
    with pytest.raises(MalformedFrame, match="cannot be read"):
        identity_in(bytes(der))


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no machine of that name"),
        (OSError("all attempts failed"), "nobody answers at den:4000"),
        (ConnectionRefusedError(111, "Connection refused"), "nothing listens at that port"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "no network that leads there"),
        (trio.TooSlowError(), "nobody answers at den:4000"),
    ],
)
def test_it_is_told_why_nobody_answers(
    error: Exception, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interfaces, "is_alone", lambda: False)
    assert says in str(interfaces.why_nobody("den", 4000, error))
    several = OSError("all attempts to connect to den:4000 failed")
    several.__cause__ = ExceptionGroup("", [error, OSError("another")])
    assert says in str(interfaces.why_nobody("den", 4000, several))


def test_a_machine_on_no_network_is_told_so_when_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests have loopback alone."""
    assert interfaces.is_alone()
    error = interfaces.why_nobody("192.0.2.7", 4000, trio.TooSlowError())
    assert "this machine is on no network" in str(error) and error.hint == interfaces.GET_NETWORK
