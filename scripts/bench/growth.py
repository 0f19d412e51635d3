"""How costs grow: with seats, cards, the length of a log, tables in sight, and worker processes.

seats    2 to 8 seats that all shuffle 25 cards: a key press without and with it, the processor
decks    the same by 4 seats for 10 to 500 cards, and the bytes of one proof
logs     games of 2 seats with logs of 100 to 20,000 entries: the file, the work, memory, the audit
tables   1 to 100 tables on one segment, loopback: until all are seen, and what looking on costs
arenas   one tournament by 1, 2 and 4 processes

Each prints a table whose last column is the cost of one unit: where that stays the same, the
curve is a straight line.  A heading says whether a time is of the clock on the wall, which other
programs disturb, or of the processor, which they hardly do.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from scripts.bench.joint_shuffle import BENCH, Bench, Seen, measure, play

CARDS: Final = 25
SEATS: Final = 4
LOG_CARDS: Final = 5  # So few that a shuffle costs little beside its entries.
LOG_SEATS: Final = 2
ROUND_ENTRIES: Final = 8  # Of the pile by two: two keys, two decks, two proofs, two key shares.
PLAYERS: Final = ("search:30", "rush")
SETTLED_S: Final = 5.0  # After all tables have been announced, before somebody looks.
QUIET_S: Final = 10.0  # Without a new table, no other will come.
LOOPBACK: Final = "lo"


class Sizes(NamedTuple):
    """What is measured, and how long."""

    seats: tuple[int, ...] = tuple(range(2, 9))
    decks: tuple[int, ...] = (10, 25, 50, 100, 250, 500)
    rounds: int = 12
    entries: tuple[int, ...] = (100, 1_000, 5_000, 20_000)
    tables: tuple[int, ...] = (1, 10, 25, 50, 100)
    watched_s: float = 10.0
    workers: tuple[int, ...] = (1, 2, 4)
    games: int = 48


QUICK: Final = Sizes((2, 3), (4, 8), 2, (20, 40), (1, 2), 1.0, (1, 2), 4)


class Curve(NamedTuple):
    """The headings of a table, and what makes its rows."""

    headings: tuple[str, ...]
    rows: Callable[[Sizes], Iterator[tuple[float, ...]]]


class Sight(NamedTuple):
    """What one process saw of the tables of another."""

    seen: int
    until_s: float  # When the last new one was seen.
    busy_ms_per_s: float  # Of the processor, after that.
    ignored: int  # Announcements.


def main(arguments: list[str]) -> int:
    """Print the curves that are asked for, or be one of the processes of `tables`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CURVES))
    parser.add_argument("--quick", action="store_true", help="only small sizes, to try it out")
    parser.add_argument("--announce", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--look", type=float, nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if unknown := [name for name in args.names if name not in CURVES]:
        parser.error(f"no curve is called {unknown[0]}; there are {', '.join(CURVES)}")
    if args.announce:
        announce(args.announce)
    elif args.look:
        look(int(args.look[0]), args.look[1])
    else:
        for name in args.names or CURVES:
            tell(CURVES[name], QUICK if args.quick else Sizes())
    return 0


def tell(curve: Curve, sizes: Sizes) -> None:
    """Print one table, each row as soon as it is measured."""
    print(line(curve.headings))
    print(line(("---:",) * len(curve.headings)))
    for row in curve.rows(sizes):
        print(line([shown(value) for value in row]), flush=True)
    print(flush=True)


def line(cells: tuple[str, ...] | list[str]) -> str:
    """One line of a table, as documents have it."""
    return f"| {' | '.join(cells)} |"


def shown(value: float) -> str:
    """A number with the digits that mean something: three, and all before the point."""
    if math.isnan(value):
        return "?"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.{max(0, min(3, 2 - math.floor(math.log10(abs(value) or 1))))}f}"


# ---- seats and decks ----


def seats_rows(sizes: Sizes) -> Iterator[tuple[float, ...]]:
    """What a round costs at tables of more and more seats."""
    for seats in sizes.seats:
        seen = measure(CARDS, sizes.rounds, seats)
        yield (seats, *_times(seen), seen.busy_ms / seats, seen.busy_ms / seats**2)


