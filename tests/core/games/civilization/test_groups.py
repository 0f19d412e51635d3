"""Groups on their way: who may set off, where they may stop, and what is over when they rest."""

from __future__ import annotations

import pytest

from core.games.civilization.layout import FROZEN, OUTSKIRTS, TILE_PILE
from core.games.civilization.movement import unmoved
from core.games.civilization.ways import Group, reach, way
from tests.core.games.civilization.stage import ALL_GUARDS, Stage, at
from tests.core.games.civilization.test_movement import base, dead_end, unexplored

MOVE_UNDER_WAY = ("seat", "from", "at", "points", "group", "walked")


def is_anybody_moving(stage: Stage) -> bool:
    """Whether anything is left of a move."""
    return any(stage.get(f"move.{key}") for key in MOVE_UNDER_WAY)


def freeze(stage: Stage, square: str) -> Stage:
    """Communism has been used against a square."""
    stage.table.counters[FROZEN + 1] = at(square) + 1
    return stage


# ---- who may set off ----


def test_only_figures_on_the_map_move_and_once() -> None:
    """C89, C92: not those of the supply, and none that has moved."""
    stage = base().army(0, "8.8", 2).scout(0, "8.8").army(0, "5.5").set("seat0.moved", 0b10)
    assert unmoved(stage.table, 0) == [(at("8.8"), 0b10000001), (at("5.5"), 0b100)]


def test_who_is_frozen_does_not_set_off_and_others_do() -> None:
    """3.1 communism, C98: it turns up no tile either."""
    stage = freeze(base().army(0, "8.8").army(0, "5.5"), "8.8").phase("move")
    assert stage.offered("move") == ["5.5 1+0"]
    alone = freeze(unexplored().scout(0, "8.8"), "8.8").phase("move")
    assert alone.asks != "move"


@pytest.mark.parametrize("kind", ["army", "scout"])
def test_who_can_go_nowhere_is_not_asked(kind: str) -> None:
    """C95, C98: water all around, and nothing to turn up."""
    stage = dead_end(base())
    stage = stage.army(0, "8.8") if kind == "army" else stage.scout(0, "8.8")
    assert stage.phase("move").asks != "move"
    more = dead_end(base()).army(0, "8.8").scout(0, "8.8").army(0, "2.8").phase("move")
    assert more.offered("move") == ["2.8 1+0"]


def test_a_part_moves_where_the_whole_finds_no_room() -> None:
    """C92, C94: one of two armies goes to the square that holds one."""
    stage = dead_end(base(), "8.9").army(0, "8.8", 2).army(0, "8.9").phase("move")
    assert [text for text in stage.offered("move") if text.startswith("8.8")] == ["8.8 1+0"]


# ---- where it may stop ----


def test_a_group_that_has_walked_may_stop() -> None:
    """D1, C89: not before, and each step costs a point."""
    stage = base().army(0, "8.8").phase("move").do("move 8.8 1+0")
    assert not stage.offered("stop")
    depth = stage.get("depth")
    stage.do("via 9.8")
    assert (stage.get("move.points"), stage.get("depth")) == (1, depth)
    assert "11.8" not in stage.offered("go")
    stage.do("stop")
    assert stage.asks != "moving"
    assert stage.rests("9.8") == (0, 1, 0)
    assert not is_anybody_moving(stage)


def test_a_group_does_not_stop_on_a_full_square() -> None:
    """C94, D1: on its way over its own."""
    stage = base().army(0, "8.8").army(0, "9.8", 2).phase("move").do("move 8.8 1+0", "via 9.8")
    assert not stage.offered("stop")


def test_who_has_turned_up_a_tile_may_stay() -> None:
    """C98, D1: where it set off, and though there are more than may rest there."""
    stage = unexplored().army(0, "8.8", 3).next_in(TILE_PILE, "tile.1").phase("move")
    stage.do("move 8.8 1+0")
    assert not stage.offered("stop")
    stage.do("discover north")
    assert stage.offered("stop") == [""]
    stage.do("stop")
    assert stage.rests("8.8") == (0, 3, 0)
    assert stage.get("seat0.moved").bit_count() == 1


