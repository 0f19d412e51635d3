"""A crowded LAN, and a stranger on it who does what a stranger can: is everybody else undisturbed?

    sudo lab.py lan_load                          25 tables of four, 40 s of attack
    sudo lab.py lan_load --tables 5 --attack 10

Each table has a namespace of its own: its four peers are real nodes, each with its own home,
identity, links, game files and browser, in one process.  Choices are made at random after a
moment.  The attacker has a machine with 64 addresses.  It aims at the first table: silent and slow
connections, garbage, hellos that never end, frames that are too long or too deep, proven links
that say nothing, and floods everybody with forged announcements by both ways.  Somebody who comes
late looks for tables meanwhile, and looks on at the one that is attacked.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import multiprocessing
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import trio
import zeroconf
from zeroconf import const

from core.errors import HostlessError
from core.requests import Action
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import BEACON_PORT
from p2p.base.roster import DecisionPoint
from p2p.base.wire import encode
from p2p.net.certificate import dialling_context
from p2p.net.discovery import TableAd, browsing
from p2p.net.dns_sd import SERVICE
from p2p.net.link import connect
from p2p.session.news import Gathering, JoinTable, News, OpenTable
from p2p.session.session import Session
from p2p.table.node import NodeConfig, run_once
from scripts.lab.namespaces import Machine, lan

SEATS: Final = 4
PAUSE_S: Final = 0.05  # A person's, before every choice.
SEEN_S_MAX: Final = 180.0  # For everybody to see every table.
BEGIN_S_MAX: Final = 400.0  # For every game to get going,
START: Final = 24  # which it is with so many entries.
CALM_S: Final = 20.0  # Before the attack.
ADDRESSES: Final = 64  # Of the attacker.
SILENT_EACH: Final = 16  # Connections that one of them keeps open.
CLONE_NEWNET: Final = 0x40000000
Said = dict[str, Any]


def enter(machine: Machine) -> None:
    """Be on this machine from now on."""
    with open(f"/var/run/netns/{machine.namespace}", "rb") as namespace:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(namespace.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")


def resident_mb() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


# ---- a table: four peers in one process ----


@dataclass
class Table:
    """What four peers at one table have seen and heard."""

    tables: int  # There are so many.
    port: int = 0
    opened: float = 0.0
    seen: dict[str, float] = field(default_factory=dict)  # When each peer saw all tables.
    heard: dict[bytes, list[float]] = field(default_factory=dict)  # When each entry was in a log.
    height: int = 0

    def latencies(self, since: float) -> list[float]:
        """Seconds from an entry's first log to its last, for those written since."""
        whole = [times for times in self.heard.values() if len(times) == SEATS]
        return [max(times) - min(times) for times in whole if min(times) >= since]


def make_session(table: Table) -> Callable[..., Session]:
    """A session that notes when entries are in its log."""

    class Noting(Session):
        async def _write_down(self) -> None:
            for entry in self.replica.log[self.ledger.count :]:
                table.heard.setdefault(entry.hash, []).append(time.monotonic())
            table.height = max(table.height, len(self.replica.log))
            await super()._write_down()

    return Noting


async def decide(turn: DecisionPoint) -> Action:
    """Any choice that is allowed."""
    await trio.sleep(PAUSE_S)
    return random.choice(turn.game.legal_actions(turn.table, turn.seat, turn.observation))


async def peer(table: Table, home: Path, seat: int, place: tuple[int, str, Any]) -> None:
    """One peer: it looks at what is announced, and plays once everybody is told to begin."""
    number, address, begin = place
    identity = Identity.load(home)
    config = NodeConfig(home, identity, f"p{number}-{seat}", player=decide,
                        make_session=make_session(table))  # fmt: skip

    def tell(news: News) -> None:
        if isinstance(news, Gathering) and not table.port:
            table.port, table.opened = news.table.port, time.monotonic()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look, table, config.name)
        if seat == 0:
            command = OpenTable("carta", SEATS, name=f"table {number}")
            nursery.start_soon(run_once, command, tell, config)
            return
        await trio.to_thread.run_sync(begin.wait, abandon_on_cancel=True)
        await run_once(JoinTable(f"{address}:{table.port}"), tell, config)


async def look(table: Table, name: str) -> None:
    """Note when all tables are in sight."""
    async with browsing() as sightings:
        async for ads in sightings:
            if sum(ad.name.startswith("table ") for ad in ads) >= table.tables:
                table.seen.setdefault(name, time.monotonic())


def sit(machine: Machine, number: int, home: Path, shared: Said) -> None:
    """The process of a table."""
    enter(machine)
    table = Table(shared["tables"])

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in range(SEATS):
                (home / str(seat)).mkdir(parents=True)
                place = (number, machine.address, shared["begin"])
                nursery.start_soon(peer, table, home / str(seat), seat, place)
            while not shared["end"].is_set():
                await trio.sleep(0.5)
                tell(table, number, shared)
            nursery.cancel_scope.cancel()

    trio.run(main)


