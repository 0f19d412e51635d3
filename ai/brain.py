"""Thinking in a process of its own, so that no screen and no peer ever waits for a bot.

A thread would share the interpreter and cost every key press many milliseconds.  The worker is
started once and kept; it is handed the public table and the eyes of its own seat, as bytes, and so
cannot know more, whatever else lives on this machine.
"""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio
import trio_parallel

from ai.levels import LEVELS, decide
from ai.search import Decision
from core.games import find_game
from core.requests import Player
from core.table import Eyes, Table

_IDLE_S: Final = 3600.0  # A worker outlives the longest a person may think about a move.
_SHUTDOWN_S: Final = 1.0  # A worker that is busy when the bot leaves is not waited for.


class Brain:
    """The thoughts of one bot.  Make it with `open_brain`.

    One question at a time: a second one waits.  A question that is cancelled is thought about no
    further, at the price of a new worker for the next one.
    """

    def __init__(self, workers: trio_parallel.WorkerContext) -> None:
        self._workers = workers
        self._turn = trio.CapacityLimiter(1)

    async def decide(
        self, game_slug: str, table: Table, eyes: Eyes, player: Player, *, seed: int, level: str
    ) -> Decision:
        """What the bot in seat `player`, which knows exactly `eyes`, does now."""
        assert level in LEVELS, f"no level is called {level}"
        question = (game_slug, table, list(eyes), player, seed, level)
        thought = await self._workers.run_sync(
            think,
            pickle.dumps(question, pickle.HIGHEST_PROTOCOL),
            cancellable=True,
            limiter=self._turn,
        )
        return thought

    async def warm_up(self) -> None:
        """Start the worker before it is needed."""
        await self._workers.run_sync(ready, cancellable=True, limiter=self._turn)


@asynccontextmanager
async def open_brain() -> AsyncIterator[Brain]:
    """A brain with its worker, which ends with the block."""
    async with trio_parallel.open_worker_context(
        idle_timeout=_IDLE_S, grace_period=_SHUTDOWN_S
    ) as workers:
        yield Brain(workers)


def think(question: bytes) -> Decision:
    """The worker's side of `Brain.decide`."""
    game_slug, table, eyes, player, seed, level = pickle.loads(question)  # noqa: S301
    game = find_game(game_slug)
    return decide(game, table, eyes, player, seed=seed, level=LEVELS[level])


def ready() -> None:
    """What a worker does to have started: nothing, after its imports."""
