"""The line of keys: only what means something now, by what it does now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2p.session.news import SeatClock, TableChanged, TablesSeen
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
from tests.ui.fakes import PracticePort, some_ad, ui
from ui.app import HostlessApp
from ui.key_bindings import use_keymap
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby import own_games
from ui.lobby.own_games import GameFileSummary
from ui.screens import replays
from ui.screens.pages import help_rows
from ui.settings import Settings
from ui.terminal.spans import Row, to_text


def last_line(app: HostlessApp) -> str:
    return whole_text(app).splitlines()[-1].strip()


@ui
async def test_enter_in_the_lobby_is_said_by_what_is_under_the_bar() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "enter Play")
        app.publish(TablesSeen((some_ad(),)))
        await shown(pilot, "enter Sit down")
        app.publish(TablesSeen((some_ad(taken=3),)))
        await shown(pilot, "enter Watch")
        app.publish(TablesSeen(()))
        await settled(pilot)
        assert "enter Play" in last_line(app)


@ui
async def test_where_no_game_is_kept_only_the_way_back_is_offered() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("g")
        await shown(pilot, "No finished or interrupted game")
        assert last_line(app) == "esc Back"


def test_at_a_game_that_has_ended_nobody_is_asked_to_sit_down_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told(words: object, path: Path, now: float) -> GameFileSummary:
        return GameFileSummary("Carta", "ada, bert", "today", is_over=path.name == "over")

    for module in (own_games, replays):
        monkeypatch.setattr(module, "summary_of", told)

    @ui
    async def look() -> None:
        app = HostlessApp(PracticePort(), QUIET, games=lambda: [Path("over"), Path("open")])
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("g")
            await shown(pilot, "enter Look back")
            assert "Sit down again" not in last_line(app)
            await pilot.press("down")
            await shown(pilot, "r Sit down again")

    look()


def timed(news: TableChanged, pauser: int | None = None) -> TableChanged:
    """The same with two persons and clocks."""
    clocks = tuple(SeatClock(seat, True, False, 90.0, has_paused=seat == pauser) for seat in (0, 1))
    return replace(news, clocks=clocks)


@ui
async def test_the_pause_has_its_key_on_the_line_where_there_are_clocks() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        assert "Pause" not in last_line(app)
        app.publish(timed(port_of(app).news()))
        await shown(pilot, "P Pause")
        app.publish(timed(port_of(app).news(), pauser=1))
        await shown(pilot, "P Go on")


@ui
async def test_where_only_bots_sit_no_key_to_talk_is_offered() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        assert "/ Say" in last_line(app)
        news = port_of(app).news()
        seats = tuple(replace(each, is_bot=each.link != "me") for each in news.seats)
        app.publish(replace(news, seats=seats))
        await settled(pilot)
        assert "/ Say" not in last_line(app)


@ui
async def test_keys_that_choose_are_offered_only_while_i_am_asked() -> None:
    """While another player was waited for, the bar said *enter Confirm* and *h Hint*."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        news = port_of(app).news()
        app.publish(replace(news, view=replace(news.view, offers=(), to_act=(1,))))
        await settled(pilot)
        assert "Confirm" not in last_line(app) and "Hint" not in last_line(app)
        app.publish(port_of(app).news())
        await shown(pilot, "enter Confirm  h Hint")


@ui
async def test_a_table_that_is_over_offers_to_play_again_and_no_choice() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        app.publish(port_of(app).play(10_000).news())
        await shown(pilot, "To the lobby")
        await pilot.press("escape")
        await shown(pilot, "N Play again")
        assert "Confirm" not in last_line(app) and "Hint" not in last_line(app)


def test_the_page_of_the_keys_begins_with_those_of_the_screen_it_was_opened_from() -> None:
    words = load("en")
    for where, other in (("table", "lobby"), ("lobby", "table")):
        text = to_text(help_rows(words, 78, is_ascii=False, where=where))
        assert text.startswith(f" {words(f'where.{where}')}")
        assert text.count(f"\n {words(f'where.{other}')}\n") == 1


def test_the_page_of_the_keys_is_drawn_once_for_a_width_until_keys_change() -> None:
    def drawn() -> list[Row]:
        return help_rows(load("en"), 71, is_ascii=False, where="end")[:5]

    before = drawn()
    assert all(one is other for one, other in zip(before, drawn(), strict=True))
    use_keymap({"end.rematch.n": "Z"})
    try:
        assert to_text(drawn()) == to_text(before).replace(" n ", " Z ")
    finally:
        use_keymap({})


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@ui
async def test_the_palette_has_the_keys_as_the_page_of_keys_writes_them(code: str) -> None:
    """It said `exclamation_mark` for `!`, had taking back twice, and searched in English."""
    app = an_app(settings=Settings(language=code, is_automatic=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        page = to_text(help_rows(load(code), 76, is_ascii=False, where="table"))
        found = list(app.get_system_commands(app.screen))
        assert len({each.title for each in found}) == len(found)
        for each in found:
            assert any(line.split()[:1] == [each.help] and each.title[:20] in line
                       for line in page.splitlines()), each.title  # fmt: skip
        await pilot.press("ctrl+p")
        await shown(pilot, load(code)("app.search"))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("is_ascii", [False, True])
@ui
async def test_a_search_that_finds_no_key_says_so_in_the_persons_language(
    code: str, is_ascii: bool
) -> None:
    """It said `No matches found` in every language, below a sign that few consoles have."""
    app = an_app(settings=Settings(language=code, is_automatic=False, is_ascii=is_ascii))
    async with app.run_test(size=(60, 20)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("ctrl+p", *"zzzz")
        await shown(pilot, load(code)("app.nothing_found")[:12])
        seen = whole_text(pilot.app)
        assert "No matches" not in seen
        assert not set("🔎▔▁" if is_ascii else "🔎") & set(seen), "signs the terminal may not have"
