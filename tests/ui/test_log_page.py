"""The log over a table that goes on: it grows, and says whose turn it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual.widgets import OptionList

from core.games import find_game
from core.requests import Over
from p2p.session.news import TableChanged
from tests.ui.driving import an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.app import HostlessApp
from ui.language.text import load
from ui.model.prompt import prompt
from ui.model.view_model import view_model
from ui.screens.story import StoryPage
from ui.settings import Settings


def lines_on(app: HostlessApp) -> OptionList:
    """The lines, and the one under the bar."""
    return app.screen.query_one(OptionList)


def move_on(port: PracticePort) -> None:
    """One choice of mine, and all that follows."""
    assert not isinstance(port.request, Over)
    port.play(1)
    port.publish(port.news())


@ui
async def test_the_log_grows_while_it_is_open_and_the_bar_stays_at_its_end() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        await pilot.press("l")
        await settled(pilot)
        before = lines_on(app).option_count
        for _ in range(3):
            move_on(port_of(app))
            await settled(pilot)
        assert isinstance(app.screen, StoryPage)
        assert lines_on(app).option_count > before
        assert lines_on(app).highlighted == lines_on(app).option_count - 1


@ui
async def test_who_reads_an_older_line_or_the_turns_alone_is_not_moved() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port_of(app).begin().play(8)
        await at_table(pilot)
        await pilot.press("l")
        await settled(pilot)
        await pilot.press("up", "up")
        under, count = lines_on(app).highlighted, lines_on(app).option_count
        move_on(port_of(app))
        await settled(pilot)
        assert lines_on(app).highlighted == under and lines_on(app).option_count > count
        await pilot.press("home", "z")
        await settled(pilot)
        move_on(port_of(app))
        await settled(pilot)
        assert lines_on(app).highlighted == 0


@ui
async def test_a_choice_that_is_taken_back_leaves_the_log() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port_of(app).begin().play(4)
        await at_table(pilot)
        older = port_of(app).news()
        move_on(port_of(app))
        await pilot.press("l")
        await settled(pilot)
        count = lines_on(app).option_count
        app.publish(older)
        await settled(pilot)
        assert lines_on(app).option_count < count


@ui
async def test_the_log_says_that_it_is_my_turn() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port = port_of(app).begin()
        app.is_seated = True
        app.publish(port.looked_on())
        await settled(pilot)
        await pilot.press("l")
        await settled(pilot)
        assert "YOUR TURN" not in whole_text(app)
        app.publish(port.news())
        await shown(pilot, "YOUR TURN")
        await settled(pilot)
        assert "esc goes back to the table" in whole_text(app)


@ui
async def test_a_log_that_was_closed_hears_no_more() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        table = await at_table(pilot)
        await pilot.press("l")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        move_on(port_of(app))
        await settled(pilot)
        assert app.screen is table


@pytest.mark.parametrize("has_file", [True, False])
@ui
async def test_the_log_offers_to_show_a_moment_only_where_there_is_a_file(has_file: bool) -> None:
    """Who looked on read `enter Show this moment`, and then that there is no file."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        table = await at_table(pilot)
        assert table.newest is not None and table.newest.path is not None
        if not has_file:
            app.publish(replace(table.newest, path=None))
            await settled(pilot)
        await pilot.press("l")
        await settled(pilot)
        keys = whole_text(app).splitlines()[-1]
        assert "esc Back" in keys
        assert ("enter Show this moment" in keys) == ("r Rules" in keys) == has_file


@ui
async def test_the_way_back_to_the_table_stands_whole_where_the_question_is_long() -> None:
    """In Korean it broke between `esc` and its particle, at the edge of a small screen."""
    game = find_game("renaissance")
    app = an_app(PracticePort(seed=11, game=game), Settings(language="ko"))
    async with app.run_test(size=(60, 20)) as pilot:

        def is_long(news: TableChanged) -> bool:
            model = view_model(load("ko"), news)
            return model.is_my_turn and 40 < cell_len(prompt(model)) <= 56

        await at_table(pilot, is_long)
        await pilot.press("l")
        await shown(pilot, "지금까지")
        rows = whole_text(app).splitlines()
        assert rows[1].startswith(" ▶ 내 차례") and rows[2].strip() == "esc 키로 테이블로"
        assert rows[2].startswith("   esc"), "below where the question begins"
