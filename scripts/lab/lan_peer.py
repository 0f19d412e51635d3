#!/usr/bin/env python3
"""A person without a screen at a table of `lan_dropout.py`, who says in lines of JSON what goes on.

    lan_peer.py HOME open [--seats 4] [--no-escrow] [--game G] [--iterations N] [--left ...]
    lan_peer.py HOME join HOST:PORT
    lan_peer.py HOME resume [--left claim | alone]

It chooses at random after a moment.  `--left` says what it does when nobody else answers; without
it, it waits.  With 0 iterations the bot that plays on thinks as long as a steady one does.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import trio

from ai.seats.open_bot import decide_openly, measure_here, start_worker
from ai.seats.program import PROGRAM
from core.requests import Action
from p2p.base.identity import Identity
from p2p.base.roster import DecisionPoint
from p2p.session.commands import ClaimWin, Command, JoinTable, OpenTable, Resume
from p2p.session.news import Accused, Gathering, News, Notice, TableChanged
from p2p.session.players import Chooser, Players
from p2p.session.session import Session
from p2p.table.node import Node, NodeConfig

GRACE_S: Final = 5
ITERATIONS: Final = 50  # Of the bot that plays on.
PAUSE_S: Final = 0.05  # A person's, before every choice.
BEAT_S: Final = 0.05  # How often it looks whether it still answers,
STALL_S: Final = 0.25  # and how late that may be before it is worth a line.
LEFT: Final[dict[str, Command]] = {"claim": ClaimWin()}


def say(**what: object) -> None:
    """A line for whoever started this."""
    print(json.dumps({"t": time.monotonic(), **what}), flush=True)


class Telling(Session):
    """Says where its log is, and whose keys it knows."""

    async def _progress(self) -> None:
        await super()._progress()
        replica = self.replica
        kinds = [entry.kind for entry in replica.log[getattr(self, "_told", 0) :]]
        self._told = len(replica.log)
        played = [each for each in replica.log if each.kind in ("choose", "seal")]
        dealing, step = replica.play.dealing, replica.step
        say(
            height=len(replica.log), kinds=kinds,
            doing=step.kind if step else "", due=replica.me in replica.waited_for(),
            keys=sorted(dealing.secrets) if dealing else [],
            played=sum(each.seat_epoch % 3 == 1 for each in played),
            mine=replica.is_seated, links=len(self.links),
        )  # fmt: skip


async def decide(turn: DecisionPoint) -> Action:
    """Anything that is allowed, after a moment."""
    return random.choice(await allowed(turn))


async def decide_calmly(turn: DecisionPoint) -> Action:
    """To end it wherever one may, so that a game lasts long."""
    actions = await allowed(turn)
    return next((each for each in actions if each.verb in ("end", "stop")), random.choice(actions))


async def allowed(turn: DecisionPoint) -> list[Action]:
    """What may be chosen, after a moment."""
    say(asked=turn.event_count)
    await trio.sleep(PAUSE_S)
    return list(turn.game.legal_actions(turn.table, turn.seat, turn.observation))


async def beat() -> None:
    """Say how long this program answered nothing, wherever that is long."""
    while True:
        began = trio.current_time()
        await trio.sleep(BEAT_S)
        late_s = trio.current_time() - began - BEAT_S
        if late_s > STALL_S:
            say(stalled=late_s)


async def live(home: Path, player: Chooser, command: Command, left: Command | None) -> None:
    """Carry out a command to its end, and what is to be done when nobody else answers."""
    is_left = trio.Event()

    def tell(news: News) -> None:
        match news:
            case Gathering():
                say(port=news.table.port, seats=news.table.taken)
            case Notice():
                say(notice=news.text)
            case Accused():
                say(accused=news.name)
            case TableChanged() if news.silence is not None:
                is_left.set()

    config = NodeConfig(
        home, Identity.load(home), home.name, Players(player, decide_openly, start_worker),
        make_session=Telling, measure=measure_here, program=PROGRAM,
    )  # fmt: skip
    node = Node(tell, config)
    async with trio.open_nursery() as nursery:
        node.serve_in(nursery)
        nursery.start_soon(beat)
        await node.obey(command)
        if left is not None:
            nursery.start_soon(obey_later, node, left, is_left)
        await node.idle()
        nursery.cancel_scope.cancel()
    say(ended=True)


async def obey_later(node: Node, command: Command, when: trio.Event) -> None:
    """Do as the person says who is left."""
    await when.wait()
    await node.obey(command)


def main() -> None:
    """Sit down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("what", choices=["open", "join", "resume"])
    parser.add_argument("target", nargs="?", default="")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--no-escrow", action="store_true")
    parser.add_argument("--game", default="carta")
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--grace", type=int, default=GRACE_S)
    parser.add_argument("--at", action="append", default=[])
    parser.add_argument("--calm", action="store_true", help="end each turn as soon as possible")
    parser.add_argument("--left", choices=list(LEFT))
    args = parser.parse_args()
    say(here=True)
    command: Command = JoinTable(args.target)
    if args.what == "open":
        command = OpenTable(
            args.game, args.seats,
            is_escrowed=not args.no_escrow, grace_s=GRACE_S, iterations=args.iterations,
        )  # fmt: skip
    elif args.what == "resume":
        (path,) = (args.home / "games").glob("*.hostless")
        command = Resume(path, tuple(args.at))
    player = decide_calmly if args.calm else decide
    trio.run(live, args.home, player, command, LEFT.get(args.left))


if __name__ == "__main__":
    main()
