"""Who wins games of Civilization, how often, and by which of its victories.

    lab.py civilization_victories steady/10,greedy --games 200 --results FILE
    lab.py civilization_victories plan,random,random,random

The players are named as in a tournament (`ai/players/players.py`), and every deal is played once
for each turn of the seats.  Every game is a line of the file; a run that was stopped goes on from
it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ai.tournaments.arena import ArenaMatch, Result

SEED: Final = 1
HOW: Final = ("broken off", "culture", "technology", "economy", "war", "practice", "turns")


def main(arguments: list[str]) -> int:
    """Play what is missing, and print who has won how."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("players", metavar="PLAYER,PLAYER[,...]")
    parser.add_argument("--games", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--turns", type=int, choices=(60, 30, 12, 6), default=60)
    parser.add_argument("--results", type=Path, required=True, metavar="FILE")
    asked = parser.parse_args(arguments)
    games = list(_played(asked))
    print("\n".join(summary(games, asked.players.split(","))))
    return 0


def _played(asked: argparse.Namespace) -> Iterator[tuple[Result, dict[str, Any]]]:
    """Every game with what the file says of it, played now where it is missing there."""
    from ai.tournaments.arena import Result, Tournament

    names = tuple(asked.players.split(","))
    tournament = Tournament("civilization", names, len(names), asked.seed,
                            {"max_turns": asked.turns})  # fmt: skip
    lines = asked.results.read_text("utf-8").splitlines() if asked.results.exists() else []
    with asked.results.open("a", encoding="utf-8") as file:
        for number, match in zip(range(asked.games), tournament.matches(), strict=False):
            line = json.loads(lines[number]) if number < len(lines) else _play(match)
            if number >= len(lines):
                print(json.dumps(line), file=file, flush=True)
            assert line["players"] == list(match.players), "the file is of other games"
            shares, seats = tuple(line["shares"]), range(len(names))
            yield Result(match, shares, shares, tuple(seats), line["choices"]), line


def _play(match: ArenaMatch) -> dict[str, Any]:
    """Play one game; how it ended."""
    from ai.tournaments.arena import play_game
    from core.games.civilization.layout import HOW as VICTORY
    from core.games.civilization.layout import TURN

    ends: list[tuple[int, int]] = []
    started = time.process_time()
    result = play_game(match, lambda table: ends.append((table.counters[VICTORY],
                                                         table.counters[TURN])))  # fmt: skip
    (how, turns), taken_s = ends[0], time.process_time() - started
    return {
        "players": [*match.players], "shares": result.shares, "how": HOW[how], "turns": turns,
        "choices": result.choices, "seconds": round(taken_s, 1),
    }  # fmt: skip


def summary(games: list[tuple[Result, dict[str, Any]]], names: list[str]) -> list[str]:
    """How many games each player has won, with an interval, and by what; a few means."""
    from ai.tournaments.standings import tally

    won: dict[str, Counter[str]] = {name: Counter() for name in names}
    for _, line in games:
        if max(line["shares"]) == 1000:  # Else nobody won, and all share it.
            won[line["players"][line["shares"].index(1000)]][line["how"]] += 1
    nobody = len(games) - sum(sum(hows.values()) for hows in won.values())
    said = [f"{len(games)} games, {nobody} without a winner, of which each has an equal share"]
    for rank in tally([result for result, _ in games], names):
        hows = ", ".join(f"{how} {count}" for how, count in won[rank.player].most_common())
        share = f"{rank.rate:.1%} ({rank.at_least:.1%} to {rank.at_most:.1%})"
        said.append(f"  {rank.player}: {rank.won:g} of {rank.games}, {share}; {hows}")
    means = [sum(line[key] for _, line in games) / len(games)
             for key in ("turns", "choices", "seconds")]  # fmt: skip
    said.append("  means of a game: {:.1f} turns, {:.0f} choices, {:.1f} s".format(*means))
    return said
