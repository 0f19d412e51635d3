"""Beside the map of Civilization: battles, what is under way, what I am asked about."""

from __future__ import annotations

from functools import cache

import pytest

from core.games.civilization.faces import EVENT_KEYS, TECH_KEYS
from core.games.civilization.learning import TRADE_NEEDED, known
from core.games.civilization.notation import GUARD_KEYS
from core.games.civilization.printed import TECHNOLOGIES
from p2p.session.news import TableChanged
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_battles import field
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort
from tests.ui.test_civilization_story import news_of
from ui.draw.choices import labels_in
from ui.draw.frame import draw_table
from ui.draw.panels import CardPicture
from ui.draw.scene import Scene
from ui.games.civilization.battle import battle_rows
from ui.games.civilization.board import small_cards
from ui.games.civilization.labels import squares_of
from ui.games.civilization.meaning import choice_text
from ui.games.civilization.position import SEAT_LETTERS, table_of
from ui.games.civilization.pyramid import name_rows, pyramid_rows
from ui.games.civilization.squares import groups_here, square_text
from ui.games.civilization.standings import both_rows, cut_table, forces_text
from ui.games.civilization.window import guard_rows, now_rows, window_text
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import ViewModel, view_model
from ui.terminal.spans import row_width, to_text


def model_of(port: PracticePort, language: str = "en") -> ViewModel:
    return view_model(load(language), port.news())


@cache
def battle() -> TableChanged:
    """Where I choose a front, and natives have units in some."""
    port = a_port(seed=3, turns=60).play(60)
    port.play_until(
        lambda news: news.view.phase == "front" and news.view.counters["battle.fronts"] > 0
    )
    return port.news()


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [23, 32, 43, 76])
def test_no_row_of_a_battle_is_broken_and_every_side_has_its_name_above(
    code: str, width: int
) -> None:
    """Each side took two rows of facts, and by colour alone one knew whose units were whose."""
    model = view_model(load(code), battle())
    table = table_of(model.view)
    rows = battle_rows(Scene(model), table, width)
    assert all(row_width(row) <= width for row in rows)
    heads, *facts = to_text(rows).splitlines()
    assert model.words("board.you") in heads
    found = [line for line in facts if model.words("civilization.no_unit") in line]
    assert len(found) == model.view.counters["battle.fronts"]
    assert len(facts) <= 3 + len(found) + 3


@pytest.mark.parametrize("width", range(23, 40))
def test_the_units_of_a_front_stand_apart_at_every_width(width: int) -> None:
    """`artillery 2nobody` stood at 100 x 30."""
    stage = field().holds(0, "artillery.2").holds(1, "artillery.2 infantry.1").phase("move")
    fought = Narrated(stage).do("move 8.8 1+0", "go 9.8", "play artillery.2", "new")
    model = view_model(load("en"), news_of(fought.do("play artillery.2", "new"), 0))
    fronts = to_text(battle_rows(Scene(model), table_of(model.view), width)).splitlines()
    sides = [line.split(" 2")[-1] for line in fronts if "nobody" in line]
    assert len(sides) == 2 and all(side == "" or side.startswith(" ") for side in sides)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_headings_are_whole_beside_the_smallest_map(code: str) -> None:
    """They were cut without a sign: `trac tech coin`."""
    model = model_of(a_port(seed=3, turns=30).play(30), code)
    head, *seats = both_rows(Scene(model), table_of(model.view), 23)
    shown = to_text([head]).split()
    assert shown == [model.words(f"civilization.short.{key}")
                     for key in ("culture", "level", "coins")]  # fmt: skip
    assert all(row_width(row) <= 23 for row in (head, *seats)) and "b gra" in to_text(seats)


def test_a_table_that_is_cut_says_how_many_seats_are_missing_and_cuts_no_number() -> None:
    model = model_of(a_port(seed=3, turns=30).play(30))
    rows = both_rows(Scene(model), table_of(model.view), 42)
    head, *seats = cut_table(rows, 3)
    assert to_text([head]).startswith("… +1 ") and row_width(head) == row_width(rows[0])
    assert seats == rows[1:3] and cut_table(rows, 4) == rows


@pytest.mark.parametrize("height", [1, 2, 3, 9])
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_technologies_that_have_no_room_are_counted(code: str, height: int) -> None:
    model = model_of(a_port(seed=3, turns=60).play(200), code)
    table = table_of(model.view)
    rows = name_rows(Scene(model), table, 42, height)
    assert len(rows) <= height and all(row_width(row) <= 42 for row in rows)
    named = sum(span.hot.startswith("about:tech.") for row in rows for span in row)
    *_, behind = to_text(rows).rpartition("… +")
    left_out = int(behind) if "… +" in to_text(rows) else 0
    assert named + left_out == len(known(table, 0)) > 4
    assert left_out or height == 9 or named == len(known(table, 0))


