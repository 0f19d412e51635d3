"""What begins anew with a turn and a phase, and what is looked at after every change."""

from __future__ import annotations

import pytest

from core.games.civilization import course
from core.games.civilization.layout import EVENT_DECK, EVENT_DISCARD, FROZEN, UNIT_DEAD, UNIT_DECK
from core.requests import Action, Over, Shuffle
from tests.core.games.civilization.stage import Stage, at

OF_A_TURN = ("used", "moved", "idle", "sent", "production0", "production1", "production2")


def next_turn(stage: Stage) -> Stage:
    """The research of everybody is done."""
    stage.set("phase", course.IN_RESEARCH)
    course.step(stage.table)
    return stage


def test_what_is_per_turn_begins_anew() -> None:
    """C29, C55, C146, 3.1 communism: nothing of the last turn is left, for anybody."""
    stage = Stage().city(0, "2.2").city(1, "8.8")
    for seat in (0, 1):
        stage.table.counters[FROZEN + seat] = at("5.5") + 1
        for key in OF_A_TURN:
            stage.set(f"seat{seat}.{key}", 1)
    next_turn(stage)
    assert stage.get("turn") == 2
    assert not any(stage.get(f"seat{seat}.{key}") for seat in (0, 1) for key in OF_A_TURN)
    assert not any(stage.table.counters[FROZEN : FROZEN + 2])


def test_the_first_seat_passes_on_from_the_second_turn() -> None:
    """C28: whoever was drawn begins the first one."""
    stage = Stage("germany china russia").set("turn", 0).set("first", 2)
    assert next_turn(stage).get("first") == 2
    assert next_turn(stage).get("first") == 0


def test_refusals_and_guards_turned_over_count_for_a_phase() -> None:
    """IW0, 4.4: in the next one everybody may be asked again."""
    stage = Stage().set("seat0.refused", 2).set("seat1.guarded", 1).set("order", 2)
    stage.set("phase", course.IN_TRADE)
    course.step(stage.table)
    assert [stage.get("seat0.refused"), stage.get("seat1.guarded")] == [0, 0]


def test_it_is_known_whose_segment_it_is() -> None:
    """C27: one seat after the other, from the first one on."""
    stage = Stage("germany china russia").set("first", 1).set("order", 0)
    stage.set("phase", course.IN_CITY)
    found = []
    for _ in range(3):
        course.step(stage.table)
        found.append(stage.get("active"))
    assert found == [1, 2, 0]


@pytest.mark.parametrize(
    ("deck", "dead"), [(UNIT_DECK, UNIT_DEAD), (EVENT_DECK + 1, EVENT_DISCARD + 1)]
)
def test_an_empty_deck_is_made_of_what_was_used_up_and_shuffled(deck: int, dead: int) -> None:
    """C60, C77: a single card needs no shuffling, and no deck is mixed that is not empty."""
    stage = Stage()
    zones = stage.table.zones
    assert course.check(stage.table) is None
    zones[dead], zones[deck] = zones[deck], []
    cards = tuple(zones[dead])
    assert course.check(stage.table) == Shuffle((cards,))
    assert (zones[deck], zones[dead]) == ([*cards], [])
    zones[dead], zones[deck] = [cards[0]], []
    assert course.check(stage.table) is None
    assert zones[deck] == [cards[0]]


def test_units_that_died_in_a_battle_under_way_are_no_deck_yet() -> None:
    """C60: they come back when it is over; events do at once."""
    stage = Stage().set("battle", 1)
    zones = stage.table.zones
    zones[UNIT_DEAD], zones[UNIT_DECK] = zones[UNIT_DECK], []
    assert course.check(stage.table) is None
    assert not zones[UNIT_DECK]


# ---- who is asked ----


def test_only_who_is_asked_chooses_and_nobody_after_the_end() -> None:
    """C27, C171: refused at once."""
    stage = Stage().city(0, "2.2").city(1, "8.8").phase("city")
    assert stage.refuses(Action("end"), 1)
    assert not stage.refuses(Action("end"), 0)
    ended = stage.set("how", 3).settle()
    assert isinstance(ended.pending, Over)
    assert ended.get("phase") == course.IN_OVER
    assert ended.refuses(Action("end"), 0)


def test_who_can_advance_is_asked_though_no_city_can_act() -> None:
    """C41, C71, D11: in Anarchy the capital stands still."""
    idle = Stage().city(0, "2.2").set("seat0.idle", 1).phase("city")
    assert idle.get("turn") == 2, "nobody was asked for the rest of the turn"
    stage = Stage().city(0, "2.2").set("seat0.idle", 1).has(0, culture=9, trade=9).phase("city")
    assert (stage.asks, stage.asked, stage.get("turn")) == ("city", 0, 1)
    assert stage.offered("advance")


def test_who_can_only_spy_is_asked() -> None:
    """C109, D11: the scout can go nowhere else."""
    stage = Stage("russia china").city(0, "1.1").city(1, "8.8").scout(0, "7.8")
    stage.ground("w.", "6.8", "7.7", "7.9")
    assert stage.phase("move").asks != "move"
    taught = Stage("russia china").city(0, "1.1").city(1, "8.8").tech(1, "writing")
    taught.scout(0, "7.8").ground("w.", "6.8", "7.7", "7.9").phase("move")
    assert taught.asks == "move"
    assert taught.offered("infiltrate")


def test_who_has_just_come_into_anarchy_is_not_asked_and_has_an_idle_capital() -> None:
    """C40, C41, D11: another government is for a later turn; after the start it is too late."""
    stage = Stage().city(0, "2.2").rules_by(0, "anarchy").set("seat0.anarchy", 1)
    stage.set("seat1.guard", 0).has(0, trade=1).has(1, trade=1).phase("start")
    assert (stage.asks, stage.get("seat0.idle")) == ("trade", 1)
    later = Stage().city(0, "2.2").army(0, "5.5").rules_by(0, "anarchy").set("seat0.anarchy", 1)
    assert later.phase("trade").get("seat0.idle") == 0
