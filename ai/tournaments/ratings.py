"""How sure a tournament is: intervals over deals, Elo of the likeliest players, Wald's test.

An Elo difference of d means that the stronger of two is expected to win 1 / (1 + 10 ** (-d / 400))
of the games, a shared victory counted in parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final, NamedTuple

from core.table import RulesError

_SURE: Final = 1.959964  # Standard errors of a 95 % interval.
_ELO: Final = 400 / log(10)  # For odds of e to 1.
_DRAWN: Final = 1.0  # Games that every two players are given, drawn: nobody is rated infinite.
_STEPS_MAX: Final = 1000
_STEP_MAX: Final = 1.0  # Newton's method may shoot far beyond where the likelihood is flat.
_STEP_MIN: Final = 1e-9
_CHANCE_MAX: Final = 0.5  # An error as likely as a coin needs no test.


class Rating(NamedTuple):
    """Elo above the mean of all who were rated, and how far the 95 % interval reaches."""

    elo: float
    reach: float


@dataclass(frozen=True, slots=True)
class Sprt:
    """Wald's sequential probability ratio test (Wald 1945, "Sequential Tests", section 3).

    It asks whether a player is `elo1` or `elo0` stronger than the others at the table, and stops
    as soon as either is accepted.  `alpha` is the chance to accept elo1 where elo0 is true, `beta`
    the other way round; both hold for independent games, and the seats turned on equal deals only
    make the errors rarer.

    Raises:
        RulesError: elo0 is not below elo1, or an error is not between 0 and 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise RulesError(f"elo0 is less than elo1, not {self.elo0:g} and {self.elo1:g}")
        for chance in (self.alpha, self.beta):
            if not 0 < chance < _CHANCE_MAX:
                raise RulesError(f"alpha and beta are between 0 and 0.5, not {chance:g}")

    def accepted(self, won: float, games: int, sides: int = 2) -> float | None:
        """elo0 or elo1, when so many victories in so many games of so many sides settle it."""
        one, none = expected(self.elo1, sides), expected(self.elo0, sides)
        ratio = won * log(one / none) + (games - won) * log((1 - one) / (1 - none))
        if ratio >= log((1 - self.beta) / self.alpha):
            return self.elo1
        if ratio <= log(self.beta / (1 - self.alpha)):
            return self.elo0
        return None


def expected(elo: float, sides: int = 2) -> float:
    """The share of the victories of a side that is so much stronger than each of the others.

    >>> expected(0), expected(0, 4), round(expected(100), 2)
    (0.5, 0.25, 0.64)
    """
    return float(1 / (1 + (sides - 1) * 10 ** (-elo / 400)))


def interval(deals: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval of a player's rate, from its shares of the games on every deal.

    Games on one deal are not independent: two equal players share the two games of every deal,
    whatever the luck of it.  So the variance is that between deals (Cochran 1977, "Sampling
    Techniques", section 6.3, the ratio estimate), and Wilson's interval is taken over as many
    independent games as would vary so much (Korn and Graubard 1998).  One game won and one lost
    are added to tell the variance: deals that all ended alike do not make anything certain.

    >>> [round(bound, 3) for bound in interval([[1, 0]] * 99 + [[1, 1]])]
    [0.493, 0.517]
    """
    shares = [share for deal in deals for share in deal]
    if not shares:
        return 0.0, 1.0
    games = len(shares) + 2
    mean = (sum(shares) + 1) / games
    residues = [sum(deal) - len(deal) * mean for deal in [*deals, (1,), (0,)]]
    variance = sum(residue * residue for residue in residues) / games**2
    return wilson(sum(shares) / len(shares), mean * (1 - mean) / variance)


def wilson(rate: float, games: float) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson 1927, "Probable Inference", page 210).

    >>> [round(bound, 3) for bound in wilson(0.95, 200)]
    [0.91, 0.973]
    """
    if not games:
        return 0.0, 1.0
    square = _SURE * _SURE
    middle = rate + square / (2 * games)
    reach = _SURE * sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    whole = 1 + square / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def rate_players(won: Sequence[Sequence[float]]) -> list[Rating]:
    """The most likely Elo of players, where `won[a][b]` is how often a beat b.

    The model is Bradley and Terry's (1952), its likelihood climbed by Newton's method.  Every two
    players are given one drawn game more, so that who never won is rated low and not at minus
    infinity.  The interval comes from the curvature of the likelihood at its peak.
    """
    count = len(won)
    odds = [0.0] * count  # Natural logarithms; their sum stays 0.
    for _ in range(_STEPS_MAX):
        slope, spread = _slope(won, odds), _spread(won, odds)
        step = [sum(map(float.__mul__, row, slope)) for row in spread]
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, _STEP_MAX / longest) if longest else 1.0
        odds = [old + scale * far for old, far in zip(odds, step, strict=True)]
        if longest < _STEP_MIN:
            break
    else:
        raise AssertionError("The likelihood has one peak, and Newton's method finds it.")
    deviations = [sqrt(max(0.0, row[own] - 1 / count)) for own, row in enumerate(spread)]
    return [
        Rating(_ELO * odd, _ELO * _SURE * deviation)
        for odd, deviation in zip(odds, deviations, strict=True)
    ]


def _slope(won: Sequence[Sequence[float]], odds: Sequence[float]) -> list[float]:
    """How much more every player won than its rating lets one expect."""
    seats = range(len(odds))
    return [
        sum(
            won[a][b] + _DRAWN / 2 - _games(won, a, b) / (1 + exp(odds[b] - odds[a]))
            for b in seats
            if b != a
        )
        for a in seats
    ]


def _spread(won: Sequence[Sequence[float]], odds: Sequence[float]) -> list[list[float]]:
    """The covariance of the ratings, with 1/count added everywhere: only differences are known."""
    count = len(odds)
    curve = [[1 / count] * count for _ in odds]
    for a in range(count):
        for b in range(a):
            chance = 1 / (1 + exp(odds[b] - odds[a]))
            known = _games(won, a, b) * chance * (1 - chance)
            curve[a][a] += known
            curve[b][b] += known
            curve[a][b] -= known
            curve[b][a] -= known
    return _inverse(curve)


def _games(won: Sequence[Sequence[float]], a: int, b: int) -> float:
    return won[a][b] + won[b][a] + _DRAWN


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Gauss and Jordan's elimination; the matrix is positive definite, so no pivot is 0."""
    count = len(matrix)
    rows = [[*row, *(float(a == b) for b in range(count))] for a, row in enumerate(matrix)]
    for column in range(count):
        pivot = rows[column][column]
        rows[column] = [value / pivot for value in rows[column]]
        for other in range(count):
            if other != column:
                factor = rows[other][column]
                pairs = zip(rows[other], rows[column], strict=True)
                rows[other] = [value - factor * own for value, own in pairs]
    return [row[count:] for row in rows]
