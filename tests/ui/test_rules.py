"""The rules of a game in every language: the same rules, and the one text that everybody reads."""

from __future__ import annotations

import re

import pytest

from core.games import find_game
from tests.ui.driving import an_app, at_table, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.games import look_of
from ui.language.text import LANGUAGE_NAMES, Words, load
from ui.model.rules import rules_text, without_wide_tables
from ui.plain.presenter import PlainPresenter
from ui.screens.pages import RulesScreen
from ui.settings import Settings

COUNTED = ("carta", "dominion", "renaissance")  # Whose rules are numbered.
CODES = [code for code in LANGUAGE_NAMES if code != "en"]
_RULE = re.compile(r"^- \*\*(D?\d+(?:\.\d+)?)", re.MULTILINE)
_HEADING = re.compile(r"^#+ (\d*)", re.MULTILINE)
_OPTION = re.compile(r"^- \*\*\D[^*]*:\*\*", re.MULTILINE)
_NUMBER = re.compile(r"[-\d BR]+")  # The spaces of an event are B or R.


def rules_in(code: str, game: str) -> str:
    return rules_text(load(code).of(game), game)


@pytest.mark.parametrize("game", [*COUNTED, "civilization"])
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_rules_name_options_and_their_values_as_the_form_does(code: str, game: str) -> None:
    text, words = rules_in(code, game), load(code).of(game)
    for option in find_game(game).options:
        assert f"`{option.key}`" not in text
        told = text.partition(f"- **{words.name('option', option.key)}:**")[2].partition("\n- ")[0]
        assert not [value for value in option.values if "_" in str(value) and str(value) in told]
        if isinstance(option.values[0], str) and told:
            assert words.name("value", str(option.values[0]).lower()) in told


@pytest.mark.parametrize("game", [*COUNTED, "civilization"])
@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_the_same_rules_under_the_same_headings(game: str, code: str) -> None:
    english, other = rules_in("en", game), rules_in(code, game)
    assert other != english
    assert _HEADING.findall(other) == _HEADING.findall(english)
    assert _RULE.findall(other) == _RULE.findall(english)
    assert len(_OPTION.findall(other)) == len(_OPTION.findall(english))


@pytest.mark.parametrize("game", COUNTED)
@pytest.mark.parametrize("code", CODES)
def test_a_translation_has_the_same_numbers_in_its_tables(game: str, code: str) -> None:
    def cells(text: str) -> list[list[str]]:
        return [line.split("|") for line in text.splitlines() if line.startswith("|")]

    english, other = cells(rules_in("en", game)), cells(rules_in(code, game))
    for row, other_row in zip(english, other, strict=True):
        for one, another in zip(row, other_row, strict=True):
            assert another == one or not _NUMBER.fullmatch(one)


@pytest.mark.parametrize("game", COUNTED)
def test_the_rules_open_at_the_same_chapter_in_every_language(game: str) -> None:
    """The screen goes to the heading that begins with what the look of the game says."""
    port = PracticePort(game=find_game(game), seed=3).begin()
    views = [port.play(number).news().view for number in (0, 1, 1, 2, 3, 10_000)]
    for chapter in {look_of(game).chapter(view) for view in views}:
        for code in LANGUAGE_NAMES:
            headings = re.findall(r"^#+ (.*)$", rules_in(code, game), re.MULTILINE)
            (found,) = [each for each in headings if each.startswith(chapter)]
            assert found.startswith(f"{chapter} ")


def test_rules_that_nobody_has_translated_are_read_in_english() -> None:
    assert rules_text(Words("ko", {}), "carta") == find_game("carta").rules


def test_the_lines_of_text_tell_the_rules_in_the_language_of_the_person() -> None:
    told = PlainPresenter(load("ko"), is_automatic=False).read("rules").lines
    assert any("손패에서 카드 1장" in line for line in told)


@ui
async def test_the_page_of_the_rules_is_in_the_language_of_the_person() -> None:
    app = an_app(settings=Settings(is_automatic=False, takes_back=False, language="ko"))
    async with app.run_test(size=(100, 30)) as pilot:
        await at_table(pilot)
        await pilot.press("r")
        await shown(pilot, "손패에서 카드 1장")
        assert isinstance(app.screen, RulesScreen)


class SlowRules(RulesScreen):
    """Rules on a machine that is too busy to lay out all of them,"""

    async def _mount(self, text: str, *, is_whole: bool = False) -> None:
        if not is_whole:
            await super()._mount(text)


class StuckRules(RulesScreen):
    """or any."""

    async def _lay_out(self) -> None:
        """Never."""


@pytest.mark.parametrize(
    ("page", "said", "unsaid"),
    [(StuckRules, "rules are being laid out", "A turn, clockwise"),
     (SlowRules, "2 A turn, clockwise", "rules are being laid out")],
)  # fmt: skip
@ui
async def test_before_all_rules_are_laid_out_there_is_the_chapter_of_now_or_a_word_about_it(
    page: type[RulesScreen], said: str, unsaid: str
) -> None:
    app = an_app(PracticePort(game=find_game("dominion")))
    async with app.run_test(size=(100, 30)) as pilot:
        table = await at_table(pilot)
        assert table.model is not None
        await app.push_screen(page(table.model.view.game, table.model))
        await shown(pilot, said)
        assert unsaid not in whole_text(app)


def test_the_numbers_of_a_list_say_what_they_are_of() -> None:
    for code, some in (("en", "2 players: 46"), ("ko", "2명: 46"), ("ja", "2人: 46")):
        assert some in without_wide_tables(rules_in(code, "dominion"))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("game", [*COUNTED, "civilization"])
def test_no_table_of_the_rules_has_more_columns_than_a_small_screen_shows(
    game: str, code: str
) -> None:
    text = rules_in(code, game)
    shown = without_wide_tables(text)
    assert all(line.count("|") <= 3 for line in shown.splitlines() if line.startswith("|"))
    for cells in (line.strip("|").split("|") for line in text.splitlines() if line[:1] == "|"):
        assert all(cell.strip() in shown for cell in cells if set(cell) - set("- ")), cells


class TableOfRules(RulesScreen):
    """The last table alone: it would stand far below."""

    async def _lay_out(self) -> None:
        text = without_wide_tables(rules_in("ja", "civilization"))
        *_, table = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
        await self._mount(table)


@ui
async def test_a_table_of_the_rules_cuts_neither_a_name_nor_what_is_said_of_it() -> None:
    app = an_app(PracticePort(game=find_game("civilization")))
    async with app.run_test(size=(60, 60)) as pilot:
        table = await at_table(pilot)
        assert table.model is not None
        await app.push_screen(TableOfRules("civilization", table.model))
        await shown(pilot, "│ アメリカ │")
        await settled(pilot)
        assert "死んだ部隊を1つ取り戻せる。" in re.sub(r"[\s│]", "", whole_text(app))
        assert "…" not in whole_text(app)
