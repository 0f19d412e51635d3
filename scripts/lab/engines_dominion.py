"""Which engines of Dominion beat what the book has: agendas of several kinds that go together.

An engine clears its deck, attacks, and has Villages and cards that draw.  Its parts are worth
little one by one, so whoever adds one kind after another does not find it.  Here engines are put
together from lists of parts.  Each plays the agenda that the book has for some kingdoms by lot with
its kinds, on both seats of some deals.  Those that win most are tried again, in other kingdoms and
against the book with all that came before them, and printed in the order in which they would be put
in front of it.  The same seed prints the same engines.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final

from scripts import environment

if TYPE_CHECKING:
    from ai.games.dominion.agenda import Agenda

CLEARING: Final = ("chapel*1", "sentry*1", "")
ATTACKS: Final = (
    "witch*1", "witch*2", "witch*1 militia*1", "militia*1", "militia*2", "bandit*1",
    "witch*1 bandit*1", "bandit*1 militia*1", "bureaucrat*1", "spy*2", "spy*2 militia*1",
    "witch*1 spy*2", "",
)  # fmt: skip
VILLAGES: Final = ("village*10", "village*4", "village*2", "festival*10", "")
DRAWING: Final = (
    "moat*2", "smithy*2", "smithy*3", "laboratory*10", "council_room*2", "library*10", "market*10",
    "smithy*2 market*10", "laboratory*10 market*10", "remodel*1 smithy*2", "moneylender*1 smithy*2",
    "",
)  # fmt: skip
FIRST_KINGDOMS, FIRST_DEALS = 4, 20
KINGDOMS, DEALS = 10, 40
BETTER: Final = 0.525  # Of the rewards.
DEAR: Final = 5  # Coins.


class Trials:
    """A book that grows, and kingdoms and deals by lot in which an agenda is tried against it."""

    def __init__(self, book: Iterable[Agenda], seed: int) -> None:
        self.book, self.lots = list(book), random.Random(seed)

    def share(self, text: str, kingdoms: int, deals: int) -> float:
        """What an agenda has of the rewards against the book; 0 if no box has its kinds."""
        from ai.games.dominion import DominionKnowledge
        from ai.games.dominion.agenda import Agenda
        from ai.games.dominion.book import playable
        from ai.games.dominion.finding import Finder
        from ai.search.knowledge import REWARD_ONE
        from core.games.dominion import GAME
        from core.games.dominion.cards import BASIC_KINDS

        agenda, won, played = Agenda(text), 0, 0
        needed = {face for face in agenda.order if face >= BASIC_KINDS}
        for kingdom in self._kingdoms(needed, kingdoms):
            finder = Finder(GAME, DominionKnowledge(GAME).follow, kingdom)
            finder.deals = self.lots.randrange(10**8)
            won += finder.won(agenda, playable(self.book, kingdom)[0], deals)
            played += 2 * deals
        return won / (played * REWARD_ONE) if played else 0.0

    def _kingdoms(self, needed: set[int], count: int) -> Iterator[tuple[int, ...]]:
        from core.games.dominion.cards import KINGDOM_KINDS
        from core.games.dominion.kingdoms import kinds_of

        boxes = [kinds for kinds in map(kinds_of, (1, 2)) if needed.issubset(kinds)]
        for _ in range(count if boxes else 0):
            rest = sorted(set(self.lots.choice(boxes)) - needed)
            chosen = self.lots.sample(rest, KINGDOM_KINDS - len(needed))
            yield tuple(sorted({*needed, *chosen}))


def engines() -> list[str]:
    """Every engine that the lists make, as an agenda: what costs 5 or more comes before Gold."""
    found = []
    for clearing, attack, villages, drawing in product(CLEARING, ATTACKS, VILLAGES, DRAWING):
        if villages or (clearing and drawing):
            first = [*attack.split(), *clearing.split()]
            dear = [part for part in first if _is_dear(part)]
            cheap = [part for part in first if not _is_dear(part)]
            parts = [*dear, "gold", *cheap, *villages.split(), *drawing.split(), "silver"]
            found.append(" ".join(parts))
    return found


def _is_dear(part: str) -> bool:
    from core.games.dominion.cards import COST, KEYS

    return COST[KEYS.index(part.partition("*")[0])] >= DEAR


def best_engines(trials: Trials, texts: Sequence[str]) -> Iterator[tuple[float, str]]:
    """Those that beat the book, each with its share against the book with those before it."""
    from ai.games.dominion.agenda import Agenda

    waiting = [(-trials.share(text, FIRST_KINGDOMS, FIRST_DEALS), text) for text in texts]
    heapq.heapify(waiting)
    while waiting and -waiting[0][0] >= BETTER:
        _, text = heapq.heappop(waiting)
        share = trials.share(text, KINGDOMS, DEALS)
        if waiting and BETTER <= share < -waiting[0][0]:
            heapq.heappush(waiting, (-share, text))  # Another one may be better by now.
        elif share >= BETTER:
            trials.book.insert(0, Agenda(text))
            yield share, text


def main(arguments: list[str]) -> int:
    """Print the engines that would be put in front of the book."""
    from ai.games.dominion.book import BOOK

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="look at so many engines by lot, not at all")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    trials, texts = Trials(BOOK, asked.seed), engines()
    if asked.most is not None:
        texts = trials.lots.sample(texts, asked.most)
    for share, text in best_engines(trials, texts):
        print(f"{100 * share:.1f} % {text}", flush=True)
    return 0
