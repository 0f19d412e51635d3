"""Renaissance where there is little room: nothing is left out without a sign, and names stay."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2p.session.news import TableChanged
from tests.ui.test_renaissance import a_port, in_phase, model_of
from ui.draw.choices import labels_in
from ui.draw.frame import draw_table
from ui.draw.marks import CAP
from ui.draw.scene import Scene
from ui.games.renaissance.position import culture_outcome, locations
from ui.language.text import LANGUAGE_NAMES, load
from ui.model.story import since_my_turn
from ui.model.view_model import view_model
from ui.terminal.spans import to_text

SMALL = (60, 16)
USUAL = (80, 24)


@pytest.mark.parametrize("size", [SMALL, USUAL])
@pytest.mark.parametrize("phase", ["place", "act", "name", "duel", "bonus"])
@pytest.mark.parametrize("seed", range(4))
def test_every_event_and_all_its_spaces_are_drawn(
    seed: int, phase: str, size: tuple[int, int]
) -> None:
    """On the smallest terminal the last events were missing, and half of the spaces of another."""
    model = model_of(in_phase(phase, seed))
    text = to_text(draw_table(Scene(model, width=size[0], height=size[1])).board)
    drawn = len(re.findall(r"[(\[](?: ?★?\d ?| ?[YRKW][ ★]?)[)\]]", text))
    assert drawn == sum(len(place.pieces) for place in locations(model.view)), text


@pytest.mark.parametrize("size", [SMALL, USUAL])
@pytest.mark.parametrize("seed", range(4))
def test_every_seat_has_its_name_and_what_its_rows_count(seed: int, size: tuple[int, int]) -> None:
    """It was `K 7+2 R 6 Y 4` on the smallest, and of the others nobody saw any row."""
    model = model_of(in_phase("act", seed))
    text = to_text(draw_table(Scene(model, width=size[0], height=size[1])).board)
    for seat in model.seats:
        name = model.words("board.you") if seat.seat == model.view.seat else seat.name
        told = re.search(rf" [YRKW]  {name} [\d+]+★?(:[^★]*?)?(?=  |\n|$)", text)
        assert told, text
        counts = [int(each) for each in re.findall(r"(?:[a-z]) (\d+)", told[0].partition(":")[2])]
        shown = [pile.count for pile in seat.piles[:5] if pile.count]
        assert counts[: len(shown)] == shown, told[0]


@pytest.mark.parametrize("code", LANGUAGE_NAMES)
@pytest.mark.parametrize("size", [SMALL, USUAL])
def test_both_outcomes_of_an_event_are_told_with_the_keys_that_bring_them(
    code: str, size: tuple[int, int]
) -> None:
    """Only the first was, and its number could be taken for a key."""
    for seed in range(6):
        model = model_of(in_phase("place", seed), code)
        text = to_text(draw_table(Scene(model, width=size[0], height=size[1])).board)
        for place in locations(model.view):
            for space in range(len(place.pieces)):
                spot = f"{place.letter}{space + 1}"
                if model.pick(spot) and place.filled_by(space):
                    assert f" {spot} " in text, text


@pytest.mark.parametrize("seed", range(4))
def test_what_happened_has_a_row_also_where_the_hand_is_empty(seed: int) -> None:
    """Paths took the rows that the hand had left."""
    news = a_port(seed).play_until(is_my_later_turn).news()
    zones = {**news.view.zones, "seat0.hand": ()}
    model = view_model(load("en"), replace(news, view=replace(news.view, zones=zones)))
    text = to_text(draw_table(Scene(model, width=80, height=24)).board)
    deeds = [each.text for each in since_my_turn(model) if each.is_deed]
    assert deeds and any(deed[:20] in text for deed in deeds), text


def is_my_later_turn(news: TableChanged) -> bool:
    told = since_my_turn(view_model(load("en"), news))
    return news.view.phase == "place" and sum(each.is_heading for each in told) == 2


def has_twins(news: TableChanged, zone: str) -> bool:
    faces = [card.face for card in news.view.zones[zone]]
    wanted = ("act",) if zone == "display" else ("act", "name", "duel", "place")
    return news.view.phase in wanted and len(set(faces)) < len(faces)


@pytest.mark.parametrize("zone", ["seat0.hand", "display"])
@pytest.mark.parametrize("size", [SMALL, USUAL, (120, 36)])
def test_equal_cards_are_one_card_with_a_count(size: tuple[int, int], zone: str) -> None:
    """They were two cards, and in the display both had the same key."""
    ports = (a_port(seed).play_until(lambda news: has_twins(news, zone)) for seed in range(9))
    model = model_of(next(port for port in ports if has_twins(port.news(), zone)))
    frame = draw_table(Scene(model, width=size[0], height=size[1]))
    text = to_text([*frame.board, *frame.hand, *frame.side])
    assert "×2" in text or (size == SMALL and zone == "display"), text
    keys = [span.text for row in [*frame.board, *frame.side] for span in row if span.style == CAP]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("seed", range(3))
def test_any_number_of_equal_cards_picks_them(seed: int) -> None:
    model = model_of(in_phase("act", seed))
    frame = draw_table(Scene(model, width=120, height=36))
    assert {pick.label for pick in model.picks} <= labels_in(
        [*frame.board, *frame.hand, *frame.side]
    )


def test_alone_without_a_symbol_of_the_event_is_called_winning_nothing_and_not_level() -> None:
    for seed in range(40):
        model = model_of(in_phase("place", seed))
        view = model.view
        for place in locations(view):
            blues = [space for space in range(len(place.pieces))
                     if place.filled_by(space) == "B" and set(place.owners) <= {view.seat}
                     and model.pick(f"{place.letter}{space + 1}")]  # fmt: skip
            assert view.seat is not None
            if blues and culture_outcome(view, place, view.seat).mine == 0:
                text = to_text(draw_table(Scene(model, width=80, height=24)).board)
                assert "nothing won" in text, text
                return
    pytest.fail("no such moment")
