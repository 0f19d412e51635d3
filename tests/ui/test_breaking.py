"""Where lines end: Japanese between words that belong apart, everything else at spaces."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len
from textual.content import Content

from tests.ui.driving import QUIET, an_app, at_table, settled, shown, whole_text
from tests.ui.fakes import ui
from tests.ui.shopping import market
from ui.draw.frame import draw_table
from ui.draw.panels import wrapped
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import view_model
from ui.terminal.breaking import NEVER_FIRST, NEVER_LAST, break_lines_everywhere, divide, pieces
from ui.terminal.spans import Span, to_text, wrap


def divided(text: str, width: int) -> list[str]:
    """The lines that a widget of Textual makes of a text."""
    begins = [0, *divide(text, width), len(text)]
    return [text[begin:end].rstrip() for begin, end in pairwise(begins)]


def test_words_of_katakana_numbers_with_their_counters_and_endings_stay_whole() -> None:
    assert wrap("アクション·リアクション", 22) == ["アクション·", "リアクション"]
    assert wrap("レベルIIまで2枚", 14) == ["レベルIIまで", "2枚"]
    assert wrap("やめて購入に進んでください", 24) == ["やめて購入に進んで", "ください"]
    assert wrap("カード+1、アクション+1。手札", 14) == ["カード+1、", "アクション+1。", "手札"]
    assert wrap("銅貨×4を出す", 6) == ["銅貨×4", "を出す"]


def test_a_key_named_in_a_japanese_sentence_is_not_broken() -> None:
    assert divided("矢印は隣へ、tab は順に", 14) == ["矢印は隣へ、", "tab は順に"]


def test_a_name_or_a_number_leaves_no_line_half_empty() -> None:
    said = load("ja")("table.left", names="grace, alan")
    assert divided(said, 40)[0].startswith("grace, alanさんの")
    assert cell_len(divided(said, 40)[0]) > 34


@pytest.mark.parametrize("code", ["en", "ko"])
def test_other_languages_are_broken_at_their_spaces_alone(code: str) -> None:
    for text in load(code).sentences.values():
        kept = text.replace("( )", "(_)").replace("[ ]", "[_]")  # A sign, and one word.
        words = [word.replace("(_)", "( )").replace("[_]", "[ ]") for word in kept.split()]
        assert [piece.text for piece in pieces(text)] == words


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_no_line_of_any_sentence_is_too_long_or_begins_with_a_sign_that_closes(code: str) -> None:
    for key, text in load(code).sentences.items():
        if key.startswith("rules."):
            continue  # As Markdown, below.
        for width in (30, 56, 76):
            for lines in (wrap(text, width), divided(text.replace("\n", " "), width)):
                assert all(cell_len(line) <= width for line in lines), key
                if code == "ja":
                    begun = [line for line in lines[1:] if line[:1] in set("、。）」！？ー")]
                    assert begun == [], key
                    assert [line for line in lines if line[-1:] in set(NEVER_LAST)] == [], key


def test_nothing_of_a_text_is_lost_or_moved_by_breaking_it(seed: int) -> None:
    chance = random.Random(seed)
    letters = "手札をカード、。（）「ab 1枚+×ー " + NEVER_FIRST + NEVER_LAST
    for _ in range(300):
        text = "".join(chance.choices(letters, k=chance.randrange(1, 60)))
        width = chance.randrange(4, 30)
        begins = divide(text, width)
        assert begins == sorted(set(begins)) and all(0 < at < len(text) for at in begins)
        assert "".join(wrap(text, width)).replace(" ", "") == text.replace(" ", "")


def test_what_textual_draws_itself_is_broken_alike() -> None:
    break_lines_everywhere()
    text = load("ja")("table.left", names="grace, alan")
    assert [line.plain for line in Content(text).wrap(40)] == divided(text, 40)
    english = load("en")("table.left", names="grace, alan")
    assert [line.plain for line in Content(english).wrap(40)] == wrap(english, 40)


@ui
async def test_the_rules_leave_no_number_alone_on_a_line_of_a_screen() -> None:
    app = an_app(settings=replace(QUIET, language="ja"))
    async with app.run_test(size=(60, 16)) as pilot:
        await at_table(pilot)
        await pilot.press("r")
        await shown(pilot, "必ず出します")
        begun = [line.strip(" •│") for line in whole_text(app).splitlines()]
        alone = [line for line in begun if line[:1].isdigit() and "." in line and len(line) < 8]
        assert any("3.1" in line for line in begun) and alone == []


@ui
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
async def test_no_letter_of_a_notice_is_lost_where_two_parts_of_the_table_meet(
    size: tuple[int, int],
) -> None:
    app = an_app(settings=replace(QUIET, language="ja"))
    async with app.run_test(size=size, notifications=True) as pilot:
        await at_table(pilot)
        for text in ("鶴" * 50, "x" + "亀" * 50):  # At even cells and at odd ones.
            app.screen.notify(text)
            await shown(pilot, text[-1])
            await settled(pilot)
            assert whole_text(app).count(text[-1]) == 50


def test_what_kind_a_pile_is_of_is_not_cut_for_its_key() -> None:
    words = load("ja")
    news = (
        market().play_until(lambda news: news.view.phase == "buy" and news.event_count > 60).news()
    )
    board = to_text(draw_table(Scene(view_model(words, news), (), "", 120, 36)).board)
    kind = words("type.action")
    assert board.count(kind) > 5
    assert f"{kind[:3]}…" not in board and f"{kind[:4]}…" not in board


def test_the_sign_of_a_space_is_one_word() -> None:
    assert wrap("all red ones [ ] a duel", 15) == ["all red ones", "[ ] a duel"]
    assert wrap("all blue spaces ( ) score", 17) == ["all blue spaces", "( ) score"]


def test_a_number_is_not_parted_from_its_sign() -> None:
    assert wrap("アクション+1。手札を捨て", 12)[0] == "アクション"


def test_one_letter_of_a_word_is_no_last_line_and_nothing_gets_a_space() -> None:
    for text in (
        "手札が7枚になるまで1枚ずつ引く。引いたアクションは脇に置いてもよく、後で捨てる。",
        "場札に追加: 宗教、赤の天才、建築/探検、赤の天才",
        "graceさんが警戒を切り替える: 自分が狙われたとき",
    ):
        for width in range(12, 60, 2):
            for lines in (wrap(text, width), to_text(wrapped([Span(text)], width)).splitlines()):
                assert "".join(lines).replace(" ", "") == text.replace(" ", ""), lines
                assert all(cell_len(line) <= width for line in lines)
                joined = "".join(lines)
                assert "天 才" not in joined and "と き" not in joined and "て る" not in joined
                assert lines[-1].strip("。") not in ("る", "才", "き"), (width, lines)


def test_how_many_there_are_stays_with_what_is_counted() -> None:
    assert wrap("forces: Artillery 2, 2× Infantry 2", 25) == [
        "forces: Artillery 2,",
        "2× Infantry 2",
    ]


@pytest.mark.parametrize("text", ["your row 0 → 1", "自分の列 0 → 1"])
def test_what_a_number_becomes_is_not_parted_from_it(text: str) -> None:
    assert wrap(text, 12)[-1] == "0 → 1"


def test_a_name_in_a_list_is_not_parted_where_a_line_may_end_before_it() -> None:
    text = "王国: 地下貯蔵庫、市場、商人、民兵、鉱山、堀、改築、鍛冶屋、村、工房"
    names = text.removeprefix("王国: ").split("、")
    for width in range(12, 60):
        for lines in (wrap(text, width), to_text(wrapped([Span(text)], width)).splitlines()):
            assert all(cell_len(line) <= width for line in lines)
            assert all(any(name in line for line in lines) for name in names), (width, lines)
