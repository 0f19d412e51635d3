"""One simulated game: machines, network, disks and a clock, all of them from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from p2p.base import limits
from p2p.crypto.group import base, scalar_to_bytes
from p2p.session.commands import JoinTable, OpenTable, Resume, Watch
from p2p.session.session import Session
from tests.simulation.checks import Checks
from tests.simulation.disk import Disk
from tests.simulation.machine import Machine, Run
from tests.simulation.network import HOST, Network
from tests.simulation.plan import OPTIONS, Fault, Plan

STUCK_S: Final = 300.0  # Without a new entry although nothing is wrong any more.
HALTED_S: Final = 90.0  # The same where nobody is let go: only what was missed is asked for again.
RESIGNED_S: Final = 120.0  # The same, until whoever is left claims the win and gets up.
ALONE_S: Final = 60.0  # For a seat whose others have gone home with the result.
LET_GO_S: Final = 8.0  # In reach of somebody who stays, which is less than that one lingers.
SHORT_S: Final = 0.5
CHECK_EVERY_S: Final = 5.0
LONGEST_S: Final = 6 * 3600.0
LOOKER: Final = 4
GRACE_S: Final = 20
LONG_GRACE_S: Final = 3600  # Where whoever is away comes back.
AWAY_S: Final = 45.0  # More than the grace, and the time after which a silent link is dead.

MakeSession = Callable[..., Session]


class World:
    """See the module's docstring."""

    def __init__(
        self, seed: int | str, plan: Plan, folder: Path, cheats: Mapping[int, MakeSession]
    ) -> None:
        self.seed, self.plan, self.folder, self.cheaters = seed, plan, folder, dict(cheats)
        self.thinks_s = plan.thinks_s
        self.is_claimed = False  # Somebody has been left for good, and got up.
        self.rng = random.Random(f"world {seed}")
        self.network = Network(random.Random(f"network {seed}"), plan.worst_s)
        self.disk = Disk(random.Random(f"disk {seed}"))
        self.checks = Checks(self)
        self.network.on_bytes, self.network.on_read = self.checks.receive, self.checks.read
        if plan.apart is not None:
            self.network.barred |= {plan.apart, plan.apart[::-1]}
        people = plan.seats - plan.open_bots
        self.machines = [Machine(self, seat, is_bot=seat in plan.bots) for seat in range(people)]
        for seat in sorted(plan.companions):
            self.machines[0].bring(self.machines[seat])
        for seat, make_session in self.cheaters.items():
            self.machines[seat].make_session = make_session
        self.failures: list[str] = []
        self.stuck = ""  # Who waits for what, if the table has come to a halt.
        self.troubles = 0  # Faults that are going on, and machines that are off.
        self._changed = trio.Event()
        self.struck = 0

    @property
    def honest(self) -> list[Machine]:
        """The machines whose program is ours, and whose owner is still there."""
        away = {*self.cheaters, self.plan.gone}
        here = [each for each in self.machines if each.number not in away]
        return [each for each in here if not each.is_broken]

    @property
    def is_real(self) -> bool:
        """Whether the group is the real one, in which nobody can look for what is hidden."""
        return base(2).encoded != scalar_to_bytes(2)

    def secrets(self) -> dict[int, int]:
        """The keys of the honest seats, as each of them has its own."""
        replicas = {each.number: each.replica for each in self.machines}
        dealings = {seat: replica.play.dealing for seat, replica in replicas.items() if replica}
        return {
            seat: dealing.secrets[seat]
            for seat, dealing in dealings.items()
            if dealing is not None and seat in dealing.secrets and seat not in self.cheaters
        }

    def stir(self) -> None:
        """Something has happened."""
        self._changed.set()
        self._changed = trio.Event()

    def fail(self, sentence: str) -> None:
        """A promise is broken; the first is the one that counts."""
        if not self.failures:
            self._scope.cancel()
        self.failures.append(sentence)

    def pull(self, run: Run) -> None:
        """The plug of a machine was pulled."""
        self.disk.pull(run)
        self.network.pull(run)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for something to hold."""
        while not holds():
            await self._changed.wait()

    # ---- the game ----

    async def run(self) -> None:
        """Play until everybody has finished, or a promise is broken."""
        with trio.CancelScope(deadline=LONGEST_S) as self._scope:
            async with trio.open_nursery() as self._nursery:
                await self._sit_down()
                self._nursery.start_soon(self._bring_faults)
                await self._oversee()
                self._nursery.cancel_scope.cancel()
        if trio.current_time() >= LONGEST_S:
            self.failures.append("the game never ends")

    async def _sit_down(self) -> None:
        plan, (opener, *guests) = self.plan, self.machines
        opening = OpenTable(
            plan.game, plan.seats,
            bots=plan.open_bots, are_bots_open=True, level="gentle", iterations=1,
            options=OPTIONS[plan.game], is_local=True, opens_hands=plan.opens_hands,
            is_escrowed=plan.is_escrowed,
            grace_s=self._grace_s(),
        )  # fmt: skip
        self._nursery.start_soon(self._live, opener, opening)
        await self.until(lambda: opener.gathering)
        for guest in guests:
            self._nursery.start_soon(self._live, guest, JoinTable(self.address, is_local=True))
            await self.until(partial(_has_sat_down, guest))
        await self.until(lambda: all(machine.snapshot for machine in self.machines))

    @property
    def address(self) -> str:
        """Where the table was opened."""
        gathering = self.machines[0].gathering
        assert gathering is not None, "the first machine opens the table"
        return f"{HOST}:{gathering.table.port}"

    async def _live(self, machine: Machine, command: Any) -> None:
        """Use a machine, and switch it on again whenever its power was gone."""
        while True:
            await machine.do(command)
            self.stir()
            machine.end_companions()  # Wherever its own program has come to its end.
            repents = machine.owner.is_leaving and self.plan.repents
            if machine.owner is not machine and not machine.has_ended:
                await self.until(partial(_is_up, machine.owner))
                machine.has_ended = machine.owner.has_gone_home
            if (machine.has_ended and not repents) or machine.number == self.plan.gone:
                machine.has_gone_home = True
                return
            self.troubles += 1
            await trio.sleep(self._off_s(machine))
            self.troubles -= 1
            path = machine.path
            assert path is not None, "a game that has begun is in a file"
            command = Resume(path)

    def _grace_s(self) -> int:
        """How long a silent seat is waited for; a table that never plays on says nothing of it."""
        if not self.plan.plays_on:
            return limits.GRACE_S
        return GRACE_S if self.plan.tires else LONG_GRACE_S

    def _off_s(self, machine: Machine) -> float:
        """How long a machine is off; long enough for a bot to take its seat, if that is planned."""
        if machine.number == self.plan.returns:
            return AWAY_S
        return float(self.rng.choice((0.01, 1.0, 20.0)) * (0.5 + self.rng.random()))

    async def _oversee(self) -> None:
        """Wait for the end; whoever waits for seats that have gone home waits in vain."""
        height, since = -1, 0.0
        while not all(machine.has_ended for machine in self.honest):
            await trio.sleep(CHECK_EVERY_S)
            now = trio.current_time()
            if self.troubles or self.checks.height > height:
                height, since = self.checks.height, now
            if now - since > RESIGNED_S:
                for machine in self.honest:
                    self.is_claimed |= machine.claim()
            is_alone = self._is_alone()
            if now - since > (ALONE_S if is_alone else self._patience_s):
                self.stuck = "" if is_alone else self._states()
                return

    @property
    def _patience_s(self) -> float:
        """After how long without a new entry nothing more is to be expected."""
        return STUCK_S if self.plan.plays_on else HALTED_S

    def _is_alone(self) -> bool:
        """Whether somebody has gone home with the result, or nobody is left but one who leaves."""
        left = {each.owner for each in self.honest if not each.has_ended}
        return any(
            each.has_ended and each.replica and not each.is_leaving for each in self.honest
        ) or (len(left) == 1 and left.pop().is_leaving)

    def _states(self) -> str:
        return ", ".join(_state(machine) for machine in self.machines)

    async def _grown_to(self, height: int) -> None:
        await self.until(lambda: self.checks.height >= height)

    # ---- faults ----

    async def _bring_faults(self) -> None:
        for fault in self.plan.faults:
            await self._grown_to(fault.height)
            self.struck += 1
            self._nursery.start_soon(self._strike, fault)

    async def _strike(self, fault: Fault) -> None:
        run, network = self.machines[fault.machine].run, self.network
        assert run is not None, "everybody has begun"
        one, other = fault.machine, fault.other
        match fault.kind:
            case "crash":
                run.dies_at_step = run.steps + fault.amount
            case "torn":
                run.dies_at_write = run.writes + 1 + fault.amount % 16
            case "damage":
                if not run.is_dead:
                    run.pull_plug()
                    self.disk.damage(run, loses_secrets=bool(fault.amount))
                    self.checks.signed.note_damage(run)
            case "cut":
                network.cut(one, other)
            case "leave":
                await self._leave(self.machines[one])
            case "look":
                await self._look_on(self.address)
            case "split":
                group = frozenset({one} | {each for each in range(4) if fault.amount >> each & 1})
                await self._for_a_while(fault, network.split.append, network.split.remove, group)
            case "outage":
                await self._for_a_while(fault, self._switch_off, self._switch_on, None)
            case "half":
                barred = network.barred
                await self._for_a_while(fault, barred.add, barred.discard, (one, other))
            case "stuck":
                await self._for_a_while(fault, self._stick, self._free, one)
            case "slow":
                network.slow[one] = 1000.0 + 100 * fault.amount
                await self._for_a_while(fault, len, len, ())
                network.slow.pop(one, None)

    async def _for_a_while(
        self, fault: Fault, begin: Callable[[Any], Any], end: Callable[[Any], Any], what: Any
    ) -> None:
        self.troubles += 1
        begin(what)
        self.network.wake()
        await trio.sleep(fault.seconds)
        end(what)
        self.network.wake()
        self.troubles -= 1

    async def _leave(self, leaver: Machine) -> None:
        """Somebody leaves for good, and is let go by whoever can be reached."""
        if not leaver.leave():
            return
        run, heard_s, mine = leaver.run, 0.0, {bot.number for bot in leaver.companions}
        while leaver.run is run and leaver.seated is not None and heard_s < STUCK_S:
            await trio.sleep(SHORT_S)
            if all(each.seated is None or each.is_leaving for each in self.machines):
                break  # They have gone home, or have not come back.
            is_heard = leaver.seated is not None and bool(leaver.seated.links.keys() - mine)
            heard_s = heard_s + SHORT_S if is_heard and not self.troubles else 0.0
        if leaver.run is run and leaver.seated is not None and heard_s >= LET_GO_S:
            self.fail(f"nobody lets {leaver.name} go: {self._states()}")

    def _switch_off(self, _: None) -> None:
        self.network.split += (frozenset({each.number}) for each in self.machines)

    def _switch_on(self, _: None) -> None:
        for each in self.machines:
            self.network.split.remove(frozenset({each.number}))

    def _stick(self, machine: int) -> None:
        self.network.stuck[machine] = self.network.stuck.get(machine, 0) + 1

    def _free(self, machine: int) -> None:
        self.network.stuck[machine] -= 1

    async def _look_on(self, address: str) -> None:
        """Somebody looks on for a while; they see an honest game, or that it has closed."""
        looker = Machine(self, LOOKER, is_bot=False)
        with trio.move_on_after(self.rng.random() * 20):
            await looker.do(Watch(address))
        if not self.cheaters and "does not hold" in str(looker.failure):
            self.fail(f"somebody who looked on says: {looker.failure}")


def _is_up(owner: Machine) -> bool:
    """Whether somebody plays, and starts the own bots again, or never will."""
    return owner.has_gone_home or owner.seated is not None


def _has_sat_down(guest: Machine) -> bool:
    return guest.gathering is not None or guest.snapshot is not None


def _state(machine: Machine) -> str:
    session, replica = machine.session, machine.replica
    if session is None or replica is None or machine.has_ended:
        return f"{machine.name} is not playing ({machine.failure})"
    kind = replica.step.kind if replica.step is not None else "nothing"
    waits = f"for {kind} of {replica.waited_for()} at {replica.height}"
    return f"{machine.name} waits {waits}, linked to {sorted(session.links)}"
