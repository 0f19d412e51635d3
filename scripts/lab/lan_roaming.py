"""Seats that are elsewhere: how long until a table of real programs on a LAN goes on.

    sudo lab.py lan_roaming                       every case once
    sudo lab.py lan_roaming --only all-elsewhere --times 5
    sudo lab.py lan_roaming --screens             two people at real screens instead

Three machines of namespaces play Carta; persons choose at random after a moment.  Time runs from
the moment at which the last address is there (or the last program was started, where all have
quit) until every log has grown by ten entries, which needs everybody.  A case holds when the files
are alike, an audit finds nothing and nobody was replaced.  Firewalls are nft's (package nftables).
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.lab.lan import Failed, workplace
from scripts.lab.lan_dropout import Seat, Table, check
from scripts.lab.namespaces import Machine, lan

SEATS: Final = 3
BEGUN: Final = 40  # Entries after which seats begin to move,
MORE: Final = 10  # and how many more there are when the game goes on.
GOES_ON_S_MAX: Final = 60.0
NEVER_REPLACED_S: Final = 3600
NO_MULTICAST: Final = """table inet no_multicast {
  chain out { type filter hook output priority 0; udp dport 5353 drop; }
  chain in { type filter hook input priority 0; udp dport 5353 drop; }
}"""
SILENT: Final = """table inet silent {
  chain out { type filter hook output priority 0; udp dport { 5353, 27485 } drop; }
  chain in { type filter hook input priority 0; udp dport { 5353, 27485 } drop; }
}"""
SQUATTER: Final = """
import socket, sys, time
taken = [socket.socket() for _ in sys.argv[1:]]
for each, port in zip(taken, sys.argv[1:]):
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    each.bind(("", int(port)))
    each.listen()
print("here", flush=True)
time.sleep(1000)
"""


class Evening(Table):
    """A table whose seats find each other by themselves; `at` is what nobody announces."""

    def __init__(self, machines: Sequence[Machine], homes: Path, *, is_typed: bool = False) -> None:
        self.machines = list(machines)
        super().__init__([], homes)
        opening = ["open", "--seats", str(len(machines)), "--no-escrow"]
        opening += ["--grace", str(NEVER_REPLACED_S)]
        for number, machine in enumerate(machines):
            target = [f"{machines[0].address}:{self.port()}"] if is_typed and number else []
            self.start(machine, homes / f"seat{number}", ["join", *target] if number else opening)
            self.until(lambda: any("port" in each for each in self.seats[-1].said), 60)
        self.until(lambda: all(seat.now["height"] >= BEGUN for seat in self.seats), 120)

    def go_on(self, since: float) -> float:
        """Wait until the game goes on; how long it took since this moment."""
        height = max(seat.now["height"] for seat in self.seats) + MORE
        self.until(lambda: all(seat.now["height"] >= height for seat in self.seats), GOES_ON_S_MAX)
        times = [next(each["t"] for each in seat.said if each.get("height", 0) >= height)
                 for seat in self.seats]  # fmt: skip
        return max(times) - since

    def quit(self) -> None:
        """Everybody gets up."""
        for seat in self.seats:
            seat.process.send_signal(signal.SIGKILL)
            seat.process.wait()
        self.receive(0.2)

    def resume(self, at: Sequence[str] = ()) -> float:
        """Everybody sits down again; gives the moment at which the last one was there."""
        given = [word for each in at for word in ("--at", each)]
        for seat in list(self.seats):
            words = [] if seat.home.name == "seat0" else given
            self.start(seat.machine, seat.home, ["resume", *words])
        self.until(lambda: all(seat.now["height"] for seat in self.seats), 60)
        return max(seat.said[0]["t"] for seat in self.seats)


# ---- who moves ----


def opener_moves(table: Evening) -> float:
    """The machine of whoever opened the table gets another address."""
    table.machines[0].move("10.77.0.101/24")
    return table.go_on(time.monotonic())


def guest_moves(table: Evening) -> float:
    """The machine of a guest gets another address."""
    table.machines[2].move("10.77.0.103/24")
    return table.go_on(time.monotonic())


def all_move(table: Evening) -> float:
    """Everybody gets another address at once."""
    for number, machine in enumerate(table.machines):
        machine.move(f"10.77.0.{150 + number}/24")
    return table.go_on(time.monotonic())


def all_elsewhere(table: Evening) -> float:
    """All quit tonight and resume tomorrow, everybody with another lease."""
    table.quit()
    for number, machine in enumerate(table.machines):
        machine.move(f"10.77.0.{201 + number}/24")
    return table.go_on(table.resume())


def at_an_address(table: Evening) -> float:
    """The same where nothing is heard: the guests type where the opener is."""
    port = table.port()
    table.quit()
    for number, machine in enumerate(table.machines):
        machine.move(f"10.77.0.{201 + number}/24")
    return table.go_on(table.resume([f"10.77.0.201:{port}"]))


def guest_has_another_card(table: Evening) -> float:
    """A guest's machine gets another address of IPv6."""
    table.machines[2].change_card("02:00:00:00:01:03")
    return table.go_on(time.monotonic())


