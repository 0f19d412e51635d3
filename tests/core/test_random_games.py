"""The script that plays many random games."""

from __future__ import annotations

import pytest

from core.games import GAMES
from core.games.carta import Carta
from core.requests import Action
from core.table import Eyes, RulesError, Table
from scripts import random_games


def test_it_plays_and_reports(capsys: pytest.CaptureFixture[str]) -> None:
    assert random_games.main(["--games", "25"]) == 0
    out = capsys.readouterr().out
    assert "25 games ended, none raised, cards conserved" in out
    assert "dealt anew, the same choices each time" in out


class _Peeking(Carta):
    """What a seat may do depends on a card that it cannot see."""

    def legal_actions(self, table: Table, player: int, eyes: Eyes) -> list[Action]:
        found = super().legal_actions(table, player, eyes)
        deck = table.zones[0]
        return found if not deck or eyes[deck[-1]] > 0 else [*found, Action("peek")]


class _Losing(Carta):
    """A card gets lost now and then."""

    def apply(self, table: Table, player: int, action: Action) -> None:
        super().apply(table, player, action)
        if action.verb == "end":
            table.zones[1].clear()


class _Raising(Carta):
    """A rule that refuses what it has offered."""

    def apply(self, table: Table, player: int, action: Action) -> None:
        if action.verb == "use":
            raise RulesError("no effects today")
        super().apply(table, player, action)


@pytest.mark.parametrize("game", [_Peeking(), _Losing(), _Raising()])
def test_it_finds_games_that_are_broken_and_prints_the_seed(
    game: Carta, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
