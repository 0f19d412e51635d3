"""Whole games that have to come out the same on every machine, today and in ten years.

When one of these changes, the rules, the order of the offers or the bytes of a table have changed:
old game files will not replay, and the version of the engine has to rise.
"""

from __future__ import annotations

import pytest

from core.table import OptionValue
from tests.core.games.stage import GAME
from tests.worlds import play_random

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
        (2, {}, (120, (5, 4), (0,)), "10fcf4be206f487858281291f1731f9d"),
        (3, {"deal": "draft"}, (214, (0, 0, 2), (2,)), "e7dbbec0d385ea6a8c30339e042ad983"),
        (4, {}, (191, (2, 2, 2, 2), (1,)), "d5444a9fe724e0d5c515a7b18c445661"),
        (4, ALL_VARIANTS, (281, (3, 5, 3, 5), (1, 3)), "dd6b81699895d56fc1e865a6c1e3f103"),
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
