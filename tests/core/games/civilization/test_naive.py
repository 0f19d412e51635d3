"""The second reading of the rules agrees with the first one at every step of random games."""

from __future__ import annotations

from types import ModuleType

import pytest

from core.games.civilization import battle_turns, battles
from core.table import Table
from tests.core.games.civilization.second_reading import Comparison

GAMES = 8
STRIDE = 7  # One choice in so many is compared; battles all are.


@pytest.mark.parametrize("seed", range(GAMES))
def test_yields_coins_ways_battles_and_victories_are_the_same(seed: int) -> None:
    comparison = Comparison()
    table = comparison.play(seed, STRIDE, turns=12)
    assert comparison.compared["tables"]
    assert len(table.zones) == len(table.layout.places)


def play_fiercely() -> None:
    """Games with battles."""
    for seed in (1, 3, 5, 7):
        Comparison().play(seed, 1000, turns=12)


if str(battles.__file__).endswith(".py"):  # Compiled code does not look at what is put in place.

    @pytest.mark.parametrize(
        ("module", "mistaken"),
        [(battles, "side_bonus"), (battles, "hand_size"), (battle_turns, "hurt")],
    )
    def test_a_mistake_in_a_battle_is_noticed(
        module: ModuleType, mistaken: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whatever is counted for the defender is one too many."""
        right = getattr(module, mistaken)

        def wrong(table: Table, side: int, *blow: int) -> int:
            if blow:  # A unit and its wounds.
                return int(right(table, side, blow[0], blow[1] + side))
            return int(right(table, side)) + side

        monkeypatch.setattr(module, mistaken, wrong)
        with pytest.raises(AssertionError):
            play_fiercely()
