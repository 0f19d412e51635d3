"""Evidence that bots are fair and repeatable.

    peeking   whatever a seat cannot see is dealt anew, and its bot decides the same
    pythons   every Python at hand and the compiled build play and think the same
    worlds    no imagined world contradicts what the seat has seen, or what is in the box
    uniform   every deal that fits is imagined equally often: chi-square on small tables

The figures of docs/lab/bots.md are those of this script.  Each check also catches a cheat or fault
made for the purpose, or says how much it has compared.  The numbers are the same on every machine.
Rules and search are the compiled ones where they are ready (`scripts/compile.py`), unless
HOSTLESS_PLAIN=1 is set; `pythons` shows that they do the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import core.chance
import core.determinization
import core.engine
import core.games
from core.requests import Over, to_act
from core.table import HIDDEN, Layout, Place, Sight, Table
from scripts import environment

if TYPE_CHECKING:
    from core.game import Game
    from core.requests import Action
    from core.table import Observation

ROOT: Final = Path(__file__).resolve().parents[2]
Chance = core.chance.Chance
GAMES: Final = ("carta", "dominion", "renaissance", "civilization")
POSITIONS: Final = 10_000
WORLDS: Final = 1_000_000
DEALS: Final = 240_000
FINGERPRINT_GAMES: Final = 80
_ITERATIONS: Final = 8
_STRIDE: Final = 7  # Every so many real choices of a game are looked at.
_WORLDS_EACH: Final = 200
_SURE: Final = 3.29  # Standard deviations: one fair check in a thousand exceeds them.
_PYTHONS: Final = ("python3.11", "python3.12", "python3.13", "python3.14")


class Position(NamedTuple):
    """A seat that has to choose, and the deal that nobody knows."""

    game: Game
    table: Table
    deal: list[int]
    seat: int

    @property
    def observation(self) -> list[int]:
        """What the seat knows."""
        return core.determinization.observation_of(self.table, self.deal, self.seat)


class Finding(NamedTuple):
    """What a check has found: a sentence, and whether it is as it should be."""

    sentence: str
    is_fine: bool


def positions(slug: str, stride: int = _STRIDE) -> Iterator[Position]:
    """Real choices of game after game, with every number of seats, as bots imagine them."""
    from ai.games import find_knowledge

    game, number = core.games.find_game(slug), 0
    policy = find_knowledge(game).rollout_policy
    while True:
        number += 1
        chance, met = Chance(number), 0
        table = core.engine.start(game, game.players[number % len(game.players)], {})
        deal = table.face[:]
        while not isinstance(
            pending := core.engine.run_until_choice(game, table, deal, chance), Over
        ):
            seats = to_act(pending)
            answers = []
            for seat in seats:
                position = Position(game, table.copy(), deal[:], seat)
                met += len(game.legal_actions(table, seat, position.observation)) > 1
                if met and met % stride == 0:
                    met += 1
                    yield position
                answers.append(policy(table, seat, position.observation, chance))
            for seat, action in zip(seats, answers, strict=True):
                game.apply(table, seat, action)


# ---- nobody peeks ----


def think(position: Position) -> Action:
    """What a bot does: it is handed the table and what its seat knows."""
    from ai.levels import SearchSettings, decide

    game, table, _, seat = position
    seen = (game, table, position.observation, seat)
    return decide(*seen, SearchSettings(1, "steady", _ITERATIONS)).action


def peek(position: Position) -> Action:
    """What a cheat does: it chooses by a card that it cannot see."""
    game, table, deal, seat = position
    actions = game.legal_actions(table, seat, position.observation)
    hidden = [deal[card] for card, face in enumerate(position.observation) if face == HIDDEN]
    return actions[sum(hidden[:1]) % len(actions)]


def redealt(position: Position, seed: int) -> Position:
    """The same position, with everything that the seat cannot see dealt anew."""
    deal = core.determinization.determinize(position.table, position.observation, Chance(seed))
    return position._replace(deal=deal)


def changes(slug: str, count: int, decide: Callable[[Position], Action]) -> tuple[int, int]:
    """At how many positions the decision and at how many the deal was another after redealing."""
    decisions = deals = 0
    for seed, position in zip(range(count), positions(slug), strict=False):
        other = redealt(position, seed)
        deals += other.deal != position.deal
        decisions += decide(other) != decide(position)
    return decisions, deals


def check_peeking(count: int = POSITIONS) -> Iterator[Finding]:
    """Whatever a seat cannot see is dealt anew, and its bot decides the same."""
    each = -(-count // len(GAMES))
    for slug in GAMES:
        decisions, deals = changes(slug, each, think)
        cheats, _ = changes(slug, min(count, 200), peek)
        yield Finding(
            f"{slug}: {each} positions, {deals} with another deal, {decisions} "
            f"other decisions; a cheat decides otherwise at {cheats} of {min(count, 200)}",
            decisions == 0 and cheats > 0 and deals > 0,
        )


# ---- the same everywhere ----


def check_pythons(games: int = FINGERPRINT_GAMES) -> Iterator[Finding]:
    """Every Python at hand and the compiled build play and think the same."""
    expected = _fingerprint(sys.executable, games, ROOT)
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(f"Python {version}: {expected}", " decisions" in expected)
    for python in _pythons():
        told = _fingerprint(python, games, ROOT)
        same = "the same" if told == expected else f"DIFFERENT: {told}"
        yield Finding(f"{python}: {same}", told == expected)
    if build := environment.find_compiled():
        told = _fingerprint(sys.executable, games, build)
        yield Finding(f"compiled: {'the same' if told == expected else told}", told == expected)


def _fingerprint(python: str, games: int, folder: Path) -> str:
    command = [python, "-P", str(ROOT / "scripts" / "compile.py")]
    command += ["--fingerprint", str(games), "--of", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip()[-200:]


def _pythons() -> list[str]:
    """Every other Python that is on the path or was put there by pyenv, and starts."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(name) for name in _PYTHONS]
    found += [str(path) for name in _PYTHONS for path in versions.glob(f"*/bin/{name}")]
    paths = {str(Path(python).resolve()) for python in found if python}
    return [path for path in sorted(paths) if _starts(path)]


