"""The language and other settings can be changed wherever one sits, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from core.games import find_game
from p2p.session.news import Away, AwayNext, Notice
from tests.ui.driving import (
    QUIET,
    an_app,
    at_table,
    port_of,
    settled,
    shown,
    text_of,
    whole_text,
)
from tests.ui.fakes import PracticePort, some_gathering, ui
from tests.ui.reading import complaints
from ui.app import HostlessApp
from ui.language.text import LANGUAGE_NAMES, load
from ui.screens.lobby import LobbyScreen
from ui.screens.preferences import SettingsScreen
from ui.screens.table import TableScreen
from ui.widgets.keys import KeyLine

WAYS = [(one, other) for one in LANGUAGE_NAMES for other in LANGUAGE_NAMES if one != other]
BROAD = (120, 36)


def in_language(code: str, port: PracticePort | None = None) -> HostlessApp:
    return an_app(port, settings=replace(QUIET, language=code))


async def choose(pilot: Pilot[int], key: str, code: str) -> None:
    """Open the settings by their key here, and choose a language as a person does."""
    app = pilot.app
    assert isinstance(app, HostlessApp)
    await pilot.press(key)
    await shown(pilot, app.words("settings.title"))
    codes = list(LANGUAGE_NAMES)
    steps = codes.index(code) - codes.index(app.settings.language)
    await pilot.press(*["right" if steps > 0 else "left"] * abs(steps), "enter")
    while isinstance(app.screen, SettingsScreen):
        await pilot.pause(0.01)
    await settled(pilot)


@ui
@pytest.mark.parametrize(
    ("game", "before", "after"),
    [*(("carta", *way) for way in WAYS), ("dominion", "en", "ja"), ("civilization", "en", "ko")],
)
async def test_the_table_says_everything_again_and_keeps_what_is_picked(
    game: str, before: str, after: str
) -> None:
    app = in_language(before, PracticePort(game=find_game(game), players=2))
    async with app.run_test(size=BROAD) as pilot:
        screen = await at_table(pilot, lambda news: len(news.view.offers) > 1)
        await pilot.press("tab")
        await settled(pilot)
        picked, sent = screen.labels, list(port_of(app).sent)
        assert picked
        await choose(pilot, "S", after)
        assert app.screen is screen and screen.labels == picked
        assert port_of(app).sent == sent, "nobody hears of it"
        for part in ("table-title", "prompt"):
            said = text_of(app, part)
            assert said, part
        now = whole_text(app)
        assert load(after)("key.leave") in now.splitlines()[-1]
        assert screen.query_one("#talk-line", Input).placeholder == load(after)("talk.write")
        fresh = in_language(after, port_of(app))
        port_of(app).publish = fresh.publish
    async with fresh.run_test(size=BROAD) as other:
        await at_table(other)
        await other.press("tab")
        await settled(other)
        assert whole_text(fresh) == now, "as if it had been so from the beginning"


@ui
@pytest.mark.parametrize(("before", "after"), WAYS)
async def test_the_table_that_fills_says_everything_again(before: str, after: str) -> None:
    app = in_language(before)
    async with app.run_test(size=BROAD) as pilot:
        app.is_seated = True
        app.publish(some_gathering())
        await shown(pilot, load(before)("term.free"))
        await choose(pilot, "s", after)
        assert load(after)("term.free") in whole_text(app)
        assert not complaints(app)


@ui
@pytest.mark.parametrize(("before", "after"), WAYS)
async def test_the_page_of_the_result_and_the_table_below_say_everything_again(
    before: str, after: str
) -> None:
    app = in_language(before)
    async with app.run_test(size=BROAD) as pilot:
        app.is_seated = True
        app.publish(port_of(app).begin().play(10_000).news())
        await shown(pilot, load(before)("key.rematch"))
        await choose(pilot, "s", after)
        assert load(after)("key.rematch") in whole_text(app)
        assert load(after)("again.here") in whole_text(app)
        assert not complaints(app)
        await pilot.press("down")  # The arrows still scroll it, and no key is lost.
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert load(after)("key.leave") in whole_text(app).splitlines()[-1]
        await pilot.press("q")
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen) and not complaints(app)


@ui
async def test_who_is_away_is_said_again_in_the_new_language() -> None:
    app = in_language("en")
    async with app.run_test(size=BROAD, notifications=True) as pilot:
        await at_table(pilot)
        news = port_of(app).news()
        app.publish(replace(news, away=(Away(1, "grace", AwayNext.REPLACED, 1.0, 40.0),)))
        await shown(pilot, "A bot plays on")
        await choose(pilot, "S", "ja")
        assert "A bot plays on" not in whole_text(app) and "grace" in whole_text(app)


@ui
async def test_other_signs_are_used_at_once_as_well() -> None:
    app = in_language("en")
    async with app.run_test(size=BROAD) as pilot:
        await at_table(pilot)
        assert not whole_text(app).isascii()
        await app.push_screen(SettingsScreen())
        await app.use_settings(replace(app.settings, is_ascii=True), "")
        await settled(pilot)
        assert whole_text(app).isascii() and app.screen.has_class("-ascii")


@ui
async def test_settings_that_lie_over_a_table_end_with_it() -> None:
    """They would lie over the next one that fills, and over the lobby's way back."""
    app = in_language("en")
    async with app.run_test(size=BROAD) as pilot:
        app.is_seated = True
        app.publish(some_gathering())
        await shown(pilot, "free seat")
        await pilot.press("s")
        await shown(pilot, "Settings")
        port_of(app).begin()
        app.publish(port_of(app).news())
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        await app.to_lobby()
        app.is_seated = True
        app.publish(some_gathering())
        await shown(pilot, "free seat")
        await pilot.press("s")
        await shown(pilot, "Settings")
        app.publish(Notice("the table has closed", ends_table=True))
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert app.screen.query_one(KeyLine).is_mounted
