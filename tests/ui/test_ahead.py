"""Taking back: what nobody has heard of yet, on the screen and in lines of text."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from core.games import GAMES, find_game
from core.requests import Over
from p2p.session.news import Choose, TableChanged
from tests.ui.driving import an_app, at_table, is_playing, my_chosen, port_of, settled, shown
from tests.ui.fakes import PracticePort, ui
from ui.ahead import Ahead, imagine
from ui.settings import Settings
from ui.teller import Teller
from ui.text import load

KEEPING = Settings(is_automatic=False)
GAMES_TRIED = 6


def shape(news: TableChanged) -> object:
    """What a person sees of a picture."""
    return news.entry, news.view, news.lines


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_imagined_is_what_the_log_then_says(game: str, seed: int) -> None:
    """In random games: wherever a choice can be held, the table comes to look the same."""
    held = 0
    for number in range(GAMES_TRIED):
        luck = random.Random(f"{seed} {game} {number}")
        port = PracticePort(seed=seed + number, players=3, game=find_game(game)).begin()
        for _ in range(60):
            if isinstance(port.request, Over):
                break
            news = port.news()
            action = luck.choice(news.view.offers).action
            imagined = imagine(news, action)
            port.answer(action)
            if imagined is not None:
                held += 1
                assert shape(imagined) == shape(port.news())
    assert held, "some choices of every game are followed by another one of the same seat"


@ui
async def test_a_choice_is_taken_back_before_anybody_hears_of_it() -> None:
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.picture is not None
        before = screen.picture.news
        await pilot.press("1", "enter")
        await shown(pilot, "takes it back")
        assert not my_chosen(port_of(app)) and screen.picture.news.entry > before.entry
        await pilot.press("backspace")
        await settled(pilot)
        assert shape(screen.picture.news) == shape(before)
        assert not my_chosen(port_of(app))


@ui
async def test_what_was_held_is_sent_in_order_when_others_take_part() -> None:
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.picture is not None
        entry = screen.picture.news.entry
        await pilot.press("1", "enter")
        await settled(pilot)
        assert not my_chosen(port_of(app))
        await pilot.press("e", "enter")
        await settled(pilot)
        verbs = [choice.action.verb for choice in my_chosen(port_of(app))]
        assert verbs[:2] == ["play", "end"], verbs
        assert my_chosen(port_of(app))[0].entry == entry
        await pilot.press("backspace")
        assert len(my_chosen(port_of(app))) == len(verbs), "that is sent, and nobody can unsay it"


@ui
async def test_news_of_the_table_do_not_undo_what_is_held() -> None:
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("1", "enter")
        await settled(pilot)
        assert screen.picture is not None
        held = screen.picture.news.entry
        news = port_of(app).news()
        seats = (news.seats[0], replace(news.seats[1], link="away"), *news.seats[2:])
        app.publish(replace(news, seats=seats))
        await settled(pilot)
        assert screen.picture.news.entry == held
        assert screen.picture.news.seats[1].link == "away"


def test_where_the_log_goes_another_way_nothing_more_is_sent() -> None:
    port, ahead = PracticePort(seed=3).begin(), Ahead()
    news = port.news()
    following = ahead.choose(news, news.view.offers[0].action)
    assert following is not None
    last = Choose(following.view.offers[0].action, following.entry)
    assert ahead.send(last) == Choose(news.view.offers[0].action, news.entry)
    assert ahead.due(news) is None
    other = replace(following, entry=following.entry + 1)
    assert ahead.due(other) is None and ahead.due(following) is None
    assert ahead.seen(other) is other and ahead.is_void


def test_what_waits_is_not_dropped_while_the_log_does_not_ask_yet() -> None:
    """The last of several choices was dropped there, and its question never put again."""
    port, ahead = PracticePort(seed=3).begin(), Ahead()
    news = port.news()
    following = ahead.choose(news, news.view.offers[0].action)
    assert following is not None
    last = Choose(following.view.offers[0].action, following.entry)
    ahead.send(last)
    silent = replace(following, view=replace(following.view, offers=()))
    assert ahead.due(silent) is None and not ahead.is_void
    assert ahead.due(following) == last


def test_a_choice_with_others_in_it_is_sent_at_once() -> None:
    port = PracticePort(seed=3).begin()
    news = port.news()
    together = replace(news, view=replace(news.view, to_act=(0, 1)))
    assert imagine(together, news.view.offers[0].action) is None
    assert imagine(replace(news, turn=None), news.view.offers[0].action) is None


@pytest.mark.parametrize(
    ("language", "done"), [("en", "Taken back"), ("ko", "되돌렸"), ("ja", "取り消し")]
)
def test_lines_of_text_take_back(language: str, done: str) -> None:
    port = PracticePort(seed=3).begin()
    teller = Teller(load(language), is_automatic=False, takes_back=True)
    teller.receive(port.news())
    first = teller.read("1")
    assert first.command is None and "back" in first.lines[-1]
    back = teller.read("back")
    assert done in back.lines[0] and teller.wants_answer
    assert teller.read("back").command is None
    teller.read("1")
    assert teller.newest is not None
    end = next(offer for offer in teller.newest.view.offers if offer.action.verb == "end")
    sent = teller.read(end.text).command
    assert isinstance(sent, Choose) and sent.action.verb == "play"
    port.answer(sent.action)
    assert teller.receive(port.news()) == []
    assert teller.own_answer() == ([], Choose(end.action, port.entry))
