"""The script that begins a new game writes one that works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

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
    for package in ("core", "ai", "ui", "p2p"):
        shutil.copytree(ROOT / package, tmp_path / package)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_a_new_game_can_be_played_to_its_end(repository: Path, seed: int) -> None:
    told = in_repository(
        repository,
        "from core.games import GAMES; from core.testing.worlds import play_random\n"
        "game = GAMES['high_cards']\n"
        f"for number in range({GAMES_IN_ALL}):\n"
        f"    played = play_random(game, game.players[0], {{}}, {seed} + number)\n"
        "    assert game.winners(played.table)\n"
        "print(*game.players)",
        seats=(2, 2),
    )
    assert told == "2"


@pytest.mark.slow
def test_a_new_game_has_all_its_parts_and_keeps_what_every_game_must(repository: Path) -> None:
    told = in_repository(
        repository,
        "from core.games import GAMES; from core.testing import CHECKS\n"
        "from ai.games import knowledge_of; from ui.games import look_of\n"
        "from ui.language.text import load\n"
        "game = GAMES['high_cards']\n"
        "import contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    [check(game) for check in CHECKS]\n"
        "print(knowledge_of('high_cards').__name__, look_of('high_cards').face('7').letter,\n"
        "      load('ko').name('game', 'high_cards'))",
    )
    assert told == "PlainKnowledge 7 High Cards"


@pytest.mark.slow
def test_a_new_game_passes_the_checks(repository: Path) -> None:
    known = ROOT / ".mypy_cache" / sys.platform  # What `check.py types` has found out before.
    if known.exists():
        shutil.copytree(known, repository / ".mypy_cache")
    for written in new_game.begin("high_cards", "High Cards", root=repository):
        if written.suffix == ".py":
            name = written.relative_to(repository).as_posix()
            assert not tidy.complaints(tidy.Source(name, written.read_text("utf-8")))
    for check in (
        ["ruff", "check", "."], ["mypy", "-p", "core", "-p", "ai", "-p", "ui"],
        ["pytest", "-q", "-p", "no:cacheprovider", "tests/core/games/high_cards"],
    ):  # fmt: skip
        command = [sys.executable, "-m", *check]
        done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_new_game_can_be_a_package_of_its_own(tmp_path: Path) -> None:
    """Its tests pass beside hostless, and it brings a bot, a look and words."""
    written = new_game.begin_package("high_cards", "High Cards", (2, 2), tmp_path)
    assert {path.name for path in written} >= {"pyproject.toml", "bot.py", "look.py", "ko.toml"}
    announced = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    assert announced["entry-points"]["hostless.games"] == {"high_cards": "high_cards"}
    places = os.pathsep.join(map(str, (ROOT / "scripts" / "editable", tmp_path)))
    parts = ("from high_cards.bot import KNOWLEDGE", "from high_cards.look import LOOK")
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "tests"]
    for arguments in (command, ["-c", "\n".join(parts)]):
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False,
            env=os.environ | {"PYTHONPATH": places},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_package_is_written_into_an_empty_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(new_game.NewGameError, match="no empty folder"):
        new_game.begin_package("high_cards", "High Cards", folder=tmp_path)
    with pytest.raises(new_game.NewGameError, match="already"):
        new_game.begin_package("carta", "Carta", folder=tmp_path / "own")


def in_repository(repository: Path, code: str, seats: tuple[int, int] = (2, 4)) -> str:
    """What some code prints in a copy with the new game."""
    new_game.begin("high_cards", "High Cards", seats, repository)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("text", "seats"), [("2", (2, 2)), ("3-6", (3, 6))])
def test_the_numbers_of_seats_can_be_said(text: str, seats: tuple[int, int]) -> None:
    assert new_game.seats_of(text) == seats


@pytest.mark.parametrize("text", ["", "0", "1", "1-3", "4-2", "two", "2-", "10"])
def test_a_number_of_seats_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(new_game.NewGameError, match="number of seats"):
        new_game.seats_of(text)


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
        new_game.begin(slug, "Name", root=repository)


def test_a_game_is_never_overwritten(repository: Path) -> None:
    new_game.begin("high_cards", "High Cards", root=repository)
    with pytest.raises(new_game.NewGameError, match="already"):
        new_game.begin("high_cards", "High Cards", root=repository)
    with pytest.raises(new_game.NewGameError, match="already"):
        new_game.begin("carta", "Carta", root=repository)
