"""How bots do in a game that nobody has told them anything about.

    lab.py unknown_games --game trick_bids --player steady/10 --games 300

gin_rummy    of the tests: one hand, the score says something all the time
trick_bids   of the tests: three rounds of tricks and bids; the score says something after a round
hearts       of the bench: one hand, the score says something after a trick

One seat is the player, the others are a fixed player of that game, or one of the arena.  Every deal
is played with each seat as that one; the interval is over deals.
"""

from __future__ import annotations

import argparse
import sys
import time
from math import sqrt
from typing import TYPE_CHECKING, Final

from scripts import environment

if TYPE_CHECKING:
    from ai.players.players import Decider
    from core.game import Game
    from core.requests import Action
    from core.table import Observation, Table

GAMES: Final = 200
REPORT_EVERY: Final = 10  # Deals.
OWN: Final = "own"


class Timed:
    """A player, and how long its choices took where it had to think."""

    def __init__(self, game: Game, decider: Decider) -> None:
        self._game, self._decider = game, decider
        self.seconds, self.thoughts = 0.0, 0

    def __call__(self, table: Table, observation: Observation, player: int, seed: int) -> Action:
        """What it does in a game, as every player of a tournament."""
        begin = time.process_time()
        action = self._decider(table, observation, player, seed)
        if len(self._game.legal_actions(table, player, observation)) > 1:
            self.seconds += time.process_time() - begin
            self.thoughts += 1
        return action

    @property
    def mean_ms(self) -> float:
        """What a choice took that needed a thought."""
        return 1000 * self.seconds / max(1, self.thoughts)


def found_games() -> dict[str, tuple[Game, Decider]]:
    """The games that can be played, each with its own player."""
    from scripts.bench.hearts import GAME as HEARTS
    from tests.gin_rummy import GIN_RUMMY, greedy
    from tests.tricks import TRICK_BIDS, sensible

    games = ((GIN_RUMMY, greedy), (TRICK_BIDS, sensible), (HEARTS, careful))
    return {game.slug: (game, own) for game, own in games}


def careful(table: Table, observation: Observation, player: int, seed: int) -> Action:
    """Plays low cards in hearts, and lets go of points and of high cards when it can."""
    from scripts.bench.hearts import GAME, HEARTS, QUEEN_OF_SPADES, SUITS

    def danger(action: Action) -> int:
        rank, suit = divmod(observation[action.cards[0]], len(SUITS))
        is_queen = observation[action.cards[0]] == QUEEN_OF_SPADES
        return rank + 20 * is_queen + 6 * (suit == HEARTS)

    actions = GAME.legal_actions(table, player, observation)
    if not actions[0].cards:
        return actions[0]
    is_rid = actions[0].verb in ("pass", "discard", "only_points")
    return max(actions, key=danger) if is_rid else min(actions, key=danger)


def share(game: Game, first: Decider, others: Decider, deal: int) -> float:
    """What the first has of the victories of one deal, in every seat once."""
    from ai.tournaments.arena import play_out

    seats, won = game.players[0], 0.0
    for seat in range(seats):
        deciders = [first if each == seat else others for each in range(seats)]
        winners, _ = play_out(game, game.setup(seats, {}), deciders, deal)
        won += (seat in winners) / max(1, len(winners))
    return won / seats


def main(arguments: list[str]) -> int:
    """Play what was asked for."""
    from ai.players.players import find_player, usual_speed
    from core.chance import Chance

    games = found_games()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="gin_rummy", choices=games)
    parser.add_argument("--player", default="steady", help="as in the arena")
    parser.add_argument("--against", default=OWN, help="own: the game's; or as in the arena")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    game, own = games[asked.game]
    seats, speed = game.players[0], usual_speed(game)
    first = Timed(game, find_player(game, asked.player, speed))
    others = own if asked.against == OWN else find_player(game, asked.against, speed)
    won: list[float] = []
    deals = Chance(asked.seed)
    while seats * len(won) < asked.games:
        won.append(share(game, first, others, deals.next()))
        if len(won) % REPORT_EVERY == 0 or seats * len(won) >= asked.games:
            print(f"{seats * len(won)} games, {rate_text(won)} (even: {100 / seats:.0f}), "
                  f"{first.mean_ms:.0f} ms a choice", flush=True)  # fmt: skip
    return 0


def rate_text(won: list[float]) -> str:
    """The mean of what was won of each deal, in percent, and the half of its 95 % interval."""
    mean = sum(won) / len(won)
    spread = sqrt(sum((each - mean) ** 2 for each in won) / max(1, len(won) - 1) / len(won))
    return f"{100 * mean:.1f} % ± {196 * spread:.1f}"
