"""An encrypted link between two machines that know each other's identity.

Frames of canonical CBOR go either way at any time, after the handshake of `p2p.net.handshake`.

    send ----> queue ----> writer ---- TLS 1.3 ---- reader ----> inbox ----> receive
             (bounded)                                         (bounded)

Sending never waits for a slow peer: frames are queued, and the link of a peer that lets the queue
overflow is closed.  A full inbox makes the reader wait, and so the peer.  A peer from whom nothing
arrives, not even the answer to a ping, is gone.

What a peer may bring and cost us depends on its role (`ALLOWANCES` in `p2p.base.limits`): a
stranger, guest or spectator who brings more loses its link, a member has to wait.  The role says
who is at the other end by now (`Link.become`).

What arrives together is taken from a channel together (`waiting`), and so answered once.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

import trio

from p2p.base.errors import Flooding, HandshakeFailed, MalformedFrame, PeerError
from p2p.base.identity import Identity
from p2p.base.limits import (
    ALLOWANCES,
    GOODBYE_DEADLINE_S,
    HANDSHAKE_DEADLINE_S,
    LOOP_BYTES_MAX,
    PING_INTERVAL_S,
    READ_BYTES,
    READERS_MAX,
    RECEIVE_FRAMES_MAX,
    SEND_FRAMES_MAX,
    SILENCE_S_MAX,
    STALLED_S_MAX,
    WELCOME_DEADLINE_S,
    Role,
)
from p2p.base.names import is_clean_name, shown_name
from p2p.base.steps import sleep_in_step
from p2p.base.wire import FRAME_HEADER_BYTES, decode, encode, frame
from p2p.net.admission import Bucket
from p2p.net.certificate import dialling_context
from p2p.net.handshake import Proven, Stream, meet_listener
from p2p.net.interfaces import NobodyThere as NobodyThere  # Part of what `connect` raises.
from p2p.net.interfaces import host_of, shown_address, why_nobody

_log: Final = logging.getLogger("hostless.links")
_PING, _PONG, _BYE = encode(0), encode(1), encode(2)  # No message is a bare number.

WRITER_TURNS: Final = 3

Address: TypeAlias = tuple[str, int]
# What a link raises that has ended, at whichever end: when something is sent by it, and received.
SEND_ERRORS: Final = (trio.ClosedResourceError, trio.BrokenResourceError)
RECEIVE_ERRORS: Final = (trio.EndOfChannel, *SEND_ERRORS)
_limiter = trio.lowlevel.RunVar[trio.CapacityLimiter]("readers")


class Link:
    """Values to and from one peer.  `peer` is its proven identity, `peer_name` its name as shown.

    A link ends in one of three ways, seen by `receive`: the peer closed it (EndOfChannel), we did
    (ClosedResourceError), or it broke (BrokenResourceError; `fault` is set if the peer misbehaved).
    """

    def __init__(
        self, stream: Stream, proven: Proven, remote: Address, local_host: str = ""
    ) -> None:
        self.peer: Final = proven.peer
        self.peer_name: Final = shown_name(proven.name)
        self.channel: Final = proven.channel
        self.remote_host, self.remote_port = remote
        self.local_host: Final = local_host  # Our own address on it; empty if nobody knows.
        self.fault: PeerError | None = None
        self.burden: Callable[[], int] = int  # How often its host has called in vain lately.
        self.has_fallen_silent = False  # It ended since nothing arrived any more.
        self.round_trip_s: float | None = None  # By the last ping; None before the first answer.
        self._stream, self._reader = stream, proven.reader
        self.become(Role.STRANGER)
        self._queue: list[bytes] = []
        self._queued_bytes = 0
        self._queue_grew, self._queue_shrank = trio.Event(), trio.Event()
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

    def become(self, role: Role) -> None:
        """From now on the peer is this to us, and may bring and cost us what follows from that."""
        self.role, self._may = role, ALLOWANCES[role]
        self._reader.bytes_max = self._may.frame_bytes
        self._frames = Bucket(self._may.frames_per_s, self._may.frames_burst)
        self._bytes = Bucket(self._may.bytes_per_s, self._may.bytes_burst)

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

    def give_up(self, fault: PeerError | None = None) -> None:
        """End the link without a goodbye: nothing can arrive any more, or the peer misbehaved."""
        self._break(fault)

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
        if len(self._queue) > SEND_FRAMES_MAX or self._queued_bytes > self._may.sent_bytes:
            self._break(self._is_slow())
        self._queue_grew.set()

    def _is_slow(self) -> Flooding:
        return Flooding(self.peer, f"{self.peer_name} does not take in what we send")

    async def drain(self) -> None:
        """Wait until all that is queued has been written.

        Raises:
            trio.ClosedResourceError, trio.BrokenResourceError: as `send`.
        """
        while self._queued_bytes:
            self._check_open()
            self._queue_shrank = trio.Event()
            await self._queue_shrank.wait()
        self._check_open()

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
                self._queue_shrank.set()

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
        except (MalformedFrame, Flooding) as fault:
            fault.peer = self.peer
            self._break(fault)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._break()

    async def _take_in(self) -> bool:
        """Sort what has arrived; whether the peer said goodbye."""
        for payload in self._reader:
            await self._pace(FRAME_HEADER_BYTES + len(payload))
            if payload == _BYE:
                self._has_heard_goodbye = True
                return True
            if payload == _PING:
                self._enqueue(frame(_PONG))
            elif payload == _PONG:
                self.round_trip_s = trio.current_time() - self._pinged_at
            else:
                await put(self._inbox, await self._decoded(payload))
        return False

    async def _pace(self, size: int) -> None:
        """Take in no more than the peer may bring: a member waits, anybody else is cut off."""
        lacking_s = max(self._frames.take(1), self._bytes.take(size))
        if lacking_s and not self._may.waits:
            raise Flooding(self.peer, f"{self.peer_name} sends more than a {self.role.value} may")
        if lacking_s:
            await trio.sleep(lacking_s)

    async def _decoded(self, payload: bytes) -> object:
        if len(payload) <= LOOP_BYTES_MAX:
            return decode(payload, self._may.items)
        return await trio.to_thread.run_sync(decode, payload, self._may.items, limiter=_readers())

    async def _write(self) -> None:
        try:
            while self._queue or not self._is_closing:
                if not self._queue:
                    self._queue_grew = trio.Event()
                    await self._queue_grew.wait()
                batch, self._queue = b"".join(self._queue), []
                with trio.fail_after(math.inf if self._may.waits else STALLED_S_MAX):
                    await self._stream.send_all(batch)
                self._queued_bytes -= len(batch)
                self._queue_shrank.set()
            await self._stream.send_all(frame(_BYE))  # The peer closes, and our reader sees it.
        except trio.TooSlowError:
            self._break(self._is_slow())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._break()

    async def _keep_alive(self) -> None:
        while trio.current_time() - self._silent_since < SILENCE_S_MAX:
            self._pinged_at = trio.current_time()
            self._enqueue(frame(_PING))
            await sleep_in_step(PING_INTERVAL_S)
        self.has_fallen_silent = True
        self._break()


def remote_of(tcp: trio.SocketStream) -> Address:
    """Where the other end is.  Raises OSError if it has hung up already."""
    name = tcp.socket.getpeername()
    return host_of(name), name[1]


def local_host_of(tcp: trio.SocketStream) -> str:
    """Our own address on a connection; empty if nobody knows."""
    try:
        return host_of(tcp.socket.getsockname())
    except OSError:  # It has hung up already, which the link will notice.
        return ""


def _readers() -> trio.CapacityLimiter:
    """How many long frames are decoded at the same time."""
    try:
        return _limiter.get()
    except LookupError:
        _limiter.set(trio.CapacityLimiter(READERS_MAX))
        return _limiter.get()


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
        with trio.fail_after(WELCOME_DEADLINE_S):
            proven = await meet_listener(stream, (identity, name), expected)
    except trio.TooSlowError as error:
        await trio.aclose_forcefully(stream)
        raise HandshakeFailed(expected, "the peer did not say who it is in time") from error
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    link = Link(stream, proven, remote, local_host_of(tcp))
    link.become(Role.MEMBER)  # We chose to call it.
    trio.lowlevel.spawn_system_task(link.run, name=repr(link))
    return link


def post_to_all(links: Iterable[Link], value: object) -> None:
    """Queue a value on all links that are open; it is encoded once."""
    framed = frame(encode(value))
    for link in links:
        with suppress(*SEND_ERRORS):
            link.post(framed)


async def let_writers_run(links: Iterable[Link]) -> None:
    """Let links write what is queued: a writer wakes, encrypts and sends, each in its turn."""
    if any(link.has_more_to_send for link in links):
        for _ in range(WRITER_TURNS):
            await trio.lowlevel.checkpoint()


async def _dial(address: Address) -> tuple[trio.SocketStream, Address]:
    host, port = address
    try:
        with trio.fail_after(HANDSHAKE_DEADLINE_S):
            tcp = await trio.open_tcp_stream(host, port)  # Sets TCP_NODELAY.
            return tcp, remote_of(tcp)
    except (OSError, UnicodeError, trio.TooSlowError) as error:  # Unicode: a name that none has.
        raise why_nobody(host, port, error) from error


# ---- channels ----

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


async def turn_away(link: Link, reason: str) -> None:
    """Say why somebody does not get what it asked for, and hang up."""
    await link.send(["refused", reason])
    await link.aclose()
