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
    ("players", "options", "choices", "scores", "winners", "digest"),
    [
        (2, {}, 198, (1, 1), (0, 1), "461e7224dd596f4b66fac2d21726db7d"),
        (3, {"deal": "draft"}, 226, (1, 2, 2), (1, 2), "87f515e53ee6dc217ef9896583840b10"),
        (4, {}, 243, (1, 0, 1, 1), (0, 2), "f814d890c25d58d53a842176a3aed17a"),
        (4, ALL_VARIANTS, 239, (2, 2, 2, 2), (1, 3), "11e7253b0ca7f78e3394f95c0c96fa90"),
    ],
)
def test_a_game_comes_out_as_it_always_has(
    players: int,
    options: dict[str, OptionValue],
    choices: int,
    scores: tuple[int, ...],
    winners: tuple[int, ...],
    digest: str,
) -> None:
    played = play_random(GAME, players, options, seed=players)
    assert played.choices == choices
    assert GAME.scores(played.table) == scores
    assert GAME.winners(played.table) == winners
    assert played.table.digest().hex()[:32] == digest
