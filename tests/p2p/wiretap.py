"""Ends of a connection that speak frames by hand: for peers that do not keep to the protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from p2p.base.identity import Identity
from p2p.base.limits import Role
from p2p.base.wire import FrameReader, decode, encode, frame
from p2p.net.certificate import dialling_context, listening_context
from p2p.net.handshake import Stream
from p2p.net.link import Address, Link, connect
from p2p.net.listening import Listener, open_listener

HOST = "127.0.0.1"
BROKEN = (trio.BrokenResourceError, trio.EndOfChannel, trio.ClosedResourceError)


class RawEnd:
    """TLS without any handshake of ours on top."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._reader = FrameReader()

    async def say(self, value: object) -> None:
        """Send one value, whatever it is."""
        await self.stream.send_all(frame(encode(value)))

    async def receive(self) -> object:
        """The next value, or None at the end."""
        while (payload := self._reader.next()) is None:
            try:
                received = await self.stream.receive_some(1 << 16)
            except trio.BrokenResourceError:
                return None
            if not received:
                return None
            self._reader.feed(received)
        return decode(payload)


@asynccontextmanager
async def raw_dialler(port: int) -> AsyncIterator[RawEnd]:
    """Dial and do the TLS handshake, no more."""
    tcp = await trio.open_tcp_stream(HOST, port)
    stream = trio.SSLStream(tcp, dialling_context())
    await stream.do_handshake()
    yield RawEnd(stream)
    await trio.aclose_forcefully(stream)


class RawListener:
    """A listener that answers with a script of a test instead of the protocol."""

    def __init__(self, identity: Identity) -> None:
        self.context, self.certificate = listening_context(identity)
        self.ends, self._arrived = trio.open_memory_channel[RawEnd](8)
        self.port = 0

    async def accept(self) -> RawEnd:
        """The next caller after its TLS handshake."""
        return await self._arrived.receive()

    async def take_in(self, tcp: trio.SocketStream) -> None:
        """Keep a caller until it goes."""
        stream = trio.SSLStream(tcp, self.context, server_side=True)
        await stream.do_handshake()
        await self.ends.send(RawEnd(stream))
        await trio.sleep_forever()


@asynccontextmanager
async def raw_listener(identity: Identity) -> AsyncIterator[RawListener]:
    """Listen and do the TLS handshake, no more."""
    listener = RawListener(identity)
    sockets = await trio.open_tcp_listeners(0, host=HOST)
    listener.port = sockets[0].socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, listener.take_in, sockets)
        yield listener
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Link]]:
    """Two ends of a real link over loopback: the dialler's and the listener's."""
    ada, bob = Identity.generate(), Identity.generate()
    async with open_listener(ada, "Ada", host=HOST) as listener:
        mine = await connect(at(listener), bob, "Bob", ada.public)
        theirs = await anext(listener)
        theirs.become(Role.MEMBER)
        yield mine, theirs
        await mine.aclose()


def at(listener: Listener | RawListener) -> Address:
    """Where a listener is."""
    return HOST, listener.port
