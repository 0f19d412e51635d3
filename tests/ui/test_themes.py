"""What has a colour can be read on its ground, in every theme that one can choose."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.style import Style
from textual.color import Color

import ui.terminal.themes
from tests.ui.driving import QUIET, settled, whole_text
from tests.ui.fakes import ui as on_screen
from tests.ui.looks import COLOURLESS, LOOKS, changed, wear
from tests.ui.scenes import app_for, scenes, show
from tests.ui.seeing import pieces, unreadable
from ui.settings import THEMES
from ui.terminal.console import on_console
from ui.terminal.themes import HOUSE, contrast, for_terminal

SAMPLE = ("lobby", "gathering", "carta-texts", "dominion-buy", "renaissance-place",
          "civilization-moving")  # fmt: skip


@pytest.mark.parametrize("name", SAMPLE)
def test_a_look_changes_colours_that_can_be_read_and_nothing_else(name: str) -> None:
    @on_screen
    async def look() -> None:
        app = app_for()
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            await show(scenes()[name], pilot)
            await settled(pilot)
            before = whole_text(app)
            for each in LOOKS:
                await wear(app, each, pilot)
                assert not [*unreadable(app), *changed(before, whole_text(app))], each

    look()


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_can_be_read(theme: str) -> None:
    @on_screen
    async def look() -> None:
        app = app_for(replace(QUIET, theme=theme))
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            assert not list(unreadable(app))
            await show(scenes()["carta-effects"], pilot)
            assert not list(unreadable(app))

    look()


def test_colours_that_are_left_as_they_are_are_found_weak(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ui.terminal.themes, "TO_READ", 1)

    @on_screen
    async def look() -> None:
        app = app_for(replace(QUIET, theme="textual-light"))
        async with app.run_test(size=(80, 24)) as pilot:
            await show(scenes()["carta-effects"], pilot)
            assert any("fair" in weak for weak in unreadable(app))

    look()


def test_a_letter_that_a_look_moves_is_found() -> None:
    assert list(changed("a\nbc", "a\nbd")) == ["row 1 says 'bd' and not 'bc'"]


@pytest.mark.parametrize("look_name", ["sixteen", "none"])
def test_the_bar_of_a_list_is_in_reverse_where_colour_cannot_say_it(look_name: str) -> None:
    @on_screen
    async def look() -> None:
        app = app_for()
        async with app.run_test(size=(80, 24)) as pilot:
            await show(scenes()["lobby"], pilot)
            await wear(app, look_name, pilot)
            marked = {piece.y for piece in pieces(app) if piece.marks >= {"bold", "reverse"}}
            rows = whole_text(app).splitlines()
            assert any("amber-falcon-42" in rows[y] for y in marked)
            assert not any("blue-otter-7" in rows[y] for y in marked)

    look()


def test_the_bar_of_a_list_in_reverse_has_one_ground_whatever_colours_are_in_it() -> None:
    @on_screen
    async def look() -> None:
        app = app_for()
        async with app.run_test(size=(80, 24)) as pilot:
            await show(scenes()["lobby"], pilot)
            await wear(app, "sixteen", pilot)
            rows = whole_text(app).splitlines()
            bar = next(y for y, row in enumerate(rows) if "amber-falcon-42" in row)
            in_bar = [piece for piece in pieces(app) if piece.y == bar and "reverse" in piece.marks]
            assert "grace" in "".join(piece.text for piece in in_bar)
            assert len({piece.ground for piece in in_bar}) == 1

    look()


def test_a_terminal_of_sixteen_colours_gets_a_theme_of_sixteen() -> None:
    themes = app_for().available_themes
    assert for_terminal(HOUSE, "truecolor") == for_terminal(HOUSE, None) == "hostless"
    assert for_terminal(HOUSE, "standard") == "ansi-dark"
    assert for_terminal(themes["textual-light"], "standard") == "ansi-light"
    assert for_terminal(themes["ansi-light"], "standard") == "ansi-light"


def test_contrast_is_that_of_the_guidelines() -> None:
    white = Color.parse("white")
    assert contrast(Color.parse("black"), white) == pytest.approx(21)
    assert contrast(Color.parse("#777777"), white) == pytest.approx(4.48, abs=0.01)


def test_without_colour_what_is_within_reach_and_what_hurts_is_as_bright_as_any_text() -> None:
    @on_screen
    async def look() -> None:
        app = app_for()
        async with app.run_test(size=(80, 24)) as pilot:
            for scene, words in (("dominion-action", "Militia"), ("carta-effects", "! grace")):
                await show(scenes()[scene], pilot)
                await wear(app, COLOURLESS, pilot)
                (shade,) = {
                    piece.color for piece in pieces(app) if piece.text.strip().startswith(words)
                }
                assert shade == Color.parse(app.theme_variables["foreground"]).monochrome

    look()


def test_without_colour_sixteen_colours_are_those_of_the_terminal_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    @on_screen
    async def look() -> None:
        app = app_for(replace(QUIET, theme="ansi-dark"))
        async with app.run_test(size=(80, 24)) as pilot:
            await show(scenes()["lobby"], pilot)
            assert {piece.name for piece in pieces(app) if piece.text.strip()} == {"default"}
            assert not list(unreadable(app))
            assert any("reverse" in piece.marks for piece in pieces(app))

    look()


def test_an_app_without_colour_has_no_hues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_for()
    assert app.get_css_variables()["c-red"] == app.get_css_variables()["foreground"]


@pytest.mark.parametrize("kind", ["linux", "xterm-16color"])
def test_on_a_console_bold_letters_do_not_lie_on_a_ground_in_reverse(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There they would be grey on brown: bold is bright, black in reverse too."""
    monkeypatch.setenv("TERM", kind)

    @on_screen
    async def look() -> None:
        app = app_for(replace(QUIET, theme="ansi-dark"))
        async with app.run_test(size=(80, 24)) as pilot:
            await show(scenes()["renaissance-place"], pilot)
            await settled(pilot)
            has_bold = any(piece.marks >= {"bold", "reverse"} for piece in pieces(app))
            assert has_bold == (kind != "linux")

    look()


def test_what_is_filled_on_a_console_has_a_ground_that_it_can_show() -> None:
    styles = [on_console(Style.parse(f"bold reverse color({each})")) for each in range(16)]
    grounds = [style.bgcolor.number for style in styles if style.bgcolor is not None]
    assert all(ground is None or ground < 8 for ground in grounds)
    assert not any(style.reverse for style in styles)
    assert on_console(Style.parse("bold yellow")) == Style.parse("bold yellow")


@pytest.mark.parametrize("has_color", [True, False])
def test_a_line_to_type_in_and_the_place_in_it_are_seen_in_sixteen_colours(
    has_color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There they have no grounds."""
    if not has_color:
        monkeypatch.setenv("NO_COLOR", "1")

    @on_screen
    async def look() -> None:
        app = app_for(replace(QUIET, theme="ansi-dark"))
        async with app.run_test(size=(80, 24)) as pilot:
            await show(scenes()["join"], pilot)
            await settled(pilot)
            lines = [piece for piece in pieces(app) if "underline" in piece.marks]
            assert any("Password" in piece.text for piece in lines)
            assert any(piece.text == "H" and "reverse" in piece.marks for piece in lines)

    look()


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
def test_a_bar_to_scroll_by_has_no_colour_that_means_something(theme: str) -> None:
    app = app_for(replace(QUIET, theme=theme))
    app.theme = theme
    ours = app.get_css_variables()
    assert ours["scrollbar"] == ours["scrollbar-hover"] == ours["faint"]
