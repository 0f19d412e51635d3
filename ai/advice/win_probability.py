"""How a game went: the win probability of each seat by turns, and the turn that decided most.

It is estimated by rollouts, as in search: what nobody here knows is dealt anew, and all seats play
by what is known of the game.  Where the winners' chance rose most, the
turns are judged once more, with more deals: of many differences the largest is partly luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt
from typing import Final, NamedTuple

from ai.games import find_knowledge
from ai.search.knowledge import REWARD_ONE, Knowledge
from ai.search.rollout import Rollout
from core.chance import Chance
from core.determinization import determinize
from core.games import find_game
from core.requests import Player
from core.table import Observation, Table

POINTS_MAX: Final = 40  # Of a curve, which has one line on a screen.
_SECONDS: Final = 6  # For all of them, in plain Python on an ordinary machine.
_DEALS_MIN: Final = 12
_DEALS_MAX: Final = 120
_AGAIN: Final = 4  # So many times the deals for the second look.
_ERRORS: Final = 2  # So many standard errors are not luck.
_SEEDS: Final = 10_000  # Deals of one position never have the seeds of another's.


class Waypoint(NamedTuple):
    """A position as it is known here: that a turn begins, or the end."""

    entry: int  # Events before it.
    table: Table
    observation: Observation


class TurningPoint(NamedTuple):
    """The turn that decided most."""

    number: int  # From 1 on.
    entry: int  # Where it begins,
    end: int  # and where the next one does.
    before_permille: int  # The chance of the winners,
    after_permille: int


class WinCurve(NamedTuple):
    """The chances of every seat in thousandths, at some turns and the end."""

    numbers: tuple[int, ...]  # Of the turns, from 1 on.
    chances: tuple[tuple[int, ...], ...]  # At each, of every seat.
    turned: TurningPoint | None  # None: no turn made a difference that luck does not explain.


def win_curve(slug: str, waypoints: Sequence[Waypoint], winners: Sequence[Player]) -> WinCurve:
    """The course of a game that is over: a waypoint for each turn, and the end."""
    knowledge = find_knowledge(find_game(slug))
    some = _spread(len(waypoints))
    deals = max(_DEALS_MIN, min(_DEALS_MAX, knowledge.speed * _SECONDS // len(some)))
    knowledge.prepare(waypoints[0].table, deals)
    seen = {at: _chances(knowledge, waypoints[at], at, deals) for at in some}
    turned = _turned(knowledge, waypoints, seen, winners, _AGAIN * deals)
    return WinCurve(tuple(at + 1 for at in some), tuple(seen.values()), turned)


def _spread(count: int) -> list[int]:
    """The first, the last, and so many between them as a curve has room for."""
    points = min(count, POINTS_MAX)
    return [at * (count - 1) // max(points - 1, 1) for at in range(points)]


def _turned(
    knowledge: Knowledge,
    waypoints: Sequence[Waypoint],
    seen: dict[int, tuple[int, ...]],
    winners: Sequence[Player],
    deals: int,
) -> TurningPoint | None:
    """The turn that decided most, after a second look at all turns where the first saw most."""

    sides = knowledge.sides(waypoints[0].table)
    one_of_each = {sides[seat]: seat for seat in winners}.values()  # Partners have one chance.

    def won(chances: Sequence[int]) -> int:
        return sum(chances[seat] for seat in one_of_each)

    rises = [(won(seen[end]) - won(seen[begin]), begin, end) for begin, end in pairwise(seen)]
    if not rises:
        return None
    _, first, last = max(rises, key=lambda rise: rise[0])
    again = [won(_chances(knowledge, waypoints[at], at + len(waypoints), deals))
             for at in range(first, last + 1)]  # fmt: skip
    rise, at = max((after - before, at) for at, (before, after) in enumerate(pairwise(again)))
    if rise <= _ERRORS * _error(again[at], again[at + 1], deals):
        return None
    entry, end = waypoints[first + at].entry, waypoints[first + at + 1].entry
    return TurningPoint(first + at + 1, entry, end, again[at], again[at + 1])


def _error(before: int, after: int, deals: int) -> int:
    """The standard error of the difference of two chances, in thousandths."""
    return isqrt((before * (1000 - before) + after * (1000 - after)) // deals)


def _chances(knowledge: Knowledge, waypoint: Waypoint, seed: int, deals: int) -> tuple[int, ...]:
    """The chance of every seat, in thousandths."""
    sums = [0] * waypoint.table.layout.players
    for deal in range(deals):
        chance = Chance(seed * _SEEDS + deal)
        imagined = determinize(waypoint.table, waypoint.observation, chance)
        rollout = Rollout(knowledge, waypoint.table.copy(), imagined, chance)
        value = rollout.play_on(rollout.fast_forward())
        sums = [total + each for total, each in zip(sums, value, strict=True)]
    return tuple(min(1000, total * 1000 // (deals * REWARD_ONE)) for total in sums)
