"""The one who is left is told what can be done, has to be sure, and is told what came of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p.audit.audit import Report, Verdict
from p2p.audit.seats import Withheld
from p2p.log.claim import Unverified, WinClaim
from p2p.session.news import ClaimWin, GoOnAlone, Silence, TableChanged
from tests.ui.driving import an_app, at_table, port_of, shown, text_of, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.actions import actions_of
from ui.app import HostlessApp
from ui.commands.audit import report_lines
from ui.teller import Teller
from ui.text import load

LEFT = Silence(("grace", "alan"), may_go_on=True)
ALONE = Unverified(57, "ada")


def left(port: PracticePort, silence: Silence | None = LEFT) -> TableChanged:
    """My turn is over, and nobody answers."""
    news = port.news()
    seen = replace(news.view, offers=(), to_act=(1,))
    return replace(news, view=seen, turn=None, silence=silence)


def over(port: PracticePort) -> TableChanged:
    """The end of a game that I played alone."""
    return replace(port.begin().play(10_000).news(), unverified=ALONE)


# ---- on the screen ----


@ui
async def test_the_screen_says_what_can_be_done_when_nobody_answers() -> None:
    app = an_app()
    async with app.run_test(size=(110, 30), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(left(port_of(app)))
        await shown(pilot, "grace, alan does not answer. You")
        assert "q adjourns, C claims the win, A goes on alone" in text_of(app, "prompt")
        app.publish(left(port_of(app), replace(LEFT, may_go_on=False)))
        await pilot.pause()
        assert "goes on alone" not in text_of(app, "prompt")


@ui
async def test_a_win_is_claimed_by_the_second_press_of_its_key() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        await at_table(pilot)
        app.publish(left(port_of(app)))
        await pilot.press("C")
        await shown(pilot, "Press C once more")
        await pilot.press("A")
        await shown(pilot, "Press A once more")
        assert not decided(app), "neither was said twice"
        await pilot.press("C", "C")
        assert decided(app) == [ClaimWin()]
        assert not app.is_seated, "whoever claims gets up"


def decided(app: HostlessApp) -> list[object]:
    """What was asked of the node about those who are silent."""
    return [each for each in port_of(app).sent if isinstance(each, ClaimWin | GoOnAlone)]


@ui
async def test_going_on_alone_takes_two_presses_and_then_the_title_says_so() -> None:
    app = an_app()
    async with app.run_test(size=(120, 32), notifications=True) as pilot:
        await at_table(pilot)
        app.publish(left(port_of(app)))
        await pilot.press("A")
        assert not decided(app)
        await pilot.press("A")
        assert decided(app) == [GoOnAlone()] and app.is_seated
        app.publish(replace(port_of(app).news(), unverified=ALONE))
        await shown(pilot, "unverified from entry 57 on: ada went on alone")
        await pilot.press("A")
        await shown(pilot, "not silent for long enough")
        await pilot.press("f")
        await shown(pilot, "one machine has spoken for all seats")


@ui
async def test_whoever_is_not_left_can_do_neither() -> None:
    app = an_app()
    async with app.run_test(notifications=True) as pilot:
        await at_table(pilot)
        await pilot.press("C", "C", "A", "A")
        await shown(pilot, "The others are not")
        assert not decided(app)


@ui
async def test_the_end_of_a_game_that_was_played_alone_is_not_called_proven() -> None:
    port = PracticePort(seed=5)
    app = an_app(port)
    async with app.run_test(size=(100, 30)) as pilot:
        port.begin()
        app.is_seated = True
        app.publish(over(port))
        await shown(pilot, "went on alone")
        assert "every proof verified" not in whole_text(app)


def test_what_can_be_done_has_its_keys_in_the_registry() -> None:
    keys = {action.name: action.key for action in actions_of("table")}
    assert (keys["leave"], keys["claim_win"], keys["go_on_alone"]) == ("q", "C", "A")


# ---- in lines of text ----


def a_teller(language: str = "en") -> Teller:
    return Teller(load(language), is_automatic=False)


def test_lines_of_text_say_it_once_each_time() -> None:
    port, teller = PracticePort().begin(), a_teller()
    teller.receive(replace(port.news(), silence=None))
    lines = teller.receive(left(port))
    assert lines[0] == "grace, alan does not answer." and "claim win" in lines[1]
    assert teller.receive(left(port)) == [] and teller.is_ready
    teller.receive(left(port, None))
    assert not teller.is_ready, "there is nothing to say any more"
    stuck = teller.receive(left(port, replace(LEFT, may_go_on=False)))
    assert "nobody can go on alone" in stuck[1]


@pytest.mark.parametrize(
    ("text", "command"), [("claim win", ClaimWin()), ("go on alone", GoOnAlone())]
)
def test_it_is_done_when_it_was_typed_twice(text: str, command: object) -> None:
    port, teller = PracticePort().begin(), a_teller()
    teller.receive(port.news())
    assert teller.read(text).command is None, "nobody is silent"
    teller.receive(left(port))
    first = teller.read(text)
    assert first.command is None and "once more" in first.lines[0]
    assert teller.read(text).command == command
    assert teller.read(text).command is None, "once more is asked once more"


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_lines_of_text_say_that_one_speaks_for_all_at_once_and_at_the_end(language: str) -> None:
    port, teller = PracticePort(seed=5).begin(), a_teller(language)
    teller.receive(port.news())
    said = load(language)("fair.unverified", entry=57, name="ada")
    news = replace(port.news(), unverified=ALONE)
    assert teller.receive(news).count(said) == 1 and said not in teller.receive(news)
    assert said in teller.read("fair").lines
    assert said in teller.receive(over(port))


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


def test_an_audit_does_not_take_what_is_unverified_for_verified() -> None:
    found = report(unverified=ALONE, winners=("ada",), is_finished=True)
    lines = report_lines(load("en"), found)
    assert "unverified from entry 57 on: ada went on alone" in lines
    assert "won by ada, unverified" in lines and "won by ada" not in lines
    assert lines[-1].startswith("every check holds;") and "nobody else vouches" in lines[-1]
    assert found.plain()["unverified"] == {"entry": 57, "name": "ada"}
