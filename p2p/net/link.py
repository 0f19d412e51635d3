"""An encrypted link between two machines that know each other's identity.

Frames of canonical CBOR go either way at any time, after the handshake of `p2p.net.handshake`.

    send ----> queue ----> writer ---- TLS 1.3 ---- reader ----> inbox ----> receive
             (bounded)                                         (bounded)

Sending never waits for a slow peer: frames are queued, and the link of a peer that lets the queue
overflow is closed.  A full inbox makes the reader wait, and so the peer.  A peer from whom nothing
arrives, not even the answer to a ping, is gone.

What arrives together is taken from a channel together (`waiting`), and so answered once.
"""

from __future__ import annotations

import errno
import logging
import math
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final, TypeAlias, TypeVar

import trio

from core.errors import HostlessError
from p2p.base.errors import Flooding, HandshakeFailed, MalformedFrame, PeerError
from p2p.base.identity import Identity, is_clean_name
from p2p.base.limits import (
    CALLERS_AT_ONCE,
    GOODBYE_DEADLINE_S,
    HANDSHAKE_DEADLINE_S,
    LINKS_WAITING_MAX,
    PING_INTERVAL_S,
    READ_BYTES,
    RECEIVE_FRAMES_MAX,
    SEND_BYTES_MAX,
    SEND_FRAMES_MAX,
    SILENCE_S_MAX,
)
from p2p.base.wire import decode, encode, frame
from p2p.net.admission import Call, Callers
from p2p.net.certificate import dialling_context, listening_context
from p2p.net.handshake import Proven, Stream, meet_dialler, meet_listener
from p2p.net.interfaces import NobodyThere as NobodyThere  # Part of what `connect` raises.
from p2p.net.interfaces import host_of, shown_address, why_nobody

_log: Final = logging.getLogger("hostless.links")
_PING, _PONG, _BYE = encode(0), encode(1), encode(2)  # No message is a bare number.

EVERY_INTERFACE: Final = "0.0.0.0"  # And [::], where there is IPv6.
EVERY_INTERFACE_IPV6: Final = "::"
WRITER_TURNS: Final = 3

Address: TypeAlias = tuple[str, int]
Refused: TypeAlias = Callable[[PeerError], object]


class AddressTaken(HostlessError):
    """We cannot listen at this address."""


