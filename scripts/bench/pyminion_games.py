"""The same strategies play thousands of games by our rules and by pyminion's; do they agree?

    python3 -m venv /tmp/pyminion && /tmp/pyminion/bin/pip install pyminion==0.4.0
    /tmp/pyminion/bin/python scripts/bench.py pyminion_games --games 20000

For every pairing the mean number of turns, the mean points of each strategy and the shares of games
won and shared have to lie within 4 standard errors of each other; with some 80 comparisons chance
alone breaks that in one run of two hundred.  pyminion is another program by other people, made from
the same rule book, so an error in our rules would show, unless it is one of theirs as well.

Known defects of pyminion 0.4.0 (`--as-it-is` leaves them in, to see what they cost):

- a pile of Gardens has 10 cards, where the rules have 8 for two players and 12 for more;
- the last Curses of a Witch go round from the first seat, and not from the attacker's left.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from core.games.dominion.cards import COINS, GARDENS, KEYS, WITCH
from scripts.bench.money import KINGDOM, STRATEGIES, Ours, Result, Strategy, next_to_trash, worst

Z_MAX: Final = 4.0
PAIRINGS: Final = (
    ("money", "money"), ("smithy", "money"), ("ultimate", "smithy"), ("ultimate", "ultimate"),
    ("militia", "smithy"), ("witches", "ultimate"), ("drawing", "smithy"), ("chapel", "money"),
    ("gardens", "money"), ("gardens", "gardens"), ("witches", "militia", "ultimate"),
    ("witches", "drawing", "gardens", "smithy"),
)  # fmt: skip


# ---- pyminion's side ----


class Theirs:
    """Games of pyminion, with our strategies as its deciders."""

    def __init__(self, strategies: Sequence[Strategy], is_mended: bool) -> None:
        from pyminion.bots.bot import Bot
        from pyminion.expansions import base
        from pyminion.game import Game

        cards = {card.name.lower().replace(" ", "_"): card for card in base.base_set + _BASIC(base)}
        self._faces = {cards[key]: face for face, key in enumerate(KEYS) if key in cards}
        self._cards = {face: card for card, face in self._faces.items()}
        decider = _decider_class()
        self._players = [
            Bot(decider(each, self), f"{each.name} {place}")
            for place, each in enumerate(strategies)
        ]
        kingdom = [cards[key] for key in KINGDOM.split(",")]
        self._game = Game(self._players[:], [base.base_set], kingdom, log_stdout=False)
        if is_mended:
            self._mend_gardens()
            self._mend_witch()

    def play(self, seed: int) -> Result:
        """One game to its end, the seats in an order by lot."""
        from pyminion.core import Trash

        random.seed(seed)
        game = self._game
        game.trash = Trash()  # Which it shares between games.
        winners = game.play().winners
        players = self._players
        return Result(
            sum(player.turns for player in players),
            tuple(player.get_victory_points() for player in players),
            tuple(place for place, player in enumerate(players) if player in winners),
        )

    def _mend_gardens(self) -> None:
        """Let the pile be as high as the rules say."""
        game, gardens = self._game, self._cards[GARDENS]
        make, height = game._create_supply, 8 if len(self._players) == 2 else 12

        def supply() -> Any:
            made = make()
            made.get_pile("Gardens").cards = [gardens] * height
            return made

        game._create_supply = supply

    def _mend_witch(self) -> None:
        """Let the Curses go round from the attacker's left."""
        witch = self._cards[WITCH]
        play = type(witch).play

        def from_the_left(player: Any, game: Any, generic_play: bool = True) -> None:
            seats = game.players
            place = seats.index(player)
            game.players = seats[place:] + seats[:place]
            play(witch, player, game, generic_play)
            game.players = seats

        witch.play = from_the_left

    def face(self, card: Any) -> int:
        """Our number of one of its cards."""
        return self._faces[card]

    def card(self, face: int) -> Any:
        """Its card for one of our numbers."""
        return self._cards[face]

    def counts(self, player: Any) -> list[int]:
        """How many cards of each kind a player has."""
        counts = [0] * len(KEYS)
        for card in player.get_all_cards():
            counts[self._faces[card]] += 1
        return counts


def _BASIC(base: Any) -> list[Any]:  # noqa: N802
    return [getattr(base, key) for key in KEYS[:7]]


