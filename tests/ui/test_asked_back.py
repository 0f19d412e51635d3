"""Taking back what others have heard: the table is asked, at a screen and in lines of text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from p2p.session.commands import AgreeBack
from p2p.session.news import AskedBack, TableChanged, WhyNotBack
from tests.ui.driving import an_app, at_table, is_playing, port_of, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_plain import a_presenter
from ui.choices.asked_back import ask, question
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.sentences import line_sentence
from ui.model.story import is_of_own_hand
from ui.model.talk import listeners
from ui.screens.pages import AskedBackPage


def asked_of_me(news: TableChanged, height: int = 40) -> TableChanged:
    """Seat 1 asks to take back the first thing that it did; my word is missing."""
    events = next(line.entry for line in news.lines if line.seat == 1)
    asked = AskedBack(1, "grace", height, events, (news.view.seat or 0,))
    return replace(news, asked_back=asked)


async def at_my_table(pilot: Pilot[Any]) -> TableChanged:
    """Where I have something to choose."""
    screen = await at_table(pilot, is_playing)
    assert screen.newest is not None
    return screen.newest


@ui
async def test_where_others_have_heard_of_it_taking_back_asks_the_table() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        seen = await at_my_table(pilot)
        app.publish(replace(seen, may_ask_back=AgreeBack(40, 12)))
        await pilot.pause()
        await pilot.press("u")
        await pilot.pause()
        assert port_of(app).sent[-1] == AgreeBack(40, 12)
        mine = AskedBack(0, "ada", 40, 12, (1,))
        app.publish(replace(seen, asked_back=mine, may_ask_back=None))
        await pilot.pause()
        assert "you asked to go back: waiting for grace" in whole_text(app)
        count = len(port_of(app).sent)
        await pilot.press("u")
        await pilot.pause()
        assert len(port_of(app).sent) == count, "it is asked once"


@ui
async def test_letting_go_of_what_is_picked_says_that_nothing_was_taken_back() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        seen = await at_my_table(pilot)
        app.publish(replace(seen, may_ask_back=AgreeBack(40, 12)))
        await pilot.pause()
        await pilot.press("1")
        await pilot.press("u")
        await shown(pilot, "Only what was picked")
        assert AgreeBack(40, 12) not in port_of(app).sent
        await pilot.press("u")
        await pilot.pause()
        assert port_of(app).sent[-1] == AgreeBack(40, 12)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("why", WhyNotBack)
def test_why_nothing_can_be_taken_back_is_said(code: str, why: WhyNotBack) -> None:
    """`Nothing can be taken back now` left open whether to wait or to give up."""
    words, news = load(code), PracticePort(seed=5).begin().play(12).news()
    others = {ask(words, replace(news, why_not_back=each))[0] for each in WhyNotBack if each != why}
    sentence, command = ask(words, replace(news, why_not_back=why))
    assert command is None and sentence == words(f"back.{why}") and sentence not in others


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_has_agreed_reads_that_the_table_is_still_asked(code: str) -> None:
    """It read what is said after a refusal, while the third was thinking about it."""
    words, news = load(code), PracticePort(seed=5).begin().play(12).news()
    waiting = replace(news, asked_back=AskedBack(1, "grace", 40, 12, (2,)))
    sentence, command = ask(words, replace(waiting, why_not_back=WhyNotBack.SPOKEN))
    assert command is None and sentence == words("back.already")
    assert words("back.already") != words("back.spoken")


@pytest.mark.parametrize(("code", "refusal"), [("en", "does not go back"), ("ja", "戻らない"),
                                               ("ko", "되돌리지 않기로")])  # fmt: skip
def test_after_a_refusal_it_is_not_said_that_one_asked_oneself(code: str, refusal: str) -> None:
    """Who had refused read in Japanese and Korean: you have asked already."""
    news = PracticePort(seed=5).begin().play(12).news()
    assert refusal in ask(load(code), replace(news, why_not_back=WhyNotBack.SPOKEN))[0]


@pytest.fixture
def has_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page be read as soon as it comes."""
    monkeypatch.setattr("ui.screens.pages.UNEXPECTED_S", 0.0)


