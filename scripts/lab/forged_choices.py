"""Single choices of bots that were replaced: how many the judge finds, and how many he cannot.

    lab.py forged_choices                                    100 random games of Carta
    lab.py forged_choices --game dominion --iterations 100

One position of each game is judged several times, always by the judge that `audit --bots` uses:

    forged     another legal action than the program chooses with its whole budget
    honest     what it chooses with the whole budget
    hurried    what it chooses with a part of the budget, where it has said so before
    picked     what it chooses with a part of the budget, where it has said nothing

How many picked actions pass is counted too, of all forged ones: from these a sponsor could choose
without being found.
`lab.py forged_bots` does the same in whole games with real keys.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from dataclasses import replace
from typing import NamedTuple

from ai.seats.bot_terms import Repeater, do_again, new_bot_terms
from core.bot_levels import PARTS
from core.games import find_game
from core.requests import Action
from p2p.audit.findings import Decided
from p2p.base.roster import DecisionPoint
from p2p.game.equivalents import canonical
from tests.ai.positions import Position, positions, real_choices


class Judged(NamedTuple):
    """One position: what was found there."""

    is_found: bool  # The forged action, drawn among all others.
    accused: int  # Of the whole budget and its parts, each chosen honestly.
    passing: int  # Other actions than that of the whole budget which are accepted.
    others: int  # Of so many.


def judged(turn: DecisionPoint, rng: random.Random) -> Judged:
    """Forge at a position, and be honest there."""
    turns = [replace(turn, part=part) for part in PARTS]
    dues = [do_again(each) for each in turns]
    whole, *_ = plain = [_plain(turn, due) for due in dues]
    legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
    others = sorted({_plain(turn, action) for action in legal} - {whole})
    is_found = _is_accused(turn, rng.choice(others))
    accused = sum(_is_accused(each, due) for each, due in zip(turns, dues, strict=True))
    passing = sum(not _is_accused(turn, each) for each in set(plain) - {whole})
    return Judged(is_found, accused, passing, len(others))


def _is_accused(turn: DecisionPoint, action: Action) -> bool:
    return bool(Repeater(lambda: True)(Decided(turn, action, turn.event_count)))


def _plain(turn: DecisionPoint, action: Action) -> Action:
    return canonical(turn.game, turn.table, turn.observation, action)


def _differ(position: Position) -> bool:
    """Whether the actions are not all the same to everybody."""
    game, table, _, _ = position
    plain = {canonical(game, table, position.observation, each) for each in position.actions}
    return len(plain) > 1


def a_turn(slug: str, iterations: int, rng: random.Random) -> DecisionPoint:
    """Some real choice of a new game that is played at random."""
    game, seed = find_game(slug), rng.getrandbits(32)
    position = rng.choice([each for each in real_choices(positions(game, 2, seed))
                           if _differ(each)])  # fmt: skip
    terms = new_bot_terms("steady", iterations)
    return DecisionPoint(
        game, position.table, position.observation, position.seat, 0, rng.getrandbits(62), terms
    )


def main(arguments: list[str]) -> int:
    """Forge, judge, count; the exit code is 1 when somebody honest is accused."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="carta")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    begin, rng = time.perf_counter(), random.Random(asked.seed)
    found = [judged(a_turn(asked.game, asked.iterations, rng), rng) for _ in range(asked.games)]
    accused = sum(each.accused for each in found)
    print(f"{asked.game}, {asked.iterations} iterations, seed {asked.seed}")
    print(f"forged: {sum(each.is_found for each in found)} of {len(found)} found")
    print(f"honest and hurried: {accused} of {len(found) * len(PARTS)} accused")
    print(f"forged actions that pass: {sum(each.passing for each in found)} of "
          f"{sum(each.others for each in found)}, "
          f"at {sum(each.passing > 0 for each in found)} of {len(found)} positions")  # fmt: skip
    print(f"{time.perf_counter() - begin:.0f} s, load {os.getloadavg()[0]:.1f}")
    return 1 if accused else 0
