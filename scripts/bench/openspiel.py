#!/usr/bin/env python3
"""OpenSpiel's search on two of its card games, timed: a yardstick for ours; used by figures.py.

OpenSpiel (Lanctot and others 2019) has information-set search in C++ and in Python.  Both play an
imagined game to its end at random, so `rules.py` measures ours in the same way as well.
Hearts is played by ours as well (`hearts.py`).  Every line is a figure: what, how many, the unit;
times are of the process.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

GAMES: Final = ("hearts", "gin_rummy")
ITERATIONS: Final = 200  # For one move; the same in rules.py.
PLIES: Final = (0, 12, 24)  # Choices before the positions; hearts in OpenSpiel 2.0.2 crashes at 6.
EXPLORATION: Final = 2.0
ROUNDS: Final = 3
RANDOM_GAMES: Final = 100

Figure = tuple[str, float, str]


def positions(game: Any) -> list[Any]:
    """Some positions of one random game in which there is something to choose."""
    chance, state, plies = random.Random(7), game.new_initial_state(), 0
    found = list[Any]()
    while not state.is_terminal() and len(found) < len(PLIES):
        actions = state.legal_actions()
        is_choice = not state.is_chance_node() and len(actions) > 1
        if is_choice and plies >= PLIES[len(found)]:
            found.append(state.clone())
        plies += is_choice
        state.apply_action(chance.choice(actions))
    return found


def play_at_random(game: Any, seed: int) -> int:
    """Play one game at random, its rules in C++ and the loop in Python; how many choices it had."""
    chance, state, choices = random.Random(seed), game.new_initial_state(), 0
    while not state.is_terminal():
        choices += not state.is_chance_node()
        state.apply_action(chance.choice(state.legal_actions()))
    return choices


def move_ms(bot: Callable[[int], Any], states: list[Any]) -> float:
    """Milliseconds of processor time for one move, best of three; the median over positions."""
    return statistics.median(
        [
            min([_step_ms(bot(number), state.clone()) for _ in range(ROUNDS)])
            for number, state in enumerate(states)
        ]
    )


def _step_ms(player: Any, state: Any) -> float:
    started = time.process_time()
    player.step(state)
    return 1000 * (time.process_time() - started)


def figures(name: str) -> Iterator[Figure]:
    """Random games and moves of one game."""
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game(name)
    states = positions(game)
    rollouts = pyspiel.RandomRolloutEvaluator(1, 7)  # It has to outlive the bots that use it.

    def compiled(seed: int) -> Any:
        most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(seed, rollouts, EXPLORATION, ITERATIONS, -1, most)

    def interpreted(seed: int) -> Any:
        chance = numpy.random.RandomState(seed)
        plain = mcts.RandomRolloutEvaluator(1, chance)
        return ismcts.ISMCTSBot(game, plain, EXPLORATION, ITERATIONS, random_state=chance)

    began = time.process_time()
    choices = sum(play_at_random(game, seed) for seed in range(RANDOM_GAMES))
    took_s = time.process_time() - began
    yield f"OpenSpiel, {name}: random games", RANDOM_GAMES / took_s, "games/s"
    yield "  choices in them", choices / took_s, "choices/s"
    what = f"OpenSpiel, {name}: {ITERATIONS} iterations"
    yield f"{what}, C++", move_ms(compiled, states), "ms"
    yield f"{what}, Python", move_ms(interpreted, states), "ms"


def main() -> int:
    """Measure every game, or say in one line how to get OpenSpiel."""
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("OpenSpiel is not here: `pip install open_spiel` brings it.", file=sys.stderr)
        return 1
    for name in GAMES:
        for figure in figures(name):
            print(json.dumps(figure), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
