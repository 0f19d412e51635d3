"""The same table once more: at the end page, in lines of text, and between two at terminals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from p2p.base.identity import words
from p2p.session.news import Rematch, TablesSeen
from tests.ui.driving import an_app, at_table, port_of, settled, shown, whole_text
from tests.ui.fakes import PATH, PracticePort, some_ad, ui
from tests.ui.people import Person, Room, Size
from tests.ui.playing import END, play_to_the_end, players_of
from tests.ui.sitting import join_in_the_lobby, wait_for_a_turn
from ui.app import HostlessApp
from ui.screens.pages import waiting_again
from ui.teller import Teller
from ui.text import load

WHOLE_GAME_S = 900.0


def over(port: PracticePort) -> PracticePort:
    return port.begin().play(10_000)


async def at_the_end(pilot: Pilot[int]) -> PracticePort:
    app = pilot.app
    assert isinstance(app, HostlessApp)
    port = over(port_of(app))
    app.is_seated = True
    app.publish(port.news())
    await shown(pilot, "n plays again")
    return port


@ui
async def test_one_key_at_the_end_plays_again() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port = await at_the_end(pilot)
        await pilot.press("n")
        assert port.sent[-1] == Rematch(PATH)
        await settled(pilot)
        app.publish(TablesSeen((some_ad(),)))  # The page that was closed hears no more.
        await settled(pilot)


@ui
async def test_who_looks_at_the_table_again_can_still_play_again() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        port = await at_the_end(pilot)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press("N")
        assert port.sent[-1] == Rematch(PATH)


@ui
async def test_in_the_middle_of_a_game_nothing_is_opened() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("N")
        await shown(pilot, "A game can be")
        assert not any(isinstance(each, Rematch) for each in port_of(app).sent)


@ui
async def test_the_end_page_says_who_waits_to_play_again() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_the_end(pilot)
        assert "waits: press n" not in whole_text(app)
        ad = some_ad()
        seats = port_of(app).news().seats
        news = replace(
            port_of(app).news(),
            seats=(seats[0], replace(seats[1], words=words(ad.opener)), seats[2]),
        )
        app.publish(news)
        app.publish(TablesSeen((ad,)))
        await settled(pilot)
        assert "grace would like to play again" in whole_text(app)


def test_only_the_others_of_this_game_are_waited_for() -> None:
    news = over(PracticePort()).news()
    assert waiting_again(news, [some_ad()]) == ()


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_again_is_a_word_once_the_game_is_over(language: str) -> None:
    port, teller = PracticePort(), Teller(load(language))
    teller.receive(port.begin().news())
    assert teller.read("again").command is None
    teller.receive(over(PracticePort()).news())
    assert teller.may_play_again
    assert teller.read("again").command == Rematch(PATH)


def sit(room: Room, *plain: str) -> tuple[Person, Person]:
    ada = room.sit("ada", "open", "carta", "--seats", "2", size=Size(80, 24))
    ada.wait_for("1 of 2 seats taken")
    bert = room.sit("bert", *plain, size=Size(80, 24))
    if not plain:
        join_in_the_lobby(bert)
    return ada, bert


@pytest.mark.slow
def test_two_people_play_again_by_one_key_each(room: Room, seed: int) -> None:
    ada, bert = sit(room)
    wait_for_a_turn(ada, bert)
    play_to_the_end(room, players_of("carta", [ada, bert], seed), WHOLE_GAME_S)
    bert.press("n")
    bert.wait_for("1 of 2 seats taken")
    ada.wait_for("bert would like to play again")
    assert END in ada.text()
    ada.press("n")
    wait_for_a_turn(ada, bert)
    assert [ada.leave(), bert.leave()] == [0, 0]
    for name in ("ada", "bert"):
        assert len(list((room.home(name) / "games").glob("*.hostless"))) == 2