def decks_rows(sizes: Sizes) -> Iterator[tuple[float, ...]]:
    """What a round costs with bigger and bigger decks."""
    for cards in sizes.decks:
        size = len(Bench(cards, 1).chain[0].proof)
        seen = measure(cards, sizes.rounds, SEATS)
        yield (cards, *_times(seen), size, size / cards, seen.busy_ms / cards)


def _times(seen: Seen) -> tuple[float, float, float]:
    return seen.plain_ms, statistics.median(seen.shuffles), seen.busy_ms


# ---- logs ----


def logs_rows(sizes: Sizes) -> Iterator[tuple[float, ...]]:
    """What playing and judging costs in longer and longer games."""
    for entries in sizes.entries:
        yield _log_row(rounds_for(entries))


def rounds_for(entries: int) -> int:
    """The rounds of a game with about so many entries; fewer than two say nothing."""
    return max(2, round(entries / ROUND_ENTRIES))


def _log_row(rounds: int) -> tuple[float, ...]:
    from p2p.audit.audit import audit_file

    words = ["--cards", str(LOG_CARDS), "--rounds", str(rounds), "--pause", "0"]
    with tempfile.TemporaryDirectory() as folder, _known_pile(rounds):
        reports = play(words, folder, LOG_SEATS)
        path = Path(reports[0]["path"])
        size_kb, began = path.stat().st_size / 1000, time.process_time()
        found = audit_file(path)
        audit_ms = 1000 * (time.process_time() - began)
    assert found.holds and found.is_finished, found
    busy_ms, count = 1000 * sum(each["busy"] for each in reports), found.entries
    memory_mb = max(each["memory_mb"] for each in reports)
    return (count, size_kb, memory_mb, 1000 * size_kb / count, busy_ms / count, audit_ms / count)


@contextmanager
def _known_pile(rounds: int) -> Iterator[None]:
    """The auditor of this process knows the rules of that pile."""
    from core.games import GAMES
    from scripts.bench.pile import make_pile

    GAMES["pile"] = make_pile(LOG_CARDS, rounds, 0)
    try:
        yield
    finally:
        del GAMES["pile"]


# ---- tables ----


def tables_rows(sizes: Sizes) -> Iterator[tuple[float, ...]]:
    """What it costs to look at more and more tables."""
    for tables in sizes.tables:
        sight = see_tables(tables, sizes.watched_s)
        busy = sight.busy_ms_per_s
        yield (tables, sight.seen, sight.ignored, sight.until_s, busy, busy / tables)


