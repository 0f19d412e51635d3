"""Positions in which several rules meet, and which random games hardly ever come to."""

from __future__ import annotations

from core.chance import Chance
from core.games.civilization.movement import push_loot
from tests.core.games.civilization.stage import ALL_GUARDS, Stage
from tests.core.games.civilization.test_battles import fight
from tests.core.games.civilization.test_movement import base
from tests.core.games.civilization.test_windows import three

# ---- blockades are judged at rest (C155) ----


def one_coin_short(defenders: str) -> Stage:
    """Seat 2 lacks the coin of a bank that seat 1 blockades, and seat 0 attacks there."""
    stage = Stage("germany russia china").city(0, "1.1").city(1, "14.14").city(2, "12.3")
    stage.mark("bank", "11.4").army(0, "10.4").set("seat2.sheet.coins", 14).has(1, trade=1)
    for kind in defenders.split():
        {"army": stage.army, "scout": stage.scout}[kind](1, "11.4")
    stage.holds(0, "infantry.1")
    return stage.phase("move").do("move 10.4 1+0", "go 11.4")


def test_a_blockade_that_passes_to_another_seat_by_a_battle_never_ends() -> None:
    """C155, E114: only what stands after the move decides, so the bank stays blockaded."""
    stage = one_coin_short("army scout")
    fight(stage, "0 infantry.1 new")
    assert (stage.asks, stage.asked) == ("loot", 0)
    assert stage.rests("11.4") == (1, 1, 1), "who has lost is taken off at the end"
    stage.do("loot trade")
    assert stage.ended == (0, 0)
    assert stage.rests("11.4") == (0, 1, 0)
    assert stage.coins(2) == 14


def test_a_blockade_that_passes_to_another_seat_without_a_battle_never_ends() -> None:
    """C105, C155: lone scouts are taken off when the army that drives them away rests there."""
    stage = one_coin_short("scout scout").do("loot trade")
    assert stage.ended == (0, 0)
    assert stage.rests("11.4") == (0, 1, 0)
    assert stage.coins(2) == 14


# ---- Defection at a group on its way ----


def test_defection_kills_who_stays_behind_where_a_group_leaves() -> None:
    """IW4, 3.3 Defection: a scout sets off, and the army beside it is a target as well."""
    stage = base().army(0, "8.8").scout(0, "8.8").army(1, "8.10").holds(1, "defection")
    stage.has(1, guard=ALL_GUARDS).phase("move").do("move 8.8 0+1", "go 7.8")
    stage.do("1: answer 0 defection", "1: target seat0.army 8.8")
    assert stage.rests("8.8") == (-1, 0, 0)
    assert stage.rests("7.8") == (0, 0, 1)


def test_mass_defection_kills_of_a_group_and_of_whom_it_passes() -> None:
    """IW4, 3.3 Mass Defection: the moving army first, then the one that rests there."""
    stage = base().army(0, "8.8").army(0, "9.8").army(1, "9.10").holds(1, "mass_defection")
    stage.has(1, guard=ALL_GUARDS).phase("move").do("move 8.8 1+0", "go 10.8")
    stage.do("1: answer 1 mass_defection", "target seat0.army 9.8", "target seat0.army 9.8")
    assert [stage.rests(each)[1] for each in ("8.8", "9.8", "10.8")] == [0, 0, 0]


# ---- gifts that pay together ----


def test_two_gifts_from_afar_give_two_coins() -> None:
    """C144, 3.3 gift_from_afar: each one that pays names a seat."""
    stage = three().tech(0, "pottery").holds(0, "gift_from_afar gift_from_afar").phase("city")
    stage.do("power pottery gift_from_afar gift_from_afar", "target seat2", "target seat1")
    assert [stage.pass_all().coins(seat) for seat in range(3)] == [1, 1, 1]
    same = three().tech(0, "pottery").holds(0, "gift_from_afar gift_from_afar").phase("city")
    same.do("power pottery gift_from_afar gift_from_afar", "target seat2", "target seat2")
    assert same.pass_all().coins(2) == 2


def test_of_two_gifts_that_pay_only_one_is_cancelled() -> None:
    """E141: the other one stays, as a token would, and the ability is unused."""
    stage = three().tech(0, "pottery").holds(0, "gift_from_afar generous_gift")
    stage.holds(1, "jousting_tourney").phase("city")
    stage.do("power pottery gift_from_afar generous_gift", "target seat2")
    stage.do("1: answer 1 jousting_tourney")
    left = stage.cards("seat0.events")
    thrown = stage.cards("discard.ancient") + stage.cards("discard.medieval")
    assert sorted(left + thrown) == ["generous_gift", "gift_from_afar", "jousting_tourney"]
    assert len(left) == 1
    assert [stage.coins(seat) for seat in (0, 2)] == [0, 0]
    assert stage.get("seat0.used") == 0


# ---- consent ----


def test_without_consent_another_target_may_be_named_in_the_same_window() -> None:
    """E143, IW0, IW4: the group has come so far, and whoever answered is asked again."""
    stage = base().mark("united_nations", "2.2").army(0, "7.8").army(1, "8.10").has(0, guard=128)
    stage.holds(1, "defection").has(1, guard=ALL_GUARDS).phase("move")
    stage.do("move 7.8 1+0", "go 9.8", "1: answer 1 defection", "1: target seat0.army 8.8")
    assert (stage.asks, stage.asked) == ("consent", 0)
    stage.do("refuse")
    assert (stage.asks, stage.asked) == ("window", 1)
    stage.do("answer 0 defection")
    assert stage.rests("8.10") == (-1, 0, 0), "its own army is the only target left"
    assert stage.rests("9.8") == (0, 1, 0)


# ---- frozen squares ----


def test_a_democracy_attacks_no_city_whatever_stands_in_its_centre() -> None:
    """C106, E67: a frozen army may stand there."""
    stage = base().city(1, "9.8").army(0, "8.8").army(1, "9.8").rules_by(0, "democracy")
    stage.phase("move").do("move 8.8 1+0")
    assert "9.8" not in stage.offered("go")


# ---- an event card that everybody has seen ----


def test_a_card_that_everybody_has_seen_is_taken_no_more_surely_than_others() -> None:
    """C129, section 6: the winner sees backs, and the loser has mixed all that look alike."""
    taken = set()
    for turn in range(12):
        stage = three().mark("united_nations", "13.0").ground("f.", "13.1").has(1, guard=128)
        stage.holds(0, "sabotage drought").chance = Chance(turn)
        stage.phase("start").do("event drought", "target 13.1", "refuse")
        push_loot(stage.table, 1, 0, 2)
        stage.settle().do("seize event.ancient")
        taken |= set(stage.cards("seat1.events"))
    assert taken == {"sabotage", "drought"}
