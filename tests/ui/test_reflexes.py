"""What is answered without asking, so that the time an answer takes tells nothing."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from core.determinization import observation_of
from core.games.civilization import GAME
from core.games.civilization.layout import UNIT_DECK
from core.requests import Choice
from core.view import view
from p2p.session.news import TableChanged
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.test_battles import attack
from tests.core.games.civilization.test_natives import village
from tests.ui.driving import an_app, at_table, my_chosen, port_of, settled, whole_text
from tests.ui.fakes import ui
from tests.ui.shopping import ALL_CARDS, market
from ui.games import look_of
from ui.language.text import load
from ui.plain.presenter import PlainPresenter
from ui.settings import Settings

REVEAL_OR_PASS, PASS = 2, 1
LONG_S = 60.0


def is_attacked(answers: int) -> Callable[[TableChanged], bool]:
    return lambda news: news.view.phase == "react" and len(news.view.offers) == answers


@pytest.mark.parametrize(("answers", "verb"), [(REVEAL_OR_PASS, "reveal"), (PASS, "pass")])
def test_how_soon_an_attack_is_answered_does_not_tell_who_has_a_moat(
    answers: int, verb: str
) -> None:
    """D14: whoever has one is not asked about it any longer than who has none."""
    view = market(kingdom=ALL_CARDS).play_until(is_attacked(answers)).news().view
    answer = look_of("dominion").reflex(view)
    assert answer is not None
    assert answer.action.verb == verb


@ui
async def test_a_moat_is_shown_without_a_key() -> None:
    app = an_app(market(kingdom=ALL_CARDS), Settings(is_automatic=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_attacked(REVEAL_OR_PASS))
        for _ in range(2000):
            if my_chosen(port_of(app)):
                break
            await pilot.pause(0.01)
    assert my_chosen(port_of(app))[0].action.verb == "reveal"


@pytest.mark.parametrize(("answers", "key"), [(REVEAL_OR_PASS, "auto"), (PASS, "only")])
def test_lines_of_text_put_no_question_that_is_answered_by_itself(answers: int, key: str) -> None:
    """A Moat was asked for, line by line, and shown as `the only choice` before anybody read it."""
    words, news = load("en"), market(kingdom=ALL_CARDS).play_until(is_attacked(answers)).news()
    asking, answering = (PlainPresenter(words, is_automatic=each) for each in (False, True))
    question = words("plain.choices")
    assert question in asking.receive(news) and question not in answering.receive(news)
    told = answering.own_answer()
    assert told is not None and told[1] is not None
    verb = "reveal Moat" if answers == REVEAL_OR_PASS else "no, thanks"
    assert told[0] == [words(f"plain.{key}", what=verb)]


@ui
async def test_an_answer_that_gives_itself_takes_no_sentence_from_the_screen() -> None:
    app = an_app(market(kingdom=ALL_CARDS), Settings(is_automatic=True))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot, is_attacked(REVEAL_OR_PASS))
        screen.notify("grace is away", timeout=LONG_S)
        for _ in range(2000):
            if my_chosen(port_of(app)):
                break
            await pilot.pause(0.01)
        assert my_chosen(port_of(app))
        await settled(pilot)
        assert "grace is away" in whole_text(app)


def natives_played(stage: Stage) -> list[str]:
    """What the program of the left neighbour answers by itself in a battle for a village."""
    answers = []
    while isinstance(stage.pending, Choice) and stage.pending.player == 1:
        observation = observation_of(stage.table, stage.deal, 1)
        seen = view(GAME, stage.table, stage.pending, stage.deal, 1)
        answer = look_of("civilization").reflex(seen)
        assert answer is not None, "nobody is asked about the natives"
        answers.append(GAME.describe(stage.table, answer.action, observation))
        stage.do(f"1: {answers[-1]}")
    return answers


def test_natives_are_played_without_asking_the_left_neighbour() -> None:
    """D10: nobody is called to the table for somebody else's village."""
    stage = village("mounted.2 mounted.1 mounted.2")
    assert natives_played(stage) == ["play infantry.2", "new"]
    stage.do("0: play mounted.2", "new")
    assert natives_played(stage) == ["play mounted.2", "new"]


def test_for_natives_whose_deck_is_empty_another_one_is_taken_without_asking() -> None:
    """C137, D10: the one with most cards."""
    stage = Stage().city(0, "1.1").city(1, "14.14").mark("village", "9.8").army(0, "8.8")
    stage.holds(0, "mounted.2 mounted.1").table.zones[UNIT_DECK + 1].clear()
    attack(stage)
    assert natives_played(stage)[0].startswith("deck ")


def test_whoever_attacks_natives_chooses_by_hand() -> None:
    stage = village("mounted.2 mounted.1 mounted.2")
    natives_played(stage)
    assert isinstance(stage.pending, Choice)
    seen = view(GAME, stage.table, stage.pending, stage.deal, stage.pending.player)
    assert len(seen.offers) > 1
    assert look_of("civilization").reflex(seen) is None


def test_a_deal_is_proposed_by_hand_also_where_nothing_more_can_be_added() -> None:
    """After the first amount it was sent, before anything was asked for in return."""
    stage = Stage().has(0, trade=1).phase("trade").do("offer seat1", "give trade 1")
    assert isinstance(stage.pending, Choice) and stage.texts() == ["done"]
    seen = view(GAME, stage.table, stage.pending, stage.deal, 0)
    assert look_of("civilization").reflex(seen) is None


@ui
async def test_what_was_read_covers_nothing_after_the_next_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It lies over what happened last, and stayed there for up to twelve seconds."""
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot)
        screen.notify("grace is away", timeout=LONG_S)
        await settled(pilot)
        await pilot.press("right")
        await settled(pilot)
        assert "grace is away" in whole_text(app), "nobody reads as fast as that"
        monkeypatch.setattr("ui.app.READ_CELLS_PER_S", math.inf)
        screen.notify("alan is away", timeout=LONG_S)
        await settled(pilot)
        assert "alan is away" in whole_text(app)
        app.clear_notifications()
        screen.notify("alan is away", timeout=LONG_S)
        await settled(pilot)
        await pilot.press("right")
        await settled(pilot)
        assert "is away" not in whole_text(app)


@ui
async def test_what_comes_long_after_another_was_said_is_not_gone_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first had gone by itself, no key was pressed, and its reading time counted for both."""
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await at_table(pilot)
        with monkeypatch.context() as patch:
            patch.setattr("ui.app.READ_CELLS_PER_S", -0.1)  # As if it was said minutes ago.
            screen.notify("grace is away", timeout=LONG_S)
        monkeypatch.setattr("ui.app.READ_CELLS_PER_S", 0.2)  # A minute, on a slow machine as well.
        screen.notify("alan is away", timeout=LONG_S)
        await settled(pilot)
        await pilot.press("right")
        await settled(pilot)
        assert "alan is away" in whole_text(app)
