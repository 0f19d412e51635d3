"""What is put on a square where something of one's own stands: it is said, asked and meant."""

from __future__ import annotations

import pytest

from core.games.civilization import GAME
from core.requests import Choice
from core.view import view
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.ui.driving import an_app, my_chosen, port_of, settled, shown
from tests.ui.fakes import ui
from tests.ui.test_civilization_story import news_of
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games import look_of
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import ViewModel, view_model
from ui.settings import Settings
from ui.terminal.spans import to_text

REFLEXES = Settings(is_automatic=True, takes_back=False, has_cues=False)


def one_mountain(*more: str) -> Stage:
    """Egypt's only mountain holds its first wonder, so a workshop can stand nowhere else."""
    stage = Stage("egypt china").city(0, "2.2").city(1, "12.12").ground("m.", "1.1", *more)
    return stage.tech(0, "construction").mark("hanging_gardens", "1.1").phase("city")


def model_of(stage: Stage, code: str = "en") -> ViewModel:
    return view_model(load(code), news_of(Narrated(stage)))


def text_of_offer(model: ViewModel, notation: str) -> str:
    return next(pick.text for pick in model.picks if pick.offer.text == notation)


def test_a_choice_says_what_it_takes_the_place_of() -> None:
    """`capital: Workshop, free (Egypt)?` stood there, and Hanging Gardens were out of the game."""
    text = text_of_offer(model_of(one_mountain()), "free workshop 0")
    assert text == "capital: Workshop, free (Egypt), at b2, in the place of Hanging Gardens"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("size", [(120, 36), (100, 30), (80, 24)])
def test_the_question_and_what_is_read_below_the_map_name_it(
    code: str, size: tuple[int, int]
) -> None:
    model = model_of(one_mountain(), code)
    gone = model.words.name("face", "hanging_gardens")
    label = next(pick.label for pick in model.picks if pick.offer.text == "free workshop 0")
    frame = draw_table(Scene(model, (label,), width=size[0], height=size[1]))
    assert gone in to_text(frame.prompt).replace("\n   ", " ")
    assert gone in to_text(frame.hand)


def test_where_there_is_another_square_the_choice_of_the_square_says_it() -> None:
    stage = one_mountain("3.3")
    assert "place of" not in text_of_offer(model_of(stage), "free workshop 0")
    model = model_of(stage.do("free workshop 0"))
    over = text_of_offer(model, "site 1.1")
    assert over == "put Workshop at b2, in the place of Hanging Gardens"
    assert "place of" not in text_of_offer(model, "site 3.3")


def test_an_army_takes_the_place_of_nothing() -> None:
    stage = Stage().city(0, "2.2").mark("library", "1.1").has(0, trade=24)
    stage.phase("city").do("make army 0")
    model = model_of(stage)
    assert "place of" not in text_of_offer(model, "site 1.1")


def test_what_is_lost_for_good_is_never_answered_by_itself() -> None:
    stage = one_mountain().do("free workshop 0")
    assert isinstance(stage.pending, Choice) and stage.texts() == ["site 1.1"]
    seen = view(GAME, stage.table, stage.pending, stage.deal, 0)
    assert look_of("civilization").reflex(seen) is None
    bare = Stage("egypt china").city(0, "2.2").city(1, "12.12").ground("m.", "1.1")
    bare.tech(0, "construction").phase("city").do("free workshop 0")
    assert isinstance(bare.pending, Choice)
    seen = view(GAME, bare.table, bare.pending, bare.deal, 0)
    assert look_of("civilization").reflex(seen) is not None, "on an empty square it goes on"


@ui
async def test_enter_without_a_pick_sends_no_deal_and_builds_over_nothing() -> None:
    """After `a t 3`, of which nothing was on offer any more, enter proposed a gift."""
    for stage in (
        Stage().city(0, "2.2").city(1, "12.12").has(0, trade=1).phase("trade")
        .do("offer seat1", "give trade 1"),
        one_mountain().do("free workshop 0"),
    ):  # fmt: skip
        app = an_app(settings=REFLEXES)
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            app.is_seated, port_of(app).entry = True, -1  # Nobody answers what is sent.
            app.publish(news_of(Narrated(stage)))
            await settled(pilot)
            await pilot.press("enter")
            await shown(pilot, "Nothing is picked")
            assert my_chosen(port_of(app)) == []
            await pilot.press("tab", "enter")
            assert len(my_chosen(port_of(app))) == 1


@ui
async def test_of_the_keys_that_can_be_pressed_those_that_do_something_are_named_first() -> None:
    """Where all that could be done was to let a move happen, it read: press G2, G3, G4, ..."""
    stage = Stage().city(0, "2.2").city(1, "12.12").has(0, trade=3).phase("trade")
    app = an_app(settings=REFLEXES)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        app.is_seated, port_of(app).entry = True, -1
        app.publish(news_of(Narrated(stage)))
        await settled(pilot)
        await pilot.press("enter")
        await shown(pilot, "press b, e,")
        assert my_chosen(port_of(app)) == []
