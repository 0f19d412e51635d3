"""A seat without a person: an ordinary peer whose screen is a brain.

A bot is a process of its own with its own identity, its own file of the game and its own links, so
it cannot see more than anybody else on that seat.  It plays at a pace that people can follow; its
pause does not depend on what it holds.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

import trio

from ai.brain import Brain, open_brain
from core.requests import Action
from p2p.news import JoinTable, Resume
from p2p.node import NodeConfig, run_once
from p2p.session import Player, Publish, Turn

PACE_S: Final = 0.35  # A choice of a bot takes at least this long where people look on.
SEED_BYTES: Final = 8


async def play_as_bot(
    command: JoinTable | Resume, publish: Publish, config: NodeConfig, *, level: str, pace_s: float
) -> None:
    """Take a seat and play it to the end of the game.

    Raises:
        HostlessError: there is no such table, or no seat.
        PeerError: somebody cheated, and the table has stopped.
    """
    async with open_brain() as brain, trio.open_nursery() as nursery:
        nursery.start_soon(brain.warm_up)  # While the table fills and the cards are shuffled.
        player = player_with(brain, level, pace_s)
        await run_once(command, publish, replace(config, player=player, is_bot=True))
        nursery.cancel_scope.cancel()


def player_with(brain: Brain, level: str, pace_s: float = 0.0) -> Player:
    """Somebody who asks `brain` for every choice that matters."""
    seed = int.from_bytes(os.urandom(SEED_BYTES))

    async def decide(turn: Turn) -> Action:
        actions = turn.game.legal_actions(turn.table, turn.seat, turn.eyes)
        if len(actions) == 1:
            return actions[0]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep, pace_s)
            decision = await brain.decide(
                turn.game.slug, turn.table, turn.eyes, turn.seat,
                seed=seed ^ turn.entry, level=level,
            )  # fmt: skip
        return decision.action

    return decide
