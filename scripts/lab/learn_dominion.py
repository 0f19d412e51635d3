"""Learn which agendas win in Dominion: `ai/games/dominion/weights.py`.

In each round kingdoms are drawn by lot, and agendas there play each other: the best that is known
by now, neighbours of it, those of the book, and others by lot, four deals from both seats.  Then
the numbers are fitted to all games so far (logistic regression, Adagrad).  What has hardly been
tried counts for less when the best is looked for, so that luck is not taken for strength.

FOLDER keeps the games; a run that was stopped goes on after its last round.  `--write` puts the
numbers of FOLDER into the program.  Rules should be compiled: a round of 400 kingdoms is some
95,000 games, which take 40 s of one core there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from math import exp, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from scripts import environment

if TYPE_CHECKING:
    from ai.games.dominion.model import AgendaModel, Wishes

DEALS: Final = 4
MATCHES: Final = 30  # In a kingdom.
BOOK_MAX: Final = 6  # Agendas of the book that play there.
DEALS_PER_KINGDOM: Final = 10**9  # So that no two kingdoms have a deal in common.
EPOCHS: Final = 4
RATE: Final = 0.3
SHRINK: Final = 1e-4
ONE: Final = 1000  # A logit.
DOUBT: Final = 0.5  # Logits that a trait may be off by if it was met once.
WEIGHTS_FILE: Final = Path("ai/games/dominion/weights.py")
MODULE: Final = '''"""What agendas count, in thousandths of a logit: see `read_weights` in model.py.

