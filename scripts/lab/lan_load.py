"""A crowded LAN, and a stranger on it who does what a stranger can: is everybody else undisturbed?

    sudo lab.py lan_load                          25 tables of four, 40 s of attack
    sudo lab.py lan_load --tables 5 --attack 10
    sudo lab.py lan_load --playing 2 --pause 2    25 tables, of which two play, on a busy machine
    sudo lab.py lan_load --tables 1 --attack 300 --pause 1 --grace 10 --kinds look_on

Each table has a namespace of its own: its four peers are real nodes, each with its own home,
identity, links, game files and browser, in one process; but whoever opened the first table has a
process of its own, so that others notice when it is kept busy.  Choices are made at random after a
moment; a seat that is silent for the time of grace is lost, and a bot that does the same plays on.
The attacker (`scripts/lab/attacker.py`) aims at the first table and at everybody's ears.  Somebody
who comes late looks for tables meanwhile, and looks on at the one that is attacked, a new identity
each time, while the attack lasts and, with a `--pause` that is long enough, the game.  The last
line says how many seats were lost.

On a LAN everybody has a machine.  Here tables that only announce themselves, and hear what is
forged, give way to those that play, to the attacker and to whoever comes late (`nice`).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import trio

from core.errors import HostlessError
from core.requests import Action
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.limits import GRACE_S
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.log.membership_change import REPLACE
from p2p.net.discovery import browsing
from p2p.net.link import connect
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import Gathering, News
from p2p.session.players import Players
from p2p.session.session import Session
from p2p.table.node import NodeConfig, run_once
from scripts.lab.attacker import KINDS, attack
from scripts.lab.namespaces import Machine, enter, lan

SEATS: Final = 4
PROGRAM: Final = "lan_load 1"  # Plays for a seat that is lost.
SEEN_S_MAX: Final = 180.0  # For everybody to see every table.
BEGIN_S_MAX: Final = 400.0  # For every game to get going,
START: Final = 24  # which it is with so many entries.
CALM_S: Final = 20.0  # Before the attack.
TRIES: Final = 10  # Of somebody late, at each of two tables, spread over the attack.
BYSTANDERS: Final = 10  # How much tables that do not play give way to the others on this machine.
Said = dict[str, Any]


def resident_mb() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


# ---- a table: four peers in one process ----


@dataclass
class Table:
    """What four peers at one table have seen and heard."""

    tables: int  # There are so many.
    seats: Sequence[int]  # That are in this process.
    pause_s: float  # A person's, before every choice.
    grace_s: int
    lost: set[int] = field(default_factory=set)  # Seats for which a bot has played.
    port: int = 0
    opened: float = 0.0
    seen: dict[str, float] = field(default_factory=dict)  # When each peer saw all tables.
    heard: dict[bytes, list[float]] = field(default_factory=dict)  # When each entry was in a log.
    height: int = 0

    def latencies(self, since: float) -> list[float]:
        """Seconds from an entry's first log to its last, for those written since."""
        whole = [times for times in self.heard.values() if len(times) == len(self.seats)]
        return [max(times) - min(times) for times in whole if min(times) >= since]


def make_session(table: Table) -> Callable[..., Session]:
    """A session that notes when entries are in its log."""

    class Noting(Session):
        async def _write_down(self) -> None:
            for entry in self.replica.log[self.table.game_file.count :]:
                table.heard.setdefault(entry.hash, []).append(time.monotonic())
                if entry.kind == REPLACE:
                    table.lost.add(entry.seat)
            table.height = max(table.height, len(self.replica.log))
            await super()._write_down()

    return Noting


async def decide(turn: DecisionPoint) -> Action:
    """Any choice that is allowed; of whoever plays for a seat, the same on every machine."""
    legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
    return legal[turn.seed % len(legal)]


async def measure(bot_terms: BotTerms, game: str, seats: int) -> BotTerms:
    """It thinks once about everything."""
    await trio.lowlevel.checkpoint()
    return BotTerms(PROGRAM, bot_terms.level, 1)


