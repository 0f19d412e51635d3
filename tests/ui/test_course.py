"""How the chances went: on the page of the result by itself, in a replay, and in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio.testing
from rich.cells import cell_len
from textual.pilot import Pilot

from ai.advice.win_probability import TurningPoint, WinCurve
from core.errors import HostlessError
from p2p.session.news import Notice, TableChanged
from tests.limits import HANGS_S
from tests.ui.driving import an_app, port_of, settled, shown, whole_text
from tests.ui.fakes import PATH, PracticePort, ui
from tests.ui.test_practice import a_recording, replaying
from ui.app import HostlessApp
from ui.backend.hints import Adviser
from ui.draw.course import draw_course
from ui.language.text import ASCII_OF, LANGUAGE_NAMES, load
from ui.model.view_model import view_model
from ui.plain.presenter import PlainPresenter
from ui.port import Explain, TraceWinCurve, UiNews, WinCurveTraced
from ui.replay.course import turned_sentence
from ui.screens.end import EndScreen, draw_end
from ui.screens.replays import ReplayScreen
from ui.terminal.spans import row_width, to_text

COURSE = WinCurve((1, 2, 3, 4), ((333, 333, 334), (400, 300, 300), (100, 800, 100), (0, 1000, 0)),
                  TurningPoint(2, 9, 14, 310, 790))  # fmt: skip
EVEN = COURSE._replace(turned=None)


def over(*, is_finished: bool = True) -> TableChanged:
    return replace(PracticePort().begin().play(10_000).news(), is_finished=is_finished)


def where(app: HostlessApp) -> type[object]:
    return type(app.screen)


async def at_the_end(pilot: Pilot[int], news: TableChanged) -> None:
    app = pilot.app
    assert isinstance(app, HostlessApp)
    app.is_seated = True
    app.publish(news)
    await shown(pilot, "WHO WON AND WHY")


@ui
async def test_the_page_asks_by_itself_and_nothing_on_it_moves() -> None:
    app = an_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await at_the_end(pilot, over(is_finished=False))
        await settled(pilot)
        assert TraceWinCurve(PATH) not in port_of(app).sent, "the file is not complete"
        app.publish(over())
        await settled(pilot)
        assert port_of(app).sent[-1] == TraceWinCurve(PATH)
        before = whole_text(app).splitlines()
        app.publish(WinCurveTraced(PATH, COURSE))
        await shown(pilot, "Where the game turned")
        after = whole_text(app).splitlines()
        changed = [
            at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]
        ]
        first = next(at for at, line in enumerate(before) if "HOW THE CHANCES WENT" in line)
        assert len(changed) <= 8 and first < changed[0] and changed[-1] <= first + 8
        assert "31% to 79%" in whole_text(app) and "▃▃" in whole_text(app)


def test_a_broad_page_has_higher_curves_and_what_happened_beside_them() -> None:
    model = view_model(load("en"), over())
    pages = {width: draw_end(model, width, COURSE) for width in (110, 198)}
    lines = {width: to_text(rows).splitlines() for width, rows in pages.items()}
    beside = {width: next(line for line in lines[width] if "WHO WON" in line) for width in lines}
    assert ["HOW IT ENDED" in beside[width] or "HURT" in beside[width] for width in (110, 198)] == [
        False, True]  # fmt: skip
    assert max(map(row_width, pages[198])) <= 198
    assert [sum("█" in line for line in lines[width]) for width in (110, 198)] == [1, 5]
    assert len({len(draw_course(model, each, 100, 3)) for each in (None, COURSE, EVEN)}) == 1


@ui
async def test_the_page_says_whose_signature_under_the_result_is_missing() -> None:
    app = an_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await at_the_end(pilot, replace(over(is_finished=False), unsigned=(1,)))
        await shown(pilot, "The result is what the rules give. Not signed yet by grace.")
        app.publish(over())
        await settled(pilot)
        assert "Not signed yet" not in whole_text(app)


@ui
async def test_one_key_shows_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = a_recording()
    monkeypatch.setattr("ui.screens.opened.read_recording", lambda path: recording)
    app = an_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await at_the_end(pilot, over())
        await pilot.press("t")
        await shown(pilot, "Every turn is thought about again")
        assert where(app) is EndScreen
        app.publish(WinCurveTraced(PATH, COURSE))
        await settled(pilot)
        await pilot.press("t")
        for _ in range(200):
            await pilot.pause(0.01)
            if where(app) is ReplayScreen:
                break
        assert isinstance(app.screen, ReplayScreen) and app.screen.position == 9


@ui
async def test_who_leaves_the_page_ends_the_thinking() -> None:
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await at_the_end(pilot, over())
        await pilot.press("escape")
        await settled(pilot)
        assert port_of(app).sent[-1] == Explain(None)


@ui
async def test_a_page_on_which_something_else_was_thought_about_asks_again_when_closed() -> None:
    app = an_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await at_the_end(pilot, over())
        await settled(pilot)
        app.show_help("lobby")
        await settled(pilot)
        asked = port_of(app).sent.count(TraceWinCurve(PATH))
        await pilot.press("escape")
        await settled(pilot)
        assert port_of(app).sent.count(TraceWinCurve(PATH)) == asked + 1
        app.publish(WinCurveTraced(PATH, EVEN))
        await shown(pilot, "No single turn decided it")
        app.show_help("lobby")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert port_of(app).sent.count(TraceWinCurve(PATH)) == asked + 1, "it is known"


@ui
async def test_a_replay_leads_there_as_well() -> None:
    port = PracticePort(seed=5, players=2).begin().play(10_000)
    from ui.replay.recording import record

    whole = record("carta", port.news().seats, {}, port.history)
    app = replaying(replace(whole, path=PATH))
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("t")
        await settled(pilot)
        assert port_of(app).sent[-1] == TraceWinCurve(PATH)
        app.publish(WinCurveTraced(PATH, COURSE))
        await shown(pilot, "Where the game turned")
        assert isinstance(app.screen, ReplayScreen) and app.screen.position == 9


@ui
async def test_a_replay_of_a_game_that_is_not_over_says_so() -> None:
    app = replaying(a_recording())
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("t")
        await shown(pilot, "once it is over")
        assert not [each for each in port_of(app).sent if isinstance(each, TraceWinCurve)]


@ui
async def test_where_the_game_turned_stands_above_what_makes_it_certain() -> None:
    """At 80x24 it was below the edge."""
    app = an_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.is_seated = True
        app.publish(port_of(app).begin().play(10_000).news())
        await shown(pilot, "Every turn is thought about again")
        text = whole_text(app)
        assert "…" not in text, "every heading is whole"


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [50, 76, 100])
def test_the_panel_is_as_high_before_as_after_and_fits(language: str, width: int) -> None:
    model = view_model(load(language), over())
    points = tuple(range(1, 41))
    long = WinCurve(points, ((1000, 0, 0),) * 40, TurningPoint(40, 9, 14, 310, 790))
    heights = set()
    for course in (None, COURSE, EVEN, long):
        rows = draw_course(model, course, width)
        heights.add(len(rows))
        assert all(cell_len(to_text([row])) <= width for row in rows)
    assert len(heights) == 1
    assert "█" in to_text(draw_course(model, long, width))
    assert to_text(draw_course(model, COURSE, width)).translate(ASCII_OF).count("?") == 0


def test_the_turn_is_called_as_the_log_calls_it_or_by_its_number() -> None:
    news = over()
    assert "Where the game turned: grace's turn 1. " in turned_sentence(
        view_model(load("en"), news), COURSE, "t"
    )
    plain = replace(news, lines=tuple(line for line in news.lines if line.kind == "chosen"))
    assert "turned: turn 2 of 3. " in turned_sentence(view_model(load("en"), plain), COURSE, "t")


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_in_words_review_tells_it(language: str) -> None:
    words, presenter = load(language), PlainPresenter(load(language))
    assert presenter.read("review").lines == (words("course.over"),)
    presenter.receive(over())
    assert presenter.read("review").command == TraceWinCurve(PATH)
    assert presenter.receive(WinCurveTraced(Path("another"), COURSE)) == []
    lines = presenter.receive(WinCurveTraced(PATH, COURSE))
    assert len(lines) == 4 and words.listed(["33%", "40%", "10%", "0%"]) in lines[0]
    assert "31%" in lines[-1] and "79%" in lines[-1]


async def test_the_adviser_thinks_about_it_once_and_gives_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, heard = list[Path](), list[UiNews]()
    released = trio.Event()

    class Slow:
        """A brain that waits until it may answer."""

        async def ask(self, work: object, path: Path) -> WinCurve:
            asked.append(path)
            await released.wait()
            if path.name == "broken":
                raise HostlessError("this is not a game file")
            return COURSE

    async def opened(self: Adviser) -> Slow:
        return Slow()

    monkeypatch.setattr(Adviser, "_open_brain", opened)
    with trio.fail_after(HANGS_S):
        async with trio.open_nursery() as nursery:
            adviser = Adviser(nursery, heard.append)
            adviser.ask(TraceWinCurve(PATH))
            await trio.testing.wait_all_tasks_blocked()
            adviser.ask(TraceWinCurve(PATH))
            await trio.testing.wait_all_tasks_blocked()
            assert asked == [PATH], "the same is not begun again"
            adviser.ask(Explain(None))
            adviser.ask(TraceWinCurve(PATH))
            await trio.testing.wait_all_tasks_blocked()
            assert asked == [PATH, PATH] and not heard
            released.set()
            await trio.testing.wait_all_tasks_blocked()
            assert heard == [WinCurveTraced(PATH, COURSE)]
            adviser.ask(TraceWinCurve(Path("broken")))
            await trio.testing.wait_all_tasks_blocked()
            assert heard[1:] == [Notice("this is not a game file")]


@pytest.mark.parametrize("width", [76, 98, 100])
def test_the_turns_fill_the_room_of_their_panel(width: int) -> None:
    """Up to a half of it was empty."""
    model = view_model(load("en"), over())
    many = COURSE._replace(numbers=tuple(range(1, 48)), chances=((333, 333, 334),) * 47)
    for course in (COURSE, many):
        rows = to_text(draw_course(model, course, width)).splitlines()
        curves = [row for row in rows if "▃" in row or "█" in row]
        assert len(curves) == len(model.seats)
        assert all(row[-3] in "▁▂▃▄▅▆▇█" for row in curves)
