"""Taking back: what nobody has heard of yet, on the screen and in lines of text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.games import GAMES, find_game
from core.requests import Action, Over
from p2p.game.equivalents import all_equivalents
from p2p.session.commands import Choose
from p2p.session.news import Away, AwayNext, Notice, TableChanged
from tests.core.games.dominion.stage import Stage
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
from tests.ui.exploring import a_port
from tests.ui.fakes import PracticePort, ui
from tests.ui.shopping import laid_out
from tests.ui.test_key_line import last_line
from ui.choices.pending_choices import PendingChoices, imagine
from ui.games import look_of
from ui.language.text import load
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.settings import Settings

KEEPING = Settings(is_automatic=False)
GAMES_TRIED = 6
EQUALS_TRIED = 12


def shape(news: TableChanged) -> object:
    """What a person sees of a picture."""
    return news.event_count, news.view, news.lines


def choices_of(
    game: str, seed: int, games: int
) -> Iterator[tuple[PracticePort, TableChanged, Action, random.Random]]:
    """Choices by dice in so many games; whoever is given one answers it."""
    for number in range(games):
        luck = random.Random(f"{seed} {game} {number}")
        port = PracticePort(seed=seed + number, players=3, game=find_game(game)).begin()
        for _ in range(60):
            if isinstance(port.request, Over):
                break
            news = port.news()
            yield port, news, luck.choice(news.view.offers).action, luck


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_imagined_is_what_the_log_then_says(game: str, seed: int) -> None:
    """In random games: wherever a choice can be held, the table comes to look the same."""
    held = 0
    for port, news, action, _ in choices_of(game, seed, GAMES_TRIED):
        imagined = imagine(news, action)
        port.answer(action)
        if imagined is not None:
            held += 1
            assert shape(imagined) == shape(port.news())
    assert held, "some choices of every game are followed by another one of the same seat"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_letter_that_takes_back_picks_nothing_in_any_game(game: str, seed: int) -> None:
    port = PracticePort(seed=seed, players=3, game=find_game(game)).begin()
    for _ in range(200):
        picks = view_model(load("en"), port.news()).picks
        assert not [pick.label for pick in picks if pick.label.startswith("u")]
        if isinstance(port.request, Over):
            break
        port.play(1)


@pytest.mark.parametrize("key", ["u", "backspace"])
@ui
async def test_a_choice_is_taken_back_before_anybody_hears_of_it(key: str) -> None:
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        before = screen.model.news
        await pilot.press("1", "enter")
        await shown(pilot, "u takes it back")
        assert not my_chosen(port_of(app)) and screen.model.news.event_count > before.event_count
        await pilot.press(key)
        await settled(pilot)
        assert shape(screen.model.news) == shape(before)
        assert not my_chosen(port_of(app))


@ui
async def test_where_the_bar_is_full_the_line_of_keys_says_how_to_take_back() -> None:
    """At 100x30 nothing said it: what was asked next left no room in the bar."""
    stage = Stage("festival village copper", "", decks=["copper*5", "copper*5"])
    app = an_app(laid_out(stage, 2), settings=KEEPING)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at_table(pilot)
        assert "Take back" not in last_line(app) and screen.model is not None
        await pilot.press(screen.model.picks[0].label, "enter")
        await settled(pilot)
        assert screen.pending.is_open and "takes it back" not in text_of(app, "prompt")
        assert "u Take back" in last_line(app)
        await pilot.press("u")
        await settled(pilot)
        assert not screen.pending.is_open and "Take back" not in last_line(app)


@ui
async def test_a_choice_is_taken_back_by_a_click_where_that_is_said() -> None:
    """No click did it: all of the bar confirmed, and *u takes it back* is a part of the bar."""
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        before = screen.model.news
        await pilot.press("1", "enter")
        await shown(pilot, "u takes it back")
        bar = app.screen.query_one("#prompt")
        await pilot.click("#prompt", offset=(bar.size.width - 6, 0))
        await settled(pilot)
        assert shape(screen.model.news) == shape(before)


@ui
async def test_what_is_picked_is_let_go_by_a_click_where_that_is_said() -> None:
    """The click on *esc cancels* confirmed, as all of the bar did."""
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        before = screen.model.news
        await pilot.press("1")
        line = next(each for each in whole_text(app).splitlines() if "esc cancels" in each)
        await pilot.click("#prompt", offset=(line.index("esc cancels") + 2, 0))
        await settled(pilot)
        assert not screen.labels and shape(screen.model.news) == shape(before)
        assert "YOUR TURN" in whole_text(app)


@ui
async def test_what_was_held_is_sent_in_order_when_others_take_part() -> None:
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        assert screen.model is not None
        entry = screen.model.news.event_count
        await pilot.press("1", "enter")
        await settled(pilot)
        assert not my_chosen(port_of(app))
        await pilot.press("e", "enter")
        await settled(pilot)
        verbs = [choice.action.verb for choice in my_chosen(port_of(app))]
        assert verbs[:2] == ["play", "end"], verbs
        assert my_chosen(port_of(app))[0].event_count == entry
        await pilot.press("backspace")
        assert len(my_chosen(port_of(app))) == len(verbs), "that is sent, and nobody can unsay it"


@ui
async def test_news_of_the_table_do_not_undo_what_is_held() -> None:
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("1", "enter")
        await settled(pilot)
        assert screen.model is not None
        held = screen.model.news.event_count
        news = port_of(app).news()
        seats = (news.seats[0], replace(news.seats[1], link="away"), *news.seats[2:])
        app.publish(replace(news, seats=seats))
        await settled(pilot)
        assert screen.model.news.event_count == held
        assert screen.model.news.seats[1].link == "away"


def two_choices(port: PracticePort) -> tuple[PendingChoices, TableChanged, TableChanged, Choose]:
    """After two choices, sent together: the table before each, and the second."""
    pending, news = PendingChoices(), port.news()
    pending.hear(news)
    following = pending.hold(news, news.view.offers[0].action)
    assert following is not None
    last = Choose(following.view.offers[0].action, following.event_count)
    sent, shown = pending.send(following, last.action)
    assert sent == Choose(news.view.offers[0].action, news.event_count) and not shown.view.offers
    return pending, news, following, last


@pytest.mark.parametrize("game", ["carta", "dominion"])
def test_of_equal_cards_the_log_may_name_another_and_what_waits_is_still_sent(
    game: str, seed: int
) -> None:
    """A machine names any of them, by lot: of two equal discards the second was asked again."""
    tried = 0
    for port, news, action, luck in choices_of(game, seed, EQUALS_TRIED):
        named = others_equal(port, action)
        following = imagine(news, action) if named else None
        if following is None:
            port.answer(action)
            continue
        pending, last = PendingChoices(), luck.choice(following.view.offers)
        pending.hear(news)
        pending.hold(news, action)
        pending.send(following, last.action)
        port.answer(luck.choice(named))
        tried += 1
        sent, shown = pending.hear(port.news())
        assert sent is not None and not shown.view.offers
        texts = {offer.action: offer.text for offer in port.news().view.offers}
        assert texts[sent.action] == last.text and sent.event_count == port.entry
        assert sent.action == last.action or last.action not in texts, "others may know one of two"
        port.answer(sent.action)
    assert tried, "the game has such choices, and none was found"


def others_equal(port: PracticePort, action: Action) -> list[Action]:
    """What the log may say in place of this action, when I have chosen it."""
    observation = port.observation(port.me)
    equal = all_equivalents(port.game, port.table, observation, action)
    return [each for each in equal if each != action]


def silent(news: TableChanged) -> TableChanged:
    return replace(news, view=replace(news.view, offers=()))


def test_where_the_log_goes_another_way_nothing_more_is_sent_and_all_is_asked_again() -> None:
    pending, news, following, _ = two_choices(PracticePort(seed=3).begin())
    assert pending.hear(news)[0] is None
    other = replace(following, event_count=following.event_count + 1)
    assert pending.hear(other) == (None, other)
    assert pending.hear(other) == (None, other)


def test_what_waits_is_not_dropped_while_the_log_does_not_ask_yet() -> None:
    """The last of several choices was dropped there, and its question never put again."""
    pending, _, following, last = two_choices(PracticePort(seed=3).begin())
    assert pending.hear(silent(following)) == (None, silent(following))
    assert pending.hear(following) == (last, silent(following))
    assert pending.hear(following) == (None, silent(following)), "once; it is on its way"


def test_what_is_held_stays_while_the_log_asks_nobody_for_a_moment() -> None:
    """So it is when an owner comes back: its key comes first.  The choice was undone."""
    pending, news = PendingChoices(), PracticePort(seed=3).begin().news()
    pending.hear(news)
    following = pending.hold(news, news.view.offers[0].action)
    assert following is not None
    assert pending.hear(silent(news)) == (None, silent(following))
    assert pending.is_open and pending.hear(news) == (None, following)
    assert pending.take_back() == news


def test_whoever_was_away_is_said_to_be_back_also_where_a_choice_was_undone() -> None:
    port = PracticePort(seed=3).begin()
    presenter, news = PlainPresenter(load("en"), is_automatic=False), port.news()
    for each in (news, replace(news, away=(Away(1, "grace", AwayNext.PLAYED),))):
        presenter.receive(each)
    presenter.newest = imagine(news, news.view.offers[0].action)
    fewer = replace(news, lines=news.lines[:-1])
    assert presenter.receive(fewer)[0] == "grace is back."


def test_what_the_node_could_not_take_is_asked_again_as_the_log_has_it() -> None:
    """What was imagined was asked again, and the answer was for a question to come."""
    pending, news, following, _ = two_choices(PracticePort(seed=3).begin())
    pending.hear(news)
    assert pending.ask_again() == news
    assert pending.hear(following) == (None, following)


def test_what_the_log_has_taken_back_is_asked_again() -> None:
    port = PracticePort(seed=3).begin()
    pending, news = PendingChoices(), port.news()
    pending.hear(news)
    pending.send(news, news.view.offers[0].action)
    assert pending.hear(news) == (None, silent(news))
    assert pending.hear(silent(replace(news, event_count=news.event_count + 1)))[0] is None
    assert pending.hear(news) == (None, news), "a cheater had parted the logs"


def test_another_game_begins_with_nothing_answered() -> None:
    pending, _, following, _ = two_choices(PracticePort(seed=3).begin())
    other = replace(following, path=Path("another"))
    assert pending.hear(other) == (None, other)


@ui
async def test_only_what_was_not_taken_is_asked_again() -> None:
    """Any word to the person took back what was held."""
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("1", "enter")
        await settled(pilot)
        assert screen.model is not None
        held = screen.model.news.event_count
        app.publish(Notice("somebody was turned away"))
        await settled(pilot)
        assert screen.model.news.event_count == held
        app.publish(Notice("the table is busy", asks_again=True))
        await settled(pilot)
        assert screen.model.news.event_count < held and screen.model.is_my_turn


@ui
@pytest.mark.parametrize("made", [(), ("1", "enter")])
async def test_who_leaves_with_choices_that_were_not_sent_reads_that_they_are_not_kept(
    made: tuple[str, ...],
) -> None:
    """A battle stood two choices earlier after q and enter, without a word."""
    app = an_app(settings=KEEPING)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press(*made)
        await settled(pilot)
        await pilot.press("q")
        await shown(pilot, "Tables on this network")
        await settled(pilot)
        assert ("Choices that were not" in whole_text(app)) is bool(made)


def test_in_lines_of_text_that_is_said_before_the_goodbye() -> None:
    port = PracticePort(seed=3).begin()
    port.play_until(is_playing)
    presenter = PlainPresenter(load("en"), is_automatic=False, takes_back=True)
    presenter.receive(port.news())
    words, goodbye = load("en"), load("en")("plain.goodbye")
    assert presenter.read("quit").lines == (goodbye,)
    presenter.read("1")
    assert presenter.read("quit").lines == (words("back.not_kept"), goodbye)


def test_what_is_forced_is_held_behind_a_choice_of_mine_alone(seed: int) -> None:
    """By itself it was held, too: at the end of a battle the others saw it go on for a minute."""
    luck, port = random.Random(seed), PracticePort(seed=seed, players=3).begin()
    while True:
        news = port.news()
        action = luck.choice(news.view.offers).action
        following = imagine(news, action)
        if following is not None:
            forced = luck.choice(following.view.offers).action
            if imagine(following, forced) is not None:
                break
        port.answer(action)
    assert PendingChoices().hold(following, forced, is_forced=True) is None
    pending = PendingChoices()
    assert pending.hold(news, action) is not None
    assert pending.hold(following, forced, is_forced=True) is not None
    assert pending.take_back() == news


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
    presenter = PlainPresenter(load(language), is_automatic=False, takes_back=True)
    presenter.receive(port.news())
    first = presenter.read("1")
    assert first.command is None and "back" in first.lines[-1]
    back = presenter.read("back")
    assert done in back.lines[0] and presenter.wants_answer
    assert presenter.read("back").command is None
    presenter.read("1")
    assert presenter.newest is not None
    end = next(offer for offer in presenter.newest.view.offers if offer.action.verb == "end")
    sent = presenter.read(end.text).command
    assert isinstance(sent, Choose) and sent.action.verb == "play"
    port.answer(sent.action)
    assert presenter.receive(port.news()) == []
    assert presenter.own_answer() == ([], Choose(end.action, port.entry))


def two_typed() -> tuple[PracticePort, PlainPresenter, Action]:
    """Two choices are typed, sent together, and the log has the first; and the second."""
    port = PracticePort(seed=3).begin()
    presenter = PlainPresenter(load("en"), is_automatic=False, takes_back=True)
    presenter.receive(port.news())
    presenter.read("1")
    assert presenter.newest is not None
    end = next(offer for offer in presenter.newest.view.offers if offer.action.verb == "end")
    sent = presenter.read(end.text).command
    assert isinstance(sent, Choose)
    port.answer(sent.action)
    return port, presenter, end.action


def test_what_is_due_is_sent_when_the_table_is_told_of_twice_before() -> None:
    """Somebody linked in between; the choice was lost, and the table waited for it for ever."""
    port, presenter, end = two_typed()
    for _ in range(3):
        assert presenter.receive(port.news()) == []
    assert presenter.own_answer() == ([], Choose(end, port.entry))
    assert presenter.own_answer() is None, "once"


def test_what_was_due_is_not_sent_to_a_table_that_has_gone_on() -> None:
    port, presenter, end = two_typed()
    presenter.receive(port.news())
    gone = Choose(end, port.entry)
    port.answer(end)
    presenter.receive(port.news())
    own = presenter.own_answer()
    assert own is None or own[1] != gone


def test_in_lines_of_text_nobody_waits_for_what_was_forced() -> None:
    """The only unit that one had was played by itself, and held until one typed the next choice."""

    def is_forced(news: TableChanged) -> bool:
        offer = look_of(news.view.game).reflex(news.view) if news.view.offers else None
        return offer is not None and imagine(news, offer.action) is not None

    port = a_port(seed=3, turns=30).play_until(is_forced)
    presenter = PlainPresenter(load("en"), is_automatic=True, takes_back=True)
    presenter.receive(port.news())
    answer = presenter.own_answer()
    assert is_forced(port.news()) and answer is not None
    lines, command = answer
    assert isinstance(command, Choose) and len(lines) == 1
    assert presenter.own_answer() is None, "it was given, and the log has not shown it yet"
