"""The script that plays many random games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.game import Game
from core.games import GAMES
from core.games.carta import GAME as CARTA
from core.requests import Action
from core.table import Observation, RulesError, Table
from scripts.lab import random_games


def test_it_plays_and_reports(capsys: pytest.CaptureFixture[str]) -> None:
    assert random_games.main(["--games", "25"]) == 0
    out = capsys.readouterr().out
    assert "25 games ended, none raised, cards conserved" in out
    assert "dealt anew, the same choices each time" in out


def peek(table: Table, player: int, observation: Observation) -> list[Action]:
    """What a seat may do depends on a card that it cannot see."""
    found = CARTA.legal_actions(table, player, observation)
    deck = table.zones[0]
    return found if not deck or observation[deck[-1]] > 0 else [*found, Action("peek")]


def lose(table: Table, player: int, action: Action) -> None:
    """A card gets lost now and then."""
    CARTA.apply(table, player, action)
    if action.verb == "end":
        table.zones[1].clear()


def refuse(table: Table, player: int, action: Action) -> None:
    """A rule that refuses what it has offered."""
    if action.verb == "use":
        raise RulesError("no effects today")
    CARTA.apply(table, player, action)


BROKEN = [
    replace(CARTA, legal_actions=peek), replace(CARTA, apply=lose), replace(CARTA, apply=refuse)
]  # fmt: skip


@pytest.mark.parametrize("game", BROKEN)
def test_it_finds_games_that_are_broken_and_prints_the_seed(
    game: Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(GAMES, "carta", game)
    assert random_games.main(["--games", "25"]) == 1
    assert "FAILED: seed " in capsys.readouterr().err


def test_seats_and_options_can_be_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--game", "dominion", "--games", "6", "--seats", "3", "--option", "kingdom=random"]
    assert random_games.main(asked) == 0
    counts = [
        line.split()[1:3] for line in capsys.readouterr().out.splitlines() if "edition" in line
    ]
    assert counts
    assert all(count == ["3", "seats,"] for count in counts)
