"""What a choice of Civilization is about: squares and deals, named and seen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games.civilization.layout import MARK
from tests.core.games.civilization.stage import ALL_GUARDS, Stage, at
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_movement import base
from tests.ui.test_civilization_story import model_of, news_of
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games.civilization.deal import deal_rows, title
from ui.games.civilization.labels import squares_of
from ui.games.civilization.map import spots_of
from ui.games.civilization.position import table_of
from ui.games.civilization.squares import square_text
from ui.games.civilization.window import window_text
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import to_text


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("built", ["library", "city"])
def test_what_is_printed_below_a_building_or_a_city_is_said_not_to_count(
    code: str, built: str
) -> None:
    """C52, C81: `grassland, silk, library` read as if the silk could still be harvested."""
    stage = Stage().city(0, "2.2").city(1, "12.12").ground("gS", "6.6")
    stage = stage.city(0, "6.6") if built == "city" else stage.mark(built, "6.6")
    model = model_of(Narrated(stage.phase("city")), code)
    words, silk = load(code), load(code)("civilization.resource.silk")
    text = square_text(model, table_of(model.view), at("6.6"))
    assert text.count(silk) == 1 and words("civilization.covered", what=silk) in text
    table = table_of(model.view)
    table.counters[MARK + at("6.6")] = 0
    assert words("civilization.covered", what=silk) not in square_text(model, table, at("6.6"))


def aiming() -> ViewModel:
    """ada plays Defection, and chooses between two figures of a square and others."""
    stage = base().army(0, "4.4").army(1, "4.7").scout(1, "4.7").holds(0, "defection")
    return model_of(Narrated(stage.phase("move").do("event defection")))


def test_a_card_that_is_still_to_be_aimed_is_aimed_at_nothing() -> None:
    """`you play Defection; aimed at ada: army a1` stood above the choice of whom."""
    text = window_text(aiming(), table_of(aiming().view))
    assert "Defection" in text and "aimed at" not in text


def test_figures_of_a_square_that_a_card_can_be_aimed_at_have_their_keys_beside_it() -> None:
    model = aiming()
    picks = [pick for pick in model.picks if squares_of(pick.offer) == [at("4.7")]]
    assert len(picks) == 2 and spots_of(Scene(model))[at("4.7")] == ["g8", "g8b"]
    said = square_text(model, table_of(model.view), at("4.7"))
    assert "g8: grace: army" in said and "g8b: grace: scout" in said


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_where_an_answer_stops_a_move_is_bright_on_the_map_and_named_in_the_list(
    code: str,
) -> None:
    """The squares were only letters of a list: nobody found the way of the army on the map."""
    stage = base().city(1, "6.8").army(0, "4.8").holds(1, "defection").has(1, guard=ALL_GUARDS)
    stage = stage.phase("move").do("move 4.8 1+0", "go 6.8")
    model = model_of(Narrated(stage), code, me=1)
    answers = [pick for pick in model.picks if pick.offer.action.verb == "answer"]
    scene = Scene(model, width=80, height=24)
    way = map(at, ("4.8", "5.8", "6.8"))
    assert spots_of(scene) == {square: [pick.label]
                               for square, pick in zip(way, answers, strict=True)}  # fmt: skip
    board = " ".join(to_text(draw_table(scene).board).split())
    assert all(pick.text in board for pick in answers)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_a_deal_with_somebody_of_a_long_name_i_am_not_cut_and_it_is_said_who_gives(
    code: str,
) -> None:
    """At 100 x 30 the title ended before `나`, and above each side stood half of a name."""
    stage = Stage("russia china america").city(0, "2.2").city(1, "12.12").has(0, trade=3)
    stage = stage.phase("trade").do("offer seat1")
    news = news_of(Narrated(stage), me=1)
    seats = tuple(replace(each, name="the_longest_of_names") for each in news.seats)
    model = view_model(load(code), replace(news, seats=seats))
    scene, words = Scene(model, width=100, height=30), load(code)
    for width in (24, 28, 40):
        table = table_of(model.view)
        said = title(scene, table, width)
        assert said.endswith(words("board.you")) and cell_len(said) <= width
        heads = to_text(deal_rows(scene, table, width)[:1])
        what = words("civilization.gives", name="")
        assert what.strip() in heads and words("civilization.gives_me") in heads
