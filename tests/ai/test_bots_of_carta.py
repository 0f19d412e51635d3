"""Bots play whole games of Carta: always legally, and better than who does not think."""

from __future__ import annotations

import pytest

from ai.tournaments.arena import ArenaMatch, play_game
from core.table import OptionValue

TABLES: list[tuple[int, dict[str, OptionValue]]] = [
    (2, {}),
    (2, {"deal": "draft", "coin": "jp", "embargo_scope": "use"}),
    (3, {}),
    (3, {"deal": "draft", "embargo_target": "any", "democracy_target": "any"}),
    (4, {}),
    (4, {"deal": "draft"}),
    (4, {"team": True, "culture_majority_vs_partner": False}),
    (4, {"team": True, "deal": "draft", "strict_hand_limit": True, "extra_last_round": True}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_bots_play_whole_games_and_never_break_a_rule(
    seats: int, options: dict[str, OptionValue], seed: int
) -> None:
    for number in range(3):  # An illegal action would raise RulesError.
        players = ("search:1", *("search:2", "random", "search:1")[: seats - 1])
        result = play_game(ArenaMatch("carta", players, seed + number, options))
        assert result.choices > 0
        assert sum(result.shares) > 0


@pytest.mark.slow
def test_even_a_hasty_bot_beats_a_random_player() -> None:
    won = sum(
        play_game(ArenaMatch("carta", players, number)).shares[players.index("search:8")]
        for number in range(4)
        for players in (("search:8", "random"), ("random", "search:8"))
    )
    assert won >= 7_000


def test_a_game_that_never_ends_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ai.tournaments.arena.GAME_CHOICES_MAX", 10)
    result = play_game(ArenaMatch("carta", ("random", "random"), 1))
    assert result.shares == (0, 0)
