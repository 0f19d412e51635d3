"""Play many random games over all numbers of seats, deals and options, and check each of them.

    lab.py random_games                     10,000 games of carta
    lab.py random_games --games 500 --game carta --first-seed 7
    lab.py random_games --game dominion --seats 2 3 4 --option kingdom=random

Every game has to end, no rule may raise, no card may be lost or change its face; and in a sample
of the positions everything that a seat cannot see is dealt anew, which must not change what it may
do.  Some games have checks of their own (OWN_CHECKS).  The first seed that fails is printed and
decides the exit code: 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from core.determinization import determinize, observation_of
from core.game import Game
from core.games import GAMES, find_game
from core.requests import to_act
from core.table import HIDDEN, OptionValue, RulesError, Table
from core.testing.worlds import OpenGame, any_setting, every_card
from core.view import offers
from tests.core.games.civilization.naive import check_table as check_civilization
from tests.core.games.renaissance.checks import check_table

SAMPLE_GAMES: Final = 20  # One game in so many is dealt anew at every choice.
OWN_CHECKS: Final[dict[str, Callable[[Table], None]]] = {
    "civilization": check_civilization, "renaissance": check_table,
}  # fmt: skip


class Tally:
    """What has been played so far."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self.choices = self.redealt = self.choices_max = 0
        self.timed, self.seconds = 0, 0.0  # Games without a check at every choice.

    def show(self, games: int) -> None:
        """Print the figures."""
        for name, count in sorted(self.games.items()):
            print(f"  {count:6} {name}")
        print(f"{games} games ended, none raised, cards conserved")
        print(f"{self.choices / games:.1f} choices a game, {self.choices_max} in the longest")
        print(f"{self.redealt} positions dealt anew, the same choices each time")
        print(f"{self.timed / max(self.seconds, 1e-9):.0f} games/s, checks not counted")


def main(arguments: list[str]) -> int:
    """Play, and say how it went."""
    parser = argparse.ArgumentParser(description="Play and check many random games.")
    parser.add_argument("--game", default="carta", help=", ".join(GAMES))
    parser.add_argument("--games", type=int, default=10_000, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="S")
    parser.add_argument("--seats", type=int, nargs="*", metavar="N", help="only these numbers")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    chosen = parser.parse_args(arguments)
    game, tally = find_game(chosen.game), Tally()
    fixed = dict[str, OptionValue](pair.split("=", 1) for pair in chosen.option)
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.games):
        players, options = any_setting(game, seed, chosen.seats)
        options |= fixed
        try:
            play(OpenGame(game, players, options, seed), tally, seed % SAMPLE_GAMES == 0)
        except (AssertionError, RulesError) as error:
            print(f"FAILED: seed {seed}, {players} seats, {options}: {error!r}", file=sys.stderr)
            return 1
        tally.games[_name(players, options)] += 1
    tally.show(chosen.games)
    return 0


def _name(players: int, options: dict[str, OptionValue]) -> str:
    team = " in teams" if options.get("team") else ""
    edition = f"edition {options['edition']}" if "edition" in options else ""
    return f"{players} seats{team}, {options.get('deal', edition)}".rstrip(", ")


def play(world: OpenGame, tally: Tally, is_sample: bool) -> None:
    """One game to its end, with the checks."""
    cards, faces = every_card(world.table), Counter(world.table.face)
    started = time.perf_counter()
    own_check = OWN_CHECKS.get(world.game.slug, lambda table: None)
    for pending in world.play():
        if is_sample:
            own_check(world.table)
            for seat in to_act(pending):
                _redeal(world.game, world, seat)
                tally.redealt += 1
    if not is_sample:
        tally.timed += 1
        tally.seconds += time.perf_counter() - started
    table = world.table
    own_check(table)
    assert every_card(table) == cards, "a card was lost"
    pairs = zip(table.face, world.deal, strict=True)
    assert Counter(deal if face == HIDDEN else face for face, deal in pairs) == faces
    assert world.game.winners(table), "nobody won"
    tally.choices += world.choices
    tally.choices_max = max(tally.choices_max, world.choices)


def _redeal(game: Game, world: OpenGame, seat: int) -> None:
    table, observation = world.table, observation_of(world.table, world.deal, seat)
    choices = offers(game, table, observation, seat)
    redealt = determinize(table, observation, world.chance)
    assert offers(game, table, redealt, seat) == choices, "hidden faces changed the choices"
