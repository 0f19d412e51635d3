"""Silence in words, on the screen and in lines of text: who is away, and what happens next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.games import GAMES
from p2p.session.news import Away, AwayNext, SeatClock, TableChanged
from tests.ui.driving import (
    an_app,
    at_table,
    is_playing,
    my_chosen,
    port_of,
    settled,
    shown,
    text_of,
    whole_text,
)
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_draw import SIZES
from ui.draw.frame import draw_prompt, draw_table
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.away import PRESSED, TYPED, away_sentences
from ui.model.clocks import time_left
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.terminal.spans import to_text

WIDTH = 78  # Of the bar on the smallest screen.
GRACE_S = 42.0


class Clock:
    """The time by which screens count; it stands still, so a slow machine sees no later one."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr("p2p.session.news.monotonic", stopped)
    return stopped


def away(then: AwayNext, *seats: int, left_s: float | None = None) -> tuple[Away, ...]:
    """These seats are silent."""
    names = ("ada", "grace", "alan", "mary")
    return tuple(Away(seat, names[seat], then, left_s, left_s) for seat in seats)


def silent(
    port: PracticePort, *who: Away, is_mine: bool = False, is_linked: bool = False
) -> TableChanged:
    """The picture while these are away."""
    news = port.news()
    gone = () if is_linked else {each.seat for each in who}
    seats = tuple(
        replace(seat, link="away") if number in gone else seat
        for number, seat in enumerate(news.seats)
    )
    seen = news.view if is_mine else replace(news.view, offers=(), to_act=(1,))
    return replace(news, view=seen, seats=seats, away=who, turn=news.turn if is_mine else None)


def replaced() -> tuple[Away, ...]:
    """One is silent, from now on, and a bot will play on."""
    return away(AwayNext.REPLACED, 1, left_s=GRACE_S)


def told(then: AwayNext, *seats: int, left_s: float | None = None) -> str:
    """The sentences for whoever types."""
    news = silent(PracticePort(players=4).begin(), *away(then, *seats, left_s=left_s))
    return " ".join(away_sentences(load("en"), news, TYPED))


def test_each_sentence_says_what_comes_next_and_what_helps() -> None:
    soon = told(AwayNext.REPLACED, 1, left_s=GRACE_S)
    assert soon == "grace is away. A bot plays on in 42 s; the seat stays grace's."
    assert "as soon as grace is needed" in told(AwayNext.REPLACED, 1, left_s=0.0)
    two = told(AwayNext.FEWER, 1, 2)
    assert two.startswith("Waiting for grace or alan; nobody can be replaced while 2 are away.")
    left = told(AwayNext.LEFT, 1, left_s=GRACE_S)
    assert "quit adjourns; in 42 s claim win claims the win, practise plays on" in left
    assert told(AwayNext.LEFT, 1, 2, left_s=GRACE_S).startswith("grace and alan are away")
    three = told(AwayNext.LEFT, 1, 2, 3, left_s=GRACE_S)
    assert three.startswith("grace, alan and mary are away"), "one *and* is enough"
    assert "quit adjourns" in told(AwayNext.NOBODY, 1)
    assert "has the seat again" in told(AwayNext.PLAYED, 1)
    assert told(AwayNext.STARTED, 1, 2) == "Your own bots are being started again: grace, alan."


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("then", list(AwayNext))
def test_the_bar_has_room_for_what_is_said(code: str, then: AwayNext) -> None:
    who = away(then, 1, 2) if then is AwayNext.FEWER else away(then, 1, left_s=GRACE_S)
    news = silent(PracticePort().begin(), *who)
    rows = draw_prompt(Scene(view_model(load(code), news)), WIDTH)
    said = "".join(to_text(rows).translate({ord(mark): None for mark in "▶·"}).split())
    whole = "".join(away_sentences(load(code), news, PRESSED)[0].split())
    assert len(rows) <= 2
    assert "·" not in to_text(rows[1:]), "one sentence has one mark"
    assert then is AwayNext.PLAYED or said == whole


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_bots_that_are_away_with_their_owner_are_not_named_and_the_bar_has_room(code: str) -> None:
    who = away(AwayNext.LEFT, 1, 2, 3, left_s=GRACE_S)
    news = silent(PracticePort(players=4).begin(), *who)
    owned = [
        replace(seat, is_bot=number > 1, sponsor="grace" if number > 1 else "")
        for number, seat in enumerate(news.seats)
    ]
    news = replace(news, seats=tuple(owned))
    alone = silent(PracticePort(players=4).begin(), *away(AwayNext.LEFT, 1, left_s=GRACE_S))
    words = load(code)
    said = away_sentences(words, news, PRESSED)
    assert said == away_sentences(words, alone, PRESSED)
    rows = draw_prompt(Scene(view_model(words, news)), WIDTH)
    assert len(rows) == 2
    shown_whole = "".join(to_text(rows).translate({ord("·"): None}).split())
    assert shown_whole == "".join(said[0].split())


