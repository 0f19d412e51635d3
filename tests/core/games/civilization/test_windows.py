"""Windows: who is asked, what answers, what a cancelled play costs; the guard; United Nations."""

from __future__ import annotations

import pytest

from core.games.civilization import choices
from core.games.civilization.notation import GUARD_KEYS
from core.requests import Action
from core.table import RulesError
from tests.core.games.civilization.stage import ALL_GUARDS, Stage

THREE = "germany russia china"


def three(guards: bool = True) -> Stage:
    """Three capitals, far from each other, and everybody wants to be asked about everything."""
    stage = Stage(THREE).city(0, "1.1").city(1, "14.1").city(2, "14.14")
    for seat in range(3 * guards):
        stage.has(seat, guard=ALL_GUARDS)
    return stage


def drought(stage: Stage) -> Stage:
    """Seat 0 plays Drought at a square of seat 1."""
    return (
        stage.holds(0, "drought")
        .ground("f.", "13.1")
        .phase("start")
        .do("event drought", "target 13.1")
    )


# ---- IW1 ----


def test_an_event_is_read_out_then_executed_then_discarded() -> None:
    """C74, C77, C78, 3.3 drought, E120, C179: the square is desert for good."""
    stage = drought(three())
    assert stage.get(f"ground.{16 + 13}") == 1 + 3 + 5 * 7
    assert stage.cards("discard.ancient") == ["drought"]


def test_bread_and_circuses_answers_only_what_is_aimed_at_one() -> None:
    """IW1, 3.3 bread_and_circuses: itself, its figure, a square or building of its cities."""
    stage = drought(three().holds(1, "bread_and_circuses").holds(2, "bread_and_circuses"))
    assert (stage.asks, stage.asked) == ("window", 1)
    stage.do("answer 0 bread_and_circuses")
    assert stage.get(f"ground.{16 + 13}") == 2
    assert stage.cards("discard.ancient") == ["bread_and_circuses", "drought"]


def test_jousting_tourney_answers_any_event() -> None:
    """3.3 jousting_tourney, 4.2: clockwise from the active seat."""
    stage = drought(three().holds(2, "jousting_tourney"))
    assert (stage.asks, stage.asked) == ("window", 2)
    stage.do("answer 0 jousting_tourney")
    assert stage.get(f"ground.{16 + 13}") == 2


def test_civil_service_cancels_with_a_spy() -> None:
    """3.1 civil_service, C84: a spy from a hut, a village or a gift."""
    for key in ("hut.spy", "village.spy", "generous_gift"):
        stage = drought(three().tech(2, "civil_service").holds(2, key))
        stage.do(f"answer 0 {key}")
        assert stage.get(f"ground.{16 + 13}") == 2, key


def test_an_answer_is_a_play_that_can_be_answered() -> None:
    """4.2 item 3 and 5: Drought, Jousting Tourney, Primetime TV: the drought comes."""
    stage = drought(three().holds(1, "jousting_tourney").holds(0, "primetime_tv"))
    stage.do("1: answer 0 jousting_tourney")
    assert (stage.asks, stage.asked) == ("window", 0)
    stage.do("answer 0 primetime_tv")
    assert stage.get(f"ground.{16 + 13}") != 2


def test_when_an_answer_is_cancelled_the_row_goes_on() -> None:
    """4.2 item 3, 6."""
    stage = drought(
        three().holds(1, "jousting_tourney").holds(0, "primetime_tv").holds(2, "jousting_tourney")
    )
    stage.do("1: answer 0 jousting_tourney", "0: answer 0 primetime_tv", "2: pass")
    assert (stage.asks, stage.asked) == ("window", 2)
    stage.do("answer 0 jousting_tourney")
    assert stage.get(f"ground.{16 + 13}") == 2


def test_passing_keeps_the_card() -> None:
    """E140: nobody is forced to answer."""
    stage = drought(three().holds(1, "jousting_tourney")).do("pass")
    assert stage.cards("seat1.events") == ["jousting_tourney"]
    assert stage.get(f"ground.{16 + 13}") != 2


