"""Clocks in words: little time, time that is used up, and time that is not believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.narrate import Line
from p2p.session.news import SeatClock, TableChanged
from tests.ui.driving import an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_away import Clock
from tests.ui.test_away import clock as clock
from ui.draw.frame import HURRY, draw_table
from ui.draw.marks import BAD, MUTED
from ui.draw.result import draw_result
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.clocks import TimeHeard
from ui.model.result import end_lines
from ui.model.story import plain_sentences, told
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.terminal.spans import to_text

ME, GRACE = 0, 1
CHOSEN = (Line(20, "chosen", GRACE, text="play science"),
          Line(22, "chosen", GRACE, text="play culture"))  # fmt: skip


def timed(
    news: TableChanged,
    mine_s: float = 90.0,
    *,
    ups: tuple[int, ...] = (),
    more: tuple[int, ...] = (),
    increment_s: int = 5,
) -> TableChanged:
    """The same at a table with clocks; mine runs."""
    clocks = tuple(
        SeatClock(seat, True, seat == ME, left_s, is_up=seat in ups, shows_more=seat in more,
                  increment_s=increment_s)
        for seat, left_s in ((ME, mine_s), (GRACE, 4.0))
    )  # fmt: skip
    return replace(news, clocks=clocks)


def at_start(mine_s: float = 90.0, *, ups: tuple[int, ...] = ()) -> TableChanged:
    """A game that has just begun, of persons."""
    news = PracticePort(players=2).begin().news()
    news = replace(news, seats=tuple(replace(each, is_bot=False) for each in news.seats))
    return timed(news, mine_s, ups=ups)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [80, 100, 120])
@pytest.mark.parametrize(
    ("mine_s", "key", "style"),
    [(31.0, "", MUTED), (30.0, "low_30", HURRY), (10.0, "low_10", BAD)],
)
def test_little_time_is_seen_by_a_word_and_by_a_colour(
    code: str, width: int, mine_s: float, key: str, style: str
) -> None:
    words, news = load(code), at_start(mine_s)
    (title,) = draw_table(Scene(view_model(words, news), (), "", width, 30)).title
    (mine,) = [span for span in title if span.text.startswith("ada ")]
    assert mine.style == style
    word = f" {words(f'clock.{key}')}" if key else ""
    assert mine.text.startswith(f"ada 0:{mine_s:02.0f}{word}  ")
    (grace,) = [span for span in title if span.text.startswith("grace")]
    assert grace.text.startswith("grace 0:04  ") and grace.style == MUTED, "not my concern"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_a_seat_whose_time_is_used_up_is_marked_for_all(code: str) -> None:
    words, news = load(code), at_start(ups=(GRACE,))
    frame = draw_table(Scene(view_model(words, news), (), "", 80, 24))
    assert f"grace 0:04 {words('clock.up')}" in to_text(frame.title)


@ui
async def test_on_the_screen_it_is_said_once_and_not_for_each_choice(clock: Clock) -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        news = port_of(app).news()
        app.publish(timed(news, ups=(GRACE,)))
        await shown(pilot, "grace's time is used up")
        app.clear_notifications()
        app.publish(timed(news, 80.0, ups=(GRACE,)))
        await settled(pilot)
        assert "is used up" not in whole_text(app)


@pytest.mark.parametrize("increment_s", [0, 5])
def test_what_follows_is_said_of_me_and_of_others(increment_s: int) -> None:
    heard, news = TimeHeard(), PracticePort().begin().news()
    mine, other = heard.hear(load("en"), timed(news, ups=(ME, GRACE), increment_s=increment_s))
    assert mine.startswith("Your time is used up") and ("5 s" in mine) == bool(increment_s)
    assert other.startswith("grace's time is used up: ") and ("5 s" in other) == bool(increment_s)


def test_a_clock_that_shows_more_than_was_counted_is_named_once() -> None:
    heard, news, words = TimeHeard(), PracticePort().begin().news(), load("en")
    (line,) = heard.hear(words, timed(news, more=(GRACE,)))
    assert line == "grace's clock shows more time than was counted here."
    assert not heard.hear(words, timed(news))
    assert not heard.hear(words, timed(news, more=(GRACE,)))


def test_lines_of_text_warn_at_each_time_once() -> None:
    presenter, news = PlainPresenter(load("en"), is_automatic=False), PracticePort().begin().news()
    presenter.receive(timed(news))
    assert presenter.receive(timed(news, 30.0)) == ["Little time: you have 0:30 left."]
    assert presenter.receive(timed(news, 29.0)) == []
    assert presenter.receive(timed(news, 10.0)) == ["Little time: you have 0:10 left."]
    assert presenter.receive(timed(news, 30.0)) == [], "an increment is no news"
    (line,) = presenter.receive(timed(news, 0.0, ups=(ME,)))
    assert line.startswith("Your time is used up")


# ---- what a bot chose ----


def hastened(code: str = "en") -> tuple[TableChanged, list[str]]:
    """A bot has chosen twice for a person without time; and how the story tells that."""
    news = at_start(ups=(GRACE,))
    gone = frozenset((line.entry, GRACE) for line in CHOSEN)
    news = replace(news, lines=(*news.lines, *CHOSEN), hastened=gone)
    return news, plain_sentences(told(view_model(load(code), news), CHOSEN))


def test_the_log_says_once_that_time_is_used_up_and_marks_what_a_bot_chose() -> None:
    _, (line, first, second) = hastened()
    assert line.startswith("grace's time is used up: a bot chooses whenever")
    assert first.startswith("grace (bot) plays ") and second.startswith("grace (bot) plays ")


def test_lines_of_text_do_not_say_it_twice() -> None:
    presenter = PlainPresenter(load("en"), is_automatic=False)
    presenter.receive(replace(hastened()[0], lines=hastened()[0].lines[:-2], hastened=frozenset()))
    said = presenter.receive(hastened()[0])
    assert not any("used up" in line for line in said), "it was said when it was so"
    assert sum("(bot)" in line for line in said) == 2


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_result_says_for_whom_bots_chose_and_how_often(code: str) -> None:
    port = PracticePort(players=2, seed=3).begin().play(100_000)
    news = replace(port.news(), hastened=frozenset({(20, GRACE), (22, GRACE)}))
    line = load(code)("clock.chosen_many", name=news.seats[GRACE].name, number=2)
    model = view_model(load(code), news)
    assert line in end_lines(model)
    flat = "".join(to_text(draw_result(model, 100)).translate({ord("│"): None}).split())
    assert "".join(line.split()) in flat
