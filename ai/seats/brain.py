"""Thinking in a process of its own, so that no screen and no peer ever waits for a bot.

A thread would share the interpreter and cost every key press many milliseconds.  The worker is
started once and kept.  It is handed the public table and the observation of its own seat, and so
cannot know more, whatever else lives on this machine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

import trio
import trio_parallel  # type: ignore[import-untyped]

from ai.games import find_knowledge
from ai.levels import SearchSettings, decide, level_of, measure_speed
from ai.players.players import usual_speed
from ai.processes.workers import begin, prepare
from ai.search.search import Contest, Decision, compare
from ai.seats.assistants import AssistantProcess, gain_percent, with_assistants
from core.bot_levels import BOT_LEVELS
from core.game import complete_options
from core.games import find_game
from core.requests import Action, Player
from core.table import Observation, Table

_IDLE_S: Final = 3600.0  # A worker outlives the longest a person may think about a move.
_SHUTDOWN_S: Final = 5.0
ASSISTED_S: Final = 0.5  # A level that has less time thinks alone.
_WHOLE_PERCENT: Final = 80  # Of a second's short thoughts: the tree of a whole one gets deep.
_LONG_S: Final = 0.1  # A thought that would take less on an ordinary machine is soon done alone.
T = TypeVar("T")


class Comparing(NamedTuple):
    """Which two actions are compared, and how."""

    pair: tuple[Action, Action]
    seed: int
    deals: int
    iterations: int  # Of the search whose knowledge of the game is used.


class Brain:
    """The thoughts of one bot, one question at a time.  Made by `open_brain`.

    A question that is cancelled is thought about no further, at the price of a new worker for the
    next one.
    """

    def __init__(self, workers: trio_parallel.WorkerContext) -> None:
        self._workers = workers
        self._turn = trio.CapacityLimiter(1)

    async def decide(
        self, game_slug: str, table: Table, observation: Observation, player: Player,
        settings: SearchSettings,
    ) -> Decision:  # fmt: skip
        """What the bot in seat `player`, which knows exactly `observation`, does now."""
        assert settings.level in BOT_LEVELS, f"no level is called {settings.level}"
        return await self.ask(think, game_slug, table, list(observation), player, settings)

    async def decide_timed(
        self, game_slug: str, table: Table, observation: Observation, player: Player,
        settings: SearchSettings,
    ) -> tuple[Decision, float]:  # fmt: skip
        """The same, and how many seconds it took."""
        assert settings.level in BOT_LEVELS, f"no level is called {settings.level}"
        return await self.ask(think_timed, game_slug, table, list(observation), player, settings)

    async def compare(
        self, game_slug: str, table: Table, observation: Observation, player: Player,
        comparing: Comparing,
    ) -> Contest:  # fmt: skip
        """What two actions of the seat `player`, which knows exactly `observation`, are worth."""
        return await self.ask(put_side_by_side, game_slug, table, list(observation), player,
                               comparing)  # fmt: skip

    async def measure(self, game_slug: str, players: int, level: str) -> int:
        """How many iterations a second a bot of that level does here in a game of this kind."""
        return await self.ask(measure, game_slug, players, is_assisted(level))

    @property
    def workers_count(self) -> int:
        """How many processes think for this bot: one, or none before the first question."""
        counts = self._workers.statistics()
        return int(counts.idle_workers + counts.running_workers)

    async def warm_up(self) -> None:
        """Start the worker, with its imports, before it is needed."""
        await self.ask(wake)

    async def ask(self, work: Callable[..., T], *arguments: object) -> T:
        """Do something in the worker, as all these do; `work` is found by its name there."""
        prepare()  # Each time: what looks after workers may have been killed since the last one.
        answer: T = await self._workers.run_sync(
            work, *arguments, kill_on_cancel=True, limiter=self._turn
        )
        return answer


@asynccontextmanager
async def open_brain() -> AsyncIterator[Brain]:
    """A brain with its worker, which ends with the block."""
    closing = AsyncExitStack()
    workers = await closing.enter_async_context(
        trio_parallel.open_worker_context(
            idle_timeout=_IDLE_S, grace_period=_SHUTDOWN_S, init=begin
        )
    )
    try:
        yield Brain(workers)
    finally:
        with suppress(trio_parallel.BrokenWorkerError):  # It was killed, and nobody asked since.
            await closing.aclose()


def wake() -> None:
    """The worker's side of `Brain.warm_up`: by now all rules have been imported."""


def think(
    game_slug: str, table: Table, observation: Observation, player: Player, settings: SearchSettings
) -> Decision:
    """The worker's side of `Brain.decide`."""
    return think_timed(game_slug, table, observation, player, settings)[0]


def think_timed(
    game_slug: str, table: Table, observation: Observation, player: Player, settings: SearchSettings
) -> tuple[Decision, float]:
    """The worker's side of `Brain.decide_timed`."""
    game = find_game(game_slug)
    work = partial(decide, game, table, observation, player, settings)
    is_plain = find_knowledge(game).answer_at_once(table, player, observation) is not None
    if not is_plain:
        get_ready(game_slug, table, settings)  # Once in a game; no part of a choice.
    begin = perf_counter()
    if is_plain or not is_long(game_slug, settings):
        decision = work()
    else:
        decision = with_assistants(game_slug, lambda assistants: work(assistants=assistants))
    return decision, perf_counter() - begin


def get_ready(game_slug: str, table: Table, settings: SearchSettings) -> None:
    """Find out what a game needs before its first search, here and at whoever helps at once."""

    def work(assistants: Sequence[AssistantProcess]) -> None:
        for assistant in assistants:
            assistant.get_ready(table, settings.iterations)
        find_knowledge(find_game(game_slug)).prepare(table, settings.iterations)

    if is_long(game_slug, settings):
        with_assistants(game_slug, work)
    else:
        work(())


def is_long(game_slug: str, settings: SearchSettings) -> bool:
    """Whether a thought takes so long that assistants are worth their while."""
    iterations = settings.iterations // settings.part
    return is_assisted(settings.level) and iterations >= _LONG_S * usual_speed(find_game(game_slug))


def is_assisted(level: str) -> bool:
    """Whether a level leaves a bot time to be helped."""
    return level_of(level).seconds >= ASSISTED_S


def put_side_by_side(
    game_slug: str, table: Table, observation: Observation, player: Player, comparing: Comparing
) -> Contest:
    """The worker's side of `Brain.compare`."""
    knowledge = find_knowledge(find_game(game_slug))
    knowledge.prepare(table, comparing.iterations)
    seed, deals = comparing.seed, comparing.deals
    return compare(knowledge, table, observation, player, comparing.pair, seed=seed, deals=deals)


def measure(game_slug: str, players: int, has_assistants: bool) -> int:
    """The worker's side of `Brain.measure`, by short thoughts."""
    game = find_game(game_slug)
    options = complete_options(game, players, {})

    def work(assistants: Sequence[AssistantProcess]) -> int:
        speed = measure_speed(game, players, options)  # Meanwhile they start.
        return speed * gain_percent(game, players, options, speed, assistants) // 100

    short = with_assistants(game_slug, work) if has_assistants else work(())
    return max(1, short * _WHOLE_PERCENT // 100)
