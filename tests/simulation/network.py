"""A network in memory: streams in order, messages of different links in any order, and faults.

    dial  ->  two streams, one for each end; each direction is a pipe
    pipe  =   (moment of arrival, bytes) ... and at most WINDOW_BYTES that nobody has read

A pipe keeps its order, as TCP does, and what is sent while its way is blocked arrives when the way
is free again.  A cut loses the end of what was on its way and tells both ends; a machine whose
plug was pulled tells nobody.
"""

from __future__ import annotations

import errno
import hashlib
import math
import random
from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Final

import trio

from p2p.net.listening import EVERY_INTERFACE_IPV6
from tests.simulation.here import here
from tests.simulation.machine import Run

HOST: Final = "127.0.0.1"
WINDOW_BYTES: Final = 1 << 18  # Of a pipe: sent, and not read.
REFUSED_S: Final = 0.001
NEAR_S: Final = 0.0001  # From one program of a machine to another.


@dataclass(eq=False)
class Pipe:
    """One direction of a connection."""

    network: Network
    source: Run
    target: Run
    packets: deque[tuple[float, bytes]] = field(default_factory=deque)
    unread: int = 0
    last_s: float = 0.0
    is_ended: bool = False  # The source will send no more.
    is_broken: bool = False
    changed: trio.Event = field(default_factory=trio.Event)

    def wake(self) -> None:
        """Let both ends look again."""
        self.changed.set()
        self.changed = trio.Event()

    def put(self, content: bytes) -> None:
        """Send bytes on their way."""
        latency = self.network.latency(self.source, self.target, len(content))
        self.last_s = max(self.last_s, trio.current_time() + latency)
        self.packets.append((self.last_s, content))
        self.unread += len(content)
        self.wake()

    def take(self, most: int) -> bytes | None:
        """What has arrived, up to so many bytes; empty at the end, None if one has to wait."""
        if self.packets and self.network.is_open(self.source, self.target):
            moment, content = self.packets[0]
            if moment <= trio.current_time():
                self.packets.popleft()
                if len(content) > most:
                    self.packets.appendleft((moment, content[most:]))
                    content = content[:most]
                self.unread -= len(content)
                self.network.note_heard(self.target.number, self.source.number)
                self.network.on_read(self, content)
                self.wake()
                return content
        if self.packets:
            return None
        if self.is_broken:
            raise trio.BrokenResourceError("the connection was cut")
        return b"" if self.is_ended else None

    def next_s(self) -> float:
        """When something will arrive, if nothing changes."""
        is_open = self.network.is_open(self.source, self.target)
        return self.packets[0][0] if self.packets and is_open else math.inf

    def cut(self, rng: random.Random) -> None:
        """Lose the end of what is on its way."""
        for _ in range(rng.randint(0, len(self.packets))):
            self.unread -= len(self.packets.pop()[1])
        self.is_broken = True
        self.wake()


class VirtualStream(trio.abc.Stream):
    """One end of a connection, with as much of a TCP socket as the program looks at."""

    def __init__(self, incoming: Pipe, outgoing: Pipe, port: int) -> None:
        self.incoming, self.outgoing = incoming, outgoing
        self.socket = SimpleNamespace(
            getpeername=lambda: (HOST, port), getsockname=lambda: (HOST, port)
        )
        self.certificates: dict[bool, bytes] = {}
        self._is_closed = False

    async def send_all(self, content: bytes) -> None:  # type: ignore[override]
        """Send when the other end has taken in enough of what came before."""
        await trio.lowlevel.checkpoint()
        pipe = self.outgoing
        while pipe.unread > WINDOW_BYTES and not pipe.is_broken:
            await pipe.changed.wait()
        if self._is_closed:
            raise trio.ClosedResourceError("this end was closed")
        if pipe.is_broken or pipe.is_ended:
            raise trio.BrokenResourceError("the connection was cut")
        if not pipe.source.is_dead:
            pipe.network.receive(pipe, bytes(content))
            pipe.put(bytes(content))

    async def wait_send_all_might_not_block(self) -> None:
        """Nobody asks."""
        raise AssertionError("links keep a queue of their own")

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """The next bytes, or none at the end."""
        assert max_bytes is not None, "links say how much they read"
        await trio.lowlevel.checkpoint()
        while not self._is_closed:
            content = self.incoming.take(max_bytes)
            if content is not None:
                return content
            with trio.move_on_at(self.incoming.next_s()):
                await self.incoming.changed.wait()
        raise trio.ClosedResourceError("this end was closed")

    async def aclose(self) -> None:
        """Close both ways; what was sent still arrives."""
        self._is_closed = True
        if not self.outgoing.source.is_dead:
            self.outgoing.is_ended = True
            if self.incoming.packets:  # TCP answers with a reset what nobody will read.
                self.outgoing.is_broken = True
        self.incoming.is_broken = True
        self.incoming.packets.clear()
        self.incoming.wake()
        self.outgoing.wake()
        await trio.lowlevel.checkpoint()


