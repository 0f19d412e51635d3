"""A war of Civilization on the screen: who attacks what, every blow, and what came of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.games.civilization.layout import BATTLE_AT, TARGET_CITY
from core.narrate import Line
from core.requests import Action
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import city, field
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_natives import beside_village
from tests.core.games.civilization.test_story import natives_beaten, natives_unbeaten
from tests.ui.test_civilization_story import model_of, news_of, setting_off
from ui.draw.choices import draw_choices
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.draw.story import draw_story, newest
from ui.games.civilization.battle import battle_rows, title
from ui.games.civilization.map import Sheet, Size, few_sign_rows, sign_rows, square_rows
from ui.games.civilization.position import square_of, table_of
from ui.games.civilization.standings import both_rows, limits_rows
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.story import since_my_choice, whole_so_far
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import row_width, to_text


def in_a_battle() -> Narrated:
    """The artillery of the attacker has died in front 1, where it wounded an infantry."""
    stage = field().holds(0, "artillery.2 mounted.1").holds(1, "infantry.3 infantry.1")
    fought = Narrated(stage.phase("move")).do("move 8.8 1+0", "go 9.8")
    return fought.do("play infantry.3", "new", "play artillery.2", "front 1")


def at_a_city() -> Narrated:
    """A unit of each side stands in a battle for the second city of seat 1."""
    stage = city().holds(0, "infantry.3").holds(1, "mounted.2")
    fought = Narrated(stage.phase("move")).do("move 7.8 1+0", "go 9.8")
    return fought.do("play mounted.2", "new")


def board_of(model: ViewModel, width: int, height: int) -> str:
    return to_text(draw_table(Scene(model, width=width, height=height)).board)


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (100, 30), (120, 40)])
def test_both_who_fight_see_the_newest_blow_at_every_size(me: int, width: int, height: int) -> None:
    """At 60 x 20 the artillery was gone after its own attack, and nothing said how."""
    model = model_of(in_a_battle(), me=me)
    shown = " ".join(to_text(draw_table(Scene(model, width=width, height=height)).side).split())
    shown += " ".join(board_of(model, width, height).split())
    shown = re.sub(r"[│\s]+", " ", shown)
    assert "Infantry 3 of grace: wounds +2" in shown and "Killed: Artillery 2 of ada" in shown


def test_of_a_battle_the_last_lines_are_shown_whole_where_not_all_have_room() -> None:
    lines = whole_so_far(model_of(in_a_battle()))
    assert lines[0].text == "ada attacks grace at n9"
    rows = newest(lines, 38, 4)
    assert 0 < len(rows) <= 4 and rows == draw_story(lines[-len(rows) :], 38)
    assert to_text(rows).splitlines()[-1].strip() == "Killed: Artillery 2 of ada"


def test_a_battle_that_is_over_goes_on_no_more() -> None:
    assert not whole_so_far(model_of(Narrated(field().phase("move"))))
    assert not whole_so_far(model_of(natives_unbeaten()))


def test_how_many_units_each_side_has_lost_stands_in_the_battle() -> None:
    """C124: for every two of its own the winner loses an army, and nobody could count them."""
    model = model_of(in_a_battle())
    rows = to_text(battle_rows(Scene(model), table_of(model.view), 38)).splitlines()
    assert [line.split() for line in rows if "killed" in line] == [["killed", "1", "0"]]
    assert not [line for line in rows if "bonus" in line], "nobody has one"


def test_units_have_whole_names_beside_the_map_at_100_by_30() -> None:
    """`infant… 3 -2` stood beside a column that said `front 1`."""
    model = model_of(in_a_battle())
    rows = to_text(battle_rows(Scene(model), table_of(model.view), 36))
    assert "infantry 3 -2" in rows and "…" not in rows


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "BATTLE at n9, second city"),
        ("ko", "전투 n9: 둘째 도시"),
        ("ja", "戦闘 n9: 第2都市"),
    ],
)
def test_a_battle_for_a_city_says_for_which(code: str, said: str) -> None:
    """At 120 x 40 `BATTLE for the second city at…` stood there, and nothing of where."""
    model = model_of(at_a_city(), code)
    assert title(Scene(model), table_of(model.view)) == said


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_loses_a_city_is_told_whose_attack_began_it(code: str) -> None:
    model = model_of(at_a_city(), code, me=1)
    attack = next(each for each in whole_so_far(model) if each.is_hurt)
    assert model.words("civilization.city.1") in attack.text and "n9" in attack.text


def test_on_the_smallest_squares_a_city_that_is_attacked_has_the_letters_of_both_seats() -> None:
    """There stood `1a`, as if the army had taken it."""
    model = model_of(at_a_city())
    table = table_of(model.view)
    assert table.counters[TARGET_CITY]
    for across, drawn in ((2, "ab"), (3, "#1a")):
        sheet = Sheet(Scene(model), table, Size(across, 1), {}, -1, {})
        assert to_text(square_rows(sheet, table.counters[BATTLE_AT])) == drawn


@pytest.mark.parametrize("across", [2, 3])
def test_a_village_stays_on_the_map_while_its_natives_fight(across: int) -> None:
    model = model_of(setting_off(beside_village("infantry.1"), "move 8.8 1+0", "go 9.8"))
    sheet = Sheet(Scene(model), table_of(model.view), Size(across, 1), {}, -1, {})
    assert to_text(square_rows(sheet, square_of("9.8"))).endswith("va")


def test_who_has_fought_reads_how_it_ended_until_it_chooses_again() -> None:
    """Its own plays were its last choices: of the victory it read nothing at 60 x 20."""
    won = natives_beaten()
    while not won.of_kind("peace"):
        won.do(won.stage.texts()[0])
    told = [each.text for each in since_my_choice(model_of(won))]
    assert "ada beats the natives at n9, 6 to 0" in told
    assert not [text for text in told if text.startswith("ada plays")], "it has chosen that"


def test_what_was_chosen_together_with_mine_is_new_to_me_as_well() -> None:
    """Who sat behind another in a research read what itself had learned alone."""
    learned = [Line(7, "chosen", seat, Action("learn", number=seat), text=f"learn {key}")
               for seat, key in enumerate(("pottery", "currency"))]  # fmt: skip
    for me, said in ((0, "grace learns Currency"), (1, "ada learns Pottery")):
        news = replace(news_of(Narrated(field()), me), lines=tuple(learned))
        (told,) = since_my_choice(view_model(load("en"), news))
        assert told.text == said


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
    word = {"ja": "lv"}.get(code) or model.words("civilization.level", number=1).lower()
    assert level.lower() in word
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


def test_each_answer_to_a_move_says_where_it_stops_it() -> None:
    """`answer with Village: spy` stood there twice."""
    stage = base().army(0, "7.8").tech(1, "communism").holds(1, "hut.spy").has(1, guard=64)
    asked = setting_off(stage, "move 7.8 1+0", "go 9.8")
    texts = [pick.text for pick in model_of(asked, me=1).picks if "answer" in pick.text]
    said = "answer with Communism, while they are at {}, paid with Hut: spy"
    assert texts == [said.format(where) for where in ("k9", "m9", "n9")]


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


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_pays_for_an_ability_is_read_where_the_row_has_no_room_for_what_its_card_says(
    code: str,
) -> None:
    """`Mathematics: 3 wounds, pai…` stood there, so that there was a row for the card's text."""
    stage = field().tech(0, "mathematics").holds(0, "gift_from_afar infantry.1 infantry.2")
    stage.holds(1, "mounted.3 mounted.2 mounted.1")
    model = model_of(setting_off(stage, "move 8.8 1+0", "go 9.8", "play mounted.3", "new"), code)
    pick = next(each for each in model.picks if each.offer.text.startswith("mathematics"))
    rows = to_text(draw_choices(Scene(model), [pick], 34, 4))
    assert "".join(pick.text.split()) in "".join(rows.split())
