"""Grow the book of Dominion agendas, `BOOK` in ai/games/dominion/book.py.

`--pairs` looks for the best agenda with every two kinds.  Without it kingdoms are drawn by lot: the
agendas of the book and all with two kinds of the kingdom play against the best one known there;
then that one is changed by one wish at a time, as bots do before their first choice (`Finder`).
What is better on other deals joins the book and a line of FILE.  A run that was stopped goes on.

`--book` prints the book with what such files have found.  Each meets what the book would choose in
kingdoms by lot that have its kinds, and goes in at the place where it gains most over all of them;
if that is nearly nothing, nowhere.  What would never be chosen, since one above makes do with a
part of its kinds, is left out.

Where rules are compiled two kinds take some 2 seconds of one core, a kingdom 20, a place 2.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from scripts import environment

if TYPE_CHECKING:
    from ai.games.dominion.agenda import Agenda
    from ai.games.dominion.finding import Finder

DEALS_PER_KINGDOM: Final = 10**9  # So that no two kingdoms have a deal in common.
PAIRS_PART: Final = 3  # One in so many games is played by agendas of the book and by pairs; ...
STEP_PART: Final = 9  # ... one in so many by the neighbours of the best in a step.
STEPS_MAX: Final = 6
IDLE_MAX: Final = 2
PROOF_DEALS: Final = 500
BETTER_SHARE: Final = 0.51  # Of the rewards of these deals: so much joins the book.
COUNTS: Final = ((10, 10), (1, 10), (10, 1), (2, 10), (10, 2), (1, 1), (2, 2))  # Of two kinds.
PAIR_GAMES: Final = 1600  # For all agendas of two kinds; ...
PAIR_STEP_GAMES: Final = 1000  # ... and for a step.
PAIR_DEALS: Final = 200
PLACE_KINGDOMS: Final = 12  # In which an agenda meets what the book would choose, ...
PLACE_DEALS: Final = 60  # ... so often ...
GAIN_SHARE: Final = 0.012  # ... to win so much more than half on average.
FILL: Final = (  # Beside two kinds in a kingdom.
    "village", "cellar", "woodcutter", "chancellor", "workshop", "feast", "mine", "moat", "remodel",
    "harbinger", "merchant", "vassal",
)  # fmt: skip


class Found(NamedTuple):
    """What was found for a kingdom, and its share of the rewards against what was known there."""

    number: int
    text: str
    start: str
    share: float


def kingdoms(seed: int) -> Iterator[tuple[int, ...]]:
    """Kingdoms by lot, of the first and the second edition in turns."""
    from core.games.dominion.kingdoms import kingdom_by_number, kingdoms_count

    lots, edition = random.Random(seed), 2
    while True:
        edition = 3 - edition
        yield kingdom_by_number(edition, lots.randrange(kingdoms_count(edition)))


def pairs(kingdom: Sequence[int]) -> list[str]:
    """Agendas with two kinds, as many of each as one, two or all, before and after Gold."""
    from core.games.dominion.cards import KEYS

    found = []
    for one, other in combinations([KEYS[face] for face in kingdom], 2):
        for ones, others in COUNTS:
            found += [
                f"gold {one}*{ones} {other}*{others} silver",
                f"{one}*{ones} gold {other}*{others} silver",
                f"{other}*{others} gold {one}*{ones} silver",
            ]
    return found


def finder_for(kingdom: tuple[int, ...], number: int) -> Finder:
    """A search for agendas, with deals of its own."""
    from ai.games.dominion import DominionKnowledge
    from ai.games.dominion.finding import Finder
    from core.games.dominion import GAME

    finder = Finder(GAME, DominionKnowledge(GAME).follow, kingdom)
    finder.deals = DEALS_PER_KINGDOM * (number + 1)
    return finder


def playable(book: Sequence[str], kingdom: Sequence[int]) -> list[Agenda]:
    """The agendas for which a kingdom has all kinds, in the order of the book."""
    from ai.games.dominion.agenda import Agenda
    from core.games.dominion.cards import BASIC_KINDS

    kinds = {*range(BASIC_KINDS), *kingdom}
    return [each for each in map(Agenda, book) if kinds.issuperset(each.order)]


def climbed(finder: Finder, best: Agenda, kinds: tuple[int, ...], games: int) -> Agenda:
    """The best after some steps, each of so many games; two that find nothing are the last."""
    from ai.games.dominion.agenda import Agenda
    from ai.games.dominion.finding import neighbours

    idle = 0
    for _ in range(STEPS_MAX):
        rivals = [Agenda(text) for text in neighbours(best.text, kinds)]
        before, best = best, finder.step(best, rivals, games)
        idle = idle + 1 if best is before else 0
        if idle == IDLE_MAX:
            break
    return best


def grown(book: Sequence[str], kingdom: tuple[int, ...], number: int, games: int) -> Found:
    """The best agenda that can be found for a kingdom, and its share against the book's."""
    from ai.games.dominion.agenda import Agenda

    finder, (first, *others) = finder_for(kingdom, number), playable(book, kingdom)
    best = finder.step(first, [*others, *map(Agenda, pairs(kingdom))], games // PAIRS_PART)
    best = climbed(finder, best, kingdom, games // STEP_PART)
    return Found(number, best.text, first.text, share(finder, best, first, PROOF_DEALS))


def pairs_of_kinds() -> list[tuple[int, int]]:
    """Every two kinds that are in the box of one edition."""
    from core.games.dominion.kingdoms import kinds_of

    kinds = sorted({*kinds_of(1), *kinds_of(2)})
    boxes = [set(kinds_of(edition)) for edition in (1, 2)]
    return [pair for pair in combinations(kinds, 2) if any(box.issuperset(pair) for box in boxes)]


def best_of_two(pair: tuple[int, int], number: int) -> Found:
    """The best agenda that wants no other kinds, and its share against the book's."""
    from ai.games.dominion.agenda import Agenda
    from ai.games.dominion.book import BOOK
    from ai.games.dominion.finding import neighbours
    from core.games.dominion.cards import KEYS, KINGDOM_KINDS

    others = (KEYS.index(name) for name in FILL)
    kinds = list(dict.fromkeys([*pair, *others]))[:KINGDOM_KINDS]
    finder = finder_for(tuple(sorted(kinds)), number)
    start = playable([each.text for each in BOOK], pair)[0]
    rivals = [*pairs(pair), *neighbours(start.text, pair)]
    best = finder.step(start, list(map(Agenda, rivals)), PAIR_GAMES)
    best = climbed(finder, best, pair, PAIR_STEP_GAMES)
    return Found(number, best.text, start.text, share(finder, best, start, PAIR_DEALS))


def share(finder: Finder, mine: Agenda, other: Agenda, deals: int) -> float:
    """Which part of the rewards an agenda has against another; half against itself."""
    from ai.knowledge import REWARD_ONE

    return finder.won(mine, other, deals) / (2 * deals * REWARD_ONE)


def learned(path: Path) -> list[Found]:
    """What a run has found so far."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [Found(**json.loads(line)) for line in lines]


def better(found: Sequence[Found]) -> list[str]:
    """The agendas that were better than the book, the newest first."""
    texts = [each.text for each in found if each.share > BETTER_SHARE]
    return list(dict.fromkeys(reversed(texts)))


def grow(path: Path, count: int, games: int, seed: int) -> None:
    """Look at so many kingdoms, those of the file included."""
    from ai.games.dominion.book import BOOK

    found = learned(path)
    for number, kingdom in zip(range(count), kingdoms(seed), strict=False):
        if number >= len(found):
            book = list(dict.fromkeys([*(each.text for each in BOOK), *better(found)]))
            found.append(grown(book, kingdom, number, games))
            keep(path, found[-1])


def grow_pairs(path: Path) -> None:
    """Look at every two kinds that the file does not have yet."""
    done = len(learned(path))
    for number, pair in enumerate(pairs_of_kinds()):
        if number >= done:
            keep(path, best_of_two(pair, number))


def keep(path: Path, found: Found) -> None:
    """Write down what was found, and say it."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(found._asdict()) + "\n")
    print(found, file=sys.stderr, flush=True)


def kingdoms_with(agenda: Agenda, count: int, lots: random.Random) -> Iterator[tuple[int, ...]]:
    """Kingdoms by lot that have the kinds of an agenda, of an edition that has them."""
    from core.games.dominion.cards import BASIC_KINDS, KINGDOM_KINDS
    from core.games.dominion.kingdoms import kinds_of

    kinds = {face for face in agenda.order if face >= BASIC_KINDS}
    boxes = [box for box in map(kinds_of, (1, 2)) if kinds.issubset(box)]
    for _ in range(count):
        others = [face for face in lots.choice(boxes) if face not in kinds]
        yield tuple(sorted([*kinds, *lots.sample(others, KINGDOM_KINDS - len(kinds))]))


def best_place(met: Sequence[tuple[int, float]]) -> tuple[float, int]:
    """Where an agenda gains most, and how much, by the places of whom it met and its gains there.

    It is chosen wherever what stood there, or further down, was chosen before.

    >>> best_place([(3, 0.25), (7, 0.5), (1, -0.5)])
    (0.75, 3)
    """
    places = {place for place, _ in met}
    return max((sum(gain for at, gain in met if at >= place), place) for place in places)


def put_in(book: list[str], text: str, number: int, lots: random.Random) -> None:
    """Put an agenda into the book, where that gains something."""
    from ai.games.dominion.agenda import Agenda

    agenda, met = Agenda(text), []
    for kingdom in kingdoms_with(agenda, PLACE_KINGDOMS, lots):
        first = playable(book, kingdom)[0]
        finder = finder_for(kingdom, number)
        met.append((book.index(first.text), share(finder, agenda, first, PLACE_DEALS) - 0.5))
    gain, place = best_place(met)
    if gain > GAIN_SHARE * PLACE_KINGDOMS:
        book.insert(place, text)
        print(f"{gain / PLACE_KINGDOMS:+.3f} {text}", file=sys.stderr, flush=True)


def undominated(book: Sequence[str]) -> Iterator[str]:
    """Those that can be chosen: none above makes do with a part of their kinds."""
    from ai.games.dominion.agenda import Agenda
    from core.games.dominion.cards import BASIC_KINDS

    seen: list[set[int]] = []
    for text in book:
        kinds = {face for face in Agenda(text).order if face >= BASIC_KINDS}
        if not any(stronger <= kinds for stronger in seen):
            seen.append(kinds)
            yield text


def main(arguments: list[str]) -> int:
    """Grow, or print the book."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--kingdoms", type=int, default=200)
    parser.add_argument("--games", type=int, default=24_000, help="for each kingdom")
    parser.add_argument("--seed", type=int, default=1)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--pairs", action="store_true", help="every two kinds, not kingdoms")
    what.add_argument("--book", action="store_true", help="print the book of these files")
    asked = parser.parse_args(arguments)
    print("compiled" if environment.find_compiled() else "plain", file=sys.stderr)
    if asked.pairs:
        grow_pairs(asked.files[0])
        return 0
    if not asked.book:
        grow(asked.files[0], asked.kingdoms, asked.games, asked.seed)
        return 0
    from ai.games.dominion.book import BOOK

    book, lots = [each.text for each in BOOK], random.Random(asked.seed)
    for text in dict.fromkeys(text for path in asked.files for text in better(learned(path))):
        if text not in book:
            put_in(book, text, len(book), lots)
    for text in undominated(book):
        print(f'        "{text}",', flush=True)
    return 0
