"""A game with one cheater, and whether it came to the end that its kind deserves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from p2p.audit.audit import audit_file
from p2p.base.errors import PeerError
from p2p.session.session import Session
from tests.simulation.cheaters import CHEATERS, Kind, Outcome
from tests.simulation.machine import Machine
from tests.simulation.plan import MILD, Fault, Plan, make_faults, make_mixed_plan
from tests.simulation.stage import simulate
from tests.simulation.verdict import broken_files, is_keyless, judge_honest, log_of
from tests.simulation.world import World

OPENER: Final = 0
LOST: Final = 3  # The seat that is lost where cheaters need that,
DEALT: Final = 24  # and after how many entries: beads are dealt by then.
MILD_SHARE: Final = 0.7  # Of the tables that a seed chooses; the others have no faults.


@dataclass(frozen=True)
class Tried:
    """How a cheater fared."""

    did: bool  # Whether it came to do its one thing.
    failures: list[str]
    height: int
    is_finished: bool = False  # The game came to its end without it.
    kinds: frozenset[str] = frozenset()  # Of entries in the logs of the others.


class Chosen(NamedTuple):
    """A cheater, its seat, its moment, and its table."""

    kind: Kind
    seat: int
    nth: int
    plan: Plan


def choose(seed: int) -> Chosen:
    """What a seed chooses."""
    rng = random.Random(f"cheater {seed}")
    kind = CHEATERS[rng.choice(sorted(CHEATERS))]
    seat, nth = rng.choice(kind.seats), rng.randrange(kind.chances)
    is_mild = rng.random() < MILD_SHARE
    plan = mild_faults(kind, seat, seed) if is_mild else table_for(kind, seat)
    return Chosen(kind, seat, nth, plan)


def choose_amid_troubles(
    seed: int, make: Callable[[int, str], Plan] = make_mixed_plan, *, do_leave: bool = False
) -> Chosen:
    """What a seed chooses for a table at which all else goes wrong as well.

    The cheater never leaves for good; the others may, if they `do_leave`.
    """
    rng = random.Random(f"amid {seed}")
    kind = CHEATERS[rng.choice(sorted(name for name in CHEATERS if CHEATERS[name].game == "beads"))]
    seat, nth = rng.choice(kind.seats), rng.randrange(kind.chances)
    table, mixed = table_for(kind, seat), make(seed, kind.game)
    faults = [
        fault for fault in mixed.faults
        if fault.kind != "leave" or (do_leave and fault.machine != seat)
    ]  # fmt: skip
    plan = replace(
        mixed,
        seats=max(table.seats, mixed.seats),
        bots=table.bots,
        open_bots=0 if table.gone is not None else mixed.open_bots,  # The last seat is lost.
        opens_hands=table.opens_hands,
        gone=table.gone,
        faults=tuple(sorted([*faults, *table.faults])),
        is_escrowed=mixed.is_escrowed and not table.bots,
        companions=frozenset() if OPENER in table.bots else mixed.companions,  # No bot runs bots.
    )
    return Chosen(kind, seat, nth, plan)


def table_for(kind: Kind, seat: int) -> Plan:
    """Three seats, without faults, where this kind of cheater can do what it does.

    Or four, one of which is lost once beads are dealt.
    """
    lost = Fault(DEALT, "crash", LOST, LOST, 0.0, 1)
    is_lost = kind.needs == "loss"
    return Plan(
        kind.game, 3 + is_lost,
        bots=frozenset({seat} if kind.needs == "bot" else ()),
        open_bots=0,
        opens_hands=kind.needs == "hands",
        worst_s=0.02,
        thinks_s=0.1,
        faults=(lost,) * is_lost,
        gone=LOST if is_lost else None,
        tires=is_lost,
        plays_on=is_lost,
    )  # fmt: skip


def mild_faults(kind: Kind, seat: int, seed: int | str) -> Plan:
    """The same with faults that keep nobody away for good."""
    rng = random.Random(f"mild {kind.name} {seed}")
    plan = table_for(kind, seat)
    faults = [
        fault._replace(kind=rng.choice(MILD), seconds=fault.seconds % 8)
        for fault in make_faults(rng, kind.game, 3)
    ]
    faults += plan.faults
    worst_s, thinks_s = rng.choice((0.001, 0.05, 0.3)), rng.choice((0.0, 1.0))
    return replace(plan, worst_s=worst_s, thinks_s=thinks_s, faults=tuple(sorted(faults)))


def try_kind(
    kind: Kind,
    seat: int,
    seed: int | str,
    nth: int = 0,
    plan: Plan | None = None,
    *,
    is_real: bool = False,
    is_amid_troubles: bool = False,
) -> Tried:
    """Let a cheater play on a seat; it takes the n-th opportunity.

    Amid troubles its own end is not looked at: it may be let go before it has cheated.
    """
    sessions: list[Session] = []

    def make_session(*arguments: object) -> Session:
        sessions.append(kind.make(nth)(*arguments))
        return sessions[-1]

    def judge(world: World) -> list[str]:
        did = any(getattr(session, "did", False) for session in sessions)
        if is_amid_troubles:
            return list(harm(world))
        return list(complaints(world, kind.outcome if did else Outcome.IN_VAIN))

    cheats = {seat: make_session}
    outcome = simulate(
        seed,
        plan or table_for(kind, seat),
        cheats,
        is_real=is_real,
        judge=judge,
        may_fork=kind.forks,
    )
    did = any(getattr(session, "did", False) for session in sessions)
    kinds = frozenset(outcome.kinds)
    return Tried(did, outcome.failures, outcome.height, outcome.is_finished, kinds)


def complaints(world: World, outcome: Outcome) -> Iterator[str]:
    """What is wrong with the end of a game with a cheater of this kind."""
    ((cheat, _),) = world.cheaters.items()
    yield from _wronged(world, cheat)
    match outcome:
        case Outcome.NAMED if not any(each.failure for each in world.honest):
            yield from _not_replaced(world, cheat)
        case Outcome.NAMED:
            yield from _not_named(world, cheat)
        case Outcome.WAITED_FOR:
            if not (world.stuck or world.plan.tires):
                yield "nobody waited for the cheater"
            yield from _named(world)
            yield from _not_said_to_be_missing(world, cheat)
        case Outcome.IN_VAIN | Outcome.TURNED_AWAY:
            yield from judge_honest(world)
        case Outcome.OPENED:
            yield from (f"{m.name} has no end" for m in world.honest if not m.has_finished)
            yield from _unproven(world, cheat)


def harm(world: World) -> Iterator[str]:
    """What a cheater has done to honest people, whatever became of itself."""
    ((cheat, _),) = world.cheaters.items()
    yield from _wronged(world, cheat)
    for machine in world.honest:  # A game that had to stop for the cheater does not go on.
        is_stopped = isinstance(machine.failure, PeerError) or cheat in machine.accused
        if machine.failure is not None and not (is_stopped or is_keyless(machine)):
            yield f"{machine.name} gave up: {machine.failure!r}"
    replicas = [machine.replica for machine in world.honest if machine.replica is not None]
    all_wait = all(each.waits_for(cheat) for each in replicas)  # For an entry, or an `ack`.
    are_two = all(len({*each.play.live} - {cheat}) > 1 for each in replicas)  # One convicts nobody.
    if world.stuck and are_two and not all_wait:
        yield f"the table is stuck: {world.stuck}"


def _wronged(world: World, cheat: int) -> Iterator[str]:
    """Whose cards the cheater can read, and who of the others is accused."""
    honest = [machine.number for machine in world.machines if machine.number != cheat]
    yield from world.checks.secrecy.learnt([cheat], honest)
    for machine in world.honest:
        if wrongly := [seat for seat in machine.accused if seat != cheat]:
            yield f"{machine.name} accuses {wrongly}"
        blamed = blamed_by_audit(machine)
        if blamed not in ([], [cheat]):
            yield f"the audit of the file of {machine.name} blames {blamed}"


def _not_said_to_be_missing(world: World, cheat: int) -> Iterator[str]:
    """Where all is played, every screen says who has not signed the result."""
    for machine in world.honest:
        snapshot = machine.snapshot
        is_open = snapshot is not None and snapshot.view.is_over and not snapshot.is_finished
        if snapshot is not None and is_open and snapshot.unsigned != (cheat,):
            yield f"{machine.name} says that {snapshot.unsigned} have not signed"


def _not_named(world: World, cheat: int) -> Iterator[str]:
    for machine in world.honest:
        if set(machine.accused) != {cheat}:
            yield f"{machine.name} does not name the cheater: {machine.accused} {machine.failure}"
        identity = world.machines[cheat].identity.public
        if not isinstance(machine.failure, PeerError) or machine.failure.peer != identity:
            yield f"{machine.name} was not stopped by the cheater but by {machine.failure!r}"
    yield from _unproven(world, cheat)


def _not_replaced(world: World, cheat: int) -> Iterator[str]:
    """Everybody names the cheater, and the game goes on to its end without it."""
    for machine in world.honest:
        if set(machine.accused) != {cheat} or machine.failure is not None:  # Once a start.
            yield f"{machine.name} accuses {machine.accused}, and ends with {machine.failure!r}"
        assert machine.path is not None, "a game that has begun is in a file"
        report = audit_file(machine.path)
        if not machine.has_finished or not report.is_finished or report.damage:
            yield f"{machine.name} has no whole game: {report.damage} {report.ending}"
        replaced = {each.seat for each in report.verdicts if each.replaced is not None}
        if replaced - {world.plan.gone} != {cheat}:
            yield f"in the file of {machine.name} nobody plays for the cheater"
    yield from _unproven(world, cheat)
    if len({tuple(log_of(machine)) for machine in world.honest}) != 1:
        yield "the honest machines have different logs"


def _unproven(world: World, cheat: int) -> Iterator[str]:
    for machine in world.honest:
        if blamed_by_audit(machine) != [cheat]:
            yield f"the file of {machine.name} proves nothing against the cheater"


def _named(world: World) -> Iterator[str]:
    for machine in world.honest:
        if machine.accused:
            yield f"{machine.name} accuses {machine.accused} of being silent"
    yield from broken_files(world)


def blamed_by_audit(machine: Machine) -> list[int]:
    """The seats that are not honest by the file of a machine."""
    assert machine.path is not None, "a game that has begun is in a file"
    return [each.seat for each in audit_file(machine.path).verdicts if not each.is_honest]