def all_have_other_cards(table: Evening) -> float:
    """All quit, and resume with other addresses of IPv6."""
    table.quit()
    for number, machine in enumerate(table.machines):
        machine.change_card(f"02:00:00:00:02:0{number}")
    return table.go_on(table.resume())


def ports_taken(table: Evening) -> float:
    """All quit, and at every machine another program has the ports by then."""
    ports = sorted({str(port) for seat in table.seats for port in _ports(seat)})
    table.quit()
    squatters = [machine.start([sys.executable, "-c", SQUATTER, *ports])
                 for machine in table.machines]  # fmt: skip
    try:
        for squatter in squatters:
            assert squatter.stdout is not None, "we asked for a pipe"
            squatter.stdout.readline()
        took_s = table.go_on(table.resume())
        notices = [each.get("notice", "") for seat in table.seats for each in seat.said]
        if sum("is taken" in notice for notice in notices) != len(table.seats):
            raise Failed(f"not everybody was told that a port was taken: {notices}")
        return took_s
    finally:
        for squatter in squatters:
            squatter.kill()
            squatter.communicate()


def _ports(seat: Seat) -> list[int]:
    from p2p.log.secrets_file import SecretsFile

    secrets = SecretsFile.reopen(seat.path().with_suffix(".secret"))
    secrets.close()
    return [port for _, port in secrets.addresses]


# ---- the network ----


@dataclass(frozen=True)
class Case:
    """What happens, and on what kind of network."""

    happens: Callable[[Evening], float]
    rules: str = ""  # Of everybody's firewall.
    has_ipv4: bool = True
    is_typed: bool = False  # Whoever joins types the address.


CASES: Final = {
    "opener-moves": Case(opener_moves),
    "guest-moves": Case(guest_moves),
    "all-move": Case(all_move),
    "all-elsewhere": Case(all_elsewhere),
    "ports-taken": Case(ports_taken),
    "ipv6-guest": Case(guest_has_another_card, has_ipv4=False),
    "ipv6-elsewhere": Case(all_have_other_cards, has_ipv4=False),
    "beacon-guest": Case(guest_moves, NO_MULTICAST),
    "beacon-elsewhere": Case(all_elsewhere, NO_MULTICAST),
    "silent-opener": Case(opener_moves, SILENT, is_typed=True),
    "silent-at": Case(at_an_address, SILENT, is_typed=True),
}


def play(case: Case) -> float:
    """One case; the seconds that it took.

    Raises:
        Failed: it did not hold.
    """
    with lan(SEATS) as machines, workplace() as homes:
        for machine in machines:
            if not case.has_ipv4:
                machine.move()
            if case.rules:
                machine.filter(case.rules)
        table = Evening(machines, homes, is_typed=case.is_typed)
        try:
            took_s = case.happens(table)
            table.quit()
            check(table.seats, None)
            return took_s
        finally:
            table.end()


def play_at_screens() -> str:
    """Two people at screens: one moves in the game, then both quit and resume elsewhere.

    Raises:
        Failed: a screen did not go on.
    """
    from scripts.lab.screens import Sitting
    from tests.ui.people import Room

    with lan(2) as machines, workplace() as homes:
        places = [("ip", "netns", "exec", machine.namespace) for machine in machines]
        room = Room(homes)
        sitting = Sitting(room, "carta", 1, places=places)
        try:
            sitting.open(2)
            sitting.play_some()
            machines[0].move("10.77.0.101/24")
            moved = time.monotonic()
            sitting.play_some()
            moved_s = time.monotonic() - moved
            sitting.leave()
            for number, machine in enumerate(machines):
                machine.move(f"10.77.0.{201 + number}/24")
            resumed = time.monotonic()
            sitting.people = [sitting.sit(name, "resume") for name in ("ada", "bert")]
            sitting.wait_for_a_turn()
            sitting.play_some()
            resumed_s = time.monotonic() - resumed
            sitting.leave()
            for person in room.people:
                person.check()
        except AssertionError as failure:
            raise Failed(str(failure)) from failure
        finally:
            room.close()
    return (
        f"four keys of each after the opener had moved in {moved_s:.1f} s, and after all had quit "
        f"and started the program elsewhere in {resumed_s:.1f} s"
    )


def main(arguments: list[str]) -> int:
    """Move; 0 when every game went on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=list(CASES), action="append")
    parser.add_argument("--times", type=int, default=1, metavar="N")
    parser.add_argument("--screens", action="store_true", help="two people at real screens")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    if args.screens:
        print(f"screens: {play_at_screens()}")
        return 0
    held = True
    for name in args.only or CASES:
        try:
            took = [play(CASES[name]) for _ in range(args.times)]
        except Failed as failure:
            print(f"{name}: FAILED {failure}", flush=True)
            held = False
            continue
        middle, worst = statistics.median(took), max(took)
        print(f"{name}: goes on after {middle:.1f} s, at most {worst:.1f} s of {len(took)}",
              flush=True)  # fmt: skip
    return 0 if held else 1