async def peer(table: Table, home: Path, seat: int, place: tuple[int, str, Any]) -> None:
    """One peer: it looks at what is announced, and plays once everybody is told to begin."""
    number, address, shared = place
    identity = Identity.load(home)

    async def choose(turn: DecisionPoint) -> Action:
        await trio.sleep(table.pause_s)
        legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        return random.choice(legal)

    config = NodeConfig(home, identity, f"p{number}-{seat}", Players(choose, decide),
                        program=PROGRAM, measure=measure,
                        make_session=make_session(table))  # fmt: skip

    def tell(news: News) -> None:
        if isinstance(news, Gathering) and not table.port:
            table.opened = time.monotonic()
            shared["ports"][number] = table.port = news.table.port

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look, table, config.name)
        if seat == 0:
            command = OpenTable("carta", SEATS, name=f"table {number}", grace_s=table.grace_s)
            nursery.start_soon(run_once, command, tell, config)
            return
        await trio.to_thread.run_sync(shared["begin"].wait, abandon_on_cancel=True)
        if not is_playing(number, shared):
            await trio.sleep_forever()
        await run_once(JoinTable(f"{address}:{shared['ports'][number]}"), tell, config)


def is_playing(number: int, shared: Said) -> bool:
    """Whether the game of a table begins: of the first ones, and of the last."""
    return number < shared["playing"] - 1 or number == shared["tables"] - 1


async def look(table: Table, name: str) -> None:
    """Note when all tables are in sight."""
    async with browsing() as sightings:
        async for ads in sightings:
            if sum(ad.name.startswith("table ") for ad in ads) >= table.tables:
                table.seen.setdefault(name, time.monotonic())


def sit(machine: Machine, number: int, seats: Sequence[int], shared: Said) -> None:
    """The process of some seats of a table."""
    enter(machine)
    if not is_playing(number, shared):
        os.nice(BYSTANDERS)
    table = Table(shared["tables"], seats, shared["pause"], shared["grace"])
    home = Path(shared["homes"], str(number))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for seat in seats:
                (home / str(seat)).mkdir(parents=True)
                place = (number, machine.address, shared)
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
    shared["said"][number, table.seats[0]] = {
        "port": table.port, "opened": table.opened, "seen": list(table.seen.values()),
        "height": table.height, "mb": resident_mb(), "lost": sorted(table.lost),
        "seats": len(table.seats), "is_playing": is_playing(number, shared),
        "latencies": table.latencies(since) if since else calm,
    }  # fmt: skip


# ---- somebody who comes late ----


def come_late(
    machine: Machine, doors: Sequence[tuple[str, int]], shared: Said, results: Any, seconds: float
) -> None:
    """Look for the tables, and look on at the one that is attacked and at another, ten times."""
    enter(machine)

    async def main() -> None:
        began = trio.current_time()
        async with browsing() as sightings:
            with trio.move_on_after(min(30, seconds / 4)):
                async for ads in sightings:
                    results["seen"] = sum(ad.name.startswith("table ") for ad in ads)
                    if results["seen"] >= shared["tables"]:
                        results["seen_s"] = round(trio.current_time() - began, 2)
                        break
            results["shown"] = len(sightings.current)
        tried: dict[tuple[str, int], list[float | str]] = {door: [] for door in doors}
        ends = began + seconds
        pause = (ends - trio.current_time()) / TRIES
        for _ in range(TRIES):
            again = trio.current_time() + pause
            for door, outcomes in tried.items():
                if trio.current_time() < ends:
                    outcomes.append(await look_on(door))
            await trio.sleep_until(again)
        results["tried"] = list(tried.items())

    trio.run(main)


async def look_on(door: tuple[str, int]) -> float | str:
    """Seconds to the first word of a table to which one looks on; or why there was none."""
    began = time.monotonic()
    try:
        link = await connect(door, Identity.generate(), "late")
        await link.send(["watch"])
        with trio.fail_after(10):
            said = await link.receive()
        await link.aclose()
    except (HostlessError, PeerError, trio.BrokenResourceError, trio.TooSlowError) as error:
        return str(error) or type(error).__name__
    except trio.EndOfChannel:
        return "hung up"
    seconds = round(time.monotonic() - began, 2)
    return seconds if isinstance(said, list) and said[:1] == ["roster"] else f"{said}"


# ---- all of it ----


