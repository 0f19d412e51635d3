"""What a part of search is worth: the same search with one thing changed, against itself.

    lab.py ablation carta --change nodes=0 --iterations 600
    lab.py ablation renaissance --change choices=30 --iterations 2000 --equal-time --seats 4

nodes=N        moves in the tree at most; 0: no tree, the candidates race alone
choices=N      of an imagined game, until it is judged
exploration=N  percent of the usual exploration within the tree
expansion=N    how often a move is visited before the tree grows behind it
random=N       an imagined player does anything legal once in so many choices; 1: always
former=1       how bots searched until 22 November 2026 (`scripts.lab.former_search`)

One seat has the change, the others have not; every deal is played with each seat as that one, and
the interval is over deals.  With --equal-time it has so many iterations that a choice takes it as
long as the others, by the first deals, which do not count.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Final

from scripts import environment
from scripts.lab.former_search import former_search
from scripts.lab.unknown_games import rate_text

if TYPE_CHECKING:
    from ai.search.search import Weakness
    from core.game import Game
    from core.requests import Action
    from core.table import Observation, Table

GAMES: Final = 400
TIMED_DEALS: Final = 6
REPORT_EVERY: Final = 20  # Deals.
RANDOM: Final = "random"
KNOBS: Final = {
    "choices": "rollout_choices_max", "exploration": "exploration_percent",
    "expansion": "expansion_visits", RANDOM: "random_once_in",
}  # fmt: skip
NODES: Final = "nodes"
FORMER: Final = "former"


class Searcher:
    """A search with something changed or nothing, and how long it took so far."""

    def __init__(self, game: Game, iterations: int, changes: dict[str, int]) -> None:
        from ai.games import find_knowledge
        from ai.search.search import STRONG

        self.knowledge = find_knowledge(game)
        for name, value in changes.items():
            if name in KNOBS:
                setattr(self.knowledge, KNOBS[name], value)
        nodes = changes.get(NODES)
        self.weakness: Weakness = STRONG if nodes is None else STRONG._replace(nodes_max=nodes)
        self.is_former = changes.get(FORMER, 0) > 0
        self.iterations = iterations
        self.seconds, self.thoughts = 0.0, 0

    def __call__(self, table: Table, observation: Observation, player: int, seed: int) -> Action:
        """What it does in a game, as every player of a tournament."""
        from ai.search.search import search

        began = time.process_time()
        decide = former_search if self.is_former else search
        decision = decide(
            *(self.knowledge, table, observation, player),
            seed=seed, iterations=self.iterations, weakness=self.weakness,
        )  # fmt: skip
        if decision.iterations:
            self.seconds += time.process_time() - began
            self.thoughts += 1
        return decision.action

    @property
    def mean_ms(self) -> float:
        """What a choice took that needed a thought."""
        return 1000 * self.seconds / max(1, self.thoughts)


def parse_change(text: str) -> tuple[str, int]:
    """`choices=30` as its name and number.

    Raises:
        ArgumentTypeError: there is no such change.
    """
    name, _, value = text.partition("=")
    is_number = value.isdecimal() and (name != RANDOM or int(value) > 0)
    if name not in (NODES, FORMER, *KNOBS) or not is_number:
        known = ", ".join(f"{each}=N" for each in (NODES, FORMER, *KNOBS))
        raise argparse.ArgumentTypeError(f"a change is one of {known}, not {text!r}")
    return name, int(value)


def share(fresh: Table, changed: Searcher, usual: Searcher, deal: int) -> float:
    """What the changed one has of the victories of one deal, from every seat."""
    from ai.tournaments.arena import play_out

    won, seats, game = 0.0, fresh.layout.players, usual.knowledge.game
    for seat in range(seats):
        deciders = [changed if each == seat else usual for each in range(seats)]
        winners, _ = play_out(game, fresh.copy(), deciders, deal)
        won += (seat in winners) / max(1, len(winners))
    return won / seats


def main(arguments: list[str]) -> int:
    """Play what was asked for."""
    from core.chance import Chance
    from core.engine import start
    from core.games import find_game
    from ui.commands.variants import chosen_options

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--change", type=parse_change, action="append", default=[], metavar="X=N")
    parser.add_argument("--iterations", type=int, default=600)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", nargs="+", default=[], metavar="K=V")
    parser.add_argument("--equal-time", action="store_true")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    game = find_game(asked.game)
    changed = Searcher(game, asked.iterations, dict(asked.change))
    usual = Searcher(game, asked.iterations, {})
    options = chosen_options(asked.game, asked.seats, asked.option)
    fresh, deals = start(game, asked.seats, options), Chance(asked.seed)
    if asked.equal_time:
        timed = Chance(~asked.seed)
        for _ in range(TIMED_DEALS):
            share(fresh, changed, usual, timed.next())
        changed.iterations = round(asked.iterations * usual.mean_ms / changed.mean_ms)
        print(f"{changed.iterations} iterations against {usual.iterations}", flush=True)
    won: list[float] = []
    while asked.seats * len(won) < asked.games:
        won.append(share(fresh, changed, usual, deals.next()))
        if len(won) % REPORT_EVERY == 0 or asked.seats * len(won) >= asked.games:
            _report(won, asked.seats, changed.mean_ms, usual.mean_ms)
    return 0


def _report(won: list[float], seats: int, changed_ms: float, usual_ms: float) -> None:
    print(f"{seats * len(won)} games, {rate_text(won)} (even: {100 / seats:.0f}), "
          f"{changed_ms:.1f} ms a choice beside {usual_ms:.1f}", flush=True)  # fmt: skip