def test_nobody_cancels_an_event_of_a_seat_with_mass_media() -> None:
    """E47, 3.2 mass_media."""
    stage = drought(three().tech(0, "mass_media").holds(1, "jousting_tourney bread_and_circuses"))
    assert stage.get(f"ground.{16 + 13}") != 2


# ---- IW2, X8 ----


def test_a_blockade_and_an_interruption() -> None:
    """X8, IW2, IW3, D3, D5: Writing, answered by Primetime TV; the Temple is built."""
    stage = three().tech(0, "philosophy").tech(1, "writing").tech(2, "mass_media")
    stage.ground("f.", "0.0", "1.0", "2.0").has(0, trade=3).holds(1, "hut.spy")
    stage.holds(2, "hut.spy").holds(0, "primetime_tv").phase("city")
    stage.do("make temple 0", "site 2.2")
    assert (stage.asks, stage.asked) == ("window", 1)
    stage.do("answer 0 hut.spy")
    assert (stage.asks, stage.asked) == ("window", 0)
    stage.do("answer 0 primetime_tv")
    assert stage.lies("2.2") == "temple"
    assert stage.cards("box") == ["hut.spy"]
    assert stage.get("seat0.trade") == 0


def test_writing_cancels_a_city_action() -> None:
    """E35, 3.1 writing: the city has acted, the trade is gone, the market is unchanged."""
    stage = three().tech(0, "philosophy").tech(1, "writing").ground("f.", "0.0", "1.0", "2.0")
    stage.has(0, trade=3).holds(1, "hut.spy").phase("city").do("make temple 0", "site 2.2")
    stage.do("1: answer 0 hut.spy")
    assert stage.lies("2.2") == ""
    assert [stage.get("seat0.trade"), stage.get("seat0.actions0")] == [0, 0]
    assert stage.get("buildings.6") == 5


def test_writing_cancels_both_items() -> None:
    """E36."""
    stage = three().tech(0, "engineering").tech(1, "writing")
    stage.ground("f.", "0.0", "1.0", "2.0", "0.1").holds(1, "hut.spy").phase("city")
    stage.do("split army 0", "site 2.2", "also army", "site 2.2", "1: answer 0 hut.spy")
    assert stage.rests("2.2") == (-1, 0, 0)


def test_egypts_building_cancelled_is_used_up() -> None:
    """E37, E41."""
    stage = Stage("egypt russia").city(0, "1.1").city(0, "5.5").city(1, "14.14").tech(0, "pottery")
    stage.tech(1, "writing").holds(1, "hut.spy").has(1, guard=ALL_GUARDS).phase("city")
    stage.do("free granary 0", "site 2.2", "1: answer 0 hut.spy")
    assert stage.lies("2.2") == ""
    assert not stage.offered("free")


def test_the_guard_asks_about_wonders_and_not_about_other_actions() -> None:
    """4.4, D4: bits 2 and 3, as everybody starts."""
    stage = three(guards=False).tech(1, "writing").holds(1, "hut.spy").market("stonehenge")
    stage.ground("f.", "0.0", "1.0", "2.0", "0.1", "2.1").phase("city")
    twin = Stage(THREE)
    twin.table, twin.deal, twin.pending = stage.table.copy(), stage.deal[:], stage.pending
    twin.do("make army 0", "site 2.2")
    assert twin.rests("2.2") == (0, 1, 0)
    stage.do("make stonehenge 0", "site 2.2")
    assert (stage.asks, stage.asked) == ("window", 1)


def test_bits_of_the_guard_turn_in_a_row_each_once_in_a_phase() -> None:
    """4.4."""
    stage = three().phase("city")
    before = stage.get("seat0.guard")
    for bit, key in enumerate(GUARD_KEYS):
        assert not stage.refuses(Action("guard", (), bit))
        stage.do(f"0: guard {key}")
        assert stage.refuses(Action("guard", (), bit))
    assert stage.get("seat0.guard") == before ^ (1 << len(GUARD_KEYS)) - 1


# ---- IW3 ----


def currency(stage: Stage) -> Stage:
    """Seat 0 pays incense for culture."""
    return stage.tech(0, "currency").has(0, incense=1).phase("city").do("power currency")