def _starts(python: str) -> bool:
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


# ---- worlds ----


def contradictions(position: Position, world: Sequence[int]) -> list[str]:
    """What in an imagined world cannot be, as far as the seat can know; empty if it may be true."""
    game, table, deal, _ = position
    wrong = []
    if any(
        seen not in (HIDDEN, face) for seen, face in zip(position.observation, world, strict=True)
    ):
        wrong.append("a card that the seat has seen is another")
    if any(shown not in (HIDDEN, face) for shown, face in zip(table.face, world, strict=True)):
        wrong.append("a card that lies face up is another")
    backs = [game.back(table, card) for card in range(len(world))]
    if Counter(zip(backs, world, strict=True)) != Counter(zip(backs, deal, strict=True)):
        wrong.append("the box does not hold such cards with such backs")
    families = zip(table.family_of, world, strict=True)
    held = Counter((its_family, face) for its_family, face in families if its_family != HIDDEN)
    if any(
        table.family_counts[its_family][face] != count for (its_family, face), count in held.items()
    ):
        wrong.append("the cards that were shuffled together were others")
    return wrong


def check_worlds(count: int = WORLDS, each: int = _WORLDS_EACH) -> Iterator[Finding]:
    """No imagined world contradicts what the seat has seen, or what is in the box."""
    for slug in GAMES:
        found: Counter[str] = Counter()
        worlds = caught = looked = 0
        for seed, position in enumerate(positions(slug)):
            chance, world = Chance(seed), position.deal
            for _ in range(each):
                table, seen = position.table, position.observation
                world = core.determinization.determinize(table, seen, chance)
                found.update(contradictions(position, world))
                worlds += 1
            caught += bool(contradictions(position, _spoilt(world)))
            looked = seed + 1
            if worlds >= count // len(GAMES):
                break
        told = ", ".join(f"{times} times {what}" for what, times in found.items()) or "none"
        yield Finding(
            f"{slug}: {worlds} worlds of {looked} positions, contradictions: {told}; "
            f"a spoilt world is found out at {caught}",
            not found and caught == looked,
        )


def _spoilt(world: Sequence[int]) -> list[int]:
    """A world in which one card has become another."""
    other = next(face for face in world if face != world[0])
    return [other, *world[1:]]


# ---- equally often ----


def small_tables() -> Iterator[tuple[str, Table, list[int]]]:
    """Tables with few cards, and what seat 0 observes: few enough deals to list them all."""
    one = _shuffled([(0, 1, 2, 3)])
    yield "four cards, none known", one, one.face[:]
    equal = _shuffled([(0, 0, 1, 1, 2)])
    yield "five cards, some alike", equal, equal.face[:]
    two = _shuffled([(0, 0, 1), (1, 2, 3)])
    yield "two families", two, two.face[:]
    seen = _shuffled([(0, 0, 1, 2, 3)])
    seen.seen[1] = 1
    yield "one of five seen", seen, [HIDDEN, 0, HIDDEN, HIDDEN, HIDDEN]


