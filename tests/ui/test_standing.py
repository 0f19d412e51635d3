"""Answers given for good, and choices that nobody has to wait for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.games import find_game
from core.requests import Choice
from p2p.session.commands import Choose, Leave
from p2p.session.news import TableChanged
from tests.ui.driving import an_app, at_table, my_chosen, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.shopping import ALL_CARDS, market
from ui.choices.pending_choices import PendingChoices
from ui.choices.standing import StandingAnswers, may_stand
from ui.language.text import load
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.screens import answering
from ui.settings import Settings

ASKED = Settings(is_automatic=False, takes_back=False)


def is_attacked(news: TableChanged) -> bool:
    """Somebody else attacks, and I hold a Moat."""
    return news.view.phase == "react" and len(news.view.offers) == 2


@ui
async def test_an_answer_for_good_is_given_to_the_next_question_of_its_kind_and_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, "AUTOMATIC_ANSWER_S", 0.01)
    app = an_app(market(kingdom=ALL_CARDS), ASKED)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await at_table(pilot, is_attacked)
        port = port_of(app)
        assert "= gives an answer for good" in whole_text(app)
        await pilot.press("equals_sign")
        await settled(pilot)
        assert my_chosen(port)[-1].action.verb == "pass"
        assert "for good: " in whole_text(app) and "- asks again" in whole_text(app)
        given = len(my_chosen(port))
        port.play_until(is_attacked)
        app.publish(port.news())
        for _ in range(500):
            await pilot.pause(0.01)
            if len(my_chosen(port)) > given:
                break
        assert my_chosen(port)[given].action.verb == "pass", "without a key"
        await pilot.press("minus")
        await shown(pilot, "You are asked again")
        assert "for good: " not in whole_text(app)


@ui
async def test_who_leaves_is_told_that_answers_for_good_are_not_kept() -> None:
    """They were gone without a word when one came back."""
    app = an_app(market(kingdom=ALL_CARDS), ASKED)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await at_table(pilot, is_attacked)
        await pilot.press("equals_sign")
        await settled(pilot)
        await pilot.press("q")
        await shown(pilot, "hold until you leave the table")
        assert port_of(app).sent[-1] == Leave()


@ui
async def test_in_my_own_turn_nothing_is_answered_for_good() -> None:
    app = an_app(settings=ASKED)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("equals_sign")
        await shown(pilot, "Only a question in")
        assert not my_chosen(port_of(app))


def test_an_answer_that_is_not_on_offer_or_of_another_question_is_not_given() -> None:
    news = market(kingdom=ALL_CARDS).play_until(is_attacked).news()
    standing, model = StandingAnswers(), view_model(load("en"), news)
    assert may_stand(news) and standing.keep(model, news.view.offers[0].text)
    assert standing.due(news.view) == news.view.offers[0]
    assert standing.due(replace(news.view, offers=news.view.offers[1:])) is None
    assert standing.due(replace(news.view, phase="buy")) is None
    standing.forget()
    assert standing.due(news.view) is None


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_lines_of_text_answer_for_good(language: str) -> None:
    presenter = PlainPresenter(load(language), is_automatic=False)
    port = market(kingdom=ALL_CARDS).play_until(is_attacked)
    presenter.receive(port.news())
    first = presenter.read("always").command
    assert isinstance(first, Choose) and first.action.verb == "pass"
    port.answer(first.action)
    port.play_until(is_attacked)
    presenter.receive(port.news())
    own = presenter.own_answer()
    assert own is not None and own[1] is not None and own[1].action.verb == "pass"
    assert presenter.read("ask me").lines
    port.play_until(is_attacked)
    presenter.receive(port.news())
    assert presenter.own_answer() is None


def test_what_was_forced_is_taken_back_with_what_forced_it() -> None:
    port, pending = PracticePort(seed=3, game=find_game("carta")).begin(), PendingChoices()
    first = port.news()
    second = pending.hold(first, first.view.offers[0].action)
    assert second is not None and isinstance(port.request, Choice)
    third = pending.hold(second, second.view.offers[0].action, is_forced=True)
    assert pending.is_open and (third is None or third.event_count > second.event_count)
    assert pending.take_back() == first
    assert not pending.is_open and pending.take_back() is None
