"""The door of a machine: callers, from the first byte to a link that is proven.

    caller --- place at the door? --- TLS and handshake in time --- link --- whoever takes it in
                    |
                    +--no--> closed in the same turn, so that a crowd keeps nobody else waiting

Who has a place is decided by `p2p.net.admission`.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, TypeAlias

import trio

from core.errors import HostlessError
from p2p.base.errors import HandshakeFailed, PeerError
from p2p.base.identity import Identity
from p2p.base.limits import (
    CALLERS_AT_ONCE,
    EXHAUSTED_S,
    HANDSHAKE_DEADLINE_S,
    LINKS_WAITING_MAX,
    TURNED_AWAY_AT_ONCE,
)
from p2p.base.names import is_clean_name
from p2p.net.admission import Call, Callers
from p2p.net.certificate import listening_context
from p2p.net.handshake import Proven, Stream, meet_dialler
from p2p.net.interfaces import host_of, shown_address
from p2p.net.link import Address, Link, local_host_of, remote_of

_log: Final = logging.getLogger("hostless.links")

EVERY_INTERFACE: Final = "0.0.0.0"  # And [::], where there is IPv6.
EVERY_INTERFACE_IPV6: Final = "::"

Refused: TypeAlias = Callable[[PeerError], object]


class AddressTaken(HostlessError):
    """We cannot listen at this address."""



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
        async with trio.open_nursery() as nursery:
            for door in self._sockets:
                nursery.start_soon(answer, door, self._callers.admit, self._take_in)

    async def _take_in(self, tcp: trio.SocketStream, call: Call) -> None:
        with self._callers.stay(call):
            try:
                ends = remote_of(tcp), local_host_of(tcp)
            except OSError:
                return  # It has hung up already.
            stream = trio.SSLStream(tcp, self._context, server_side=True)
            await self._welcome(stream, ends, call)

    async def _welcome(self, stream: Stream, ends: tuple[Address, str], call: Call) -> None:
        try:
            proven = await self._meet(stream)
        except PeerError as error:
            _log.info("turned a caller from %s away: %s", ends[0][0], error)
            if self.on_refusal is not None:
                self.on_refusal(error)
            return
        link = Link(stream, proven, *ends)
        call.role = lambda: link.role
        call.has_misbehaved = lambda: link.fault is not None
        link.burden = lambda: self._callers.burden(call.host)
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


TakeIn: TypeAlias = Callable[[trio.SocketStream, Call], Awaitable[None]]


async def answer(
    listener: trio.SocketListener, admit: Callable[[str], Call | None], take_in: TakeIn
) -> None:
    """Let callers in, or close on them, until cancelled.

    A few are let in before everything else has its turn; many are turned away in the same time, or
    somebody with a right to come in would have to wait behind a crowd.
    """
    door = socket.socket(fileno=listener.socket.dup().detach())
    door.setblocking(False)
    async with listener, trio.open_nursery() as nursery:

        def see_in(tcp: socket.socket, call: Call) -> None:
            nursery.start_soon(_see_in, take_in, tcp, call)

        with door:
            while True:
                await trio.lowlevel.wait_readable(door)
                await _answer_all(door, admit, see_in)


async def _answer_all(
    door: socket.socket,
    admit: Callable[[str], Call | None],
    see_in: Callable[[socket.socket, Call], object],
) -> None:
    try:
        for tcp, call in _admitted(door, admit):
            see_in(tcp, call)
    except OSError as error:
        _log.warning("cannot take callers in: %s", error)
        await trio.sleep(EXHAUSTED_S)


def _admitted(
    door: socket.socket, admit: Callable[[str], Call | None]
) -> Iterator[tuple[socket.socket, Call]]:
    """Those who are let in of the crowd that stands there now; the others are closed on.

    Raises:
        OSError: this machine has nothing left for another connection.
    """
    taken = 0
    for _ in range(TURNED_AWAY_AT_ONCE):
        try:
            tcp, address = door.accept()
        except BlockingIOError:
            return
        except ConnectionError:
            continue  # It is gone again.
        call = admit(host_of(address))
        if call is None:
            tcp.close()
            continue
        yield tcp, call
        taken += 1
        if taken == CALLERS_AT_ONCE:
            return


async def _see_in(take_in: TakeIn, tcp: socket.socket, call: Call) -> None:
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(tcp))
    try:
        await take_in(stream, call)
    finally:
        await trio.aclose_forcefully(stream)


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
    listener = Listener((identity, name), sockets)
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


