"""A seat without a person: an ordinary peer whose screen is a brain.

A bot is a process of its own with its own identity, its own file of the game and its own links, so
it cannot see more than anybody else on that seat.  It plays at a pace that people can follow; its
pause does not depend on what it holds.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import trio

from ai.levels import SearchSettings, level_of
from ai.processes.retries import with_retries
from ai.seats.bot_terms import measured
from ai.seats.brain import Brain, get_ready, open_brain
from ai.seats.program import PROGRAM
from ai.seats.time_management import SpeedEstimate
from core.game import Game
from core.requests import Action
from core.table import Table
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.game.hurry import WHOLE
from p2p.session.commands import JoinTable, Resume
from p2p.session.table import Publish
from p2p.table.node import NodeConfig, run_once

PACE_S: Final = 0.35  # A choice of a bot takes at least this long where people look on.


async def play_as_bot(
    command: JoinTable | Resume,
    publish: Publish,
    config: NodeConfig,
    *,
    bot_terms: BotTerms,
    pace_s: float,
) -> None:
    """Take a seat and play it to the end of the game.

    `bot_terms` says how; without iterations this machine is measured when the game is known.

    Raises:
        HostlessError: there is no such table, or no seat.
        PeerError: somebody cheated, and the table has stopped.
    """
    is_promise = not bot_terms.iterations  # Whoever names a number gets that number.
    async with open_brain() as brain, trio.open_nursery() as nursery:
        # While the table fills and the cards are shuffled.
        nursery.start_soon(with_retries, brain.warm_up)

        player = BotPlayer(brain, pace_s, is_in_time=is_promise)
        players = config.players._replace(
            mine=player, of_open_seats=BotPlayer(brain),
            next_part=lambda: player.next_part, prepare=player.prepare,
        )  # fmt: skip
        playing = replace(
            config, players=players, program=PROGRAM,
            bot_terms=bot_terms, measure=partial(measure_with, brain),
        )  # fmt: skip
        await run_once(command, publish, playing)
        nursery.cancel_scope.cancel()


async def measure_with(brain: Brain, bot_terms: BotTerms, game: str, players: int) -> BotTerms:
    """The terms of a bot of that level, measured unless they name a number."""
    if bot_terms.is_known:
        return bot_terms
    ask = partial(brain.measure, game, players, bot_terms.level)
    return measured(bot_terms, await with_retries(ask))


class BotPlayer:
    """Somebody who asks `brain` for every choice that matters, as the roster and the log say.

    Where it `is_in_time` it keeps the promise of its level on a busy machine: `next_part` is what
    it says of its next choices.  Otherwise it always goes on with its whole budget.
    """

    def __init__(self, brain: Brain, pace_s: float = 0.0, *, is_in_time: bool = False) -> None:
        self._brain, self._pace_s, self._is_in_time = brain, pace_s, is_in_time
        self._speed: SpeedEstimate | None = None  # From its first thought on.
        self.next_part = WHOLE

    async def prepare(self, game: Game, table: Table, bot_terms: BotTerms) -> None:
        """Find out beforehand what a bot on these terms needs once in this game."""
        settings = SearchSettings(0, bot_terms.level, bot_terms.iterations)
        await with_retries(partial(self._brain.ask, get_ready, game.slug, table, settings))

    async def __call__(self, turn: DecisionPoint) -> Action:
        """What the bot of this turn does."""
        actions = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
        if len(actions) == 1:
            return actions[0]
        assert turn.bot_terms is not None, "a bot sits in this seat"
        terms = turn.bot_terms
        settings = SearchSettings(turn.seed, terms.level, terms.iterations, turn.part)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep, self._pace_s)
            seen = (turn.game.slug, turn.table, turn.observation, turn.seat)
            ask = partial(self._brain.decide_timed, *seen, settings)
            decision, taken_s = await with_retries(ask)
        if self._is_in_time and decision.iterations:
            if self._speed is None:
                promise_s = level_of(settings.level).seconds
                self._speed = SpeedEstimate(settings.iterations, promise_s)
            self._speed.note(decision.iterations, taken_s)
            self.next_part = self._speed.part_in_time
        return decision.action
