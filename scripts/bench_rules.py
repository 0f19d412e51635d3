#!/usr/bin/env python3
"""Rules and search of one folder, timed: `bench_rules.py games|search DIR`; used by bench.py.

Every line is a figure: what, how many, the unit.  Times are of the process, best of three rounds,
because the machine may be busy with other things.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final

ROUNDS: Final = 3
GAMES: Final = 300
SETTLED_GAMES: Final = 60
SEARCH_ITERATIONS: Final = 1000

Figure = tuple[str, float, str]


def best_s(work: Callable[[], object]) -> float:
    """Seconds of processor time that some work needs, the best of a few rounds."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def game_figures() -> Iterator[Figure]:
    """Random games: as search plays them on, and as referee and audit do, request by request."""
    from ai.imagined import play_at_random
    from core.chance import Chance
    from core.engine import start
    from core.games import find_game

    game = find_game("carta")
    for seats in (2, 4):
        fresh = start(game, seats, {})

        def play(fresh: object = fresh) -> int:
            return sum(
                play_at_random(game, fresh.copy(), fresh.face[:], Chance(seed))
                for seed in range(GAMES)
            )

        choices, took_s = play(), best_s(play)
        yield f"random games, {seats} seats", GAMES / took_s, "games/s"
        yield f"  choices in them, {seats} seats", choices / took_s, "choices/s"
    took_s = best_s(_settled_games)
    yield "the same, request by request, 2 seats", SETTLED_GAMES / took_s, "games/s"


def _settled_games() -> None:
    from core.chance import Chance
    from core.engine import settle, start
    from core.games import find_game
    from core.requests import Over

    game = find_game("carta")
    for seed in range(SETTLED_GAMES):
        table, chance = start(game, 2, {}), Chance(seed)
        deal = table.face[:]
        pending = settle(game, table, deal, chance)
        while not isinstance(pending, Over):
            actions = game.legal_actions(table, pending.player, deal)
            game.apply(table, pending.player, chance.pick(actions))
            pending = settle(game, table, deal, chance)


def search_figures() -> Iterator[Figure]:
    """Search at the first choice of a game."""
    from ai.knowledge.known import find_knowledge
    from ai.search import search
    from core.chance import Chance
    from core.engine import settle, start
    from core.games import find_game
    from core.imagine import blindfold

    game = find_game("carta")
    for seats in (2, 4):
        for seed in range(100):  # Until the hand has three cards that are not alike.
            table = start(game, seats, {})
            deal = table.face[:]
            player = settle(game, table, deal, Chance(seed)).player
            eyes = blindfold(table, deal, player)
            if len(game.legal_actions(table, player, eyes)) == 3:
                break
        where, knowledge = (game, table, eyes, player), find_knowledge(game)
        how = {"seed": 3, "iterations": SEARCH_ITERATIONS, "knowledge": knowledge}

        def think(where: tuple[object, ...] = where, how: dict[str, object] = how) -> int:
            return search(*where, **how).iterations

        iterations, took_s = think(), best_s(think)
        yield f"ISMCTS at the start, {seats} seats", iterations / took_s, "it/s"


def main() -> int:
    """Measure one bench of one folder."""
    _, bench, folder = sys.argv
    sys.path.insert(0, folder)
    for figure in {"games": game_figures, "search": search_figures}[bench]():
        print(json.dumps(figure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
