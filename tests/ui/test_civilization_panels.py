"""Beside the map of Civilization: battles, what is under way, what I am asked about."""

from __future__ import annotations

import pytest

from core.games.civilization.notation import GUARD_KEYS
from p2p.session.news import TableChanged
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games.civilization.battle import battle_rows
from ui.games.civilization.meaning import choice_text
from ui.games.civilization.position import table_of
from ui.games.civilization.window import guard_rows, now_rows, window_text
from ui.ink import row_width, to_text
from ui.picture import Picture, paint
from ui.text import LANGUAGE_NAMES, load


def picture_of(port: PracticePort, language: str = "en") -> Picture:
    return paint(load(language), port.news())


def in_battle() -> PracticePort:
    """Where I choose a front, and natives have units in some."""
    port = a_port(seed=3, turns=60).play(60)
    return port.play_until(
        lambda news: news.view.phase == "front" and news.view.counters["battle.fronts"] > 0
    )


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [23, 32, 43, 76])
def test_no_row_of_a_battle_is_broken_and_every_side_has_its_name_above(
    code: str, width: int
) -> None:
    """Each side took two rows of facts, and by colour alone one knew whose units were whose."""
    picture = picture_of(in_battle(), code)
    table = table_of(picture.view)
    rows = battle_rows(Scene(picture), table, width)
    assert all(row_width(row) <= width for row in rows)
    heads, *facts = to_text(rows).splitlines()
    assert picture.words("board.you") in heads
    found = [line for line in facts if picture.words("civilization.no_unit") in line]
    assert len(found) == picture.view.counters["battle.fronts"]
    assert len(facts) <= 3 + len(found) + 3


def test_at_a_tie_it_is_said_who_defends() -> None:
    words = load("en")
    assert "grace, who defends" in words("civilization.even_of", name="grace", number=3)


def test_a_battle_is_not_told_to_be_a_move() -> None:
    picture = picture_of(in_battle())
    assert not now_rows(Scene(picture), table_of(picture.view), 60)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_all_that_i_may_be_asked_about_has_its_name_in_two_rows(code: str) -> None:
    """Codes from G1 to G9 stood there, and only those that are set had a name, some of them."""
    port = a_port(seed=3, turns=30).play_until(
        lambda news: any(offer.action.verb == "guard" for offer in news.view.offers)
    )
    picture = picture_of(port, code)
    rows = guard_rows(Scene(picture), table_of(picture.view), 78, 2)
    assert len(rows) <= 2
    text = to_text(rows)
    assert all(picture.words(f"civilization.guard_short.{key}") in text for key in GUARD_KEYS)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize(
    "notation", ["learn writing", "liberty monarchy", "make harbor 0", "make oracle 1",
                 "government republic", "anarchy", "civ rome", "power pottery hut.silk hut.iron"]
)  # fmt: skip
def test_what_a_choice_gives_or_does_is_said(code: str, notation: str) -> None:
    name, text = choice_text(load(code), notation).split(": ", 1)
    assert name and text and "." not in name


@pytest.mark.parametrize("notation", ["make army 0", "arts 0", "none", "end", "front 2"])
def test_what_says_so_by_itself_is_not_explained(notation: str) -> None:
    assert choice_text(load("en"), notation) == ""


def test_under_the_map_stands_what_the_technology_at_the_cursor_does() -> None:
    """At 80 x 24 one learned it by its name alone, though a row below the map was free."""
    port = a_port(seed=3, turns=30).play_until(lambda news: news.view.phase == "research")
    picture = picture_of(port)
    pick = next(each for each in picture.picks if each.offer.action.verb == "learn")
    frame = draw_table(Scene(picture, (pick.label,), width=80, height=24))
    assert choice_text(picture.words, pick.offer.text)[:60] in to_text(frame.hand)


def test_what_a_play_does_stands_with_it_and_i_am_no_name() -> None:
    def is_playing(news: TableChanged) -> bool:
        text = window_text(paint(load("en"), news), table_of(news.view))
        return news.view.phase == "target" and text.startswith("you play")

    port = a_port(seed=3, turns=60).play_until(is_playing)
    text = window_text(picture_of(port), table_of(port.news().view))
    assert " · " in text and text.endswith("."), text


def test_while_i_move_it_is_said_where_the_figures_are_and_how_far_they_go() -> None:
    port = a_port(seed=3, turns=30).play_until(lambda news: news.view.phase == "moving")
    picture = picture_of(port)
    first = to_text(now_rows(Scene(picture), table_of(picture.view), 90)).splitlines()[0]
    assert first.startswith("you move ") and "now at" in first and "steps left: " in first
