"""Breadth first through a world: every state once, and a shortest trace of what is wrong."""

import time
from itertools import pairwise
from typing import NamedTuple

from tests.p2p.log.membership.bounds import Wrong
from tests.p2p.log.membership.healing import Healing
from tests.p2p.log.membership.packing import LOW_BITS, Packing

SPREAD = 0x9E3779B97F4A7C15  # Odd, so that states that are healed are spread over all of them.


class Limits(NamedTuple):
    """When an exploration gives up."""

    states: int = 1_000_000
    seconds: float = 600.0  # Of the processor, so that a busy machine changes no result.
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
    return Search(world, limits or Limits()).run()


class Search:
    """An exploration under way; `parent` has every state that was found."""

    def __init__(self, world, limits):
        self.world, self.limits = world, limits
        self.packing, self.healing = Packing(world), Healing(world)
        self.first = self.packing.first()
        self.parent = {self.first: self.first}
        self.edges = self.depth = self.healed = self.waiting = self.ended = 0

    def run(self):
        """Go on until all is seen, something is wrong, or it is too much."""
        began = time.process_time()
        level, found, is_complete = [self.first], None, True
        while level and found is None and is_complete:
            found, level, is_complete = self._level(level, began + self.limits.seconds)
            self.depth += 1
        seconds = time.process_time() - began
        wrong, trace = (found[0], self._trace(*found[1:])) if found else ("", ())
        return Result(
            len(self.parent), self.edges, self.depth - 1, seconds, is_complete and not wrong,
            self.healed, self.waiting, self.ended, wrong, trace,
        )  # fmt: skip

    def _level(self, level, end):
        """What is wrong in one depth, and the next one; a level that is too much is cut off."""
        after = []
        for count, packed in enumerate(level):
            is_over = count % 256 == 0 and time.process_time() > end
            if is_over or len(self.parent) > self.limits.states:
                return None, after, False
            wrong = self.packing.wrong(packed) or self._try_heal(packed)
            if wrong:
                return (wrong, packed, False), after, True
            try:
                self._expand(packed, after)
            except (Wrong, AssertionError) as error:
                return (str(error), packed, True), after, True
        return None, after, True

    def _expand(self, packed, after):
        parent, one_of = self.parent, self.packing.one_of
        has_swaps = bool(self.packing.swaps)
        for new in self.packing.after(packed):
            self.edges += 1
            if has_swaps:
                new = one_of(new)
            if new not in parent:
                parent[new] = packed
                after.append(new)

    def _trace(self, packed, is_in_step):
        """The names of the steps, from the beginning."""
        path = [packed]
        while path[-1] != self.first:
            path.append(self.parent[path[-1]])
        path.reverse()
        state, trace = self.world.first(), []
        for at, wanted in pairwise(path):
            name, state = self._step(state, wanted) or self._step(self.packing.unpack(at), wanted)
            trace.append(name)
        return (*trace, "and with the next step that") if is_in_step else tuple(trace)

    def _step(self, state, wanted):
        """The step to a state like this one; none where another seat's no was kept (votes)."""
        for name, new in self.world.steps(state):
            if self.packing.one_of(self.packing.pack(new)) == wanted:
                return name, new
        return None

    def _try_heal(self, packed):
        heal = self.limits.heal
        if not heal or (packed * SPREAD >> LOW_BITS) % heal:
            return ""
        try:
            return self._heal(self.packing.unpack(packed))
        except AssertionError as wrong:
            return str(wrong)

    def _heal(self, state):
        for gone in self.healing.cases():
            self.healed += 1
            became = self.healing.heal(state, gone)
            self.waiting += became == "waits"
            self.ended += became == "ended"
            if became == "stuck":
                who = f"{min(gone)} is silent for good" if gone else "all are there"
                return f"the table is stuck when {who}"
        return ""
