"""Open bots at somebody's table: every machine works out for itself what they do.

The workers are started when the first open bot has to think, or a seat falls silent for which one
may have to, and are kept.
"""

from __future__ import annotations

from core.requests import Action
from p2p.roster import Mind
from p2p.turn import Turn


async def decide_openly(turn: Turn) -> Action:
    """What an open bot does: the same on every machine at the table."""
    actions = turn.game.legal_actions(turn.table, turn.seat, turn.eyes)
    if len(actions) == 1:
        return actions[0]
    assert turn.mind is not None, "a bot sits in this seat"
    import trio_parallel  # type: ignore[import-untyped]

    from ai.brain import How, think_aside

    how = How(turn.seed, turn.mind.level, turn.mind.iterations)
    seen = (turn.game.slug, turn.table, list(turn.eyes), turn.seat)
    decision = await trio_parallel.run_sync(think_aside, *seen, how, kill_on_cancel=True)
    action: Action = decision.action
    return action


async def get_ready() -> None:
    """Start the worker, with its imports, before an open bot has to think."""
    import trio_parallel

    from ai.brain import wake

    await trio_parallel.run_sync(wake, kill_on_cancel=True)


async def measure_here(mind: Mind, game: str, players: int) -> Mind:
    """The terms of a bot of ours of that level, measured here unless they name a number."""
    import trio_parallel

    from ai.brain import measure
    from ai.mind import measured, new_mind

    if mind.iterations:
        return new_mind(mind.level, mind.iterations)
    return measured(mind, await trio_parallel.run_sync(measure, game, players, kill_on_cancel=True))
