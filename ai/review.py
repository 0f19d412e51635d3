"""Which choices of a seat cost it most, found after a game by the search that gives hints.

Search thinks anew about every choice, from what the seat knew then.  Where it would have done
something else, the two are compared on the same imagined deals with the same luck.  Of many
differences the largest are partly luck, so those that seem to cost most are compared once more, on
other deals; only what this second look says is told, and only where luck does not explain it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ai.advice.explain import usual_iterations
from ai.games import find_knowledge
from ai.levels import SearchSettings
from ai.seats.brain import Brain, Comparing
from core.requests import Action, Player
from p2p.base.roster import DecisionPoint

_LEVEL: Final = "sharp"  # As for a hint, ...
_BUDGET: Final = "steady"  # ... with this budget, where there are not too many choices for that.
_TOLD_MAX: Final = 3
_FINALISTS: Final = 8  # So many are compared once more.
_SECONDS: Final = 30  # To think about all choices, in plain Python on an ordinary machine.
_ITERATIONS_MIN: Final = 40  # With 20, search hardly finds in Civilization what costs most.
_HASTE: Final = 8  # The first look takes one deal for so many iterations, the second one for each.
_FIRST_MIN: Final = 8  # Deals of the first look, ...
_SECOND_MIN: Final = 250  # ... and of the second: with 20, no difference was more than luck.
_ERRORS: Final = 2  # So many standard errors are not luck.


class MadeChoice(NamedTuple):
    """What a seat did at a point of a game."""

    turn: DecisionPoint
    action: Action


class CostlyChoice(NamedTuple):
    """A choice, what would have been better, and how often each of them wins, in thousandths."""

    entry: int  # Events before it.
    seat: Player
    made: str  # In the notation of the game.
    better: str
    made_permille: int
    better_permille: int

    @property
    def cost(self) -> int:
        """How much less often it wins."""
        return self.better_permille - self.made_permille


class _Doubt(NamedTuple):
    """A choice at which search would have done something else."""

    choice: MadeChoice
    better: Action
    cost: int


Progress = Callable[[int, int], object]  # How many steps are done, of how many.


async def review(
    brain: Brain, choices: Sequence[MadeChoice], tell: Progress
) -> tuple[CostlyChoice, ...]:
    """The choices that cost most, the worst first: three at most, or none."""
    open_choices = [each for each in choices if _is_open(each.turn)]
    steps, doubts = len(open_choices) + _FINALISTS, list[_Doubt]()
    iterations = _iterations(open_choices)
    for done, choice in enumerate(open_choices):
        tell(done, steps)
        doubts += await _doubts(brain, choice, iterations)
    doubts.sort(key=lambda each: -each.cost)
    found = list[CostlyChoice]()
    for done, doubt in enumerate(doubts[:_FINALISTS], len(open_choices)):
        tell(done, steps)
        found += await _costly(brain, doubt, iterations)
    return tuple(sorted(found, key=lambda each: -each.cost)[:_TOLD_MAX])


def _is_open(turn: DecisionPoint) -> bool:
    """Whether there was something to choose."""
    return len(turn.game.legal_actions(turn.table, turn.seat, turn.observation)) > 1


def _iterations(choices: Sequence[MadeChoice]) -> int:
    """The budget of one choice: less where a game has very many."""
    if not choices:
        return _ITERATIONS_MIN
    game = choices[0].turn.game
    share = find_knowledge(game).speed * _SECONDS // len(choices)
    return max(min(usual_iterations(game, _BUDGET), share), _ITERATIONS_MIN)


async def _doubts(brain: Brain, choice: MadeChoice, iterations: int) -> list[_Doubt]:
    """The choice with what search would have done, if that is something else and seems better."""
    turn = choice.turn
    seen = turn.game.slug, turn.table, turn.observation, turn.seat
    best = (await brain.decide(*seen, SearchSettings(turn.seed, _LEVEL, iterations))).action
    key = find_knowledge(turn.game).key
    if key(best, turn.observation) == key(choice.action, turn.observation):
        return []
    deals = max(iterations // _HASTE, _FIRST_MIN)
    comparing = Comparing((choice.action, best), turn.seed + 1, deals, iterations)
    contest = await brain.compare(*seen, comparing)
    cost = contest.second - contest.first
    return [_Doubt(choice, best, cost)] if cost > 0 else []


async def _costly(brain: Brain, doubt: _Doubt, iterations: int) -> list[CostlyChoice]:
    """The choice as it is told after a second look, if that confirms the first."""
    turn, made = doubt.choice
    seen = turn.game.slug, turn.table, turn.observation, turn.seat
    deals = max(iterations, _SECOND_MIN)
    comparing = Comparing((made, doubt.better), turn.seed + 2, deals, iterations)
    contest = await brain.compare(*seen, comparing)
    if contest.second - contest.first <= _ERRORS * contest.error:
        return []
    told, better = (
        turn.game.describe(turn.table, action, turn.observation) for action in comparing.pair
    )
    return [CostlyChoice(turn.event_count, turn.seat, told, better, contest.first, contest.second)]
