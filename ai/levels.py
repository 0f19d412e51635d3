"""Gentle, steady, sharp, strongest: how long a bot thinks, and what else makes it weaker.

A level is a time for one choice, the same on a fast machine and on a slow one.  The time is turned
into a number of iterations once, when the table is laid, by measuring how fast the bot's machine
is; from then on only the number counts, so that every decision can be agreed and checked later.

Less time alone does not make a bot gentle where search is fast, so gentle also remembers little of
what it has imagined and misjudges every move, and steady misjudges them a little: they play with
sense, and not on purpose badly.  What the levels are worth is measured in docs/lab/bots.md.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ai.games import find_knowledge
from ai.search.knowledge import Knowledge
from ai.search.search import STRONG, Assistant, Decision, Weakness, search
from core.bot_levels import BOT_LEVELS, ITERATIONS_MAX, level_and_style
from core.chance import Chance
from core.determinization import observation_of
from core.engine import run_until_choice, start
from core.game import Game
from core.requests import Choice, Over, Player, to_act
from core.table import Observation, OptionValue, Table

_MEASURE_S: Final = 0.3
_MEASURE_ITERATIONS: Final = 32  # For each choice.


class Level(NamedTuple):
    """How long a bot thinks about one choice, and what else weakens it."""

    name: str
    seconds: float
    weakness: Weakness = STRONG

    def iterations(self, speed: int) -> int:
        """The budget of one choice where search does `speed` iterations a second; two digits.

        >>> Level("easy", 0.3).iterations(4321), Level("easy", 0.3).iterations(1)
        (1300, 1)
        """
        count = max(1, round(self.seconds * speed))
        return min(round(count, 2 - len(str(count))), ITERATIONS_MAX)


LEVELS: Final = {
    level.name: level
    for level in (
        Level("gentle", 0.3, Weakness(mistakes=3, nodes_max=0)),
        Level("steady", 1.0, Weakness(mistakes=1)),
        Level("sharp", 3.0),
        Level("strongest", 10.0),
    )
}


def level_of(bot_level: str) -> Level:
    """The level of a bot, with its style if it has one: `steady`, or `steady+builder`."""
    assert bot_level in BOT_LEVELS, f"no level is called {bot_level}"
    name, style = level_and_style(bot_level)
    level = LEVELS[name]
    return level._replace(name=bot_level, weakness=level.weakness._replace(style=style))


class SearchSettings(NamedTuple):
    """By what a bot decides, beside what it sees: the same for whoever does it again."""

    seed: int
    level: str  # With its style.
    iterations: int
    part: int = 1  # One in so many of them is done.


def decide(
    game: Game,
    table: Table,
    observation: Observation,
    player: Player,
    settings: SearchSettings,
    *,
    assistants: Sequence[Assistant] = (),
) -> Decision:
    """What a bot does: a pure function of what it is handed; with `assistants` the same, sooner."""
    return search(
        *(find_knowledge(game), table, observation, player),
        seed=settings.seed,
        iterations=settings.iterations,
        weakness=level_of(settings.level).weakness._replace(part=settings.part),
        assistants=assistants,
    )


def measure_speed(game: Game, players: int, options: Mapping[str, OptionValue]) -> int:
    """How many iterations a second search does here, on one core, in a game of this kind.

    It plays such games for about 0.3 s of processor time, thinking a little about every choice.
    Call it in the process that will think.

    Raises:
        RulesError: the number of seats or an option is not one the game has.
    """
    knowledge, chance = find_knowledge(game), Chance(0)
    done, begin = 0, time.process_time()
    while True:
        table = start(game, players, options)
        deal = table.face[:]
        while not isinstance(pending := run_until_choice(game, table, deal, chance), Over):
            if isinstance(pending, Choice):
                done += _think_briefly(knowledge, table, deal, pending.player)
            seats = to_act(pending)
            for seat in seats:
                observation = observation_of(table, deal, seat)
                game.apply(table, seat, knowledge.rollout_policy(table, seat, observation, chance))
            taken = time.process_time() - begin
            if taken >= _MEASURE_S:
                return max(1, int(done / taken))


def _think_briefly(knowledge: Knowledge, table: Table, deal: list[int], player: Player) -> int:
    decision = search(
        *(knowledge, table, observation_of(table, deal, player), player),
        seed=0,
        iterations=_MEASURE_ITERATIONS,
    )
    return decision.iterations
