#!/usr/bin/env python3
"""One of the four peers of `figures.py`: plays at random and notes when it saw what.

    peer.py HOME [HOST:PORT] [--steps]   without an address it opens the table and says where

The clock is the machine's monotonic one, which all processes on it share.  With --steps it notes
how long single steps of its loop take, which makes a press a tenth slower.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from functools import partial
from pathlib import Path
from typing import Final

import trio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.requests import Action
from p2p.base.identity import Identity
from p2p.base.roster import DecisionPoint
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import Accused, Gathering, News, Notice, TableChanged
from p2p.session.players import Players
from p2p.table.node import NodeConfig, run_once

SEATS: Final = 4
KEPT: Final = 100  # The longest steps, for the report.
NAMES: Final = ("Ada", "Grace", "Mary", "Rosa")


class Watch:
    """What this peer saw, and when: lists of [engine events so far, seconds]."""

    LISTS = ("begun", "dealt", "shown", "pressed", "drawn", "busy")

    def __init__(self, *, has_address: bool) -> None:
        self.begun: list[list[float]] = []
        self.dealt: list[list[float]] = []
        self.shown: list[list[float]] = []
        self.pressed: list[list[float]] = []
        self.drawn: list[list[float]] = []
        self.busy: list[list[float]] = []  # Of the processor, at the first choice and at the end.
        self.says_address = not has_address

    def see(self, news: News) -> None:
        """Note one piece of news."""
        now = time.monotonic()
        match news:
            case Gathering(table=table) if self.says_address and table is not None:
                print(json.dumps({"address": f"127.0.0.1:{table.port}"}), flush=True)
                self.says_address = False
            case TableChanged():
                self._see_table(news, now)
            case Accused() | Notice():
                raise SystemExit(f"the bench went wrong: {news}")

    def _see_table(self, news: TableChanged, now: float) -> None:
        self.begun = self.begun or [[now]]
        if news.view.to_act:
            self.dealt = self.dealt or [[now]]
            self.busy = self.busy or [[time.process_time()]]
            if not self.shown or self.shown[-1][0] != news.event_count:
                self.shown.append([news.event_count, now])
        if news.is_finished:
            lines = [line for line in news.lines if line.kind == "drawn"]
            self.drawn = [[line.entry + 1, line.number] for line in lines]
            self.busy = [*self.busy[:1], [time.process_time()]]

    async def decide(self, turn: DecisionPoint) -> Action:
        """Play at random, at once."""
        actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        self.pressed.append([turn.event_count, time.monotonic()])
        return actions[(7919 * turn.event_count + turn.seat) % len(actions)]


class Steps(trio.abc.Instrument):
    """How long single steps of the event loop keep the processor, in seconds of its time."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self._began = 0.0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        """A task goes on."""
        self._began = time.thread_time()

    def after_task_step(self, task: trio.lowlevel.Task) -> None:
        """It waits again."""
        self.took.append(time.thread_time() - self._began)


def main() -> None:
    """Play one game and print what was seen as one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("address", nargs="?", default="")
    parser.add_argument("--steps", action="store_true")
    asked = parser.parse_args()
    home, address = asked.home, asked.address
    watch = Watch(has_address=bool(address))
    config = NodeConfig(home, Identity.load(home), NAMES[int(home.name)], Players(watch.decide))
    command = JoinTable(address) if address else OpenTable("carta", SEATS, is_local=True)
    steps = Steps()
    instruments = [steps] if asked.steps else []
    trio.run(partial(run_once, command, watch.see, config), instruments=instruments)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    report = {name: getattr(watch, name) for name in watch.LISTS}
    print(json.dumps(report | {"memory": [[memory]], "steps": [sorted(steps.took)[-KEPT:]]}))


if __name__ == "__main__":
    main()
