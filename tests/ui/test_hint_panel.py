"""Where a hint lies on the screen, and what is seen while it is thought."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.session.news import TableChanged
from tests.ui.driving import (
    QUIET,
    an_app,
    at_table,
    is_playing,
    port_of,
    settled,
    shown,
    whole_text,
)
from tests.ui.fakes import ui
from tests.ui.scenes import scenes
from tests.ui.test_hints import answer_to
from ui.backend.hints import hint_lines
from ui.draw.scene import SIDE_CELLS
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import view_model
from ui.port import Explain, Explained
from ui.terminal.spans import to_text
from ui.widgets.hint import draw_hint


@pytest.mark.parametrize("size", [(80, 24), (60, 16), (120, 36)])
def test_a_hint_lies_over_what_happened_and_not_over_the_top_of_the_board(
    size: tuple[int, int],
) -> None:
    @ui
    async def look() -> None:
        app = an_app()
        async with app.run_test(size=size) as pilot:
            screen = await at_table(pilot, is_playing)
            await pilot.press("h")
            app.publish(answer_to(port_of(app).turn()))
            await shown(pilot, "Expected")
            panel, asked = (screen.query_one(f"#{it}").region for it in ("hint-panel", "prompt"))
            if size[0] < SIDE_CELLS:
                assert panel.bottom == asked.y and panel.y > 2
            else:
                assert panel.x == screen.query_one("#side").region.x
                assert panel.bottom == size[1] - 1

    look()


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_how_to_see_all_of_a_hint_is_not_cut_in_a_side_column(code: str) -> None:
    scene = scenes()["dominion-hint"]
    (news,), (told,) = scene.told, scene.then
    assert isinstance(news, TableChanged) and isinstance(told, Explained)
    model = view_model(load(code), news)
    rows = draw_hint(model, told.explanation, width=32, rows_max=10)
    text = "".join(to_text(rows).split())
    choices = [row for row in to_text(rows).splitlines() if row.endswith(("%", "-"))]
    left = len(told.explanation.ranked()) - len(choices)
    assert len(rows) == 10
    assert "".join(model.words("hint.more", number=left).split()) in text


def test_a_long_key_and_what_it_chooses_do_not_run_together() -> None:
    """A key such as gc5 stood as `gc5the genius marker`."""
    scene = scenes()["renaissance-hint"]
    (news,), (told,) = scene.told, scene.then
    assert isinstance(news, TableChanged) and isinstance(told, Explained)
    model = view_model(load("en"), news)
    longer = tuple(pick._replace(label=f"g{pick.label}") for pick in model.picks)
    labels = {pick.label for pick in longer}
    rows = draw_hint(replace(model, picks=longer), told.explanation, width=36)
    keys = [line[1:].split()[0] for line in to_text(rows).splitlines() if line.endswith(("%", "-"))]
    assert keys and set(keys) <= labels


@ui
async def test_while_a_hint_is_thought_its_seconds_are_counted() -> None:
    app = an_app(settings=replace(QUIET, has_cues=True))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h")
        await shown(pilot, "Thinking about your choice")
        screen._count_down()
        await shown(pilot, " s so far.")
        assert screen.is_thinking


@ui
async def test_a_first_look_is_shown_as_one_until_the_hint_comes() -> None:
    app = an_app(settings=replace(QUIET, has_cues=True))
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("h")
        hint = answer_to(port_of(app).turn())
        app.publish(replace(hint, is_first_look=True))
        await shown(pilot, "First look")
        screen._count_down()
        await shown(pilot, "First look, ")
        assert screen.is_thinking
        await pilot.press("h")
        await shown(pilot, "games imagined on this machine")
        assert "First look" in whole_text(app)
        await pilot.press("escape")
        app.publish(hint)
        await shown(pilot, "Hint   ")
        assert not screen.is_thinking
        assert "First look" not in whole_text(app)


@ui
async def test_whoever_has_seen_enough_at_the_first_look_ends_the_thought() -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("h")
        app.publish(replace(answer_to(port_of(app).turn()), is_first_look=True))
        await shown(pilot, "First look")
        await pilot.press("escape")
        await settled(pilot)
        assert port_of(app).sent[-1] == Explain(None)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("rows_max", [5, 7, 15, None])
def test_an_arrow_at_a_choice_that_wins_less_than_another_is_explained(
    code: str, rows_max: int | None
) -> None:
    """What a bot usually does stands first unless another is surely better: it read as a slip."""
    scene = scenes()["dominion-hint"]
    (news,), (told,) = scene.told, scene.then
    assert isinstance(news, TableChanged) and isinstance(told, Explained)
    model, clear = view_model(load(code), news), told.explanation
    first, *others = clear.ranked()
    clear = replace(clear, prospects=(first._replace(visits=90, win_permille=700), *(
        each._replace(visits=9, win_permille=600) for each in others)))  # fmt: skip
    doubtful = replace(clear, prospects=(first._replace(visits=90, win_permille=500), *(
        each._replace(visits=9, win_permille=600) for each in others)))  # fmt: skip
    said = "".join(model.words("hint.unsure").split())
    for explanation, is_said in ((clear, False), (doubtful, True)):
        rows = draw_hint(model, explanation, width=52, rows_max=rows_max)
        assert (said in "".join(to_text(rows).split())) == is_said
        assert rows_max is None or len(rows) <= rows_max
        assert (model.words("hint.unsure") in hint_lines(model, explanation)) == is_said
