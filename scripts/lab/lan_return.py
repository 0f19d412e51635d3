"""An owner who comes back after its bot has made many choices: how soon it can choose itself.

    sudo lab.py lan_return                            after 50 choices
    sudo lab.py lan_return --choices 500 --iterations 1 --calm
    sudo lab.py lan_return --game carta --choices 15 --no-escrow

Three real programs on a LAN of namespaces (`lan_peer.py`) with a grace of 5 s.  One is killed with
`kill -9`, the bot plays on, and the owner resumes once the bot has chosen so often.  Printed: the
seconds from the start of its program until it is asked for its first own choice, and what they
were spent on; the notices that it printed, and for how long the others answered nothing.
Without `--iterations` the bot thinks as a steady one does on this machine: 50 choices take minutes.
The game must last so long: Carta ends after 40 choices of a seat or so, Dominion after 150, and
after more if the people are `--calm` and buy nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from p2p.log.membership_change import RESTORE
from scripts.lab.lan import Failed, workplace
from scripts.lab.lan_dropout import Said, Seat, Table, begun, check, go_on
from scripts.lab.namespaces import Machine, lan

SEATS: Final = 3
CHOICE_S_MAX: Final = 20.0  # How long one choice of the bot may take.
WAIT_S_MAX: Final = 60.0  # Until it has the seat.
TELL_S: Final = 10.0  # How often it is said how far the bot is.
RETURN_S_MAX: Final = 600.0


class CalmTable(Table):
    """A table of people who only ever end their turns."""

    def start(self, machine: Machine, home: Path, words: Sequence[str]) -> Seat:
        """A program on a machine; it takes the place of an older one of this home."""
        return super().start(machine, home, [*words, "--calm"])


def lines_of(seat: Seat, key: str, since: float) -> list[Said]:
    """What a program has said of this kind since then."""
    return [each for each in seat.said if key in each and each["t"] >= since]


def questions(seat: Seat, since: float) -> list[float]:
    """When a program was asked for its own choices, after its seat was its own again."""
    told = [each["t"] for each in lines_of(seat, "kinds", since) if "new key" in each["kinds"]]
    home = told[0] if told else float("inf")
    return [each["t"] for each in lines_of(seat, "asked", since) if each["t"] >= home]


def let_bot_choose(table: Table, stayed: Sequence[Seat], choices: int) -> None:
    """Wait until a bot has chosen so often, and say every now and then how far it is.

    Raises:
        Failed: the game was over before, or the bot is too slow.
    """
    began, told = time.monotonic(), 0.0
    while (done := min(seat.now.get("played", 0) for seat in stayed)) < choices:
        took = time.monotonic() - began
        if any(seat.has_ended() for seat in stayed):
            said = [each["notice"] for seat in stayed for each in seat.said if "notice" in each]
            raise Failed(f"the game was over after {done} choices of the bot; {said[-4:]}")
        if took > WAIT_S_MAX + choices * CHOICE_S_MAX:
            raise Failed(f"the bot has made {done} choices in {took:.0f} s")
        if took - told >= TELL_S:
            told = took
            height = stayed[0].now["height"]
            print(f"    {took:.0f} s: {done} of {choices} choices, {height} entries", flush=True)
        table.receive(0.05)


def sections(back: Seat, began: float, before: int) -> list[tuple[str, float]]:
    """What an owner who comes back has waited for, and when that was there."""
    lines = lines_of(back, "height", began)

    def written(kind: str) -> float:
        return next(float(each["t"]) for each in lines if kind in each["kinds"])

    return [
        ("imports", lines_of(back, "here", began)[0]["t"]),
        ("its own file", lines[0]["t"]),
        ("a link", next(each["t"] for each in lines if each["links"])),
        ("the log of the others", next(each["t"] for each in lines if each["height"] >= before)),
        ("their votes", written(RESTORE)),
        ("a new key", written("new key")),
        ("its turn", questions(back, began)[0]),
    ]


def come_back(table: Table, choices: int) -> str:
    """One is killed, the bot chooses so often, and the owner comes back."""
    begun(table)
    victim = table.seats[2]
    table.kill(victim)
    stayed = [seat for seat in table.seats if seat is not victim]
    let_bot_choose(table, stayed, choices)
    before = stayed[0].now["height"]
    began = time.monotonic()
    back = table.start(victim.machine, victim.home, ["resume"])
    print(f"    {victim.home.name} comes back at entry {before}", flush=True)
    table.until(
        lambda: any(seat.has_ended() for seat in table.seats) or bool(questions(back, began)),
        RETURN_S_MAX,
    )
    if not questions(back, began):
        raise Failed("the game was over before the owner was asked")
    asked = questions(back, began)[0]
    missed = before - lines_of(back, "height", began)[0]["height"]
    stalls = [each["stalled"] for seat in stayed for each in lines_of(seat, "stalled", began)]
    news = [[each["t"] for each in lines_of(seat, "kinds", began) if each["kinds"]]
            for seat in stayed]  # fmt: skip
    waits = [b - a for at in news for a, b in pairwise(at) if a < asked]
    said = [each["notice"] for each in lines_of(back, "notice", began)]
    times = [("", began), *sections(back, began, before)]
    spent = ", ".join(f"{what} {at - since:.1f}" for (_, since), (what, at) in pairwise(times))
    go_on(table, table.seats)
    figures = (
        f"{choices} choices, {missed} entries: own choice after {asked - began:.1f} s ({spent}); "
        f"{len(said)} notices; others busy for at most {max(stalls, default=0.0):.1f} s, "
        f"without news for at most {max(waits, default=0.0):.1f} s"
    )
    print("\n".join(f"    {each}" for each in said[:20]), flush=True)
    return f"{figures}; {check(table.seats, 2)}"


def main(arguments: list[str]) -> int:
    """Measure; 0 when the owner came back and the files are alike."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--choices", type=int, default=50)
    parser.add_argument("--game", default="dominion")
    parser.add_argument("--iterations", type=int, default=0, help="0: as a steady bot")
    parser.add_argument("--calm", action="store_true", help="people buy nothing: it lasts longer")
    parser.add_argument("--no-escrow", action="store_true", help="deal anew instead")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    terms = ["--seats", str(SEATS), "--game", args.game, "--iterations", str(args.iterations)]
    terms += ["--no-escrow"] if args.no_escrow else []
    with lan(SEATS) as machines, workplace() as homes:
        table = (CalmTable if args.calm else Table)(machines, homes, terms)
        try:
            print(come_back(table, args.choices), flush=True)
        except Failed as failure:
            print(f"FAILED {failure}", flush=True)
            return 1
        finally:
            table.end()
    return 0
