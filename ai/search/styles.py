"""Builder, attacker, opportunist: what a bot likes, beside what it takes to win.

    builder       what makes the own deck, cities or rows better, for later
    attacker      what takes something from others, or stands in their way
    opportunist   what pays at once

To a bot with a style some of its moves look better or worse than search finds them, as they do to
one that makes mistakes, but always the same ones: those to which each game's knowledge says that
it leans.  That is worth no more than one mistake of the game, and no more than 20 thousandths of a
victory: of two moves that are about as good it makes the one that it likes, and what is clearly
better it makes all the same.

It looks at nothing but what its seat knows, and it imagines nobody else with a style.
"""

from __future__ import annotations

from typing import Final

from ai.search.knowledge import REWARD_ONE

BUILDER_STYLE: Final = "builder"
ATTACKER_STYLE: Final = "attacker"
OPPORTUNIST_STYLE: Final = "opportunist"
FULL: Final = 100  # The most that a style can lean to a move, or against it, ...
_MOST_PERMILLE: Final = 20  # ... and what that is worth at most, where mistakes are larger.


def liking(lean: int, mistake_permille: int) -> int:
    """By how much a move looks better, in parts of REWARD_ONE, to whoever leans to it.

    >>> liking(100, 10), liking(50, 10), liking(-100, 10), liking(9999, 10), liking(100, 40)
    (10, 5, -10, 10, 20)
    """
    most = min(mistake_permille, _MOST_PERMILLE) * REWARD_ONE // 1000
    return most * min(max(lean, -FULL), FULL) // FULL