# ---- on the screen ----


@ui
async def test_the_bar_and_the_box_say_it_at_once_and_count_down(clock: Clock) -> None:
    app = an_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await at_table(pilot)
        app.publish(silent(port_of(app), *replaced()))
        await shown(pilot, "A bot plays on in 42 s")
        assert "grace - away 42 s" in whole_text(app)
        clock.now += 1
        await shown(pilot, "A bot plays on in 41 s")
        assert "grace - away 41 s" in whole_text(app)
        app.publish(port_of(app).news())
        await shown(pilot, "YOUR TURN")
        assert "away" not in whole_text(app)


@ui
async def test_the_last_second_does_not_stay_when_nobody_waits_for_who_is_away(
    clock: Clock,
) -> None:
    app = an_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await at_table(pilot)
        app.publish(silent(port_of(app), *away(AwayNext.REPLACED, 1, left_s=0.9), is_mine=True))
        await shown(pilot, "grace - away 1 s")
        clock.now += 1
        await shown(pilot, "grace - away  ")
        assert "away 1 s" not in whole_text(app)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_mine", [True, False])
def test_who_is_away_is_marked_in_every_game_at_every_size(
    slug: str, size: tuple[int, int], is_mine: bool
) -> None:
    news = silent(PracticePort(players=3, game=GAMES[slug]).begin(), *replaced(), is_mine=is_mine)
    strangers = replace(news, pairing="four words", strangers=("grace", "alan"))
    for each in (news, strangers):
        frame = draw_table(Scene(view_model(load("en"), each), (), "", *size))
        (title,) = to_text(frame.title).splitlines()
        assert "grace - away 42 s" in title


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("size", SIZES)
def test_whose_seat_a_bot_plays_on_is_said_in_every_game_at_every_size(
    slug: str, size: tuple[int, int]
) -> None:
    port = PracticePort(players=4, game=GAMES[slug]).begin()
    news = silent(port, *away(AwayNext.PLAYED, 1), is_linked=True)
    seats = tuple(replace(each, is_bot=number == 1) for number, each in enumerate(news.seats))
    news = replace(news, seats=seats, pairing="four words", strangers=("grace", "alan"))
    frame = draw_table(Scene(view_model(load("en"), news), (), "", *size))
    assert "grace (bot)" in to_text(frame.title)


@ui
async def test_whoever_has_a_choice_to_make_is_told_beside_it() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(silent(port_of(app), *replaced(), is_mine=True))
        await shown(pilot, "in 42 s; the seat stays")
        assert "YOUR TURN" in text_of(app, "prompt")


@ui
async def test_what_is_said_of_who_is_away_is_taken_away_when_all_are_back() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(silent(port_of(app), *away(AwayNext.NOBODY, 1), is_mine=True))
        await shown(pilot, "grace is away, and")
        app.publish(port_of(app).news())
        await settled(pilot)
        assert "grace is away" not in whole_text(app)


@ui
@pytest.mark.parametrize("is_away", [False, True])
async def test_an_answer_takes_away_what_a_key_was_told_but_not_that_somebody_is_away(
    is_away: bool,
) -> None:
    """Who went while enter was under the finger: nobody could have read it."""
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot, is_playing)
        port = port_of(app)
        gone = away(AwayNext.NOBODY, 1) if is_away else ()
        port.publish = lambda news: app.publish(silent(port, *gone, is_mine=True))
        if is_away:
            port.publish(port.news())
        else:
            await pilot.press("x")
        said = "grace is away, and" if is_away else "Nothing has the key x"
        await shown(pilot, said)
        await pilot.press("1", "enter")
        await settled(pilot)
        assert len(my_chosen(port)) == 1
        assert "YOUR TURN" in text_of(app, "prompt"), "the bar does not say it"
        assert (said in whole_text(app)) == is_away


@ui
async def test_what_was_said_at_a_table_does_not_lie_over_the_lobby() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(silent(port_of(app), *replaced(), is_mine=True))
        await shown(pilot, "in 42 s; the seat stays")
        await pilot.press("q")
        await shown(pilot, "Play Dominion against bots")
        await settled(pilot)
        assert "grace is away" not in whole_text(app)


@ui
async def test_what_the_bar_said_while_an_answer_was_under_way_is_said_beside_the_next() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(silent(port_of(app), *replaced()))
        await shown(pilot, "A bot plays on in 42 s")
        app.publish(silent(port_of(app), *replaced(), is_mine=True))
        await shown(pilot, "YOUR TURN")  # The bar says it no more; a box beside it does.
        await shown(pilot, "A bot plays on")
        assert "YOUR TURN" in text_of(app, "prompt")


