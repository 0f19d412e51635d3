"""Whole games over a LAN of network namespaces: found by multicast, played to the end, compared.

    sudo lab.py lan                     one game of three seats
    sudo lab.py lan --games 3 --cable   pull a cable for five seconds in each
    sudo lab.py lan --crash             kill a program in the middle, and resume
    sudo lab.py lan --game dominion --seats 4 --bots 2 --calm 8
    sudo lab.py lan --game civilization --seats 4 --bots 2 --iterations 5 --calm 3 \\
        --crash-when "Battle: play a unit" --crash-when "put the deal together"

One machine opens a table, the others find it by themselves (no address is typed and there is no
route to anywhere), the last seats are bots, and one more machine only looks at what is announced.
People are played through pipes: this script reads the choices and types numbers.  A game counts
when every machine keeps the same file, byte for byte, and `audit` finds nothing in any of them.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import secrets
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from p2p.log.shared import log_in
from scripts import environment
from scripts.lab.namespaces import Machine, lan

PROGRAM: Final = (sys.executable, str(environment.ROOT / "scripts" / "play.py"))
GAME_S_MAX: Final = 180.0  # Of Carta.
LONG_GAMES_S_MAX: Final = {"civilization": 3600.0}
LONG_GAME_S_MAX: Final = 900.0  # Of any other game.
LOOK_S: Final = (0.25, 0.5, 1.0, 2.0, 3.0)  # How long to look, until the table is seen.
PULLED_S: Final = 5.0
LATELY_LETTERS: Final = 400  # Of what a program said: the question that is open.
TROUBLE_AFTER: Final = 10  # Answers of people.
QUIET_S: Final = 0.05  # A list of choices is complete when nothing follows it for so long.
READ_BYTES: Final = 65_536
CHOICES: Final = "Your choices:"
ALONE: Final = "Only one choice:"  # The program has made it.
NUMBER: Final = re.compile(r"(?:^  |: |· )(\d+) (?=[ \S])")  # Many may stand in one line.


class Failed(Exception):
    """What did not hold, in one sentence."""


@dataclass
class Typist:
    """Types any number; the last one, which moves most games on, `calm` times of ten at least."""

    luck: random.Random
    calm: int = 0

    def number(self, count: int) -> int:
        """A number from 1 to `count`."""
        return count if self.luck.randrange(10) < self.calm else self.luck.randint(1, count)


def read_choices(
    lines: Iterable[str], offers: list[str], is_listing: bool
) -> tuple[list[str], bool]:
    """(the numbers of the newest list of choices, whether it goes on), with more lines read."""
    for line in lines:
        if line == CHOICES or line.startswith(ALONE):
            offers, is_listing = [], line == CHOICES
        elif not line.startswith("  "):
            is_listing = False
        elif is_listing:
            offers = offers + NUMBER.findall(line)
    return offers, is_listing


@dataclass
class Peer:
    """One program on one machine."""

    machine: Machine
    home: Path
    process: subprocess.Popen[str]
    is_person: bool
    is_honest: bool = True
    offers: list[str] = field(default_factory=list)  # Their numbers.
    answers: int = 0
    said: str = ""
    _rest: str = ""
    _is_listing: bool = False

    def receive(self, text: str) -> None:
        """Take in output, and remember the newest list of choices."""
        self.said += text
        *lines, self._rest = (self._rest + text).split("\n")
        self.offers, self._is_listing = read_choices(lines, self.offers, self._is_listing)

    def answer(self, typist: Typist) -> None:
        """Type one of the numbers that are offered."""
        offers, self.offers = self.offers, []
        if not self.is_person or not offers:
            return
        assert self.process.stdin is not None, "we asked for a pipe"
        with contextlib.suppress(BrokenPipeError):  # Then the exit code tells.
            self.process.stdin.write(f"{offers[typist.number(len(offers)) - 1]}\n")
            self.process.stdin.flush()
            self.answers += 1


class Party:
    """Everybody at one table, one machine each."""

    def __init__(self, machines: Sequence[Machine], homes: Path) -> None:
        self.machines = machines
        self.homes = homes
        self.peers: list[Peer] = []

    def sit(self, *words: str, program: Sequence[str] = PROGRAM) -> Peer:
        """The next machine takes a seat with these words of the command line.

        Another `program` than ours is one that cheats.
        """
        number = len(self.peers)
        home = self.homes / f"machine{number + 1}"
        command = [*program, *words, "--home", str(home), "--as", f"Player {number + 1}"]
        process = self.machines[number].start(command, is_all_heard=True)
        peer = Peer(self.machines[number], home, process, "--plain" in words, program == PROGRAM)
        self.peers.append(peer)
        return peer

    def play_to_end(self, typist: Typist, trouble: Trouble, s_max: float = GAME_S_MAX) -> None:
        """Answer for the people until every honest program has ended.

        Raises:
            Failed: they have not in this time.
        """
        deadline = time.monotonic() + s_max
        with selectors.DefaultSelector() as self._selector, contextlib.closing(trouble):
            for peer in self.peers:
                self._listen(peer)
            while any(key.data.is_honest for key in self._selector.get_map().values()):
                if time.monotonic() > deadline:
                    raise Failed(f"no end after {s_max:.0f} s")
                self._turn(typist)
                trouble.tend(self)
        for peer in self.peers:
            if peer.is_honest:
                peer.process.wait()

    def crash(self, peer: Peer) -> None:
        """Kill a program without a word, and start it again with `resume`."""
        assert peer.process.stdout is not None, "we asked for a pipe"
        self._selector.unregister(peer.process.stdout)
        peer.process.kill()
        peer.process.communicate()
        peer.offers = []
        command = [*PROGRAM, "resume", "--plain", "--home", str(peer.home)]
        peer.process = peer.machine.start(command, is_all_heard=True)
        self._listen(peer)

    def _listen(self, peer: Peer) -> None:
        assert peer.process.stdout is not None, "we asked for a pipe"
        os.set_blocking(peer.process.stdout.fileno(), False)
        self._selector.register(peer.process.stdout, selectors.EVENT_READ, peer)

    @property
    def answers(self) -> int:
        """How often a number was typed."""
        return sum(peer.answers for peer in self.peers)

    def _turn(self, typist: Typist) -> None:
        ready = self._selector.select(QUIET_S)
        for key, _ in ready:
            text = os.read(key.fd, READ_BYTES).decode()
            key.data.receive(text)
            if not text:
                self._selector.unregister(key.fileobj)
        if not ready:
            for peer in self.peers:
                peer.answer(typist)

    def last_words(self) -> str:
        """The last line that everybody printed, for a report."""
        return "\n".join(
            f"machine {number}: {' / '.join(peer.said.splitlines()[-3:])}"
            for number, peer in enumerate(self.peers, 1)
        )

    def end(self) -> None:
        """Leave no process behind."""
        for peer in self.peers:
            with contextlib.suppress(ProcessLookupError):
                peer.process.kill()
            peer.process.communicate()


class Trouble:
    """What goes wrong in the middle of a game; here: nothing."""

    def tend(self, party: Party) -> None:
        """Called often; makes the trouble when it is time."""

    def close(self) -> None:
        """Put everything back."""


class Cable(Trouble):
    """The cable of one machine is pulled once for some seconds."""

    def __init__(self, machine: Machine) -> None:
        self._machine: Machine | None = machine
        self._plug_at: float | None = None

    def tend(self, party: Party) -> None:
        """Pull or plug when it is time."""
        if self._machine is None:
            return
        if self._plug_at is None and party.answers >= TROUBLE_AFTER:
            self._machine.unplug()
            self._plug_at = time.monotonic() + PULLED_S
            print(f"cable of {self._machine.address} pulled after {party.answers} answers")
        elif self._plug_at is not None and time.monotonic() >= self._plug_at:
            self.close()
            print(f"cable plugged after {PULLED_S:.0f} s, {party.answers} answers so far")

    def close(self) -> None:
        """Put the cable back."""
        if self._machine is not None and self._plug_at is not None:
            self._machine.plug()
            self._machine = None


class Crash(Trouble):
    """Programs of people are killed and resumed, one after the other.

    After some answers; or, with `words`, while that person is asked something that has them: the
    first person the first words, and so on in turn.
    """

    def __init__(self, words: Sequence[str] = ()) -> None:
        self._words = words
        self._crashes = 0

    def tend(self, party: Party) -> None:
        """Kill the next one when it is time."""
        people = [peer for peer in party.peers if peer.is_person]
        if self._crashes == len(people):
            return
        peer = people[self._crashes]
        is_due = party.answers >= TROUBLE_AFTER * (self._crashes + 1)
        if self._words:
            words = self._words[self._crashes % len(self._words)]
            is_due = bool(peer.offers) and words in peer.said[-LATELY_LETTERS:]
        if is_due:
            self._crashes += 1
            party.crash(peer)
            print(f"{peer.home.name} killed and resumed after {party.answers} answers")


# ---- what is looked at ----


def look(machine: Machine, home: Path) -> tuple[float, str, float]:
    """The shortest look in seconds that sees a table, what heard it, and the whole command's time.

    Raises:
        Failed: none was seen in the longest look.
    """
    for wait_s in LOOK_S:
        began = time.monotonic()
        command = [*PROGRAM, "tables", "--json", "--wait", str(wait_s)]
        process = machine.start([*command, "--home", str(home)])
        seen = process.communicate()[0].splitlines()
        if seen:
            return wait_s, str(json.loads(seen[0])["heard_by"]), time.monotonic() - began
    raise Failed(f"no table was seen in {LOOK_S[-1]:.0f} s")


def newest_game(home: Path) -> Path:
    """The file of the last game played in this home.

    Raises:
        Failed: there is none.
    """
    files = sorted((home / "games").glob("*.hostless"), key=lambda path: path.stat().st_mtime)
    if not files:
        raise Failed(f"{home.name} kept no game")
    return files[-1]


def audit(path: Path) -> dict[str, object]:
    """The report of `audit --json`; `exit` is 0 if every check holds, whatever its grade."""
    command = [*PROGRAM, "audit", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report: dict[str, object] = json.loads(done.stdout or "{}")
    return {**report, "exit": int(not report.get("holds")), "said": done.stderr.strip()}


def compare(peers: Sequence[Peer]) -> str:
    """What the files of all peers are, when they hold the same log and are clean.

    Raises:
        Failed: an exit code, a file or an audit is not as it must be.
    """
    codes = [peer.process.returncode for peer in peers]
    if any(codes):
        raise Failed(f"exit codes {codes}")
    files = [newest_game(peer.home) for peer in peers]
    prints = {hashlib.sha256(b"".join(log_in(path))).hexdigest() for path in files}
    if len(prints) != 1:
        sizes = [path.stat().st_size for path in files]
        raise Failed(f"{len(prints)} different logs, in files of {sizes} bytes")
    began = time.monotonic()
    reports = [audit(path) for path in files]
    took_s = (time.monotonic() - began) / len(files)
    if any(report["exit"] for report in reports):
        raise Failed(f"audit does not hold: {reports}")
    size = files[0].stat().st_size / 1000
    return (
        f"{len(files)} logs equal, sha256 {prints.pop()[:16]}, {size:.0f} kB, "
        f"{reports[0]['entries']} entries; {len(files)} audits exit 0, {took_s:.1f} s each"
    )


# ---- the games ----


@dataclass(frozen=True)
class Evening:
    """What is played: a game, how many of its seats are bots, and who types for the others."""

    game: str
    bots: int
    iterations: int
    options: Sequence[str]
    typist: Typist
    keep: Path | None = None  # Where a file of every game is kept.

    def opening(self, seats: int) -> list[str]:
        """The words that open the table."""
        options = [word for option in self.options for word in ("--option", option)]
        return ["open", self.game, "--seats", str(seats), *options, "--plain"]


def play_one(machines: Sequence[Machine], homes: Path, evening: Evening, trouble: Trouble) -> None:
    """One game: a person opens, others join, the last seats are bots, one more machine looks.

    Raises:
        Failed: something did not hold.
    """
    *players, watcher = machines
    party = Party(players, homes)
    began = time.monotonic()
    try:
        party.sit(*evening.opening(len(players)))
        wait_s, way, took_s = look(watcher, homes / "watcher")
        print(f"tables --json: seen by {way} in a look of {wait_s} s ({took_s:.2f} s in all)")
        for _ in range(len(players) - 1 - evening.bots):
            party.sit("join", "--plain")
        for _ in range(evening.bots):
            party.sit("bot", "--pace", "0", "--iterations", str(evening.iterations))
        long_s = LONG_GAMES_S_MAX.get(evening.game, LONG_GAME_S_MAX)
        s_max = GAME_S_MAX if evening.game == "carta" else long_s
        party.play_to_end(evening.typist, trouble, s_max)
        print(
            f"played to the end in {time.monotonic() - began:.1f} s, {party.answers} answers typed"
        )
        print(compare(party.peers), flush=True)
        if evening.keep:
            shutil.copy(newest_game(party.peers[0].home), evening.keep)
    except Failed as failure:
        raise Failed(f"{failure}\n{party.last_words()}") from failure
    finally:
        party.end()


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A folder for homes that disappears."""
    with tempfile.TemporaryDirectory(prefix="hostless-lan-") as name:
        yield Path(name)


