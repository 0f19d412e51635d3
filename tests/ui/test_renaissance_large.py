"""Renaissance where there is much room: who would win each event now, and whole names of rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui.test_renaissance import in_phase, model_of
from ui.draw.frame import draw_table
from ui.draw.scene import Scene
from ui.games.renaissance.facts import card_row, culture_rows
from ui.games.renaissance.large import everybody
from ui.games.renaissance.position import best_symbol, locations, symbol_count
from ui.language.text import LANGUAGE_NAMES
from ui.model.view_model import view_model
from ui.terminal.spans import to_text

LARGE = (200, 50)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_every_event_says_who_would_win_it_now(seed: int, code: str) -> None:
    """The room below the events was empty."""
    model = model_of(in_phase("place", seed), code)
    words, view = model.words, model.view
    text = to_text(draw_table(Scene(model, width=LARGE[0], height=LARGE[1])).board)
    _, _, told = text.partition(words("renaissance.now"))
    for place in (each for each in locations(view) if each.event is not None):
        line = next(each for each in told.splitlines() if each.startswith(f"│ {place.letter} "))
        assert words("renaissance.duel", stake=place.stake) in line
        for seat in place.owners:
            count = symbol_count(view, seat, best_symbol(view, place, seat))
            name = words("board.you") if seat == view.seat else model.seats[seat].name
            assert f"{name} " in line and f" {count}" in line, line
        assert place.owners or words("renaissance.nobody") in line


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_every_row_is_counted_by_the_whole_name_of_its_symbol(code: str) -> None:
    model = model_of(in_phase("duel"), code)
    text = to_text(draw_table(Scene(model, width=LARGE[0], height=LARGE[1])).board)
    _, _, told = text.partition(model.words("renaissance.everybody"))
    for seat in model.seats:
        for pile in (each for each in seat.piles[:5] if each.count):
            assert f"{model.words.name('face', pile.face)} {pile.count}" in told


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_what_is_counted_beside_the_rows_of_a_seat_is_not_read_as_one_number(code: str) -> None:
    """In Korean and Japanese it said 010 at 120x36."""
    model = model_of(in_phase("duel"), code)
    text = to_text(draw_table(Scene(model, width=120, height=36)).side).splitlines()
    head = next(at for at, row in enumerate(text) if "▌ ★ ★" in row)
    counted = [row.removesuffix("│").split()[-3:] for row in text[head + 1 :][: len(model.seats)]]
    assert len(counted) == len(model.seats)
    assert all(len(each) == 1 and each.isdigit() for row in counted for each in row)


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
def test_the_cards_of_the_rows_have_what_room_the_counts_leave(code: str) -> None:
    """Beside a column every first card was cut behind eight letters."""
    model = model_of(in_phase("act", seed=0), code)
    (card,) = next(pile.cards for seat in model.seats for pile in seat.piles[:5] if pile.cards)
    assert card.face == "culture.exploration.red"
    scene = Scene(model, width=120, height=40)
    text = to_text(everybody(scene, 84, 7))
    assert f"   {to_text([card_row(scene, card.face)])}" in text, text


def test_who_places_a_stone_does_not_change_places_in_the_rows() -> None:
    """It was sorted by stones, of which everybody has one fewer for a while."""
    model = model_of(in_phase("place"))
    counters = {**model.view.counters, "seat0.stones.yellow": 0}
    news = replace(model.news, view=replace(model.view, counters=counters))
    for each in (model, view_model(model.words, news)):
        text = to_text(culture_rows(Scene(each, width=120, height=36), 32)).splitlines()[1:]
        assert [row.split()[0] for row in text] == ["Y", "R", "K"]
