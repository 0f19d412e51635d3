"""Screens that were once cut at an edge, or said a code: whole in every language."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.games import GAMES
from tests.ui.driving import QUIET, whole_text
from tests.ui.fakes import ui
from tests.ui.reading import complaints
from tests.ui.scenes import app_for, scenes, show
from ui.language.text import LANGUAGE_NAMES, LOCALES, load

SMALL = (60, 16)
# What the Korean rulebooks never say, and what they say in its place.
FOREIGN_WORDS = {
    "carta": ("덱",),  # 카드 더미
    "civilization": ("상처",),  # 부상
    "dominion": ("구매", "손 카드"),  # 구입, 손패
    # 인물 점수, 표시, 카드 액션, 상금, 패스, 내기
    "renaissance": ("결투", "기호", "카드 행동", "판돈", "통과", "부르기"),
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


def test_korean_says_what_there_is_before_how_many_and_before_what_is_done_with_it() -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("civilization-deal", "ko", (80, 24))
        assert "거래: 나, alan" in text, text  # No title of politeness for oneself.
        assert "비단 주기" in text, text
        _, text = await complaints_of("civilization-answer_deal", "ko", SMALL)
        assert "고대 이벤트 1" in text, text
        _, text = await complaints_of("civilization-city", "ko", (80, 24))
        assert "비단 수확" in text, text
        _, text = await complaints_of("civilization-moving-picked", "ko", (80, 24))
        assert "산출 생산 2" in text, text

    look()


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 36), (200, 50)])
@pytest.mark.parametrize("language", ["ko", "ja"])
def test_no_wide_letter_is_lost_where_a_message_lies_over_two_columns(
    language: str, size: tuple[int, int]
) -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("carta-silent", language, size)
        words = load(language)
        said = words("table.left", names=words.listed(["ada", "alan"])).replace(" ", "")
        beside = (line.partition("▌")[2] for line in text.splitlines())
        shown = "".join(re.sub(r"[\s─│┐┘╮╯·]", "", line) for line in beside)
        assert said in shown, text

    look()


def test_two_spaces_that_would_be_scored_are_told_apart() -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("renaissance-place", "en", (200, 50))
        assert " a2  fills [ ]" in text and " a5  fills ( )" in text, text

    look()


def test_what_an_effect_does_is_whole_beside_its_name_in_korean() -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("carta-effects", "ko", (120, 36))
        for effect in ("military.1", "military.x", "religion.x", "science.1", "science.x"):
            assert load("ko").name("explain", effect) in text, text

    look()


def test_the_korean_lobby_says_at_80_columns_what_each_game_is_about() -> None:
    @ui
    async def look() -> None:
        _, text = await complaints_of("lobby-empty", "ko", (80, 24))
        goals = [load("ko").of(game).name("goal", game) for game in GAMES]
        assert all(goal in text for goal in goals), text

    look()


@pytest.mark.parametrize("game", FOREIGN_WORDS)
def test_a_game_says_the_words_of_its_korean_rulebook(game: str) -> None:
    for path in (LOCALES.parents[2] / "core" / "games" / game / "locales").glob("*ko.toml"):
        found = [word for word in FOREIGN_WORDS[game] if word in path.read_text("utf-8")]
        assert not found, path.name
