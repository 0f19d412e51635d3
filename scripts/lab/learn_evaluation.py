"""Learn the evaluation of an unfinished game: how much each feature of a seat counts.

    lab.py learn_evaluation renaissance --seats 2

The policy of imagined games plays whole games against itself.  Now and then it is noted what each
seat has (`features` of what bots know of the game), and at the end who has won.  To that a logistic
regression is fitted (Adagrad).  Printed are the numbers, and how well they tell who wins games that
they were not fitted to: the loss in bits for a position, of these numbers and of those that the
program has.
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
    from ai.search.knowledge import Knowledge
    from core.chance import Chance
    from core.requests import Choice, Secret
    from core.table import Table

GAMES: Final = 3000
TESTED_PART: Final = 5  # One game in so many is not fitted to.
STRIDE: Final = 15  # A position is noted after so many choices at most.
EPOCHS: Final = 6
RATE: Final = 0.1
CHOICES_MAX: Final = 10_000  # In one game.


class Noted(NamedTuple):
    """What each seat had, which part of the victory it got, and what the program expected."""

    features: tuple[tuple[int, ...], ...]
    won: tuple[float, ...]
    expected: tuple[int, ...]


class Evaluated(NamedTuple):
    """A game whose evaluation adds up what seats have."""

    features: Callable[[Table, int], Sequence[int]]
    unit: Callable[[int], float]  # How many parts of its numbers a logit has, by the seats.


def evaluated(slug: str) -> Evaluated:
    """One of the games whose evaluation is learned."""
    from ai.search.softmax import DOUBLING

    if slug == "civilization":
        from ai.games.civilization import evaluation

        return Evaluated(evaluation.features, lambda seats: DOUBLING * evaluation.TENTHS / log(2))
    from ai.games import renaissance

    return Evaluated(
        renaissance.features,
        lambda seats: DOUBLING * renaissance.SCORINGS_EXPECTED[seats] / log(2),
    )


def positions(slug: str, seats: int, seed: int) -> list[Noted]:
    """Some positions of one game."""
    from ai.games import find_knowledge
    from ai.search.transitions import fast_forward
    from core.chance import Chance
    from core.engine import start
    from core.games import find_game
    from core.requests import Over

    game, features = find_game(slug), evaluated(slug).features
    knowledge = find_knowledge(game)
    lots, chance, table = random.Random(seed), Chance(seed), start(game, seats, {})
    deal, noted, due = table.face[:], list[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]](), 0
    for _ in range(CHOICES_MAX):
        pending = fast_forward(game, table, deal, chance)
        if isinstance(pending, Over):
            break
        due -= 1
        if due < 0:
            due = lots.randrange(STRIDE)
            each = tuple(tuple(features(table, seat)) for seat in range(seats))
            noted.append((each, tuple(knowledge.evaluate(table))))
        choose(knowledge, table, deal, pending, chance)
    winners = game.winners(table)
    won = tuple((seat in winners) / max(len(winners), 1) for seat in range(seats))
    return [Noted(each, won, expected) for each, expected in noted]


def choose(
    knowledge: Knowledge, table: Table, deal: list[int], pending: Choice | Secret, chance: Chance
) -> None:
    """Whoever is asked does as in imagined games."""
    from core.determinization import observation_of
    from core.requests import to_act

    game = knowledge.game
    seats = to_act(pending)
    actions = [
        knowledge.rollout_policy(table, seat, observation_of(table, deal, seat), chance)
        for seat in seats
    ]
    for seat, action in zip(seats, actions, strict=True):
        game.apply(table, seat, action)


def fitted(noted: Sequence[Noted]) -> list[float]:
    """What each asset counts, in logits.

    Nothing counts against whoever has it, though who has it may lose oftener: search
    would avoid it.
    """
    count, lots = len(noted[0].features[0]), random.Random(1)
    scale = [
        _spread([each[place] for one in noted for each in one.features]) for place in range(count)
    ]
    order, numbers, squares = list(noted), [0.0] * count, [1e-6] * count
    for _ in range(EPOCHS):
        lots.shuffle(order)
        for one in order:
            scaled = [[each / size for each, size in zip(has, scale, strict=True)]
                      for has in one.features]  # fmt: skip
            missed = [
                share - won for share, won in zip(shares_by(scaled, numbers), one.won, strict=True)
            ]
            for place in range(count):
                slope = sum(miss * has[place] for miss, has in zip(missed, scaled, strict=True))
                squares[place] += slope * slope
                moved = numbers[place] - RATE * slope / sqrt(squares[place])
                numbers[place] = max(moved, 0.0)
    return [number / size for number, size in zip(numbers, scale, strict=True)]


def _spread(values: list[int]) -> float:
    mean = sum(values) / len(values)
    return max(1.0, sqrt(sum((each - mean) ** 2 for each in values) / len(values)))


def shares_by(features: Sequence[Sequence[float]], numbers: Sequence[float]) -> list[float]:
    """The part of the victory that these numbers give to each seat."""
    worth = [
        sum(each * number for each, number in zip(has, numbers, strict=True)) for has in features
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
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=("civilization", "renaissance"))
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--games", type=int, default=GAMES)
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    games = [positions(asked.game, asked.seats, seed) for seed in range(asked.games)]
    tested = [one for game in games[::TESTED_PART] for one in game]
    noted = [one for number, game in enumerate(games) if number % TESTED_PART for one in game]
    numbers = fitted(noted)
    unit = evaluated(asked.game).unit(asked.seats)
    print(tuple(round(unit * number) for number in numbers))
    mine = loss(tested, lambda one: shares_by(one.features, numbers))
    programs = loss(tested, lambda one: one.expected)
    print(
        f"{len(noted)} positions; of {len(tested)} others a position takes {mine:.3f} bits", end=""
    )
    print(f", and {programs:.3f} with the numbers of the program")
    return 0