class VirtualListener(trio.abc.Listener[VirtualStream]):
    """Where a machine waits for callers."""

    def __init__(self, network: Network, owner: Run, port: int) -> None:
        self.owner, self._network, self._port = owner, network, port
        self.socket = SimpleNamespace(getsockname=lambda: (HOST, port))
        self.callers, self._waiting = trio.open_memory_channel[VirtualStream](100)

    async def accept(self) -> VirtualStream:
        """The next caller."""
        return await self._waiting.receive()

    async def aclose(self) -> None:
        """Stop listening."""
        self._network.listeners.pop(self._port, None)
        await trio.lowlevel.checkpoint()


class Network:
    """All machines, their listeners and connections, and the faults between them."""

    def __init__(self, rng: random.Random, worst_s: float) -> None:
        self.rng, self.worst_s = rng, worst_s
        self.listeners: dict[int, VirtualListener] = {}
        self.pipes: list[Pipe] = []
        self.stuck: dict[int, int] = {}  # Machine -> how many faults keep it from the network.
        self.split: list[frozenset[int]] = []  # Groups that cannot reach anybody else.
        self.barred: set[tuple[int, int]] = set()  # Ways (source, target) on which nothing moves.
        self.slow: dict[int, float] = {}  # Machine -> bytes per second.
        self.trace = hashlib.sha256()
        self.bytes_sent = 0
        # Machine -> the seconds in which bytes came in, and from whom.
        self.heard: dict[int, set[tuple[int, int]]] = {}
        self.on_bytes = self.on_read = lambda pipe, content: None
        self._next_port = 1024

    # ---- faults ----

    def latency(self, source: Run, target: Run, size: int) -> float:
        """How long so many bytes take."""
        drawn = self.rng.random()
        if source.computer == target.computer:
            return NEAR_S
        seconds = 0.0002 + self.worst_s * drawn**4
        for machine in (source.computer, target.computer):
            if machine in self.slow:
                seconds += size / self.slow[machine]
        return seconds

    def is_open(self, source: Run, target: Run) -> bool:
        """Whether anything gets from one machine to the other now."""
        one, other = source.computer, target.computer
        if one == other:
            return True
        is_stuck = self.stuck.get(one) or self.stuck.get(other) or (one, other) in self.barred
        return not is_stuck and all((one in group) == (other in group) for group in self.split)

    def wake(self) -> None:
        """Let everybody look again whether a way is open."""
        self.pipes = [pipe for pipe in self.pipes if pipe.packets or not pipe.is_broken]
        for pipe in self.pipes:
            pipe.wake()

    def cut(self, one: int, other: int) -> None:
        """End all connections between two machines."""
        for pipe in self.pipes:
            if {pipe.source.number, pipe.target.number} == {one, other}:
                pipe.cut(self.rng)

    def pull(self, run: Run) -> None:
        """A machine is gone; the others hear of it at once, or never."""
        self.listeners = {
            port: each for port, each in self.listeners.items() if each.owner is not run
        }
        is_told = self.rng.random() < 0.5
        for pipe in self.pipes:
            if pipe.source is run and is_told:
                pipe.cut(self.rng)
            elif pipe.source is run or pipe.target is run:
                pipe.is_broken = pipe.is_broken or pipe.target is run or is_told
                pipe.wake()

    # ---- traffic ----

    def receive(self, pipe: Pipe, content: bytes) -> None:
        """Note what is sent: for the trace, and for whoever looks for secrets."""
        moment = f"{trio.current_time():.9f} {pipe.source.number}>{pipe.target.number} "
        self.trace.update(moment.encode() + content)
        self.bytes_sent += len(content)
        self.on_bytes(pipe, content)

    def note_heard(self, machine: int, source: int) -> None:
        """Something has arrived at a machine."""
        self.heard.setdefault(machine, set()).add((int(trio.current_time()), source))

    def heard_s(self, machine: int, since: float, sources: Container[int]) -> int:
        """In how many seconds since then anything has arrived at a machine from these."""
        heard = self.heard.get(machine, ())
        return len({second for second, source in heard if second > since and source in sources})

    async def dial(self, host: str, port: int) -> VirtualStream:
        """What `trio.open_tcp_stream` is outside."""
        caller = here()
        await trio.sleep(REFUSED_S)
        listener = self.listeners.get(port)
        while listener is not None and not self._is_reachable(caller, listener.owner):
            await trio.sleep(0.5)  # Until the caller gives up.
            listener = self.listeners.get(port)
        if listener is None or listener.owner.is_dead or caller.is_dead:
            raise OSError(f"nobody listens at {host}:{port}")
        there, back = (
            Pipe(self, caller, listener.owner),
            Pipe(self, listener.owner, caller),
        )
        self.pipes += [there, back]
        ends = VirtualStream(back, there, port), VirtualStream(there, back, self._port())
        ends[1].certificates = ends[0].certificates
        await trio.sleep(2 * self.latency(caller, listener.owner, 0))
        try:
            listener.callers.send_nowait(ends[1])
        except (trio.WouldBlock, trio.BrokenResourceError) as error:
            raise OSError("too many callers") from error
        return ends[0]

    def _is_reachable(self, caller: Run, callee: Run) -> bool:
        return self.is_open(caller, callee) and self.is_open(callee, caller)

    def heard_by(self, run: Run) -> Iterator[tuple[int, int]]:
        """The port and the machine of each listener that could be reached from a machine now."""
        for port, listener in sorted(self.listeners.items()):
            owner = listener.owner
            if owner.number != run.number and not owner.is_dead and self._is_reachable(run, owner):
                yield port, owner.number

    async def listen(self, port: int, *, host: str) -> list[VirtualListener]:
        """What `trio.open_tcp_listeners` is outside."""
        await trio.lowlevel.checkpoint()
        if host == EVERY_INTERFACE_IPV6:
            raise OSError(errno.EAFNOSUPPORT, "no IPv6 here")
        port = port or self._port()
        if port in self.listeners:
            raise OSError(98, f"{host}:{port} is taken")
        listener = VirtualListener(self, here(), port)
        if not here().is_dead:
            self.listeners[port] = listener
        return [listener]

    def _port(self) -> int:
        self._next_port += 1
        return self._next_port


class PlainStream(trio.abc.Stream):
    """What stands where TLS is outside: the same calls, no encryption, and the certificate."""

    def __init__(self, stream: VirtualStream, offer: bytes, *, server_side: bool = False) -> None:
        self._stream, self._offer, self._is_server = stream, offer, server_side
        if server_side:
            stream.certificates[True] = offer

    async def do_handshake(self) -> None:
        """Wait until the listener has shown its certificate: as long as its first byte takes."""
        await trio.lowlevel.checkpoint()
        while not self._is_server and True not in self._stream.certificates:
            if self._stream.incoming.is_broken:
                raise trio.BrokenResourceError("the connection was cut")
            await trio.sleep(REFUSED_S)

    def getpeercert(self, *, binary_form: bool) -> bytes:
        """The certificate that the listener showed."""
        assert binary_form and not self._is_server, "diallers look at the bytes"
        return self._stream.certificates[True]

    async def send_all(self, content: bytes) -> None:  # type: ignore[override]
        """As it is."""
        await self._stream.send_all(content)

    async def wait_send_all_might_not_block(self) -> None:
        """Nobody asks."""
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """As it is."""
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        """Close the stream below."""
        await self._stream.aclose()
