"""After a battle: loot, coins, China, placed armies."""

from __future__ import annotations

import pytest

from core.games.civilization import choices
from core.games.civilization.frames import DEPTH, push
from core.games.civilization.movement import push_loot
from core.requests import Action
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.test_battles import attack, field, fight
from tests.core.games.civilization.test_movement import taken_village

# ---- loot ----


def loot(points: int) -> Stage:
    """X9: seat 0 loots seat 1."""
    stage = Stage().city(0, "1.1").city(1, "14.14").has(1, trade=2, culture=5, silk=1)
    stage.holds(1, "hut.spy defection").tech(1, "masonry")
    stage.table.counters[stage.table.layout.counters.index("seat1.task.coins.1")] = 1
    stage.table.counters[1] = 1
    stage.phase("move")
    push_loot(stage.table, 0, 1, points)
    return stage.settle()


def test_all_kinds_of_loot() -> None:
    """X9, C128, C129: two points."""
    assert loot(2).texts() == [
        "loot trade", "loot culture", "token silk", "seize hut", "seize event.ancient",
        "ruin pottery", "coin pottery", "learn masonry", "end",
    ]  # fmt: skip
    assert loot(1).texts() == [
        "loot trade", "loot culture", "token silk", "seize hut", "ruin pottery", "end",
    ]  # fmt: skip


def test_loot_may_be_the_same_item_twice() -> None:
    """X9, C127, C128: up to three each time."""
    stage = loot(2).do("loot culture", "loot culture")
    assert [stage.get("seat0.culture"), stage.get("seat1.culture")] == [5, 0]
    assert stage.asks != "loot"


def test_a_marker_is_taken_unseen_and_then_looked_at() -> None:
    """C128, section 6: revealed to the thief alone."""
    stage = loot(1).do("seize hut")
    card = stage.find("hut.spy", stage.table.layout.zone_index["seat0.tokens"])
    assert stage.table.seen[card] & 1
    assert stage.is_hidden(card)


@pytest.mark.parametrize(
    ("choice", "coins"),
    [("ruin pottery", (0, 0)), ("coin pottery", (1, 0)), ("seize event.ancient", (0, 1))],
)
def test_coins_and_cards_change_hands(choice: str, coins: tuple[int, int]) -> None:
    """C128, C129, C130, C142: a coin token is discarded or taken; an event by its back."""
    stage = loot(2).do(choice)
    assert (stage.coins(0), stage.coins(1)) == coins
    assert len(stage.cards("seat0.events")) == int(choice.startswith("seize"))


def test_a_technology_is_learned_with_room() -> None:
    """C129, E94, C165."""
    stage = loot(2)
    stage.do("learn masonry")
    assert stage.get("seat0.technologies.low") == 1 << 4
    high = loot(2)
    high.tech(1, "chivalry")
    assert "learn chivalry" not in high.texts()


def test_a_looted_coin_may_be_the_fifteenth() -> None:
    """E95, C135, C173."""
    stage = loot(2)
    stage.table.counters[stage.table.layout.counters.index("seat0.sheet.coins")] = 14
    stage.do("coin pottery")
    assert stage.ended == (3, 0)


def test_a_token_lost_to_loot_does_not_open_the_task_again() -> None:
    """E96, C141."""
    stage = loot(1)
    stage.table.counters[stage.table.layout.counters.index("seat1.task.times.1")] = 4
    stage.do("ruin pottery")
    assert stage.get("seat1.task.times.1") == 4


# ---- rewards ----


def test_code_of_laws_gains_a_coin_once_a_turn() -> None:
    """C134, 3.1 code_of_laws: attacking or defending."""
    stage = attack(field().tech(1, "code_of_laws"))
    assert stage.coins(1) == 1
    assert stage.coins(0) == 0


