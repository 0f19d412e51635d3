"""The lobby where it is wide and high: headings, emblems, and panels beside the list."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from core.games import GAMES
from p2p.net.announcements import TableAd
from p2p.session.commands import JoinTable, OpenTable
from p2p.session.news import OwnGame, OwnGames, TablesSeen
from scripts.lab.person import keys_to_a_table
from tests.ui.driving import QUIET, an_app, port_of, text_of, whole_text
from tests.ui.fakes import PracticePort, some_ad, ui
from ui.app import HostlessApp
from ui.draw.lobby_side import LobbySide, draw_lobby_side
from ui.language.text import LANGUAGE_NAMES, load
from ui.lobby.own_games import GameFileSummary
from ui.screens import lobby
from ui.screens.lobby import LobbyScreen
from ui.settings import Settings
from ui.terminal.spans import row_width, to_text

WIDE = (120, 36)
HEADINGS = ("YOUR UNFINISHED GAMES", "TABLES ON THIS NETWORK", "PLAY AT ONCE AGAINST BOTS")


@ui
@pytest.mark.parametrize("slug", GAMES)
async def test_each_game_begins_by_what_stands_on_its_rows(slug: str) -> None:
    app = an_app()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press(*keys_to_a_table(whole_text(app), slug))
        await pilot.pause()
        opened = port_of(app).sent[-1]
    assert isinstance(opened, OpenTable) and opened.game == slug


@ui
async def test_the_bar_goes_past_headings_from_a_game_to_a_table() -> None:
    app = an_app()
    async with app.run_test(size=WIDE) as pilot:
        app.publish(OwnGames((OwnGame(Path("a"), "dominion", "cd", ("bert",)),)))
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        await pilot.press("up")
        under = app.screen.query_one(OptionList).highlighted_option
        assert under is not None and under.id == "own-cd"
        text = whole_text(app)
        assert [title in text for title in HEADINGS] == [True] * 3
        await pilot.press("down", "enter")
        await pilot.pause()
        assert port_of(app).sent[-1] == JoinTable(some_ad().target)


@ui
@pytest.mark.parametrize("size", [WIDE, (80, 24)])
async def test_nobody_reads_that_no_table_is_open_while_another_waits_at_my_game(
    size: tuple[int, int],
) -> None:
    app = an_app()
    async with app.run_test(size=size) as pilot:
        assert "No table is open" in whole_text(app)
        app.publish(OwnGames((OwnGame(Path("a"), "dominion", "cd", ("bert",), ("bert",)),)))
        await pilot.pause()
        text = whole_text(app)
        assert "there now: bert" in text and "No table is open" not in text


@ui
async def test_a_newcomer_reads_that_nobody_hosts_and_by_which_words_others_know_them() -> None:
    app = an_app()
    app.my_words = "gesture fashion develop dragon"
    async with app.run_test(size=WIDE):
        beside = text_of(app, "lobby-side")
        assert "NOBODY HOSTS" in beside and app.my_words in beside
        assert "LAST GAMES" not in beside


@ui
async def test_where_many_tables_are_open_each_game_is_a_line() -> None:
    app = an_app()
    async with app.run_test(size=WIDE) as pilot:
        assert "Provinces" in whole_text(app)
        app.publish(TablesSeen(tuple(some_ad(f"table-{at}") for at in range(23))))
        await pilot.pause()
        lines = whole_text(app).splitlines()
        at = next(number for number, line in enumerate(lines) if "Play Dominion" in line)
        assert "Play Carta" in lines[at - 1] and "Play Die Wiege" in lines[at + 1]


@ui
async def test_my_games_are_looked_for_when_the_lobby_is_seen_and_not_all_the_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lobby, "LOOK_S", 0.01)
    asked, beats = list[int](), list[int]()

    def games() -> tuple[Path, ...]:
        asked.append(len(asked))
        return (tmp_path / "a game that is none",)

    app = HostlessApp(PracticePort(), QUIET, games=games)
    async with app.run_test(size=WIDE) as pilot:
        app.set_interval(lobby.LOOK_S, lambda: beats.append(len(beats)))
        while len(beats) < 20:
            await pilot.pause()
        before = len(asked)
        while len(beats) < 60:
            await pilot.pause()
        assert len(asked) == before <= 4


@ui
async def test_the_first_picture_of_the_list_is_made_once_at_each_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, make = list[object](), LobbyScreen.show_tables

    def show(screen: LobbyScreen, tables: tuple[TableAd, ...]) -> None:
        made.append(screen.app.size)
        make(screen, tables)

    monkeypatch.setattr(LobbyScreen, "show_tables", show)
    app = an_app()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert len(made) == 1


@ui
async def test_a_terminal_that_becomes_narrow_has_the_short_list() -> None:
    app = an_app()
    async with app.run_test(size=WIDE) as pilot:
        assert HEADINGS[2] in whole_text(app)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.pause()
        assert HEADINGS[2] not in whole_text(app) and "Play Dominion" in whole_text(app)


@ui
async def test_the_wide_lobby_has_ascii_alone_where_that_was_asked_for() -> None:
    app = an_app(settings=Settings(is_ascii=True))
    async with app.run_test(size=WIDE) as pilot:
        app.publish(TablesSeen((some_ad(),)))
        await pilot.pause()
        assert [each for each in whole_text(app) if not each.isascii()] == []


def test_panels_that_have_no_room_are_left_out_whole() -> None:
    games = [
        GameFileSummary("Carta Impera Victoria", "ada and bert, a long name", "yesterday", True)
    ] * 4
    side = LobbySide("ada", "gesture fashion develop dragon", True, [], games)
    for code in LANGUAGE_NAMES:
        for height in range(8, 40):
            rows = draw_lobby_side(load(code), side, 38, height)
            assert len(rows) <= height and all(row_width(row) == 38 for row in rows)
            assert to_text(rows).count("┌") == to_text(rows).count("└")


def test_as_many_of_my_games_are_told_as_have_room() -> None:
    games = [GameFileSummary(f"game {at}", "ada and bert", "yesterday", True) for at in range(9)]
    side = LobbySide("ada", "", False, [], games)
    told = [to_text(draw_lobby_side(load("en"), side, 38, high)).count("game") for high in (8, 40)]
    assert told == [3, 9]


@pytest.mark.parametrize("size", [WIDE, (200, 50)])
@ui
async def test_what_the_game_under_the_bar_is_about_stands_below_the_list(
    size: tuple[int, int],
) -> None:
    app = an_app()
    async with app.run_test(size=size) as pilot:
        assert "Be the first with 7 cards" in text_of(app, "aim")
        await pilot.press("down", "down")
        await pilot.pause()
        assert "the last Province" in text_of(app, "aim")
        app.publish(TablesSeen(tuple(some_ad(f"table-{at}") for at in range(23))))
        await pilot.pause()
        assert text_of(app, "aim") == "", "there is no room for it"
