"""Seats that are lost at a table of real programs on a LAN of namespaces, and what the others do.

    sudo lab.py lan_dropout                    every trouble once
    sudo lab.py lan_dropout --only split-2-2
    sudo lab.py lan_dropout --timing 200       kill one at a random moment
    sudo lab.py lan_dropout --no-escrow        the same without keys in escrow
    sudo lab.py lan_dropout --only two-alone   one of two is left (also two-claim)

Four machines play Carta with their keys in escrow, or without; persons choose at random after a
moment.  The bot that plays on is the real one.  A trouble holds when those who should do go on for
60 entries, their files are alike, `audit` finds nothing in them, and no machine knows another key
than its own and that of the seat that is gone (`docs/spec/protocol.md`, section 18).  Whoever is
left at a table of two claims the win.  One person is `lan_peer.py`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import secrets
import selectors
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from p2p.log.membership_change import REPLACE
from p2p.log.shared import log_in
from scripts.lab.lan import Failed, audit, workplace
from scripts.lab.lan_peer import GRACE_S
from scripts.lab.namespaces import Machine, lan, other_switch

SEATS: Final = 4
PULLED_S: Final = 4.0  # Less than the grace.
PARTED_S: Final = 10 + 3 * GRACE_S  # Ten seconds until a dead link is given up.
GAME_S_MAX: Final = 420.0
START_S_MAX: Final = 300.0  # For a program: a busy machine once took more than a minute.
START: Final = 40  # Entries after which trouble may come,
AFTER: Final = 60  # and how many more there have to be after it.
PEER: Final = Path(__file__).resolve().parent / "lan_peer.py"
Said = dict[str, Any]


# ---- four of them ----


@dataclass
class Seat:
    """One program on one machine, and what it has said."""

    machine: Machine
    home: Path
    process: subprocess.Popen[str]
    said: list[Said] = field(default_factory=list)
    rest: str = ""

    @property
    def now(self) -> Said:
        """Where its log is."""
        return next((each for each in reversed(self.said) if "height" in each), {"height": 0})

    def has_ended(self) -> bool:
        """Whether its game is over."""
        return any("ended" in each for each in self.said)

    def has_replacement(self) -> bool:
        """Whether a bot plays for somebody in its log."""
        return self.has_written(REPLACE)

    def has_written(self, kind: str) -> bool:
        """Whether such an entry is in its log."""
        return any(kind in each.get("kinds", []) for each in self.said)

    def path(self) -> Path:
        """Its game file."""
        (path,) = (self.home / "games").glob("*.hostless")
        return path


class Table:
    """Four programs that play together."""

    def __init__(self, machines: Sequence[Machine], homes: Path, terms: Sequence[str] = ()) -> None:
        """`terms` are more words for whoever opens it."""
        self.selector = selectors.DefaultSelector()
        self.seats: list[Seat] = []
        for number, machine in enumerate(machines):
            join = ["join", f"{machines[0].address}:{self.port()}"] if number else []
            words = join or ["open", *terms]
            self.start(machine, homes / f"seat{number}", words)
            self.until(lambda: any("port" in each for each in self.seats[-1].said), START_S_MAX)

    def start(self, machine: Machine, home: Path, words: Sequence[str]) -> Seat:
        """A program on a machine; it takes the place of an older one of this home."""
        home.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, str(PEER), str(home), *words]
        seat = Seat(machine, home, machine.start(command))
        assert seat.process.stdout is not None, "we asked for a pipe"
        os.set_blocking(seat.process.stdout.fileno(), False)
        self.selector.register(seat.process.stdout, selectors.EVENT_READ, seat)
        self.seats = [each for each in self.seats if each.home != home] + [seat]
        self.seats.sort(key=lambda each: each.home)
        return seat

    def port(self) -> int:
        """Where the table listens."""
        return int(next(each["port"] for each in self.seats[0].said if "port" in each))

    def receive(self, seconds: float) -> None:
        """Take in what the programs say."""
        for key, _ in self.selector.select(seconds):
            text = os.read(key.fd, 1 << 16).decode()
            seat: Seat = key.data
            *lines, seat.rest = (seat.rest + text).split("\n")
            seat.said += [json.loads(line) for line in lines]
            if not text:
                self.selector.unregister(key.fileobj)

    def until(self, holds: Callable[[], bool], s_max: float) -> None:
        """Wait for something.

        Raises:
            Failed: it did not come.
        """
        deadline = time.monotonic() + s_max
        while not holds():
            self.receive(0.02)
            if time.monotonic() > deadline:
                where = [(each.now.get("height"), each.now.get("doing")) for each in self.seats]
                told = [each for seat in self.seats for each in seat.said if "notice" in each]
                raise Failed(f"nothing after {s_max:.0f} s: {where} {told[-4:]}")

    def kill(self, seat: Seat) -> float:
        """kill -9; gives the time."""
        seat.process.send_signal(signal.SIGKILL)
        seat.process.wait()
        return time.monotonic()

    def end(self) -> None:
        """Leave no process behind."""
        for seat in self.seats:
            with contextlib.suppress(ProcessLookupError):
                seat.process.kill()
            seat.process.wait()


def check(stayed: Sequence[Seat], gone: int | None) -> str:
    """What holds of those who stayed.

    Raises:
        Failed: something does not.
    """
    logs = {seat.path(): log_in(seat.path()) for seat in stayed}
    shortest = min(logs, key=lambda path: len(logs[path]))
    if any(log[: len(logs[shortest])] != logs[shortest] for log in logs.values()):
        raise Failed("their logs differ")
    report = audit(shortest)
    verdicts = report.get("seats")
    assert isinstance(verdicts, list), "an audit has verdicts"
    replaced = [each["seat"] for each in verdicts if each["replaced"] is not None]
    if report["exit"] or replaced != ([] if gone is None else [gone]):
        raise Failed(f"the audit says {report}")
    for seat in stayed:
        check_keys(seat, gone)
    what = "nobody was replaced" if gone is None else f"a bot played on for seat {gone + 1}"
    ended = "to the end" if report["finished"] else f"to entry {report['entries']}"
    return f"{len(stayed)} logs alike {ended}, audit 0, {what}"


def check_keys(seat: Seat, gone: int | None) -> None:
    """A machine knows its own key, and that of the seat that is gone.

    Raises:
        Failed: it knows another.
    """
    known = set(seat.now["keys"]) - {int(seat.home.name[-1]), gone}
    if known:
        raise Failed(f"{seat.home.name} knows the keys of {known}")


# ---- troubles ----


def begun(table: Table) -> None:
    """Wait until the first choices are made."""
    table.until(lambda: all(seat.now["height"] >= START for seat in table.seats), 180)


def go_on(table: Table, seats: Sequence[Seat]) -> None:
    """Let these play on for a while, or to the end; then nobody writes any more."""
    height = max(seat.now["height"] for seat in seats) + AFTER
    table.until(
        lambda: all(seat.has_ended() or seat.now["height"] >= height for seat in seats), GAME_S_MAX
    )
    for seat in seats:
        table.kill(seat)


def cables_pulled(pulled: slice, seconds: float, table: Table) -> str:
    """Some are out for less than the grace, or all for longer: everybody goes on."""
    begun(table)
    for seat in table.seats[pulled]:
        seat.machine.unplug()
    wait(table, seconds)
    for seat in table.seats[pulled]:
        seat.machine.plug()
    go_on(table, table.seats)
    return check(table.seats, None)


def cable_pulled_for_good(table: Table) -> str:
    """The other three go on."""
    begun(table)
    lost = table.seats[1]
    lost.machine.unplug()
    stayed = [seat for seat in table.seats if seat is not lost]
    go_on(table, stayed)
    if lost.has_replacement():
        raise Failed("the lone seat replaced somebody")
    lost.machine.plug()
    return check(stayed, 1)


def killed_while(kinds: Sequence[str], table: Table) -> str:
    """A program is killed while entries of such a kind are written."""
    victim = table.seats[2]
    is_shuffle = "shuffle" in kinds  # Long over by then, and written as soon as it is due.
    table.until(lambda: victim.now["height"] >= START or is_shuffle, 180)
    table.until(lambda: victim.now.get("doing") in kinds and (is_shuffle or victim.now["due"]), 180)
    table.kill(victim)
    stayed = [seat for seat in table.seats if seat is not victim]
    go_on(table, stayed)
    return f"killed at {victim.now['doing']!r}: {check(stayed, 2)}"


def split(count: int, table: Table) -> str:
    """The last seats are on another switch for three times the grace."""
    begun(table)
    apart, rest = table.seats[-count:], table.seats[:-count]
    with other_switch([seat.machine for seat in apart]):
        wait(table, PARTED_S)
        replaced = [seat.home.name for seat in table.seats if seat.has_replacement()]
    expected = [seat.home.name for seat in rest] if count == 1 else []
    if replaced != expected:
        raise Failed(f"{replaced} went on, and {expected} should have")
    if count == 1:
        go_on(table, rest)
        return check(rest, SEATS - 1)
    go_on(table, table.seats)
    return check(table.seats, None)


def all_killed(table: Table) -> str:
    """The whole table is killed and resumed."""
    begun(table)
    for seat in table.seats:
        table.kill(seat)
    for seat in list(table.seats):
        table.start(seat.machine, seat.home, ["resume"])
    table.until(lambda: all(seat.now["height"] for seat in table.seats), 120)
    go_on(table, table.seats)
    return check(table.seats, None)


def owner_back(table: Table) -> str:
    """One is killed, a bot takes the seat, and the owner resumes and has it back."""
    begun(table)
    victim = table.seats[2]
    table.kill(victim)
    stayed = [seat for seat in table.seats if seat is not victim]
    table.until(lambda: all(seat.has_replacement() for seat in stayed), 120)
    killed = time.monotonic()
    back = table.start(victim.machine, victim.home, ["resume"])
    table.until(lambda: all(seat.has_written("new key") for seat in table.seats), 120)
    took = first(back, "new key", killed) - killed
    go_on(table, table.seats)
    known = [seat.home.name for seat in stayed if 2 in seat.now["keys"]]
    if known:
        raise Failed(f"{known} know the new key")
    return f"{check(table.seats, 2)}, which its owner had back after {took:.1f} s"


def wait(table: Table, seconds: float) -> None:
    """Let time pass, and hear what is said meanwhile."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        table.receive(0.05)