def test_a_resource_ability_is_cancelled_and_its_tokens_lost() -> None:
    """3.1 mass_media, E41, IW3: it counts as used."""
    stage = currency(three().tech(1, "mass_media").holds(1, "hut.spy"))
    assert (stage.asks, stage.asked) == ("window", 1)
    stage.do("answer 0 hut.spy")
    assert stage.get("seat0.culture") == 0
    assert stage.get("seat0.tokens.2") == 0
    assert stage.get("market.2") == 3
    assert not stage.offered("power")


def test_primetime_tv_cancels_an_ability() -> None:
    """3.3 primetime_tv."""
    stage = currency(three().holds(2, "primetime_tv")).do("2: answer 0 primetime_tv")
    assert stage.get("seat0.culture") == 0


@pytest.mark.parametrize(
    ("technology", "culture"), [("currency", 3), ("chivalry", 5), ("metal_casting", 7)]
)
def test_incense_is_culture(technology: str, culture: int) -> None:
    """3.1 currency, chivalry, metal_casting: once a turn each."""
    stage = three().tech(0, technology).has(0, incense=2).phase("city").do(f"power {technology}")
    assert stage.get("seat0.culture") == culture
    assert not stage.offered("power")


def test_equal_abilities_of_different_technologies_count_separately() -> None:
    """C86."""
    stage = three().tech(0, "currency chivalry").has(0, incense=2).phase("city")
    stage.do("power currency", "power chivalry")
    assert stage.get("seat0.culture") == 8


def test_a_gift_cancelled_leaves_the_ability_unused() -> None:
    """E141, 4.2 item 4, D13: the other tokens stay, it may be announced again."""
    stage = three().tech(0, "construction").holds(0, "generous_gift").holds(1, "jousting_tourney")
    stage.phase("city").do("power construction generous_gift")
    assert stage.offered("answer") == ["1 jousting_tourney"]
    stage.do("answer 1 jousting_tourney")
    assert stage.get("seat0.production0") == 0
    assert stage.get("seat0.used") == 0
    assert stage.cards("discard.medieval") == ["generous_gift", "jousting_tourney"]


def test_a_gift_from_afar_gives_its_coin_even_if_the_ability_is_cancelled() -> None:
    """E142, C144, 3.3 gift_from_afar: named with the payment."""
    stage = three().tech(0, "construction").holds(0, "gift_from_afar").holds(1, "primetime_tv")
    stage.phase("city").do("power construction gift_from_afar", "target seat2")
    stage.do("1: answer 0 primetime_tv")
    assert stage.coins(2) == 1
    assert stage.get("seat0.production0") == 0
    gone = three().tech(0, "construction").holds(0, "gift_from_afar").holds(1, "primetime_tv")
    gone.phase("city").do("power construction gift_from_afar", "target seat2")
    gone.do("1: answer 1 primetime_tv")
    assert gone.coins(2) == 0


def test_a_gift_from_afar_may_make_another_win() -> None:
    """E113, C175."""
    stage = three().tech(0, "construction").holds(0, "gift_from_afar")
    stage.table.counters[stage.table.layout.counters.index("seat2.sheet.coins")] = 14
    stage.phase("city").do("power construction gift_from_afar", "target seat2")
    assert stage.ended == (3, 2)


@pytest.mark.parametrize("gift", ["gift_from_afar", "generous_gift", "princely_gift"])
def test_gifts_stand_for_their_resources(gift: str) -> None:
    """C88, 3.3 generous_gift and princely_gift: wheat yes, incense no."""
    stage = Stage("germany russia").city(0, "1.1").tech(0, "construction currency").holds(0, gift)
    stage.phase("city")
    assert stage.offered("power") == [f"construction {gift}"]


def test_philosophy_takes_three_of_any_kind() -> None:
    """3.1 philosophy, C87, E56: open tokens, markers and gifts."""
    stage = three().tech(0, "philosophy").has(0, iron=1).holds(0, "hut.spy village.uranium")
    stage.phase("city").do("power philosophy")
    assert stage.asks == "pay"
    assert stage.texts() == ["pay iron", "pay hut.spy", "pay village.uranium"]
    stage.do("pay hut.spy", "pay iron", "pay village.uranium")
    assert stage.asks == "person"
    stage.do("sheet")
    assert sorted(stage.cards("box")) == ["hut.spy", "village.uranium"]