def _decider_class() -> Any:
    from pyminion.bots.bot import BotDecider

    class Decider(BotDecider):  # type: ignore[misc]
        """One of our strategies, asked by pyminion."""

        def __init__(self, strategy: Strategy, table: Theirs) -> None:
            self.strategy, self.table = strategy, table

        def action_priority(self, player: Any, game: Any) -> Iterator[Any]:
            return map(self.table.card, self.strategy.plays)

        def buy_priority(self, player: Any, game: Any) -> Iterator[Any]:
            provinces = game.supply.pile_length("Province")
            count = partial(self.table.counts, player)
            return map(self.table.card, self.strategy.buys(player.state.money, provinces, count))

        def gain_decision(self, **said: Any) -> Any:
            wanted = map(self.table.card, self.strategy.gains)
            return [next(each for each in wanted if each in said["valid_cards"])]

        def discard_decision(self, **said: Any) -> Any:
            hand = list(map(self.table.face, said["valid_cards"]))
            return list(map(self.table.card, worst(hand, said["min_num_discard"])))

        def trash_decision(self, **said: Any) -> Any:
            provinces = said["game"].supply.pile_length("Province")
            counts = self.table.counts(said["player"])
            hand = list(map(self.table.face, said["valid_cards"]))
            worth = sum(count * coins for count, coins in zip(counts, COINS, strict=True))
            trashed = list[int]()
            while len(trashed) < said["max_num_trash"]:
                face = next_to_trash(hand, worth, provinces)
                if face is None:
                    break
                hand.remove(face)
                worth -= COINS[face]
                trashed.append(face)
            return list(map(self.table.card, trashed))

    return Decider


# ---- comparing ----


@dataclass
class Sample:
    """Sums over many games of one quantity."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """One game."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.count

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(max(self.squares / self.count - self.mean**2, 0.0) / self.count)


@dataclass
class Tally:
    """What an engine's games of one pairing came to."""

    names: Sequence[str]
    samples: dict[str, Sample] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        """Count one game."""
        self._note("turns", result.turns)
        self._note("shared", len(result.won) > 1)
        for place, name in enumerate(self.names):
            self._note(f"points of {name}", result.points[place])
            self._note(f"won by {name}", result.won == (place,))

    def _note(self, what: str, value: float) -> None:
        self.samples.setdefault(what, Sample()).add(value)


def compare(ours: Tally, theirs: Tally) -> float:
    """Print both, and give the greatest difference in standard errors."""
    worst_z = 0.0
    for what, mine in ours.samples.items():
        other = theirs.samples[what]
        error = math.hypot(mine.error, other.error)
        z = (mine.mean - other.mean) / error if error else 0.0 if mine.mean == other.mean else 99.0
        worst_z = max(worst_z, abs(z))
        print(
            f"  {what:22} ours {mine.mean:8.3f} +-{1.96 * mine.error:6.3f}"
            f"   pyminion {other.mean:8.3f} +-{1.96 * other.error:6.3f}   z {z:+.2f}"
        )
    return worst_z


def run(engine: Ours | Theirs, names: Sequence[str], seeds: range) -> Tally:
    """The games of one engine, of which every seed is one."""
    tally, began = Tally(names), time.process_time()
    for seed in seeds:
        tally.add(engine.play(seed))
    took_s = time.process_time() - began
    name = "ours" if isinstance(engine, Ours) else "pyminion"
    print(f"  {name}: {len(seeds)} games, {len(seeds) / took_s:.0f} games/s", flush=True)
    return tally


def main(arguments: list[str]) -> int:
    """Compare; 0 when everything agrees."""
    parser = argparse.ArgumentParser(description="Our Dominion beside pyminion's.")
    parser.add_argument("--games", type=int, default=20_000, metavar="N")
    parser.add_argument("--first-seed", type=int, default=0, metavar="S")
    parser.add_argument("--as-it-is", action="store_true", help="do not mend pyminion's defects")
    parser.add_argument("--only", nargs="*", metavar="STRATEGY", help="one pairing")
    args = parser.parse_args(arguments)
    try:
        import pyminion  # noqa: F401
    except ImportError:
        print("pyminion is not here: pip install pyminion==0.4.0", file=sys.stderr)
        return 2
    logging.disable(logging.CRITICAL)
    seeds, worst_z = range(args.first_seed, args.first_seed + args.games), 0.0
    for pairing in [tuple(args.only)] if args.only else PAIRINGS:
        names = [f"{name} {place}" for place, name in enumerate(pairing, 1)]
        strategies = tuple(STRATEGIES[name] for name in pairing)
        print(" against ".join(pairing) + ":", flush=True)
        ours = run(Ours(strategies), names, seeds)
        theirs = run(Theirs(strategies, not args.as_it_is), names, seeds)
        worst_z = max(worst_z, compare(ours, theirs))
    print(f"greatest difference: {worst_z:.2f} standard errors; at most {Z_MAX} agree")
    return 0 if worst_z <= Z_MAX else 1