def test_who_can_do_nothing_else_stays() -> None:
    """D1: though it has not walked."""
    stage = base().army(0, "8.8").phase("move").do("move 8.8 1+0").set("move.points", 0)
    assert stage.texts() == ["stop"]


def test_a_group_that_was_killed_on_its_way_arrives_nowhere() -> None:
    """IW4, 3.3 defection, C102: the hut stays, and the move is over."""
    stage = base().mark("hut", "8.8").army(0, "8.7").army(0, "5.5").army(1, "8.5")
    stage.holds(1, "defection").has(1, guard=ALL_GUARDS).phase("move")
    stage.do("move 8.7 1+0", "go 8.8", "1: answer 0 defection")
    while stage.asks == "target":
        stage.do("target seat0.army 8.7")
    stage.pass_all()
    assert stage.asks == "move"
    assert stage.lies("8.8") == "hut"
    assert not stage.cards("seat0.tokens")
    assert not is_anybody_moving(stage)


def test_who_is_frozen_on_the_way_ends_the_move_there() -> None:
    """IW4, C110: with all that comes at the end of a move, as if it had meant to."""
    depths = []
    for goal in ("9.8", "10.8"):
        stage = base().army(0, "8.8").tech(0, "combustion").tech(1, "communism")
        stage.city(1, "9.9").mark("library", "9.8").holds(1, "hut.spy").has(1, guard=ALL_GUARDS)
        stage.phase("move").do("move 8.8 1+0", f"go {goal}")
        stage.do("answer 1 hut.spy" if goal == "10.8" else "pass").pass_all()
        assert stage.asks == "raze"
        depths.append(stage.get("depth"))
    assert depths[0] == depths[1], "nothing of the way is left behind"


def test_a_group_comes_back_to_the_square_that_it_has_left() -> None:
    """C94: there is as much room as it took."""
    stage = base().army(0, "8.8", 2).phase("move").do("move 8.8 2+0", "via 9.8")
    assert "8.8" in stage.offered("go")


def test_a_way_goes_around_what_cannot_be_passed() -> None:
    """D1, C95: and only what can be entered is in reach."""
    stage = base().army(0, "8.8").ground("w.", "9.8", "8.9")
    group = Group(stage.table, 0, 1, at("8.8"))
    around = ["8.8", "8.7", "9.7", "10.7", "10.8"]
    assert way(stage.table, group, at("8.8"), at("10.8")) == [at(each) for each in around]
    assert [square for square, *_ in reach(stage.table, group, at("8.8"), 1)] == [
        at("8.7"), at("7.8"),
    ]  # fmt: skip


def test_of_equal_ways_the_one_that_begins_in_the_north_is_taken() -> None:
    """D1: a square that is found again by a better way comes after those found before it."""
    stage = base().ground("w.", "5.3", "4.5")
    for square in ("5.4", "6.2"):
        stage.table.counters[OUTSKIRTS + at(square)] = 1 + 3
    group = Group(stage.table, 0, 1, at("5.5"))
    north_first = ["5.5", "5.4", "4.4", "4.3", "4.2", "5.2"]
    assert way(stage.table, group, at("5.5"), at("5.2")) == [at(each) for each in north_first]


def test_nothing_is_discovered_without_points() -> None:
    """C98, E11: two of four tiles, at speed 2."""
    stage = Stage("germany china russia").city(0, "1.1").city(1, "14.14")
    stage.ground("??", *[f"{x}.{y}" for x in range(4, 12) for y in range(4, 12)])
    stage.ground("g.", "7.7").scout(0, "7.7").next_in(TILE_PILE, "tile.1").phase("move")
    stage.do("move 7.7 0+1", "discover west", "discover east")
    assert stage.get("move.points") == 0
    assert not stage.offered("discover")


