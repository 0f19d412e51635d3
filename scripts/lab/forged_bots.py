"""Sponsors who cheat with their bots: is every forged move and every re-rolled seed found?

    lab.py forged_bots                       50 games of each kind, and 20 honest ones
    lab.py forged_bots --games 100 --seed 7  faster after scripts/compile.py

Two seats of Carta in one process, with real keys, lots, shuffles and proofs: a person who plays
anything, and a bot.  Somewhere in the game its sponsor, who holds its key, does one thing:

    forged     plays another legal action than the bot's program chooses
    re-rolled  plays what the program chooses by another seed, one by which it chooses otherwise
    honest     nothing

Then the bot opens its key, and the audit does all its decisions again.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from ai.seats.bot_terms import Repeater, do_again
from core.requests import Action
from p2p.audit.audit import Report, audit_file, obey
from p2p.base.roster import BotTerms, DecisionPoint
from p2p.log.game_file import GameFile
from p2p.log.replica import Replica
from p2p.session.players import decision_point_of
from tests.p2p.room import Room, Terms

BOT: Final = 1
BOT_TERMS: Final = BotTerms(
    "hostless 5", "steady", 300
)  # With fewer, luck hardly changes a decision.
REROLLS_MAX: Final = 10  # Some decisions are the same by every seed; then a later one is forged.
LAST_PLACE: Final = 12  # The game has more decisions of a bot than this, nearly always.


class Sponsor:
    """Somebody who plays for a bot, and does one thing wrong as soon as it can from a place on."""

    def __init__(self, deed: str, rng: random.Random) -> None:
        self.deed, self._rng = deed, rng
        self._wait = rng.randrange(LAST_PLACE)
        self.forged_at: int | None = None  # The height of the log.

    def choose(self, replica: Replica, actions: list[Action]) -> Action:
        """What is played: anything by the person, and by the bot what its sponsor wants."""
        assert replica.me is not None, "a seat chooses"
        if replica.me != BOT:
            return self._rng.choice(actions)
        return self._choose(decision_point_of(replica, BOT), replica.height)

    def _choose(self, turn: DecisionPoint, height: int) -> Action:
        due = do_again(turn)
        self._wait -= 1
        if self.deed == "honest" or self._wait >= 0 or self.forged_at is not None:
            return due
        other = self._other(turn, due)
        if other is not None:
            self.forged_at = height
        return other or due

    def _other(self, turn: DecisionPoint, due: Action) -> Action | None:
        if self.deed == "forged":
            legal = turn.game.legal_actions(turn.table, turn.seat, turn.observation)
            others = [action for action in legal if action != due]
            return self._rng.choice(others) if others else None
        return self._rerolled(turn, due)

    def _rerolled(self, turn: DecisionPoint, due: Action) -> Action | None:
        for _ in range(REROLLS_MAX):
            again = do_again(replace(turn, seed=self._rng.getrandbits(64)))
            if again != due:
                return again
        return None


def play(sponsor: Sponsor, seed: int) -> Report:
    """A whole game with its bot, and what the audit of the file says."""
    room = Room(2, seed=seed, terms=Terms((BOT,), bot_terms=BOT_TERMS))
    room.chooser = sponsor.choose
    room.run()
    with tempfile.TemporaryDirectory() as folder:
        game_file = GameFile.create(Path(folder, "game.hostless"), room.roster)
        for entry in room.replicas[0].log:
            game_file.append(entry.raw)
        game_file.close()
        return audit_file(game_file.path, (obey, Repeater(lambda: True)))


def trial(deed: str, seed: int) -> tuple[bool, str]:
    """One game and its audit: whether it said what is true, and what it said."""
    sponsor = Sponsor(deed, random.Random(seed))
    report = play(sponsor, seed)
    person, bot = report.verdicts
    if sponsor.forged_at is None:
        return deed == "honest" and report.holds, "nothing was forged"
    is_found = not bot.is_honest and bot.log_index == sponsor.forged_at and person.is_honest
    return is_found, bot.reason


def main(arguments: list[str]) -> int:
    """Play, audit, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=50, help="of each kind of forgery")
    parser.add_argument("--honest", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args(arguments)
    wrong = 0
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as executor:
        for deed, games in (("forged", asked.games), ("re-rolled", asked.games),
                            ("honest", asked.honest)):  # fmt: skip
            started = time.perf_counter()
            seeds = range(asked.seed, asked.seed + games)
            results = list(executor.map(partial(trial, deed), seeds))
            right = sum(is_right for is_right, _ in results)
            wrong += games - right
            took = time.perf_counter() - started
            print(f"{deed}: {right} of {games} judged rightly, {took:.0f} s", flush=True)
            for seed, (is_right, said) in zip(seeds, results, strict=True):
                if not is_right:
                    print(f"   seed {seed}: {said}")
    return 1 if wrong else 0
