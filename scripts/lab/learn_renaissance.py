"""Learn what the assets of a seat of Renaissance are worth: `_LEARNED` in ai/games/renaissance.py.

    lab.py learn_renaissance --seats 2

The policy of imagined games plays whole games against itself.  Now and then it is noted what each
seat has, and at the end who has won.  To that a logistic regression is fitted (Adagrad).  Printed
are the numbers, and how well they tell who wins games that they were not fitted to: the loss in
bits for a position, of these numbers and of those that the program has.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from math import exp, log, log2, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from scripts import environment

if TYPE_CHECKING:
    from ai.games.renaissance import RenaissanceKnowledge

GAMES: Final = 3000
TESTED_PART: Final = 5  # One game in so many is not fitted to.
STRIDE: Final = 15  # A position is noted after so many choices at most.
EPOCHS: Final = 6
RATE: Final = 0.1
DOUBLING: Final = 64  # The unit of the numbers.


class Noted(NamedTuple):
    """What each seat had, which part of the victory it got, and what the program expected."""

    assets: tuple[tuple[int, ...], ...]
    won: tuple[float, ...]
    expected: tuple[int, ...]


def positions(seats: int, seed: int) -> list[Noted]:
    """Some positions of one game."""
    from ai.games.renaissance import KNOWLEDGE, assets
    from ai.imagined import go_on
    from core.chance import Chance
    from core.engine import start
    from core.games.renaissance import GAME
    from core.requests import Choice

    knowledge: RenaissanceKnowledge = KNOWLEDGE(GAME)
    lots, chance, table = random.Random(seed), Chance(seed), start(GAME, seats, {})
    deal, noted, due = table.face[:], list[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]](), 0
    while isinstance(pending := go_on(GAME, table, deal, chance), Choice):
        due -= 1
        if due < 0:
            due = lots.randrange(STRIDE)
            each = tuple(tuple(assets(table, seat)) for seat in range(seats))
            noted.append((each, tuple(knowledge.evaluate(table))))
        seat = pending.player
        GAME.apply(table, seat, knowledge.rollout(table, seat, deal, chance))
    winners = GAME.winners(table)
    won = tuple((seat in winners) / len(winners) for seat in range(seats))
    return [Noted(each, won, expected) for each, expected in noted]


def fitted(noted: Sequence[Noted]) -> list[float]:
    """What each asset counts, in logits."""
    count, lots = len(noted[0].assets[0]), random.Random(1)
    scale = [
        _spread([each[place] for one in noted for each in one.assets]) for place in range(count)
    ]
    order, numbers, squares = list(noted), [0.0] * count, [1e-6] * count
    for _ in range(EPOCHS):
        lots.shuffle(order)
        for one in order:
            scaled = [[each / size for each, size in zip(has, scale, strict=True)]
                      for has in one.assets]  # fmt: skip
            missed = [
                share - won for share, won in zip(shares_by(scaled, numbers), one.won, strict=True)
            ]
            for place in range(count):
                slope = sum(miss * has[place] for miss, has in zip(missed, scaled, strict=True))
                squares[place] += slope * slope
                numbers[place] -= RATE * slope / sqrt(squares[place])
    return [number / size for number, size in zip(numbers, scale, strict=True)]


def _spread(values: list[int]) -> float:
    mean = sum(values) / len(values)
    return max(1.0, sqrt(sum((each - mean) ** 2 for each in values) / len(values)))


def shares_by(assets: Sequence[Sequence[float]], numbers: Sequence[float]) -> list[float]:
    """The part of the victory that these numbers give to each seat."""
    worth = [
        sum(each * number for each, number in zip(has, numbers, strict=True)) for has in assets
    ]
    weights = [exp(each - max(worth)) for each in worth]
    return [each / sum(weights) for each in weights]


def loss(noted: Sequence[Noted], expected: Callable[[Noted], Sequence[float]]) -> float:
    """How many bits it takes to say who has won, to whoever expects that."""
    bits = 0.0
    for one in noted:
        whole = sum(expected(one))
        for share, won in zip(expected(one), one.won, strict=True):
            if won:
                bits -= won * log2(max(share / whole, 1e-6))
    return bits / len(noted)


def main(arguments: list[str]) -> int:
    """Play, fit, and print the numbers."""
    from ai.games.renaissance import SCORINGS_EXPECTED
    from core.games.renaissance import GAME

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, choices=GAME.players, default=2)
    parser.add_argument("--games", type=int, default=GAMES)
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    games = [positions(asked.seats, seed) for seed in range(asked.games)]
    tested = [one for game in games[::TESTED_PART] for one in game]
    noted = [one for number, game in enumerate(games) if number % TESTED_PART for one in game]
    numbers = fitted(noted)
    end = SCORINGS_EXPECTED[asked.seats]
    print(tuple(round(DOUBLING * end * number / log(2)) for number in numbers))
    mine = loss(tested, lambda one: shares_by(one.assets, numbers))
    programs = loss(tested, lambda one: one.expected)
    print(
        f"{len(noted)} positions; of {len(tested)} others a position takes {mine:.3f} bits", end=""
    )
    print(f", and {programs:.3f} with the numbers of the program")
    return 0
