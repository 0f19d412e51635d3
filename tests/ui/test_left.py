"""The one who is left is told what can be done, has to be sure, and is told what came of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p.audit.audit import Report, Verdict
from p2p.audit.seats import Withheld
from p2p.log.claim import WinClaim
from p2p.session.commands import ClaimWin, Leave
from p2p.session.news import Away, AwayNext, Notice, Silence, TableChanged
from tests.ui.driving import an_app, at_table, port_of, settled, shown, text_of, whole_text
from tests.ui.fakes import PracticePort, ui
from tests.ui.test_practice import ME, a_recording, answer_for_bots
from tests.ui.test_result import the_end
from ui.app import HostlessApp
from ui.commands.audit import report_lines
from ui.key_bindings import bindings_of
from ui.language.text import LANGUAGE_NAMES, load
from ui.plain.presenter import PlainPresenter, Reply
from ui.replay.recording import Recording
from ui.screens.lobby import LobbyScreen
from ui.screens.table import TableScreen
from ui.settings import Settings

LEFT = Silence(("grace", "alan"))
OVER_FOR_ALL = {
    "en": "if all leave so at the same moment, the game is over for all",
    "ko": "게임은 결과 없이 끝납니다",
    "ja": "ゲームは結果なしで終わります",
}


def left(port: PracticePort, silence: Silence | None = LEFT) -> TableChanged:
    """My turn is over, and nobody answers."""
    news = port.news()
    seen = replace(news.view, offers=(), to_act=(1,))
    return replace(news, view=seen, turn=None, silence=silence)


def cut_off(
    port: PracticePort, then: AwayNext = AwayNext.CUT_OFF, silence: Silence | None = LEFT
) -> TableChanged:
    """The same, where it may be this machine that is away."""
    away = tuple(Away(seat, name, then) for seat, name in enumerate(LEFT.names, 1))
    return replace(left(port, silence), away=away)


# ---- on the screen ----


@ui
async def test_the_screen_says_what_can_be_done_when_nobody_answers() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(left(port_of(app)))
        await shown(pilot, "No answer from grace, alan. You")
        assert "q adjourns, C claims the win, B practises" in text_of(app, "prompt")


@ui
async def test_a_win_is_claimed_by_the_second_press_of_its_key() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        await at_table(pilot)
        app.publish(left(port_of(app)))
        await pilot.press("C")
        await shown(pilot, "Press C once more")
        assert not decided(app), "it was not said twice"
        await pilot.press("C")
        assert decided(app) == [ClaimWin()]
        assert not app.is_seated, "whoever claims gets up"


def decided(app: HostlessApp) -> list[object]:
    """What was asked of the node about those who are silent."""
    return [each for each in port_of(app).sent if isinstance(each, ClaimWin)]


@ui
async def test_whoever_is_left_practises_over_the_table_until_the_others_are_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = list[Path]()

    def read(path: Path) -> Recording:
        opened.append(path)
        return a_recording()

    monkeypatch.setattr("ui.screens.opened.read_recording", read)
    app = an_app()
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await at_table(pilot)
        news = replace(left(port_of(app)), path=Path("here.hostless"))
        app.publish(news)
        await pilot.press("B")
        screen = await answer_for_bots(pilot)
        assert "Practice" in whole_text(app).splitlines()[0] and screen._practice.me == ME
        assert opened == [news.path] and app.is_seated and not decided(app)
        app.publish(replace(news, silence=None))
        await shown(pilot, "The others are back")
        await pilot.press("q")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen) and app.screen is not screen


@ui
async def test_whoever_is_not_left_can_do_neither() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("C", "C", "B")
        await shown(pilot, "The others are not")
        assert not decided(app)


@ui
async def test_whoever_is_cut_off_is_told_so_and_is_not_offered_the_win() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(cut_off(port_of(app)))
        await shown(pilot, "This computer is cut off")
        text = whole_text(app)
        assert "Is the cable in?" in text_of(app, "prompt") and "No answer" not in text
        assert "claim" not in text and "grace and alan" not in text
        await pilot.press("C", "C")
        await settled(pilot)
        assert not decided(app) and "once more" not in whole_text(app)


@ui
async def test_where_all_fell_silent_at_once_the_cable_comes_before_the_win() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(cut_off(port_of(app), AwayNext.AT_ONCE, None))
        await shown(pilot, "grace and alan fell silent at the same moment.")
        assert "claim" not in whole_text(app)
        app.publish(cut_off(port_of(app), AwayNext.AT_ONCE))
        await shown(pilot, "claim the win (C)")
        text = whole_text(app)
        assert text.index("Is the cable") < text.index("claim the win (C)")


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_who_leaves_at_once_reads_what_that_means_for_the_others(language: str) -> None:
    @ui
    async def leave() -> None:
        app, words = an_app(settings=Settings(language=language)), load(language)
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            await at_table(pilot)
            await pilot.press("Q")
            said = words("table.give_up")
            assert OVER_FOR_ALL[language] in said
            await shown(pilot, said[:9])
            assert not [each for each in port_of(app).sent if isinstance(each, Leave)]
            await pilot.press("Q")
            await settled(pilot)
        assert port_of(app).sent[-1] == Leave(is_for_good=True)

    leave()


@ui
async def test_beside_bots_alone_nobody_is_asked_to_go_on() -> None:
    """It read that a bot would play on with cards that all can see."""
    app = an_app()
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await at_table(pilot)
        news = port_of(app).news()
        seats = tuple(replace(seat, is_bot=seat.link != "me") for seat in news.seats)
        app.publish(replace(news, seats=seats))
        await settled(pilot)
        await pilot.press("Q")
        await settled(pilot)
    assert port_of(app).sent[-1] == Leave()


def test_what_can_be_done_has_its_keys_in_the_registry() -> None:
    keys = {action.name: action.key for action in bindings_of("table")}
    assert (keys["leave"], keys["claim_win"], keys["practise_meanwhile"]) == ("q", "C", "B")


# ---- in lines of text ----


def test_in_lines_of_text_a_bot_plays_on_where_others_do() -> None:
    port, presenter = PracticePort().begin(), a_presenter()
    presenter.receive(port.news())
    reply = presenter.read("give up")
    assert "if all leave so at the same moment, the game is over for all" in reply.lines[0]
    assert reply.command == Leave(is_for_good=True)
    seats = tuple(replace(seat, is_bot=seat.link != "me") for seat in port.news().seats)
    presenter.receive(replace(port.news(), seats=seats))
    assert presenter.read("give up").lines == (), "nobody plays on with my cards"


def a_presenter(language: str = "en") -> PlainPresenter:
    return PlainPresenter(load(language), is_automatic=False)


def test_lines_of_text_say_it_once_each_time() -> None:
    port, presenter = PracticePort().begin(), a_presenter()
    presenter.receive(replace(port.news(), silence=None))
    lines = presenter.receive(left(port))
    assert lines[0] == "No answer from grace, alan." and "claim win" in lines[1]
    assert presenter.receive(left(port)) == [] and presenter.is_ready
    presenter.receive(left(port, None))
    assert not presenter.is_ready, "there is nothing to say any more"


def test_in_lines_of_text_nobody_claims_a_win_who_is_cut_off() -> None:
    port, presenter = PracticePort().begin(), a_presenter()
    presenter.receive(port.news())
    said = presenter.receive(cut_off(port))
    assert "Is the cable in?" in said[0] and not any("claim" in line for line in said)
    for _ in range(2):
        reply = presenter.read("claim win")
        assert reply.command is None and "cut off" in reply.lines[0]


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("claim win", Reply(command=ClaimWin())),
        ("practise", Reply(is_leaving=True, is_practising=True)),
    ],
)
def test_it_is_done_when_it_was_typed_twice(text: str, reply: Reply) -> None:
    port, presenter = PracticePort().begin(), a_presenter()
    presenter.receive(port.news())
    assert presenter.read(text).command is None, "nobody is silent"
    presenter.receive(left(port))
    first = presenter.read(text)
    assert first.command is None and "once more" in first.lines[0]
    assert presenter.read(text) == reply
    assert presenter.read(text).command is None, "once more is asked once more"


# ---- in an audit ----


def report(**found: object) -> Report:
    """What an audit says of two honest seats."""
    verdicts = [Verdict(0, "ada", True), Verdict(1, "grace", True, replaced=57)]
    return Report(Path("game"), "carta", verdicts, **found)  # type: ignore[arg-type]


def test_an_audit_says_what_is_claimed_and_that_nobody_has_confirmed_it() -> None:
    lines = report_lines(load("en"), report(claim=WinClaim(0, (1,), 57, b"")))
    assert (
        "seat 1 ada claims the win; seat 2 grace had not answered; nobody has confirmed it" in lines
    )
    assert "the game is not finished" in lines and lines[-1] == "every check holds"


def test_an_audit_says_who_won_by_the_rules_where_not_all_have_signed_that() -> None:
    lines = report_lines(load("en"), report(winners=("ada",), unsigned=("grace",)))
    said = "all is played, and by the rules won by ada"
    missing = "this file has no signature under the result by grace"
    assert f"{said}; {missing}" in lines and "won by ada" not in lines
    assert "the game is not finished" not in lines


@pytest.mark.parametrize("code", ["ja", "ko"])
def test_an_audit_says_in_the_language_of_the_reader_what_it_found(code: str) -> None:
    """The frame of each line was Korean, and what somebody had done English."""
    words, why = load(code), "signed two entries that answer one log"
    found = report(
        damage="byte 70: the entry is there twice",
        ending="the file ends at byte 90, where 'choose' of ada is due",
        unproven=["byte 80: nothing here proves it against grace"],
    )
    found.verdicts[1] = Verdict(1, "grace", False, why)
    lines = "\n".join(report_lines(words, found))
    assert words("error.blame_two_entries") in lines and words("error.blame_entry_twice") in lines
    assert words("error.blame_nothing_proves", name="grace") in lines
    assert not any(each in lines for each in ("entry", "entries", "proves", "ends at"))


@pytest.mark.parametrize(
    ("kind", "said"),
    [("unseal", "its sealed choice was opened"), ("roll", "its roll was opened"),
     ("share", "its cards were shown")],
)  # fmt: skip
def test_an_audit_says_what_was_not_opened_by_who_left(kind: str, said: str) -> None:
    found = report()
    found.verdicts[1] = replace(found.verdicts[1], withheld=Withheld(57, kind))
    (line,) = (each for each in report_lines(load("en"), found) if "grace" in each)
    assert line == f"seat 2 grace: honest, gone from entry 57 on, left before {said} (entry 57)"
    seats: Any = found.plain()["seats"]
    assert seats[1]["withheld"] == {"entry": 57, "kind": kind}


ALL_LEFT = "all have left this game for good, so nobody can go on with it"


@ui
async def test_a_table_that_cannot_go_on_is_left_and_why_is_read_until_it_is_closed() -> None:
    """The board stayed, with YOUR TURN and a choice that led nowhere; why was gone in a moment."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_table(pilot)
        app.publish(Notice("seat 1 is silent", is_news=True))
        await settled(pilot)
        assert isinstance(app.screen, TableScreen), "that is no end of it"
        app.publish(Notice(ALL_LEFT, "open a new table", ends_table=True))
        await shown(pilot, "The table has stopped")
        assert f"{ALL_LEFT}; open a new table" in " ".join(whole_text(app).split())
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)


@ui
async def test_a_result_stays_on_the_screen_when_its_table_ends() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.is_seated = True
        app.publish(the_end("carta").news)
        await settled(pilot)
        before = app.screen
        app.publish(Notice("the disk is full", ends_table=True))
        await shown(pilot, "the disk is full")
        assert app.screen is before


def test_in_lines_of_text_whose_table_cannot_go_on_is_in_the_lobby_again() -> None:
    presenter = PlainPresenter(load("en"))
    presenter.receive(PracticePort().begin().news())
    assert presenter.newest is not None
    (line,) = presenter.receive(Notice(ALL_LEFT, ends_table=True))
    assert line == ALL_LEFT and presenter.newest is None
