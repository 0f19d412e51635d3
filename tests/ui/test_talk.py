"""Talk at the table: on the screen, in lines of text, and between two people at terminals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from p2p.session.commands import Reaction, Rematch, SayLine
from p2p.session.news import SaidLine
from tests.ui.driving import (
    an_app,
    at_table,
    is_playing,
    my_chosen,
    port_of,
    settled,
    shown,
    whole_text,
)
from tests.ui.fakes import PracticePort, ui
from tests.ui.people import Person, Room, Size
from tests.ui.sitting import join_in_the_lobby, wait_for_a_turn
from ui.app import HostlessApp
from ui.language.text import load
from ui.plain.presenter import PlainPresenter
from ui.screens.table import TableScreen
from ui.settings import Settings

SIZES = [(120, 36), (80, 24), (60, 16)]
HELLO = SaidLine(1, "grace", "hello there")
OWN_WORDS = {"en": "Well played!", "ko": "잘하셨어요!", "ja": "お見事！"}


def said(port: PracticePort) -> list[SayLine]:
    return [command for command in port.sent if isinstance(command, SayLine)]


@ui
async def test_a_line_is_typed_and_no_key_of_the_game_is_pressed_by_it() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("slash", *"12 q", "question_mark", "enter")
        await settled(pilot)
        assert said(port_of(app)) == [SayLine("12 q?")]
        assert not my_chosen(port_of(app))
        await pilot.press("1", "enter")
        assert len(my_chosen(port_of(app))) == 1, "afterwards the keys are the game's again"


@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
@ui
async def test_what_i_say_is_seen_where_no_panel_shows_talk(size: tuple[int, int]) -> None:
    """At 80 x 24 nothing showed that it had been said."""
    app = an_app()
    async with app.run_test(size=size) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("slash", *"well met", "enter")
        app.publish(SaidLine(0, "ada", "well met", is_mine=True))
        await shown(pilot, "You: well met")
        assert load("en")("talk.answer", name="/") not in whole_text(app), "nobody answers oneself"


@ui
async def test_a_letter_typed_before_the_line_has_the_focus_stays() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        screen = app.screen
        assert isinstance(screen, TableScreen)
        screen.action_talk()  # Textual gives the focus a moment later.
        assert screen.take_key(events.Key("g", "g"))
        await settled(pilot)
        await pilot.press("o", "enter")
        assert said(port_of(app)) == [SayLine("go")]


@ui
async def test_escape_closes_the_line_and_says_nothing() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("slash", *"oh no", "escape", "slash", "enter")
        assert not said(port_of(app))


@pytest.mark.parametrize("size", SIZES)
def test_talk_covers_neither_the_hand_nor_the_prompt(size: tuple[int, int]) -> None:
    @ui
    async def look() -> None:
        app = an_app()
        async with app.run_test(size=size) as pilot:
            await at_table(pilot, is_playing)
            before = whole_text(app)
            hand = [line for line in before.splitlines() if " 1 " in line][-1].split("│")[0]
            for news in [HELLO] * 6:
                app.publish(news)
            await shown(pilot, "grace: hello there")
            assert "YOUR TURN" in whole_text(app) and hand in whole_text(app)
            await pilot.press("slash")
            await settled(pilot)
            assert "YOUR TURN" in whole_text(app) and hand in whole_text(app)
            assert "enter says it" in whole_text(app)

    look()


@ui
async def test_a_reaction_is_one_key_and_a_number() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("exclamation_mark")
        await shown(pilot, "Well played!")
        await pilot.press("2")
        assert said(port_of(app)) == [SayLine(Reaction.WELL_PLAYED)]
        await pilot.press("exclamation_mark", "escape", "1")
        assert len(said(port_of(app))) == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@ui
async def test_who_is_muted_is_seen_no_more_and_can_be_heard_again(size: tuple[int, int]) -> None:
    app = an_app()
    async with app.run_test(size=size, notifications=True) as pilot:
        await at_table(pilot, is_playing)
        app.publish(HELLO)
        await shown(pilot, "hello there")
        await pilot.press("M", "1")
        await shown(pilot, "You hear grace no more")
        app.publish(SaidLine(1, "grace", "can you read this"))
        await settled(pilot)
        assert "can you" not in whole_text(app) and "hello there" not in whole_text(app)
        await pilot.press("M", "1")
        app.publish(SaidLine(1, "grace", "and this"))
        await shown(pilot, "and this")


@ui
async def test_who_is_muted_stays_so_at_the_next_table_and_in_another_seat() -> None:
    app = an_app()
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        screen = await at_table(pilot, is_playing)
        await pilot.press("M", "1")
        await shown(pilot, "You hear grace no more")
        app.send(Rematch(Path("game.hostless")))
        ada, grace, *others = screen.newest.seats if screen.newest else ()
        app.publish(replace(port_of(app).news(), seats=(ada, *others, grace)))
        await settled(pilot)
        app.publish(SaidLine(2, "grace", "can you read this"))
        app.publish(SaidLine(1, "alan", "good luck"))
        await shown(pilot, "good luck")
        assert "can you" not in whole_text(app)


@ui
async def test_whoever_turned_talk_off_sees_none() -> None:
    app = an_app(settings=Settings(is_automatic=False, hears_talk=False))
    async with app.run_test(size=(120, 36)) as pilot:
        await at_table(pilot, is_playing)
        app.publish(HELLO)
        await settled(pilot)
        assert "hello there" not in whole_text(app)


@ui
async def test_a_line_said_while_a_page_is_read_lies_over_the_page() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot, is_playing)
        await pilot.press("l")
        assert not isinstance(app.screen, TableScreen)
        app.publish(HELLO)
        await shown(pilot, "grace: hello there")


@pytest.mark.parametrize("language", OWN_WORDS)
def test_lines_of_text_talk_react_and_mute(language: str) -> None:
    presenter, port = PlainPresenter(load(language), is_automatic=False), PracticePort().begin()
    assert presenter.read("say hello").command is None, "there is no table yet"
    presenter.receive(port.news())
    assert presenter.read("say  hello").command == SayLine("hello")
    assert presenter.read("/hello").command == SayLine("hello")
    assert presenter.read("react 2").command == SayLine(Reaction.WELL_PLAYED)
    assert any(OWN_WORDS[language] in line for line in presenter.read("react").lines)
    played = SaidLine(1, "grace", "", Reaction.WELL_PLAYED)
    assert presenter.receive(played) == [f"grace: {OWN_WORDS[language]}"]
    assert presenter.read("mute grace").lines
    assert presenter.receive(played) == []
    presenter.read("hear grace")
    assert presenter.receive(HELLO) == ["grace: hello there"]
    assert "grace" in presenter.read("mute nobody").lines[0]
    assert presenter.read("1").command is not None, "the choice is still open"


def sit_two(room: Room, *, size: Size, second: tuple[str, ...] = ()) -> tuple[Person, Person]:
    ada = room.sit("ada", "open", "carta", "--seats", "2", size=size)
    ada.wait_for("1 of 2 seats taken")
    bert = room.sit("bert", *second, size=size)
    if not second:
        join_in_the_lobby(bert)
    return ada, bert


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[::2])  # In that between them they talk in two languages.
def test_two_people_talk_at_their_screens(room: Room, size: tuple[int, int]) -> None:
    ada, bert = sit_two(room, size=Size(*size))
    wait_for_a_turn(ada, bert)
    ada.type("/good luck, bert")  # Faster than any focus can move.
    bert.wait_for("ada: good luck, bert")
    bert.press("!")
    bert.wait_for("Thank you!")
    bert.press("3")
    ada.wait_for("bert: Thank you!")
    assert [ada.leave(), bert.leave()] == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "thanks"), [("ko", "고맙습니다!"), ("ja", "ありがとうございます！")]
)
def test_a_screen_and_lines_of_text_talk_in_two_languages(
    room: Room, language: str, thanks: str
) -> None:
    lines = ("join", "ada", "--plain", "--lang", language)
    ada, bert = sit_two(room, size=Size(80, 24), second=lines)
    wait_for_a_turn(ada)
    ada.press("!", "3")
    bert.wait_for(f"ada: {thanks}")
    bert.type("say see you")
    assert "bert: see you" in ada.wait_for("bert: see you")


async def at_the_end(pilot: Pilot[int]) -> None:
    app = pilot.app
    assert isinstance(app, HostlessApp)
    app.is_seated = True
    app.publish(port_of(app).begin().play(10_000).news())
    await shown(pilot, "N Play again")


@ui
async def test_people_talk_on_at_the_page_of_the_result() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_the_end(pilot)
        await pilot.press("slash", *"gg nq", "enter")
        await pilot.press("exclamation_mark", "2")
        assert said(port_of(app)) == [SayLine("gg nq"), SayLine(Reaction.WELL_PLAYED)]
        app.publish(replace(HELLO, text="that was close"))
        await shown(pilot, "grace: that was close")
        await pilot.press("slash", "escape")
        await settled(pilot)
        assert "N Play again" in whole_text(app), "escape closed the line and not the page"


@ui
async def test_nobody_talks_to_people_who_have_left() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_the_end(pilot)
        await shown(pilot, "● grace")
        news = port_of(app).news()
        seats = (replace(each, link="away") if each.link == "up" else each for each in news.seats)
        app.publish(replace(news, seats=tuple(seats)))
        await shown(pilot, "○ grace")
        await pilot.press("slash")
        await shown(pilot, "Nobody is here any more")
        assert not said(port_of(app))