`scripts/lab.py learn_dominion` wrote this.  Do not change it by hand.
"""

from typing import Final

WEIGHTS: Final = """
{numbers}
"""
'''


class Match(NamedTuple):
    """Two agendas, and which part of the rewards the first had."""

    mine: str
    other: str
    share: float


class Fitted(NamedTuple):
    """Of every trait its weight in logits, and in how many matches it was met."""

    weights: list[float]
    counts: list[int]

    def likely(self) -> list[int]:
        """What is known, in thousandths."""
        return [round(ONE * weight) for weight in self.weights]

    def careful(self) -> list[int]:
        """The same less what may be luck; of what was never met nothing is known."""
        return [
            round(ONE * (weight - DOUBT / sqrt(count + 1))) if count else 0
            for weight, count in zip(self.weights, self.counts, strict=True)
        ]


def fit(matches: Sequence[Match], epochs: int, lots: random.Random) -> Fitted:
    """The weights with which the games are most likely.

    An agenda meets another with the sum of its weights; the difference of both sums is in logits.
    """
    from ai.games.dominion.model import TRAITS

    weights, squares, counts = [0.0] * TRAITS, [1.0] * TRAITS, [0] * TRAITS
    rows = [_row(match) for match in matches]
    for mine, theirs, _ in rows:
        for trait in mine + theirs:
            counts[trait] += 1
    for epoch in range(epochs):
        lots.shuffle(rows)
        rate = RATE / (1 + epoch)
        for mine, theirs, share in rows:
            ahead = sum([weights[trait] for trait in mine]) - sum(
                [weights[trait] for trait in theirs]
            )
            error = 1 / (1 + exp(-ahead)) - share
            for traits, slope in ((mine, error), (theirs, -error)):
                for trait in traits:
                    squares[trait] += error * error
                    step = rate / sqrt(squares[trait])
                    weights[trait] -= step * (slope + SHRINK * weights[trait])
    return Fitted(weights, counts)


def _row(match: Match) -> tuple[list[int], list[int], float]:
    """The traits that only one of two agendas has, and the share of the first."""
    from ai.games.dominion.model import answers, traits, wishes_of

    mine, other = wishes_of(match.mine), wishes_of(match.other)
    mines = [*traits(mine), *answers(mine, other)]
    theirs = [*traits(other), *answers(other, mine)]
    both = set(mines) & set(theirs)
    return (
        [trait for trait in mines if trait not in both],
        [trait for trait in theirs if trait not in both],
        match.share,
    )


class Proposer:
    """Draws agendas for one kingdom that are worth a game."""

    def __init__(
        self, kingdom: tuple[int, ...], fitted: Fitted | None, lots: random.Random
    ) -> None:
        from ai.games.dominion.book import agendas_for
        from ai.games.dominion.model import AgendaModel, wishes_of

        self.kingdom, self.lots = kingdom, lots
        self.book = [wishes_of(agenda.text) for agenda in agendas_for(kingdom)[:BOOK_MAX]]
        self.models = (
            [AgendaModel(fitted.likely()), AgendaModel(fitted.careful())] if fitted else []
        )
        self.best = self.models[1].best(kingdom)[0] if self.models else self.book[0]

    def by_lot(self) -> Wishes:
        """Some wishes that nobody has thought about."""
        from ai.games.dominion.model import GOLD_ALONE

        return self.changed(GOLD_ALONE, self.lots.randint(1, 5))

    def changed(self, wishes: Wishes, times: int) -> Wishes:
        """A neighbour of a neighbour of ... an agenda."""
        from ai.games.dominion.model import neighbours

        for _ in range(times):
            wishes = self.lots.choice(neighbours(wishes, self.kingdom))
        return wishes

    def likely(self) -> Wishes:
        """What looks best of one, three or ten that are near to the best."""
        count, times = self.lots.choice((1, 3, 10)), (1, 1, 2, 2, 3)
        some = [self.changed(self.best, self.lots.choice(times)) for _ in range(count)]
        if not self.models:
            return some[0]
        model: AgendaModel = self.lots.choice(self.models)
        return max(some, key=lambda wishes: model.score(wishes, self.best))

    def pair(self) -> tuple[Wishes, Wishes]:
        """Two that should meet: mostly the best and one near to it."""
        lot, book = self.lots.random(), self.lots.choice(self.book)
        if lot < 0.15:
            return book, self.best
        if lot < 0.25:
            return self.changed(book, self.lots.randint(1, 2)), self.best
        if lot < 0.35:
            return self.by_lot(), self.best
        if lot < 0.45:
            return self.by_lot(), self.by_lot()
        other = self.best if lot < 0.8 else self.changed(self.best, 1)
        return self.likely(), other


def lots_of(seed: int, number: int) -> tuple[random.Random, tuple[int, ...]]:
    """The lots of a kingdom, and the kingdom: of both editions in turns."""
    from core.games.dominion.kingdoms import kingdom_by_number, kingdoms_count

    lots, edition = random.Random(f"{seed}/{number}"), 1 + number % 2
    return lots, kingdom_by_number(edition, lots.randrange(kingdoms_count(edition)))


def play_kingdom(number: int, seed: int, fitted: Fitted | None) -> list[Match]:
    """All matches of a kingdom by lot."""
    from ai.games.dominion import DominionKnowledge
    from ai.games.dominion.agenda import Agenda
    from ai.games.dominion.finding import Finder
    from ai.games.dominion.model import text_of
    from ai.search.knowledge import REWARD_ONE
    from core.games.dominion import GAME

    lots, kingdom = lots_of(seed, number)
    proposer = Proposer(kingdom, fitted, lots)
    finder = Finder(GAME, DominionKnowledge(GAME).follow, kingdom)
    finder.deals = DEALS_PER_KINGDOM * (number + 1)
    matches = []
    for mine, other in [proposer.pair() for _ in range(MATCHES)]:
        if mine != other:
            first, second = text_of(mine), text_of(other)
            won = finder.won(Agenda(first), Agenda(second), DEALS)
            matches.append(Match(first, second, won / (2 * DEALS * REWARD_ONE)))
            finder.deals += DEALS
    return matches


def known(folder: Path) -> Iterator[list[Match]]:
    """The matches of every round so far."""
    for number in range(len(list(folder.glob("round*.jsonl")))):
        lines = (folder / f"round{number}.jsonl").read_text("utf-8").splitlines()
        yield [Match(*json.loads(line)) for line in lines]


def learn(folder: Path, rounds: int, kingdoms: int, workers: int) -> Fitted:
    """Play what is missing of so many rounds; the number of a round is its seed."""
    folder.mkdir(parents=True, exist_ok=True)
    played = list(known(folder))
    matches = [match for each in played for match in each]
    fitted = fit(matches, EPOCHS, random.Random(0)) if matches else None
    for number in range(len(played), rounds):
        with ProcessPoolExecutor(workers) as executor:
            found = executor.map(
                play_kingdom, range(kingdoms), repeat(number), repeat(fitted), chunksize=8
            )
            new = [match for each in found for match in each]
        text = "".join([json.dumps(match) + "\n" for match in new])
        (folder / f"round{number}.jsonl").write_text(text, "utf-8")
        matches += new
        fitted = fit(matches, EPOCHS, random.Random(number))
        print(f"round {number}: {len(new)} matches", file=sys.stderr, flush=True)
    assert fitted is not None, "there was at least one round"
    return fitted


def write(fitted: Fitted) -> str:
    """The module with the numbers."""
    from ai.games.dominion.model import write_weights

    return MODULE.format(numbers=write_weights(fitted.careful()))


def main(arguments: list[str]) -> int:
    """Learn, and write the numbers if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--kingdoms", type=int, default=400, help="in a round")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"{WEIGHTS_FILE} anew")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    fitted = learn(asked.folder, asked.rounds, asked.kingdoms, asked.workers)
    if asked.write:
        (environment.ROOT / WEIGHTS_FILE).write_text(write(fitted), "utf-8")
    return 0