def tell(table: Table, number: int, shared: Said) -> None:
    """Let the parent know where this table is."""
    since = shared["attacked"].value
    calm = [each for each in table.latencies(0) if each >= 0]
    shared["said"][number] = {
        "port": table.port, "opened": table.opened, "seen": list(table.seen.values()),
        "height": table.height, "mb": resident_mb(),
        "latencies": table.latencies(since) if since else calm,
    }  # fmt: skip


# ---- the attacker ----


def attack(machine: Machine, target: tuple[str, int], seconds: float) -> None:
    """Everything at once, at one table and at everybody's ears."""
    addresses = [f"10.77.0.{100 + number}" for number in range(ADDRESSES)]
    for address in addresses:
        add = ["ip", "-n", machine.namespace, "address", "add", f"{address}/24", "dev", "eth0"]
        subprocess.run(add, check=True)
    enter(machine)
    counts: dict[str, int] = {}

    async def main() -> None:
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                for address in addresses:
                    for _ in range(SILENT_EACH):
                        nursery.start_soon(again, call_silently, address, target, counts)
                    nursery.start_soon(again, forge_beacons, address, target, counts)
                    nursery.start_soon(again, talk_garbage, address, target, counts)
                    nursery.start_soon(again, talk_slowly, address, target, counts)
                nursery.start_soon(again, break_frames, "", target, counts)
                nursery.start_soon(again, forge_services, addresses[0], target, counts)

    trio.run(main)
    print("attacker:", json.dumps(counts), flush=True)


async def again(
    what: Callable[..., Any], address: str, target: tuple[str, int], counts: dict[str, int]
) -> None:
    """Do one thing again and again, whatever comes of it."""
    while True:
        with contextlib.suppress(OSError, trio.BrokenResourceError, HostlessError, PeerError):
            await what(address, target)
        name = what.__name__.replace("_", " ")
        counts[name] = counts.get(name, 0) + 1
        await trio.sleep(0.05)


async def dial(address: str, target: tuple[str, int]) -> trio.SocketStream:
    """A connection from one of the addresses."""
    voice = trio.socket.socket()
    try:
        await voice.bind((address, 0))
        await voice.connect(target)
    except BaseException:
        voice.close()
        raise
    return trio.SocketStream(voice)


async def call_silently(address: str, target: tuple[str, int]) -> None:
    """A connection on which nothing is said until it is closed."""
    async with await dial(address, target) as stream:
        await stream.receive_some()


async def talk_garbage(address: str, target: tuple[str, int]) -> None:
    """Bytes that are no TLS."""
    async with await dial(address, target) as stream:
        await stream.send_all(random.randbytes(4096))
        await stream.receive_some()


async def talk_slowly(address: str, target: tuple[str, int]) -> None:
    """A hello, a byte at a time."""
    tcp = await dial(address, target)
    async with trio.SSLStream(tcp, dialling_context()) as stream:
        await stream.do_handshake()
        for byte in b"\x00\x00\x02\x00" + bytes(512):
            await stream.send_all(bytes([byte]))
            await trio.sleep(0.5)


async def break_frames(_: str, target: tuple[str, int]) -> None:
    """Proven links with frames that are too long, too deep, or no word at all."""
    me = Identity.generate()
    for said in (b"\xff\xff\xff\xff", (50_000).to_bytes(4) + b"\x81" * 50_000, b"\0\x10\0\0x"):
        link = await connect(target, me, "mallory")
        await link._stream.send_all(said)
        with trio.move_on_after(1), contextlib.suppress(trio.EndOfChannel):
            await link.receive()
        await link.aclose()


async def forge_beacons(address: str, _: tuple[str, int]) -> None:
    """A hundred tables that are not there."""
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
        voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        await voice.bind((address, 0))
        for _number in range(20):
            await voice.sendto(
                encode(["hostless", *forged().plain()]), ("10.77.0.255", BEACON_PORT)
            )


async def forge_services(address: str, _: tuple[str, int]) -> None:
    """Fifty services that are not there, in one packet of multicast DNS each."""
    with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
        voice.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        for _number in range(50):
            ad = forged()
            out = zeroconf.DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
            name = f"{ad.table_id}.{SERVICE}"
            pointer = zeroconf.DNSPointer(SERVICE, const._TYPE_PTR, const._CLASS_IN, 120, name)
            out.add_answer_at_time(pointer, 0)
            for packet in out.packets():
                await voice.sendto(packet, ("224.0.0.251", 5353))


def forged() -> TableAd:
    """An announcement of nothing."""
    return TableAd(
        random.randbytes(8).hex(), f"forged {random.random()}", "carta", 4, 1,
        random.randbytes(32), "10.77.0.99", 4000,
    )  # fmt: skip


# ---- somebody who comes late ----