# ---- one of two is left ----


def left_of_two(table: Table) -> Seat:
    """One of two is killed; gives the one who is left."""
    begun(table)
    stayed, other = table.seats
    table.kill(other)
    return stayed


def two_claim(table: Table) -> str:
    """Whoever is left claims the win; then both resume, and the game goes on."""
    stayed = left_of_two(table)
    table.until(stayed.has_ended, 60)
    report = audit(stayed.path())
    claim, entries = report["claim"], report["entries"]
    if report["exit"] or report["finished"] or claim is None:
        raise Failed(f"the audit says {report}")
    for seat in list(table.seats):
        table.start(seat.machine, seat.home, ["resume"])
    table.until(lambda: all(seat.now["height"] for seat in table.seats), 120)
    go_on(table, table.seats)
    if audit(stayed.path())["claim"] is not None:
        raise Failed("the game has gone on, and the claim is still there")
    alike = check(table.seats, None)
    return f"claimed at entry {entries}, audit 0; both resumed, no claim, {alike}"


TWO_TERMS: Final = ["--no-escrow", "--seats", "2", "--left"]
TWO: Final[dict[str, tuple[Callable[[Table], str], str]]] = {
    "two-claim": (two_claim, "claim"),
}
TROUBLES: Final[dict[str, Callable[[Table], str]]] = {
    "cable-4s": partial(cables_pulled, slice(1, 2), PULLED_S),
    "cable-for-good": cable_pulled_for_good,
    "kill-mid-shuffle": partial(killed_while, ("shuffle", "prove", "mix")),
    "kill-mid-deal": partial(killed_while, ("share", "open")),
    "kill-mid-choice": partial(killed_while, ("choose", "seal")),
    "switch-off": partial(cables_pulled, slice(None), PARTED_S),
    "split-2-2": partial(split, 2),
    "split-3-1": partial(split, 1),
    "all-killed": all_killed,
    "owner-back": owner_back,
}


