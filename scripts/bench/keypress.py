"""How long a key press takes to reach the screen while bots think.

    bench.py keypress                         300 presses beside two bots at sharp
    bench.py keypress --thinking 0            the same beside bots that wait
    bench.py keypress --presses 1000 --level steady

The program runs in a pseudo-terminal: a table of one person and two bots on this machine, over the
whole protocol.  On the person's turn the bots wait (gentle ones, so that it comes soon), so as many
workers as `--thinking` says think about choices of the same game all the time, each started as a
bot starts its own, in the same session.  A press is timed from the write to the terminal until the
last byte of the picture that it changed has been read back.

On a machine that is busy with other things `--ahead` lets the person's program, and whoever reads
its terminal here, go before all others (on Linux, as root), but not what they start: bots and
workers share the machine with everything else, and so do the kernel's own threads, which carry the
bytes of the terminal.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import ExitStack
from itertools import count, cycle, islice
from typing import Final

from scripts import environment

PROGRAM: Final = (sys.executable, str(environment.ROOT / "scripts" / "play.py"))
THINK: Final = "import sys; from scripts.bench import keypress; keypress.think(sys.argv[1])"
SIZE: Final = (24, 80)
LIMIT_MS: Final = 50.0
PATIENCE_S: Final = 30.0
TABLE_S: Final = 600.0  # Until it is the person's turn: bots that think take their time.
CHANGE_S: Final = 5.0  # Until a picture that has not come does not.
TABLES_MAX: Final = 9  # Until there is one with something to choose.
REST_S: Final = 0.05  # Nothing is shown for so long before the next press.
MY_TURN: Final = b"YOUR TURN"
ASKS_SYNC: Final = b"\x1b[?2026$p"  # "Can you show a whole picture at once?"  "Yes."
KNOWS_SYNC: Final = b"\x1b[?2026;2$y"
FRAME_END: Final = b"\x1b[?2026l"
RIGHT, LEFT, KEYS, BACK = b"\x1b[C", b"\x1b[D", b"?", b"q"
PRESSES: Final = (  # A key, and what is in the picture that it leads to.
    (RIGHT, FRAME_END),  # The next choice is picked.  The bots wait, so no other picture comes.
    (RIGHT, FRAME_END),
    (KEYS, b"Read what is to the right"),  # All keys, over everything.
    (BACK, b"enter confirms"),
    (LEFT, FRAME_END),
)


class Terminal:
    """A program on a pseudo-terminal, which says when a picture is complete."""

    def __init__(self, beside: list[list[str]], *arguments: str) -> None:
        """Start the program, and whatever else is to run in its session."""
        self.seen = b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            for command in beside:
                subprocess.Popen(command, env=thinking_environ(), stdin=subprocess.DEVNULL)
            told = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "HOSTLESS_INTERFACES": "lo"}
            # Nothing is compiled beside while we measure.
            told["HOSTLESS_PLAIN"] = "1"
            os.execve(PROGRAM[0], [*PROGRAM, *arguments], {**os.environ, **told})
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))

    def press(self, key: bytes, wanted: bytes, s_max: float = PATIENCE_S) -> float:
        """Seconds from the press until a picture with these words has been read whole.

        Raises:
            TimeoutError: it never came.
        """
        self.seen = b""
        began = time.perf_counter()
        os.write(self.file, key)
        self.read_until(wanted, s_max)
        return time.perf_counter() - began

    def has_choices(self) -> bool:
        """Whether there is another choice to go to: with one alone an arrow changes nothing."""
        self.rest()
        try:
            self.press(*PRESSES[0], s_max=CHANGE_S)
        except TimeoutError:
            return False
        return True

    def read_until(self, wanted: bytes, s_max: float = PATIENCE_S) -> None:
        """Read until these words and the end of their picture have come.

        Raises:
            TimeoutError: they never came.
        """
        deadline = time.monotonic() + s_max
        while FRAME_END not in self.seen[max(self.seen.find(wanted), 0) :] or (
            wanted not in self.seen
        ):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"no {wanted!r} in {self.seen[-500:]!r}")
            self.read(deadline - time.monotonic())

    def read(self, wait_s: float) -> bool:
        """Read what there is, if there is anything in time."""
        if not select.select([self.file], [], [], max(wait_s, 0))[0]:
            return False
        chunk = os.read(self.file, 1 << 16)
        if ASKS_SYNC in chunk:
            os.write(self.file, KNOWS_SYNC)
        self.seen += chunk
        return True

    def rest(self) -> None:
        """Read what else is shown, until nothing is for a while."""
        while self.read(REST_S):
            pass

    def go_ahead(self) -> None:
        """Let the program, and whoever reads it here, go before all else on this machine."""
        policy = os.SCHED_RR | os.SCHED_RESET_ON_FORK  # The bots that it starts do not.
        for process in (self.pid, os.getpid()):
            os.sched_setscheduler(process, policy, os.sched_param(1))

    def close(self) -> None:
        """End the program; whatever runs in its session ends with the terminal."""
        os.kill(self.pid, signal.SIGTERM)
        os.close(self.file)
        os.waitpid(self.pid, 0)


def thinker(level: str) -> list[str]:
    """The command of a process that does nothing but let its worker think."""
    return [str(environment.PYTHON), "-P", "-c", THINK, level]


def thinking_environ() -> dict[str, str]:
    """Where it finds the packages, and this script."""
    return {**environment.environ(), "PYTHONPATH": str(environment.ROOT)}


def think(level: str) -> None:
    """Ask a worker about the first choice of a game, again and again."""
    import trio

    from ai.games import find_knowledge
    from ai.levels import LEVELS, SearchSettings
    from ai.seats.brain import open_brain
    from core.chance import Chance
    from core.determinization import observation_of
    from core.engine import run_until_choice, start
    from core.games import find_game
    from core.requests import Choice

    game = find_game("carta")
    table = start(game, 3, {})
    deal = table.face[:]
    choice = run_until_choice(game, table, deal, Chance(1))
    assert isinstance(choice, Choice), "a game begins with a choice"
    observation = observation_of(table, deal, choice.player)
    iterations = LEVELS[level].iterations(find_knowledge(game).speed)

    async def ask() -> None:
        async with open_brain() as brain:
            for seed in count():
                settings = SearchSettings(seed, level, iterations)
                await brain.decide("carta", table, observation, choice.player, settings)

    trio.run(ask)


def measure(terminal: Terminal, presses: int) -> list[float]:
    """Milliseconds of each press."""
    for key, wanted in PRESSES:  # Once without a clock: what is imported late is imported.
        terminal.press(key, wanted)
        terminal.rest()
    taken = []
    for key, wanted in islice(cycle(PRESSES), presses):
        taken.append(terminal.press(key, wanted) * 1000)
        terminal.rest()
    return taken


def at_a_table(args: argparse.Namespace) -> list[float]:
    """What a table measures; nothing if there is nothing to choose at it."""
    with tempfile.TemporaryDirectory(prefix="hostless-keys-") as home, ExitStack() as ending:
        beside = [thinker(args.level)] * args.thinking
        where = ("--home", home, "--as", "Ada")
        terminal = Terminal(beside, "play", "carta", "--seats", "3", "--level", "gentle", *where)
        ending.callback(terminal.close)
        terminal.read_until(FRAME_END)
        if args.ahead:
            terminal.go_ahead()
        terminal.read_until(MY_TURN, TABLE_S)
        return measure(terminal, args.presses) if terminal.has_choices() else []


def main(arguments: list[str]) -> int:
    """Measure; 0 when 99 of 100 presses were shown within 50 ms."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=300, metavar="N")
    parser.add_argument("--thinking", type=int, default=2, metavar="N", help="workers that think")
    parser.add_argument("--level", default="sharp")
    parser.add_argument("--ahead", action="store_true", help="the person before all else here")
    args = parser.parse_args(arguments)
    print(f"load of this machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    tables = (at_a_table(args) for _ in range(TABLES_MAX))
    taken = next((taken for taken in tables if taken), None)
    assert taken is not None, "somebody has something to choose at one of so many tables"
    p99 = statistics.quantiles(taken, n=100)[98]
    print(f"{len(taken)} presses beside {args.thinking} workers thinking at {args.level}: "
          f"median {statistics.median(taken):.1f} ms, p99 {p99:.1f} ms, "
          f"longest {max(taken):.1f} ms")  # fmt: skip
    return int(p99 > LIMIT_MS)
