"""Damaged game files at a table of two real programs: what is said, and that the game goes on.

    sudo lab.py damaged_files               every damage once, about ten minutes
    sudo lab.py damaged_files --only 0.3    those whose name has this in it

Two programs with lines of text (`--plain`) play a little on one machine of a LAN of namespaces, and
stop.  Then, for each damage: both homes are copied, a file of the second seat is damaged, and both
resume.  It holds when both files grow by 20 entries, are alike, `audit` finds nothing, and nobody
is accused; or where the seed is gone, when the person is told what can be done.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from p2p.log.shared import log_in
from scripts.lab.lan import PROGRAM, Failed, audit, workplace
from scripts.lab.namespaces import Machine, lan

FIRST: Final = 40  # Entries before the damage,
AFTER: Final = 20  # and how many more there have to be after it.
S_MAX: Final = 60.0
ANSWERS: Final = 400
Harm = Callable[[Path], None]


def flip(at: float, path: Path) -> None:
    """Change one bit, so far on the way through the file."""
    content = bytearray(path.read_bytes())
    content[min(len(content) - 1, int(at * len(content)))] ^= 1
    path.write_bytes(bytes(content))


def halve(path: Path) -> None:
    """Lose the second half."""
    os.truncate(path, path.stat().st_size // 2)


def harms() -> Iterator[tuple[str, str, Harm]]:
    """(name, suffix of the file, what is done to it)."""
    for suffix, places in (
        (".hostless", (0.0, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.999)),
        (".secret", (0.0, 0.02, 0.1, 0.3, 0.6, 0.999)),
    ):
        for at in places:
            yield f"{suffix} bit {at}", suffix, partial(flip, at)
        yield f"{suffix} empty", suffix, lambda path: os.truncate(path, 0)
        yield f"{suffix} halved", suffix, halve
    yield ".secret lost", ".secret", Path.unlink


class Player:
    """One program with lines of text, that answers whatever it is asked."""

    def __init__(self, machine: Machine, home: Path, *words: str, answers: int = ANSWERS) -> None:
        self.home, self.out = home, home.parent / f"{home.name}.out"
        home.parent.mkdir(exist_ok=True)
        command = [*PROGRAM, *words, "--plain", "--home", str(home), "--as", home.name]
        with self.out.open("wb") as out:
            inside = ["ip", "netns", "exec", machine.namespace, *command]
            self.process = subprocess.Popen(inside, stdin=subprocess.PIPE, stdout=out, stderr=out)
        assert self.process.stdin is not None, "we asked for a pipe"
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(b"1\n" * answers)
            self.process.stdin.flush()

    @property
    def said(self) -> str:
        """All that it printed."""
        return self.out.read_text(errors="replace")

    def path(self) -> Path:
        """Its game file."""
        (path,) = (self.home / "games").glob("*.hostless")
        return path

    def entries(self) -> int:
        """How many entries its file holds, as far as it is whole."""
        return self.path().read_bytes().count(b"\x65entry") if self.has_game() else 0

    def has_game(self) -> bool:
        """Whether its game has begun."""
        return len(list((self.home / "games").glob("*.hostless"))) == 1

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


def until(holds: Callable[[], bool], players: list[Player]) -> None:
    """Wait for something.

    Raises:
        Failed: it did not come.
    """
    deadline = time.monotonic() + S_MAX
    while not holds():
        time.sleep(0.05)
        if time.monotonic() > deadline:
            last = [player.said[-300:] for player in players]
            raise Failed(f"nothing after {S_MAX:.0f} s: {last}")


def begin(machine: Machine, homes: Path) -> None:
    """Let two play a little."""
    opener = Player(machine, homes / "ada", "open", "carta", "--seats", "2")
    players = [opener]
    try:
        until(lambda: re.search(r":(\d{4,5})\b", opener.said) is not None, players)
        found = re.search(r"(\d+\.\d+\.\d+\.\d+:\d{4,5})\b", opener.said)
        assert found is not None, "an address is shown"
        players.append(Player(machine, homes / "bert", "join", found[1]))
        until(lambda: all(player.entries() >= FIRST for player in players), players)
    finally:
        for player in players:
            player.kill()


def try_one(machine: Machine, homes: Path, suffix: str, harm: Harm) -> str:
    """What was said and came of one damage.

    Raises:
        Failed: the game did not go on.
    """
    (path,) = (homes / "bert" / "games").glob("*.hostless")
    before = path.read_bytes().count(b"\x65entry")
    harm(path.with_suffix(suffix))
    players = [Player(machine, homes / name, "resume") for name in ("ada", "bert")]
    try:
        until(
            lambda: (
                all(each.entries() >= before + AFTER for each in players)
                or players[1].process.poll() is not None
            ),
            players,
        )
    finally:
        for player in players:
            player.kill()
    lines = [line for line in players[1].said.splitlines() if line.startswith("hostless: ")]
    said = " | ".join(line.removeprefix("hostless: ") for line in lines)
    if any("misbehaved" in player.said for player in players):
        raise Failed(f"somebody was accused: {said}")
    if any("Traceback" in player.said for player in players):
        raise Failed(players[1].said[-500:])
    if players[1].entries() < before + AFTER:
        return f"told: {said}"
    shorter, longer = sorted((log_in(each.path()) for each in players), key=len)
    if longer[: len(shorter)] != shorter:
        raise Failed(f"their logs differ: {said}")
    for player in players:
        report = audit(player.path())
        if report["exit"]:
            raise Failed(f"the audit says {report}")
    return f"went on, logs alike, audits 0; said: {said or 'nothing'}"


def main(arguments: list[str]) -> int:
    """Damage files; 0 when the games went on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="a part of a name")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    failed = 0
    with lan(1) as (machine,), workplace() as place:
        begin(machine, place / "first")
        for number, (name, suffix, harm) in enumerate(harms()):
            if args.only not in name:
                continue
            homes = place / str(number)
            for person in ("ada", "bert"):
                shutil.copytree(place / "first" / person, homes / person)
            try:
                print(f"{name}: {try_one(machine, homes, suffix, harm)}", flush=True)
            except Failed as failure:
                failed += 1
                print(f"{name}: FAILED {failure}", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0