def test_gifts_pay_for_any_when_nothing_else_is_there() -> None:
    """C87, C88."""
    stage = three().tech(0, "pottery").has(0, iron=1).holds(0, "generous_gift").phase("city")
    assert stage.offered("power") == ["pottery generous_gift"]
    stage.do("power pottery generous_gift", "pay iron")
    assert stage.coins(0) == 1


def test_pottery_is_a_coin_for_two_resources() -> None:
    """3.1 pottery, E56, C141: also two of a kind."""
    stage = three().tech(0, "pottery").has(0, iron=2).phase("city").do("power pottery")
    while stage.asks == "pay":
        stage.do("pay iron")
    assert stage.coins(0) == 1
    assert [stage.get("market.0"), stage.get("seat0.task.times.1")] == [3, 1]


@pytest.mark.parametrize(("technology", "amount"), [("construction", 5), ("banking", 7)])
def test_wheat_is_production(technology: str, amount: int) -> None:
    """3.1 construction, banking, C55: one own city until the end of the turn."""
    stage = three().city(0, "5.5").tech(0, technology).has(0, wheat=1).phase("city")
    stage.do(f"power {technology}", "target 1")
    assert [stage.get("seat0.production0"), stage.get("seat0.production1")] == [0, amount]


def test_monarchy_makes_an_ancient_wonder_obsolete() -> None:
    """3.1 monarchy, C158, C159, C65: on the map it loses its ability and keeps its culture."""
    from core.games.civilization.wealth import has_wonder, output

    stage = three().city(1, "10.1").mark("stonehenge", "13.1").mark("louvre", "9.1")
    stage.tech(0, "monarchy").has(0, silk=1).market("colossus").phase("city")
    stage.do("power monarchy")
    assert "louvre" not in stage.offered("target")
    stage.do("target stonehenge")
    assert not has_wonder(stage.table, 1, 0)
    assert output(stage.table, 1, 0, 2) == 1
    bazaar = three().tech(0, "monarchy").has(0, silk=1).market("colossus").phase("city")
    bazaar.do("power monarchy", "target colossus")
    assert bazaar.cards("box") == ["colossus"]
    assert len(bazaar.cards("market")) == 4


def test_monarchy_kills_a_random_unit() -> None:
    """3.1 monarchy, E55: the only one dies; with none it is not offered."""
    stage = three().tech(0, "monarchy").has(0, silk=1).holds(1, "mounted.2").phase("city")
    stage.do("power monarchy")
    assert "seat2" not in stage.offered("target")
    assert stage.cards("dead.mounted") == ["mounted.2"]
    many = three().tech(0, "monarchy").has(0, silk=1).holds(1, "mounted.2 infantry.1 infantry.2")
    many.phase("city").do("power monarchy")
    assert len(many.cards("seat1.forces")) == 2


def test_gunpowder_destroys_a_building_or_a_wonders_ability() -> None:
    """3.1 gunpowder, E48, C158: walls too; ancient or medieval wonders."""
    stage = Stage("germany russia").city(0, "1.1").city(1, "14.1", walls=True).tech(0, "gunpowder")
    stage.mark("library", "13.1").has(0, iron=2).phase("city").do("power gunpowder")
    while stage.asks == "pay":
        stage.do("pay iron")
    assert stage.offered("target") == ["13.1", "14.1"]
    stage.do("target 14.1")
    assert stage.get("seat1.walls0") == 0


def test_steam_power_brings_figures_to_water() -> None:
    """3.1 steam_power, E54, E126: they do not move in this turn's Movement."""
    stage = three().ground("w.", "13.0").army(0, "5.5", 2).tech(0, "steam_power").has(0, silk=1)
    stage.phase("city").do("power steam_power")
    assert stage.rests("13.0") == (0, 2, 0)
    assert stage.get("seat0.moved") == 3


def test_atomic_theory_gives_every_city_an_action() -> None:
    """3.1 atomic_theory, E53: the idle ones have two; not a capital in Anarchy."""
    stage = three().city(0, "5.5").tech(0, "atomic_theory").holds(0, "village.uranium")
    stage.phase("city").do("arts 0", "power atomic_theory:actions village.uranium")
    assert [stage.get("seat0.actions0"), stage.get("seat0.actions1")] == [1, 2]