def see_tables(tables: int, watched_s: float) -> Sight:
    """What a process sees, and what that costs it, that looks at so many tables of another."""
    from p2p.net.interfaces import ONLY_VARIABLE

    command = [sys.executable, "-P", str(BENCH), "growth"]
    variables = {**os.environ, ONLY_VARIABLE: LOOPBACK}
    announcer = subprocess.Popen(
        [*command, "--announce", str(tables)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env=variables,
    )  # fmt: skip
    try:
        if announcer.stdout is None or not announcer.stdout.readline():
            raise SystemExit("nothing was announced; what went wrong stands above")
        looking = [*command, "--look", str(tables), str(watched_s)]
        said = subprocess.run(looking, stdout=subprocess.PIPE, check=True, env=variables).stdout
    finally:
        announcer.communicate()  # It ends with its input.
    return Sight(*json.loads(said))


def announce(tables: int) -> None:
    """Announce so many tables, say so, and withdraw them when the input has ended."""
    import trio

    from p2p.base.identity import IDENTITY_BYTES
    from p2p.net.discovery import TableAd, announcing

    async def run() -> None:
        async with AsyncExitStack() as stack:
            for number in range(tables):
                ad = TableAd(secrets.token_hex(8), f"Bench {number}", "carta", 4, 1,
                             secrets.token_bytes(IDENTITY_BYTES), "", 1024 + number)  # fmt: skip
                await stack.enter_async_context(announcing(ad, is_local=True))
            await trio.sleep(SETTLED_S)
            print("announced", flush=True)
            await trio.to_thread.run_sync(sys.stdin.read)

    trio.run(run)


def look(tables: int, watched_s: float) -> None:
    """Print what is seen of so many tables, how soon, and what looking on costs after that."""
    import trio

    from p2p.net.discovery import Sightings, browsing

    ports = range(1024, 1024 + tables)  # Others may announce tables here as well.
    at: list[tuple[int, float]] = [(0, start := time.monotonic())]  # More than ever before.

    async def follow(sightings: Sightings, all_seen: trio.Event) -> None:
        async for current in sightings:
            seen = sum(ad.port in ports and ad.name.startswith("Bench ") for ad in current)
            if seen > at[-1][0]:
                at.append((seen, time.monotonic()))
            if seen == tables:
                all_seen.set()

    async def run() -> Sight:
        all_seen = trio.Event()
        async with browsing(is_local=True) as sightings, trio.open_nursery() as nursery:
            nursery.start_soon(follow, sightings, all_seen)
            while not all_seen.is_set() and time.monotonic() - at[-1][1] < QUIET_S:
                with trio.move_on_after(1.0):
                    await all_seen.wait()
            ignored, began, busy = sightings.ignored_count, time.monotonic(), time.process_time()
            await trio.sleep(watched_s)
            took_s, busy_s = time.monotonic() - began, time.process_time() - busy
            ignored = sightings.ignored_count - ignored
            nursery.cancel_scope.cancel()
        return Sight(at[-1][0], at[-1][1] - start, 1000 * busy_s / took_s, ignored)

    print(json.dumps(trio.run(run)))


# ---- arenas ----


def arenas_rows(sizes: Sizes) -> Iterator[tuple[float, ...]]:
    """How much faster more processes play the same tournament."""
    alone = math.nan
    for workers in sizes.workers:
        rate, busy_ms = _played(workers, sizes.games)
        alone = rate if workers == 1 else alone
        yield workers, rate, busy_ms, rate / alone, rate / alone / workers


def _played(workers: int, games: int) -> tuple[float, float]:
    """Games per second of the clock, once all processes play; the processor's time for one."""
    from ai.processes.executors import processes
    from ai.tournaments.arena import Tournament, TournamentState, play_tournament

    first = TournamentState(Tournament("carta", PLAYERS, len(PLAYERS), 2), 2 * workers)
    state = TournamentState(Tournament("carta", PLAYERS, len(PLAYERS), 1), games)
    busy_s = _children_s()
    with processes(workers) as executor:
        play_tournament(first, executor, workers, lambda *_: None)  # Meanwhile they all start.
        began = time.monotonic()
        play_tournament(state, executor, workers, lambda *_: None)
        took_s = time.monotonic() - began
    busy_s = _children_s() - busy_s
    return games / took_s, 1000 * busy_s / (games + 2 * workers)


def _children_s() -> float:
    """The processor's time of all processes that have ended and that this one has started."""
    times = os.times()
    return times.children_user + times.children_system


CURVES: Final[dict[str, Curve]] = {
    "seats": Curve(
        ("seats", "key without a shuffle, wall ms", "key with one, wall ms",
         "a round, processor ms of all", "of one seat", "of one seat / seats"),
        seats_rows,
    ),
    "decks": Curve(
        ("cards", "key without a shuffle, wall ms", "key with one, wall ms",
         "a round, processor ms of all", "bytes of a proof", "bytes / card",
         "processor ms of all / card"),
        decks_rows,
    ),
    "logs": Curve(
        ("entries", "file kB", "peak memory of a peer MB", "bytes / entry",
         "playing, processor ms of both / entry", "audit, processor ms / entry"),
        logs_rows,
    ),
    "tables": Curve(
        ("tables", "seen", "announcements ignored meanwhile", "until the last was seen, wall s",
         "looking on, processor ms / s", "the same / table"),
        tables_rows,
    ),
    "arenas": Curve(
        ("workers", "games / wall s", "a game, processor ms", "times as fast as 1",
         "the same / worker"),
        arenas_rows,
    ),
}  # fmt: skip
