"""An owner who comes back after its bot has made many choices: how soon it can choose itself.

    sudo lab.py lan_return                            after 50 choices
    sudo lab.py lan_return --choices 500 --game dominion
    sudo lab.py lan_return --iterations 50 --no-escrow

Three real programs on a LAN of namespaces (`lan_peer.py`) with a grace of 5 s.  One is killed with
`kill -9`, the bot plays on, and the owner resumes once the bot has chosen so often.  Printed: the
seconds from the start of its program until it is asked for its first own choice, what of that is
the start itself, the notices that it printed, and for how long the others answered nothing.
Without `--iterations` the bot thinks as a steady one does on this machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from itertools import pairwise
from typing import Final

from scripts.lab.lan import Failed, workplace
from scripts.lab.lan_dropout import Said, Seat, Table, begun, check, go_on
from scripts.lab.namespaces import lan

SEATS: Final = 3
CHOICE_S_MAX: Final = 20.0  # How long one choice of the bot may take.
RETURN_S_MAX: Final = 600.0


def lines_of(seat: Seat, key: str, since: float) -> list[Said]:
    """What a program has said of this kind since then."""
    return [each for each in seat.said if key in each and each["t"] >= since]


def questions(seat: Seat, since: float) -> list[float]:
    """When a program was asked for its own choices, after its seat was its own again."""
    told = [each["t"] for each in lines_of(seat, "kinds", since) if "new key" in each["kinds"]]
    home = told[0] if told else float("inf")
    return [each["t"] for each in lines_of(seat, "asked", since) if each["t"] >= home]


def come_back(table: Table, choices: int) -> str:
    """One is killed, the bot chooses so often, and the owner comes back."""
    begun(table)
    victim = table.seats[2]
    table.kill(victim)
    stayed = [seat for seat in table.seats if seat is not victim]
    table.until(
        lambda: all(seat.now.get("played", 0) >= choices for seat in stayed),
        60 + choices * CHOICE_S_MAX,
    )
    before = stayed[0].now["height"]
    began = time.monotonic()
    back = table.start(victim.machine, victim.home, ["resume"])
    table.until(lambda: bool(questions(back, began)), RETURN_S_MAX)
    asked = questions(back, began)[0]
    opened = lines_of(back, "height", began)
    missed = before - opened[0]["height"]
    caught_up = next(each["t"] for each in opened if each["height"] >= before)
    stalls = [each["stalled"] for seat in stayed for each in lines_of(seat, "stalled", began)]
    seats = [(seat, [each["t"] for each in lines_of(seat, "height", began)]) for seat in stayed]
    waits = [b - a for _, at in seats for a, b in pairwise(at) if b < asked]
    said = [each["notice"] for each in lines_of(back, "notice", began)]
    go_on(table, table.seats)
    figures = (
        f"{choices} choices, {missed} entries: own choice after {asked - began:.1f} s "
        f"(of which the program's start {opened[0]['t'] - began:.1f} s, and up to the log that was "
        f"there by then {caught_up - opened[0]['t']:.1f} s); {len(said)} notices; "
        f"others busy for at most {max(stalls, default=0.0):.1f} s, without news for at most "
        f"{max(waits, default=0.0):.1f} s"
    )
    print("\n".join(f"    {each}" for each in said[:20]), flush=True)
    return f"{figures}; {check(table.seats, 2)}"


def main(arguments: list[str]) -> int:
    """Measure; 0 when the owner came back and the files are alike."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--choices", type=int, default=50)
    parser.add_argument("--game", default="carta")
    parser.add_argument("--iterations", type=int, default=0, help="0: as a steady bot")
    parser.add_argument("--no-escrow", action="store_true", help="deal anew instead")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    terms = ["--seats", str(SEATS), "--game", args.game, "--iterations", str(args.iterations)]
    terms += ["--no-escrow"] if args.no_escrow else []
    with lan(SEATS) as machines, workplace() as homes:
        table = Table(machines, homes, terms)
        try:
            print(come_back(table, args.choices), flush=True)
        except Failed as failure:
            print(f"FAILED {failure}", flush=True)
            return 1
        finally:
            table.end()
    return 0
