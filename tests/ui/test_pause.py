"""A pause of the clocks: asked for by one key or word, seen by all, ended by anybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.session.commands import Reaction, SayLine
from p2p.session.news import AskedBack, Away, AwayNext, SaidLine, SeatClock, TableChanged
from tests.ui.driving import QUIET, an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.choices.asked_back import waits_for
from ui.draw.frame import board_of, draw_table, legend
from ui.draw.scene import Scene
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.pause import next_sign, pause_note, paused_by, why_no_sign
from ui.model.prompt import prompt
from ui.model.talk import TalkHeard, listeners, reactions, said_sentence
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.terminal.spans import row_width, to_text

ME, OTHER = 0, 1


def timed(news: TableChanged, pauser: int | None = None) -> TableChanged:
    """The same at a table of persons with clocks; mine runs where there is no pause."""
    clocks = tuple(
        SeatClock(seat, True, pauser is None and seat == ME, 90.0, has_paused=seat == pauser)
        for seat in (ME, OTHER)
    )
    seats = tuple(replace(each, is_bot=False) for each in news.seats)
    return replace(news, clocks=clocks, seats=seats)


def said(port: PracticePort) -> list[SayLine]:
    return [each for each in port.sent if isinstance(each, SayLine)]


# ---- at a screen ----


@ui
@pytest.mark.parametrize("hears_talk", [True, False])
async def test_one_key_asks_for_a_pause_and_ends_that_of_somebody_else(hears_talk: bool) -> None:
    app = an_app(settings=replace(QUIET, hears_talk=hears_talk))
    async with app.run_test(size=(100, 30)) as pilot:
        await at_table(pilot)
        app.publish(timed(port_of(app).news()))
        await shown(pilot, "1:30")
        await pilot.press("P")
        assert said(port_of(app)) == [SayLine(Reaction.PAUSE)]
        app.publish(SaidLine(OTHER, "grace", "", Reaction.PAUSE))
        app.publish(timed(port_of(app).news(), OTHER))
        await shown(pilot, "Paused by grace: no clock runs. P lets them run")
        assert "A pause, please" in whole_text(app), "also to who hears no talk"
        await pilot.press("P")
        await settled(pilot)
        assert said(port_of(app)) == [SayLine(Reaction.PAUSE), SayLine(Reaction.GO_ON)]
        app.publish(timed(port_of(app).news()))
        await settled(pilot)
        assert "no clock runs" not in whole_text(app)


@ui
async def test_a_pause_that_i_have_ended_stands_no_more_in_the_place_of_the_keys() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        app.publish(SaidLine(OTHER, "grace", "", Reaction.PAUSE))
        app.publish(timed(port_of(app).news(), OTHER))
        await shown(pilot, "grace: A pause, please")
        app.publish(SaidLine(ME, "ada", "", Reaction.GO_ON, is_mine=True))
        await shown(pilot, "enter Confirm")
        assert "A pause, please" not in whole_text(app)


@ui
async def test_without_clocks_the_key_says_that_there_is_nothing_to_pause() -> None:
    app = an_app()
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("P")
        await shown(pilot, "No clock runs here")
        assert not said(port_of(app))


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 36)])
@pytest.mark.parametrize("pauser", [ME, OTHER])
def test_a_pause_is_seen_at_every_size_in_every_language(
    code: str, size: tuple[int, int], pauser: int
) -> None:
    words, news = load(code), timed(PracticePort().begin().news(), pauser)
    note = pause_note(words, news, "P")
    frame = draw_table(Scene(view_model(words, news), (), "", *size, note=note))
    assert note and note in to_text(frame.prompt)
    assert all(row_width(row) <= size[0] for row in frame.prompt)


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 36)])
def test_a_pause_is_seen_as_well_while_somebody_is_away(size: tuple[int, int]) -> None:
    words, news = load("en"), timed(PracticePort().begin().news(), OTHER)
    news = replace(news, away=(Away(OTHER, "grace", AwayNext.NOBODY),))
    note = pause_note(words, news, "P")
    frame = draw_table(Scene(view_model(words, news), (), "", *size, note=note))
    assert note in to_text(frame.prompt) and to_text(frame.hand).strip()


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [60, 80])
def test_my_clock_stays_in_the_first_line_where_bots_play_on_for_others(
    code: str, width: int
) -> None:
    words, news = load(code), PracticePort(players=4).begin().news()
    seats = [replace(each, is_bot=at != ME) for at, each in enumerate(news.seats)]
    away = tuple(Away(at, each.name, AwayNext.PLAYED) for at, each in enumerate(seats) if at != ME)
    clocks = tuple(SeatClock(at, at == ME, False, 90.0) for at in range(len(seats)))
    news = replace(news, seats=tuple(seats), away=away, clocks=clocks)
    title = to_text(draw_table(Scene(view_model(words, news), (), "", width, 24)).title)
    assert f"{seats[ME].name} 1:30" in title
    assert words("silence.note_played") not in title, "the mark of a bot says it"


def test_whoever_is_muted_stops_my_clock_and_i_read_it() -> None:
    talk, news = TalkHeard(), timed(PracticePort().begin().news())
    (grace,) = [each for each in listeners(news) if each.seat == OTHER]
    talk.turn(grace)
    assert not talk.hear(SaidLine(OTHER, "grace", "hello"), news.seats)
    assert talk.hear(SaidLine(OTHER, "grace", "", Reaction.PAUSE), news.seats)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_signs_are_no_reactions_and_are_said_in_every_language(code: str) -> None:
    words = load(code)
    texts = {said_sentence(words, SaidLine(1, "grace", "", each)) for each in Reaction}
    assert len(texts) == len(Reaction) == len(reactions(words)) + 2


# ---- in lines of text ----


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_lines_of_text_ask_for_a_pause_and_end_it(code: str) -> None:
    words, presenter, news = load(code), PlainPresenter(load(code)), PracticePort().begin().news()
    presenter.receive(timed(news))
    assert presenter.read("pause").command == SayLine(Reaction.PAUSE)
    assert presenter.read("go on").lines == (words("pause.already_go_on"),)
    pause = SaidLine(OTHER, "grace", "", Reaction.PAUSE)
    assert presenter.receive(pause) == [said_sentence(words, pause)]
    presenter.receive(timed(news, OTHER))
    assert presenter.read("pause").lines == (words("pause.already_pause"),)
    assert presenter.read("go on").command == SayLine(Reaction.GO_ON)


def test_who_looks_on_stops_no_clock() -> None:
    words, news = load("en"), timed(PracticePort().begin().news())
    spectator = replace(news, view=replace(news.view, seat=None))
    for nobody in (None, spectator):
        assert why_no_sign(words, nobody, Reaction.PAUSE) == words("talk.look_on")


def test_without_clocks_or_after_the_end_there_is_no_pause() -> None:
    words, news = load("en"), PracticePort().begin().news()
    over = timed(news, OTHER)
    over = replace(over, view=replace(over.view, is_over=True))
    for each in (news, over):
        assert why_no_sign(words, each, next_sign(each)) == words("pause.no_clock")
        assert pause_note(words, each, "P") == ""
    assert paused_by(None) is None


# ---- who looks on ----


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_who_looks_on_reads_what_the_players_read_without_their_keys(code: str) -> None:
    words, port = load(code), PracticePort(players=2).begin()
    news = timed(port.news(), pauser=OTHER)
    looking = replace(news, view=replace(news.view, seat=None, offers=()), turn=None)
    note = pause_note(words, looking, "F9")
    assert "grace" in note and "F9" not in note
    asked = replace(looking, asked_back=AskedBack(OTHER, "grace", 40, 12, (ME,)))
    waits = waits_for(words, asked)
    assert "grace" in waits and "ada" in waits
    away = replace(looking, away=(Away(OTHER, "grace", AwayNext.NOBODY),))
    assert prompt(view_model(words, away)) == words("silence.seen", names="grace")
    soon = replace(looking, away=(Away(OTHER, "grace", AwayNext.REPLACED, 42.0, 42.0),))
    assert "42" in prompt(view_model(words, soon))


def test_the_screen_of_who_looks_on_shows_pause_and_clocks() -> None:
    news = timed(PracticePort(players=2).begin().news(), pauser=OTHER)
    looking = replace(news, view=replace(news.view, seat=None, offers=()), turn=None)
    words = load("en")
    note = pause_note(words, looking, "P")
    frame = draw_table(Scene(view_model(words, looking), (), "", 120, 36, note=note))
    text = to_text([*frame.title, *frame.prompt])
    assert "Paused by grace: no clock runs" in text and "1:30" in text


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_in_lines_of_text_who_looks_on_reads_of_a_pause_and_of_a_request_once(code: str) -> None:
    words, port = load(code), PracticePort(players=2).begin()
    seen = port.news()
    running = timed(replace(seen, view=replace(seen.view, seat=None, offers=()), turn=None))
    paused = timed(running, pauser=OTHER)
    asked = replace(running, asked_back=AskedBack(OTHER, "grace", 40, 12, (ME,)))
    presenter = PlainPresenter(words)
    presenter.receive(running)
    assert presenter.receive(paused) == [pause_note(words, paused, "")]
    assert presenter.receive(paused) == []
    assert presenter.receive(running) == [words("pause.over")]
    assert presenter.receive(asked) == [waits_for(words, asked)]
    assert presenter.receive(asked) == [] == presenter.receive(running)
    assert len(presenter.receive(asked)) == 1, "another time"


def test_in_lines_of_text_those_who_sit_there_read_it_from_each_other() -> None:
    presenter, news = PlainPresenter(load("en")), timed(PracticePort(players=2).begin().news())
    presenter.receive(news)
    assert presenter.receive(timed(news, pauser=OTHER)) == []


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_sign_before_a_clock_is_explained_where_there_are_clocks(code: str) -> None:
    words, news = load(code), PracticePort().begin().news()
    without, signs = legend(view_model(words, news)), legend(view_model(words, timed(news)))
    assert without == board_of(view_model(words, news)).legend(view_model(words, news))
    (more,) = signs[len(without) :]
    assert to_text([more]).split()[0] == "~" and words("clock.about") in to_text([more])


@ui
async def test_the_page_of_the_keys_explains_it() -> None:
    app = an_app()
    async with app.run_test(size=(80, 40)) as pilot:
        await at_table(pilot)
        app.publish(timed(port_of(app).news()))
        await settled(pilot)
        await pilot.press("question_mark")
        await shown(pilot, "before a clock")
        assert "~      before a clock" in whole_text(app)
