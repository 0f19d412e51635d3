"""Beside the map of Civilization: battles, what is under way, what I am asked about."""

from __future__ import annotations

import pytest

from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort
from ui.draw.scene import Scene
from ui.games.civilization.battle import battle_rows
from ui.games.civilization.position import table_of
from ui.games.civilization.window import now_rows
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
