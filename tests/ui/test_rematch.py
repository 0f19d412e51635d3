"""The same table once more, at the page of the result and in lines of text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from p2p.base.identity import words
from p2p.net.people import Neighbor
from p2p.session.commands import Leave, Rematch
from p2p.session.news import Notice, PeopleSeen, TablesSeen
from tests.ui.driving import an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PATH, PracticePort, some_ad, ui
from ui.app import HostlessApp
from ui.language.text import load
from ui.plain.presenter import PlainPresenter
from ui.port import Explain
from ui.screens.end import waiting_again
from ui.terminal.spans import to_text
from ui.widgets.keys import KeyLine
from ui.widgets.rows import RowsWidget

JOINED = b"\x02" * 32  # The identity of somebody who has sat down at the next table.


def over(port: PracticePort) -> PracticePort:
    return port.begin().play(10_000)


async def at_the_end(pilot: Pilot[int]) -> PracticePort:
    app = pilot.app
    assert isinstance(app, HostlessApp)
    port = over(port_of(app))
    app.is_seated = True
    app.publish(port.news())
    await shown(pilot, "N Play again")
    return port


def bar_of(app: HostlessApp) -> str:
    strip = app.screen.query_one("#prompt", RowsWidget)
    return to_text(strip.rows(strip.size.width))


@ui
async def test_one_key_at_the_end_plays_again() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        port = await at_the_end(pilot)
        await pilot.press("N")
        await shown(pilot, "The same table is opened")
        assert port.sent[-2:] == [Rematch(PATH), Explain(None)], "of the game before no more"
        assert not app.screen.query("Toast"), "nothing lies over the race"
        assert "The same table is opened" in bar_of(app)
        app.publish(Notice("the others have opened no table again"))
        await settled(pilot)
        assert "The same table is opened" not in bar_of(app)
        await settled(pilot)
        app.publish(TablesSeen((some_ad(),)))  # The page that was closed hears no more.
        await settled(pilot)


@ui
async def test_who_looks_at_the_table_again_can_still_play_again() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port = await at_the_end(pilot)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press("N")
        assert port.sent[-1] == Rematch(PATH)


@ui
async def test_a_click_in_the_line_of_keys_leads_to_the_lobby() -> None:
    """The page is gone before the click is over."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port = await at_the_end(pilot)
        line = app.screen.query_one(KeyLine)
        at = to_text(line.rows(80)).index("q To the lobby") + 1
        await pilot.click(KeyLine, offset=(at, 0))
        await shown(pilot, "Tables on this network")
        assert port.sent[-1] == Leave()


@ui
async def test_in_the_middle_of_a_game_nothing_is_opened() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("N")
        await shown(pilot, "A game can be")
        assert not any(isinstance(each, Rematch) for each in port_of(app).sent)


@ui
async def test_the_end_page_says_who_waits_to_play_again() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_the_end(pilot)
        assert "waits to play again" not in whole_text(app)
        ad = some_ad()
        seats = port_of(app).news().seats
        news = replace(
            port_of(app).news(),
            seats=(
                seats[0],
                replace(seats[1], words=words(ad.opener), is_bot=False, link="away"),
                replace(seats[2], words=words(JOINED), is_bot=False, link="away"),
            ),
        )
        app.publish(news)
        app.publish(TablesSeen((ad,)))
        await settled(pilot)
        text = whole_text(app)  # Of the smallest screen, without scrolling.
        assert "grace waits to play again: press N." in text
        assert "● grace  ○ alan" in text, "whoever sits at the next table is not gone"
        app.publish(PeopleSeen((Neighbor(JOINED, "alan", ad.key),)))
        await settled(pilot)
        assert "grace, alan wait to play again: press N." in whole_text(app)
        assert "● grace  ● alan" in whole_text(app)


async def at_the_end_of_others(pilot: Pilot[int]) -> PracticePort:
    """Where I have looked on."""
    app = pilot.app
    assert isinstance(app, HostlessApp)
    port = over(port_of(app))
    app.is_seated = True
    app.publish(replace(port.looked_on(), path=None))
    await shown(pilot, "To the lobby")
    return port


@ui
async def test_who_looked_on_is_offered_no_file_to_look_back_in() -> None:
    """The line of keys said `v Look back`, and the key did nothing."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_the_end_of_others(pilot)
        text = whole_text(app)
        assert "Look back" not in text and "To the lobby" in text


@ui
async def test_who_looked_on_reads_who_plays_on_and_who_may() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        port = await at_the_end_of_others(pilot)
        ad, seen = some_ad(), replace(port.looked_on(), path=None)
        first = replace(seen.seats[0], words=words(ad.opener), is_bot=False)
        app.publish(replace(seen, seats=(first, *seen.seats[1:])))
        app.publish(TablesSeen((ad,)))
        await settled(pilot)
        assert "Opened again by ada: q goes to the lobby" in whole_text(app)
        await pilot.press("escape")
        await pilot.press("N")
        await settled(pilot)
        assert "Only who sat here can play again" in whole_text(app), "it said: once it is over"
    presenter = PlainPresenter(load("en"))
    presenter.receive(replace(over(PracticePort()).looked_on(), path=None))
    assert "Only who sat here" in presenter.read("again").lines[0]


@pytest.mark.parametrize(
    ("taken", "options", "there"),
    [
        (2, "seats=kept", ("grace", "alan")),
        (1, "seats=kept", ("grace",)),
        (2, "seats=filled", ("grace",)),  # A bot may have the second seat.
        (2, "deal=basic", ("grace",)),  # So may somebody who did not play here.
    ],
)
def test_who_lets_nobody_see_where_they_are_waits_at_the_next_table_all_the_same(
    taken: int, options: str, there: tuple[str, ...]
) -> None:
    """A person who had sat down there stood on the end page as one who is gone."""
    ad, news = replace(some_ad(taken=taken), options=options), over(PracticePort()).news()
    names = [ad.opener, JOINED]
    seats = [replace(seat, words=words(name), is_bot=False, link="away")
             for seat, name in zip(news.seats[1:], names, strict=True)]  # fmt: skip
    news = replace(news, seats=(news.seats[0], *seats))
    assert waiting_again(news, [ad]) == there


def test_only_the_others_of_this_game_are_waited_for() -> None:
    news = over(PracticePort()).news()
    assert waiting_again(news, [some_ad()]) == ()


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_again_is_a_word_once_the_game_is_over(language: str) -> None:
    port, presenter = PracticePort(), PlainPresenter(load(language))
    presenter.receive(port.begin().news())
    assert presenter.read("again").command is None
    presenter.receive(over(PracticePort()).news())
    assert presenter.may_play_again
    assert presenter.read("again").command == Rematch(PATH)