def _shuffled(families: Sequence[tuple[int, ...]]) -> Table:
    places = [Place(f"pile{number}", Sight.NOBODY) for number in range(len(families))]
    table = Table(Layout(2, ("a", "b", "c", "d"), places, (), {}))
    for pile, faces in enumerate(families):
        table.mix(table.lay_out(pile, faces), None)
    return table


def possible_deals(table: Table, observation: Observation) -> set[tuple[int, ...]]:
    """Every deal that fits, found by trying all orders of each family."""
    deals = [tuple(table.face)]
    for family, counts in enumerate(table.family_counts):
        cards = [card for card, its_family in enumerate(table.family_of) if its_family == family]
        faces = [face for face, count in enumerate(counts) for _ in range(count)]
        orders = set(permutations(faces))
        deals = [_laid(deal, cards, order) for deal in deals for order in orders]
    return {
        deal
        for deal in deals
        if all(seen in (HIDDEN, face) for seen, face in zip(observation, deal, strict=True))
    }


def _laid(deal: tuple[int, ...], cards: Sequence[int], faces: Sequence[int]) -> tuple[int, ...]:
    laid = list(deal)
    for card, face in zip(cards, faces, strict=True):
        laid[card] = face
    return tuple(laid)


def deviations(counts: Sequence[int]) -> float:
    """How far counts are from equal ones, in standard deviations (Wilson and Hilferty 1931).

    >>> deviations([10, 10, 10]) < 0, deviations([10, 20, 30]) > 2
    (True, True)
    """
    mean, freedom = sum(counts) / len(counts), len(counts) - 1
    square = sum((count - mean) ** 2 for count in counts) / mean
    spread: float = 2 / (9 * freedom)
    root: float = (square / freedom) ** (1 / 3)
    return float((root - 1 + spread) / spread**0.5)


def check_uniform(count: int = DEALS) -> Iterator[Finding]:
    """Every deal that fits is imagined equally often: chi-square on small tables."""
    for seed, (name, table, observation) in enumerate(small_tables()):
        chance, possible = Chance(seed), sorted(possible_deals(table, observation))
        sampler = core.determinization.Determinizer(table, observation)
        found = Counter(tuple(sampler.sample(chance)) for _ in range(count))
        far = deviations([found[deal] for deal in possible])
        yield Finding(
            f"{name}: {count} deals over {len(possible)} that fit, {far:+.2f} standard deviations",
            set(found) <= set(possible) and far < _SURE,
        )
    biased = deviations(list(Counter(_badly_shuffled(count)).values()))
    yield Finding(f"a bad shuffle is found out: {biased:+.0f}", biased > _SURE)


def _badly_shuffled(count: int) -> Iterator[tuple[int, ...]]:
    """Every card swapped with any other: the well-known wrong way."""
    chance = Chance(1)
    for _ in range(count):
        cards = [0, 1, 2, 3]
        for place in range(4):
            other = chance.below(4)
            cards[place], cards[other] = cards[other], cards[place]
        yield tuple(cards)


CHECKS: Final[dict[str, Callable[[int], Iterator[Finding]]]] = {
    "peeking": check_peeking,
    "pythons": check_pythons,
    "worlds": check_worlds,
    "uniform": check_uniform,
}
_COUNTS: Final = {
    "peeking": POSITIONS,
    "pythons": FINGERPRINT_GAMES,
    "worlds": WORLDS,
    "uniform": DEALS,
}


def main(arguments: list[str]) -> int:
    """Run the checks that were asked for; the exit code is 0 when all is as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CHECKS))
    parser.add_argument("--count", type=int, help="instead of each check's own number")
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.names if name not in CHECKS]
    if unknown:
        parser.error(f"no check is called {unknown[0]!r}; there are {', '.join(CHECKS)}")
    is_fine = True
    for name in asked.names or CHECKS:
        for finding in CHECKS[name](asked.count or _COUNTS[name]):
            print(
                f"{name}: {finding.sentence}{'' if finding.is_fine else '  <- WRONG'}", flush=True
            )
            is_fine = is_fine and finding.is_fine
    return 0 if is_fine else 1
