"""Forms by arrow keys alone: from what is chosen to what is typed, and round."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input

from tests.ui.driving import QUIET, an_app, settled, shown, whole_text
from tests.ui.fakes import ui
from ui.language.text import LANGUAGE_NAMES, load
from ui.widgets.form import Form


@ui
async def test_the_arrows_go_through_what_is_chosen_and_what_is_typed() -> None:
    """They went round in the choices: nothing said how one comes to the line of the name."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "Settings")
        await pilot.press("s")
        await shown(pilot, "Your name")
        form = app.screen.query_one(Form)
        await pilot.press("up", "up")
        assert app.screen.focused is app.screen.query_one("#name", Input)
        await settled(pilot)
        assert not form.has_focus and "▸ Language" not in whole_text(app)
        await pilot.press("up")
        assert form.has_focus and form.line == len(form.questions) - 1
        await pilot.press("down", "down", "down")
        assert form.has_focus and form.line == 0
        await settled(pilot)
        assert "▸ Language" in whole_text(app)


@ui
async def test_the_lines_of_a_new_table_are_reached_and_typed_in_by_arrows() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        await shown(pilot, "Open a table")
        await pilot.press("up", "up", *"ours")
        assert app.screen.query_one("#name", Input).value == "ours"
        await pilot.press("down", "down")
        assert app.screen.query_one(Form).line == 0


@ui
@pytest.mark.parametrize("code", LANGUAGE_NAMES)
async def test_a_name_that_is_typed_one_line_too_early_changes_no_choice(code: str) -> None:
    """The space within it turned the last choice, and nothing said where its letters were."""
    words, app = load(code), an_app(settings=replace(QUIET, language=code))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("o")
        await shown(pilot, words("open.title"))
        form = app.screen.query_one(Form)
        await pilot.press("up", "up", "up")
        before = [each.chosen for each in form.questions]
        await pilot.press(*"my", "space", *"table")
        await shown(pilot, words("form.typed")[:10])
        assert [each.chosen for each in form.questions] == before
        assert app.screen.query_one("#name", Input).value == ""
        await pilot.press("left")
        assert [each.chosen for each in form.questions] != before


@ui
async def test_on_a_small_screen_the_settings_scroll_with_the_bar() -> None:
    """The last questions, the name and the port lay below the edge."""
    app = an_app()
    async with app.run_test(size=(60, 16)) as pilot:
        await settled(pilot)
        await pilot.press("s")
        await shown(pilot, "Language")
        await pilot.press("up", "up", "up")
        await shown(pilot, "▸ Hear what others say")
        await pilot.press("down", "down")
        await settled(pilot)
        assert "Port where your tables listen" in whole_text(app)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@ui
async def test_what_a_line_asks_to_be_typed_goes_on_below_its_beginning(code: str) -> None:
    """The last word of `Port where your tables listen first, ...` stood at the edge."""
    app = an_app(settings=replace(QUIET, language=code))
    async with app.run_test(size=(60, 30)) as pilot:
        await settled(pilot)
        await pilot.press("s")
        await shown(pilot, load(code)("settings.port")[:8])
        lines = [line for line in whole_text(app).splitlines() if line.strip()]
        assert all(line.startswith(" ") for line in lines)
