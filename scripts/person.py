#!/usr/bin/env python3
"""A person's whole game in a terminal, by keyboard alone, against two bots.

    python3 scripts/person.py                       one game at 80 x 24
    python3 scripts/person.py --size 120x32 --games 2 --screens DIR
    python3 scripts/person.py --game dominion       played by buying
    python3 scripts/person.py --game renaissance

Needs tmux.  The program is started without arguments.  This script reads the screen, as a person
does, and presses nothing but keys that the screen offers.  Then it looks at what is left behind:
the terminal, the processes, and the game file, which `audit` has to accept.
"""

from __future__ import annotations

import argparse
import random
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

import environment
from lan import PROGRAM, Failed, audit, newest_game

GAME_S_MAX: Final = {"carta": 600.0, "dominion": 2400.0, "renaissance": 900.0}
PAINT_S_MAX: Final = 10.0
DEAL_S_MAX: Final = 20.0
QUIT_S_MAX: Final = 5.0
SETTLE_S: Final = 0.25  # A screen that has not changed for so long is what a person reads.
PATIENCE_S: Final = 1.0
POLL_S: Final = 0.02
# What leads from the lobby to a table with two bots.
TO_A_TABLE: Final = {
    "carta": ("b",),
    "dominion": ("Down", "Enter"),
    "renaissance": ("Down", "Down", "Enter"),
}
MY_TURN: Final = "YOUR TURN"
CONFIRM: Final = "enter confirms"
REASON: Final = "▌"  # The edge of what lies over the table for a moment.
OVER: Final = re.compile(f"{REASON}|▏")  # There, or at the story on the right, the table ends.
PROMPT: Final = "$READY$"
LETTERS: Final = re.compile(r"(?:^|\s{2,})([a-z])(?= \S)")  # "  a Inquisition    e end your turn"
DEALT: Final = {"carta": "Deck", "dominion": "hand 5", "renaissance": "Talon"}
SHELF: Final = re.compile(r"(?:^| )([a-zA-Z]) (\d) [^×]+×")  # " b 3 Silver  ×40"
SPACE: Final = re.compile(r"[BR]\d=([a-zA-Z]+) ")  # "B2=a": a stone may be placed there.
ACTING: Final = "play an Action"
STOP: Final = "s"
TREASURES: Final = "t"
CHEAP: Final = 2  # Who buys a plan buys nothing up to this cost.
END: Final = "esc looks at the table again"
NUMBERS: Final = re.compile(r"^[\s\d]*\d[\s\d]*$")  # The row under the hand.


