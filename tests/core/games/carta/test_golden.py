"""Whole games that have to come out the same on every machine, today and in ten years.

When one of these changes, the rules, the order of the offers or the bytes of a table have changed:
old game files will not replay, and the version of the engine has to rise.
"""

from __future__ import annotations

import pytest

from core.table import OptionValue
from core.testing.worlds import play_random
from tests.core.games.carta.stage import GAME

ALL_VARIANTS: dict[str, OptionValue] = {
    "deal": "draft",
    "embargo_target": "any",
    "embargo_scope": "use",
    "democracy_target": "any",
    "coin": "jp",
    "strict_hand_limit": True,
    "extra_last_round": True,
    "culture_majority_vs_partner": False,
    "team": True,
}


@pytest.mark.parametrize(
    ("players", "options", "outcome", "digest"),
    [
        (2, {}, (151, (3, 3), (1,)), "15df85cc03392310fadb1931bcd47a37"),
        (3, {"deal": "draft"}, (206, (1, 1, 1), (2,)), "b6bfc474883d6e364631bc749510154b"),
        (4, {}, (194, (0, 2, 1, 1), (1,)), "ab42394c6f14f603f453ee052e54c58b"),
        (4, ALL_VARIANTS, (263, (3, 5, 3, 5), (1, 3)), "9d48790a79c0fefae599f1823853c01f"),
    ],
)
def test_a_game_comes_out_as_it_always_has(
    players: int,
    options: dict[str, OptionValue],
    outcome: tuple[int, tuple[int, ...], tuple[int, ...]],
    digest: str,
) -> None:
    played = play_random(GAME, players, options, seed=players)
    scores, winners = GAME.scores(played.table), GAME.winners(played.table)
    assert (played.choices, scores, winners) == outcome
    assert played.table.digest().hex()[:32] == digest
