"""A whole game of two in a browser: two tabs of chromium at one `serve`, each a seat.

    lab.py browser                      Carta
    lab.py browser --game renaissance --pictures DIR

Keys are pressed in the pages, and what they show is read from what the server sends them.  In the
end both files have to be alike, and `audit` has to accept them.
"""

from __future__ import annotations

import argparse
import random
import secrets
import tempfile
import time
from pathlib import Path
from typing import Final

from scripts.lab.lan import Failed, audit
from tests.ui.browsing import CHROMIUM, LOBBY, ChromiumTab, Desk, chromium, open_for_two, serving
from tests.ui.playing import END, PLAYERS

GAME_S_MAX: Final = 7200.0
NAMES: Final = ("ada", "ada (2)")  # The second tab of a server is a second person.


def play(desk: Desk, tabs: list[ChromiumTab], game: str, seed: str) -> str:
    """From the lobby to the page of the result in both tabs; what it took."""
    for tab in tabs:
        tab.wait_for(LOBBY)
    open_for_two(tabs[0], game)
    tabs[1].wait_for("table of ada")
    tabs[1].press("down", "up", "enter")  # Who has moved the bar means what is under it.
    players = [PLAYERS[game](tab, random.Random(f"{seed} {tab.name}")) for tab in tabs]
    began = time.monotonic()

    def is_over() -> bool:
        for player in players:
            player.step()
        return all(END in tab.text() for tab in tabs)

    desk.read_until(is_over, lambda: "\n".join(tab.text() for tab in tabs), GAME_S_MAX)
    keys = " and ".join(str(player.keys) for player in players)
    return f"played to the end in {time.monotonic() - began:.0f} s with {keys} keys"


def check_files(home: Path) -> str:
    """What the two files are, when they are one whole and honest game.

    Raises:
        Failed: they are not.
    """
    paths = sorted(home.rglob("*.hostless"))
    reports = [audit(path) for path in paths]
    if len(paths) != len(NAMES) or any(each["exit"] or not each["finished"] for each in reports):
        raise Failed(f"audits of {len(paths)} files: {reports}")
    if len({report["entries"] for report in reports}) != 1:
        raise Failed("the files have different lengths")
    return f"{len(paths)} files, audits 0, {reports[0]['entries']} entries"


def main(arguments: list[str]) -> int:
    """Play; 0 when the game came to its end and both files hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=tuple(PLAYERS), default="carta")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="keep pictures of the end")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of the keys pressed")
    args = parser.parse_args(arguments)
    if CHROMIUM is None:
        print("There is no chromium here.")
        return 1
    print(f"seed {args.seed}", flush=True)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="hostless-browser-") as folder,
            serving(Path(folder) / "ada", "--as", "ada", "--lang", "en") as (desk, _),
            chromium(Path(folder) / "chromium") as port,
        ):
            tabs = [desk.open_chromium(name, port) for name in NAMES]
            print(play(desk, tabs, args.game, args.seed), flush=True)
            for tab in tabs if args.pictures else ():
                args.pictures.mkdir(parents=True, exist_ok=True)
                tab.take_picture(args.pictures / f"{args.game}-{tab.name}.png")
            print(check_files(Path(folder) / "ada"))
    except (Failed, AssertionError) as failure:
        print(f"FAILED: {failure}")
        return 1
    return 0