def test_nothing_is_discovered_from_where_the_group_could_not_end() -> None:
    """E13, C95: on the water the last point is for landing."""
    stage = unexplored().tech(0, "navigation horseback_riding").ground("w.", "8.8", "8.9")
    stage.army(0, "7.9").phase("move").do("move 7.9 1+0", "via 8.8")
    assert (stage.get("move.points"), stage.offered("discover")) == (1, [])
    assert "7.8" in stage.offered("go")


# ---- what it meets ----


def test_only_china_gains_culture_for_a_hut() -> None:
    """C102, 3.6."""
    stage = base().mark("hut", "9.8").army(0, "8.8").phase("move").do("move 8.8 1+0", "go 9.8")
    assert stage.get("seat0.culture") == 0


def test_what_can_be_looted_unseen_is_mixed_first() -> None:
    """C126, section 6: whoever knows where a card lay does not know what is taken."""
    stage = base().army(0, "8.8").scout(1, "9.8").holds(1, "hut.spy hut.iron hut.silk hut.wheat")
    zone = stage.table.layout.zone_index["seat1.tokens"]
    before = [stage.deal[card] for card in stage.table.zones[zone]]
    stage.phase("move").do("move 8.8 1+0", "go 9.8")
    assert stage.asks == "loot"
    after = [stage.deal[card] for card in stage.table.zones[zone]]
    assert after != before and sorted(after) == sorted(before)


# ---- razing (C110) ----


def razing(*technologies: str) -> Stage:
    """Two armies beside foreign buildings."""
    stage = base().city(1, "9.8").mark("library", "8.8", "8.9").army(0, "7.8").army(0, "7.9")
    for each in technologies:
        stage.tech(0, each)
    return stage.phase("move").do("move 7.8 1+0", "go 8.8")


def test_a_building_is_razed_by_who_knows_how_and_once_a_turn() -> None:
    """C110, 3.1 combustion."""
    assert razing().asks == "move"
    stage = razing("combustion").do("raze")
    assert stage.asks == "move"
    stage.do("move 7.9 1+0", "go 8.9")
    assert stage.asks != "raze"
    assert [stage.lies("8.8"), stage.lies("8.9")] == ["", "library"]


def test_a_building_that_is_spared_stands_and_another_may_be_razed() -> None:
    """C110: it is only used up by razing."""
    stage = razing("combustion").do("spare")
    assert stage.lies("8.8") == "library"
    assert stage.do("move 7.9 1+0", "go 8.9").asks == "raze"


# ---- Russia (C109) ----


def spies(civ: str = "russia") -> Stage:
    """Two scouts near a foreign city that can teach something."""
    stage = Stage(f"{civ} china").city(0, "1.1").city(1, "8.8").scout(0, "6.8").scout(0, "8.6")
    return stage.tech(1, "writing pottery")


def test_only_russia_learns_by_giving_up_a_figure_and_once_a_turn() -> None:
    """C109."""
    assert not spies("germany").phase("move").offered("infiltrate")
    stage = spies().phase("move")
    assert len(stage.offered("infiltrate")) == 2
    stage.do("infiltrate scout 6.8 seat1.0")
    assert not is_anybody_moving(stage)
    stage.do("learn writing")
    assert stage.asks == "move"
    assert not stage.offered("infiltrate")


def test_a_spy_sets_out_from_right_beside_the_city() -> None:
    """C109, C89: one step is enough; who is frozen stays."""
    stage = Stage("russia china").city(0, "1.1").city(1, "8.8").tech(1, "writing")
    stage.scout(0, "7.8").army(0, "3.3").ground("w.", "6.8", "7.7", "7.9").phase("move")
    assert stage.offered("infiltrate") == ["scout 7.8 seat1.0"]
    frozen = Stage("russia china").city(0, "1.1").city(1, "8.8").tech(1, "writing")
    freeze(frozen.scout(0, "7.8").army(0, "3.3"), "7.8").phase("move")
    assert not frozen.offered("infiltrate")
