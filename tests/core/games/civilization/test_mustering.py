"""Who fights whom in a battle, and which units come to it."""

from __future__ import annotations

from core.games.civilization import GAME, battles
from core.games.civilization.layout import ATTACKER, BOX, DEFENDER, FORCES, HAND, UNIT_DECK
from core.requests import Choice, Roll, Shuffle
from tests.core.games.civilization.stage import Stage
from tests.core.games.civilization.test_battles import attack, field, fight

EIGHT = ("infantry.1 infantry.2 mounted.1 mounted.2 artillery.1 artillery.2 artillery.3 "
         "infantry.3")  # fmt: skip


def test_whoever_is_attacked_defends() -> None:
    """C111: and not the left neighbour, who plays natives."""
    stage = Stage("germany china russia").city(0, "1.1").city(1, "14.1").city(2, "14.14")
    attack(stage.army(0, "8.8").army(2, "9.8").holds(2, "infantry.1"))
    assert [stage.table.counters[each] for each in (ATTACKER, DEFENDER)] == [0, 2]


def test_a_second_army_does_not_fight_where_the_first_one_has_won() -> None:
    """C56, C58: both of one action meant to end a blockade; it joins the first one."""
    stage = Stage().city(0, "2.2").city(1, "14.14").tech(0, "engineering").army(1, "3.3")
    stage.ground("f.", "1.1", "2.1", "3.1", "1.2").holds(0, "infantry.3 mounted.3 artillery.3")
    stage.phase("city").do("split army 0", "site 3.3", "also army", "site 3.3")
    fight(stage, "0 infantry.3 new", "0 mounted.3 new", "0 artillery.3 new")
    assert stage.asks not in ("fight", "front")
    assert stage.rests("3.3") == (0, 2, 0)
    assert stage.get("battle") == 0


def test_units_that_all_fight_are_mixed_first() -> None:
    """C112, section 6: when each was bought does not tell which of them is played."""
    stage = field().holds(0, "infantry.1 mounted.1 artillery.1").holds(1, "infantry.2")
    kept = [stage.deal[card] for card in stage.table.zones[FORCES[0]]]
    attack(stage)
    drawn = [stage.deal[card] for card in stage.table.zones[HAND[0]]]
    assert sorted(drawn) == sorted(kept) and drawn != kept


def rolls(stage: Stage, armies: int) -> list[int]:
    """What is rolled until the first unit is played, when so many armies attack."""
    stage.phase("move").do(f"move 8.8 {armies}+0")
    table, found = stage.table, []
    GAME.apply(table, 0, stage.action("go 9.8", 0))
    while not isinstance(request := GAME.advance(table), Choice):
        if isinstance(request, Roll):
            found.append(request.sides)
            table.rolled = request.sides - 1
        elif isinstance(request, Shuffle):
            table.mix(request.piles[0], request.player)
        else:
            assert request is None, request
    return found


def test_a_hand_is_drawn_by_a_single_roll() -> None:
    """C112, D10: of eight units three, which is 56 ways."""
    stage = field().holds(0, EIGHT)
    assert rolls(stage, 1) == [56]
    assert len(stage.table.zones[HAND[0]]) == 3


def test_a_hand_of_very_many_ways_is_begun_card_by_card() -> None:
    """D10: no roll is larger than a machine can make, 13 of 27 would be 20 million."""
    stage = field(armies=6).tech(0, "replaceable_parts")
    stage.holds(0, "infantry.2 " * 9 + "mounted.2 " * 9 + "artillery.2 " * 9)
    found = rolls(stage, 6)
    assert found[:3] == [27, 26, 25] and max(found) <= battles.ROLL_MAX
    assert len(stage.table.zones[HAND[0]]) == 13


# ---- natives (C137) ----


def natives(*empty: int) -> Stage:
    """A village, with some decks of units empty."""
    stage = Stage().city(0, "1.1").city(1, "14.14").mark("village", "9.8").army(0, "8.8")
    for kind in empty:
        stage.table.zones[BOX] += stage.table.zones[UNIT_DECK + kind]
        stage.table.zones[UNIT_DECK + kind] = []
    return stage


def test_each_missing_native_is_asked_for() -> None:
    """C137, E101: two of them, of the deck that is left."""
    stage = attack(natives(0, 1))
    assert (stage.asks, stage.asked) == ("natives", 1)
    stage.do("deck artillery")
    assert stage.asks == "natives"
    stage.do("deck artillery")
    assert stage.asks == "fight"
    assert [key.split(".")[0] for key in stage.cards("seat1.battle")] == ["artillery"] * 3


def test_natives_that_nobody_has_stay_away() -> None:
    """C137, E101: with the last card of the last deck."""
    stage = natives(0, 1)
    del stage.table.zones[UNIT_DECK + 2][2:]
    attack(stage).do("deck artillery")
    assert stage.asks == "fight"
    assert len(stage.cards("seat1.battle")) == 2


def test_natives_of_a_named_deck_are_mixed_among_the_others() -> None:
    """Section 6: nobody knows which of them was drawn last."""
    stage = natives(0)
    decks = [stage.table.zones[UNIT_DECK + kind] for kind in (1, 2)]
    first = [stage.deal[decks[0][-1]], stage.deal[decks[1][-1]], stage.deal[decks[1][-2]]]
    attack(stage).do("deck artillery")
    drawn = [stage.deal[card] for card in stage.table.zones[HAND[1]]]
    assert sorted(drawn) == sorted(first) and drawn != first


def test_natives_have_nothing_of_who_plays_them() -> None:
    """C137, C114, 3.4: no rank, no bonus, no Himeji Castle."""
    stage = Stage().city(0, "1.1").city(1, "14.14").mark("village", "9.8").army(0, "8.8")
    stage.mark("himeji_castle", "13.13").mark("barracks", "13.14").tech(1, "chivalry democracy")
    stage.next_in(UNIT_DECK, "infantry.2").holds(0, "mounted.1")
    attack(stage)
    assert [battles.side_bonus(stage.table, side) for side in (0, 1)] == [0, 0]
    fight(stage, "1 infantry.2 new")
    card = stage.find("infantry.2", stage.table.layout.zone_index["seat1.front"])
    assert battles.strength(stage.table, 1, card) == 2
