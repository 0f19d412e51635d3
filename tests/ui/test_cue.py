"""What has just changed is marked for a moment, and nobody waits for that."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from p2p.session.news import TableChanged
from tests.ui.driving import QUIET, an_app, at_table, is_playing, my_chosen, port_of
from tests.ui.fakes import PracticePort, ui
from ui.draw.cue import mark_changes
from ui.screens.table import COUNT_S, TableScreen
from ui.settings import Settings
from ui.terminal.spans import Row, Span, to_text
from ui.widgets.rows import RowsWidget

BEFORE: list[Row] = [[Span("│ Deck ", "dim"), Span("41", "bold", "pile")], [Span("│ " + "x" * 40)]]
AFTER: list[Row] = [[Span("│ Deck ", "dim"), Span("40", "bold", "pile")], [Span("│ " + "x" * 40)]]


def marked(rows: list[Row]) -> list[str]:
    return [span.text for row in rows for span in row if "reverse" in span.style]


def test_the_words_that_are_new_are_marked_and_can_still_be_clicked() -> None:
    rows = mark_changes(BEFORE, AFTER)
    assert marked(rows) == ["40"]
    assert [[span.text for span in row] for row in rows] == [["│ Deck ", "40"], ["│ " + "x" * 40]]
    assert rows[0][1].hot == "pile" and rows[0][1].style.startswith("bold")


def test_where_nothing_or_all_is_new_nothing_is_marked() -> None:
    assert mark_changes(AFTER, AFTER) == []
    assert mark_changes([[Span("abc def")]], [[Span("xyz uvw")]]) == []
    assert marked(mark_changes(BEFORE, AFTER[:1])) == marked(mark_changes(BEFORE[:1], AFTER))
    old, new = [[Span("하나 둘 " + "x" * 30)]], [[Span("하나 셋 " + "x" * 30)]]
    assert marked(mark_changes(old, new)) == ["셋"]


@pytest.mark.parametrize("has_cues", [True, False])
def test_a_cue_ends_by_itself_and_takes_no_key(has_cues: bool) -> None:
    @ui
    async def look() -> None:
        app = an_app(settings=Settings(is_automatic=False, takes_back=False, has_cues=has_cues))
        async with app.run_test(size=(120, 36)) as pilot:
            screen = await at_table(pilot, is_playing)
            seen: list[int] = []
            strip = screen.query_one("#board", RowsWidget)
            plain = strip.show

            def show(drawing: object) -> None:
                plain(drawing)  # type: ignore[arg-type]
                rows, drawn = strip.rows(strip.content_size.width), screen.frame
                assert drawn is not None
                seen.append(int(rows != drawn.board))

            strip.show = show  # type: ignore[method-assign,assignment]
            await pilot.press("1", "enter")
            for _ in range(60):
                await pilot.pause(0.01)
            assert len(my_chosen(port_of(app))) == 1
            assert (1 in seen) == has_cues and seen[-1] == 0

    look()


def waiting_for_a_bot(port: PracticePort) -> TableChanged:
    """It is the turn of the bot, which thinks."""
    news = port.news()
    return replace(news, view=replace(news.view, offers=(), to_act=(2,)), turn=None)


def shown_bar(screen: TableScreen) -> str:
    """The whole bar as it stands there."""
    strip = screen.query_one("#prompt", RowsWidget)
    return to_text(strip.rows(strip.content_size.width)).splitlines()[0]


def bar_of(screen: TableScreen, seconds: int) -> list[str]:
    """How the bar begins after each of some seconds."""
    begins = []
    for _ in range(seconds):
        screen._count_down()
        strip = screen.query_one("#prompt", RowsWidget)
        begins.append(to_text(strip.rows(strip.content_size.width))[:3])
    return begins


@ui
async def test_a_bot_that_thinks_long_is_seen_to_think_one_step_in_a_second() -> None:
    app = an_app(settings=replace(QUIET, has_cues=True))
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await at_table(pilot)
        screen.show(waiting_for_a_bot(port_of(app)))
        assert COUNT_S >= 0.5, "nothing moves more than twice in a second"
        begins = bar_of(screen, 6)
        assert begins[0] == " · " and set(begins[1:]) == {"·  ", " · ", "  ·"}
        assert all(one != two for one, two in pairwise(begins[1:]))
        screen.show(port_of(app).news())
        assert bar_of(screen, 3) == [" ▶ "] * 3


def waiting_for_a_person(port: PracticePort) -> TableChanged:
    """It is the turn of the other person, who thinks."""
    news = waiting_for_a_bot(port)
    return replace(news, view=replace(news.view, to_act=(1,)))


@ui
async def test_it_is_shown_for_how_long_somebody_has_been_waited_for() -> None:
    app = an_app(settings=replace(QUIET, has_cues=True))
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await at_table(pilot)
        screen.show(waiting_for_a_person(port_of(app)))
        bar_of(screen, 9)
        assert "0:10" not in shown_bar(screen)
        bar_of(screen, 1)
        assert shown_bar(screen).endswith(" 0:10")
        bar_of(screen, 57)
        assert shown_bar(screen).endswith(" 1:05")
        screen.show(port_of(app).news())
        assert "1:05" not in shown_bar(screen)
        bar_of(screen, 20)
        assert "0:" not in shown_bar(screen), "My own time is nobody's concern."


@pytest.mark.parametrize("who", ["has_no_cues", "wants_no_motion", "waits_for_a_person"])
def test_nothing_moves_where_that_is_not_wanted_or_nobody_computes(who: str) -> None:
    @ui
    async def look() -> None:
        app = an_app(settings=replace(QUIET, has_cues=who != "has_no_cues"))
        if who == "wants_no_motion":
            app.animation_level = "none"
        async with app.run_test(size=(120, 36)) as pilot:
            screen = await at_table(pilot)
            waiting = waiting_for_a_person if who == "waits_for_a_person" else waiting_for_a_bot
            screen.show(waiting(port_of(app)))
            assert bar_of(screen, 5) == [" · "] * 5

    look()
