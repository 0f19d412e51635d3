"""Renaissance on the screen and in lines: events with their spaces, rows by symbol, stones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.games import find_game
from p2p.session.news import TableChanged
from tests.ui.driving import QUIET, an_app, at_table, my_chosen, port_of, whole_text
from tests.ui.fakes import PracticePort, ui
from ui.draw.boards import draw_boards, draw_stock, keys_on_boards
from ui.ink import Row, row_width
from ui.picture import Picture, paint
from ui.table_lines import table_lines
from ui.text import LANGUAGE_NAMES, load

PLAYERS = 3


def a_port(seed: int = 3) -> PracticePort:
    return PracticePort(seed=seed, players=PLAYERS, game=find_game("renaissance")).begin()


def in_phase(phase: str, seed: int = 3) -> PracticePort:
    """A game in which I am asked in this phase."""
    port = a_port(seed)
    return port.play_until(lambda news: news.view.phase == phase)


def picture_of(port: PracticePort, language: str = "en") -> Picture:
    return paint(load(language), port.news())


def text(rows: list[Row]) -> list[str]:
    return ["".join(span.text for span in row) for row in rows]


def test_every_event_has_a_line_with_symbols_dice_and_all_its_spaces() -> None:
    picture = picture_of(in_phase("place"))
    lines = text(draw_boards(picture, (), 80))
    boards = picture.look.boards(picture.view)
    assert len(lines) == len(boards) > 2
    for line, board in zip(lines, boards, strict=True):
        assert line.startswith(f" {board.letter} ")
        for space in board.spaces:
            assert f"{space.letter}{space.name.partition('.')[2]}" in line
        assert not board.face or f"▣{board.dice}" in line


def test_a_space_where_a_stone_may_go_shows_its_key_and_is_not_listed_again() -> None:
    picture = picture_of(in_phase("place"))
    places = [pick for pick in picture.picks if pick.offer.text.startswith("place ")]
    lines = "\n".join(text(draw_boards(picture, (), 120)))
    assert places and all(f"={pick.label}" in lines for pick in places)
    assert {pick.label for pick in places} <= keys_on_boards(picture)


def test_a_piece_is_a_letter_of_its_color_and_a_star_for_a_genius() -> None:
    port = a_port()
    port.play_until(lambda news: any(
        space.piece.endswith("*")
        for board in paint(load("en"), news).look.boards(news.view) for space in board.spaces
    ))  # fmt: skip
    marks = {
        space.piece
        for board in picture_of(port).look.boards(port.news().view)
        for space in board.spaces
    }
    assert marks <= {"", "Y", "R", "K", "Y*", "R*", "K*"} and len(marks) > 1


def test_rows_are_counted_by_symbol_and_stones_by_letter() -> None:
    picture = picture_of(in_phase("act"))
    for seat in picture.seats:
        faces = [pile.face for pile in seat.piles]
        assert faces[:5] == ["science", "architecture", "finance", "exploration", "religion"]
        counters = picture.view.counters
        stones = sum(
            counters[f"seat{seat.seat}.stones.{color}"]
            for color in ("yellow", "red", "black", "white")
        )
        shown = [span.text for span in draw_stock(picture, seat.seat)]
        assert sum(int(each[1:]) for each in shown if each[0] in "YRKW") == stones


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
@pytest.mark.parametrize("width", [60, 80, 84, 120])
def test_lines_of_events_are_never_wider_than_the_screen(language: str, width: int) -> None:
    picture = picture_of(in_phase("place"), language)
    assert all(row_width(row) <= width for row in draw_boards(picture, (), width))


@pytest.mark.parametrize("language", LANGUAGE_NAMES)
def test_no_key_of_the_game_is_shown_for_want_of_a_name(language: str) -> None:
    words, port = load(language), a_port()
    for _ in range(60):
        news: TableChanged = port.news()
        if news.view.is_over:
            break
        picture = paint(words, news)
        sentences = [*picture.lines(), *(pick.text for pick in picture.picks)]
        assert not [each for each in sentences if "culture." in each or "person." in each]
        assert words.has(f"phase.renaissance.{news.view.phase}")
        port.play(1)


def test_lines_of_text_tell_events_stones_and_the_display() -> None:
    lines = table_lines(picture_of(in_phase("place")))
    assert sum(line.startswith("Event ") for line in lines) > 2
    assert any(line.startswith("Display: ") for line in lines)
    assert all(cell_len(line) < 400 for line in lines)


@ui
async def test_a_letter_on_an_event_and_enter_place_a_stone() -> None:
    app = an_app(a_port(), replace(QUIET))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_table(pilot, lambda news: news.view.phase == "place")
        assert screen.picture is not None
        pick = next(each for each in screen.picture.picks if each.offer.action.verb == "place")
        assert f"={pick.label}" in whole_text(app)
        await pilot.press(pick.label, "enter")
        assert my_chosen(port_of(app))[-1].action == pick.offer.action


@ui
@pytest.mark.parametrize("size", [(80, 24), (120, 32), (60, 20)])
async def test_the_hand_is_on_the_screen_beside_everything_else(size: tuple[int, int]) -> None:
    app = an_app(a_port())
    async with app.run_test(size=size) as pilot:
        await at_table(pilot, lambda news: news.view.phase == "act")
        shown = whole_text(app)
        assert "YOUR TURN: a card action" in shown and "Display" in shown
