#!/usr/bin/env python3
"""How strong the bots are: `python3 scripts/strength.py [--games N] [--only NAME ...] [--times]`.

Plays the tournaments that docs/bots.md quotes and prints a line for each, with the time a bot took
for a choice.  The same seed gives the same games on every machine; only the times differ.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from ai.arena import Result
    from core.table import Eyes, Table

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
GAMES: Final = 200


class Tournament(NamedTuple):
    """Who plays whom, with which options, and how many games unless told otherwise."""

    name: str
    players: tuple[str, ...]
    options: Mapping[str, str | bool] = {}
    games: int = GAMES


TOURNAMENTS: Final = (
    Tournament("steady-random", ("steady", "random")),
    Tournament("steady-rush", ("steady", "rush")),
    Tournament("steady-greedy", ("steady", "greedy")),
    Tournament("gentle-rush", ("gentle", "rush")),
    Tournament("steady-gentle", ("steady", "gentle")),
    Tournament("sharp-steady", ("sharp", "steady"), games=40),
    Tournament("three", ("steady", "rush", "greedy"), games=60),
    Tournament("four", ("steady", "rush", "greedy", "gentle"), games=60),
    Tournament("team", ("steady", "rush", "steady", "rush"), {"team": True}, games=40),
    Tournament("draft", ("steady", "rush"), {"deal": "draft"}, games=60),
)


def play(tournament: Tournament, games: int, seed: int) -> None:
    """Play one tournament on every core and print the standings."""
    from ai.arena import pairings, run, sentence, tally

    workers = os.cpu_count() or 1
    matches = pairings("carta", tournament.players, games, seed, tournament.options)
    results: list[Result] = []
    started = time.perf_counter()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
        for result in run(matches, executor, workers):
            results.append(result)
            if len(results) % 20 == 0:
                print(f"{tournament.name}: {len(results)} of {games}", file=sys.stderr, flush=True)
    took = time.perf_counter() - started
    choices = sum(result.choices for result in results)
    print(f"{tournament.name}: {games} games, {took:.0f} s, {choices / games:.0f} choices a game")
    for standing in tally(results, tournament.players):
        print("   ", sentence(standing), flush=True)


def times(seed: int) -> None:
    """How long every level thinks about the choices of one game, on one core."""
    from ai.knowledge.known import find_knowledge
    from ai.levels import LEVELS, decide
    from core.games import find_game

    game, found = find_game("carta"), positions(seed)
    for level in LEVELS.values():
        took_ms, iterations, budget = [], 0, level.iterations(find_knowledge(game).speed)
        for table, eyes, seat in found:
            started = time.perf_counter()
            decision = decide(
                game, table, eyes, seat, seed=seed, level=level.name, iterations=budget
            )
            took_ms.append(1000 * (time.perf_counter() - started))
            iterations += decision.iterations
        took_ms.sort()
        median, most = took_ms[len(took_ms) // 2], took_ms[-1]
        rate = 1000 * iterations / sum(took_ms)
        print(f"{level.name}: median {median:.0f} ms, longest {most:.0f} ms, {rate:.0f} it/s")


def positions(seed: int) -> list[tuple[Table, Eyes, int]]:
    """Every real choice of a game between two hasty bots: the table, the eyes, the seat."""
    from ai.players import find_player
    from core.chance import Chance
    from core.engine import settle
    from core.game import complete_options
    from core.games import find_game
    from core.imagine import blindfold
    from core.requests import Choice

    game, chance, found = find_game("carta"), Chance(seed), []
    table = game.setup(2, complete_options(game, 2, {}))
    deal, choose = table.face[:], find_player(game, "search:20")
    while isinstance(pending := settle(game, table, deal, chance), Choice):
        seat = pending.player
        eyes = blindfold(table, deal, seat)
        if len(game.legal_actions(table, seat, eyes)) > 1:
            found.append((table.copy(), eyes, seat))
        game.apply(table, seat, choose(table, eyes, seat, chance.next()))
    return found


def main() -> int:
    """Play what was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, help="instead of each tournament's own number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=[each.name for each in TOURNAMENTS])
    parser.add_argument("--times", action="store_true", help="only how long every level thinks")
    asked = parser.parse_args()
    if asked.times:
        times(asked.seed)
        return 0
    for tournament in TOURNAMENTS:
        if asked.only is None or tournament.name in asked.only:
            play(tournament, asked.games or tournament.games, asked.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