@ui
@pytest.mark.usefixtures("has_been_read")
@pytest.mark.parametrize(("key", "agrees"), [("y", True), ("n", False), ("escape", False)])
async def test_a_person_is_asked_whether_the_table_goes_back(key: str, agrees: bool) -> None:
    app = an_app()
    async with app.run_test() as pilot:
        seen = await at_my_table(pilot)
        news = asked_of_me(seen)
        app.publish(news)
        await pilot.pause()
        assert "grace asks to go back" in whole_text(app)
        await pilot.press(key)
        await pilot.pause()
        assert news.asked_back is not None
        assert port_of(app).sent[-1] == AgreeBack(40, news.asked_back.events, agrees)
        app.publish(news)
        await pilot.pause()
        assert not isinstance(app.screen, AskedBackPage), "each is asked once"


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_is_asked_reads_all_that_would_be_undone(code: str) -> None:
    words, news = load(code), PracticePort(seed=5).begin().play(12).news()
    chosen = [line for line in news.lines if line.kind == "chosen" and line.seat is not None]
    played = next(line for line in reversed(chosen) if line.seat == 1 and line.text != "end")
    asked = AskedBack(1, "grace", 40, played.entry, (0,))
    said = question(words, replace(news, asked_back=asked))
    later = [line for line in chosen if line.entry > played.entry and line.text != "end"]
    assert len(later) > 1
    assert said[0] == line_sentence(words, news.seats, played, "carta")
    assert all(line_sentence(words, news.seats, each, "carta") in said[1] for each in later)
    assert said[0] not in said[1]
    ended = next(line for line in reversed(chosen) if line.seat == 1 and line.text == "end")
    said = question(words, replace(news, asked_back=AskedBack(1, "grace", 40, ended.entry, (0,))))
    assert said[0] == line_sentence(words, news.seats, ended, "carta"), "also what no row is for"


@ui
async def test_the_question_goes_when_nobody_asks_any_more_and_comes_with_the_next() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        seen = await at_my_table(pilot)
        app.publish(asked_of_me(seen))
        await pilot.pause()
        assert isinstance(app.screen, AskedBackPage)
        app.publish(replace(seen, asked_back=None))
        await pilot.pause()
        assert not isinstance(app.screen, AskedBackPage)
        app.publish(asked_of_me(seen, 41))
        await pilot.pause()
        assert isinstance(app.screen, AskedBackPage)
        app.publish(replace(seen, asked_back=None))
        await pilot.pause()
        app.publish(replace(asked_of_me(seen, 41), path=Path("another.hostless")))
        await pilot.pause()
        assert isinstance(app.screen, AskedBackPage), "it is another table"


@ui
async def test_a_key_that_was_meant_for_the_table_agrees_to_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ui.screens.pages.UNEXPECTED_S", 1000.0)
    app = an_app()
    async with app.run_test() as pilot:
        seen = await at_my_table(pilot)
        app.publish(asked_of_me(seen))
        await pilot.pause()
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(app.screen, AskedBackPage)
        assert not any(isinstance(each, AgreeBack) for each in port_of(app).sent)


@ui
async def test_whoever_is_muted_does_not_ask_me() -> None:
    app = an_app()
    async with app.run_test() as pilot:
        seen = await at_my_table(pilot)
        news = asked_of_me(seen)
        assert news.asked_back is not None
        app.talk.turn(next(each for each in listeners(news) if each.seat == 1))
        app.publish(news)
        await pilot.pause()
        assert not isinstance(app.screen, AskedBackPage)
        assert port_of(app).sent[-1] == AgreeBack(40, news.asked_back.events, False)


def test_in_lines_of_text_yes_or_no_answers_whoever_asks() -> None:
    for typed, agrees in (("yes", True), ("no", False)):
        presenter = a_presenter()
        news = asked_of_me(PracticePort(seed=5).begin().play(12).news())
        lines = presenter.receive(news)
        assert any("grace asks to go back" in line for line in lines)
        assert news.asked_back is not None
        assert not any("asks to go back" in line for line in presenter.receive(news)), "asked once"
        assert presenter.read(typed).command == AgreeBack(40, news.asked_back.events, agrees)
        presenter.receive(replace(news, asked_back=None))
        assert presenter.read(typed).command is None, "nobody asks any more"


def test_in_lines_of_text_back_asks_the_table() -> None:
    presenter = a_presenter()
    news = PracticePort(seed=5).begin().play(12).news()
    presenter.receive(news)
    assert presenter.read("back").command is None
    presenter.receive(replace(news, may_ask_back=AgreeBack(40, 7)))
    assert presenter.read("back").command == AgreeBack(40, 7)


def test_after_going_back_the_story_is_not_told_from_its_beginning() -> None:
    presenter = a_presenter()
    practice = PracticePort(seed=5).begin()
    told = presenter.receive(practice.news())
    news = practice.play(12).news()
    told += presenter.receive(news)
    earlier = replace(news, lines=news.lines[:-3], event_count=news.event_count - 3)
    again = presenter.receive(earlier)
    assert len(told) > sum(not is_of_own_hand(line) for line in news.lines) - 3
    assert not any(line in again for line in told[:3] if line)


@pytest.mark.parametrize(("players", "said"), [(2, "Taken back."), (3, "the table is asked")])
def test_bots_are_not_asked(players: int, said: str) -> None:
    news = PracticePort(seed=5, players=players).begin().play(12).news()
    sentence, command = ask(load("en"), replace(news, may_ask_back=AgreeBack(40, 7)))
    assert said in sentence
    assert command == AgreeBack(40, 7)
