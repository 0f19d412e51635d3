"""The screen in a browser: one page, a seat for each tab, and nothing left when the server ends."""

from __future__ import annotations

import asyncio
import random
import re
import time
from pathlib import Path

import pytest
from aiohttp import WSServerHandshakeError

from tests.ui.browsing import LOBBY, open_for_two, serving
from tests.ui.playing import MY_TURN, Player
from tests.ui.test_bots_killed import GONE_S, family, left_of
from ui.browser.server import _LOOPBACK, command_line
from ui.browser.tabs import Tabs, TabSeat
from ui.commandline.surface import make_parser
from ui.commands.serve import passed_on
from ui.settings import _FILE_NAME

# ---- seats ----


def names_of(seats: list[TabSeat]) -> list[str]:
    return [seat.name for seat in seats]


def test_each_tab_has_a_seat_and_a_reloaded_one_has_its_own_again(tmp_path: Path) -> None:
    (tmp_path / _FILE_NAME).write_text("{}")
    tabs = Tabs(tmp_path, "ada")

    async def go() -> None:
        async with tabs.seat("a") as first, tabs.seat("b") as second:
            assert (first.home, first.name) == (tmp_path, "")
            assert (second.home, second.name) == (tmp_path / "tabs" / "2", "ada (2)")
            assert (second.home / _FILE_NAME).exists(), "the same language, to begin with"
            async with Tabs(tmp_path, "ada").seat("c") as third:
                assert third.number == 3, "two servers of one home know of each other"
        async with tabs.seat("b") as again, tabs.seat("d") as new:
            assert (again.number, new.number) == (2, 1)

    asyncio.run(go())


def test_what_was_given_goes_to_the_program_of_each_tab() -> None:
    given = "--lang ko --as ada --ascii --host ::1 --port 4000 --log-level debug"
    words = ["serve", *given.split(" ")]
    args = make_parser().parse_args(words)
    assert passed_on(args) == ["--lang", "ko", "--log-level", "debug", "--as", "ada", "--ascii"]
    assert (args.serve_host, args.serve_port) == ("::1", 4000)
    usual = make_parser().parse_args(["serve"])
    assert usual.serve_host in _LOOPBACK and passed_on(usual) == []
    assert "'a b'" in command_line(["python", "a b"]) or '"a b"' in command_line(["python", "a b"])


# ---- a real server ----


def test_the_page_says_whose_it_is_and_nobody_else_may_play_there(tmp_path: Path) -> None:
    with serving(tmp_path / "ada", "--as", "ada", "--lang", "en") as (desk, _):
        status, page = desk.get("/")
        assert status == 200 and "<title>hostless</title>" in page
        assert "keys of this seat are kept on" in page
        assert not re.search(r'(src|href)="(https?:)?//', page), "nothing comes from elsewhere"
        assert desk.get("/static/js/textual.js")[0] == 200
        assert desk.get("/", Host="hostless.example")[0] == 403
        with pytest.raises(WSServerHandshakeError, match="403"):
            desk.open_socket("mallory", "m", Origin="http://hostless.example")
        tab = desk.open_socket("ada", "a", Origin=desk.url)
        tab.wait_for(LOBBY)
        tab.press("q")
        desk.read_until(lambda: tab.is_closed, lambda: f"q left\n{tab.text()}")


@pytest.mark.slow
def test_a_second_tab_is_a_second_seat_at_the_same_table(tmp_path: Path) -> None:
    with serving(tmp_path / "ada", "--as", "ada", "--lang", "en") as (desk, _):
        first, second = desk.open_socket("ada", "a"), desk.open_socket("ada (2)", "b")
        for tab in (first, second):
            tab.wait_for(LOBBY)
        open_for_two(first)
        second.wait_for("table of ada")
        second.press("down", "up", "enter")  # Who has moved the bar means what is under it.
        players = [Player(tab, random.Random(2)) for tab in (first, second)]

        def have_moved() -> bool:
            for player in players:
                player.step()
            text = first.text() + second.text()
            return all(f"{tab.name} plays" in text for tab in (first, second))

        desk.read_until(have_moved, lambda: f"{first.text()}\n{second.text()}")
        assert len(list((tmp_path / "ada").rglob("*.hostless"))) == 2


@pytest.mark.slow
def test_nothing_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path / "ada", "--as", "ada", "--lang", "en") as (desk, server):
        tab = desk.open_socket("ada", "a")
        tab.wait_for(LOBBY)
        tab.press("b")
        tab.wait_for(MY_TURN)
        started = family(server.pid)
        assert len(started) >= 3, "a program and two bots"
        server.kill()
        deadline = time.monotonic() + GONE_S
        while left := left_of(started):
            assert time.monotonic() < deadline, left
            desk.read(0.1)
