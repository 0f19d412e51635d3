"""A person's whole game in a terminal, by keyboard or by mouse alone, against two bots.

    lab.py person                       one game at 80 x 24
    lab.py person --size 120x32 --games 2 --screens DIR
    lab.py person --game dominion       played by buying
    lab.py person --game renaissance
    lab.py person --mouse                nothing is typed but the command

The program is started without arguments, from a shell.  This script reads the screen, as a person
does, and presses nothing but keys that the screen offers, or clicks where they stand.  Then it
looks at what is left behind: the terminal, the processes, and the game file, which `audit` has to
accept.
"""

from __future__ import annotations

import argparse
import secrets
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from scripts.lab.lan import PROGRAM, Failed, audit, newest_game
from tests.ui.mouse import Mouse, player_of
from tests.ui.people import PROMPT, Person, Room, Size, own_network
from tests.ui.playing import MY_TURN, Player, Screen, play_to_the_end, players_of

GAME_S_MAX: Final = {
    "carta": 600.0, "dominion": 2400.0, "renaissance": 900.0, "civilization": 7200.0,
}  # fmt: skip
# The line of the lobby that leads to a table with two bots.
LINES: Final = {
    "carta": "Play Carta", "dominion": "Play Dominion", "renaissance": "Play Die Wiege",
    "civilization": "Play Civilization",
}  # fmt: skip
DEALT: Final = {
    "carta": "deck ", "dominion": "ACTIONS", "renaissance": "scoring", "civilization": "HOW NEAR",
}  # fmt: skip


def play_one(
    room: Room, person: Person, player: Player, game: str, keep: Callable[[str], None]
) -> None:
    """From the shell to the end of a game and back to the shell.

    Raises:
        Failed: something was not as a person may expect.
    """
    home = room.home(person.name)
    began = time.monotonic()
    person.type(f"clear; {' '.join(PROGRAM)} --home {home} --as {person.name}")
    screen = person.wait_for(LINES[game])
    paint_s = time.monotonic() - began
    keep("lobby")
    keys = sit_down(player.person, screen, game)
    began = time.monotonic()
    person.wait_until(lambda screen: MY_TURN in screen or "●" in screen, "a table")
    person.wait_for(DEALT[game])
    deal_s = time.monotonic() - began
    keep("table")
    began, pressed = time.monotonic(), player.keys
    play_to_the_end(room, [player], GAME_S_MAX[game])
    keep("end")
    print(f"first paint {paint_s:.2f} s, {keys} keys to a game, dealt after "
          f"{deal_s:.2f} s; played in {time.monotonic() - began:.0f} s with "
          f"{player.keys - pressed} keys")  # fmt: skip
    leave(person, player.person, home)
    check_file(home)


def sit_down(hand: Screen, screen: str, game: str) -> int:
    """Choose a game in the lobby; gives how many keys, or clicks, that took."""
    if isinstance(hand, Mouse):
        hand.click_line(LINES[game])
        return 1
    keys = keys_to_a_table(screen, game)
    hand.press(*keys)
    return len(keys)


def keys_to_a_table(screen: str, game: str) -> list[str]:
    """What to press in the lobby: the key on the line of the game, or the way down to it."""
    lines = [line for line in screen.splitlines() if "Your first game?" in line or "Play " in line]
    at = next(number for number, line in enumerate(lines) if LINES[game] in line)
    before = lines[at].split(LINES[game])[0].split()  # A picture, where there is room, and a key.
    key = before[-1] if before and len(before[-1]) == 1 and before[-1].isalpha() else ""
    return [key] if key else [*(["down"] * at), "enter"]


def leave(person: Person, hand: Screen, home: Path) -> None:
    """Quit, and find the terminal and the machine as they were.

    Raises:
        Failed: something is left over.
    """
    began = time.monotonic()
    hand.press("q")
    person.wait_for(LINES["carta"])  # In the lobby,
    lobby_s = time.monotonic() - began
    person.settled()  # where the line of keys changes with what is found.
    hand.press("q")
    person.wait_for(PROMPT)  # What is typed before is thrown away.
    person.type("clear; stty -a | grep -cw icanon; echo code $?")
    person.wait_for("code 0")
    left = subprocess.run(["pgrep", "-af", str(home)], capture_output=True, text=True, check=False)
    lines = [line for line in left.stdout.splitlines() if "pgrep" not in line]
    if lines:
        raise Failed(f"processes left behind: {lines}")
    print(f"in the lobby after {lobby_s:.2f} s; the shell is back, nothing runs any more")


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


def main(arguments: list[str]) -> int:
    """Play; 0 when everything was as a person may expect."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=tuple(GAME_S_MAX), default="carta")
    parser.add_argument("--size", default="80x24", metavar="COLUMNSxROWS")
    parser.add_argument("--games", type=int, default=1, metavar="N")
    parser.add_argument("--mouse", action="store_true", help="click, and type nothing")
    parser.add_argument("--screens", type=Path, metavar="DIR", help="keep what was to be read")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the keys pressed")
    args = parser.parse_args(arguments)
    columns, rows = map(int, args.size.split("x"))
    print(f"{columns} x {rows}, seed {args.seed}", flush=True)
    try:
        with tempfile.TemporaryDirectory(prefix="hostless-person-") as folder, own_network() as way:
            room = Room(Path(folder), way)
            try:
                play_games(room, args)
            finally:
                room.close()
    except (Failed, AssertionError) as failure:
        print(f"FAILED: {failure}")
        return 1
    return 0


def play_games(room: Room, args: argparse.Namespace) -> None:
    """As many as were asked for, in one shell.

    Raises:
        Failed: something was not as a person may expect.
    """
    person = room.open_shell("Ada", size=Size(*map(int, args.size.split("x"))))

    def keep(name: str) -> None:
        if args.screens:
            args.screens.mkdir(parents=True, exist_ok=True)
            path = args.screens / f"{args.game}-{name}-{args.size}.txt"
            path.write_text(person.settled(), encoding="utf-8")

    for _ in range(args.games):
        (player,) = ([player_of(args.game, Mouse(person), args.seed)] if args.mouse
                     else players_of(args.game, [person], args.seed))  # fmt: skip
        play_one(room, person, player, args.game, keep)
        keys = ", ".join(each.partition(" at:")[0] for each in player.mute)
        print(f"{len(player.mute)} keys that changed nothing on the screen: {keys or '-'}")
        print(*player.mute[:1], sep="\n", flush=True)
    person.check()
