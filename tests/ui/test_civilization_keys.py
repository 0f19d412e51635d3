"""What the letters and figures of a place choose in Civilization, as they are typed one by one."""

from __future__ import annotations

from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.telling import Narrated
from tests.ui.driving import an_app, port_of, settled
from tests.ui.fakes import ui
from tests.ui.test_civilization_story import news_of
from ui.screens.table import TableScreen


@ui
async def test_a_letter_behind_a_square_is_for_a_group_there_though_it_begins_another_square() -> (
    None
):
    """`j9b` is an army beside a scout; with figures on `b7` as well its `b` was for those alone."""
    stage = Stage().city(0, "2.2").army(0, "6.8").scout(0, "6.8").army(0, "1.6").phase("move")
    app = an_app()
    async with app.run_test(size=(100, 30)) as pilot:
        app.is_seated, port_of(app).entry = True, -1
        app.publish(news_of(Narrated(stage)))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, TableScreen)
        await pilot.press(*"j9b")
        assert screen.picked == "j9b"
        await pilot.press(*"7")
        assert screen.picked == "b7", "whoever meant the other square goes on typing"
        await pilot.press(*"j9")
        assert screen.picked == "j9"
