"""What a bot chose for a person who was gone: marked for all, and told to whoever is back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.narrate import Line
from p2p.session.news import TableChanged
from tests.ui.driving import an_app, at_table, port_of, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.story import plain_sentences, told
from ui.model.substituted import Substituted
from ui.model.view_model import ViewModel, view_model
from ui.plain.presenter import PlainPresenter

MINE = Line(10, "chosen", 0, text="play military")  # My own last choice, and two of a bot.
BOTS = (Line(20, "chosen", 0, text="play science"), Line(22, "chosen", 0, text="play culture"))


def at(*lines: Line, is_gone: bool = False) -> TableChanged:
    """The table of a game with these lines behind it; a bot plays on for me while I am gone."""
    news = PracticePort().begin().news()
    me, *others = news.seats
    by_bots = frozenset((line.entry, 0) for line in lines if line in BOTS)
    seats = (replace(me, is_bot=is_gone), *others)
    return replace(news, lines=(*news.lines, *lines), by_bots=by_bots, seats=seats)


def painted(news: TableChanged, code: str = "en") -> ViewModel:
    return view_model(load(code), news)


def test_a_choice_of_a_bot_is_marked_and_one_of_its_owner_is_not() -> None:
    model = painted(at(MINE, *BOTS))
    lines = plain_sentences(told(model, model.news.lines[-3:]))
    assert [line.partition(" plays ")[0] for line in lines] == ["ada", "ada (bot)", "ada (bot)"]


def test_whoever_is_back_is_told_once_what_the_bot_chose() -> None:
    heard = Substituted()
    assert heard.hear(painted(at(MINE))) == ""
    assert heard.hear(painted(at(MINE, *BOTS, is_gone=True))) == "", "not while I am gone"
    said = heard.hear(painted(at(MINE, *BOTS)))
    assert said.startswith("Your bot chose 2 times for you: ") and "Science" in said
    assert "did not reach" not in said
    assert heard.hear(painted(at(MINE, *BOTS))) == "", "it is said once"
    later = replace(MINE, entry=30)
    assert heard.hear(painted(at(MINE, *BOTS, later))) == "", "I have chosen myself since"


def test_whoever_chose_without_the_others_is_told_that_it_did_not_count() -> None:
    heard = Substituted()
    heard.hear(painted(at(MINE)))
    heard.hear(painted(at(BOTS[0], is_gone=True)))
    said = heard.hear(painted(at(BOTS[0])))
    assert said.startswith("Your bot chose once for you: play Science.")
    assert said.endswith("Your own last choice did not reach the others: play Military.")


def test_a_choice_that_was_taken_back_by_agreement_was_not_lost() -> None:
    heard = Substituted()
    heard.hear(painted(at(MINE)))
    heard.hear(painted(at()))  # All agreed, and I was there.
    heard.hear(painted(at(BOTS[0], is_gone=True)))
    assert "did not reach" not in heard.hear(painted(at(BOTS[0])))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_lines_of_text_say_it_as_well(code: str) -> None:
    presenter = PlainPresenter(load(code), is_automatic=False)
    presenter.receive(at(MINE))
    presenter.receive(at(MINE, *BOTS, is_gone=True))
    said = Substituted().hear(painted(at(MINE, *BOTS), code))
    assert said and said in presenter.receive(at(MINE, *BOTS))


@ui
async def test_the_screen_says_it_over_the_table() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        path = port_of(app).news().path
        app.publish(replace(at(MINE, *BOTS), path=path))
        await shown(pilot, "Your bot chose 2 times")
        assert "ada (bot) plays" in " ".join(whole_text(app).split())