class Terminal:
    """A terminal of its own, in a tmux server of its own."""

    def __init__(self, columns: int, rows: int) -> None:
        self._name = f"hostless-{secrets.token_hex(4)}"
        size = ("-x", str(columns), "-y", str(rows))
        self._tmux("new-session", "-d", *size, f"PS1='{PROMPT}' exec sh -i")

    def _tmux(self, *words: str) -> str:
        command = ["tmux", "-L", self._name, "-f", "/dev/null", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._tmux("send-keys", *keys)

    def type(self, line: str) -> None:
        """Type a line and press enter."""
        self._tmux("send-keys", "-l", line)
        self.press("Enter")

    def screen(self) -> str:
        """What can be read now."""
        return self._tmux("capture-pane", "-p")

    def settled(self) -> str:
        """The screen once it has stopped changing."""
        seen, since = self.screen(), time.monotonic()
        while time.monotonic() - since < SETTLE_S:
            time.sleep(POLL_S)
            now = self.screen()
            if now != seen:
                seen, since = now, time.monotonic()
        return seen

    def wait(self, holds: Callable[[str], bool], s_max: float, what: str) -> float:
        """Seconds until the screen is so.

        Raises:
            Failed: it never was.
        """
        began = time.monotonic()
        while not holds(self.screen()):
            if time.monotonic() - began > s_max:
                raise Failed(f"{what}: not within {s_max:.0f} s:\n{self.screen()}")
            time.sleep(POLL_S)
        return time.monotonic() - began

    def close(self) -> None:
        """End the server with everything in it."""
        self._tmux("kill-server")


def offered(screen: str) -> list[str]:
    """The keys that the screen offers for a choice: numbers under cards, letters before words."""
    lines = screen.rstrip().split("\n")
    place = next((index for index, line in enumerate(lines) if MY_TURN in line), None)
    if place is None:
        return []
    keys = [*on_the_shelf(screen), *SPACE.findall(screen.split(MY_TURN)[0])]
    for line in lines[place + 1 : -1]:
        line = OVER.split(line)[0]
        if NUMBERS.match(line):
            keys += line.split()
        elif "│" not in line and "╭" not in line and "╰" not in line:
            keys += LETTERS.findall(line)
    return keys


def on_the_shelf(screen: str) -> dict[str, int]:
    """The letters in front of piles that can be had now, with the costs."""
    above = screen.split(MY_TURN)[0]
    lines = [OVER.split(line)[0] for line in above.split("\n")]
    return {letter: int(cost) for line in lines for letter, cost in SHELF.findall(line)}


class Person:
    """Somebody who plays what the screen offers, without a plan."""

    def __init__(self, terminal: Terminal, luck: random.Random, game_s_max: float) -> None:
        self.terminal = terminal
        self.luck = luck
        self.game_s_max = game_s_max
        self.keys = 0
        self.mute: list[str] = []  # Keys that the screen showed, and that changed nothing on it.

    def press(self, key: str) -> str:
        """Press a key and read the screen that follows."""
        self.keys += 1
        self.terminal.press(key)
        return self.terminal.settled()

    def play(self, is_over: Callable[[], bool]) -> None:
        """Play until the game is over.

        Raises:
            Failed: it does not end, or the screen asks and offers nothing.
        """
        deadline, stuck = time.monotonic() + self.game_s_max, ""
        while not is_over():
            if time.monotonic() > deadline:
                raise Failed(f"no end after {self.game_s_max:.0f} s:\n{self.terminal.screen()}")
            screen = self.terminal.settled()
            keys = offered(screen)
            if keys:
                self._choose(screen, self.pick(screen, keys))
            elif CONFIRM in screen:
                self.press("Enter")
            elif MY_TURN in screen and screen == stuck:
                raise Failed(f"my turn, and no key is offered:\n{screen}")
            else:
                stuck = screen
                time.sleep(PATIENCE_S)

    def pick(self, screen: str, keys: list[str]) -> str:
        """One of the keys that are offered."""
        return self.luck.choice(keys)

    def _choose(self, screen: str, key: str) -> None:
        after = self.press(key)
        if after == screen:
            time.sleep(PATIENCE_S)
            after = self.terminal.settled()
        if after == screen and REASON not in screen:
            self.mute.append(f"{key!r} at:\n{screen}")
        elif CONFIRM in after:
            self.press("Enter")


class Shopper(Person):
    """Somebody who plays Actions and all Treasures, and buys what is dear; dice for the rest."""

    def pick(self, screen: str, keys: list[str]) -> str:
        """All Treasures first, then one of the dearest piles; a card that can be played or not."""
        shelf = on_the_shelf(screen)
        if TREASURES in keys:
            return TREASURES
        if not shelf:
            plays = [key for key in keys if key != STOP]
            is_done = ACTING in screen and self.luck.random() < 1 / (len(plays) + 1)
            return STOP if is_done or not plays else self.luck.choice(plays)
        dear = [key for key, cost in shelf.items() if cost == max(shelf.values()) > CHEAP]
        words = [key for key in keys if key not in shelf and not key.isdigit()]
        return self.luck.choice(dear or words or list(shelf))


PEOPLE: Final = {"carta": Person, "dominion": Shopper, "renaissance": Person}


# ---- a game ----


def play_one(person: Person, game: str, home: Path, keep: Callable[[str], None]) -> None:
    """From the shell to the end of a game and back to the shell.

    Raises:
        Failed: something was not as a person may expect.
    """
    terminal = person.terminal
    terminal.settled()
    terminal.type(f"{' '.join(PROGRAM)} --home {home} --as Ada")
    paint_s = terminal.wait(lambda screen: "Carta" in screen, PAINT_S_MAX, "the lobby")
    keep("lobby")
    for key in TO_A_TABLE[game]:
        person.press(key)
    to_game = person.keys
    terminal.wait(lambda screen: MY_TURN in screen or "●" in screen, DEAL_S_MAX, "a table")
    deal_s = terminal.wait(lambda screen: DEALT[game] in screen, DEAL_S_MAX, "the first deal")
    keep("table")
    began, keys = time.monotonic(), person.keys
    person.play(lambda: END in terminal.screen())
    keep("end")
    print(f"first paint {paint_s:.2f} s, {to_game} keys to a game, dealt after {deal_s:.2f} s; "
          f"played in {time.monotonic() - began:.0f} s with {person.keys - keys} keys")  # fmt: skip
    leave(terminal, home)
    check_file(home)


def leave(terminal: Terminal, home: Path) -> None:
    """Quit, and find the terminal and the machine as they were.

    Raises:
        Failed: something is left over.
    """
    for _ in range(2):  # The table, then the lobby.
        terminal.press("q")
        terminal.settled()
    terminal.type("clear; stty -a | grep -cw icanon; echo code $?")
    terminal.wait(lambda screen: "code 0" in screen, QUIT_S_MAX, "the shell again")
    left = subprocess.run(["pgrep", "-af", str(home)], capture_output=True, text=True, check=False)
    lines = [line for line in left.stdout.splitlines() if "pgrep" not in line]
    if lines:
        raise Failed(f"processes left behind: {lines}")
    print("the shell is back, nothing runs any more")


def check_file(home: Path) -> None:
    """Audit what was kept.

    Raises:
        Failed: it is not a whole and honest game.
    """
    path = newest_game(home)
    report = audit(path)
    if report["exit"] or not report["finished"]:
        raise Failed(f"audit: {report}")
    print(f"audit exit 0: {report['entries']} entries, won by {report['winners']}")


def main() -> int:
    """Play; 0 when everything was as a person may expect."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=tuple(PEOPLE), default="carta")
    parser.add_argument("--size", default="80x24", metavar="COLUMNSxROWS")
    parser.add_argument("--games", type=int, default=1, metavar="N")
    parser.add_argument("--screens", type=Path, metavar="DIR", help="keep what was to be read")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the keys pressed")
    args = parser.parse_args()
    environment.prepare()
    columns, rows = map(int, args.size.split("x"))
    print(f"{columns} x {rows}, seed {args.seed}", flush=True)
    terminal = Terminal(columns, rows)

    def keep(name: str) -> None:
        if args.screens:
            args.screens.mkdir(parents=True, exist_ok=True)
            path = args.screens / f"{args.game}-{name}-{args.size}.txt"
            path.write_text(terminal.settled(), encoding="utf-8")

    try:
        with tempfile.TemporaryDirectory(prefix="hostless-person-") as home:
            for _ in range(args.games):
                luck = random.Random(args.seed)
                person = PEOPLE[args.game](terminal, luck, GAME_S_MAX[args.game])
                play_one(person, args.game, Path(home), keep)
                print(f"{len(person.mute)} keys that changed nothing on the screen")
                print(*person.mute[:1], sep="\n", flush=True)
    except Failed as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        terminal.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
