"""Strangers at a table: words to compare are shown until a person says that they are the same."""

from __future__ import annotations

from dataclasses import replace

from p2p.session.commands import Compared
from p2p.session.news import Fairness, TableChanged
from tests.ui.driving import an_app, at_table, is_playing, port_of, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.draw.fairness import draw_fairness
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.terminal.spans import row_width, to_text

WORDS = "gesture fashion develop dragon"


def among_strangers() -> TableChanged:
    """A table with somebody nobody here has compared words with."""
    news = PracticePort(seed=3).begin().news()
    return replace(news, pairing=WORDS, strangers=("grace",))


def test_lines_of_text_show_the_words_once_and_take_same_for_an_answer() -> None:
    presenter, news = PlainPresenter(load("en")), among_strangers()
    lines = presenter.receive(news)
    assert sum(WORDS in line and "grace" in line for line in lines) == 1
    assert not any(WORDS in line for line in presenter.receive(news))
    assert presenter.read("same").command == Compared()


def test_among_acquaintances_no_words_are_shown_unless_asked_for() -> None:
    presenter = PlainPresenter(load("en"))
    lines = presenter.receive(replace(among_strangers(), strangers=()))
    assert not any(WORDS in line for line in lines)
    assert any(WORDS in line for line in presenter.read("fair").lines)


@ui
async def test_the_fairness_line_calls_and_enter_on_its_page_says_the_same() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        news = port_of(app).news()
        app.publish(replace(news, pairing=WORDS, strangers=("grace",)))
        await pilot.pause()
        assert "compare words" in whole_text(app)
        await pilot.press("f")
        assert WORDS in whole_text(app)
        await pilot.press("enter")
        assert port_of(app).sent[-1] == Compared()


def test_the_page_of_fairness_has_a_sign_for_each_proof_and_a_row_for_each_seat() -> None:
    news = replace(among_strangers(), fairness=Fairness(shuffles=3, shares=2, entries=9))
    for code in LANGUAGE_NAMES:
        model = view_model(load(code), news)
        for width in (56, 76, 110):
            rows = draw_fairness(model, width)
            assert max(map(row_width, rows)) == width
            text = to_text(rows)
            assert text.count("✓ ") == 3 and WORDS in " ".join(text.split())
            assert all(seat.words in text for seat in news.seats)


def test_what_is_still_checked_has_no_sign_that_it_was() -> None:
    fairness = Fairness(shuffles=3, pending=2)
    model = view_model(load("en"), replace(among_strangers(), fairness=fairness))
    line = next(line for line in to_text(draw_fairness(model, 110)).splitlines() if "2 p" in line)
    assert "✓" not in line and "· 2" in line
