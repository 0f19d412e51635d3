"""The script that begins a new game writes one that works."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from core.chance import Chance
from core.engine import run_until_choice
from core.game import Game
from core.requests import Choice, Over
from scripts import new_game
from tests import tidy

ROOT = Path(__file__).resolve().parents[1]
BEFORE = """from core.game import Game

OURS: Final = ("carta", "dominion")
"""
GAMES_IN_ALL = 40


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the rules and of what checks them."""
    shutil.copytree(ROOT / "core", tmp_path / "core")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play(game: Game, players: int, chance: Chance) -> tuple[int, ...]:
    """A random game to its end; returns the scores."""
    table = game.setup(players, {})
    deal = table.face[:]
    while not isinstance(request := run_until_choice(game, table, deal, chance), Over):
        assert isinstance(request, Choice)
        actions = game.legal_actions(table, request.player, deal)
        game.apply(table, request.player, chance.pick(actions))
    assert game.winners(table)
    return game.scores(table)


def test_a_new_game_can_be_played_to_its_end(repository: Path, seed: int) -> None:
    written = new_game.begin("high_cards", "High Cards", repository)
    game: Game = load(written).GAME
    for count in range(GAMES_IN_ALL):
        players = game.players[count % len(game.players)]
        assert len(play(game, players, Chance(seed + count))) == players


@pytest.mark.slow
def test_a_new_game_passes_the_checks(repository: Path) -> None:
    written = new_game.begin("high_cards", "High Cards", repository)
    assert not tidy.complaints(tidy.Source("core/games/high_cards.py", written.read_text("utf-8")))
    for check in (["ruff", "check", "."], ["mypy", "-p", "core"]):
        command = [sys.executable, "-m", *check]
        done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_game_is_listed_behind_the_others() -> None:
    assert new_game.listing(BEFORE, "high_cards") == BEFORE.replace('")', '", "high_cards")')


def test_a_second_new_game_is_listed_too() -> None:
    twice = new_game.listing(new_game.listing(BEFORE, "high_cards"), "arena")
    assert '("carta", "dominion", "high_cards", "arena")' in twice


def test_a_list_that_looks_otherwise_is_left_alone() -> None:
    with pytest.raises(new_game.NewGameError, match="list the game there"):
        new_game.listing("GAMES = {}", "high_cards")


@pytest.mark.parametrize("slug", ["", "High", "a b", "../a", "class", "a-b", "1st", "a" * 33])
def test_a_slug_that_cannot_name_a_game_is_refused(slug: str, repository: Path) -> None:
    with pytest.raises(new_game.NewGameError):
        new_game.begin(slug, "Name", repository)


def test_a_game_is_never_overwritten(repository: Path) -> None:
    new_game.begin("high_cards", "High Cards", repository)
    with pytest.raises(new_game.NewGameError, match="already"):
        new_game.begin("high_cards", "High Cards", repository)
    with pytest.raises(new_game.NewGameError, match="already"):
        new_game.begin("carta", "Carta", repository)