def time_one(table: Table, luck: random.Random) -> list[float]:
    """Kill one at a random moment; gives seconds from there to the bot, and on to the next choice.

    A third number is how long the cards took that were dealt anew, if there were any.

    Raises:
        Failed: nobody went on, or somebody knows a hand that is not his.
    """
    height, victim = luck.randrange(START, 3 * START), luck.choice(table.seats)
    table.until(lambda: victim.now["height"] >= height, 180)
    wait(table, luck.random() / 10)
    killed = table.kill(victim)
    stayed = [seat for seat in table.seats if seat is not victim]
    table.until(lambda: all(seat.has_replacement() for seat in stayed), 120)
    replaced = min(first(seat, REPLACE, killed) for seat in stayed)
    moves = ("choose", "unseal")
    table.until(lambda: all(first(seat, moves, replaced) < float("inf") for seat in stayed), 120)
    for seat in stayed:
        check_keys(seat, int(victim.home.name[-1]))
    later = [first(seat, moves, replaced) for seat in stayed]
    dealt = [first(seat, "sort out", replaced) for seat in stayed]
    anew = [max(dealt) - replaced] if max(dealt) < float("inf") else []
    return [replaced - killed, min(later) - replaced, *anew]


def first(seat: Seat, kinds: str | tuple[str, ...], after: float) -> float:
    """When a seat's log had an entry of such a kind after a time."""
    wanted = {kinds} if isinstance(kinds, str) else set(kinds)
    times = (each["t"] for each in seat.said
             if each["t"] >= after and wanted & set(each.get("kinds", [])))  # fmt: skip
    return min(times, default=float("inf"))


