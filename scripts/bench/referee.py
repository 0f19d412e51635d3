"""How many acts a second the referee does for a program at the other end of a pipe.

    bench.py referee                       Carta and Dominion; 1, 20, 100 and 1,000 acts to a line
    bench.py referee --games 6 --rounds 5

A random game is prepared first.  Then it is sent to `hostless referee`, line by line: each answer
is read before the next line goes out.  Seconds are those of the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from scripts.bench.rules import REFEREE_GAMES, referee_lines

PLAY: Final = Path(__file__).resolve().parents[1] / "play.py"
SIZES: Final = (1, 20, 100, 1000)  # Acts to a line.


class Pipe:
    """A referee in a process of its own."""

    def __init__(self, slug: str) -> None:
        command = [sys.executable, str(PLAY), "referee", slug]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, line: str) -> dict[str, Any]:
        """The answer to one line, which has to be a good one."""
        assert self._process.stdin is not None and self._process.stdout is not None, "both are ours"
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert answer["ok"], f"the referee refuses: {answer}"
        return answer

    def close(self) -> None:
        """Let it end."""
        self.ask('{"do": "quit"}')
        self._process.communicate()


def packed(lines: list[str], size: int) -> Iterator[str]:
    """A game with up to so many acts to a line; with one they stay as they are."""
    new, *acts = lines
    yield new
    if size == 1:
        yield from acts
        return
    for first in range(0, len(acts), size):
        some = [json.loads(line) for line in acts[first : first + size]]
        for act in some:
            del act["do"]
        yield json.dumps({"do": "acts", "acts": some})


def acts_per_s(pipe: Pipe, games: list[list[str]], size: int) -> float:
    """One round: all games, once."""
    lines = [line for game in games for line in packed(game, size)]
    begin = time.perf_counter()
    answers = [pipe.ask(line) for line in lines]
    took_s = time.perf_counter() - begin
    assert "over" in answers[-1]["request"], "the last game has been played to its end"
    return sum(len(game) - 1 for game in games) / took_s


def main(arguments: list[str]) -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args(arguments)
    print(f"load {os.getloadavg()[0]:.1f}")
    for slug in REFEREE_GAMES:
        games = [list(referee_lines(slug, seed)) for seed in range(asked.games)]
        pipe = Pipe(slug)
        for size in SIZES:
            found = [acts_per_s(pipe, games, size) for _ in range(asked.rounds)]
            print(f"{slug}, {size} to a line: {min(found):,.0f} to {max(found):,.0f} acts/s",
                  flush=True)  # fmt: skip
        pipe.close()
    return 0
