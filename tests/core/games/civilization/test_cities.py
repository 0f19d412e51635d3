"""City Management: output, items, places, replacing, culture, harvests, coin tasks."""

from __future__ import annotations

import pytest

from core.games.civilization.wealth import arts, output, production
from core.requests import Action
from tests.core.games.civilization.stage import Stage


def rich(civs: str = "germany china", trade: int = 0) -> Stage:
    """A capital at 2.2 with 16 production: forests all around."""
    stage = Stage(civs).city(0, "2.2").city(1, "10.10").has(0, trade=trade)
    return stage.ground("f.", "1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "2.3", "3.3")


def test_the_city_with_scouts() -> None:
    """X3, C52, C81, C148: what a scout gathers is the city's."""

    def base() -> Stage:
        stage = Stage().city(0, "2.2").ground("d.", "1.1", "2.1", "3.1").ground("f.", "1.2", "3.2")
        return stage.ground("mS", "1.3").ground("gN", "2.3")

    stage = base()
    assert [output(stage.table, 0, 0, good) for good in range(3)] == [3, 5, 0]
    stage.phase("city")
    assert stage.offered("harvest") == ["silk 0", "incense 0"]
    assert "army 0" in stage.offered("make")
    assert "scout 0" not in stage.offered("make")
    forest = base().ground("f.", "8.8").scout(0, "8.8")
    assert production(forest.table, 0, 0) == 7
    wonder = base().ground("f*", "8.8").scout(0, "8.8")
    assert arts(wonder.table, 0, 0) == 2
    wheat = base().ground("gW", "8.8").scout(0, "8.8").phase("city")
    assert wheat.offered("harvest") == ["silk 0", "incense 0", "wheat 0"]


def test_costs_at_five_production() -> None:
    """X6, C53, C57, C59, C61: army 4, unit 5, Granary and Library 5; not scout 6, Temple 7."""
    stage = Stage().city(0, "2.2").ground("f.", "1.1", "2.1").ground("m.", "3.1")
    stage.tech(0, "pottery writing philosophy").phase("city")
    assert stage.offered("make") == ["army 0", "infantry 0", "mounted 0", "artillery 0",
                                     "library 0", "granary 0"]  # fmt: skip


def test_missing_production_is_bought_with_trade() -> None:
    """E33, C54: production 5, item 7, trade 8: pays 6 for 2."""
    stage = Stage().city(0, "2.2").ground("f.", "1.1", "2.1").ground("m.", "3.1")
    stage.tech(0, "philosophy").has(0, trade=8).phase("city").do("make temple 0", "site 3.3")
    assert stage.get("seat0.trade") == 2
    assert stage.lies("3.3") == "temple"


def test_america_pays_three_for_two() -> None:
    """E34, C54, 3.6 America: three missing cost 6, one is lost."""
    stage = Stage("america china").city(0, "2.2").ground("f.", "1.1", "2.1")
    stage.tech(0, "philosophy").has(0, trade=6).phase("city").do("make temple 0", "site 3.3")
    assert stage.get("seat0.trade") == 0


def test_every_city_acts_once_in_any_order() -> None:
    """C50, C30: the same action by several cities; a city may do nothing."""
    stage = Stage().city(0, "2.2").city(0, "8.8").phase("city")
    assert stage.offered("arts") == ["0", "1"]
    stage.do("arts 1")
    assert stage.offered("arts") == ["0"]
    stage.do("end")
    assert stage.get("seat0.culture") == 1


@pytest.mark.parametrize(("form", "culture"), [("despotism", 3), ("monarchy", 4), ("communism", 2)])
def test_arts_give_one_and_the_icons(form: str, culture: int) -> None:
    """C70, 3.5 Monarchy and Communism."""
    stage = Stage().city(0, "2.2").mark("temple", "1.1").rules_by(0, form).phase("city")
    stage.do("arts 0")
    assert stage.get("seat0.culture") == culture


def test_communism_takes_no_more_than_there_is() -> None:
    """C70: never below 0; other cities lose nothing. C55: each city two more production."""
    stage = Stage().city(0, "2.2").city(0, "8.8").rules_by(0, "communism")
    assert [arts(stage.table, 0, city) for city in (0, 1)] == [0, 1]
    assert [production(stage.table, 0, city) for city in (0, 1)] == [2, 2]


def test_an_army_and_a_scout_are_placed_in_the_outskirts() -> None:
    """C57, C58, C94, E116: within the limit, a scout not on a blockaded square."""
    stage = rich(trade=27).army(0, "1.1", 2).army(1, "3.3").phase("city").do("make scout 0")
    assert "1.1" not in stage.offered("site")
    assert "3.3" not in stage.offered("site")
    stage.do("site 2.1")
    assert stage.rests("2.1") == (0, 0, 1)
    assert stage.get("seat0.moved") == 0


def test_figures_on_water_need_a_technology() -> None:
    """C57, C95: Navigation is not enough, Sailing is."""
    stage = rich().ground("w.", "1.1").tech(0, "navigation").phase("city").do("make army 0")
    assert "1.1" not in stage.offered("site")
    sailor = rich().ground("w.", "1.1").tech(0, "sailing").phase("city").do("make army 0")
    assert "1.1" in sailor.offered("site")


def test_no_figure_is_made_when_none_is_left() -> None:
    """C57, C183: six armies, two scouts."""
    stage = rich().army(0, "5.5", 6).scout(0, "6.6", 2).phase("city")
    assert not [text for text in stage.offered("make") if text.split()[0] in ("army", "scout")]
    russia = rich("russia china").army(0, "5.5", 6).phase("city")
    assert "army 0" in russia.offered("make")


def test_a_unit_is_the_top_card_and_only_its_owner_sees_it() -> None:
    """C59, C60, section 6: at the cost of the rank."""
    stage = rich().next_in(0, "infantry.3").phase("city").do("make infantry 0")
    assert stage.cards("seat0.forces") == ["infantry.3"]
    card = stage.table.zones[stage.table.layout.zone_index["seat0.forces"]][0]
    assert stage.table.seen[card] == 1
    better = Stage().city(0, "2.2").ground("f.", "1.1", "2.1", "3.1").tech(0, "democracy")
    better.phase("city")
    assert "infantry 0" not in better.offered("make")
    assert "mounted 0" in better.offered("make")


def test_aircraft_cost_twelve_and_need_flight() -> None:
    """C59, 3.1 Flight."""
    stage = rich(trade=0).phase("city")
    assert "aircraft 0" not in stage.offered("make")
    flying = rich().tech(0, "flight").phase("city")
    assert "aircraft 0" in flying.offered("make")


def test_an_empty_deck_has_no_units() -> None:
    """C60, E46, C183: until cards come back."""
    stage = rich()
    cards = stage.table.zones[0]
    stage.table.zones[0], stage.table.zones[23] = [], stage.table.zones[23] + cards
    stage.phase("city")
    assert "infantry 0" not in stage.offered("make")


def test_buildings_need_their_technology_and_terrain() -> None:
    """C61, C63, C96: the terrain stays what it was; a Harbor stays water."""
    stage = rich().ground("w.", "1.1").ground("d.", "2.1").ground("m.", "3.1").ground("g.", "1.2")
    stage.tech(0, "navigation code_of_laws construction writing").has(0, trade=27).phase("city")
    for building, square in (("harbor", "1.1"), ("trading_post", "2.1"), ("workshop", "3.1"),
                             ("library", "1.2")):  # fmt: skip
        assert f"{building} 0" in stage.offered("make")
        twin = stage.table.copy()
        twin_stage = Stage()
        twin_stage.table, twin_stage.deal, twin_stage.pending = twin, stage.deal, stage.pending
        twin_stage.do(f"make {building} 0")
        assert twin_stage.offered("site") == [square]
    from core.games.civilization.board import WATER, terrain_at

    stage.do("make harbor 0", "site 1.1")
    assert terrain_at(stage.table, 17) == WATER
    assert output(stage.table, 0, 0, 0) == 2 + 1


def test_a_temple_covers_its_forest() -> None:
    """X6, C63: production 2 to 0, culture 0 to 2."""
    stage = Stage().city(0, "2.2").ground("f.", "1.1").mark("temple", "1.1")
    assert [output(stage.table, 0, 0, good) for good in (1, 2)] == [0, 2]


def test_one_limited_building_in_a_city() -> None:
    """X6, C61, C68, E38: a Temple only on the Market's square; the Market goes back."""
    stage = rich().mark("market", "1.1").tech(0, "philosophy currency").phase("city")
    stage.do("make temple 0")
    assert stage.offered("site") == ["1.1"]
    stage.do("site 1.1")
    assert stage.lies("1.1") == "temple"
    assert [stage.get("buildings.5"), stage.get("buildings.6")] == [5, 4]


def test_a_building_of_which_all_are_used_cannot_be_built() -> None:
    """C62, E40, C183."""
    stage = rich().ground("g.", "1.1", "2.1").mark("library", "1.1").tech(0, "writing")
    stage.table.counters[stage.table.layout.counters.index("buildings.3")] = 0
    stage.phase("city")
    assert "library 0" not in stage.offered("make")


def test_a_wonder_is_bought_at_its_cost_or_less_and_the_market_filled() -> None:
    """X6, C64, C66, C65: Colossus 15, with Metalworking 10."""
    stage = (
        Stage().city(0, "2.2").ground("f.", "1.1", "2.1", "3.1", "1.2", "3.2").market("colossus")
    )
    stage.phase("city")
    assert "colossus 0" not in stage.offered("make")
    smith = Stage().city(0, "2.2").ground("f.", "1.1", "2.1", "3.1", "1.2", "3.2")
    smith.market("colossus").tech(0, "metalworking").phase("city").do("make colossus 0", "site 3.3")
    assert smith.cards("seat0.wonders") == ["colossus"]
    assert len(smith.cards("market")) == 4
    assert output(smith.table, 0, 0, 2) == 1


def test_one_wonder_in_a_city_and_never_on_water() -> None:
    """E39, C64, C68: only on the old one's square; the old one leaves the game."""
    stage = rich(trade=27).ground("w.", "2.1").mark("stonehenge", "1.1").market("colossus")
    stage.phase("city").do("make colossus 0")
    assert stage.offered("site") == ["1.1"]
    stage.do("site 1.1")
    assert stage.cards("box") == ["stonehenge"]


def test_walls_need_masonry_and_stand_once() -> None:
    """C67: cost 7, in the centre."""
    stage = rich().tech(0, "masonry").phase("city").do("make walls 0")
    assert stage.get("seat0.walls0") == 1
    again = rich().tech(0, "masonry")
    again.table.counters[again.table.layout.counters.index("seat0.walls0")] = 1
    again.phase("city")
    assert "walls 0" not in again.offered("make")


def test_a_building_over_a_great_person_sends_it_to_the_sheet() -> None:
    """E42, C68, C79."""
    stage = rich().mark("artist", "1.1").tech(0, "philosophy").phase("city")
    stage.do("make temple 0", "site 1.1")
    assert stage.cards("seat0.sheet") == ["artist"]


def test_nothing_is_built_on_a_blockaded_square() -> None:
    """C58, C61, C154."""
    stage = rich(trade=27).tech(0, "philosophy").army(1, "1.1").market().phase("city")
    stage.do("make temple 0")
    assert "1.1" not in stage.offered("site")


def test_the_upgraded_building_replaces_the_basic_one() -> None:
    """X6, C69, C8, E51, C154: own Granaries turn at once, blockaded too; Granary is gone."""
    from core.games.civilization.learning import learn

    stage = rich().ground("g.", "1.1", "2.1", "3.1").mark("granary", "1.1", "2.1")
    stage.tech(0, "pottery").army(1, "1.1")
    learn(stage.table, 0, 14)
    assert [stage.lies("1.1"), stage.lies("2.1")] == ["aqueduct", "aqueduct"]
    stage.phase("city")
    assert "aqueduct 0" in stage.offered("make")
    assert "granary 0" not in stage.offered("make")


def test_engineering_splits_production_over_two_items() -> None:
    """C56, 3.1 engineering: one announcement, the sum fixed before."""
    stage = Stage().city(0, "2.2").ground("f.", "1.1", "2.1", "3.1", "1.2").tech(0, "engineering")
    stage.phase("city")
    assert stage.offered("split") == ["army 0"]
    stage.do("split army 0", "site 3.3")
    assert stage.offered("also") == ["army"]
    stage.do("also army", "site 3.3")
    assert stage.rests("3.3") == (0, 2, 0)
    assert stage.get("seat0.actions0") == 0


def test_two_items_have_to_fit_together() -> None:
    """C56, C61: no two limited buildings, no more armies than there are."""
    stage = rich().tech(0, "engineering philosophy currency").phase("city")
    stage.do("split temple 0", "site 1.1")
    assert "market" not in stage.offered("also")
    assert "army" in stage.offered("also")


def test_egypt_builds_for_nothing_once_a_turn() -> None:
    """3.6 Egypt, C51: an unlocked building, the upgraded form, or walls."""
    stage = Stage("egypt china").city(0, "2.2").city(0, "8.8").tech(0, "pottery masonry")
    stage.phase("city")
    assert stage.offered("free") == ["granary 0", "walls 0", "granary 1", "walls 1"]
    stage.do("free granary 0", "site 1.1")
    assert stage.lies("1.1") == "granary"
    assert not stage.offered("free")


def test_military_science_and_bonuses_add_production() -> None:
    """C55, C143, 3.2 military_science: 1 for each three full coins."""
    stage = Stage().city(0, "2.2").tech(0, "military_science")
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = 7
    assert production(stage.table, 0, 0) == 2


def test_a_conversion_is_only_for_its_own_action() -> None:
    """C54, C44: what is left lapses; trade becomes production, never the reverse."""
    stage = rich("america china", trade=3).tech(0, "philosophy").phase("city").do("make temple 0")
    stage.do("site 1.1")
    assert stage.get("seat0.trade") == 3


# ---- culture ----


def test_a_step_costs_what_the_space_says() -> None:
    """C71, C72, E60: both parts in full; the reward before the next step."""
    stage = Stage().city(0, "2.2").has(0, culture=6).phase("city").do("advance")
    assert stage.get("seat0.track") == 1
    assert stage.get("seat0.culture") == 3
    poor = Stage().city(0, "2.2").has(0, culture=5, track=7, trade=2).phase("city")
    assert not poor.offered("advance")
    fit = Stage().city(0, "2.2").has(0, culture=5, track=7, trade=3).phase("city").do("advance")
    assert [fit.get("seat0.culture"), fit.get("seat0.trade")] == [0, 0]
    assert fit.cards("seat0.events") and fit.table.zones[9] is not None


def test_two_steps_with_a_full_hand() -> None:
    """E57, C76: draw, discard to the limit, then the second step."""
    stage = Stage().city(0, "2.2").has(0, culture=6).holds(0, "defection drought").phase("city")
    stage.do("advance")
    assert stage.asks == "discard"
    stage.do(f"discard {stage.offered('discard')[0]}").do("advance")
    assert stage.asks == "discard"


def test_no_card_of_an_era_is_left_and_the_step_is_made_all_the_same() -> None:
    """E58, C77, C183."""
    stage = Stage().city(0, "2.2").has(0, culture=3)
    stage.table.zones[23] += stage.table.zones[8]
    stage.table.zones[8] = []
    stage.phase("city").do("advance")
    assert stage.get("seat0.track") == 1
    assert stage.cards("seat0.events") == []


def test_discarded_events_become_the_deck_again() -> None:
    """E61, C77: as soon as the face-down cards are used up."""
    stage = Stage().city(0, "2.2").has(0, culture=3).next_in(8, "drought")
    last = stage.table.zones[8][-1]
    for card in stage.table.zones[8][:-1]:
        stage.open(card, 8, 11)
    stage.phase("city").do("advance")
    assert stage.table.zones[11] == []
    assert len(stage.table.zones[8]) == 18
    assert stage.deal[last] == stage.deal[stage.table.zones[28][0]]


def test_a_great_person_is_placed_or_set_aside() -> None:
    """C72, C79, E43, E131, E2: its coin counts at once, for later cities too."""
    stage = Stage().city(0, "2.2").has(0, culture=3, track=2).next_in(14, "humanitarian")
    stage.phase("city").do("advance")
    assert stage.asks == "person"
    assert "sheet" in stage.texts()
    stage.do("place 1.1")
    assert stage.coins(0) == 1
    assert output(stage.table, 0, 0, 0) == 1


def test_no_great_person_is_left() -> None:
    """C80, C183."""
    stage = Stage().city(0, "2.2").has(0, culture=3, track=2)
    stage.table.zones[23] += stage.table.zones[14]
    stage.table.zones[14] = []
    stage.phase("city").do("advance")
    assert stage.asks == "city"


def test_entering_the_last_space_wins() -> None:
    """C171, C72."""
    stage = Stage().city(0, "2.2").has(0, culture=7, trade=6, track=20).phase("city").do("advance")
    assert stage.ended == (1, 0)


def test_rome_wins_by_the_free_step_of_a_wonder() -> None:
    """E59, C73, 3.6 Rome."""
    stage = rich("rome china").has(0, track=20).market("stonehenge").phase("city")
    stage.do("make stonehenge 0", "site 1.1")
    assert stage.ended == (1, 0)


# ---- harvest ----


def test_a_harvest_takes_one_token_from_the_market() -> None:
    """X6, C81, C83, E119, E44: a covered symbol is none."""
    stage = Stage().city(0, "2.2").ground("dS", "1.1").ground("mI", "2.1").phase("city")
    assert stage.offered("harvest") == ["iron 0", "silk 0"]
    stage.do("harvest silk 0")
    assert [stage.get("seat0.tokens.1"), stage.get("market.1")] == [1, 1]
    covered = Stage().city(0, "2.2").ground("gS", "1.1").mark("library", "1.1").phase("city")
    assert not covered.offered("harvest")
    empty = Stage().city(0, "2.2").ground("dS", "1.1").has(1, silk=2).phase("city")
    assert not empty.offered("harvest")


def test_feudalism_harvests_from_any_own_outskirts() -> None:
    """C82, E123, 3.5 Feudalism: not from a square sent to another city."""
    stage = Stage().city(0, "2.2").city(0, "8.8").ground("dS", "7.7").rules_by(0, "feudalism")
    stage.phase("city")
    assert stage.offered("harvest") == ["silk 0", "silk 1"]
    sent = Stage().city(0, "2.2").city(0, "8.8").ground("dS", "12.12").scout(0, "12.12")
    sent.rules_by(0, "feudalism").phase("city")
    assert sent.offered("harvest") == ["silk 0"]


def test_angkor_wat_harvests_twice_once_a_turn() -> None:
    """C82, E122, 3.4 angkor_wat: also twice from one square."""
    stage = Stage().city(0, "2.2").ground("dS", "1.1").mark("angkor_wat", "3.3").phase("city")
    assert stage.offered("reap") == ["silk silk 0"]
    stage.do("reap silk silk 0")
    assert stage.get("seat0.tokens.1") == 2
    both = Stage().city(0, "2.2").city(0, "8.8").ground("dS", "7.7").ground("mI", "1.1")
    both.mark("angkor_wat", "3.3").rules_by(0, "feudalism").phase("city")
    assert "iron silk 0" in both.offered("reap")


# ---- coin tasks, once per turn ----


def test_coin_tasks_cost_trade_or_culture_four_times_at_most() -> None:
    """3.1 democracy and printing_press, C141, C51, E96."""
    stage = Stage().city(0, "2.2").tech(0, "democracy printing_press").has(0, trade=12, culture=10)
    stage.phase("city").do("task democracy", "task printing_press")
    assert stage.coins(0) == 2
    assert not stage.offered("task")
    assert [stage.get("seat0.trade"), stage.get("seat0.culture")] == [6, 5]
    done = Stage().city(0, "2.2").tech(0, "democracy").has(0, trade=12)
    done.table.counters[done.table.layout.counters.index("seat0.task.times.2")] = 4
    done.phase("city")
    assert not done.offered("task")


def test_a_capital_in_anarchy_does_not_act() -> None:
    """C41, 3.5 Anarchy."""
    stage = Stage().city(0, "2.2").city(0, "8.8")
    stage.table.counters[stage.table.layout.counters.index("seat0.idle")] = 1
    stage.phase("city")
    assert stage.offered("arts") == ["1"]


def test_an_item_that_is_not_offered_is_refused() -> None:
    """C180, C53."""
    stage = Stage().city(0, "2.2").phase("city")
    assert stage.refuses(Action("make", (), 0))
    assert stage.refuses(Action("advance"))
    assert not stage.refuses(Action("arts", (), 0))
