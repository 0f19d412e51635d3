"""City actions in the cases where a step of them is easily forgotten."""

from __future__ import annotations

from core.games.civilization.faces import BUILDING_KEYS
from core.games.civilization.items import (
    ARMY,
    FIRST_BUILDING_ITEM,
    FIRST_UNIT,
    second_items,
    second_sites,
)
from core.games.civilization.layout import BOX, UNIT_DEAD, UNIT_DECK
from tests.core.games.civilization.stage import Stage, at
from tests.core.games.civilization.test_cities import rich


def test_a_second_item_needs_engineering_and_a_square_of_its_own() -> None:
    """C56: what is left for the second one is looked at with the first one standing."""
    plain = rich().tech(0, "writing").phase("city")
    assert not plain.offered("split")
    stage = rich().ground("g.", "1.1", "2.1").tech(0, "engineering writing").phase("city")
    stage.do("split library 0", "site 1.1", "also library")
    assert stage.offered("site") == ["2.1"]
    stage.do("site 2.1")
    assert [stage.lies("1.1"), stage.lies("2.1")] == ["library", "library"]


def test_a_first_site_leaves_room_for_the_second_item() -> None:
    """C56: a Market on the only desert would leave no place for a Trading Post."""
    stage = rich().ground("d.", "2.1").tech(0, "engineering code_of_laws currency")
    stage.army(0, "5.5", 6).scout(0, "6.6", 2)
    for kind in range(4):
        stage.table.zones[BOX] += stage.table.zones[UNIT_DECK + kind]
        stage.table.zones[UNIT_DECK + kind] = []
    stage.phase("city").do("split market 0")
    assert "1.1" in stage.offered("site")
    assert "2.1" not in stage.offered("site")


def test_the_last_of_a_kind_is_made_once() -> None:
    """C56, C59, C61: an army, a unit, a building of which there is one more; and then of two."""
    for more in (0, 1):
        stage = rich().ground("g.", "1.1", "2.1").army(0, "5.5", 5 - more)
        stage.tech(0, "engineering writing")
        del stage.table.zones[UNIT_DECK][1 + more :]
        stage.set("buildings.3", 1 + more)
        library = FIRST_BUILDING_ITEM + BUILDING_KEYS.index("library")
        for first in ((ARMY, at("1.1")), (FIRST_UNIT, -1), (library, at("1.1"))):
            assert (first[0] in second_items(stage.table, 0, 0, first)) == bool(more), first


def test_two_armies_of_one_action_find_room_together() -> None:
    """C56, C94: with one there already the square is full after the first."""
    stage = rich().tech(0, "engineering").army(0, "1.1")
    first = (ARMY, at("1.1"))
    assert at("1.1") not in second_sites(stage.table, 0, 0, first, ARMY)
    assert at("1.2") in second_sites(stage.table, 0, 0, first, ARMY)
    assert stage.rests("1.1") == (0, 1, 0), "it was only looked at"


def test_what_a_first_building_covers_can_be_built_again() -> None:
    """C56, C61, C68: the library goes back to the market when the granary is put on it."""
    stage = rich().tech(0, "engineering writing pottery").mark("library", "1.1")
    stage.ground("g.", "1.1", "2.1").set("buildings.3", 0)
    granary, library = [FIRST_BUILDING_ITEM + BUILDING_KEYS.index(key)
                        for key in ("granary", "library")]  # fmt: skip
    assert library in second_items(stage.table, 0, 0, (granary, at("1.1")))
    assert library not in second_items(stage.table, 0, 0, (granary, at("2.1")))


def test_a_building_for_nothing_costs_no_trade() -> None:
    """3.6 Egypt, C51."""
    stage = Stage("egypt china").city(0, "2.2").tech(0, "pottery").has(0, trade=27).phase("city")
    stage.do("free granary 0", "site 1.1")
    assert stage.get("seat0.trade") == 27


def test_an_ordinary_action_uses_nothing_up() -> None:
    """C82, 3.4 angkor_wat: the double harvest is still there for the other city."""
    stage = Stage().city(0, "2.2").city(0, "8.8").ground("dS", "7.7").mark("angkor_wat", "3.3")
    stage.phase("city").do("arts 0")
    assert stage.offered("reap") == ["silk silk 1"]


def test_the_last_unit_of_a_deck_fills_it_again() -> None:
    """C59, C60: at once."""
    stage = rich().phase("city")
    zones = stage.table.zones
    zones[UNIT_DEAD] += zones[UNIT_DECK][1:]
    del zones[UNIT_DECK][1:]
    stage.do("make infantry 0")
    assert len(zones[UNIT_DECK]) == 14
    assert not zones[UNIT_DEAD]


def test_an_army_placed_beside_lone_scouts_removes_them() -> None:
    """C58, C105: no battle, one point of loot."""
    stage = rich("russia germany").scout(1, "1.1", 2).has(1, trade=5).phase("city")
    stage.do("make army 0", "site 1.1")
    assert stage.rests("1.1") == (0, 1, 0)
    assert stage.get("seat1.figure6") == stage.get("seat1.figure7") == 0
    assert (stage.asks, stage.asked) == ("loot", 0)
    stage.do("loot trade")
    assert [stage.get("seat0.trade"), stage.asks] == [3, "city"] or stage.asks != "loot"


def test_only_rome_steps_for_a_wonder() -> None:
    """3.6 Rome, C73."""
    stage = rich().market("stonehenge").phase("city").do("make stonehenge 0", "site 1.1")
    assert stage.lies("1.1") == "stonehenge"
    assert stage.get("seat0.track") == 0


def test_a_figure_made_now_moves_now_and_gathers_later() -> None:
    """E116, C89, C145: from the next turn on."""
    stage = rich().phase("city").do("make scout 0", "site 2.1")
    assert stage.get("seat0.ready") == 0
    stage.phase("move")
    assert stage.offered("move") == ["2.1 0+1"]
    stage.do("end")
    while stage.get("turn") == 1:
        stage.do(stage.texts()[-1])
    assert stage.get("seat0.ready") == 1
