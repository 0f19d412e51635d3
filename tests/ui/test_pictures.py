"""Screens that were once cut at an edge, or said a code: whole in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.driving import QUIET, whole_text
from tests.ui.fakes import ui
from tests.ui.reading import complaints
from tests.ui.scenes import app_for, scenes, show
from ui.text import LANGUAGE_NAMES, LOCALES, load

SMALL = (60, 16)
# What the Korean rulebooks never say, and what they say in its place.
FOREIGN_WORDS = {
    "carta": ("덱",),  # 카드 더미
    "dominion": ("구매",),  # 구입
    "renaissance": ("결투", "기호", "카드 행동", "판돈"),  # 인물 점수, 표시, 카드 액션, 상금
}
ONCE_CUT = (
    "gathering",
    "help",
    "open-parts",
    "carta-signs",
    "dominion-signs",
    "carta-replay",
    "carta-effects",
)


async def complaints_of(name: str, language: str, size: tuple[int, int]) -> tuple[list[str], str]:
    """What is wrong with a scene, and what it shows."""
    app = app_for(replace(QUIET, language=language))
    async with app.run_test(size=size, notifications=True) as pilot:
        await show(scenes()[name], pilot)
        return complaints(app), whole_text(app)


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("name", ONCE_CUT)
def test_nothing_is_cut_on_the_smallest_screen(name: str, language: str) -> None:
    @ui
    async def look() -> None:
        wrong, text = await complaints_of(name, language, SMALL)
        assert not wrong, text

    look()


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_choices_that_begin_alike_are_told_apart_on_the_smallest_screen(language: str) -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("civilization-choose_gift", language, SMALL)
        told = load(language)
        for resource in ("silk", "incense", "wheat"):
            name = told.name("face", f"hut.{resource}").split()[-1]
            assert name in text, text

    look()


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_the_card_that_is_scored_says_all_of_it_in_the_one_row_that_it_has(language: str) -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("renaissance-name", language, (80, 24))
        whole = load(language).of("renaissance")("renaissance.not_named")
        assert "alan: ?" in text or f"alan: {whole}" in text, text
        _, text = await complaints_of("renaissance-waiting", language, (80, 24))
        assert load(language).of("renaissance")("renaissance.duel", stake=3) in text, text

    look()


@pytest.mark.parametrize("game", FOREIGN_WORDS)
def test_a_game_says_the_words_of_its_korean_rulebook(game: str) -> None:
    for path in (LOCALES.parents[1] / "core" / "games" / game / "locales").glob("*ko.toml"):
        found = [word for word in FOREIGN_WORDS[game] if word in path.read_text("utf-8")]
        assert not found, path.name
