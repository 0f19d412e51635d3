"""What a stranger on the LAN can do to a table, each kind again and again for some time.

It has a machine with 64 addresses, as many identities as it likes, and a reason: a live seat that
is kept waiting for the time of grace is lost, and nobody is to sit down or to look on.

    silent      connections on which nothing is said       half_open   a TLS hello, and no more
    garbage     bytes that are no TLS                      slow        a hello, a byte at a time
    frames      proven links, then frames that are too long, too deep or have too many items
    hold        proven links that do not say what they want
    look_on     spectators that send megabytes of empty lists, ping without end, or read nothing
    beacons, services    forged announcements of tables, for everybody who listens
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final

import trio
import zeroconf
from zeroconf import const

from core.errors import HostlessError
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import BEACON_PORT
from p2p.base.wire import encode, frame
from p2p.net.certificate import dialling_context
from p2p.net.discovery import TableAd
from p2p.net.dns_sd import SERVICE
from p2p.net.handshake import Stream, meet_listener
from p2p.net.link import Link
from scripts.lab.namespaces import Machine, enter

ADDRESSES: Final = 64
SILENT_EACH: Final = 16  # Connections that one of them keeps open.
HOLD_EACH: Final = 4  # Proven links, or spectators, of one of them.
PAUSE_S: Final = 0.05  # Before the same is done again.

Door = tuple[str, int]


def attack(machine: Machine, target: Door, seconds: float, kinds: Sequence[str]) -> None:
    """The process of the attacker."""
    addresses = [f"10.77.0.{100 + number}" for number in range(ADDRESSES)]
    for address in addresses:
        add = ["ip", "-n", machine.namespace, "address", "add", f"{address}/24", "dev", "eth0"]
        subprocess.run(add, check=True)
    enter(machine)
    counts: dict[str, int] = {}

    async def main() -> None:
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                for kind, address in itertools.product(kinds, addresses):
                    what, each, hosts = _DOES[kind]
                    for _ in range(each if address in addresses[:hosts] else 0):
                        nursery.start_soon(again, kind, what, (address, target), counts)

    trio.run(main)
    print("attacker:", json.dumps(counts), flush=True)


async def again(
    kind: str, what: Callable[..., Any], places: tuple[str, Door], counts: dict[str, int]
) -> None:
    """Do one thing again and again, whatever comes of it."""
    while True:
        with contextlib.suppress(OSError, trio.BrokenResourceError, trio.ClosedResourceError,
                                 trio.EndOfChannel, HostlessError, PeerError):  # fmt: skip
            await what(*places)
        counts[kind] = counts.get(kind, 0) + 1
        await trio.sleep(PAUSE_S)


async def dial(address: str, target: Door) -> trio.SocketStream:
    """A connection from one of the addresses."""
    voice = trio.socket.socket()
    try:
        await voice.bind((address, 0))
        await voice.connect(target)
    except BaseException:
        voice.close()
        raise
    return trio.SocketStream(voice)


# ---- connections ----


async def call_silently(address: str, target: Door) -> None:
    """A connection on which nothing is said until it is closed."""
    async with await dial(address, target) as stream:
        await stream.receive_some()


async def open_half(address: str, target: Door) -> None:
    """The first message of TLS, and no more: the other end has signed something by then."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    half = dialling_context().wrap_bio(incoming, outgoing)
    with contextlib.suppress(ssl.SSLWantReadError):
        half.do_handshake()
    async with await dial(address, target) as stream:
        await stream.send_all(outgoing.read())
        while await stream.receive_some():
            pass


async def talk_garbage(address: str, target: Door) -> None:
    """Bytes that are no TLS."""
    async with await dial(address, target) as stream:
        await stream.send_all(random.randbytes(4096))
        await stream.receive_some()


async def talk_slowly(address: str, target: Door) -> None:
    """A hello, a byte at a time."""
    async with trio.SSLStream(await dial(address, target), dialling_context()) as stream:
        await stream.do_handshake()
        for byte in b"\x00\x00\x02\x00" + bytes(512):
            await stream.send_all(bytes([byte]))
            await trio.sleep(0.5)


