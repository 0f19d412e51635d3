"""How well the judgement of bots of Civilization foretells who wins, early and late.

    lab.py civilization_foresight --games 400 --seats 4

Plain players play; one choice in forty is made at random, so that games differ.  At the start of
every turn the judgement gives each seat a share; what counts is the surprise (minus the logarithm)
at the share of who has won in the end.  Even shares would have the logarithm of the seats.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from math import log
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ai.search.knowledge import Knowledge

AT_RANDOM: Final = 40
CHOICES_MAX: Final = 5000
TURNS: Final = 7  # So many are one row of what is printed.


def main(arguments: list[str]) -> int:
    """Play, and print the mean surprise at early and at late turns."""
    from ai.games import find_knowledge
    from core.games import find_game

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=400, metavar="N")
    parser.add_argument("--seats", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--first-seed", type=int, default=0, metavar="S")
    asked = parser.parse_args(arguments)
    knowledge = find_knowledge(find_game("civilization"))
    surprises = defaultdict[int, list[float]](list)
    for seed in range(asked.first_seed, asked.first_seed + asked.games):
        shares, winner = played(knowledge, asked.seats, seed)
        for turn, each in enumerate(shares if winner >= 0 else []):
            surprises[turn // TURNS].append(-log(max(each[winner], 1) / sum(each)))
    for row, found in sorted(surprises.items()):
        turns = f"turns {row * TURNS + 1} to {row * TURNS + TURNS}"
        print(f"{turns}: {sum(found) / len(found):.4f} at {len(found)} turns")
    every = [each for found in surprises.values() for each in found]
    print(f"all: {sum(every) / len(every):.4f}; even shares {log(asked.seats):.4f}")
    return 0


def played(knowledge: Knowledge, seats: int, seed: int) -> tuple[list[list[int]], int]:
    """The shares at the start of every turn, and who has won; -1: nobody."""
    from core.chance import Chance
    from core.determinization import observation_of
    from core.engine import run_until_choice, start
    from core.games.civilization.layout import TURN, WINNER
    from core.requests import Choice, Over

    game, chance = knowledge.game, Chance(seed)
    table, shares = start(game, seats, {}), list[list[int]]()
    deal = table.face[:]
    for _ in range(CHOICES_MAX):
        pending = run_until_choice(game, table, deal, chance)
        if isinstance(pending, Over):
            break
        if table.counters[TURN] > len(shares):
            shares.append(knowledge.evaluate(table))
        for seat in [pending.player] if isinstance(pending, Choice) else pending.players:
            seen = observation_of(table, deal, seat)
            action = None if not chance.below(AT_RANDOM) else knowledge.policy(table, seat, seen)
            game.apply(table, seat, action or chance.pick(game.legal_actions(table, seat, seen)))
    return shares, table.counters[WINNER]