def test_china_takes_back_a_killed_unit() -> None:
    """C133, E99, 3.6 China: one of its choice, won or lost."""
    stage = field("germany china").holds(0, "infantry.3").holds(1, "mounted.1 mounted.2")
    fight(attack(stage), "1 mounted.2 new", "0 infantry.3 1", "1 mounted.1 1")
    while stage.asks == "loot":
        stage.do("end")
    assert (stage.asks, stage.asked) == ("rescue", 1)
    assert sorted(stage.texts()) == ["leave", "rescue mounted.1", "rescue mounted.2"]
    stage.do("rescue mounted.2")
    assert stage.cards("seat1.forces") == ["mounted.2"]


def test_an_army_placed_on_a_blockaded_square_fights_at_once() -> None:
    """C58, E49, C111, C138: attacker 3 cards, defender 5; on defeat the army is gone."""
    stage = Stage("germany russia").city(0, "2.2").city(1, "14.14").army(1, "1.1", 2)
    stage.ground("f.", "2.1", "3.1").has(0, trade=1)
    stage.holds(1, "infantry.1 infantry.2 infantry.3 mounted.1 mounted.2 mounted.3").phase("city")
    stage.do("make army 0", "site 1.1")
    assert len(stage.cards("seat1.battle")) == 5
    while stage.asks in ("fight", "front"):
        stage.do(stage.texts()[0])
    assert (stage.asks, stage.asked) == ("loot", 1)
    stage.do("loot trade")
    assert stage.get("seat0.figure0") == 0
    assert stage.rests("1.1") == (1, 2, 0)


def test_a_placed_army_that_wins_may_still_move() -> None:
    """E117, C58: placing is no move."""
    stage = Stage("germany russia").city(0, "2.2").city(1, "14.14").army(1, "1.1")
    stage.ground("f.", "2.1", "3.1").mark("general", "2.3").phase("city")
    stage.do("make army 0", "site 1.1")
    assert stage.rests("1.1") == (0, 1, 0)
    assert stage.get("seat0.moved") == 0


def test_a_battle_in_own_outskirts_has_no_city_bonus() -> None:
    """E118, C105, C114: the mover is the attacker."""
    stage = Stage("germany russia").city(0, "2.2").city(1, "14.14").army(1, "1.1").army(0, "1.3")
    stage.holds(0, "infantry.1").phase("move").do("move 1.3 1+0", "go 1.1")
    assert [stage.get("battle.bonus0"), stage.get("battle.bonus1")] == [0, 0]
    assert stage.get("battle.attacker") == 0


def test_a_roll_decides_cards_one_by_one_where_there_are_too_many_ways() -> None:
    """D10: no roll is larger than a machine can make."""
    stage = field(armies=6).tech(0, "replaceable_parts")
    keys = "infantry.2 " * 9 + "mounted.2 " * 9 + "artillery.2 " * 9
    stage.holds(0, keys)
    attack(stage, 6)
    assert len(stage.cards("seat0.battle")) == 13
    assert stage.table.counters[DEPTH] and push


# ---- loot, item by item ----


def test_an_open_marker_is_looted_by_its_face_and_a_market_token_by_its_kind() -> None:
    """C128: a hidden one only unseen."""
    stage = loot(2).holds(1, "village.uranium")
    index = stage.table.layout.zone_index
    card = stage.find("village.uranium", index["seat1.tokens"])
    stage.table.turn_up((card,), [stage.deal[card]])
    assert stage.offered("token") == ["silk", "village.uranium"]
    stage.do("token village.uranium", "token silk")
    assert stage.cards("seat0.tokens") == ["village.uranium"]
    assert [stage.get("seat0.tokens.1"), stage.get("seat1.tokens.1")] == [1, 0]
    assert stage.asks != "loot"