def come_late(
    machine: Machine, doors: Sequence[tuple[str, int]], tables: int, results: Any
) -> None:
    """Look for the tables, and look on at the one that is attacked and at another, ten times."""
    enter(machine)

    async def main() -> None:
        began = time.monotonic()
        async with browsing() as sightings:
            with trio.move_on_after(30):
                async for ads in sightings:
                    results["seen"] = sum(ad.name.startswith("table ") for ad in ads)
                    if results["seen"] >= tables:
                        results["seen_s"] = time.monotonic() - began
                        break
            results["shown"] = len(sightings.current)
        for name, door in zip(("attacked", "other"), doors, strict=True):
            results[name] = [await look_on(door) for _ in range(10)]

    trio.run(main)


async def look_on(door: tuple[str, int]) -> float | str:
    """Seconds to the first word of a table to which one looks on; or why there was none."""
    began = time.monotonic()
    try:
        link = await connect(door, Identity.generate(), "late")
        await link.send(["watch"])
        with trio.fail_after(10):
            await link.receive()
        await link.aclose()
    except (HostlessError, PeerError, trio.BrokenResourceError, trio.TooSlowError) as error:
        return str(error)
    return round(time.monotonic() - began, 2)


# ---- all of it ----


def until(shared: Said, holds: Callable[[Said], bool], s_max: float) -> float:
    """Wait until something holds of every table; gives the seconds."""
    began = time.monotonic()
    while not (
        len(shared["said"]) == shared["tables"] and all(map(holds, shared["said"].values()))
    ):
        if time.monotonic() - began > s_max:
            print(f"not all after {s_max:.0f} s", flush=True)
            break
        time.sleep(0.5)
    return time.monotonic() - began


def spread(numbers: Sequence[float]) -> str:
    """The middle, the 99th percentile and the greatest, in milliseconds."""
    if not numbers:
        return "nothing"
    ordered = sorted(numbers)
    high = ordered[max(0, -(-len(ordered) * 99 // 100) - 1)]
    middle = statistics.median(ordered)
    return f"p50 {1000 * middle:.0f} ms, p99 {1000 * high:.0f} ms, max {1000 * ordered[-1]:.0f} ms"


def report(shared: Said, what: str) -> None:
    """Print where all tables are."""
    first, *others = [shared["said"][number] for number in range(shared["tables"])]
    rest = [each for other in others for each in other["latencies"]]
    heights = [each["height"] for each in shared["said"].values()]
    print(f"{what}: entries from the first log to the last of a table: "
          f"first table {spread(first['latencies'])} ({len(first['latencies'])}); "
          f"others {spread(rest)} ({len(rest)}); logs of {min(heights)} to {max(heights)} entries; "
          f"process of the first table {first['mb']:.0f} MB", flush=True)  # fmt: skip


def run(machines: Sequence[Machine], shared: Said, homes: Path, seconds: float) -> None:
    """Sit down, see, play, be attacked."""
    fork = multiprocessing.get_context("fork")
    *seats, stranger, late = machines
    tables = [
        fork.Process(target=sit, args=(machine, number, homes / str(number), shared))
        for number, machine in enumerate(seats)
    ]
    for process in tables:
        process.start()
    try:
        until(shared, lambda said: bool(said["port"]), SEEN_S_MAX)
        opened = max(said["opened"] for said in shared["said"].values())
        until(shared, lambda said: len(said["seen"]) == SEATS, SEEN_S_MAX)
        seen = [at - opened for said in shared["said"].values() for at in said["seen"]]
        print(f"{len(seen)} of {len(seats) * SEATS} peers saw all {len(seats)} tables; after the "
              f"last was opened: {spread(seen)}", flush=True)  # fmt: skip
        shared["begin"].set()
        took = until(shared, lambda said: said["height"] >= START, BEGIN_S_MAX)
        print(f"every game has {START} entries after {took:.0f} s", flush=True)
        shared["attacked"].value = time.monotonic()
        time.sleep(CALM_S)
        report(shared, "calm")
        shared["attacked"].value = time.monotonic()
        target = seats[0].address, shared["said"][0]["port"]
        other = seats[-1].address, shared["said"][len(seats) - 1]["port"]
        results = shared["shelf"].dict()
        strangers = [
            fork.Process(target=attack, args=(stranger, target, seconds)),
            fork.Process(target=come_late, args=(late, [target, other], len(seats), results)),
        ]
        strangers[0].start()
        time.sleep(seconds / 4)
        strangers[1].start()
        for process in strangers:
            process.join(seconds + 120)
        report(shared, "attacked")
        print(f"somebody late: {json.dumps(dict(results))}", flush=True)
    finally:
        shared["end"].set()
        for process in tables:
            process.join(10)
            process.kill()


def main(arguments: list[str]) -> int:
    """Crowd a LAN, and attack it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument("--attack", type=float, default=40.0, metavar="SECONDS")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    fork = multiprocessing.get_context("fork")
    with fork.Manager() as shelf, lan(args.tables + 2) as machines, \
            tempfile.TemporaryDirectory() as homes:  # fmt: skip
        shared: Said = {
            "shelf": shelf, "said": shelf.dict(), "tables": args.tables,
            "begin": fork.Event(), "end": fork.Event(), "attacked": fork.Value("d", 0.0),
        }  # fmt: skip
        run(machines, shared, Path(homes), args.attack)
    return 0