def main(arguments: list[str]) -> int:
    """Play; 0 when every game held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seats", type=int, default=3, choices=(2, 3, 4))
    parser.add_argument("--game", default="carta", metavar="GAME")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--bots", type=int, default=1, metavar="N")
    parser.add_argument("--iterations", type=int, default=200, metavar="N", help="of the bots")
    parser.add_argument("--calm", type=int, default=0, metavar="N",
                        help="of ten numbers typed, so many are the last one")  # fmt: skip
    parser.add_argument("--games", type=int, default=1, metavar="N")
    parser.add_argument("--cable", action="store_true", help="pull a cable in the middle")
    parser.add_argument("--crash", action="store_true", help="kill programs in the middle")
    parser.add_argument("--crash-when", action="append", default=[], metavar="WORDS",
                        help="kill each while it is asked something with these words")  # fmt: skip
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep a file of every game there")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the numbers typed")
    args = parser.parse_args(arguments)
    if sys.platform != "linux" or os.geteuid() != 0:
        print("namespaces need Linux and root", file=sys.stderr)
        return 2
    if not 0 <= args.bots < args.seats:
        parser.error(f"{args.seats} seats leave room for 0 to {args.seats - 1} bots")
    print(f"{args.game}, {args.seats} seats, seed {args.seed}", flush=True)
    typist = Typist(random.Random(args.seed), args.calm)
    evening = Evening(args.game, args.bots, args.iterations, args.option, typist, args.keep)
    try:
        with lan(args.seats + 1) as machines, workplace() as homes:
            for number in range(args.games):
                print(f"game {number + 1}:", flush=True)
                is_crash = args.crash or args.crash_when
                trouble = Crash(args.crash_when) if is_crash else Trouble()
                play_one(machines, homes, evening, Cable(machines[1]) if args.cable else trouble)
    except Failed as failure:
        print(f"FAILED: {failure}")
        return 1
    return 0