# ---- clocks ----


def timed(news: TableChanged, left_s: float = 572.0) -> TableChanged:
    """The same at a table with a clock; mine is running, the other stands."""
    clocks = SeatClock(0, True, True, left_s), SeatClock(1, True, False, 9.0)
    return replace(news, clocks=clocks)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_time_of_each_stands_beside_the_name_in_every_game_at_every_size(
    slug: str, size: tuple[int, int]
) -> None:
    news = timed(PracticePort(players=2, game=GAMES[slug]).begin().news())
    news = replace(news, seats=tuple(replace(each, is_bot=False) for each in news.seats))
    frame = draw_table(Scene(view_model(load("en"), news), (), "", *size))
    (title,) = to_text(frame.title).splitlines()
    assert "ada 9:32" in title and "grace 0:09" in title


@ui
async def test_a_clock_that_runs_is_drawn_every_second(clock: Clock) -> None:
    app = an_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await at_table(pilot)
        app.publish(timed(port_of(app).news()))
        await shown(pilot, "9:32")
        clock.now += 1
        await shown(pilot, "9:31")
        assert "0:09" in whole_text(app), "nobody waits for the other"


def test_a_time_that_its_owner_says_otherwise_perhaps_is_shown_as_about() -> None:
    clocks = SeatClock(0, True, True, 572.0), SeatClock(1, True, False, 9.0, is_about=True)
    news = replace(PracticePort().begin().news(), clocks=clocks)
    assert (time_left(news, 0), time_left(news, 1)) == ("9:32", "~0:09")


def test_time_that_is_used_up_is_none_and_time_that_is_shown_counts_up() -> None:
    assert SeatClock(0, True, False, -3.0).seconds() == 0
    assert SeatClock(0, False, False, -75.5).seconds() == 75


# ---- in lines of text ----


def test_a_line_says_it_once_and_another_when_that_changes() -> None:
    port, presenter = PracticePort().begin(), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    assert presenter.receive(silent(port, *replaced())) == [
        "grace is away. A bot plays on in 42 s; the seat stays grace's."
    ]
    later = away(AwayNext.REPLACED, 1, left_s=GRACE_S - 20)
    assert presenter.receive(silent(port, *later)) == []
    (line,) = presenter.receive(silent(port, *away(AwayNext.PLAYED, 1), is_linked=True))
    assert line.startswith("A bot plays on for grace")


def test_after_a_return_the_open_question_is_put_again() -> None:
    port, presenter = PracticePort().begin(), PlainPresenter(load("en"), is_automatic=False)
    asked = presenter.receive(port.news())
    presenter.receive(silent(port, *replaced(), is_mine=True))
    again = presenter.receive(port.news())
    assert again[0] == "grace is back."
    assert again[1:] == asked[-len(again) + 1 :] and "Your choices:" in again


def test_an_owner_is_said_to_be_back_also_when_its_link_comes_after_all_have_agreed_to_it() -> None:
    port, presenter = PracticePort().begin(), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    presenter.receive(silent(port, *away(AwayNext.PLAYED, 1), is_linked=True))
    news = silent(port)
    far = replace(news.seats[1], link="away")
    agreed = replace(news, seats=(news.seats[0], far, *news.seats[2:]))
    assert presenter.receive(agreed) == [] == presenter.receive(agreed)
    assert presenter.receive(news) == ["grace is back.", "Waiting for grace"]
    assert presenter.receive(news) == []


def test_whoever_waits_is_told_for_whom_when_somebody_is_back() -> None:
    port, presenter = PracticePort().begin(), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    presenter.receive(silent(port, *replaced()))
    assert presenter.receive(silent(port)) == ["grace is back.", "Waiting for grace"]


def test_a_cheater_who_had_to_go_is_not_said_to_be_back() -> None:
    port, presenter = PracticePort().begin(), PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(port.news())
    presenter.receive(silent(port, *replaced()))
    news = silent(port)
    bot = replace(news.seats[1], is_bot=True, sponsor="grace")
    assert presenter.receive(replace(news, seats=(news.seats[0], bot, *news.seats[2:]))) == []


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_lines_of_text_say_my_time_with_each_question(code: str) -> None:
    presenter, news = (
        PlainPresenter(load(code), is_automatic=False),
        timed(PracticePort().begin().news()),
    )
    assert load(code)("clock.mine", time="9:32") in presenter.receive(news)
    assert not any("9:3" in line for line in presenter.receive(news)), "it is asked once"
