"""What the bar, the list of signs and the help of Civilization tell a newcomer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.core.games.civilization.test_aftermath import loot
from tests.core.games.civilization.test_natives import beside_village
from tests.ui.driving import QUIET, an_app, port_of, settled, text_of
from tests.ui.exploring import a_port
from tests.ui.fakes import ui
from tests.ui.test_civilization_story import news_of
from ui.app import HostlessApp
from ui.draw.frame import board_of, draw_prompt, draw_table
from ui.draw.scene import Scene
from ui.games.civilization.map import sign_rows
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.prompt import prompt
from ui.model.view_model import ViewModel, view_model
from ui.screens import answering
from ui.terminal.spans import to_text


def model_of(stage: Stage, code: str = "en", me: int = 0) -> ViewModel:
    return view_model(load(code), news_of(Narrated(stage), me))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_has_begun_a_deal_reads_how_to_take_it_back(code: str) -> None:
    """It could not be dropped, the bar said, and had no room left for the key that drops it."""
    stage = Stage().city(0, "2.2").has(0, trade=2).phase("trade").do("offer seat1")
    empty = model_of(stage, code)
    assert empty.words("phase.civilization.deal_empty") in prompt(empty)
    bar = to_text(draw_prompt(Scene(empty, can_take_back=True), 80))
    assert empty.words("back.keys", name="u") in bar
    named = model_of(stage.do("give trade 1"), code)
    assert named.words("phase.civilization.deal") in prompt(named)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_sign_of_the_map_is_in_its_list(code: str) -> None:
    model = view_model(load(code), a_port().news())
    signs = to_text(sign_rows(Scene(model, width=120, height=36), 44))
    assert all(f" {sign} " in f" {signs} " for sign in ("+", "$", "*", "!", "@"))
    assert len(sign_rows(Scene(model), 31)) <= 13, "two columns beside the map and the column"
    told = board_of(model).legend(model)
    assert any("■" in row[1].text for row in told) and any("G1" in row[1].text for row in told)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_technologies_nobody_can_learn_yet_take_is_said_as_a_sentence(code: str) -> None:
    """`5-2          26 21 16 11 trade` explained nothing."""
    model = view_model(load(code), a_port().news())
    frame = draw_table(Scene(model, width=120, height=36))
    text = model.words("civilization.levels", what="5-2", number="26 21 16 11")
    assert text in to_text(frame.board)


def test_who_takes_loot_reads_how_much_of_it_is_left() -> None:
    """C126: a city is worth 2, and what to take costs 1 or 2 of them."""
    two, one = (prompt(model_of(loot(points))) for points in (2, 1))
    assert "choose your loot; 2 to go" in two
    assert "choose your loot" in one and "to go" not in one
    assert "(あと2)" in prompt(model_of(loot(2), "ja")), "they are no cards"


@ui
async def test_the_left_neighbour_reads_whose_question_the_program_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`make a new front?  enter confirms` stood there, and the program answered by itself."""
    monkeypatch.setattr(answering, "AUTOMATIC_ANSWER_S", 60.0)  # Seen on a busy machine as well.
    fight = Narrated(beside_village("mounted.2 mounted.1 mounted.2").phase("move"))
    news = news_of(fight.do("move 8.8 1+0", "go 9.8"), me=1)
    settings = replace(QUIET, is_automatic=True, has_bell=True)
    app = an_app(settings=settings)
    rung = _bells_of(app)
    async with app.run_test(size=(100, 30)) as pilot:
        app.is_seated, port_of(app).entry = True, -1
        app.publish(news)
        await settled(pilot)
        assert "your program plays the natives" in text_of(app, "prompt")
        assert "enter" not in text_of(app, "prompt")
        assert not rung, "nobody is called for what the program does"
    asked = an_app(settings=replace(QUIET, has_bell=True))
    rung = _bells_of(asked)
    async with asked.run_test(size=(100, 30)) as pilot:
        asked.is_seated = True
        asked.publish(news)
        await settled(pilot)
        assert "natives" not in text_of(asked, "prompt"), "who wants to play them is asked"
        assert rung


def _bells_of(app: HostlessApp) -> list[bool]:
    """How often the bell has rung from now on."""
    rung: list[bool] = []
    app.bell = lambda: rung.append(True)  # type: ignore[method-assign]
    return rung
