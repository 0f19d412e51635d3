"""Breadth first through a world: every state once, and a shortest trace of what is wrong."""

import time
from collections import deque
from typing import NamedTuple

from tests.p2p.log.membership.healing import Healing
from tests.p2p.log.membership.world import Wrong


class Limits(NamedTuple):
    """When an exploration gives up."""

    states: int = 1_000_000
    seconds: float = 600.0
    heal: int = 1  # Every so many states are healed; 0: none.


class Result(NamedTuple):
    """What was found."""

    states: int
    transitions: int
    depth: int
    seconds: float
    is_complete: bool
    healed: int
    waiting: int  # Two members are left, and one of them is silent.
    ended: int  # Two logs are in force that part, and a cheater is named.
    wrong: str = ""
    trace: tuple = ()

    def __str__(self):
        whole = "complete" if self.is_complete else "cut off"
        text = (
            f"{self.states} states, {self.transitions} transitions, depth {self.depth}, "
            f"{self.seconds:.1f} s, {whole}; {self.healed} healed, {self.waiting} wait for the "
            f"last partner, {self.ended} end with the evidence"
        )
        steps = "".join(f"\n    {step}" for step in self.trace)
        return (
            f"{text}\n  {self.wrong}, after {len(self.trace)} steps:{steps}" if self.wrong else text
        )


def explore(world, limits=None):
    """Every state of a world, as far as the limits allow."""
    return _Search(world, limits or Limits()).run()


class _Search:
    def __init__(self, world, limits):
        self.world, self.limits = world, limits
        self.healing = Healing(world)
        self.first = world.first()
        self.parent = {self.first: None}
        self.edges = self.depth = self.healed = self.waiting = self.ended = 0

    def run(self):
        began = time.perf_counter()
        queue, wrong, trace, is_complete = deque([(self.first, 0)]), "", (), True
        while queue and not wrong:
            if len(self.parent) > self.limits.states or (
                time.perf_counter() - began > self.limits.seconds
            ):
                is_complete = False
                break
            state, depth = queue.popleft()
            self.depth = depth
            wrong = self.world.wrong(state) or self._try_heal(state)
            trace = self._trace(state) if wrong else ()
            if not wrong:
                wrong, last = self._expand(state, depth, queue)
                trace = (*self._trace(state), last) if wrong else ()
        seconds = time.perf_counter() - began
        return Result(
            len(self.parent), self.edges, self.depth, seconds, is_complete and not wrong,
            self.healed, self.waiting, self.ended, wrong, trace,
        )  # fmt: skip

    def _expand(self, state, depth, queue):
        steps = self.world.steps(state)
        while True:
            try:
                name, new = next(steps)
            except StopIteration:
                return "", ""
            except (Wrong, AssertionError) as wrong:
                return str(wrong), "and with the next step that"
            self.edges += 1
            if new not in self.parent:
                self.parent[new] = (state, name)
                queue.append((new, depth + 1))

    def _trace(self, state):
        names = []
        while self.parent[state] is not None:
            state, name = self.parent[state]
            names.append(name)
        return tuple(reversed(names))

    def _try_heal(self, state):
        try:
            return self._heal(state)
        except AssertionError as wrong:
            return str(wrong)

    def _heal(self, state):
        if not self.limits.heal or hash(state) % self.limits.heal:
            return ""
        for gone in self.healing.cases():
            self.healed += 1
            became = self.healing.heal(state, gone)
            self.waiting += became == "waits"
            self.ended += became == "ended"
            if became == "stuck":
                who = f"{min(gone)} is silent for good" if gone else "all are there"
                return f"the table is stuck when {who}"
        return ""
