"""What a bot is bound to at a table, and its decision done again by whoever doubts it.

The roster names the program, the level with its style and the number of iterations; the log fixes
what the bot's seat knows and a seed that its sponsor could neither foretell nor choose.  A decision
is a pure function of these, so once the bot's key is opened anybody can repeat it.
"""

from __future__ import annotations

from collections.abc import Callable

from ai.levels import SearchSettings, decide, level_of
from ai.seats.program import PROGRAM
from core.bot_levels import BOT_LEVELS
from core.requests import Action
from p2p.audit.findings import Decided
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.game.equivalents import canonical
from p2p.game.hurry import WHOLE


def new_bot_terms(level: str, iterations: int = 0) -> BotTerms:
    """The terms of a bot of ours; with 0 iterations its machine has to be measured first."""
    assert level in BOT_LEVELS, f"no level is called {level}"
    return BotTerms(PROGRAM, level, iterations)


def measured(wanted: BotTerms, speed: int) -> BotTerms:
    """The terms of a bot of the wanted level on a machine with so many iterations a second."""
    return new_bot_terms(wanted.level, level_of(wanted.level).iterations(speed))


def is_repeatable(bot_terms: BotTerms | None) -> bool:
    """Whether this program can do the decisions of such a bot again."""
    return (
        bot_terms is not None
        and bot_terms.program == PROGRAM
        and bot_terms.level in BOT_LEVELS
        and bot_terms.iterations > 0
    )


def do_again(turn: DecisionPoint) -> Action:
    """What the bot of this turn had to do, by the part of its budget that it had said before."""
    bot_terms = turn.bot_terms
    assert bot_terms is not None and is_repeatable(bot_terms), "the bot is one of ours"
    settings = SearchSettings(turn.seed, bot_terms.level, bot_terms.iterations, turn.part)
    return decide(turn.game, turn.table, turn.observation, turn.seat, settings).action


class Repeater:
    """The judge of bots: does a part of their decisions again, and counts them.

    A decision costs what it cost the bot, so of all of them only some are picked by `is_wanted`;
    whoever wants to cheat cannot know which.  How often a bot was in a hurry stands in the log.
    """

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        self.repeated: dict[int, int] = {}  # By seat: how many decisions were done again,
        self.met: dict[int, int] = {}  # of how many,
        self.hurried: dict[int, int] = {}  # and how many of these were made in a hurry.

    def __call__(self, decided: Decided) -> str:
        """What is wrong with a choice; see `p2p.audit.audit.Recheck`."""
        turn = decided.turn
        if not is_repeatable(turn.bot_terms):
            return ""
        self.met[turn.seat] = self.met.get(turn.seat, 0) + 1
        if turn.part != WHOLE:
            self.hurried[turn.seat] = self.hurried.get(turn.seat, 0) + 1
        if not self._is_wanted():
            return ""
        self.repeated[turn.seat] = self.repeated.get(turn.seat, 0) + 1
        due = do_again(turn)
        if _plain(turn, due) == _plain(turn, decided.action):
            return ""
        told = turn.game.describe(turn.table, decided.action, turn.observation)
        wanted = turn.game.describe(turn.table, due, turn.observation)
        return f"chose {told} where its program chooses {wanted}"


def _plain(turn: DecisionPoint, action: Action) -> Action:
    return canonical(turn.game, turn.table, turn.observation, action)
