"""What a seed decides before a game begins: the table, its people, and what will go wrong when."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from core.table import OptionValue
from p2p.base.roster import ESCROW_PERSONS_MIN

FAULTS: Final = ("crash", "torn", "cut", "split", "stuck", "half", "slow", "look")
FAULTS_MAX: Final = 9
ESCROWED: Final = 12  # Entries after which the others can have a seat's key.
PONDERS_S: Final = 60.0  # At most; longer than somebody is away who comes back to a seat.
REGRETS_S: Final = 8.0  # Long enough for the others to answer.
OUTAGE_S: Final = 45.0  # Half of it, up to one and a half times; longer than a seat is waited for.
LOST_SHARE: Final = 0.2  # Of what is damaged.
MILD: Final = ("cut", "half", "slow", "stuck")  # What a link survives, or is made again after.
SEATS: Final = {
    "beads": (2, 3, 4), "carta": (2, 3, 4), "dominion": (2, 3), "renaissance": (2, 3),
    "civilization": (2, 3, 4),
}  # fmt: skip
HEIGHTS: Final = {
    "beads": 40,
    "carta": 500,
    "dominion": 900,
    "renaissance": 300,
    "civilization": 400,
}
"""About how many entries a game has; faults are spread over them."""
OPTIONS: Final[dict[str, dict[str, OptionValue]]] = {
    "beads": {}, "carta": {}, "dominion": {}, "renaissance": {}, "civilization": {"max_turns": 6},
}  # fmt: skip


class Fault(NamedTuple):
    """Something that goes wrong once the log has a height."""

    height: int
    kind: str
    machine: int
    other: int
    seconds: float
    amount: int  # Of steps or writes until the plug is pulled; of bytes per second for "slow".


@dataclass(frozen=True)
class Plan:
    """A table, and its faults."""

    game: str
    seats: int
    bots: frozenset[int]  # Seats with a mind of their own, and a key that is opened at the end.
    open_bots: int
    opens_hands: bool
    worst_s: float  # The longest that a small message takes.
    thinks_s: float  # The longest that somebody thinks.
    faults: tuple[Fault, ...]
    gone: int | None = None  # A seat whose machine is never switched on again.
    is_escrowed: bool = False  # The others have its key.
    apart: tuple[int, int] | None = None  # Two machines that never reach each other.
    plays_on: bool = True  # A bot plays on for a seat that has to go; else the table stops.
    returns: int | None = None  # A seat whose machine is off for so long that a bot plays for it.
    regrets: bool = False  # People take back what others have heard.
    repents: bool = False  # Whoever has left for good wants its seat back.
    tires: bool = False  # Seats are not waited for as long as all troubles take.
    companions: frozenset[int] = frozenset()  # Seats of bots that the first machine runs.
    is_announced: bool = False  # Seats are heard, also by who has lost where they are.

    @property
    def is_damaged(self) -> bool:
        """Whether a disk loses something of what it has kept."""
        return any(fault.kind == "damage" for fault in self.faults)


def make_plan(seed: int | str, game: str, *, has_faults: bool = True) -> Plan:
    """What this seed does to this game."""
    rng = random.Random(f"plan {game} {seed}")
    seats = rng.choice(SEATS[game])
    open_bots = int(seats > 2 and rng.random() < 0.2)
    people = seats - open_bots
    bots = frozenset(seat for seat in range(people) if rng.random() < 0.15)
    faults = make_faults(rng, game, people)
    return Plan(
        game, seats, bots, open_bots,
        opens_hands=rng.random() < 0.3,
        worst_s=rng.choice((0.001, 0.02, 0.2, 1.0)),
        thinks_s=rng.choice((0.0, 0.5, 5.0)),
        faults=tuple(faults) if has_faults else (),
    )  # fmt: skip


def make_lonely_plan(seed: int | str, game: str, *, is_escrowed: bool = True) -> Plan:
    """Three or four people, one of whom goes for good: a bot plays on, with its key or without."""
    rng = random.Random(f"lonely {game} {seed}")
    people = rng.choice((3, 4))
    faults = [fault for fault in make_faults(rng, game, people) if fault.kind in MILD]
    gone, height = rng.randrange(people), ESCROWED + int(HEIGHTS[game] * rng.random())
    faults.append(Fault(height, "crash", gone, gone, 0.0, int(2 ** rng.uniform(0, 9))))
    return Plan(
        game, people, frozenset(), 0,
        opens_hands=rng.random() < 0.3,
        worst_s=rng.choice((0.001, 0.02, 0.2)),
        thinks_s=rng.choice((0.0, 0.5)),
        faults=tuple(sorted(faults)),
        gone=gone,
        is_escrowed=is_escrowed,
        tires=True,
    )  # fmt: skip


def make_returning_plan(seed: int | str, game: str) -> Plan:
    """The same, but whoever is gone comes back, finds a bot in the seat, and gets it back.

    It goes early, and the others think for so long that there is something left to come back to.
    """
    plan = make_lonely_plan(seed, game)
    faults = [
        fault._replace(height=(ESCROWED + fault.height) // 2) if fault.kind == "crash" else fault
        for fault in plan.faults
    ]
    return replace(
        plan, gone=None, returns=plan.gone, thinks_s=PONDERS_S, faults=tuple(sorted(faults))
    )


def make_outage_plan(seed: int | str, game: str) -> Plan:
    """Three or four people whose switch is off for longer than anybody waits for a seat."""
    rng = random.Random(f"outage {game} {seed}")
    plan = make_lonely_plan(seed, game, is_escrowed=rng.random() < 0.5)
    faults = [
        fault._replace(kind="outage", seconds=OUTAGE_S * (0.5 + rng.random()))
        if fault.kind == "crash"
        else fault
        for fault in plan.faults
    ]
    return replace(plan, gone=None, faults=tuple(faults))


def make_last_moment_plan(seed: int | str, game: str) -> Plan:
    """Three or four people, some of whom are back in the moment in which the others give them up.

    A silent link is found dead after some 12 s, and then the others wait for the time of grace.
    """
    rng = random.Random(f"brink {game} {seed}")  # As ever: a seed gives the same game.
    people = rng.choice((3, 4))
    faults = [
        Fault(ESCROWED + int(HEIGHTS[game] * rng.random()), rng.choice(("stuck", "half")),
              *rng.sample(range(people), 2), seconds=rng.uniform(31.0, 34.0), amount=0)
        for _ in range(rng.randint(1, 4))
    ]  # fmt: skip
    return Plan(
        game, people, frozenset(), 0,
        opens_hands=False,
        worst_s=rng.choice((0.2, 1.0, 1.0)),
        thinks_s=rng.choice((0.0, 0.5)),
        faults=tuple(sorted(faults)),
        is_escrowed=rng.random() < 0.5,
        tires=True,
    )  # fmt: skip


def make_mixed_plan(seed: int | str, game: str) -> Plan:
    """Three or four people, and all troubles at one table, while seats are not waited for long."""
    rng = random.Random(f"mixed {game} {seed}")
    people, repents = rng.choice((3, 4)), rng.random() < 0.3
    faults = make_faults(rng, game, people)
    for kind in rng.choices(("outage", "stuck", "half", "leave"), k=rng.randint(1, 4)):
        height = rng.randrange(ESCROWED, HEIGHTS[game])
        away_s = rng.uniform(31.0, 34.0) if rng.random() < 0.5 else OUTAGE_S * rng.random()
        faults.append(Fault(height, kind, *rng.sample(range(people), 2), away_s, 0))
    return Plan(
        game, people, frozenset(), 0,
        opens_hands=rng.random() < 0.3,
        worst_s=rng.choice((0.001, 0.02, 0.2, 1.0)),
        thinks_s=PONDERS_S if repents else rng.choice((0.0, 0.5, 5.0)),
        faults=tuple(sorted(faults)),
        is_escrowed=rng.random() < 0.5,
        regrets=rng.random() < 0.3,
        repents=repents,
        tires=True,
    )  # fmt: skip


def make_open_plan(seed: int | str, game: str) -> Plan:
    """The same among three people, with a bot that all work out together."""
    plan = make_mixed_plan(f"open {seed}", game)
    people = range(min(plan.seats, 3))
    faults = (each for each in plan.faults if each.machine in people and each.other in people)
    return replace(plan, seats=len(people) + 1, open_bots=1, faults=tuple(faults))


def make_damaged_plan(seed: int | str, game: str) -> Plan:
    """The same, and disks that lose a part of what they have kept, or change a bit of it."""
    plan = make_mixed_plan(seed, game)
    rng, losing = (random.Random(f"{what} {game} {seed}") for what in ("damaged", "losing"))
    faults = [*plan.faults]
    for _ in range(rng.randint(1, 3)):
        height = rng.randrange(ESCROWED, HEIGHTS[game])
        loses = losing.random() < LOST_SHARE  # The secrets file as a whole.
        faults.append(Fault(height, "damage", rng.randrange(plan.seats), 0, 0.0, int(loses)))
    return replace(plan, faults=tuple(sorted(faults)), is_announced=True)


def make_companions_plan(seed: int | str, game: str) -> Plan:
    """All troubles at the table of two or three people, whose opener has brought one bot or two.

    They run on the opener's machine, so what happens to it happens to them.
    """
    plan = make_mixed_plan(seed, game)
    rng = random.Random(f"companions {game} {seed}")
    bots = frozenset(rng.sample(range(1, plan.seats), rng.randint(1, plan.seats - 2)))
    faults = (each for each in plan.faults if each.kind != "leave" or each.machine not in bots)
    is_escrowed = plan.is_escrowed and plan.seats - len(bots) >= ESCROW_PERSONS_MIN
    return replace(plan, companions=bots, is_escrowed=is_escrowed, faults=tuple(faults))


def make_regretful_plan(seed: int | str, game: str) -> Plan:
    """People with time to think, who ask the table again and again to take something back."""
    plan = make_plan(f"regret {seed}", game)
    return replace(plan, bots=plan.bots - {0, 1}, thinks_s=REGRETS_S, regrets=True)


def make_leaving_plan(seed: int | str, game: str) -> Plan:
    """Two to four people, some of whom leave for good: a bot plays on for them.

    Of every three tables there is one at which they want to come back, and the others think so
    long that they can.
    """
    rng = random.Random(f"leaving {game} {seed}")
    people, tires = rng.choice((2, 2, 3, 4)), rng.random() < 0.5
    repents = rng.random() < 1 / 3
    faults = [fault for fault in make_faults(rng, game, people) if fault.kind in MILD or not tires]
    for leaver in rng.sample(range(people), rng.randint(1, people - 1)):
        height = rng.randrange(ESCROWED, HEIGHTS[game])
        faults.append(Fault(height, "leave", leaver, leaver, 0.0, 0))
    return Plan(
        game, people, frozenset(), 0,
        opens_hands=rng.random() < 0.3,
        worst_s=rng.choice((0.001, 0.02, 0.2, 1.0)),
        thinks_s=PONDERS_S if repents else rng.choice((0.0, 0.5)),
        faults=tuple(sorted(faults)),
        is_escrowed=people > 2 and rng.random() < 0.5,
        tires=tires,
        repents=repents,
    )  # fmt: skip


def make_apart_plan(seed: int | str, game: str) -> Plan:
    """Three or four people, two of whom never reach each other; a third reaches both."""
    rng = random.Random(f"apart {game} {seed}")
    people = rng.choice((3, 4))
    one, other = rng.sample(range(1, people), 2)
    faults = [fault for fault in make_faults(rng, game, people) if fault.kind != "half"]
    return Plan(
        game, people, frozenset(), 0,
        opens_hands=rng.random() < 0.3,
        worst_s=rng.choice((0.001, 0.02, 0.2)),
        thinks_s=rng.choice((0.0, 0.5)),
        faults=tuple(faults),
        apart=(one, other),
    )  # fmt: skip


def make_faults(rng: random.Random, game: str, people: int) -> list[Fault]:
    """What goes wrong in a game, in the order of heights."""
    return sorted(_fault(rng, game, people) for _ in range(rng.randint(0, FAULTS_MAX)))


def _fault(rng: random.Random, game: str, people: int) -> Fault:
    machine, other = rng.sample(range(people), 2)
    return Fault(
        int(HEIGHTS[game] * rng.random() ** 1.5),
        rng.choice(FAULTS),
        machine,
        other,
        seconds=rng.choice((0.05, 1.0, 5.0, 30.0)) * (0.5 + rng.random()),
        amount=int(2 ** rng.uniform(0, 9)),
    )
