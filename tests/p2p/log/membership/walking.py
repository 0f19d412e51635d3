"""Random walks through a world far beyond what can be explored: the properties at every step."""

import random
import time
from typing import NamedTuple

from tests.p2p.log.membership.bounds import Wrong
from tests.p2p.log.membership.healing import Healing


class Walks(NamedTuple):
    """What some walks have seen."""

    walks: int
    steps: int
    seconds: float
    waiting: int
    ended: int
    wrong: str = ""
    trace: tuple = ()

    def __str__(self):
        text = (
            f"{self.walks} walks, {self.steps} steps, {self.seconds:.1f} s; at their ends "
            f"{self.waiting} wait for the last partner, {self.ended} end with the evidence"
        )
        steps = "".join(f"\n    {step}" for step in self.trace)
        return f"{text}\n  {self.wrong}, after {len(self.trace)} steps:{steps}" if steps else text


def walk(world, seed, length, *, seconds=60.0, walks=1 << 30):
    """Walk until the time is over, or something is wrong."""
    rng, healing = random.Random(seed), Healing(world)
    began, steps, ends = time.perf_counter(), 0, []
    count = 0
    while count < walks and time.perf_counter() - began < seconds:
        count += 1
        trace, wrong = _one(world, healing, rng, (length, ends))
        steps += len(trace)
        if wrong:
            return _result(count, steps, began, ends)._replace(wrong=wrong, trace=tuple(trace))
        if len(world.members) > 200_000:
            world = type(world)(world.bounds, world.broken)  # It remembers all it has seen.
            healing = Healing(world)
    return _result(count, steps, began, ends)


def _result(count, steps, began, ends):
    seconds = time.perf_counter() - began
    return Walks(count, steps, seconds, ends.count("waits"), ends.count("ended"))


def _one(world, healing, rng, plan):
    length, ends = plan
    state, trace = world.first(), []
    try:
        for _ in range(length):
            step = world.draw(state, rng)
            if step is not None:
                name, state = step
                trace.append(name)
                if wrong := world.wrong(state):
                    return trace, wrong
        for gone in healing.cases():
            ends.append(healing.heal(state, gone))
            if ends[-1] == "stuck":
                return trace, f"the table is stuck without {sorted(gone)}"
    except (Wrong, AssertionError) as wrong:
        return [*trace, "and with the next step that"], str(wrong)
    return trace, ""
