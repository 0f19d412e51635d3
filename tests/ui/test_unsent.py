"""Choices that were not sent are lost with the program; whoever comes back is told so, once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from p2p.session.news import TableChanged
from tests.ui.driving import an_app, is_playing, port_of, settled, shown, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.app import HostlessApp
from ui.choices.unsent import UNSENT_SUFFIX, Unsent, UnsentNote
from ui.language.text import load
from ui.plain.presenter import PlainPresenter
from ui.settings import Settings

KEEPING = Settings(is_automatic=False)
ENGLISH = load("en")
LOST = "A choice that was not sent"


def kept_at(news: TableChanged, folder: Path) -> TableChanged:
    return replace(news, path=folder / "game.hostless")


def an_app_that_keeps(port: PracticePort) -> HostlessApp:
    app = an_app(port, KEEPING)
    app.unsent = UnsentNote(is_kept=True)
    app.is_seated = True
    return app


@pytest.fixture
def played() -> PracticePort:
    port = PracticePort(seed=3).begin()
    port.play_until(is_playing)
    return port


@pytest.mark.parametrize("made", [(), ("1", "enter")])
def test_who_closed_the_terminal_with_a_choice_not_sent_reads_so_on_return(
    played: PracticePort, tmp_path: Path, made: tuple[str, ...]
) -> None:
    """It was gone, and nothing said so."""
    news = kept_at(played.news(), tmp_path)

    @ui
    async def sit(keys: tuple[str, ...] = (), *, is_told: bool = False) -> None:
        app = an_app_that_keeps(played)
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            app.publish(news)
            await shown(pilot, "enter Confirm")
            await settled(pilot)
            assert (LOST in whole_text(app)) is is_told
            await pilot.press(*keys)
            await settled(pilot)

    sit(made)
    sit(is_told=bool(made))
    sit()


@ui
async def test_who_leaves_and_comes_back_in_one_program_finds_the_table_as_the_others_see_it(
    tmp_path: Path,
) -> None:
    """The lobby said that the choice was not kept, and it still stood there behind *enter*."""
    port = PracticePort(seed=3).begin()
    port.play_until(is_playing)
    app = an_app_that_keeps(port)
    news = kept_at(port_of(app).news(), tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.publish(news)
        await shown(pilot, "enter Confirm")
        await pilot.press("1", "enter")
        await shown(pilot, "u takes it back")
        await pilot.press("q")
        await shown(pilot, "Tables on this network")
        app.is_seated = True
        app.publish(news)
        await shown(pilot, LOST)
        assert "u takes it back" not in whole_text(app)


def test_lines_of_text_say_it_as_well(played: PracticePort, tmp_path: Path) -> None:
    news = kept_at(played.news(), tmp_path)

    def sit(*typed: str) -> list[str]:
        presenter = PlainPresenter(ENGLISH, is_automatic=False, takes_back=True)
        presenter.unsent = UnsentNote(is_kept=True)
        lines = presenter.receive(news)
        for each in typed:
            presenter.read(each)
        return [line for line in lines if LOST in line]

    assert not sit("1")
    assert sit() == [ENGLISH.count("back.lost", 1)]
    assert not sit()


def test_a_choice_on_its_way_is_lost_only_if_the_log_asks_for_it_again(
    played: PracticePort, tmp_path: Path
) -> None:
    news = kept_at(played.news(), tmp_path)
    count = news.event_count
    waiting = replace(news, view=replace(news.view, offers=()))
    later = replace(news, event_count=count + 1)
    for came, lost in (([waiting, later], ""), ([waiting, news], ENGLISH.count("back.lost", 1))):
        UnsentNote(is_kept=True).hear(ENGLISH, news, Unsent(count, given=1, held=0))
        after, told = UnsentNote(is_kept=True), list[str]()
        for each in came:
            told.append(after.hear(ENGLISH, each, Unsent(count, 0, 0)))
        assert told == ["", lost]


def test_nothing_is_told_to_who_looks_on_or_of_a_game_that_is_over(
    played: PracticePort, tmp_path: Path
) -> None:
    news = kept_at(played.news(), tmp_path)
    for view in (replace(news.view, seat=None), replace(news.view, is_over=True)):
        UnsentNote(is_kept=True).hear(ENGLISH, news, Unsent(news.event_count, 0, 2))
        told = UnsentNote(is_kept=True).hear(ENGLISH, replace(news, view=view), Unsent(0, 0, 0))
        assert told == ""


@pytest.mark.parametrize("note", ["", "no json", "[1, 2]", json.dumps({"held": 3}), "[" * 5000])
def test_a_note_that_says_nothing_is_no_note(
    played: PracticePort, tmp_path: Path, note: str
) -> None:
    news = kept_at(played.news(), tmp_path)
    (tmp_path / "game").with_suffix(UNSENT_SUFFIX).write_text(note)
    assert UnsentNote(is_kept=True).hear(ENGLISH, news, Unsent(0, 0, 0)) == ""
