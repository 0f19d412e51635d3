"""A peer in a process of its own, for tests that kill it: plays at random.

    peer_process.py HOME open SEATS      prints the port when the table is open
    peer_process.py HOME join PORT
    peer_process.py HOME resume          the only game of this home

Whatever it does, it prints the number of entries in its log, one line each time it grows.
"""

from __future__ import annotations

import random
import sys
from functools import partial
from pathlib import Path

import trio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.requests import Action
from p2p.base.identity import Identity
from p2p.base.roster import DecisionPoint
from p2p.session.commands import Command, JoinTable, OpenTable, Resume
from p2p.session.news import Gathering, News, TableChanged
from p2p.session.players import Players
from p2p.table.node import NodeConfig, run_once

PAUSE_S = 0.005  # Between being asked and choosing, so that there is a time to be killed in.


def tell(news: News) -> None:
    """Print what a test waits for."""
    match news:
        case Gathering(table=table):
            print("port", table.port, flush=True)
        case TableChanged(fairness=fairness):
            print("entries", fairness.entries, flush=True)


async def decide(turn: DecisionPoint) -> Action:
    """Anything that is allowed, after a moment."""
    await trio.sleep(PAUSE_S)
    return random.choice(turn.game.legal_actions(turn.table, turn.seat, turn.observation))


def command(home: Path, words: list[str]) -> Command:
    """What the command line asks for."""
    match words:
        case ["open", seats]:
            return OpenTable("carta", int(seats), is_local=True)
        case ["join", port]:
            return JoinTable(f"127.0.0.1:{port}", is_local=True)
        case ["resume"]:
            (path,) = (home / "games").glob("*.hostless")
            return Resume(path)
    raise SystemExit(__doc__)


def main() -> None:
    """Carry out one command to its end."""
    home, words = Path(sys.argv[1]), sys.argv[2:]
    config = NodeConfig(home, Identity.load(home), home.name, Players(decide))
    trio.run(partial(run_once, command(home, words), tell, config))


if __name__ == "__main__":
    main()
