"""Which agenda wins, as learned from very many games: a sum of small whole numbers.

Each wish of an agenda counts something; so do every two wishes that it has, their order, and each
kind against each kind that the other player wants.  Whoever has more is likely to win, by the
difference in thousandths of a logit (Bradley and Terry 1952, with features).  So the best agenda of
a kingdom is found without any game.  `scripts/lab.py learn_dominion` made the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

import core.games.dominion.cards as c
from ai.games.dominion.agenda import Agenda
from ai.games.dominion.weights import WEIGHTS
from core.requests import Face

Wishes: TypeAlias = list[int]  # All but Silver, which comes last: a face and how many, as a number.

COUNTS: Final = (1, 2, 10)  # How many of a kind an agenda may want.
_COUNT_BITS: Final = 4
_COUNT_MASK: Final = (1 << _COUNT_BITS) - 1
_FEW_MAX: Final = 2
_GOLD: Final = c.GOLD << _COUNT_BITS  # As much of it as there is.
GOLD_ALONE: Final[Wishes] = [_GOLD]

_KINDS: Final = 39
_SINGLES: Final = 6  # Of a kind: one, two, many, each before and after Gold.
_PAIRS: Final = 4  # Of two kinds: few or many of each.
_PAIR_AT: Final = _SINGLES * _KINDS
_ORDER_AT: Final = _PAIR_AT + _PAIRS * _KINDS * _KINDS
_ANSWER_AT: Final = _ORDER_AT + _KINDS * _KINDS
TRAITS: Final = _ANSWER_AT + _KINDS * _KINDS

_BEAM: Final = 4  # So many agendas are changed on in a step.
_STEPS_MAX: Final = 9
_REPLIES_MAX: Final = 3


def wishes_of(text: str) -> Wishes:
    """The wishes of an agenda in words; Silver is left out.

    >>> text_of(wishes_of("witch*2 gold smithy*1 silver"))
    'witch*2 gold smithy*1 silver'
    """
    wishes = []
    for word in text.split():
        key, _, count = word.partition("*")
        face = c.KEYS.index(key)
        if face == c.GOLD:
            wishes.append(_GOLD)
        elif face != c.SILVER:
            wishes.append(face << _COUNT_BITS | int(count))
    return wishes


def text_of(wishes: Wishes) -> str:
    """An agenda in words."""
    words = [
        "gold" if wish == _GOLD else f"{c.KEYS[wish >> _COUNT_BITS]}*{wish & _COUNT_MASK}"
        for wish in wishes
    ]
    return " ".join([*words, "silver"])


def traits(wishes: Wishes) -> list[int]:
    """What an agenda has, as places in the list of weights: wishes, pairs of them, their order."""
    found: list[int] = []
    golds = 0  # Whether Gold stands before this wish; below, before an earlier one.
    for place, wish in enumerate(wishes):
        if wish == _GOLD:
            golds = 1
            continue
        face, count = wish >> _COUNT_BITS, wish & _COUNT_MASK
        found.append(face * _SINGLES + min(count - 1, _FEW_MAX) * 2 + golds)
        many, earlier_golds = int(count > _FEW_MAX), 0
        for earlier in wishes[:place]:
            if earlier == _GOLD:
                earlier_golds = 1
                continue
            other, others = earlier >> _COUNT_BITS, int((earlier & _COUNT_MASK) > _FEW_MAX)
            if other < face:
                found.append(_PAIR_AT + (other * _KINDS + face) * _PAIRS + others * 2 + many)
            else:
                found.append(_PAIR_AT + (face * _KINDS + other) * _PAIRS + many * 2 + others)
            if earlier_golds == golds:
                found.append(_ORDER_AT + other * _KINDS + face)
    return found


def answers(mine: Wishes, other: Wishes) -> list[int]:
    """The places in the list of weights for every kind of mine beside every kind of the other."""
    return [
        _ANSWER_AT + (wish >> _COUNT_BITS) * _KINDS + (theirs >> _COUNT_BITS)
        for wish in mine
        for theirs in other
        if wish != _GOLD and theirs != _GOLD
    ]


def neighbours(wishes: Wishes, kingdom: Sequence[Face]) -> list[Wishes]:
    """The agendas that want one thing more, less, or another number of it."""
    found: list[Wishes] = []
    for face in kingdom:
        others = [wish for wish in wishes if wish >> _COUNT_BITS != face]
        if len(others) < len(wishes):
            found.append(others)
        gold = others.index(_GOLD)
        for count in COUNTS:
            wish = face << _COUNT_BITS | count
            places = sorted({0, gold, gold + 1, len(others)})
            found += [[*others[:place], wish, *others[place:]] for place in places]
    return [each for each in found if each != wishes]


class AgendaModel:
    """What every trait counts."""

    __slots__ = ("weights",)

    def __init__(self, weights: list[int]) -> None:
        self.weights = weights

    def score(self, wishes: Wishes, other: Wishes) -> int:
        """How an agenda does against another; to be compared with others against the same."""
        weights, total = self.weights, 0
        for trait in traits(wishes):
            total += weights[trait]
        for trait in answers(wishes, other):
            total += weights[trait]
        for trait in answers(other, wishes):
            total -= weights[trait]
        return total

    def replies(self, other: Wishes, kingdom: Sequence[Face]) -> list[Wishes]:
        """The best against another that some steps lead to, and the next best."""
        beam = [self._rank(GOLD_ALONE, other)]
        for _ in range(_STEPS_MAX):
            met, found = {tuple(wishes) for _, _, wishes in beam}, list(beam)
            for _, _, wishes in beam:
                for each in neighbours(wishes, kingdom):
                    if tuple(each) not in met:
                        met.add(tuple(each))
                        found.append(self._rank(each, other))
            found.sort()
            if found[:_BEAM] == beam:
                break
            beam = found[:_BEAM]
        return [wishes for _, _, wishes in beam]

    def _rank(self, wishes: Wishes, other: Wishes) -> tuple[int, int, Wishes]:
        """Sorted, the best come first; of equals the shortest."""
        return -self.score(wishes, other), len(wishes), wishes

    def best(self, kingdom: Sequence[Face]) -> list[Wishes]:
        """The agenda that is best against itself, as far as replies show, and the next best."""
        found = [GOLD_ALONE]
        for _ in range(_REPLIES_MAX):
            before, found = found[0], self.replies(found[0], kingdom)
            if found[0] == before:
                break
        return found


def read_weights(text: str) -> list[int]:
    """The list of weights from a text: a line for a kind or two, with the numbers of both.

    Two kinds: the four pairs, both orders, the first beside the other's second, the second beside
    the other's first.  What is not in the text is 0.
    """
    weights = [0] * TRAITS
    for line in text.split("\n"):
        words = line.split()
        kinds = [c.KEYS.index(word) for word in words if word[0].isalpha()]
        counts = [int(word) for word in words[len(kinds) :]]
        for place, count in zip(_places(kinds), counts, strict=True):
            weights[place] = count
    return weights


def write_weights(weights: Sequence[int]) -> str:
    """The text from which these weights are read."""
    kingdom = range(c.BASIC_KINDS, _KINDS)
    lines = []
    for kinds in [[face] for face in kingdom] + [
        [face, other] for face in kingdom for other in kingdom if face < other
    ]:
        counts = [weights[place] for place in _places(kinds)]
        if any(counts):
            names = [c.KEYS[face] for face in kinds]
            lines.append(" ".join([*names, *map(str, counts)]))
    return "\n".join(lines)


def _places(kinds: list[Face]) -> list[int]:
    """The places in the list of weights of a kind, or of two; of none, none."""
    if not kinds:
        return []
    first = kinds[0]
    if len(kinds) == 1:
        return [first * _SINGLES + single for single in range(_SINGLES)]
    one, other = first * _KINDS + kinds[1], kinds[1] * _KINDS + first
    pairs = [_PAIR_AT + one * _PAIRS + pair for pair in range(_PAIRS)]
    return [*pairs, _ORDER_AT + one, _ORDER_AT + other, _ANSWER_AT + one, _ANSWER_AT + other]


@cache
def best_agendas(kingdom: tuple[Face, ...]) -> tuple[Agenda, ...]:
    """The best agenda that the numbers know for a kingdom, and the next best."""
    return tuple([Agenda(text_of(wishes)) for wishes in AgendaModel(_WEIGHTS).best(kingdom)])


def ranked_neighbours(text: str, kingdom: Sequence[Face]) -> list[str]:
    """The neighbours of an agenda in words, those first that promise most against it."""
    wishes, model = wishes_of(text), AgendaModel(_WEIGHTS)
    found = sorted([(-model.score(each, wishes), each) for each in neighbours(wishes, kingdom)])
    return [text_of(each) for _, each in found]


_WEIGHTS: Final = read_weights(WEIGHTS)
