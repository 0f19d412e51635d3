"""What is answered without asking, so that the time an answer takes tells nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p.session.news import TableChanged
from tests.ui.driving import an_app, at_table, my_chosen, port_of, settled, whole_text
from tests.ui.fakes import ui
from tests.ui.shopping import ALL_CARDS, market
from ui.games import look_of
from ui.settings import Settings

REVEAL_OR_PASS, PASS = 2, 1
LONG_S = 60.0


def is_attacked(answers: int) -> Callable[[TableChanged], bool]:
    return lambda news: news.view.phase == "react" and len(news.view.offers) == answers


@pytest.mark.parametrize(("answers", "verb"), [(REVEAL_OR_PASS, "reveal"), (PASS, "pass")])
def test_how_soon_an_attack_is_answered_does_not_tell_who_has_a_moat(
    answers: int, verb: str
) -> None:
    """D14: whoever has one is not asked about it any longer than who has none."""
    view = market(kingdom=ALL_CARDS).play_until(is_attacked(answers)).news().view
    answer = look_of("dominion").reflex(view)
    assert answer is not None
    assert answer.action.verb == verb


@ui
async def test_a_moat_is_shown_without_a_key() -> None:
    app = an_app(market(kingdom=ALL_CARDS), Settings(is_automatic=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_attacked(REVEAL_OR_PASS))
        for _ in range(2000):
            if my_chosen(port_of(app)):
                break
            await pilot.pause(0.01)
    assert my_chosen(port_of(app))[0].action.verb == "reveal"


@ui
async def test_an_answer_that_gives_itself_takes_no_sentence_from_the_screen() -> None:
    app = an_app(market(kingdom=ALL_CARDS), Settings(is_automatic=True))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot, is_attacked(REVEAL_OR_PASS))
        screen.notify("grace is away", timeout=LONG_S)
        for _ in range(2000):
            if my_chosen(port_of(app)):
                break
            await pilot.pause(0.01)
        assert my_chosen(port_of(app))
        await settled(pilot)
        assert "grace is away" in whole_text(app)
