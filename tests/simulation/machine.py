"""One machine of the simulated world: a node that can lose its power at any moment, and come back.

A run is the time between two failures of the power.  Whoever pulls the plug marks the run as dead
first and cancels it then: a dead run reaches neither disk nor network, so that nothing that Python
still does on its way out can be seen by anybody.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.bot_levels import PARTS
from core.errors import HostlessError
from core.requests import Action
from p2p.base.errors import PeerError
from p2p.base.identity import Identity
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.crypto.entropy import known_to_all
from p2p.log.replica import Replica
from p2p.session.commands import AgreeBack, ClaimWin, Command, Leave
from p2p.session.leaving import AllHaveLeftError
from p2p.session.news import Accused, Gathering, News, TableChanged
from p2p.session.players import Players
from p2p.session.session import Session
from p2p.table.node import NodeConfig, run_once
from tests.simulation.here import HERE, PulledPlugError

if TYPE_CHECKING:
    from tests.simulation.world import World

NAMES: Final = ("ada", "grace", "mary", "rosa", "looker")
PROGRAM: Final = "hostless simulated"
BOT_TERMS: Final = BotTerms(PROGRAM, "gentle", 1)
NEVER: Final = -1
AGREES, ASKS = 0.8, 0.1  # How often somebody agrees, and is sorry.
REGRETS_MAX: Final = 8  # Of one machine, or a game has no end.


class Run:
    """A machine between being switched on and losing its power."""

    def __init__(self, machine: Machine, plug: trio.CancelScope) -> None:
        self.machine, self.plug = machine, plug
        self.number, self.home = machine.number, machine.home
        self.computer = machine.owner.number  # On which it runs.
        self.is_dead = False
        self.steps = self.writes = 0
        self.dies_at_step = self.dies_at_write = NEVER

    def step(self) -> None:
        """One more step of one of its tasks."""
        self.steps += 1
        if self.steps == self.dies_at_step:
            self.pull_plug()

    def is_torn_now(self) -> bool:
        """Whether the lights go out at this write."""
        self.writes += 1
        return self.writes == self.dies_at_write

    def pull_plug(self) -> None:
        """From now on nothing that it does reaches anything."""
        if not self.is_dead:
            self.is_dead = True
            self.machine.world.pull(self)
            self.plug.cancel()
            self.machine.end_companions()  # On the same computer.


class Machine:
    """Who sits where, with a home and a mind of their own; what they saw last."""

    def __init__(self, world: World, number: int, *, is_bot: bool) -> None:
        self.world, self.number, self.name = world, number, NAMES[number]
        self.home: Path = world.folder / self.name
        self.rng = random.Random(f"{world.seed} {self.name}")
        self.whim = random.Random(f"{world.seed} {self.name} regrets")
        self.regrets = 0
        self.identity = Identity(Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32)))
        self.bot_terms = BOT_TERMS if is_bot else None
        self.companions: list[Machine] = []  # Bots that it runs.
        self.owner: Machine = self  # Or who runs this bot.
        self.make_session: Callable[..., Session] = Session
        self.run: Run | None = None
        self.runs = 0
        self.session: Session | None = None  # Of this run, or of the last that came so far.
        self._has_begun = False  # This run has come so far.
        self.failure: Exception | None = None
        self.accused: list[int | None] = []
        self.gathering: Gathering | None = None
        self.snapshot: TableChanged | None = None
        self.has_ended = False  # The last run came to its end by itself.
        self.has_gone_home = False  # It will not be started again.
        self.is_leaving = False  # It has said so, and waits to be let go.
        self.chair = trio.CancelScope()  # Of the run: whoever gets up cancels it.

    def bring(self, bot: Machine) -> None:
        """Run a bot from now on."""
        bot.owner, bot.bot_terms = self, BOT_TERMS
        self.companions.append(bot)

    def end_companions(self) -> None:
        """End the bots that it runs, as its own program has ended or lost its power."""
        for bot in self.companions:
            if self.run is not None and self.run.is_dead and bot.run is not None:
                bot.run.pull_plug()
            bot.chair.cancel()

    @property
    def is_broken(self) -> bool:
        """Whether its power failed, and nobody starts it again: its file may be torn."""
        return self.has_gone_home and self.run is not None and self.run.is_dead

    @property
    def path(self) -> Path | None:
        """My game file, if there is one."""
        return next(iter(sorted((self.home / "games").glob("*.hostless"))), None)

    @property
    def replica(self) -> Replica | None:
        """The game as this machine knows it, or knew it last."""
        return self.session.replica if self.session is not None else None

    @property
    def has_finished(self) -> bool:
        """Whether it saw the signed end of the game."""
        return self.snapshot is not None and self.snapshot.is_finished

    async def do(self, command: Command) -> None:
        """Carry out a command until it ends or the plug is pulled."""
        self.runs += 1
        with trio.CancelScope() as plug:
            run = self.run = Run(self, plug)
            HERE.set(run)
            seed = f"{self.world.seed} {self.name} {self.runs}".encode()
            try:
                with known_to_all(seed):
                    await self._do(command)
            except* PulledPlugError:
                assert run.is_dead, "only a pulled plug ends a machine so"
            except* Exception:
                if self.number not in self.world.cheaters:
                    raise  # What its changed program does to a cheater is its own affair.
        self.has_ended = not run.is_dead

    async def _do(self, command: Command) -> None:
        self.failure = None
        self.is_leaving = self.has_ended = self._has_begun = False
        self.chair = trio.CancelScope()
        try:
            with self.chair:
                await run_once(command, self.receive, self._config())
        except (HostlessError, PeerError) as error:
            self.failure = error

    def _config(self) -> NodeConfig:
        return NodeConfig(
            self.home,
            self.identity,
            self.name,
            Players(
                self.decide, decide_openly, next_part=lambda: PARTS[self.number % len(PARTS)]
            ),
            program=PROGRAM,
            bot_terms=self.bot_terms,
            sponsor=b"" if self.owner is self else self.owner.identity.public,
            measure=measure if self.world.plan.plays_on else None,
            make_session=self._session,
        )

    def _session(self, replica: Replica, *rest: object) -> Session:
        session = self.session = self.make_session(replica, *rest)
        self._has_begun = True
        if self.number not in self.world.cheaters:
            self.world.checks.watch(self, session)
        return session

    def receive(self, news: News) -> None:
        """Keep what the world asks about."""
        if self.run is None or self.run.is_dead:
            return
        match news:
            case TableChanged():
                self.snapshot = news
                if self.world.plan.regrets and self.bot_terms is None:
                    self._regret(news)
            case Gathering():
                self.gathering = news
            case Accused(seat):
                self.accused.append(seat)
        self.world.stir()

    def _regret(self, news: TableChanged) -> None:
        """Ask to take something back at times, and answer those who ask."""
        asked, session = news.asked_back, self.session
        if session is None:
            return
        if asked is not None and news.view.seat in asked.missing and asked.seat != news.view.seat:
            agrees = self.whim.random() < AGREES
            session.taking_back.wish(AgreeBack(asked.height, asked.events, agrees))
            return
        is_sorry = self.regrets < REGRETS_MAX and self.whim.random() < ASKS
        if is_sorry and news.may_ask_back is not None:
            self.regrets += 1
            session.taking_back.wish(news.may_ask_back)

    @property
    def has_left_for_good(self) -> bool:
        """Whether it leaves, or came back and was told that all have left."""
        return self.is_leaving or isinstance(self.failure, AllHaveLeftError)

    @property
    def seated(self) -> Session | None:
        """The game that is running here."""
        is_off = self.run is None or self.run.is_dead or self.has_ended
        return None if is_off or not self._has_begun else self.session

    def claim(self) -> bool:
        """Claim the win and get up, if that is offered: everybody else is silent.  True if so."""
        session = self.seated
        if session is None or session.failure_detector.claiming.silence() is None:
            return False
        assert session.get_up(ClaimWin()), "whoever claims gets up"
        self.chair.cancel()
        return True

    def leave(self) -> bool:
        """Leave for good, if a bot can play on.  True if so."""
        session = self.seated
        is_leaving = session is not None and not session.get_up(Leave(is_for_good=True))
        self.is_leaving |= is_leaving
        return is_leaving

    async def decide(self, turn: DecisionPoint) -> Action:
        """Anything that is allowed, after a while."""
        await trio.sleep(self.rng.random() ** 3 * self.world.thinks_s)
        return self.rng.choice(turn.game.legal_actions(turn.table, turn.seat, turn.observation))


async def decide_openly(turn: DecisionPoint) -> Action:
    """What every machine works out alike for an open seat."""
    actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
    await trio.lowlevel.checkpoint()
    return actions[turn.seed % len(actions)]


async def measure(bot_terms: BotTerms, game: str, players: int) -> BotTerms:
    """Our bots think one step far on every machine."""
    await trio.lowlevel.checkpoint()
    return BotTerms(PROGRAM, bot_terms.level or "gentle", 1)
