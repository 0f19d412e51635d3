"""Battles: mustering, bonuses, fronts, abilities, losses, loot, rewards."""

from __future__ import annotations

import pytest

from core.games.civilization import battles
from core.games.civilization.battles import combination
from core.games.civilization.layout import HAND
from core.games.civilization.wealth import combat_bonus
from tests.core.games.civilization.stage import Stage


def field(civs: str = "germany russia", armies: int = 1, defenders: int = 1) -> Stage:
    """Armies at 8.8 and enemy armies at 9.8, far from all cities."""
    stage = Stage(civs).city(0, "1.1").city(1, "14.14")
    return stage.army(0, "8.8", armies).army(1, "9.8", defenders)


def attack(stage: Stage, armies: int = 1, square: str = "9.8", start: str = "8.8") -> Stage:
    """The armies of seat 0 attack."""
    return stage.phase("move").do(f"move {start} {armies}+0", f"go {square}")


def city(walls: bool = False, capital: bool = False) -> Stage:
    """An army of seat 0 beside a city of seat 1 at 9.8."""
    stage = Stage("germany russia").city(0, "1.1")
    stage = stage if capital else stage.city(1, "14.14")
    return stage.city(1, "9.8", walls=walls).army(0, "7.8")


def fight(stage: Stage, *lines: str) -> Stage:
    """Each line is seat, unit and front, as in `0 mounted.3 new`."""
    for line in lines:
        seat, unit, front = line.split()
        stage.do(
            f"{seat}: play {unit}", f"{seat}: " + (front if front == "new" else f"front {front}")
        )
    return stage


def fronts(stage: Stage, seat: int) -> dict[str, int]:
    """The units of a seat in play with their wounds."""
    zone = stage.table.layout.zone_index[f"seat{seat}.front"]
    return {
        stage.table.layout.faces[stage.deal[card]]: stage.get(f"wounds.{card}")
        for card in stage.table.zones[zone]
    }


# ---- X4 ----


def test_new_fronts_are_no_attack() -> None:
    """X4 example 1, C117."""
    stage = field().holds(0, "mounted.3").holds(1, "mounted.2 infantry.1")
    fight(attack(stage), "1 mounted.2 new", "0 mounted.3 new")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{"mounted.3": 0}, {"mounted.2": 0}]