class Link:
    """Values to and from one peer.  `peer` is its proven identity, `peer_name` what it says.

    A link ends in one of three ways, seen by `receive`: the peer closed it (EndOfChannel), we did
    (ClosedResourceError), or it broke (BrokenResourceError; `fault` is set if the peer misbehaved).
    """

    def __init__(
        self, stream: Stream, proven: Proven, remote: Address, local_host: str = ""
    ) -> None:
        self.peer: Final = proven.peer
        self.peer_name: Final = proven.name
        self.channel: Final = proven.channel
        self.remote_host, self.remote_port = remote
        self.local_host: Final = local_host  # Our own address on it; empty if nobody knows.
        self.fault: PeerError | None = None
        self.round_trip_s: float | None = None  # By the last ping; None before the first answer.
        self._stream, self._reader = stream, proven.reader
        self._queue: list[bytes] = []
        self._queued_bytes = 0
        self._queue_grew = trio.Event()
        self._inbox, self._received = trio.open_memory_channel[object](RECEIVE_FRAMES_MAX)
        self._scope = trio.CancelScope()
        self._is_closing = self._is_broken = self._has_heard_goodbye = False
        self._is_over = trio.Event()
        self._silent_since = self._pinged_at = trio.current_time()

    def __repr__(self) -> str:
        return f"<Link to {self.peer_name} at {shown_address(self.remote_host, self.remote_port)}>"

    @property
    def silent_s(self) -> float:
        """For how long nothing has arrived."""
        return max(0.0, trio.current_time() - self._silent_since)

    async def send(self, value: object) -> None:
        """Queue a value; it goes out in order, as fast as the peer takes it.

        Raises:
            trio.ClosedResourceError: we closed the link.
            trio.BrokenResourceError: it has ended, or ends now because its queue overflows.
        """
        self.post(frame(encode(value)))
        await trio.lowlevel.checkpoint()

    def post(self, framed: bytes) -> None:
        """Queue a frame that is the same for several links, as `send` does.

        Raises:
            trio.ClosedResourceError, trio.BrokenResourceError: as `send`.
        """
        self._check_open()
        self._enqueue(framed)
        self._check_open()

    async def receive(self) -> object:
        """The next value.

        Raises:
            trio.EndOfChannel: the peer closed the link.
            trio.ClosedResourceError: we closed it.
            trio.BrokenResourceError: it broke; `fault` is set if the peer misbehaved.
        """
        try:
            return await self._received.receive()
        except trio.EndOfChannel:
            if self._is_closing or self._is_broken:
                self._check_open()
            raise

    async def aclose(self) -> None:
        """Send what is queued, say goodbye, and close when the peer has taken it in.

        A peer that does not gets one second: closing at once would throw away what is on its way.
        """
        self._is_closing = True
        self._queue_grew.set()  # Wakes the writer, which then ends the link.
        try:
            with trio.move_on_after(GOODBYE_DEADLINE_S):
                await self._is_over.wait()
        finally:
            self._scope.cancel()
            with trio.CancelScope(shield=True):
                await self._is_over.wait()

    def give_up(self) -> None:
        """End the link without a goodbye: nothing can arrive any more."""
        self._break()

    # ---- queue ----

    @property
    def has_more_to_send(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._queue)

    def _check_open(self) -> None:
        if self._is_closing:
            raise trio.ClosedResourceError("we closed this link")
        if self._is_broken or self._is_over.is_set():
            raise trio.BrokenResourceError(f"the link to {self.peer_name} ended") from self.fault

    def _enqueue(self, framed: bytes) -> None:
        self._queue.append(framed)
        self._queued_bytes += len(framed)
        if len(self._queue) > SEND_FRAMES_MAX or self._queued_bytes > SEND_BYTES_MAX:
            self._break(Flooding(self.peer, f"{self.peer_name} does not take in what we send"))
        self._queue_grew.set()

    def _break(self, fault: PeerError | None = None) -> None:
        self.fault = self.fault or fault
        self._is_broken = True
        self._scope.cancel()

    # ---- the tasks ----

    async def run(self) -> None:
        """Move frames until the link ends; whoever made the link starts this once."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    nursery.start_soon(self._keep_alive)
                    await self._read()
                    nursery.cancel_scope.cancel()
        finally:
            self._is_broken = self._is_broken or not self._has_heard_goodbye
            self._inbox.close()
            try:
                await trio.aclose_forcefully(self._stream)
            finally:
                self._is_over.set()

    async def _read(self) -> None:
        try:
            # The handshake may have read the first frames already.
            while not await self._take_in():
                self._silent_since = trio.current_time()
                received = await self._stream.receive_some(READ_BYTES)
                self._silent_since = math.inf  # While our inbox is full, the silence is ours.
                if not received:
                    raise trio.BrokenResourceError("the connection ended without a goodbye")
                self._reader.feed(received)
        except MalformedFrame as fault:
            fault.peer = self.peer
            self._break(fault)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._break()

    async def _take_in(self) -> bool:
        """Sort what has arrived; whether the peer said goodbye."""
        for payload in self._reader:
            if payload == _BYE:
                self._has_heard_goodbye = True
                return True
            if payload == _PING:
                self._enqueue(frame(_PONG))
            elif payload == _PONG:
                self.round_trip_s = trio.current_time() - self._pinged_at
            else:
                await put(self._inbox, decode(payload))
        return False

    async def _write(self) -> None:
        try:
            while self._queue or not self._is_closing:
                if not self._queue:
                    self._queue_grew = trio.Event()
                    await self._queue_grew.wait()
                batch, self._queue, self._queued_bytes = self._queue, [], 0
                await self._stream.send_all(b"".join(batch))
            await self._stream.send_all(frame(_BYE))  # The peer closes, and our reader sees it.
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._break()

    async def _keep_alive(self) -> None:
        while trio.current_time() - self._silent_since < SILENCE_S_MAX:
            self._pinged_at = trio.current_time()
            self._enqueue(frame(_PING))
            await trio.sleep(PING_INTERVAL_S)
        self._break()


def _remote(tcp: trio.SocketStream) -> Address:
    """Where the other end is.  Raises OSError if it has hung up already."""
    name = tcp.socket.getpeername()
    return host_of(name), name[1]


def _local(tcp: trio.SocketStream) -> str:
    try:
        return host_of(tcp.socket.getsockname())
    except OSError:  # It has hung up already, which the link will notice.
        return ""


# ---- dialling ----


async def connect(
    address: Address, identity: Identity, name: str, expected: bytes | None = None
) -> Link:
    """A link to whoever listens at `address`; to `expected` only, if it is given.

    The link lives until it is closed or the program ends, not with a nursery of the caller: it is
    handed from the one who dials to the one who plays.

    Raises:
        NobodyThere: nobody answers, or not in time.
        OwnAddress: we do.
        HandshakeFailed: somebody else does, or not in our protocol; WrongVersion among them.
    """
    assert is_clean_name(name), "a name is cleaned before others hear it"
    tcp, remote = await _dial(address)
    stream = trio.SSLStream(tcp, dialling_context())
    try:
        with trio.fail_after(HANDSHAKE_DEADLINE_S):
            proven = await meet_listener(stream, (identity, name), expected)
    except trio.TooSlowError as error:
        await trio.aclose_forcefully(stream)
        raise HandshakeFailed(expected, "the peer did not say who it is in time") from error
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    link = Link(stream, proven, remote, _local(tcp))
    trio.lowlevel.spawn_system_task(link.run, name=repr(link))
    return link


def post_to_all(links: Iterable[Link], value: object) -> None:
    """Queue a value on all links that are open; it is encoded once."""
    framed = frame(encode(value))
    for link in links:
        with suppress(trio.ClosedResourceError, trio.BrokenResourceError):
            link.post(framed)


async def give_way(links: Iterable[Link]) -> None:
    """Let links write what is queued: a writer wakes, encrypts and sends, each in its turn."""
    if any(link.has_more_to_send for link in links):
        for _ in range(WRITER_TURNS):
            await trio.lowlevel.checkpoint()


async def _dial(address: Address) -> tuple[trio.SocketStream, Address]:
    host, port = address
    try:
        with trio.fail_after(HANDSHAKE_DEADLINE_S):
            tcp = await trio.open_tcp_stream(host, port)  # Sets TCP_NODELAY.
            return tcp, _remote(tcp)
    except (OSError, UnicodeError, trio.TooSlowError) as error:  # Unicode: a name that none has.
        raise why_nobody(host, port, error) from error


# ---- listening ----


class Listener(AsyncIterator[Link]):
    """Links from whoever dials us, as an asynchronous iterator; `port` is where."""

    def __init__(self, me: tuple[Identity, str], sockets: list[trio.SocketListener]) -> None:
        assert is_clean_name(me[1]), "a name is cleaned before others hear it"
        self.port: Final[int] = sockets[0].socket.getsockname()[1]
        self._me, self._sockets = me, sockets
        self._context, self._certificate = listening_context(me[0])
        self._arrived, self._links = trio.open_memory_channel[Link](LINKS_WAITING_MAX)
        self._callers = Callers()
        self.on_refusal: Refused | None = None  # Called with what was wrong with a caller.

    async def __anext__(self) -> Link:
        return await self._links.receive()  # Callers may always come: this never ends by itself.

    async def run(self) -> None:
        """Take in callers until cancelled; links end with it."""
        await trio.serve_listeners(self._take_in, self._sockets)

    async def _take_in(self, tcp: trio.SocketStream) -> None:
        try:
            remote = _remote(tcp)
        except OSError:
            return  # Whatever this task leaves, trio closes.
        with self._callers.take_in(remote[0]) as call:
            if call is not None:
                stream = trio.SSLStream(tcp, self._context, server_side=True)
                await self._welcome(stream, (remote, _local(tcp)), call)

    async def _welcome(self, stream: Stream, ends: tuple[Address, str], call: Call) -> None:
        try:
            proven = await self._meet(stream)
            call.is_proven = True
        except PeerError as error:
            _log.info("turned a caller from %s away: %s", ends[0][0], error)
            if self.on_refusal is not None:
                self.on_refusal(error)
            return
        link = Link(stream, proven, *ends)
        try:
            self._arrived.send_nowait(link)
        except trio.WouldBlock:
            return  # More callers than anybody takes in.
        await link.run()

    async def _meet(self, stream: Stream) -> Proven:
        try:
            with trio.fail_after(HANDSHAKE_DEADLINE_S):
                return await meet_dialler(stream, self._me, self._certificate)
        except trio.TooSlowError as error:
            raise HandshakeFailed(None, "the caller did not say who it is in time") from error


def doors_to(first: trio.SocketListener) -> list[trio.SocketListener]:
    """One socket, several times.

    Each takes in one caller, and then everything else has its turn: with one alone a crowd at the
    door would keep others waiting until they give up.
    """
    more = range(CALLERS_AT_ONCE - 1)
    return [first, *(trio.SocketListener(first.socket.dup()) for _ in more)]


@asynccontextmanager
async def open_listener(
    identity: Identity,
    name: str,
    *,
    port: int = 0,
    host: str = EVERY_INTERFACE,
    on_refusal: Refused | None = None,
) -> AsyncIterator[Listener]:
    """Listen for links at `port` (0: any free one); on every interface, or `host` alone.

    Raises:
        AddressTaken: another program listens there, or the address is not ours.
    """
    try:
        sockets = await _bind(port, host)
    except OSError as error:
        raise AddressTaken(
            f"cannot listen at {shown_address(host, port)}: {error.strerror}",
            "another program may be there",
        ) from error
    listener = Listener((identity, name), [door for each in sockets for door in doors_to(each)])
    listener.on_refusal = on_refusal
    async with trio.open_nursery() as nursery:
        nursery.start_soon(listener.run)
        yield listener
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_first_listener(
    me: tuple[Identity, str], host: str, ports: Sequence[int]
) -> AsyncIterator[Listener]:
    """Listen at the first of these ports that is free.

    Raises:
        AddressTaken: none of them is.
    """
    first, *others = ports
    async with AsyncExitStack() as stack:
        try:
            listening = open_listener(*me, host=host, port=first)
            listener = await stack.enter_async_context(listening)
        except AddressTaken as error:
            if not others:
                raise
            _log.info("%s; trying another port", error)
            listening = open_first_listener(me, host, others)
            listener = await stack.enter_async_context(listening)
        yield listener


async def _bind(port: int, host: str) -> list[trio.SocketListener]:
    """Sockets of one port: at `host`, or of both families on every interface."""
    first, *spare = await trio.open_tcp_listeners(port, host=host)
    for each in spare:  # A name with several addresses: one port cannot stand for all.
        await each.aclose()
    if host != EVERY_INTERFACE:
        return [first]
    try:
        chosen: int = first.socket.getsockname()[1]
        return [first, *await trio.open_tcp_listeners(chosen, host=EVERY_INTERFACE_IPV6)]
    except OSError as error:
        if error.errno != errno.EADDRINUSE:  # No IPv6 on this machine.
            _log.info("not listening by IPv6: %s", error)
            return [first]
        await first.aclose()
        if port:
            raise
        return await _bind(port, host)  # Another free one.


T = TypeVar("T")


async def put(channel: trio.MemorySendChannel[T], value: T) -> None:
    """Send, and give way to other tasks only where there is no room."""
    try:
        channel.send_nowait(value)
    except trio.WouldBlock:
        await channel.send(value)


def waiting(channel: trio.MemoryReceiveChannel[T]) -> Iterator[T]:
    """What is there to be received by now."""
    with suppress(trio.WouldBlock):
        while True:
            yield channel.receive_nowait()