def test_each_level_of_the_pyramid_stands_between_the_boxes_of_the_one_below() -> None:
    """The first level began furthest to the right, so it was a pyramid that fell over."""
    held = "currency pottery masonry writing irrigation monarchy"
    model = view_model(load("en"), news_of(Narrated(Stage().tech(0, held)), 0))
    lines = to_text(pyramid_rows(Scene(model), table_of(model.view), 44, 0)).splitlines()
    boxes = {line[0]: [at for at, cell in enumerate(line) if cell in "■·"] for line in lines}
    assert len(boxes["1"]) == 4 and len(boxes["2"]) == 3 and len(boxes["3"]) == 1
    for above, below in ("21", "32"):
        assert all(at - 1 in boxes[below] and at + 1 in boxes[below] for at in boxes[above])


def test_a_level_with_many_technologies_keeps_the_price_behind_it() -> None:
    """Nine boxes left no room for it at 60 x 20."""
    first = " ".join(key for key, each in zip(TECH_KEYS, TECHNOLOGIES, strict=True)
                     if each.level == 1)  # fmt: skip
    model = view_model(load("en"), news_of(Narrated(Stage().tech(0, first)), 0))
    rows = pyramid_rows(Scene(model), table_of(model.view), 22, 0)
    (level,) = [line for line in to_text(rows).splitlines() if line.startswith("1 ■")]
    assert level.count("■") >= 9 and level.split()[-1] == str(TRADE_NEEDED[1])
    assert all(row_width(row) <= 22 for row in rows)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_what_i_hold_has_its_whole_name_on_the_smallest_screen(count: int) -> None:
    """Of three events the third was below the one row, and nothing said so."""
    words = load("en")
    names = sorted((words.name("face", key) for key in EVENT_KEYS), key=len)[-count:]
    cards = [CardPicture(str(at), each, "", [], hot=str(at)) for at, each in enumerate(names, 1)]
    rows = small_cards(cards, 60)
    assert len(labels_in(rows)) == count and all(each in to_text(rows) for each in names)


def test_what_an_event_does_is_said_where_its_card_has_no_room_for_it() -> None:
    words = load("en")
    assert choice_text(words, "event drought") == ""
    assert choice_text(words, "event drought", is_card=True).startswith("Drought: A square ")


def test_at_a_tie_it_is_said_who_defends() -> None:
    words = load("en")
    assert "grace, who defends" in words("civilization.even_of", name="grace", number=3)


def test_a_battle_is_not_told_to_be_a_move() -> None:
    model = view_model(load("en"), battle())
    assert not now_rows(Scene(model), table_of(model.view), 60)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_all_that_i_may_be_asked_about_has_its_name_in_two_rows(code: str) -> None:
    """Codes from G1 to G9 stood there, and only those that are set had a name, some of them."""
    port = a_port(seed=3, turns=30).play_until(
        lambda news: any(offer.action.verb == "guard" for offer in news.view.offers)
    )
    model = model_of(port, code)
    rows = guard_rows(Scene(model), table_of(model.view), 78, 2)
    assert len(rows) <= 2
    text = to_text(rows)
    assert all(model.words(f"civilization.guard_short.{key}") in text for key in GUARD_KEYS)


@pytest.mark.parametrize(("width", "height"), [(120, 36), (100, 30)])
def test_what_i_am_asked_about_has_its_title_and_leaves_my_own_panel_room(
    width: int, height: int
) -> None:
    """Nine keys without a title took up to five rows, and what I am disappeared."""
    port = a_port(seed=3, turns=30).play_until(
        lambda news: any(offer.action.verb == "guard" for offer in news.view.offers)
    )
    model = model_of(port)
    frame = draw_table(Scene(model, width=width, height=height))
    shown = to_text([*frame.board, *frame.hand])
    assert model.words("civilization.guard_long") in shown
    assert shown.count("G9") == 1 and model.words("civilization.you") in shown


def test_others_have_their_letter_of_the_map_where_one_of_them_is_chosen() -> None:
    """`a` offered a deal to the second seat, whose letter is b everywhere else."""
    port = a_port(seed=3, turns=30).play_until(
        lambda news: any(offer.action.verb == "offer" for offer in news.view.offers)
    )
    picks = [pick for pick in model_of(port).picks if pick.offer.action.verb == "offer"]
    assert picks
    for pick in picks:
        assert pick.label == SEAT_LETTERS[int(pick.offer.text.removeprefix("offer seat"))]


def test_groups_that_can_leave_a_square_apart_have_their_keys_beside_it() -> None:
    """The arrows go to all figures of a square; that a scout can go alone was told nowhere."""

    def is_shared(news: TableChanged) -> bool:
        texts = [offer.text.split() for offer in news.view.offers if offer.action.verb == "move"]
        return len({words[1] for words in texts}) < len(texts)

    model = model_of(a_port(seed=3, turns=30).play_until(is_shared))
    moves = [pick for pick in model.picks if pick.offer.action.verb == "move"]
    squares = [squares_of(pick.offer)[0] for pick in moves]
    shared = next(at for at in squares if squares.count(at) > 1)
    said = square_text(model, table_of(model.view), shared)
    for pick, at in zip(moves, squares, strict=True):
        assert (f"{pick.label}: " in said) == (at == shared)
        assert pick.text not in said, "the square is said once"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_groups_of_a_square_have_keys_of_one_letter_more_and_are_all_named_at_80_by_24(
    code: str,
) -> None:
    """The fourth key of a square was `g8bcdg`, and the sentence of the groups ended with `…`."""
    stage = Stage("russia china america").city(0, "6.6").army(0, "9.8", 2).scout(0, "9.8")
    model = view_model(load(code), news_of(Narrated(stage.phase("move")), 0))
    moves = [pick for pick in model.picks if pick.offer.action.verb == "move"]
    assert len(moves) > 4 and {len(pick.label) for pick in moves} == {2, 3}
    frame = draw_table(Scene(model, (moves[0].label,), width=80, height=24))
    said = " ".join(to_text(frame.hand).split())
    for pick in moves:
        assert f"{pick.label} {pick.offer.text.split()[-1]}" in said
    assert "…" not in said


