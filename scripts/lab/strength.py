"""How strong the bots are, by tournaments; `--list` names them.

Plays the tournaments that docs/lab/bots.md quotes and prints their standings.  Where rules and
search have been compiled (`scripts/compile.py`), that build plays; it plays the same
games.  Results are kept in `.venv/tournaments`, by source, so that the script can be stopped at any
moment and goes on when it is started again.  The same seed gives the same games on every machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from scripts import environment

if TYPE_CHECKING:
    from ai.tournaments.arena import Tournament
    from core.game import Game
    from core.table import Observation, Table

SEED: Final = 1
TIMED_STRIDE: Final = 12  # Every so many real choices of a game are timed.


class Contest(NamedTuple):
    """Who plays whom, how many games unless told otherwise, and with which options."""

    game: str
    players: str  # With commas between them.
    games: int = 400
    seats: int = 0  # All players at one table, unless told otherwise.
    options: Mapping[str, str | bool] = {}


# With the cards of every fixed player of ours.
MIXED: Final = {
    "kingdom": "chapel,festival,laboratory,market,militia,moneylender,smithy,village,witch,workshop"
}
ANY: Final = {"kingdom": "random"}  # Another kingdom for every deal.
# Iterations for a choice of sharp, steady and gentle where rules and search are compiled.
BUDGETS: Final = {
    "carta": (19_000, 6_400, 1_900),
    "dominion": (5_400, 1_800, 540),
    "renaissance": (24_000, 8_000, 2_400),
    "civilization": (1_800, 600, 180),
}


def level_contests() -> dict[str, Contest]:
    """Each level against the one below, with a tenth of its budget and with the whole of it."""
    found: dict[str, Contest] = {}
    for slug, budgets in BUDGETS.items():
        options = ANY if slug == "dominion" else {}
        for name, games, part in (("", 200, 10), ("whole-", 30, 1)):
            sharp, steady, gentle = (budget // part for budget in budgets)
            for pair, players in (
                ("steady-gentle", f"steady:{steady},gentle:{gentle}"),
                ("sharp-steady", f"sharp:{sharp},steady:{steady}"),
            ):
                found[f"{slug}-{name}{pair}"] = Contest(slug, players, games, options=options)
    return found


CONTESTS: Final = {
    **level_contests(),
    "carta-steady-random": Contest("carta", "steady/10,random"),
    "carta-steady-rush": Contest("carta", "steady/10,rush"),
    "carta-policy-30": Contest("carta", "search:30,policy"),
    "carta-policy-100": Contest("carta", "search:100,policy"),
    "carta-policy-300": Contest("carta", "search:300,policy"),
    "carta-policy-1000": Contest("carta", "search:1000,policy"),
    "carta-four": Contest("carta", "steady/10,rush,rush,rush"),
    "carta-ladder": Contest(
        "carta", "random,greedy,rush,plan,gentle/10,steady/10,sharp/10", 840, 2
    ),
    "carta-three": Contest("carta", "steady/10,rush,greedy", 300),
    "carta-draft": Contest("carta", "steady/10,rush", 200, options={"deal": "draft"}),
    "carta-team": Contest("carta", "steady/10,rush,steady/10,rush", 200, options={"team": True}),
    "carta-whole-steady-random": Contest("carta", "steady,random", 60),
    "carta-whole-steady-rush": Contest("carta", "steady,rush", 60),
    "carta-whole-four": Contest("carta", "steady,rush,rush,rush", 60),
    # So many that a choice takes 0.1 s and 1 s on average where rules and search are compiled.
    "dominion-money": Contest("dominion", "search:420,money", options=ANY),
    "dominion-plan": Contest("dominion", "search:420,plan", options=ANY),
    "dominion-smithy": Contest("dominion", "search:420,smithy", options=MIXED),
    "dominion-witch": Contest("dominion", "search:420,witch", options=MIXED),
    "dominion-chapel": Contest("dominion", "search:420,chapel", options=MIXED),
    "dominion-second-money": Contest("dominion", "search:4200,money", 60, options=ANY),
    "dominion-second-plan": Contest("dominion", "search:4200,plan", 60, options=ANY),
    "dominion-second-smithy": Contest("dominion", "search:4200,smithy", 60, options=MIXED),
    "dominion-second-witch": Contest("dominion", "search:4200,witch", 60, options=MIXED),
    "dominion-second-chapel": Contest("dominion", "search:4200,chapel", 60, options=MIXED),
    "dominion-policy-30": Contest("dominion", "search:30,policy", options=ANY),
    "dominion-policy-100": Contest("dominion", "search:100,policy", options=ANY),
    "dominion-policy-300": Contest("dominion", "search:300,policy", options=ANY),
    "dominion-policy-1000": Contest("dominion", "search:1000,policy", options=ANY),
    "dominion-policy-3000": Contest("dominion", "search:3000,policy", 60, options=ANY),
    "dominion-ladder": Contest(
        "dominion", "random,money,smithy,witch,chapel,plan,steady", 840, 2, MIXED
    ),
    "renaissance-steady-random": Contest("renaissance", "steady/10,random", 200),
    "renaissance-steady-greedy": Contest("renaissance", "steady/10,greedy", 200),
    # With a tenth of what a level has where rules and search are compiled.
    "renaissance-compiled-greedy": Contest("renaissance", "steady:260,greedy", 200),
    "renaissance-steady-plan": Contest("renaissance", "steady/10,plan", 200),
    "renaissance-first": Contest("renaissance", "plan,plan"),
    "renaissance-first-balanced": Contest("renaissance", "plan,plan", options={"balance": True}),
    "renaissance-policy-30": Contest("renaissance", "search:30,policy"),
    "renaissance-policy-100": Contest("renaissance", "search:100,policy"),
    "renaissance-policy-300": Contest("renaissance", "search:300,policy"),
    "renaissance-policy-1000": Contest("renaissance", "search:1000,policy"),
    # As measured: a tenth of what a level has plain, at four seats of what it has compiled;
    # `civilization_victories` says by what.
    "civilization-steady-random": Contest("civilization", "steady:20,random", 200),
    "civilization-steady-greedy": Contest("civilization", "steady:24,greedy", 200),
    "civilization-four": Contest("civilization", "steady:120,greedy,greedy,greedy", 12),
    "renaissance-ladder": Contest(
        "renaissance", "random,gather,plan,greedy,gentle/10,steady/10,sharp/10", 840, 2
    ),
}


def tournament_of(contest: Contest, seed: int) -> Tournament:
    """A contest, checked."""
    from ai.tournaments.arena import Tournament

    players = tuple(contest.players.split(","))
    seats = contest.seats or len(players)
    return Tournament(contest.game, players, seats, seed, contest.options)


def play(name: str, asked: argparse.Namespace) -> None:
    """Play what is missing of one contest, and print the standings."""
    from ai.processes.executors import processes
    from ai.tournaments.arena import TournamentState, play_tournament
    from ai.tournaments.results import open_results, source_digest
    from ai.tournaments.standings import tally
    from ui.commands.ranks import rank_lines
    from ui.language.text import load

    contest = CONTESTS[name]
    tournament = tournament_of(contest, asked.seed)
    state = TournamentState(tournament, asked.games or contest.games)
    folder = asked.results / source_digest(contest.game)
    folder.mkdir(parents=True, exist_ok=True)
    with open_results(folder / f"{name}.{asked.seed}.jsonl", tournament) as file:
        for number, result in file.found.items():
            state.add(number, result)
        if not state.is_over:
            with processes(asked.workers) as executor:
                play_tournament(state, executor, asked.workers, file.write)
    choices = sum(result.choices for result in state.counted) / len(state.counted)
    print(f"{name}: {len(state.counted)} games, {choices:.0f} choices a game, {folder.name}")
    for line in rank_lines(load("en"), tally(state.counted, tournament.players)):
        print("   ", line, flush=True)
    if len(set(tournament.players)) == 1:
        first = sum(result.shares[0] for result in state.counted) / 1000
        print(f"    the first seat won {first:g} of {len(state.counted)}", flush=True)


def times(slug: str, seed: int, iterations: list[int]) -> None:
    """How long every level thinks about choices of one game, or so many iterations take."""
    from ai.games import find_knowledge
    from ai.levels import LEVELS, measure_speed
    from core.game import complete_options
    from core.games import find_game

    game, found = find_game(slug), positions(slug, seed)
    speed = measure_speed(game, 2, complete_options(game, 2, {}))
    print(f"{slug}: {speed} iterations/s here, {find_knowledge(game).speed} in tournaments")
    for count in iterations:
        timed(game, found, "strongest", count)
    for level in LEVELS.values() if not iterations else ():
        timed(game, found[::TIMED_STRIDE], level.name, level.iterations(speed))


def timed(
    game: Game, found: list[tuple[Table, Observation, int]], level: str, iterations: int
) -> None:
    """Think about all these choices, and say how long that took where there was one."""
    from ai.levels import SearchSettings, decide

    took_ms = []
    for table, observation, seat in found:
        started = time.process_time()
        thought = decide(game, table, observation, seat, SearchSettings(SEED, level, iterations))
        if thought.iterations:
            took_ms.append(1000 * (time.process_time() - started))
    mean, (*_, p95) = sum(took_ms) / len(took_ms), statistics.quantiles(took_ms, n=20)
    print(f"{level}, {iterations} iterations: {len(took_ms)} choices, mean {mean:.0f}, "
          f"median {statistics.median(took_ms):.0f}, p95 {p95:.0f}, "
          f"longest {max(took_ms):.0f} ms", flush=True)  # fmt: skip


def positions(slug: str, seed: int) -> list[tuple[Table, Observation, int]]:
    """Every real choice of a game between two hasty bots: the table, the observation, the seat."""
    from ai.players.players import find_player
    from core.chance import Chance
    from core.determinization import observation_of
    from core.engine import run_until_choice
    from core.game import complete_options
    from core.games import find_game
    from core.requests import Over, to_act

    game, chance, found = find_game(slug), Chance(seed), []
    table = game.setup(2, complete_options(game, 2, {}))
    deal, choose = table.face[:], find_player(game, "search:20")
    while not isinstance(pending := run_until_choice(game, table, deal, chance), Over):
        chosen = []
        for seat in to_act(pending):
            observation = observation_of(table, deal, seat)
            if len(game.legal_actions(table, seat, observation)) > 1:
                found.append((table.copy(), observation, seat))
            chosen.append((seat, choose(table, observation, seat, chance.next())))
        for seat, action in chosen:  # Several choose in secret.
            game.apply(table, seat, action)
    return found


def main(arguments: list[str]) -> int:
    """Play what was asked for."""
    compiled = environment.find_compiled()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="contests; all of them")
    parser.add_argument("--list", action="store_true", help="only name the contests")
    parser.add_argument("--times", metavar="GAME", help="only how long every level thinks")
    parser.add_argument(
        "--iterations", type=int, nargs="+", default=[], help="with --times: how long these take"
    )
    parser.add_argument("--games", type=int, help="instead of each contest's own number")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--results", type=Path, default=environment.HOME / "tournaments")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(CONTESTS):
        parser.error(f"no contest is called {', '.join(sorted(unknown))}; see --list")
    if asked.list:
        print("\n".join(CONTESTS))
        return 0
    build = f"compiled as {compiled.name}" if compiled else "plain"
    print(build, flush=True)
    if asked.times:
        times(asked.times, asked.seed, asked.iterations)
        return 0
    for name in asked.names or CONTESTS:
        play(name, asked)
    return 0
