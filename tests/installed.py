"""Plays with the installed package: what a compiled wheel is tried with, where there is no clone.

python tests/installed.py
"""

from __future__ import annotations

import sys
from random import Random

from hostless import Match
from hostless.core import table
from hostless.core.games import GAMES


def main() -> int:
    """Play a game of each; fail when the rules are not compiled."""
    for slug in GAMES:
        match, luck = Match(slug, seed=7), Random(7)
        while not match.is_over:
            seat = match.to_act[0]
            match.apply(seat, luck.choice(match.legal_actions(seat)))
        print(match, match.scores)
    is_compiled = not str(table.__file__).endswith(".py")
    print(f"rules: {table.__file__}")
    return 0 if is_compiled else 1


if __name__ == "__main__":
    sys.exit(main())