def until(shared: Said, holds: Callable[[Said], bool], s_max: float) -> float:
    """Wait until something holds of every table; gives the seconds."""
    began = time.monotonic()
    while not (len(shared["said"]) == shared["parts"] and all(map(holds, shared["said"].values()))):
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
    said = dict(shared["said"])
    first, others = said[0, 1], [each for (number, _), each in said.items() if number]
    rest = [each for other in others for each in other["latencies"]]
    heights = [each["height"] for each in said.values() if each["is_playing"]]
    print(f"{what}: entries from the first log to the last of a table: "
          f"first table {spread(first['latencies'])} ({len(first['latencies'])}); "
          f"others {spread(rest)} ({len(rest)}); logs of {min(heights)} to {max(heights)} entries;"
          f" who opened the first table takes {said[0, 0]['mb']:.0f} MB", flush=True)  # fmt: skip


def run(machines: Sequence[Machine], shared: Said, homes: Path, seconds: float) -> None:
    """Sit down, see, play, be attacked."""
    fork = multiprocessing.get_context("fork")
    *seats, stranger, late = machines
    shared["homes"], shared["parts"] = str(homes), len(seats) + 1
    parts = [(number, range(SEATS)) for number in range(len(seats))]
    parts[:1] = [(0, range(1)), (0, range(1, SEATS))]
    tables = [
        fork.Process(target=sit, args=(seats[number], number, part, shared))
        for number, part in parts
    ]
    for process in tables:
        process.start()
    try:
        until(shared, lambda said: len(said["seen"]) == said["seats"], SEEN_S_MAX)
        opened = max(said["opened"] for said in shared["said"].values())
        seen = [at - opened for said in shared["said"].values() for at in said["seen"]]
        print(f"{len(seen)} of {len(seats) * SEATS} peers saw all {len(seats)} tables; after the "
              f"last was opened: {spread(seen)}", flush=True)  # fmt: skip
        shared["begin"].set()
        took = until(shared, lambda said: said["height"] >= START or not said["is_playing"],
                     BEGIN_S_MAX)  # fmt: skip
        print(f"every game has {START} entries after {took:.0f} s", flush=True)
        shared["attacked"].value = time.monotonic()
        time.sleep(CALM_S)
        report(shared, "calm")
        shared["attacked"].value = time.monotonic()
        target = seats[0].address, shared["ports"][0]
        other = seats[-1].address, shared["ports"][len(seats) - 1]
        doors = [target] if other == target else [target, other]
        results = shared["shelf"].dict()
        strangers = [
            fork.Process(target=attack, args=(stranger, target, seconds, shared["kinds"])),
            fork.Process(target=come_late, args=(late, doors, shared, results, seconds * 3 / 4)),
        ]
        strangers[0].start()
        time.sleep(seconds / 4)
        strangers[1].start()
        for process in strangers:
            process.join(seconds + 120)
        report(shared, "attacked")
        print(f"somebody late: {json.dumps(dict(results))}", flush=True)
        for (host, _), outcomes in results.get("tried", ()):
            name = "attacked" if host == target[0] else "other"
            reached = sum(isinstance(each, float) for each in outcomes)
            print(f"reached the {name} table: {reached} of {len(outcomes)} tries", flush=True)
        said = shared["said"].items()
        lost = {(number, seat) for (number, _), each in said for seat in each["lost"]}
        print(f"seats lost: {len(lost)} of {len(seats) * SEATS}", flush=True)
    finally:
        shared["end"].set()
        for process in tables:
            process.join(10)
            process.kill()


def main(arguments: list[str]) -> int:
    """Crowd a LAN, and attack it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument(
        "--playing",
        type=int,
        default=25,
        metavar="TABLES",
        help="the others only announce themselves, and hear each other",
    )
    parser.add_argument("--attack", type=float, default=40.0, metavar="SECONDS")
    parser.add_argument("--pause", type=float, default=0.05, help="before every choice")
    parser.add_argument("--grace", type=int, default=GRACE_S, metavar="SECONDS")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, metavar="KIND",
                        help=f"of attacks: {' '.join(KINDS)}; all")  # fmt: skip
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    fork = multiprocessing.get_context("fork")
    with fork.Manager() as shelf, lan(args.tables + 2) as machines, \
            tempfile.TemporaryDirectory() as homes:  # fmt: skip
        shared: Said = {
            "shelf": shelf, "said": shelf.dict(), "ports": shelf.dict(), "kinds": args.kinds,
            "tables": args.tables, "playing": args.playing, "pause": args.pause,
            "grace": args.grace,
            "begin": fork.Event(), "end": fork.Event(), "attacked": fork.Value("d", 0.0),
        }  # fmt: skip
        run(machines, shared, Path(homes), args.attack)
    return 0