def share(numbers: Sequence[float], percent: int) -> float:
    """A percentile: the smallest number that is not below so many of them."""
    ordered = sorted(numbers)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def run_timing(machines: Sequence[Machine], count: int, seed: str, terms: Sequence[str]) -> None:
    """Many games with one killed."""
    luck, timed, failed = random.Random(seed), list[list[float]](), 0
    for number in range(count):
        with workplace() as homes:
            table = Table(machines, homes, terms)
            try:
                timed.append(time_one(table, luck))
                print(f"{number + 1}: {[round(each, 2) for each in timed[-1]]}", flush=True)
            except Failed as failure:
                failed += 1
                print(f"{number + 1}: FAILED {failure}", flush=True)
            finally:
                table.end()
    for at, name in enumerate(("kill to bot", "bot to next choice", "bot to all dealt anew")):
        if found := [each[at] for each in timed if len(each) > at]:
            figures = (statistics.median(found), share(found, 99), max(found))
            print(f"{name}: p50 {figures[0]:.2f} s, p99 {figures[1]:.2f} s, max {figures[2]:.2f} s")
    print(f"{len(timed)} of {count} went on, {failed} did not; grace {GRACE_S} s")


def main(arguments: list[str]) -> int:
    """Make trouble; 0 when everything held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=[*TROUBLES, *TWO])
    parser.add_argument("--timing", type=int, default=0, metavar="N")
    parser.add_argument("--no-escrow", action="store_true", help="deal anew instead")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the moments")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    held, terms = True, ["--no-escrow"] if args.no_escrow else []
    with lan(SEATS) as machines:
        if args.timing:
            print(f"seed {args.seed}", flush=True)
            run_timing(machines, args.timing, args.seed, terms)
            return 0
        for name in [args.only] if args.only else [*TROUBLES, *TWO]:
            with workplace() as homes:
                if name in TWO:
                    trouble, left = TWO[name]
                    table = Table(machines[:2], homes, [*TWO_TERMS, left])
                else:
                    trouble, table = TROUBLES[name], Table(machines, homes, terms)
                held = make(trouble, table, name) and held
    return 0 if held else 1


def make(trouble: Callable[[Table], str], table: Table, name: str) -> bool:
    """One trouble; whether it ended as it should."""
    began, machines = time.monotonic(), [seat.machine for seat in table.seats]
    try:
        print(f"{name}: {trouble(table)}, {time.monotonic() - began:.0f} s", flush=True)
    except Failed as failure:
        print(f"{name}: FAILED {failure}", flush=True)
        return False
    finally:
        table.end()
        for machine in machines:
            machine.plug()
    return True
