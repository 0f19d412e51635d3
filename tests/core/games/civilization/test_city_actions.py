"""City actions in the cases where a step of them is easily forgotten."""

from __future__ import annotations

from core.games.civilization.faces import BUILDING_KEYS, WONDER_KEYS
from core.games.civilization.items import (
    ARMY,
    FIRST_BUILDING_ITEM,
    FIRST_UNIT,
    FIRST_WONDER_ITEM,
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


# ---- two items of one action (C56) ----


def nothing_but_buildings(civs: str = "germany china") -> Stage:
    """A city with Engineering, where no figure and no unit is left to be made."""
    stage = rich(civs).tech(0, "engineering").army(0, "5.5", 6).scout(0, "6.6", 2)
    for kind in range(4):
        stage.table.zones[BOX] += stage.table.zones[UNIT_DECK + kind]
        stage.table.zones[UNIT_DECK + kind] = []
    return stage


def item(key: str) -> int:
    """The number of a building among the items."""
    return FIRST_BUILDING_ITEM + BUILDING_KEYS.index(key)


def test_walls_cost_seven() -> None:
    """C67, C53: six production make none."""
    stage = Stage().city(0, "2.2").ground("f.", "1.1", "2.1", "3.1").tech(0, "masonry")
    assert "walls 0" not in stage.phase("city").offered("make")
    assert "walls 0" in stage.ground("m.", "1.2").phase("city").offered("make")


def test_a_figure_without_a_square_is_not_made() -> None:
    """C57, C94: all outskirts are full."""
    stage = Stage().city(0, "2.2").has(0, trade=27)
    stage.ground("w.", "1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3").army(0, "3.3", 2)
    stage.phase("city")
    assert not {"army 0", "scout 0"} & {*stage.offered("make"), *stage.offered("split")}
    assert "infantry 0" in stage.offered("make")


def test_what_has_no_place_is_no_first_item_either() -> None:
    """C56, C61, C67: a building without its terrain, and walls that stand."""
    stage = rich().tech(0, "engineering writing masonry").phase("city")
    assert "walls 0" in stage.offered("split")
    assert "library 0" not in stage.offered("split")
    assert "walls 0" not in stage.set("seat0.walls0", 1).offered("split")


def test_the_last_building_leaves_nothing_for_a_second_item() -> None:
    """C56, C62: two squares, but one library."""
    stage = nothing_but_buildings().tech(0, "writing").ground("g.", "1.1", "2.1").phase("city")
    assert stage.offered("split") == ["library 0"]
    stage.set("buildings.3", 1)
    assert not stage.offered("split")


def test_two_figures_of_one_action_may_share_a_square() -> None:
    """C56, C94: the only one that there is."""
    stage = rich(trade=27).tech(0, "engineering")
    stage.ground("w.", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3", "3.3").phase("city")
    stage.do("split army 0", "site 1.1")
    assert {"army", "scout"} <= {*stage.offered("also")}
    stage.do("also scout", "site 1.1")
    assert stage.rests("1.1") == (0, 1, 1)


def test_two_wonders_of_one_action_do_not_stand_in_one_city() -> None:
    """C56, C64."""
    stage = rich(trade=27).tech(0, "engineering metalworking").market("stonehenge", "colossus")
    stage.phase("city").do("split stonehenge 0", "site 1.1")
    assert "army" in stage.offered("also")
    assert "colossus" not in stage.offered("also")


def test_what_a_wonder_covers_can_be_built_again() -> None:
    """C56, C68: the library goes back to the market, and then it is there."""
    stage = rich(trade=27).tech(0, "engineering writing").mark("library", "1.1")
    stage.market("stonehenge").ground("g.", "1.1", "2.1").set("buildings.3", 0)
    first = FIRST_WONDER_ITEM + WONDER_KEYS.index("stonehenge")
    assert item("library") in second_items(stage.table, 0, 0, (first, at("1.1")))
    assert item("library") not in second_items(stage.table, 0, 0, (first, at("3.3")))


def test_a_unit_takes_no_building_from_the_market() -> None:
    """C56, C62: after it there is still the last one of each kind."""
    keys = ("trading_post", "workshop", "library", "granary", "market", "temple", "barracks")
    stage = rich(trade=27).ground("g.", "1.1").ground("d.", "1.2").ground("m.", "1.3")
    stage.tech(0, "code_of_laws construction writing pottery currency philosophy metalworking")
    for family in range(1, 8):
        stage.set(f"buildings.{family}", 1)
    for first in (FIRST_UNIT, FIRST_UNIT + 1, FIRST_UNIT + 2):
        fit = second_items(stage.table, 0, 0, (first, -1))
        assert {item(key) for key in keys} <= {*fit}, first


def test_a_first_building_on_a_free_square_gives_nothing_back() -> None:
    """C56, C62, C68: no temple is left, and none comes from where none stood."""
    stage = rich(trade=27).tech(0, "engineering pottery philosophy").ground("g.", "1.1")
    for family in range(8):
        stage.set(f"buildings.{family}", 0)
    stage.set("buildings.4", 1)
    fit = second_items(stage.table, 0, 0, (item("granary"), at("1.1")))
    assert not [each for each in fit if each >= FIRST_BUILDING_ITEM]


def test_nobody_harvests_twice_without_angkor_wat_or_twice_a_turn() -> None:
    """C82, 3.4 angkor_wat: once, whatever city it is."""
    plain = Stage().city(0, "2.2").ground("dS", "1.1").phase("city")
    assert plain.offered("harvest") == ["silk 0"]
    assert not plain.offered("reap")
    stage = Stage().city(0, "2.2").city(0, "8.8").ground("dS", "1.1", "7.7")
    stage.mark("angkor_wat", "3.3").phase("city")
    stage.set("market.1", 4).do("reap silk silk 0")
    assert stage.offered("harvest") == ["silk 1"]
    assert not stage.offered("reap")
