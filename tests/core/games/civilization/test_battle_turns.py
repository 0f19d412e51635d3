"""Battle turns step by step: fronts, iron, wounds, healing, what pays; and what a battle leaves."""

from __future__ import annotations

import pytest

from core.games.civilization import choices
from core.games.civilization.layout import BOX, EVENT_DECK, FRONT_OF, UNITS, WOUNDS
from core.games.civilization.powers import METALWORKING_POWER
from core.games.civilization.wealth import is_used
from core.requests import Action
from core.table import RulesError
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.test_battles import attack, city, field, fight, fronts
from tests.core.games.civilization.test_movement import base, fight_on
from tests.core.games.civilization.test_plays import card_of

# ---- attacks ----


def test_a_unit_that_outlives_its_trump_hits_back() -> None:
    """C119: the trumping defender deals first, and what is left deals after it."""
    stage = field().tech(0, "chivalry").holds(0, "mounted.3 mounted.1")
    stage.holds(1, "infantry.2 artillery.1")
    fight(attack(stage), "1 infantry.2 new", "0 mounted.3 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{"mounted.3": 2}, {}]


def test_who_attacks_its_trump_and_dies_deals_nothing() -> None:
    """C119."""
    stage = field().holds(0, "mounted.2 mounted.1").holds(1, "infantry.3 artillery.1")
    fight(attack(stage), "1 infantry.3 new", "0 mounted.2 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{}, {"infantry.3": 0}]


def test_two_dead_units_cost_the_winner_an_army() -> None:
    """C118, C124: counted as they die, attacking and defending."""
    stage = field(armies=2).mark("general", "2.2", "2.1", "2.0")
    stage.holds(0, "infantry.1 infantry.2 mounted.1").holds(1, "mounted.2 infantry.3")
    fight(attack(stage, 2), "1 mounted.2 new", "0 mounted.1 1")
    assert stage.get("battle.killed0") == 1
    defended = field(armies=1, defenders=2).holds(0, "infantry.3 mounted.3")
    defended.holds(1, "infantry.1 mounted.1 artillery.1 artillery.2").mark("general", "13.13")
    fight(attack(defended), "1 infantry.1 new", "0 infantry.3 1", "1 mounted.1 1")
    fight_on(defended)
    while defended.asks == "loot":
        defended.do("end")
    assert defended.rests("9.8") == (1, 1, 0)


def test_a_turn_has_one_unit_of_the_own_hand() -> None:
    """C115, C117: a second one, or one of somebody else, is refused."""
    stage = field().holds(0, "infantry.1 infantry.2").holds(1, "infantry.3 mounted.1 mounted.2")
    stage.tech(1, "mathematics").has(1, iron=1)
    attack(stage)
    theirs = card_of(stage, "infantry.1", "seat0.battle")
    assert stage.refuses(Action("play", (theirs,)), 1)
    fight(stage, "1 infantry.3 new", "0 infantry.1 new", "1 mounted.1 new")
    assert (stage.asks, stage.asked, stage.offered("play")) == ("fight", 1, [])
    assert stage.refuses(Action("play", (card_of(stage, "mounted.2", "seat1.battle"),)), 1)
    stage.do("end")
    assert stage.asked == 0


# ---- iron ----


def test_iron_is_for_one_attack_and_is_spent() -> None:
    """C116, C86: the next attack has its own strength; twice is refused."""
    stage = field().tech(0, "metalworking").has(0, iron=2).holds(0, "infantry.1 infantry.2")
    stage.holds(1, "infantry.3 infantry.2").tech(1, "replaceable_parts")
    fight(attack(stage), "1 infantry.3 new")
    assert stage.refuses(Action("iron"))
    stage.do("play infantry.1", "iron")
    assert stage.refuses(Action("iron"))
    stage.do("front 1")
    assert fronts(stage, 1) == {"infantry.3": 4}
    assert [stage.get("seat0.tokens.0"), stage.get("market.0")] == [1, 1]
    assert is_used(stage.table, 0, METALWORKING_POWER)
    fight(stage, "1 infantry.2 new")
    stage.do("play infantry.2")
    assert not stage.offered("iron")
    stage.do("front 2")
    assert fronts(stage, 1) == {"infantry.3": 4, "infantry.2": 2}


def test_iron_needs_an_attack_the_technology_and_something_that_pays() -> None:
    """C116, C86, C87."""
    stage = field().holds(0, "infantry.1 mounted.1").has(0, iron=1).holds(1, "infantry.3")
    stage.holds(0, "hut.iron").holds(1, "hut.spy")
    fight(attack(stage), "1 infantry.3 new").do("play infantry.1")
    assert stage.refuses(Action("iron"))
    stage.tech(0, "metalworking")
    assert not stage.refuses(Action("iron"))
    assert stage.refuses(Action("iron", (card_of(stage, "hut.spy", "seat1.tokens"),)))
    empty = field().tech(0, "metalworking").holds(0, "infantry.1").has(0, iron=1)
    attack(empty).do("play infantry.1")
    assert empty.refuses(Action("iron"))


def test_a_card_that_shows_no_iron_pays_for_no_battle_ability() -> None:
    """C87: judged when it is turned up."""
    stage = field().tech(0, "mathematics").holds(0, "hut.silk infantry.1").holds(1, "infantry.3")
    fight(attack(stage), "1 infantry.3 new")
    card = card_of(stage, "hut.silk", "seat0.tokens")
    choices.apply(stage.table, 0, Action("mathematics", (card,)))
    with pytest.raises(RulesError, match="does not pay"):
        stage.settle()


def test_a_gift_from_afar_pays_in_battle_and_gives_its_coin() -> None:
    """C144, C88, C60: another seat is named; the card becomes an empty deck at once."""
    stage = field("germany russia china").tech(0, "mathematics").holds(1, "infantry.3")
    stage.holds(0, "gift_from_afar infantry.1").city(2, "1.14")
    zones = stage.table.zones
    zones[BOX] += zones[EVENT_DECK]
    zones[EVENT_DECK] = []
    fight(attack(stage), "1 infantry.3 new").do("mathematics gift_from_afar")
    assert stage.offered("target") == ["seat1", "seat2"]
    stage.do("target seat2")
    assert (stage.coins(2), stage.asks) == (1, "wound")
    assert len(zones[EVENT_DECK]) == 1
    plain = field().tech(0, "mathematics").holds(1, "infantry.3")
    zones = plain.holds(0, "generous_gift infantry.1").table.zones
    zones[BOX] += zones[EVENT_DECK + 1]
    zones[EVENT_DECK + 1] = []
    fight(attack(plain), "1 infantry.3 new").do("mathematics generous_gift")
    assert len(zones[EVENT_DECK + 1]) == 1
    winner = field("germany russia china").tech(0, "mathematics").holds(1, "infantry.3")
    winner.holds(0, "gift_from_afar infantry.1").set("seat2.sheet.coins", 14)
    fight(attack(winner), "1 infantry.3 new").do("mathematics gift_from_afar", "target seat2")
    assert winner.ended == (3, 2), "C173: at once"


# ---- wounds and healing ----


def test_mathematics_deals_three_wounds_and_no_more() -> None:
    """3.1 mathematics, C121: done ends it early; with nobody in play it is refused."""
    stage = field().tech(0, "mathematics").has(0, iron=1).holds(0, "infantry.1")
    stage.holds(1, "infantry.3 infantry.2").tech(1, "replaceable_parts")
    assert attack(stage).refuses(Action("mathematics"), 1)
    fight(stage, "1 infantry.3 new").do("mathematics", *["wound infantry.3"] * 3)
    assert (stage.asks, fronts(stage, 1)) == ("fight", {"infantry.3": 3})
    assert stage.get("seat0.tokens.0") == 0
    early = field().tech(0, "mathematics").has(0, iron=1).holds(0, "infantry.1")
    fight(attack(early.holds(1, "infantry.3")), "1 infantry.3 new").do("mathematics", "done")
    assert (early.asks, fronts(early, 1)) == ("fight", {"infantry.3": 0})


def test_nobody_shoots_where_nobody_stands() -> None:
    """3.1 mathematics: refused, and the token stays."""
    stage = field().tech(0, "mathematics").tech(1, "mathematics").has(1, iron=1).has(0, iron=1)
    stage.holds(0, "infantry.1").holds(1, "infantry.3")
    attack(stage)
    assert (stage.asked, stage.offered("mathematics")) == (1, [])
    assert stage.refuses(Action("mathematics"))
    fight(stage, "1 infantry.3 new")
    assert (stage.asks, stage.asked) == ("fight", 0), "D10: no second opportunity without enemies"


def test_three_wounds_of_many_are_chosen() -> None:
    """3.1 animal_husbandry, C121: one by one, once in a battle."""
    stage = field().tech(0, "animal_husbandry replaceable_parts").tech(1, "replaceable_parts")
    stage.holds(0, "infantry.3 infantry.2").holds(1, "infantry.1 infantry.2 artillery.1")
    fight(attack(stage), "1 infantry.1 new", "0 infantry.3 1")
    assert fronts(stage, 0) == {"infantry.3": 4}
    stage.do("heal", *["cure infantry.3"] * 3)
    assert (stage.asks, fronts(stage, 0)) == ("fight", {"infantry.3": 1})
    assert "heal" not in stage.texts()


def test_biology_heals_everything_beside_animal_husbandry() -> None:
    """3.1 biology, C121: more than three wounds, without a question."""
    stage = field().tech(0, "biology animal_husbandry replaceable_parts").holds(0, "infantry.3")
    stage.tech(1, "replaceable_parts").holds(1, "infantry.1 infantry.2")
    fight(attack(stage), "1 infantry.1 new", "0 infantry.3 1").do("biology")
    assert fronts(stage, 0) == {"infantry.3": 0}
    assert "biology" not in stage.texts()


def test_who_plays_the_natives_has_no_second_opportunity() -> None:
    """D10, C137: whatever that seat knows."""
    stage = base().mark("village", "9.8").army(0, "8.8").tech(1, "mathematics").has(1, iron=1)
    stage.holds(0, "mounted.3 mounted.2 infantry.1").phase("move").do("move 8.8 1+0", "go 9.8")
    asked = [stage.asked]
    while stage.asks in ("fight", "front"):
        text = "new" if "new" in stage.texts() else stage.texts()[0]
        stage.do(text)
        assert text != "end"
        asked.append(stage.asked)
    assert {0, 1} <= set(asked)


# ---- what a battle leaves ----


def test_a_battle_leaves_nothing_behind() -> None:
    """C132, C136: units are whole again, and nothing is written down any more."""
    stage = field().holds(0, "infantry.3").holds(1, "infantry.1 mounted.1")
    fight_on(attack(stage))
    while stage.asks == "loot":
        stage.do("end")
    names = stage.table.layout.counters
    battle = [name for name in names if name.startswith("battle")]
    assert {name: stage.get(name) for name in battle} == dict.fromkeys(battle, 0)
    counters = stage.table.counters
    assert not any(counters[WOUNDS : WOUNDS + UNITS] + counters[FRONT_OF : FRONT_OF + UNITS])


def test_a_coin_square_that_falls_free_wins_at_once() -> None:
    """C125, C139, C173: the blockade ends with the battle that removes the blockader."""
    stage = Stage("germany russia").city(0, "1.1").city(1, "14.14").ground("d$", "2.2")
    stage.army(1, "2.2").army(0, "3.2").set("seat0.sheet.coins", 14)
    stage.mark("general", "0.0").holds(0, "infantry.3").set("check", 0).phase("move")
    stage.do("move 3.2 1+0", "go 2.2")
    fight_on(stage)
    while stage.asks == "loot":
        stage.do("end")
    assert stage.ended == (3, 0)


def test_code_of_laws_gains_once_a_turn_in_villages_too() -> None:
    """C134: a village counts for the attacker; who plays the natives gains nothing."""
    stage = base("rome china").mark("village", "9.8").army(0, "8.8").army(0, "5.5")
    stage.tech(0, "code_of_laws").tech(1, "code_of_laws").mark("general", "2.2", "2.1", "2.0")
    stage.holds(0, "mounted.3 mounted.3 mounted.3 infantry.3").army(1, "6.5").phase("move")
    fight_on(stage.do("move 8.8 1+0", "go 9.8"))
    while stage.asks in ("discard", "village", "person", "guarding"):
        stage.do(stage.texts()[-1] if stage.asks == "guarding" else stage.texts()[0])
    assert stage.coins(0) == 1
    fight_on(stage.do("move 5.5 1+0", "go 6.5"))
    while stage.asks == "loot":
        stage.do("end")
    assert (stage.rests("6.5"), stage.coins(0)) == ((0, 1, 0), 1)
    lost = base("rome china").mark("village", "9.8").army(0, "8.8").tech(1, "code_of_laws")
    fight_on(lost.phase("move").do("move 8.8 1+0", "go 9.8"))
    assert (lost.lies("9.8"), lost.coins(1)) == ("village", 0)


@pytest.mark.parametrize(("civs", "culture"), [("china rome", 3), ("russia rome", 0)])
def test_a_village_that_is_won_is_gone(civs: str, culture: int) -> None:
    """C103, 3.6 China: 3 culture for China, and for nobody else."""
    stage = base(civs).mark("village", "9.8").army(0, "8.8").mark("general", "2.2", "2.1", "2.0")
    stage.holds(0, "mounted.3 mounted.3 mounted.3 infantry.3").phase("move")
    fight_on(stage.do("move 8.8 1+0", "go 9.8"))
    assert (stage.lies("9.8"), stage.get("seat0.culture")) == ("", culture)


def test_a_city_without_units_is_destroyed_by_one_army() -> None:
    """C131, C172: unless it is the capital, its owner goes on."""
    stage = city().mark("general", "2.2", "2.1", "2.0").holds(0, "infantry.3")
    fight_on(attack(stage, start="7.8"))
    assert stage.site(1, 1) == -1
    assert stage.ended == (0, 0)