def test_of_more_groups_than_a_row_has_room_for_the_first_is_the_one_at_the_cursor() -> None:
    stage = Stage("russia china america").city(0, "6.6").army(0, "9.8", 4).scout(0, "9.8", 2)
    model = view_model(load("en"), news_of(Narrated(stage.phase("move")), 0))
    moves = [pick for pick in model.picks if pick.offer.action.verb == "move"]
    for pick in moves:
        square = squares_of(pick.offer)[0]
        said = groups_here(model, square, pick.label)
        assert said.startswith(f"armies+scouts: {pick.label} {pick.offer.text.split()[-1]}")
        assert all(f"{each.label} " in said for each in moves)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(
    "notation", ["learn writing", "liberty monarchy", "make harbor 0", "make oracle 1",
                 "government republic", "anarchy", "civ rome", "power pottery hut.silk hut.iron"]
)  # fmt: skip
def test_what_a_choice_gives_or_does_is_said(code: str, notation: str) -> None:
    name, text = choice_text(load(code), notation).split(": ", 1)
    assert name and text and "." not in name


@pytest.mark.parametrize("notation", ["guard moves", "arts 0", "none", "end", "front 2"])
def test_what_says_so_by_itself_is_not_explained(notation: str) -> None:
    assert choice_text(load("en"), notation) == ""


def test_under_the_map_stands_what_the_technology_at_the_cursor_does() -> None:
    """At 80 x 24 one learned it by its name alone, though a row below the map was free."""
    port = a_port(seed=3, turns=30).play_until(lambda news: news.view.phase == "research")
    model = model_of(port)
    pick = next(each for each in model.picks if each.offer.action.verb == "learn")
    frame = draw_table(Scene(model, (pick.label,), width=80, height=24))
    assert choice_text(model.words, pick.offer.text)[:60] in to_text(frame.hand)


def test_what_a_play_does_stands_with_it_and_i_am_no_name() -> None:
    def is_playing(news: TableChanged) -> bool:
        text = window_text(view_model(load("en"), news), table_of(news.view))
        return news.view.phase == "target" and text.startswith("you play")

    port = a_port(seed=3, turns=60).play_until(is_playing)
    text = window_text(model_of(port), table_of(port.news().view))
    assert " · " in text and text.endswith("."), text


def test_while_i_move_it_is_said_where_the_figures_are_and_how_far_they_go() -> None:
    port = a_port(seed=3, turns=30).play_until(lambda news: news.view.phase == "moving")
    model = model_of(port)
    first = to_text(now_rows(Scene(model), table_of(model.view), 90)).splitlines()[0]
    assert first.startswith("you move ") and "now at" in first and "steps left: " in first


def holding_a_marker() -> ViewModel:
    """An army and a scout on one square; two rows say what I am asked about, one what I hold."""
    stage = Stage().city(0, "2.2").army(0, "9.8").scout(0, "9.8").holds(0, "hut.spy hut.silk")
    for key in ("artillery.3", "infantry.1", "infantry.2", "infantry.3", "mounted.1"):
        stage.holds(0, key)
    return view_model(load("en"), news_of(Narrated(stage.phase("move")), 0))


def test_what_can_leave_a_square_apart_is_worth_more_than_what_the_square_is() -> None:
    model = holding_a_marker()
    moves = [pick for pick in model.picks if pick.offer.action.verb == "move"]
    said = to_text(draw_table(Scene(model, (moves[0].label,), width=80, height=24)).hand)
    assert len(moves) == 3 and all(f"{pick.label}: " in said for pick in moves)


def test_my_forces_are_whole_at_80_by_24_and_so_is_the_map() -> None:
    """The price of a step on the culture track stood before them, and `…` behind two of five."""
    model = holding_a_marker()
    frame = draw_table(Scene(model, width=80, height=24))
    assert forces_text(Scene(model), table_of(model.view), 0) in to_text(frame.hand)
    assert all(f"\n{row:>2} " in to_text(frame.board) for row in range(1, 17))


def test_my_limits_stand_beside_the_map_where_no_panel_is_below_it() -> None:
    model = view_model(load("en"), news_of(Narrated(Stage().city(0, "2.2").phase("trade")), 1))
    assert "hand limit" in to_text(draw_table(Scene(model, width=80, height=29)).board)