def test_an_attack_wounds_both() -> None:
    """X4 examples 2 and 3, C118, E82: at once, once; wounded units deal full damage."""
    stage = field().holds(0, "mounted.3 infantry.1").holds(1, "mounted.2 mounted.3 infantry.2")
    fight(attack(stage), "1 mounted.2 new", "0 mounted.3 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{"mounted.3": 2}, {}]
    fight(stage, "1 mounted.3 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{}, {}]


def test_a_trumping_unit_deals_first() -> None:
    """X4 example 4, C119: if the other dies, it deals none back."""
    stage = field().holds(0, "mounted.3 infantry.1").holds(1, "mounted.2 infantry.3 infantry.2")
    fight(attack(stage), "1 mounted.2 new", "0 mounted.3 1", "1 infantry.3 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{}, {"infantry.3": 0}]


def test_a_trump_that_does_not_kill_takes_damage() -> None:
    """E83, E84, C117: then the front is full on both sides."""
    stage = field().holds(0, "infantry.1 infantry.2").holds(1, "mounted.3 mounted.2 infantry.2")
    fight(attack(stage), "1 mounted.3 new", "0 infantry.1 1")
    assert fronts(stage, 1) == {"mounted.3": 1}
    full = field().holds(0, "mounted.2 infantry.2").holds(1, "mounted.3 infantry.3")
    full.tech(0, "chivalry").tech(1, "chivalry")
    fight(attack(full), "1 mounted.3 new", "0 mounted.2 1")
    assert [fronts(full, 0), fronts(full, 1)] == [{}, {"mounted.3": 3}]


def test_ranks_add_to_the_strength() -> None:
    """C113, C120, C167: one for each rank; aircraft as printed."""
    stage = field().tech(0, "chivalry").holds(0, "mounted.3 aircraft.7").holds(1, "mounted.3")
    attack(stage)
    cards = {stage.table.layout.faces[stage.deal[card]]: card for card in range(53)
             if card in stage.table.zones[HAND[0]]}  # fmt: skip
    for card in cards.values():
        stage.table.turn_up((card,), [stage.deal[card]])
    assert battles.strength(stage.table, 0, cards["mounted.3"]) == 4
    assert battles.strength(stage.table, 0, cards["aircraft.7"]) == 7


# ---- X7 ----


def whole(*, combustion: bool = False) -> Stage:
    """The whole battle of X7 before its first turn."""
    stage = city(walls=True).army(0, "7.8").tech(0, "chivalry" + combustion * " combustion")
    stage.holds(0, "mounted.3 infantry.2 infantry.1 artillery.2")
    stage.holds(1, "mounted.2 infantry.2 artillery.3").mark("barracks", "2.2").has(0, trade=5)
    return attack(stage, 2, start="7.8")


def test_a_whole_battle() -> None:
    """X7, C112, C114, C115, E89: walls, so the attacker begins; the defender wins 11 to 5."""
    stage = whole()
    assert stage.get("battle.bonus1") == 8
    fight(stage, "0 mounted.3 new", "1 infantry.2 1")
    assert fronts(stage, 0) == {"mounted.3": 2}
    fight(stage, "0 artillery.2 new", "1 mounted.2 2", "0 infantry.2 2", "1 artillery.3 2")
    assert fronts(stage, 1) == {"artillery.3": 0}
    stage.do("0: play infantry.1", "new")
    assert (stage.asks, stage.asked) == ("loot", 1)
    stage.do("loot trade")
    assert stage.get("seat1.trade") == 3
    assert stage.rests("7.8") == (-1, 0, 0)
    assert stage.cards("dead.infantry") == ["infantry.2", "infantry.2"]
    assert stage.cards("dead.artillery") == ["artillery.2"]
    assert stage.cards("dead.mounted") == ["mounted.2"]
    assert stage.cards("seat0.forces") == ["infantry.1", "mounted.3"]
    assert stage.cards("seat1.forces") == ["artillery.3"]


def test_combustion_takes_the_walls_first() -> None:
    """X7 variant, E90, C110, 3.1 combustion: no +4, the defender begins."""
    stage = whole(combustion=True)
    assert stage.get("battle.bonus1") == 4
    assert stage.asked == 1
    assert stage.get("seat1.walls1") == 0


# ---- mustering, bonuses ----


@pytest.mark.parametrize(("armies", "size"), [(1, 3), (2, 5), (3, 7)])
def test_the_battle_hand(armies: int, size: int) -> None:
    """C112, E79, E80, D10: 3, and 2 for each army beyond the first; at random."""
    stage = field(armies=armies).tech(0, "masonry")
    stage.holds(0, "infantry.1 infantry.2 mounted.1 mounted.2 artillery.1 artillery.2 artillery.3 "
                   "aircraft.5")  # fmt: skip
    attack(stage, armies)
    assert len(stage.cards("seat0.battle")) == size
    few = attack(field().holds(0, "infantry.1"))
    assert few.cards("seat0.battle") == ["infantry.1"]


def test_fundamentalism_computers_and_cities_add_to_the_hand() -> None:
    """C112, 3.2 computers, 3.5 Fundamentalism; E81: armies in the outskirts do not help."""
    stage = city().tech(1, "computers").rules_by(1, "fundamentalism").army(1, "10.8")
    stage.table.counters[stage.table.layout.counters.index("seat1.sheet.coins")] = 4
    attack(stage.holds(1, "infantry.1"), start="7.8")
    assert battles.hand_size(stage.table, 1) == 3 + 3 + 1 + 1


def test_every_combination_of_a_roll_is_another_hand() -> None:
    """D10: comb(n, k) ways, each of them once."""
    hands = {tuple(combination([1, 2, 3, 4, 5], 3, number)) for number in range(10)}
    assert len(hands) == 10
    assert all(len(set(hand)) == 3 for hand in hands)


def test_combat_bonuses_count_anywhere_and_not_blockaded() -> None:
    """C114, E105: Barracks 2, Academy 4, General 4."""
    stage = Stage().city(0, "2.2").city(0, "8.8").mark("barracks", "1.1").mark("academy", "7.7")
    stage.mark("general", "2.1")
    assert combat_bonus(stage.table, 0) == 10
    stage.army(1, "1.1")
    assert combat_bonus(stage.table, 0) == 8


@pytest.mark.parametrize(
    ("walls", "capital", "bonus"), [(False, False, 6), (True, False, 10), (True, True, 16)]
)
def test_cities_have_a_bonus(walls: bool, capital: bool, bonus: int) -> None:
    """C114: 6, a capital 12, walls 4 more."""
    stage = attack(city(walls, capital).holds(0, "infantry.1").holds(1, "infantry.1"), start="7.8")
    assert [stage.get("battle.bonus0"), stage.get("battle.bonus1")] == [0, bonus]


def test_the_higher_side_takes_the_difference() -> None:
    """X4 combat bonus, C114."""
    stage = city().mark("general", "2.2", "2.1", "2.0").holds(0, "infantry.1")
    attack(stage, start="7.8")
    assert [stage.get("battle.bonus0"), stage.get("battle.bonus1")] == [6, 0]


def test_without_units_the_bonus_decides_and_equal_is_the_defenders() -> None:
    """C123, E78."""
    stage = attack(field())
    assert stage.rests("9.8") == (1, 1, 0)
    better = attack(field().mark("barracks", "2.2"))
    while better.asks == "loot":
        better.do("end")
    assert better.rests("9.8") == (0, 1, 0)


def test_a_side_without_units_has_no_battle_turn() -> None:
    """C115, E88, E138: the other plays in a row."""
    stage = (
        field().holds(0, "infantry.1 infantry.2 infantry.3").tech(1, "mathematics").has(1, iron=1)
    )
    attack(stage)
    fight(stage, "0 infantry.1 new", "0 infantry.2 new", "0 infantry.3 new")
    assert stage.get("battle") == 0 or stage.asks == "loot"


def test_the_oracle_shows_the_opponents_hand() -> None:
    """3.4 oracle, E102: natives too; section 6."""
    stage = field().mark("oracle", "2.2").holds(1, "infantry.2").holds(0, "infantry.1")
    attack(stage)
    card = stage.find("infantry.2", stage.table.layout.zone_index["seat1.battle"])
    assert stage.table.seen[card] == 0b11
    village = Stage().city(0, "1.1").mark("oracle", "2.2").mark("village", "9.8").army(0, "8.8")
    village.holds(0, "infantry.1")
    attack(village)
    hand = village.table.zones[village.table.layout.zone_index["seat1.battle"]]
    assert all(village.table.seen[card] == 0b11 for card in hand)


def test_the_oracle_of_the_natives_player_does_nothing() -> None:
    """E136."""
    stage = Stage().city(0, "1.1").city(1, "14.14").mark("oracle", "13.13").mark("village", "9.8")
    stage.army(0, "8.8").holds(0, "infantry.1")
    attack(stage)
    card = stage.find("infantry.1", stage.table.layout.zone_index["seat0.battle"])
    assert stage.table.seen[card] == 0b01


def test_himeji_makes_all_own_units_stronger() -> None:
    """3.4 himeji_castle, E104, C120: toughness, attack and sum."""
    stage = field().mark("himeji_castle", "2.2").holds(0, "infantry.2 infantry.1")
    stage.holds(1, "infantry.3 mounted.1")
    fight(attack(stage), "1 infantry.3 new", "0 infantry.2 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{}, {}]
    fight(stage, "1 mounted.1 new", "0 infantry.1 new")  # The sums: 1 and 1 more against 1.
    assert stage.rests("9.8") == (0, 1, 0)


# ---- abilities in battle ----


def test_metalworking_is_part_of_an_attack() -> None:
    """3.1 metalworking, C116, E85, E86: 3 more wounds, not with a new front."""
    stage = field().tech(0, "metalworking").has(0, iron=1).holds(0, "infantry.1 infantry.2")
    stage.holds(1, "infantry.3 infantry.2")
    fight(attack(stage), "1 infantry.3 new")
    stage.do("play infantry.1", "iron")
    assert stage.texts() == ["front 1"]
    stage.do("front 1")
    assert fronts(stage, 1) == {}
    assert stage.get("market.0") == 2
    first = field().tech(0, "metalworking").has(0, iron=1).holds(0, "infantry.1")
    attack(first).do("play infantry.1")
    assert first.texts() == ["new"]


def test_metalworking_with_a_trump_deals_first() -> None:
    """E86."""
    stage = field().tech(0, "metalworking").has(0, iron=1).holds(0, "infantry.1 infantry.2")
    stage.holds(1, "mounted.3 infantry.2")
    fight(attack(stage), "1 mounted.3 new")
    stage.do("play infantry.1", "iron", "front 1")
    assert [fronts(stage, 0), fronts(stage, 1)] == [{"infantry.1": 0}, {}]


def test_mathematics_and_ballistics_wound_as_one_likes() -> None:
    """3.1 mathematics and ballistics, C121, E137: unit by unit; the front is free again."""
    stage = (
        field().tech(0, "mathematics ballistics").has(0, iron=2).holds(0, "infantry.1 artillery.1")
    )
    stage.holds(1, "infantry.2 infantry.3")
    fight(attack(stage), "1 infantry.2 new").do(
        "mathematics", "wound infantry.2", "wound infantry.2"
    )
    assert fronts(stage, 1) == {}
    assert stage.asks == "fight"
    assert not stage.offered("ballistics")


def test_ballistics_deal_six_wounds() -> None:
    """3.1 ballistics, C121, C86: beside Mathematics, each once per turn."""
    stage = field().tech(0, "mathematics ballistics").has(0, iron=2).holds(0, "infantry.1")
    stage.holds(1, "infantry.2 infantry.3 artillery.2").tech(1, "replaceable_parts")
    fight(attack(stage), "1 infantry.3 new").do("ballistics", *["wound infantry.3"] * 6)
    assert fronts(stage, 1) == {}
    assert stage.get("market.0") == 1


def test_an_ability_after_the_last_unit() -> None:
    """E87, C115: the second opportunity of that battle turn."""
    stage = (
        field().tech(0, "mathematics").has(0, iron=1).holds(0, "infantry.1").holds(1, "infantry.3")
    )
    fight(attack(stage), "1 infantry.3 new", "0 infantry.1 new")
    assert stage.texts() == ["mathematics", "end"]
    stage.do("mathematics", "wound infantry.3", "wound infantry.3")
    assert fronts(stage, 1) == {"infantry.3": 2}
    stage.do("done")
    assert stage.rests("9.8") == (1, 1, 0)


def test_animal_husbandry_heals_three_and_biology_all() -> None:
    """3.1 animal_husbandry and biology, C121: once per battle."""
    stage = field().tech(0, "animal_husbandry biology").holds(0, "infantry.3 infantry.2")
    stage.holds(1, "infantry.2 infantry.1")
    fight(attack(stage), "1 infantry.2 new", "0 infantry.3 1")
    assert {"heal", "biology"} <= set(stage.texts())
    stage.do("heal")
    assert fronts(stage, 0) == {"infantry.3": 0}
    assert stage.asks != "fight" or "heal" not in stage.texts()


def test_a_hidden_iron_pays_in_battle_without_a_window() -> None:
    """C115, C87, 4.2: no window opens during a battle."""
    stage = field("germany russia china").tech(0, "mathematics").tech(2, "mass_media")
    stage.holds(2, "primetime_tv hut.spy").holds(0, "hut.iron infantry.1").holds(1, "infantry.3")
    fight(attack(stage), "1 infantry.3 new").do("mathematics hut.iron")
    assert (stage.asks, stage.asked) == ("wound", 0)
    assert stage.cards("box") == ["hut.iron"]


def test_resources_are_used_up_for_the_turn_and_healing_for_the_battle() -> None:
    """E98, C86."""
    stage = field().tech(0, "mathematics").has(0, iron=2).holds(0, "infantry.1 infantry.2")
    stage.holds(1, "infantry.3 infantry.2")
    fight(attack(stage), "1 infantry.3 new")
    stage.do("mathematics", "done")
    assert not stage.offered("mathematics")


# ---- the end of a battle ----


@pytest.mark.parametrize(
    ("armies", "killed", "lost"), [(2, 2, 1), (3, 5, 2), (1, 4, 0), (2, 1, 0), (3, 2, 1)]
)
def test_the_winner_loses_an_army_for_two_units(armies: int, killed: int, lost: int) -> None:
    """C124, E91: never the last one."""
    stage = field(armies=armies).tech(0, "masonry").mark("general", "2.2", "2.1", "2.0")
    attack_without_units(stage, armies)
    stage.table.counters[stage.table.layout.counters.index("battle.killed0")] = killed
    stage.settle()
    while stage.asks == "loot":
        stage.do("end")
    assert stage.rests("9.8") == (0, armies - lost, 0)


def attack_without_units(stage: Stage, armies: int) -> None:
    """Up to the comparison, which is not yet made."""
    from core.games.civilization.choices import apply
    from core.games.civilization.frames import AFTERMATH, KIND, top
    from core.games.civilization.layout import HOW
    from core.games.civilization.rules import STEPS

    stage.phase("move").do(f"move 8.8 {armies}+0")
    apply(stage.table, 0, stage.action("go 9.8", 0))
    counters = stage.table.counters
    while counters[top(stage.table) + KIND] != AFTERMATH:
        assert not counters[HOW]
        STEPS[counters[top(stage.table) + KIND]](stage.table)


def test_the_army_against_two_armies_and_a_scout() -> None:
    """X5, C105, C125, C136, E92: the loser's figures are all removed, 1 point."""
    stage = field(defenders=2).scout(1, "9.8").mark("general", "2.2", "2.1").has(1, trade=1)
    attack(stage)
    assert (stage.asks, stage.offered("loot")) == ("loot", ["trade"])
    stage.do("loot trade")
    assert stage.rests("9.8") == (0, 1, 0)
    assert stage.get("seat1.figure0") == stage.get("seat1.figure7") == 0


def test_a_winning_defender_keeps_army_and_scout() -> None:
    """E92, C124, IW9: and loots."""
    stage = field().scout(1, "9.8").has(0, culture=2)
    attack(stage)
    assert (stage.asks, stage.asked) == ("loot", 1)
    stage.do("loot culture")
    assert stage.rests("9.8") == (1, 1, 1)
    assert stage.get("seat1.culture") == 2


def test_a_loser_who_has_nothing_loses_nothing() -> None:
    """E93, C127."""
    stage = attack(field().mark("general", "2.2"))
    assert stage.asks != "loot"
    assert stage.rests("9.8") == (0, 1, 0)


def test_a_destroyed_city() -> None:
    """C131, E97, C126, C136: buildings to the market, a wonder to the box, people to the sheet."""
    stage = city().mark("library", "8.7").mark("stonehenge", "9.7").mark("general", "10.7")
    stage.mark("general", "2.2", "2.1").holds(0, "infantry.3 infantry.2").army(1, "10.9")
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = 1
    stage.has(1, trade=9)
    attack(stage, start="7.8")
    while stage.asks in ("fight", "front"):
        stage.do(stage.texts()[0])
    assert stage.cards("box") == ["stonehenge"]
    assert stage.cards("seat1.sheet") == ["general"]
    assert stage.get("buildings.3") == 6
    assert stage.rests("10.9") == (1, 1, 0)
    stage.do("loot trade", "loot trade")
    assert stage.get("seat0.trade") == 6
    assert stage.rests("9.8") == (0, 1, 0)
    assert stage.site(1, 1) == -1


def test_the_fall_of_a_capital_wins_before_loot() -> None:
    """C172, E115, C175, C177: also before an economic victory of the defender."""
    stage = city(capital=True).mark("general", "2.2", "2.1", "2.0").holds(0, "infantry.3")
    attack(stage, start="7.8")
    while stage.asks in ("fight", "front"):
        stage.do(stage.texts()[0])
        if stage.ended[0]:
            break
    assert stage.ended == (4, 0)