# ---- events ----


@pytest.mark.parametrize(
    ("event", "amount"), [("despot_day", 4), ("queen_day", 6), ("president_day", 8)]
)
def test_we_love_days_give_production(event: str, amount: int) -> None:
    """3.3 despot_day, queen_day, president_day, C55, E52: not to a city that has acted."""
    stage = three().holds(0, event).phase("city").do(f"event {event}")
    assert stage.get("seat0.production0") == amount
    acted = three().holds(0, event).phase("city").do("arts 0")
    assert not acted.offered("event")


@pytest.mark.parametrize(
    ("event", "steps"), [("disoriented", 2), ("lost", 3), ("out_of_position", 4)]
)
def test_figures_are_pushed_away(event: str, steps: int) -> None:
    """3.3 disoriented, lost, out_of_position, E77, E125: together, not onto anything."""
    stage = three().army(1, "8.8").scout(1, "8.8").mark("hut", "9.8").holds(0, event)
    stage.phase("city").do(f"event {event}")
    ends = stage.offered("target")
    assert len(ends) < 2 * steps * (steps + 1)
    assert "9.8" not in ends
    assert f"8.{8 - steps}" in ends
    stage.do(f"target 8.{8 - steps}")
    assert stage.rests(f"8.{8 - steps}") == (1, 1, 1)


@pytest.mark.parametrize(("event", "reach"), [("sabotage", 4), ("catastrophe", 6)])
def test_sabotage_reaches_so_far(event: str, reach: int) -> None:
    """3.3 sabotage, catastrophe, E124, C97: orthogonal steps from a figure or city; own too."""
    stage = three().city(1, "8.8").mark("library", "7.8").mark("market", "2.1")
    stage.army(0, f"{7 - reach}.8").holds(0, event).phase("start").do(f"event {event}")
    assert stage.offered("target") == ["2.1", "7.8"]
    stage.do("target 7.8")
    assert stage.lies("7.8") == ""
    assert stage.get("buildings.3") == 6


def test_disaster_takes_up_to_two_buildings() -> None:
    """3.3 disaster, E135: of other seats; one answer cancels the whole card."""
    stage = three().mark("library", "13.1").mark("granary", "13.14").holds(0, "disaster")
    stage.phase("start").do("event disaster", "target 13.1", "target 13.14")
    assert [stage.lies("13.1"), stage.lies("13.14")] == ["", ""]
    one = three().mark("library", "13.1").mark("granary", "13.14").holds(0, "disaster")
    one.ground("mI", "15.15").phase("start").do("event disaster", "target 13.1", "done")
    assert [one.lies("13.1"), one.lies("13.14")] == ["", "granary"]
    assert one.get("ground.255") == 8, "no aim is no square, not even the last one"
    saved = three().mark("library", "13.1").mark("granary", "13.14").holds(0, "disaster")
    saved.holds(1, "bread_and_circuses").phase("start")
    saved.do("event disaster", "target 13.1", "target 13.14", "answer 0 bread_and_circuses")
    assert [saved.lies("13.1"), saved.lies("13.14")] == ["library", "granary"]


def test_deforestation_makes_grassland() -> None:
    """3.3 deforestation, E121: a hut marker stays."""
    stage = three().ground("f.", "8.8").mark("hut", "8.8").holds(0, "deforestation").phase("start")
    stage.do("event deforestation")
    assert stage.get(f"ground.{16 * 8 + 8}") == 1 + 5 * 7
    assert stage.lies("8.8") == "hut"


@pytest.mark.parametrize("event", ["revolt", "revolt_ii"])
def test_a_revolt_means_anarchy(event: str) -> None:
    """3.3 revolt, revolt_ii, E27, E28, C40: an idle capital; not against Anarchy."""
    stage = three().rules_by(2, "anarchy").holds(0, event).phase("start").do(f"event {event}")
    assert stage.get("seat1.government") == 1
    assert stage.get("seat1.idle") == 1


