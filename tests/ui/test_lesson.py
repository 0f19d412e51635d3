"""A first game is explained: every question a beginner meets, in every language, at every size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.game import usual_seats
from core.games import GAMES, find_game
from p2p.session.commands import Resume
from p2p.session.news import TableChanged
from tests.ui.driving import an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games import look_of
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.lesson import (
    ROUNDS_EXPLAINED,
    LessonHeard,
    first_game,
    goal_texts,
    lesson_texts,
    question_keys,
)
from ui.model.story import begins_turn
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.port import Learn
from ui.screens.pages import Page
from ui.screens.table import TableScreen
from ui.terminal.spans import to_text, wrap
from ui.terminal.toasts import LONG_TOAST_S

ROWS_MAX, CELLS = 3, 78  # Above the question, on a terminal of 80 columns.
CHOICES_MAX = 60  # Of each game that is looked at.


def practice(slug: str, seed: int = 3) -> PracticePort:
    game = find_game(slug)
    options = dict(look_of(slug).first)
    return PracticePort(game=game, players=usual_seats(game), seed=seed, options=options).begin()


def is_explained(news: TableChanged) -> bool:
    return (
        max((line.number for line in news.lines if begins_turn(line)), default=0)
        <= ROUNDS_EXPLAINED
    )


@pytest.mark.parametrize("slug", GAMES)
def test_every_question_of_the_first_rounds_is_explained_in_three_languages(slug: str) -> None:
    every = {code: load(code) for code in LANGUAGE_NAMES}
    for seed in range(3):
        port = practice(slug, seed)
        for _ in range(CHOICES_MAX):
            news = port.news()
            if news.view.is_over or not is_explained(news):
                break
            keys = question_keys(view_model(every["en"], news))
            for code, words in every.items():
                assert any(map(words.has, keys)), f"{code} has none of {keys}, seed {seed}"
            port.play(1)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_explanation_fits_above_the_question_on_a_usual_terminal(code: str) -> None:
    sentences = load(code).sentences
    for key in (key for key in sentences if key.startswith("lesson.") and key.count(".") > 1):
        rows = wrap(sentences[key], CELLS)
        assert key.endswith(".goal") or len(rows) <= ROWS_MAX, f"{key} takes {len(rows)} rows"


def test_no_explanation_is_kept_for_a_question_that_no_game_asks() -> None:
    sentences = load("en").sentences
    for key in (key for key in sentences if key.startswith("lesson.") and key.count(".") > 1):
        _, game, what = key.split(".", 2)
        if what.startswith("fact."):
            assert what.removeprefix("fact.") in find_game(game).tells
        else:
            assert what in ("goal", "effects") or f"phase.{game}.{what}" in sentences, key


def test_whoever_has_played_all_treasures_reads_what_to_buy_and_not_that_they_have_bought() -> None:
    port = practice("dominion")
    given = {offer.action.verb: offer.action for offer in port.news().view.offers}
    port.answer(given["treasures"])
    model = view_model(load("en"), port.news())
    assert model.look.ask(model.view) == "phase.dominion.buy only"
    (text,) = lesson_texts(model)
    assert "bought" not in text and "Buy a card" in text and "Silver" in text


@pytest.mark.parametrize("slug", GAMES)
def test_after_some_rounds_the_game_goes_on_as_any_other(slug: str) -> None:
    port = practice(slug)
    while is_explained(port.news()) or not port.news().view.offers:
        port.play(1)
    said = lesson_texts(view_model(load("en"), port.news()))
    assert said in ((load("en")("lesson.end"),), ())
    after = ROUNDS_EXPLAINED + 2
    port.play_until(lambda news: any(
        begins_turn(line) and line.number == after for line in news.lines))  # fmt: skip
    assert lesson_texts(view_model(load("en"), port.news())) == ()


def test_a_game_without_a_commentary_simply_has_none() -> None:
    port = practice("carta")
    model = view_model(load("en"), port.news())
    words = load("en")
    mute = {key: text for key, text in words.sentences.items() if key != "lesson.carta.goal"}
    mute_picture = replace(model, words=type(words)("en", mute))
    assert lesson_texts(model)
    assert lesson_texts(mute_picture) == ()
    assert goal_texts(mute_picture.words, "carta") == []


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36), (200, 50)])
def test_what_is_explained_stands_on_the_table(slug: str, width: int, height: int) -> None:
    model = view_model(load("en"), practice(slug).news())
    lesson = lesson_texts(model)
    frame = draw_table(Scene(model, width=width, height=height, lesson=lesson))
    text = to_text([*frame.board, *frame.side])
    assert "FIRST GAME" in text
    assert lesson[0].split()[-1] in text, "its last word can be read"
    assert len(frame.board) + len(frame.prompt) + len(frame.hand) == height - 2


@ui
async def test_a_newcomer_sees_first_how_to_learn_and_comes_to_a_table_that_is_explained() -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await shown(pilot, "Your first game?")
        await pilot.press("enter")
        await settled(pilot)
        assert port_of(app).sent[-1] == first_game("carta")
        assert isinstance(app.screen, Page)
        assert "Be the first with 7 cards" in whole_text(app)
        assert whole_text(app).splitlines()[-1].strip() == "enter Go on"
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert "FIRST GAME" in whole_text(app)
        await pilot.press("L")
        await settled(pilot)
        assert "FIRST GAME" not in whole_text(app)


@pytest.mark.parametrize(("level", "is_said"), [("gentle", True), ("sharp", False)])
@ui
async def test_a_first_game_that_was_left_says_how_its_explanations_go_on(
    level: str, is_said: bool
) -> None:
    app = an_app()
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        port, path = port_of(app).begin(), Path("game.hostless")
        port.play_until(lambda news: bool(news.view.offers))
        app.send(Resume(path))
        news = port.news()
        seats = [replace(seat, is_bot=True, level=level) for seat in news.seats[1:]]
        app.publish(replace(news, seats=(news.seats[0], *seats)))
        await shown(pilot, "YOUR TURN")
        await settled(pilot)
        assert ("L explains this game" in whole_text(app)) == is_said
        await pilot.press("L")
        await settled(pilot)
        assert "A first game: Carta" in whole_text(app)


@ui
async def test_the_game_under_the_bar_is_learned_and_an_ordinary_one_is_not_explained() -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("down", "down", "t")
        await pilot.pause()
        opened = port_of(app).sent[-1]
        assert isinstance(opened, Learn)
        assert opened.game == list(GAMES)[1]
    other = an_app()
    async with other.run_test(size=(120, 36)) as pilot:
        await at_table(pilot)
        assert "FIRST GAME" not in whole_text(other)


@ui
async def test_on_a_very_small_screen_it_is_said_over_the_table() -> None:
    app = an_app()
    async with app.run_test(size=(60, 16), notifications=True) as pilot:
        await pilot.press("t")
        await settled(pilot)
        await pilot.press("escape")
        await shown(pilot, "Play one card into your")
        (told,) = app._notifications
        assert told.timeout == LONG_TOAST_S, "it is longer than what one reads in a moment"
        assert "FIRST GAME" not in whole_text(app)


def test_lines_of_text_explain_everything_once() -> None:
    port, presenter = practice("carta"), PlainPresenter(load("en"))
    opened = presenter.read("learn carta").command
    assert opened == first_game("carta")
    presenter.lesson = LessonHeard()
    first = presenter.receive(port.news())
    assert sum("[first game] Be the first with 7 cards" in line for line in first) == 1
    assert sum("[first game] Play one card into your area" in line for line in first) == 1
    port.play_until(lambda news: news.event_count > 30 and news.view.phase == "play")
    assert not any("Play one card" in line for line in presenter.receive(port.news()))


def test_explanations_can_be_had_at_any_table_in_lines_of_text() -> None:
    port, presenter = practice("carta"), PlainPresenter(load("en"))
    assert not any("[first game]" in line for line in presenter.receive(port.news()))
    assert any("[first game]" in line for line in presenter.read("explain").lines)
    assert presenter.read("explain").lines == ("No more explanations at this table.",)