def test_coins_of_the_sheet_and_of_the_canal_are_looted() -> None:
    """C130: wherever coin tokens lie; the canal's only if it is the loser's."""
    stage = Stage("germany russia").city(0, "1.1").city(1, "14.14").phase("move")
    stage.mark("panama_canal", "13.13").set("panama", 2).set("seat1.sheet.coins", 1)
    push_loot(stage.table, 0, 1, 2)
    stage.settle()
    assert stage.offered("ruin") == ["sheet", "panama_canal"]
    stage.do("ruin panama_canal", "ruin sheet")
    assert [stage.get("panama"), stage.get("seat1.sheet.coins")] == [1, 0]
    own = Stage("germany russia").city(0, "1.1").city(1, "14.14").has(1, trade=1).phase("move")
    own.mark("panama_canal", "0.0").set("panama", 2)
    push_loot(own.table, 0, 1, 2)
    assert own.settle().texts() == ["loot trade", "end"]


def test_a_looted_event_may_be_one_too_many() -> None:
    """C76, C128, section 6: at once; and it is mixed in."""
    stage = loot(2).holds(0, "drought lost")
    mine = stage.find("drought", stage.table.layout.zone_index["seat0.events"])
    stage.table.seen[mine] |= 0b10
    stage.do("seize event.ancient")
    assert (stage.asks, len(stage.offered("discard"))) == ("discard", 3)
    ancient = stage.table.zones[stage.table.layout.zone_index["seat0.events"]]
    kinds = [card for card in ancient if stage.table.layout.faces[stage.deal[card]] != "lost"]
    assert [stage.table.seen[card] & 0b10 for card in kinds] == [0, 0]


def test_a_coin_that_is_ruined_may_lower_the_hand_limit() -> None:
    """C75, C76, C128, 3.2 computers: the loser discards at once."""
    stage = loot(1).tech(1, "computers").set("seat1.sheet.coins", 3).holds(1, "drought lost")
    assert stage.coins(1) == 5
    stage.do("ruin pottery")
    assert (stage.asks, stage.asked) == ("discard", 1)


def test_a_technology_costs_both_points() -> None:
    """C129."""
    assert loot(2).do("learn masonry").asks != "loot"


# ---- villages and China, step by step ----


def test_only_the_marker_of_the_village_is_kept() -> None:
    """C103, section 6: what is kept is said to be a resource; another card says nothing."""
    stage = taken_village("village.iron", "mounted.3 mounted.3 mounted.3 infantry.3 hut.spy")
    index = stage.table.layout.zone_index
    marker = stage.find("village.iron", index["seat0.found"])
    other = stage.find("hut.spy", index["seat0.tokens"])
    assert stage.refuses(Action("keep", (other,)))
    assert choices.claim(stage.table, 0, Action("keep", (other,))) is None
    assert choices.claim(stage.table, 0, Action("open", (marker,))) is None
    claim = choices.claim(stage.table, 0, Action("keep", (marker,)))
    assert claim is not None
    assert claim.cards == (marker,)
    stage.holds(0, "village.uranium")
    kept = stage.find("village.uranium", index["seat0.tokens"])
    stage.table.seen[kept] |= 0b10
    stage.do("keep village.iron")
    assert stage.cards("seat0.tokens") == ["hut.spy", "village.iron", "village.uranium"]
    villages = [card for card in stage.table.zones[index["seat0.tokens"]] if card != other]
    assert [stage.table.seen[card] & 0b10 for card in villages] == [0, 0], "it is mixed in"


def test_china_takes_one_unit_or_none() -> None:
    """C133: once, and only if it wants to."""
    for choice, forces in (("rescue mounted.2", ["mounted.2"]), ("leave", [])):
        stage = field("germany china").holds(0, "infantry.3").holds(1, "mounted.1 mounted.2")
        fight(attack(stage), "1 mounted.2 new", "0 infantry.3 1", "1 mounted.1 1")
        while stage.asks == "loot":
            stage.do("end")
        stage.do(choice)
        assert stage.asks != "rescue"
        assert stage.cards("seat1.forces") == forces
