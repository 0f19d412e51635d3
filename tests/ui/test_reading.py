"""Reading by keys what lies on a table and cannot be chosen."""

from __future__ import annotations

from tests.ui.driving import an_app, at_table, shown, whole_text
from tests.ui.fakes import ui
from tests.ui.shopping import market
from ui.draw.panels import ABOUT


@ui
async def test_a_pile_that_is_too_dear_says_what_its_cards_do() -> None:
    """With the arrows one came to what can be bought alone."""
    app = an_app(market())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(
            pilot, lambda news: news.view.phase == "buy" and news.event_count > 60
        )
        assert screen.model is not None
        dear = {f"{ABOUT}{ware.face}" for ware in screen.model.look.wares(screen.model.view)
                if ware.cost > 0}  # fmt: skip
        for _ in range(6):
            await pilot.press("shift+right")
            if screen.read:
                break
        assert screen.read in dear and not screen.picked
        face = screen.read.removeprefix(ABOUT)
        await shown(pilot, f"{screen.words.name('face', face)}: ")


@ui
async def test_what_is_read_goes_with_the_next_question() -> None:
    app = an_app(market())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(
            pilot, lambda news: news.view.phase == "buy" and news.event_count > 60
        )
        for _ in range(6):
            await pilot.press("shift+right")
        assert screen.read
        await pilot.press("a", "enter")
        assert not screen.read and "enter confirms" not in whole_text(app)
