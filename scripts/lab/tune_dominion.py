"""Find the book of Dominion agendas.

Agendas of all patterns play against two good ones, in rounds with more games and fewer agendas, and
the best are printed, the strongest first: that is `BOOK` in ai/games/dominion/book.py.  Left
out is whatever needs all the kinds of a stronger one: it would never be chosen.  Where there are
Witches everybody should have one, so agendas with and without are two groups.

A minute or two on one core with compiled rules, some minutes without.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ai.games.dominion.agenda import Agenda


CANTRIPS: Final = ("", "sentry*10", "festival*10", "laboratory*10", "market*10", "poacher*10")
TERMINALS: Final = (
    "bandit", "militia", "smithy", "library", "council_room", "bureaucrat", "mine", "moneylender",
)  # fmt: skip
WITH_WITCH: Final = ("", "moat*1", "militia*1", "bandit*1", "smithy*1", "sentry*1")
_WITCHES: Final = ("witch*1 gold", "witch*2 gold", "gold witch*2")
ROUNDS: Final = ((1, 5), (4, 3), (10, 1))  # Parts of the games, and which part goes on.
CHOICES_MAX: Final = 2000
FILL: Final = (
    "village", "cellar", "woodcutter", "chancellor", "workshop", "feast", "mine", "moat",
    "remodel", "harbinger",
)  # fmt: skip


def witch_texts() -> Iterator[str]:
    """Agendas with one or two Witches."""
    for first in _WITCHES:
        for trash in ("", "chapel*1"):
            for second in WITH_WITCH:
                for cantrip in CANTRIPS:
                    yield f"{trash} {first} {second} {cantrip} silver"


def simple_witch_texts() -> Iterator[str]:
    """For every other kingdom with Witches: at most one more kind of Action."""
    for first in _WITCHES:
        yield f"{first} silver"
        yield f"chapel*1 {first} silver"
        yield from (f"{first} {other} silver" for other in (*WITH_WITCH[1:], *CANTRIPS[1:]))


def other_texts() -> Iterator[str]:
    """Agendas with two Actions, one of them without limit, or with two that draw or attack."""
    for first in TERMINALS:
        for cantrip in CANTRIPS:
            for count in (1, 2):
                yield f"gold {first}*{count} {cantrip} silver"
                yield f"gold {cantrip} {first}*{count} silver"
            yield f"{first}*1 gold {cantrip} silver"
            yield f"chapel*1 gold {first}*1 {cantrip} silver"
            for second in TERMINALS:
                if second != first:
                    yield f"gold {first}*1 {second}*1 {cantrip} silver"
                    yield f"gold {cantrip} {first}*1 {second}*1 silver"


def simple_texts() -> Iterator[str]:
    """For every other kingdom: agendas with one kind of Action, or none, and common pairs."""
    yield "gold silver"
    for cantrip in CANTRIPS:
        yield f"gold {cantrip} silver"
        yield f"gold {cantrip} militia*2 silver"
        yield f"gold {cantrip} smithy*1 silver"
    yield from (f"gold {first}*{count} silver" for first in TERMINALS for count in (1, 2, 3))
    yield from ("gold moat*1 silver", "gold woodcutter*1 silver", "gold remodel*1 silver")


GROUPS: Final = (
    (witch_texts, simple_witch_texts, ("witch*2 gold silver", "gold witch*2 silver")),
    (other_texts, simple_texts, ("gold smithy*2 silver", "gold sentry*10 militia*2 silver")),
)


def duel(mine: Agenda, other: Agenda, games: int, seed: int) -> float:
    """How much of `games` an agenda wins against another; the seats are turned on equal seeds."""
    return sum(_share(mine, other, seed + game // 2, game % 2) for game in range(games)) / games


def _share(mine: Agenda, other: Agenda, seed: int, seat: int) -> float:
    from ai.games.dominion import DominionKnowledge
    from ai.imagined import go_on
    from core.chance import Chance
    from core.engine import run_until_choice, start
    from core.games.dominion import GAME as DOMINION
    from core.requests import Choice

    game, chance = DOMINION, Chance(seed)
    knowledge = DominionKnowledge(game)
    table = start(game, 2, {"kingdom": kingdom_for(mine, other)})
    deal = table.face[:]
    pending = run_until_choice(game, table, deal, chance)
    for _ in range(CHOICES_MAX):
        if not isinstance(pending, Choice):
            break
        agenda = mine if pending.player == seat else other
        game.apply(table, pending.player, knowledge.follow(agenda, table, pending.player, deal))
        pending = go_on(game, table, deal, chance)
    winners = game.winners(table)
    return 1 / len(winners) if seat in winners else 0.0


def kingdom_for(*agendas: Agenda) -> str:
    """A kingdom with everything that these agendas want."""
    from core.games.dominion.cards import BASIC_KINDS, KEYS

    wanted = [KEYS[face] for each in agendas for face in each.order if face >= BASIC_KINDS]
    return ",".join(list(dict.fromkeys([*wanted, *FILL]))[:10])


def tournament(
    texts: list[str], simple: list[str], rivals: tuple[str, ...], games: int
) -> list[tuple[float, str]]:
    """The rate of all agendas in the last round, the strongest first; `simple` enter only there."""
    from ai.games.dominion.agenda import Agenda

    others = [Agenda(text) for text in rivals]
    rated = [(0.0, text) for text in texts]
    for number, (weight, part) in enumerate(ROUNDS):
        if number == len(ROUNDS) - 1:
            rated += [(0.0, text) for text in simple]
        print(f"round {number + 1}: {len(rated)} agendas", file=sys.stderr, flush=True)
        seed = 1_000_000 * number
        rated = [
            (sum(duel(Agenda(text), each, games * weight, seed) for each in others), text)
            for _, text in rated
        ]
        rated.sort(reverse=True)
        rated = rated[: -(-len(rated) // part)]
    return [(rate / len(others), text) for rate, text in rated]


def undominated(rated: list[tuple[float, str]]) -> Iterator[tuple[float, str]]:
    """Those that can be chosen: no stronger one makes do with a part of their kinds."""
    from ai.games.dominion.agenda import Agenda
    from core.games.dominion.cards import BASIC_KINDS

    seen: list[set[int]] = []
    for rate, text in rated:
        kinds = {face for face in Agenda(text).order if face >= BASIC_KINDS}
        if not any(stronger <= kinds for stronger in seen):
            seen.append(kinds)
            yield rate, text


def _tidied(texts: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(text.split()) for text in texts))


def main(arguments: list[str]) -> int:
    """Print the book."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=16, help="in the first round, per rival")
    asked = parser.parse_args(arguments)
    begin = time.process_time()
    for make_texts, make_simple, rivals in GROUPS:
        texts, simple = _tidied(make_texts()), _tidied(make_simple())
        print(f"{len(texts)} agendas against {' and '.join(rivals)}", file=sys.stderr)
        for rate, text in undominated(tournament(texts, simple, rivals, asked.games)):
            print(f'        "{text}",  # {100 * rate:.0f} %', flush=True)
    print(f"{time.process_time() - begin:.0f} s", file=sys.stderr)
    return 0
