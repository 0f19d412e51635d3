"""Unseen frames are not painted in tests, and what cannot be painted is found all the same."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

from tests.ui.fakes import ui


class _Brittle(Widget):
    """It cannot be painted once it has been touched."""

    painted = 0
    is_broken = False

    def render_line(self, y: int) -> Strip:
        assert not self.is_broken, "it was touched"
        self.painted += not y
        return Strip.blank(self.size.width)


class _App(App[int]):
    def compose(self) -> ComposeResult:
        yield _Brittle()

    def key_b(self) -> None:
        """Break it."""
        brittle = self.query_one(_Brittle)
        brittle.is_broken = True
        brittle.refresh()


def test_a_screen_that_cannot_be_painted_after_a_key_is_found_though_nobody_looks() -> None:
    @ui
    async def look() -> None:
        async with _App().run_test() as pilot:
            await pilot.press("b")

    with pytest.raises(AssertionError, match="it was touched"):
        look()


@ui
async def test_what_changes_many_times_before_somebody_waits_is_painted_once() -> None:
    app = _App()
    async with app.run_test() as pilot:
        await pilot.pause()
        brittle = app.query_one(_Brittle)
        before = brittle.painted
        for _ in range(9):
            brittle.refresh()
            app.screen._compositor.update_widgets({brittle})
            app.screen._compositor_refresh()
        await pilot.pause()
        assert brittle.painted == before + 1