# ---- proven links ----


@contextlib.asynccontextmanager
async def proven(address: str, target: Door) -> AsyncIterator[tuple[Stream, Link]]:
    """A link of a new identity; what is sent by its stream goes past all that is ours."""
    stream = trio.SSLStream(await dial(address, target), dialling_context())
    try:
        proof = await meet_listener(stream, (Identity.generate(), "mallory"))
        yield stream, Link(stream, proof, target)
    finally:
        await trio.aclose_forcefully(stream)


async def hold(address: str, target: Door) -> None:
    """Say who it is, and not what it wants."""
    async with proven(address, target) as (stream, _):
        while await stream.receive_some():
            pass


async def break_frames(address: str, target: Door) -> None:
    """Frames that are too long, too deep, of too many items, or no value at all."""
    bad = [
        b"\xff\xff\xff\xff", (50_000).to_bytes(4) + b"\x81" * 50_000, b"\0\x10\0\0x",
        frame(encode([[]] * 800)), HEAVY,
    ]  # fmt: skip
    async with proven(address, target) as (stream, _):
        await stream.send_all(random.choice(bad))
        with trio.move_on_after(1):
            await stream.receive_some()


HEAVY: Final = frame(encode([[[]] * 60_000] * 16))  # A megabyte of empty lists.
_PING: Final = frame(encode(0))


async def look_on(address: str, target: Door) -> None:
    """Look on, and send what costs most; or read nothing of what is shown."""
    async with proven(address, target) as (stream, _):
        await stream.send_all(frame(encode(["watch"])))
        await stream.receive_some()
        match random.randrange(3):
            case 0:
                while True:
                    await stream.send_all(HEAVY)
            case 1:
                while True:
                    await stream.send_all(_PING * 10_000)
        while True:
            await stream.send_all(_PING)
            await trio.sleep(2)


# ---- announcements ----


async def forge_beacons(address: str, _: Door) -> None:
    """Twenty tables that are not there."""
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
        voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        await voice.bind((address, 0))
        for _number in range(20):
            said = encode(["hostless", *forged().plain()])
            await voice.sendto(said, ("10.77.0.255", BEACON_PORT))


async def forge_services(address: str, _: Door) -> None:
    """Fifty services that are not there, in one packet of multicast DNS each."""
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
        voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        for _number in range(50):
            ad = forged()
            flags = const._FLAGS_QR_RESPONSE | const._FLAGS_AA
            out = zeroconf.DNSOutgoing(flags)  # type: ignore[attr-defined]
            name = f"{ad.table_id}.{SERVICE}"
            pointer = zeroconf.DNSPointer(  # type: ignore[attr-defined]
                SERVICE, const._TYPE_PTR, const._CLASS_IN, 120, name
            )
            out.add_answer_at_time(pointer, 0)
            for packet in out.packets():
                await voice.sendto(packet, ("224.0.0.251", 5353))


def forged() -> TableAd:
    """An announcement of nothing."""
    return TableAd(
        random.randbytes(8).hex(), f"forged {random.random()}", "carta", 4, 1,
        random.randbytes(32), "10.77.0.99", 4000,
    )  # fmt: skip


_DOES: Final[dict[str, tuple[Callable[..., Any], int, int]]] = {
    "silent": (call_silently, SILENT_EACH, ADDRESSES),
    "half_open": (open_half, 1, ADDRESSES),
    "garbage": (talk_garbage, 1, ADDRESSES),
    "slow": (talk_slowly, 1, ADDRESSES),
    "frames": (break_frames, 1, 1),
    "hold": (hold, 1, ADDRESSES),
    "look_on": (look_on, HOLD_EACH, ADDRESSES),
    "beacons": (forge_beacons, 1, ADDRESSES),
    "services": (forge_services, 1, 1),
}
"""What is done, how often side by side from one address, and from how many addresses."""

KINDS: Final = tuple(_DOES)
