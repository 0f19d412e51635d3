"""What has just changed is marked for a moment, and nobody waits for that."""

from __future__ import annotations

import pytest

from tests.ui.driving import an_app, at_table, is_playing, my_chosen, port_of
from tests.ui.fakes import ui
from ui.draw.cue import mark_changes
from ui.ink import Row, Span
from ui.settings import Settings
from ui.widgets.strip import Strip

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
            strip = screen.query_one("#board", Strip)
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
