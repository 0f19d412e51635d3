"""A war of Civilization on the screen: who attacks what, every blow, and what came of it."""

from __future__ import annotations

import pytest

from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import field
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_natives import beside_village
from tests.ui.test_civilization_story import model_of, setting_off
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games.civilization.map import few_sign_rows, sign_rows
from ui.games.civilization.position import table_of
from ui.games.civilization.standings import both_rows, limits_rows
from ui.spans import row_width, to_text
from ui.text import LANGUAGE_NAMES
from ui.view_model import ViewModel


def board_of(model: ViewModel, width: int, height: int) -> str:
    return to_text(draw_table(Scene(model, width=width, height=height)).board)


@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (100, 30)])
def test_what_a_move_would_begin_is_said_whole_below_the_map(width: int, height: int) -> None:
    """`a battle with its…` was all of it at 60 x 20."""
    stage = beside_village("infantry.1").holds(0, "hut.silk").has(0, guard=0).phase("move")
    model = model_of(Narrated(stage).do("move 8.8 1+0"))
    label = next(pick.label for pick in model.picks if pick.offer.text == "go 9.8")
    frame = draw_table(Scene(model, (label,), width=width, height=height))
    assert model.words("civilization.met.village") in " ".join(to_text(frame.hand).split())


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_way_to_the_tech_victory_is_called_by_its_level_and_not_as_a_count(code: str) -> None:
    """`tech 1/5` read as one technology of five."""
    model = model_of(Narrated(base().tech(0, "pottery").tech(0, "currency").phase("move")), code)
    level = model.words("civilization.short.level")
    assert level.lower() in model.words("civilization.level", number=1).lower()
    for width in (23, 42):
        head, *_ = both_rows(Scene(model), table_of(model.view), width)
        assert level in to_text([head])


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_i_am_takes_few_rows_and_none_of_it_is_cut(code: str) -> None:
    """At 100 x 30 the ranks of three units took three rows, and ended with `…`."""
    model = model_of(Narrated(base().phase("move")), code)
    rows = limits_rows(Scene(model), table_of(model.view), 34)
    assert len(rows) <= 6 and all(row_width(row) <= 34 for row in rows)
    said = model.words("civilization.ranks", what=model.words("civilization.ranks_all", number=1))
    assert said in to_text(rows) and "…" not in to_text(rows)
    board = board_of(model, 100, 30)
    assert said in board and model.words("civilization.hand_limit", number=2) in board


def test_units_of_a_higher_rank_are_named_and_the_others_are_others() -> None:
    model = model_of(Narrated(base().tech(0, "mathematics").phase("move")))
    rows = limits_rows(Scene(model), table_of(model.view), 60)
    assert "ranks: artillery 2, others 1" in to_text(rows)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_signs_of_the_map_have_room_where_there_are_few_rows(code: str) -> None:
    """Eleven rows of two columns were cut: the last signs were never seen at 100 x 30."""
    model = model_of(Narrated(base().army(0, "5.5").scout(0, "5.5").phase("move")), code)
    table, scene = table_of(model.view), Scene(model)
    rows = few_sign_rows(scene, table, 36, 8)
    assert len(rows) <= 8 and all(row_width(row) <= 36 for row in rows)
    whole = set(to_text(sign_rows(scene, 36)).split())
    assert set(to_text(rows).split()) == whole, "they are all there"
    fewer = to_text(few_sign_rows(scene, table, 36, 5))
    assert "1A " in fewer and "* " in fewer and "! " not in fewer, "no wonder stands there"
    assert few_sign_rows(scene, table, 36, 1) == [], "none of them is cut"


def test_my_units_that_are_all_killed_are_none() -> None:
    model = model_of(Narrated(Stage().city(0, "2.2").phase("move")))
    assert "forces: none" in to_text(draw_table(Scene(model, width=60, height=20)).hand)


@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (100, 30), (120, 40)])
def test_the_strength_of_every_unit_that_i_hold_is_seen(width: int, height: int) -> None:
    """Of six units at 120 x 40 each was `Infantr…`, and which one was strong nobody saw."""
    stage = field(armies=3).holds(0, "infantry.1 infantry.2 infantry.3 mounted.1 mounted.2")
    stage.holds(0, "artillery.3").holds(1, "mounted.1")
    model = model_of(setting_off(stage, "move 8.8 3+0", "go 9.8", "play mounted.1", "new"))
    shown = to_text(draw_table(Scene(model, width=width, height=height)).hand)
    names = [held.card.face for held in model.hand]
    assert len(names) == 6
    assert all(model.words.name("face", key or "") in shown for key in names)
