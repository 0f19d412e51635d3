"""Open bots at somebody's table: every machine works out for itself what they do.

The workers are started when the first open bot has to think, or a seat falls silent for which one
may have to, and are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ai.processes.workers import do_aside, prepare
from core.game import Game
from core.requests import Action
from core.table import Table
from p2p.base.roster import BotTerms, DecisionPoint

if TYPE_CHECKING:
    from ai.search.search import Decision

T = TypeVar("T")


async def decide_openly(turn: DecisionPoint) -> Action:
    """What an open bot does: the same on every machine at the table."""
    actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
    if len(actions) == 1:
        return actions[0]
    assert turn.bot_terms is not None, "a bot sits in this seat"
    from ai.levels import SearchSettings
    from ai.seats.brain import think

    settings = SearchSettings(turn.seed, turn.bot_terms.level, turn.bot_terms.iterations)
    seen = (turn.game.slug, turn.table, list(turn.observation), turn.seat)
    decision: Decision = await _in_worker(think, *seen, settings)
    return decision.action


async def start_worker() -> None:
    """Start the worker, with its imports, before an open bot has to think."""
    from ai.seats.brain import wake

    await _in_worker(wake)


async def prepare_openly(game: Game, table: Table, bot_terms: BotTerms) -> None:
    """Find out beforehand what an open bot on these terms needs once in this game."""
    from ai.levels import SearchSettings
    from ai.seats.brain import get_ready

    settings = SearchSettings(0, bot_terms.level, bot_terms.iterations)
    await _in_worker(get_ready, game.slug, table, settings)


async def measure_here(bot_terms: BotTerms, game: str, players: int) -> BotTerms:
    """The terms of a bot of ours of that level, measured here unless they name a number."""
    from ai.seats.bot_terms import measured, new_bot_terms
    from ai.seats.brain import measure

    if bot_terms.iterations:
        return new_bot_terms(bot_terms.level, bot_terms.iterations)
    # Every machine has to keep up, also one that has no core to spare: measured is one alone.
    return measured(bot_terms, await _in_worker(measure, game, players, False))


async def _in_worker(work: Callable[..., T], *arguments: object) -> T:
    """What `work` gives in one of the workers that this program keeps.

    Raises:
        HostlessError: one worker after the other has died.
    """
    import trio_parallel  # type: ignore[import-untyped]

    from ai.processes.retries import with_retries

    async def ask() -> T:
        prepare()
        result: T = await trio_parallel.run_sync(do_aside, work, *arguments, kill_on_cancel=True)
        return result

    return await with_retries(ask)
