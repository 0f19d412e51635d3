"""OpenSpiel's own algorithms on our games: what the tests try on a stand-in, tried for real.

    lab.py openspiel_games      with a Python that has open_spiel and our libraries

OpenSpiel takes 300 MB with all that it needs, so it is no part of the checks.  Four things are
tried, and each of them fails aloud:

- random games of every game of ours, by way of OpenSpiel alone;
- its information-set search (ISMCTS, Cowling and others 2012) chooses in positions of Carta;
- its counterfactual regret minimization solves Kuhn's poker, which it could not do if a seat was
  told too much or too little: then the strategy it finds could be exploited;
- its hearts and that of `scripts/bench/hearts.py`, with which the searches of both are timed, are
  one game: the same cards can be played at every choice, and the points are the same.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

RANDOM_GAMES: Final = 20
POSITIONS: Final = 8
STRIDE: Final = 5  # Choices between them.
ITERATIONS: Final = 25
EXPLORATION: Final = 1.4
TOLERANCE: Final = 1e-9
KUHN_DEALS: Final = 60
KUHN_ROUNDS: Final = 60
EXPLOITABLE_MAX: Final = 0.06  # Of a chip; a seat that bets at random loses several times that.
HEARTS_GAMES: Final = 500


def choices(game: Any, seed: int) -> Iterator[Any]:
    """Every state of a random game in which a seat has to choose, before it does."""
    chance, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance.choice(state.chance_outcomes())[0])
        else:
            yield state
            state.apply_action(chance.choice(state.legal_actions()))
    assert sum(state.returns()) == 0


def try_random_games(spiel: Any, name: str) -> str:
    """Every seat does anything."""
    game = spiel.load_game(name, {"seats": 2})
    began = time.perf_counter()
    for seed in range(RANDOM_GAMES):
        for _ in choices(game, seed):
            pass
    took_ms = 1000 * (time.perf_counter() - began) / RANDOM_GAMES
    return f"{name}: {RANDOM_GAMES} random games, {took_ms:.0f} ms each"


def try_search(spiel: Any) -> str:
    """ISMCTS in positions of a random game."""
    import numpy
    from open_spiel.python.algorithms import ismcts, mcts

    game = spiel.load_game("hostless_carta", {"seats": 2})
    chance = numpy.random.RandomState(7)
    rollouts = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(game, rollouts, EXPLORATION, ITERATIONS, random_state=chance)
    wanted = [state.clone() for state in choices(game, 7) if len(state.legal_actions()) > 1]
    began = time.perf_counter()
    for state in wanted[: POSITIONS * STRIDE : STRIDE]:
        policy = dict(bot.get_policy(state))
        assert set(policy) == set(state.legal_actions())
        assert abs(sum(policy.values()) - 1) < TOLERANCE
    took_ms = 1000 * (time.perf_counter() - began) / POSITIONS
    return f"ISMCTS, {ITERATIONS} iterations, on Carta: {POSITIONS} choices, {took_ms:.0f} ms each"


def try_solving(spiel: Any) -> str:
    """Regret minimization on Kuhn's poker."""
    from open_spiel.python.algorithms import cfr, exploitability

    from ai.openspiel import game_class
    from tests.kuhn import KUHN

    game = game_class(spiel, KUHN)({"deals": KUHN_DEALS})
    solver = cfr.CFRPlusSolver(game)
    for _ in range(KUHN_ROUNDS):
        solver.evaluate_and_update_policy()
    lost = exploitability.exploitability(game, solver.average_policy())
    assert lost < EXPLOITABLE_MAX, f"the strategy found loses {lost} to the best answer"
    return f"CFR+, {KUHN_ROUNDS} rounds, on Kuhn's poker: exploitable by {lost:.4f}"


def try_hearts(spiel: Any) -> str:
    """Random games of hearts on both engines at once."""
    for seed in range(HEARTS_GAMES):
        _play_hearts(spiel.load_game("hearts").new_initial_state(), seed)
    return f"hearts: {HEARTS_GAMES} random games, the same on both engines"


def _play_hearts(theirs: Any, seed: int) -> None:
    from core.chance import Chance
    from core.engine import run_until_choice, start
    from core.requests import Choice
    from scripts.bench import hearts

    game, table, chance = hearts.GAME, start(hearts.GAME, hearts.SEATS, {}), Chance(seed)
    deal = table.face[:]
    pending = run_until_choice(game, table, deal, chance)
    theirs.apply_action(table.counters[hearts.DIRECTION])
    for place in range(hearts.HAND_CARDS):
        for seat in range(hearts.SEATS):
            theirs.apply_action(deal[table.zones[hearts.HAND + seat][place]])
    while isinstance(pending, Choice):
        player = pending.player
        offered = game.legal_actions(table, player, deal)
        action = chance.pick(offered)
        if action.cards:  # Theirs need not ask for the two of clubs.
            assert theirs.current_player() == player
            assert theirs.legal_actions() == sorted([deal[each.cards[0]] for each in offered])
            theirs.apply_action(deal[action.cards[0]])
        game.apply(table, player, action)
        pending = run_until_choice(game, table, deal, chance)
    points = [hearts.ALL_POINTS + score for score in game.scores(table)]
    assert theirs.returns() == points, f"seed {seed}: {theirs.returns()} and {points}"


def main(arguments: list[str]) -> int:
    """Try all of it, or say in one line how to get OpenSpiel."""
    argparse.ArgumentParser(description="Try OpenSpiel on our games.").parse_args(arguments)
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not here: `pip install open_spiel` brings it.", file=sys.stderr)
        return 1
    from ai.openspiel import register

    for name in register():
        print(try_random_games(pyspiel, name), flush=True)
    print(try_search(pyspiel), flush=True)
    print(try_solving(pyspiel), flush=True)
    print(try_hearts(pyspiel), flush=True)
    return 0
