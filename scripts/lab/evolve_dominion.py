"""Evolve an opponent for one kingdom of Dominion: the best agenda that many games find.

It climbs as bots do before their first choice, with a hundred times their work, with every
neighbour and from deals of its own.  The same seed gives the same opponent.  `--against` then plays
it on paired deals, as the arena does with `plan:AGENDA`; 500,000 games take some four minutes where
rules are compiled.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Final

from scripts import environment

GAMES: Final = 500_000
STEP_GAMES: Final = 4000
PLAYED: Final = 60
BREADTH: Final = 1000  # More than an agenda has neighbours.
DEALS_PER_SEED: Final = 10**9  # So that no two seeds have a deal in common.


def evolve(kingdom: str, edition: int, games: int, seed: int) -> str:
    """The agenda for a set, or for ten kinds with commas between them."""
    from ai.games.dominion import DominionKnowledge
    from ai.games.dominion.finding import Finder
    from core.games.dominion import GAME
    from core.games.dominion.kingdoms import named_kingdom

    kinds = named_kingdom({"kingdom": kingdom, "edition": edition})
    finder = Finder(GAME, DominionKnowledge(GAME).follow, kinds)
    finder.deals = seed * DEALS_PER_SEED
    return finder.find(games, max(1, games // STEP_GAMES), BREADTH).text


def main(arguments: list[str]) -> int:
    """Evolve, and play if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kingdom", help="a set, or ten kinds with commas between them")
    parser.add_argument("--edition", type=int, choices=(1, 2), default=2)
    parser.add_argument("--games", type=int, default=GAMES, help="to evolve in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", metavar="PLAYER", help="who then plays it, as sharp/10")
    parser.add_argument("--play", type=int, default=PLAYED, help="so many games")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    begin = time.process_time()
    agenda = evolve(asked.kingdom, asked.edition, asked.games, asked.seed)
    print(f"{agenda}  ({time.process_time() - begin:.0f} s)", flush=True)
    if asked.against:
        _play(asked, "plan:" + agenda.replace(" ", "+"))
    return 0


def _play(asked: argparse.Namespace, rival: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from ai.players.players import usual_speed
    from ai.tournaments.arena import Tournament, TournamentState, play_tournament
    from ai.tournaments.standings import tally
    from core.games.dominion import GAME
    from ui.commands.ranks import rank_lines
    from ui.language.text import load

    options = {"kingdom": asked.kingdom, "edition": asked.edition}
    players = (asked.against, rival)
    tournament = Tournament("dominion", players, 2, asked.seed, options, usual_speed(GAME))
    state = TournamentState(tournament, asked.play)
    with ThreadPoolExecutor(1) as executor:
        play_tournament(state, executor, 1, lambda number, result: None)
    for line in rank_lines(load("en"), tally(state.counted, tournament.players)):
        print("   ", line, flush=True)
