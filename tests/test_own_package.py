"""A game of somebody's own package: two files, a wheel beside ours, played and audited."""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.guide import BLOCK, PAGE
from tests.wheels import build, install

ROOT = Path(__file__).resolve().parents[1]
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "low-hand"
version = "1.0"
dependencies = ["hostless"]
[project.entry-points."hostless.games"]
low_hand = "low_hand"
[tool.hatch.build.targets.wheel]
include = ["low_hand.py"]
"""
ANSWERS = 60  # More than one seat of two ever chooses.
LIMIT_S = 300


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with our wheel, and with that of a package with a game."""
    source = tmp_path_factory.mktemp("low-hand")
    rules = "\n".join(BLOCK.findall(PAGE.read_text("utf-8")))
    rules = re.sub(r"^from core\.", "from hostless.core.", rules, flags=re.MULTILINE)
    (source / "low_hand.py").write_text(rules, "utf-8")
    (source / "pyproject.toml").write_text(PROJECT, "utf-8")
    found = install(build(ROOT, "wheel", tmp_path_factory.mktemp("ours")), source / "environment")
    site = next((source / "environment").rglob("site-packages"))
    with zipfile.ZipFile(build(source, "wheel", tmp_path_factory.mktemp("theirs"))) as archive:
        archive.extractall(site)
    return found


def said(python: Path, *arguments: str, answers: str = "") -> str:
    """What the installed program prints."""
    done = subprocess.run(
        [str(python), *arguments], cwd=python.parent, input=answers, capture_output=True,
        text=True, check=False, timeout=LIMIT_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_game_is_in_the_lobby_and_in_the_help(python: Path) -> None:
    code = "from hostless.ui.language.text import load; print(load('en')('game.low_hand'))"
    assert said(python, "-c", code) == "low hand\n"
    assert "low_hand" in said(python, "-m", "hostless", "play", "--help")


@pytest.mark.slow
def test_the_game_keeps_what_every_game_must(python: Path) -> None:
    code = (
        "from hostless.core.games import find_game\n"
        "from hostless.core.testing import CHECKS\n"
        "for check in CHECKS: check(find_game('low_hand'))\n"
    )
    assert "seats" in said(python, "-c", code)


@pytest.mark.slow
def test_the_game_is_played_against_bots_and_audited(python: Path, tmp_path: Path) -> None:
    hostless = ("-m", "hostless", "--home", str(tmp_path), "--plain")
    play = ("play", "low_hand", "--seats", "2", "--level", "gentle", "--iterations", "5")
    told = said(python, *hostless, *play, answers="1\n" * ANSWERS)
    assert "every proof verified" in told
    (kept,) = (tmp_path / "games").glob("*.hostless")
    assert "every check holds" in said(python, "-m", "hostless", "audit", str(kept))