def test_ideas_are_exchanged() -> None:
    """3.3 exchange_of_ideas, IW6, C162: the actor first, then the other seat."""
    stage = three().tech(0, "pottery").tech(1, "writing masonry chivalry")
    stage.holds(0, "exchange_of_ideas").phase("start").do("event exchange_of_ideas")
    assert sorted(stage.texts()) == ["learn masonry", "learn writing"]
    stage.do("learn writing")
    assert (stage.asks, stage.asked) == ("study", 1)
    stage.do("learn pottery")
    assert stage.get("seat0.technologies.low") == 1 << 8 | 1 << 9


def test_who_can_learn_nothing_learns_nothing() -> None:
    """E111, C180: the other half still happens; not offered if the actor gets nothing."""
    stage = three().tech(1, "writing").holds(0, "exchange_of_ideas").phase("start")
    stage.do("event exchange_of_ideas", "learn writing")
    assert stage.asks != "study"
    nothing = three().tech(0, "writing").holds(0, "exchange_of_ideas").phase("start")
    assert not nothing.offered("event")


@pytest.mark.parametrize(("event", "level"), [("knowledge_shared", 2), ("think_tank", 3)])
def test_higher_levels_are_shared(event: str, level: int) -> None:
    """3.3 knowledge_shared, think_tank, E110: the printed level counts; Russia's Communism is 3."""
    stage = three().tech(1, "communism chivalry").tech(0, "pottery writing masonry navigation")
    stage.tech(0, "construction irrigation").holds(0, event).phase("start")
    stage.do(f"event {event}")
    assert "learn chivalry" in stage.texts()
    assert ("learn communism" in stage.texts()) is (level == 3)


# ---- IW0 ----


def test_united_nations_protect_by_a_standing_answer() -> None:
    """IW0, 3.4 united_nations, E143, C181: its owner's squares and figures cannot be named."""
    stage = (
        three().mark("united_nations", "13.0").army(1, "3.1").army(2, "4.1").holds(0, "defection")
    )
    stage.has(1, guard=0).phase("move").do("event defection")
    assert stage.rests("3.1") == (1, 1, 0)
    assert stage.rests("4.1") == (-1, 0, 0)


def test_united_nations_may_want_to_be_asked() -> None:
    """IW0, 4.4 bit 7, E134: without consent the card goes back and another target is needed."""
    stage = three().mark("united_nations", "13.0").army(1, "3.1").holds(0, "defection")
    stage.has(1, guard=128).phase("move").do("event defection")
    assert (stage.asks, stage.asked) == ("consent", 1)
    stage.do("refuse")
    assert stage.rests("3.1") == (1, 1, 0)
    assert stage.cards("seat0.events") == ["defection"]
    assert not stage.offered("event")
    agreed = three().mark("united_nations", "13.0").army(1, "3.1").holds(0, "defection")
    agreed.has(1, guard=128).phase("move").do("event defection", "consent")
    assert agreed.rests("3.1") == (-1, 0, 0)


# ---- refusals ----


def test_an_event_of_another_phase_is_caught_when_it_is_turned_up() -> None:
    """C78: the holder cannot play it; a cheater's choice is taken back."""
    stage = three().holds(0, "drought queen_day").phase("city")
    card = stage.find("drought", stage.table.layout.zone_index["seat0.events"])
    choices.apply(stage.table, 0, Action("event", (card,)))
    with pytest.raises(RulesError, match="cannot be played now"):
        stage.settle()


def test_an_answer_that_is_none_is_caught() -> None:
    """4.2: the card is opened and checked on its way."""
    stage = drought(three().holds(1, "jousting_tourney lost"))
    card = stage.find("lost", stage.table.layout.zone_index["seat1.events"])
    choices.apply(stage.table, 1, Action("answer", (card,), 0))
    with pytest.raises(RulesError, match="does not answer"):
        stage.settle()


def test_who_holds_too_many_discards_before_answering() -> None:
    """E139, C76."""
    stage = three().holds(1, "jousting_tourney lost defection").holds(0, "drought")
    stage.ground("f.", "13.1")
    stage.table.counters[stage.table.layout.counters.index("check")] = 1
    stage.phase("start")
    assert (stage.asks, stage.asked) == ("discard", 1)
